/* tutti group: its command line as it stands. */
#ifndef TUTTI_CLI_GROUP_WORDS_H
#define TUTTI_CLI_GROUP_WORDS_H

#include "cli/group/group.h"
#include "cli/plot/group_plot.h"

enum { MOST_VALUES = 64 };

/* Lists that have not been multiplied yet. */
struct group_words {
  struct group_options options;
  struct group_plot plot;
  const tutti_group_builder *builders[MOST_VALUES];
  tutti_group_sample samples[MOST_VALUES];
  int ranks[MOST_VALUES];
  int builder_count, sample_count, ranks_count;
  int branching, colors, node_ranks;
  uint64_t seed;
  bool in_process;
};

/* Rows for a struct group_words. */
extern const struct option_row group_table[];

/* All combinations, as the sweep of the options, whose points the caller frees; its ranks are those of the words. */
void group_words_multiply(struct group_words *words);

#endif
