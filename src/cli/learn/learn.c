/* tutti learn LEARNER COLLECTIVE...: decision functions from measurements. */
#include "cli/learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output/output.h"

/* ---- maps ---- */

void learn_maps_free(struct learn_maps *maps)
{
  for (int i = 0; i < maps->count; i++)
    tutti_decision_map_free(&maps->items[i]);
}

static tutti_status read_map(const struct learn_command *command, tutti_collective collective, int per_node,
                             struct learn_maps *maps, tutti_error *error)
{
  struct selection_options selection = command->selection;
  struct measured_map measured = {0};
  if (per_node > 0)
    selection.selection.ranks_per_node = per_node;
  const tutti_implementation library =
      command->target ? tutti_target_implementation(command->target) : TUTTI_IMPLEMENTATION_TUTTI;
  tutti_status status = selection_read_map_of(&selection, library, collective, &measured, error);
  if (status != TUTTI_OK)
    return status;
  if (!selection.natives && tutti_decision_map_only_native(&measured.map)) {
    tutti_decision_map_free(&measured.map);
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "nothing to learn from: %s/native alone was measured (--native learns to pick it everywhere)",
                      tutti_collective_name(collective));
  }
  if (command->target) {
    status = selection_choose_for_library(&selection, library, &measured, error);
    selection_note_stand_in(&measured, command->target);
  }
  maps->roots[maps->count] = measured.root;
  maps->per_node[maps->count] = measured.ranks_per_node;
  maps->scheme = selection_basis_name(&command->selection, measured.scheme);
  tutti_decision_map *map = &maps->items[maps->count++];
  *map = measured.map;
  return status == TUTTI_OK && command->fill ? tutti_decision_map_fill(map, NULL, error) : status;
}

static tutti_status read_maps(const struct learn_command *command, struct learn_maps *maps, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  int each = command->per_node.count ? command->per_node.count : 1;
  for (int i = 0; i < command->collective_count * each && status == TUTTI_OK; i++) {
    patience_at("read the measurements", (double)i / (command->collective_count * each));
    status = read_map(command, command->collectives[i / each],
                      command->per_node.count ? (int)command->per_node.items[i % each] : 0, maps, error);
  }
  patience_at(NULL, 1);
  return status;
}

/* FILE.arff, or STEM.names and STEM.data. */
static tutti_status write_cases(const char *path, const tutti_cases *cases, tutti_error *error)
{
  if (tutti_stem_length(path, ".arff") > 0)
    return tutti_cases_write_arff(cases, path, error);
  const size_t length = tutti_stem_length(path, ".names");
  char *stem = tutti_xstrndup(path, length > 0 ? length : strlen(path));
  tutti_status status = tutti_cases_write_c45(cases, stem, error);
  free(stem);
  return status;
}

static tutti_status write_data(const struct learn_command *command, const struct learn_maps *maps, tutti_error *error)
{
  tutti_decision_tree tree;
  tutti_cases cases;
  const tutti_learn_options options = learn_options(command);
  tutti_status status = tutti_learn_cases(maps->items, maps->count, &options, &tree, &cases, NULL, error);
  if (status != TUTTI_OK)
    return status;
  status = write_cases(command->data, &cases, error);
  tutti_decision_tree_free(&tree);
  tutti_cases_free(&cases);
  return status;
}

/* ---- training ---- */

/* A copy that has only the methods that the target supports, as --margin and --smooth ask. */
static tutti_status prepare(const struct learn_command *command, const tutti_decision_map *map,
                            tutti_decision_map *copy, tutti_error *error)
{
  tutti_status status = command->target ? tutti_target_learnable(command->target, command->margin, map, copy, error)
                                        : tutti_decision_map_restrict(map, NULL, NULL, copy, error);
  if (status != TUTTI_OK || command->smooth <= 0)
    return status;
  status = tutti_decision_map_smooth(copy, command->smooth, error);
  if (status != TUTTI_OK)
    tutti_decision_map_free(copy);
  return status;
}

/* Maps from @p first on that are of the same collective. */
static int count_same(const struct learn_maps *maps, int first)
{
  int count = 1;
  while (first + count < maps->count && maps->items[first + count].collective == maps->items[first].collective)
    count++;
  return count;
}

