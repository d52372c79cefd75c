/* Splitters from samples: elements that divide those of all processes of a view into parts of about the same size. */
#ifndef TUTTI_SORT_SPLITTERS_H
#define TUTTI_SORT_SPLITTERS_H

#include <stdbool.h>

#include "sort/sorting.h"

/* What is asked for; the same on all processes of the view. */
struct sort_sampling {
  int parts;     /* >= 2 */
  uint64_t most; /* samples of a process, which gives all of its elements if it has fewer */
  bool ordered;  /* elements are sorted already: samples are evenly spaced, not drawn */
};

struct sort_splitters {
  uint64_t total; /* elements of all; if there are none the splitters mean nothing */
  char *elements; /* [parts - 1], ascending */
  char *memory;   /* owned: free() */
};

/* Every process sends samples to rank 0 of the view, where each stands for as many elements as its process has for one;
   rank 0 sorts them and broadcasts those with 1 / parts, 2 / parts, ... of the elements before or at them. Collective
   over the view. Free splitters->memory in any case. */
tutti_status tutti_sort_split(struct sort *sort, const tutti_view *view, const struct sort_sampling *sampling,
                              const void *data, uint64_t count, struct sort_splitters *splitters);

#endif
