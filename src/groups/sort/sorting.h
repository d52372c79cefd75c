/* One sort as its algorithms see it. An algorithm is a file with one function of the type sort_algorithm and a line in
   the table of sort.c. */
#ifndef TUTTI_SORT_SORTING_H
#define TUTTI_SORT_SORTING_H

#include <stdbool.h>

#include "groups/sort/sampling.h"
#include "tutti/collectives.h"
#include "tutti/sort.h"

struct sort {
  const tutti_sort_how *how;
  const tutti_sort_type *type;
  tutti_view view;        /* of all processes of the sort; has a progress */
  uint64_t random;        /* state for tutti_splitmix64_next(), the same on all processes */
  tutti_sort_tally tally; /* of this process */
  tutti_error *error;
};

/* Elements that are owned: free(data). */
struct sort_elements {
  char *data;
  uint64_t count;
};

/* Sorts; *output, which is empty before, receives the elements of this process. On failure it may hold anything that
   can be freed. */
typedef tutti_status sort_algorithm(struct sort *sort, const void *input, uint64_t count, struct sort_elements *output);

sort_algorithm tutti_sort_by_janus, tutti_sort_by_sample, tutti_sort_by_hypercube;

/* In simulation, let the time pass in which `count` elements are compared or moved once. */
void tutti_sort_charge(const struct sort *sort, uint64_t count);

/* Sort elements where they are, and charge n log2 n. */
void tutti_sort_locally(const struct sort *sort, void *data, uint64_t count);

/* Space for `count` elements, and for at least one; NULL with a message in the error. */
char *tutti_sort_room(const struct sort *sort, uint64_t count);

/* Elements of their own, with the same values; TUTTI_ERR_MEMORY. */
tutti_status tutti_sort_copy(const struct sort *sort, const void *input, uint64_t count, struct sort_elements *copy);

/* Tags of the messages of sorts: on the base communicator those below the window of views, on a view with tags of its
   own for messages the last of them. */
enum { SORT_TAG_COUNT = 8, SORT_FIRST_TAG = TUTTI_FIRST_TAG - SORT_TAG_COUNT };

static inline int sort_tag(const tutti_view *view, int tag)
{
  return (view->message_tags ? view->message_tags - SORT_TAG_COUNT : SORT_FIRST_TAG) + tag;
}

/* Splitters from samples: elements that divide those of all processes of a view into parts of about the same size. */

/* The requested sampling; the same on all processes of the view. */
struct sort_sampling {
  int parts;     /* >= 2 */
  uint64_t most; /* samples of a process, which gives all of its elements if it has fewer */
  bool ordered;  /* elements are sorted already: samples are evenly spaced, not drawn */
};

struct sort_splitters {
  uint64_t total; /* elements of all; with 0 the splitters are meaningless */
  char *elements; /* [parts - 1], ascending */
  char *memory;   /* owned: free() */
};

/* Every process sends samples to rank 0 of the view, where each is weighted by the number of elements of its process
   per sample; rank 0 sorts them and broadcasts those with 1 / parts, 2 / parts, ... of the elements before or at them.
   Collective over the view. Free splitters->memory in any case. */
tutti_status tutti_sort_split(struct sort *sort, const tutti_view *view, const struct sort_sampling *sampling,
                              const void *data, uint64_t count, struct sort_splitters *splitters);

#endif
