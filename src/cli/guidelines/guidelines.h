/* tutti guidelines: the parts of the command. */
#ifndef TUTTI_CLI_GUIDELINES_H
#define TUTTI_CLI_GUIDELINES_H

#include "base/table.h"
#include "cli/options/selection.h"
#include "tutti/guideline.h"

struct guidelines_options {
  struct selection_options selection;
  const char *decision; /* NULL: the best methods */
  double tolerance;     /* a fraction */
  int top;              /* violations to show */
  tutti_format format;
  bool list;            /* only the guidelines */
  unsigned collectives; /* bit 1 << collective; 0: all */
};

/* What runs at each measured point, of all collectives. */
struct guidelines_times {
  tutti_guideline_times times;
  const char *scheme, *basis;       /* basis: and the patterns, unless they are none */
  size_t unknown[TUTTI_COLL_COUNT]; /* measured points where what was picked has no time */
};

/* @{ The report, and the guidelines about the chosen collectives, in the format that the options ask for. */
void guidelines_print(const struct guidelines_options *options, const struct guidelines_times *read,
                      const tutti_guideline_report *report);
void guidelines_list(const struct guidelines_options *options);
/* @} */

#endif
