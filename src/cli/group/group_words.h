/* tutti group: its command line as it stands. */
#ifndef TUTTI_CLI_GROUP_WORDS_H
#define TUTTI_CLI_GROUP_WORDS_H

#include <argp.h>

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

/* Read the whole command line; usage errors, --help and --version exit. */
void group_words_read(int argc, char **argv, struct group_words *words);

/* Append what a list says, whose words end in commas; the list is changed. Usage errors exit. @{ */
void group_words_add_ranks(struct argp_state *state, char *list, struct group_words *words);
void group_words_add_fractions(struct argp_state *state, char *list, struct group_words *words);
void group_words_add_members(struct argp_state *state, char *list, struct group_words *words);
void group_words_add_builders(struct argp_state *state, char *list, struct group_words *words);
/* @} */

/* Where a list is empty, take what is usual. */
void group_words_complete(struct group_words *words);

/* All combinations, as the sweep of the options, whose points the caller frees; its ranks are those of the words. */
tutti_status group_words_multiply(struct group_words *words, tutti_error *error);

#endif
