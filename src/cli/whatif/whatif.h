/* tutti whatif: what its pieces share. */
#ifndef TUTTI_CLI_WHATIF_H
#define TUTTI_CLI_WHATIF_H

#include "base/table.h"
#include "cli/options/option.h"
#include "cli/program.h"
#include "tutti/platform.h"
#include "tutti/run_comparison.h"

struct whatif_options {
  const char *platform;
  const char *experiment; /* NULL: only write the changed platform */
  struct option_strings edits;
  const char *output; /* NULL: the changed platform is in the work directory while it is needed */
  struct option_numbers ranks, sizes;
  bool all;
  tutti_format format;
  size_t chunk;
  struct program_options launch;
};

/* One question and its answer. */
struct whatif {
  const struct whatif_options *options;
  char *paths[2]; /* of the platforms, before and after; owned */
  char names[2][TUTTI_PLATFORM_NAME_LENGTH];
  tutti_edited_platform edited;
  int room;     /* ranks that both platforms have room for */
  int left_out; /* the largest number of ranks that was left out; 0: none was */
  tutti_experiment experiments[2];
  tutti_run_summary summaries[2];
  tutti_run_comparison comparison;
};

/* Find the platform, edit it, and write it to where it shall be. */
tutti_status whatif_edit(struct whatif *whatif, tutti_error *error);

/* Measure what is missing on both, and read it. *signal is that which ended a run, else 0. */
tutti_status whatif_measure(struct whatif *whatif, int *signal, tutti_error *error);

/* Remove the changed platform if nobody asked for it, and free everything. */
void whatif_free(struct whatif *whatif);

#endif
