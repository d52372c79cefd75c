/* tutti learn LEARNER COLLECTIVE...: decision functions from measurements. */
#include "cli/learn/learn.h"

#include <math.h>

#include "cli/command.h"
#include "cli/output/output.h"

/* ---- maps ---- */

void learn_maps_free(struct learn_maps *maps)
{
  for (int i = 0; i < maps->count; i++)
    tutti_decision_map_free(&maps->items[i]);
}

static void read_map(const struct learn_command *command, tutti_collective collective, int per_node,
                     struct learn_maps *maps)
{
  struct selection_options selection = command->selection;
  struct measured_map measured = {0};
  if (per_node > 0)
    selection.selection.ranks_per_node = per_node;
  const tutti_implementation library =
      command->target ? tutti_target_implementation(command->target) : TUTTI_IMPLEMENTATION_TUTTI;
  must(selection_read_map_of(&selection, library, collective, &measured, &failure));
  if (!selection.natives && tutti_decision_map_only_native(&measured.map)) {
    tutti_decision_map_free(&measured.map);
    die("nothing to learn from: %s/native alone was measured (--native learns to pick it everywhere)",
        tutti_collective_name(collective));
  }
  if (command->target) {
    must(selection_choose_for_library(&selection, library, &measured, &failure));
    selection_note_stand_in(&measured, command->target);
  }
  maps->environments[maps->count] = measured.environment;
  maps->roots[maps->count] = measured.root;
  maps->per_node[maps->count] = measured.ranks_per_node;
  maps->scheme = selection_basis_name(&command->selection, measured.scheme);
  tutti_decision_map *map = &maps->items[maps->count++];
  *map = measured.map;
  if (command->fill)
    tutti_decision_map_fill(map, NULL);
}

static void read_maps(const struct learn_command *command, struct learn_maps *maps)
{
  int each = command->per_node.count ? command->per_node.count : 1;
  for (int i = 0; i < command->collective_count * each; i++) {
    patience_at("read the measurements", (double)i / (command->collective_count * each));
    read_map(command, command->collectives[i / each],
             command->per_node.count ? (int)command->per_node.items[i % each] : 0, maps);
  }
  patience_at(NULL, 1);
}

/* FILE.arff, or STEM.names and STEM.data. */
static void write_cases(const char *path, const tutti_cases *cases)
{
  if (tutti_stem_length(path, ".arff") > 0) {
    must(tutti_cases_write_arff(cases, path, &failure));
    return;
  }
  const size_t length = tutti_stem_length(path, ".names");
  char *stem = tutti_xstrndup(path, length > 0 ? length : strlen(path));
  must(tutti_cases_write_c45(cases, stem, &failure));
  free(stem);
}

static void write_data(const struct learn_command *command, const struct learn_maps *maps)
{
  tutti_decision_tree tree;
  tutti_cases cases;
  const tutti_learn_options options = learn_options(command);
  must(tutti_learn_cases(maps->items, maps->count, &options, &tree, &cases, NULL, &failure));
  write_cases(command->data, &cases);
  tutti_decision_tree_free(&tree);
  tutti_cases_free(&cases);
}

/* ---- training ---- */

/* A copy that has only the methods that the target supports, as --margin and --smooth ask. */
static void prepare(const struct learn_command *command, const tutti_decision_map *map, tutti_decision_map *copy)
{
  must(command->target ? tutti_target_learnable(command->target, command->margin, map, copy, &failure)
                       : tutti_decision_map_restrict(map, NULL, NULL, copy, &failure));
  if (command->smooth > 0)
    must(tutti_decision_map_smooth(copy, command->smooth, &failure));
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
static void train_on(const struct learn_command *command, const struct learn_maps *maps, struct trained *trained)
{
  bool each = command->learner->from >= TUTTI_FROM_MAPS;
  const tutti_learn_options options = learn_options(command);
  tutti_decision_trees trees = {.items = tutti_xcalloc((size_t)maps->count, sizeof *trees.items)};
  for (int first = 0, count; first < maps->count; first += count) {
    count = each ? count_same(maps, first) : maps->count;
    must(tutti_learn(command->learner, learn_settings(command), &options, &maps->items[first], count,
                     &trees.items[trees.count], &trained->reports[trees.count], &failure));
    trees.count++;
  }
  trained->report_count = trees.count;
  must(tutti_decision_of_trees(command->learner->name, &trees, &trained->decision, &failure));
  tutti_decision_trees_free(&trees);
}

void learn_train(const struct learn_command *command, const struct learn_maps *maps, struct trained *trained)
{
  struct learn_maps copies = {0};
  if (command->smooth <= 0 && !command->target) {
    train_on(command, maps, trained);
    return;
  }
  for (int i = 0; i < maps->count; i++) {
    prepare(command, &maps->items[i], &copies.items[i]);
    copies.count++;
  }
  train_on(command, &copies, trained);
  learn_maps_free(&copies);
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

static void write_file(const struct learn_command *command, const tutti_decision_trees *trees, const char *comment)
{
  struct tutti_output output;
  output_begin(command->output, &output);
  must(tutti_decision_trees_write(trees, comment, output.stream, &failure));
  output_end(&output);
}

/* To the file of --output, or else to standard output unless JSON or CSV is printed there. */
static void write_decision(const struct learn_command *command, const struct learn_maps *maps,
                           const tutti_decision *decision)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  char *comment = describe(command, maps);
  if (command->output)
    write_file(command, trees, comment);
  if (command->format == TUTTI_FORMAT_TEXT && (!command->output || command->print)) {
    must(tutti_decision_trees_write(trees, comment, stdout, &failure));
    putchar('\n');
  }
  free(comment);
}

static void learn(const struct learn_command *command, const struct learn_maps *maps)
{
  struct trained trained = {.decision = {.name = NULL}};
  patience_at("learn", NAN);
  learn_train(command, maps, &trained);
  patience_at(NULL, 1);
  if (command->data)
    write_data(command, maps);
  write_decision(command, maps, &trained.decision);
  learn_report(command, maps, &trained);
  tutti_decision_free(&trained.decision);
}

static int run(void *values)
{
  const struct learn_command *command = values;
  struct learn_maps maps = {.scheme = ""};
  read_maps(command, &maps);
  learn(command, &maps);
  learn_maps_free(&maps);
  return EXIT_DONE;
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

DEFINE_COMMAND(learn, "learn", learn_table, struct learn_command, run, .list = list_learners);