/* One tree of all maps, or one of each collective where the learner takes only one. */
static tutti_status train_on(const struct learn_command *command, const struct learn_maps *maps,
                             struct trained *trained, tutti_error *error)
{
  bool each = command->learner->from >= TUTTI_FROM_MAPS;
  const tutti_learn_options options = learn_options(command);
  tutti_decision_trees trees = {.items = tutti_xcalloc((size_t)maps->count, sizeof *trees.items)};
  tutti_status status = TUTTI_OK;
  for (int first = 0, count; first < maps->count && status == TUTTI_OK; first += count) {
    count = each ? count_same(maps, first) : maps->count;
    status = tutti_learn(command->learner, learn_settings(command), &options, &maps->items[first], count,
                         &trees.items[trees.count], &trained->reports[trees.count], error);
    trees.count += status == TUTTI_OK;
  }
  trained->report_count = trees.count;
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(command->learner->name, &trees, &trained->decision, error);
  tutti_decision_trees_free(&trees);
  return status;
}

tutti_status learn_train(const struct learn_command *command, const struct learn_maps *maps, struct trained *trained,
                         tutti_error *error)
{
  struct learn_maps copies = {0};
  tutti_status status = TUTTI_OK;
  if (command->smooth <= 0 && !command->target)
    return train_on(command, maps, trained, error);
  for (int i = 0; i < maps->count && status == TUTTI_OK; i++) {
    status = prepare(command, &maps->items[i], &copies.items[i], error);
    copies.count += status == TUTTI_OK;
  }
  if (status == TUTTI_OK)
    status = train_on(command, &copies, trained, error);
  learn_maps_free(&copies);
  return status;
}

/* ---- the decision file ---- */

/* The comment at the head of a decision file: how the tree was learnt. */
static char *describe(const struct learn_command *command, const struct learn_maps *maps)
{
  char usage[128];
  const char *patterns = strstr(maps->scheme, ", ");
  tutti_learner_format_usage(command->learner, learn_settings(command), usage, sizeof usage);
  return tutti_xprintf("learnt by tutti learn %s from measurements on %s%s%s%s", command->learner->name,
                       command->selection.platform, patterns ? patterns : "", *usage ? "\n" : "", usage);
}

static tutti_status write_file(const struct learn_command *command, const tutti_decision_trees *trees,
                               const char *comment, tutti_error *error)
{
  struct tutti_output output;
  tutti_status status = tutti_output_begin(command->output, &output, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_decision_trees_write(trees, comment, output.stream, error);
  return tutti_output_end(&output, status, error);
}

/* To the file of --output, or else to standard output unless JSON or CSV is printed there. */
static tutti_status write_decision(const struct learn_command *command, const struct learn_maps *maps,
                                   const tutti_decision *decision, tutti_error *error)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  char *comment = describe(command, maps);
  tutti_status status = command->output ? write_file(command, trees, comment, error) : TUTTI_OK;
  if (status == TUTTI_OK && command->format == TUTTI_FORMAT_TEXT && (!command->output || command->print)) {
    status = tutti_decision_trees_write(trees, comment, stdout, error);
    putchar('\n');
  }
  free(comment);
  return status;
}

/* ---- the command ---- */

static tutti_status learn(const struct learn_command *command, const struct learn_maps *maps, tutti_error *error)
{
  struct trained trained = {.decision = {.name = NULL}};
  patience_at("learn", NAN);
  tutti_status status = learn_train(command, maps, &trained, error);
  patience_at(NULL, 1);
  if (status == TUTTI_OK && command->data)
    status = write_data(command, maps, error);
  if (status == TUTTI_OK)
    status = write_decision(command, maps, &trained.decision, error);
  if (status == TUTTI_OK)
    status = learn_report(command, maps, &trained, error);
  tutti_decision_free(&trained.decision);
  return status;
}

static int run(void *values)
{
  const struct learn_command *command = values;
  struct learn_maps maps = {.scheme = ""};
  tutti_error error;
  tutti_status status = read_maps(command, &maps, &error);
  if (status == TUTTI_OK)
    status = learn(command, &maps, &error);
  learn_maps_free(&maps);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

/* The learners, below the options. */
static char *list_learners(void)
{
  char *list = tutti_xstrdup("Learners:");
  for (int i = 0; i < tutti_learner_count(); i++) {
    char *longer = tutti_xprintf("%s\n  %-9s %s", list, tutti_learner_at(i)->name, tutti_learner_at(i)->help);
    free(list);
    list = longer;
  }
  return list;
}

extern const char tutti_help_learn[];

const struct command command_learn = {
    .name = "learn",
    .text = tutti_help_learn,
    .list = list_learners,
    .options = learn_table,
    .size = sizeof(struct learn_command),
    .run = run,
};
