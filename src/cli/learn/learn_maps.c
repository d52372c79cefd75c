/* tutti learn LEARNER COLLECTIVE...: from decision maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn/learn.h"
#include "cli/learn/learn_train.h"
#include "cli/output/output_file.h"
#include "cli/learn/report_learn.h"

static void free_maps(struct maps *maps)
{
  for (int i = 0; i < maps->count; i++)
    tutti_decision_map_free(&maps->items[i]);
}

static tutti_status read_map(const struct learn_command *command, tutti_collective collective, int per_node,
                             struct maps *maps, const char **scheme, tutti_error *error)
{
  struct selection_options selection = command->selection;
  struct measured_map measured = {0};
  if (per_node > 0)
    selection.selection.ranks_per_node = per_node;
  tutti_status status = selection_read_map(&selection, collective, &measured, error);
  if (status != TUTTI_OK)
    return status;
  maps->roots[maps->count] = measured.root;
  maps->per_node[maps->count] = measured.ranks_per_node;
  tutti_decision_map *map = &maps->items[maps->count++];
  *map = measured.map;
  *scheme = selection_basis_name(&command->selection, measured.scheme);
  return command->fill ? tutti_decision_map_fill(map, NULL, error) : TUTTI_OK;
}

static tutti_status read_maps(const struct learn_command *command, struct maps *maps, const char **scheme,
                              tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  int each = command->per_node_count ? command->per_node_count : 1;
  for (int i = 0; i < command->collective_count * each && status == TUTTI_OK; i++)
    status = read_map(command, command->collectives[i / each],
                      command->per_node_count ? command->per_node[i % each] : 0, maps, scheme, error);
  return status;
}

static tutti_status write_data(const struct learn_command *command, const struct maps *maps, tutti_error *error)
{
  tutti_decision_tree tree;
  tutti_cases cases;
  const tutti_learn_options *options = &command->options;
  tutti_status status = tutti_learn_cases(maps->items, maps->count, options->attributes, options->attribute_count,
                                          &tree, &cases, NULL, error);
  if (status != TUTTI_OK)
    return status;
  status = learn_write_cases(command->data, &cases, error);
  tutti_decision_tree_free(&tree);
  tutti_cases_free(&cases);
  return status;
}

static void describe_size(const tutti_learn_options *options, char *text, size_t size)
{
  char leaves[32] = "", mean[32] = "";
  if (options->penalty.leaves > 0)
    snprintf(leaves, sizeof leaves, " --leaves %d", options->penalty.leaves);
  if (options->penalty.mean > 0)
    snprintf(mean, sizeof mean, " --mean %g", options->penalty.mean);
  if (*leaves || *mean)
    snprintf(text, size, "\n%s%s", *leaves ? leaves + 1 : mean + 1, *leaves ? mean : "");
}

enum { COMMENT_LENGTH = SELECTION_BASIS + 256 };

/* What made the tree, for the head of its file. */
static void describe(const struct learn_command *command, const char *basis, char *text, size_t size)
{
  const tutti_learn_options *options = &command->options;
  const char *patterns = strstr(basis, ", ");
  int length = snprintf(text, size, "learnt by tutti learn %s from measurements on %s%s",
                        tutti_learner_name(options->learner), command->selection.platform, patterns ? patterns : "");
  text += length;
  size -= (size_t)length;
  switch (options->learner) {
  case TUTTI_LEARN_C45:
    snprintf(text, size, "\n-m %g -c %g", options->c45.weight, options->c45.confidence);
    break;
  case TUTTI_LEARN_QUADTREE:
    if (options->quadtree.depth >= 0)
      snprintf(text, size, "\n--depth %d --accuracy %g", options->quadtree.depth, 100 * options->quadtree.accuracy);
    else
      snprintf(text, size, "\n--accuracy %g", 100 * options->quadtree.accuracy);
    break;
  default:
    describe_size(options, text, size);
  }
}

static tutti_status write_file(const struct learn_command *command, const tutti_decision_trees *trees,
                               const char *comment, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(command->output, &output, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_decision_trees_write(trees, comment, output.stream, error);
  return output_file_end(&output, status, error);
}

/* To the file, or else to standard output unless figures go there as JSON. */
static tutti_status write_decision(const struct learn_command *command, const tutti_decision *decision,
                                   const char *basis, tutti_error *error)
{
  char comment[COMMENT_LENGTH];
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  tutti_status status = TUTTI_OK;
  describe(command, basis, comment, sizeof comment);
  if (command->output)
    status = write_file(command, trees, comment, error);
  if (status == TUTTI_OK && !command->json && (!command->output || command->print)) {
    status = tutti_decision_trees_write(trees, comment, stdout, error);
    putchar('\n');
  }
  return status;
}

static tutti_status report(const struct learn_command *command, const struct maps *maps, const struct trained *trained,
                           const char *scheme, tutti_error *error)
{
  struct learn_report report = {.command = command, .maps = maps, .trained = trained, .scheme = scheme};
  tutti_status status = learn_report_make(&report, error);
  if (status != TUTTI_OK)
    return status;
  if (command->json)
    learn_report_print_json(&report);
  else
    learn_report_print(&report);
  if (command->keep)
    status = learn_keep(&report, error);
  learn_report_free(&report);
  return status;
}

static tutti_status learn(const struct learn_command *command, const struct maps *maps, const char *scheme,
                          tutti_error *error)
{
  struct trained trained = {.decision = {.name = NULL}};
  tutti_status status = learn_train(command, maps, &trained, error);
  if (status == TUTTI_OK && command->data)
    status = write_data(command, maps, error);
  if (status == TUTTI_OK)
    status = write_decision(command, &trained.decision, scheme, error);
  if (status == TUTTI_OK)
    status = report(command, maps, &trained, scheme, error);
  tutti_decision_free(&trained.decision);
  return status;
}

tutti_status learn_from_maps(const struct learn_command *command, tutti_error *error)
{
  struct maps maps = {0};
  const char *scheme = "";
  tutti_status status = read_maps(command, &maps, &scheme, error);
  if (status == TUTTI_OK)
    status = learn(command, &maps, scheme, error);
  free_maps(&maps);
  return status;
}
