/* tutti group: lists of the command line, and all combinations of what they name. */
#include "cli/group/group_words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

/* ---- lists ---- */

static double read_fraction(struct argp_state *state, const char *text)
{
  char *end;
  double fraction = strtod(text, &end);
  if (end == text || *end || !(fraction >= 0 && fraction <= 1))
    argp_error(state, "--fraction: '%s' is not a number from 0 to 1", text);
  return fraction;
}

/* The words of a list, one at a time; complains of a list that is too long. */
static char *next_word(struct argp_state *state, char **list, const char *option, int count)
{
  char *word = strsep(list, ",");
  if (word && count == MOST_VALUES)
    argp_error(state, "--%s: more than %d values", option, MOST_VALUES);
  return word;
}

void group_words_add_ranks(struct argp_state *state, char *list, struct group_words *words)
{
  for (char *word; (word = next_word(state, &list, "ranks", words->ranks_count));)
    words->ranks[words->ranks_count++] = (int)parse_number(state, "ranks", word, 1, INT_MAX);
}

void group_words_add_fractions(struct argp_state *state, char *list, struct group_words *words)
{
  for (char *word; (word = next_word(state, &list, "fraction", words->sample_count));)
    words->samples[words->sample_count++] = (tutti_group_sample){.fraction = read_fraction(state, word), .members = -1};
}

void group_words_add_members(struct argp_state *state, char *list, struct group_words *words)
{
  for (char *word; (word = next_word(state, &list, "members", words->sample_count));)
    words->samples[words->sample_count++] =
        (tutti_group_sample){.members = (int)parse_number(state, "members", word, 0, INT_MAX)};
}

void group_words_add_builders(struct argp_state *state, char *list, struct group_words *words)
{
  tutti_error error = {0};
  for (char *word; (word = next_word(state, &list, "BUILDER", words->builder_count));) {
    const tutti_group_builder *builder = NULL;
    if (strcmp(word, "all") == 0)
      words->options.all_builders = true;
    else if (!(builder = tutti_group_builder_find(word, &error)))
      argp_error(state, "%s", error.message);
    else
      words->builders[words->builder_count++] = builder;
  }
}

static void add_all_builders(struct group_words *words)
{
  words->builder_count = 0;
  while (tutti_group_builder_at(words->builder_count) && words->builder_count < MOST_VALUES) {
    words->builders[words->builder_count] = tutti_group_builder_at(words->builder_count);
    words->builder_count++;
  }
}

void group_words_complete(struct group_words *words)
{
  if (words->builder_count == 0)
    words->options.all_builders = true;
  if (words->options.all_builders)
    add_all_builders(words);
  if (words->sample_count == 0)
    words->samples[words->sample_count++] = (tutti_group_sample){.fraction = 0.3, .members = -1};
  if (words->ranks_count == 0)
    words->ranks[words->ranks_count++] = 1024;
}

/* ---- all combinations ---- */

tutti_status group_words_multiply(struct group_words *words, tutti_error *error)
{
  tutti_group_sweep *sweep = &words->options.sweep;
  sweep->ranks = words->ranks;
  sweep->ranks_count = words->ranks_count;
  sweep->points = calloc((size_t)words->sample_count * (size_t)words->builder_count, sizeof *sweep->points);
  if (!sweep->points)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the groups to build");
  for (int d = 0; d < words->sample_count; d++)
    for (int b = 0; b < words->builder_count; b++) {
      tutti_group_point *point = &sweep->points[sweep->point_count++];
      *point = (tutti_group_point){.builder = words->builders[b],
                                   .sample = words->samples[d],
                                   .branching = words->branching,
                                   .node_ranks = words->node_ranks};
      point->sample.colors = words->colors;
      point->sample.seed = words->seed;
    }
  return TUTTI_OK;
}
