#include "cli/learn/report_learn.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/output/report_json.h"

/* ---- penalties ---- */

static const char *const names[] = {
    [HELD_OUT_FOLDS] = "unseen fold", [HELD_OUT_SHARE] = "unseen share", [HELD_OUT_RANKS] = "unseen ranks"};

/* With the collective where there are several. */
static void name_row(const struct learn_report *report, const char *name, tutti_collective collective,
                     struct penalty_row *row)
{
  char *text = report->names[report->row_count - 1];
  bool several = report->maps->count > 1;
  snprintf(text, LEARN_ROW_NAME, "%s%s%s", name, several ? ", " : "", several ? tutti_collective_name(collective) : "");
  row->name = text;
}

static struct penalty_row *add_row(struct learn_report *report, const char *name, tutti_collective collective)
{
  struct penalty_row *row = &report->rows[report->row_count++];
  *row = (struct penalty_row){.collective = collective, .scheme = report->scheme};
  name_row(report, name, collective, row);
  return row;
}

static tutti_status add_seen(struct learn_report *report, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < report->maps->count && status == TUTTI_OK; i++) {
    const tutti_decision_map *map = &report->maps->items[i];
    struct penalty_row *row = add_row(report, report->trained->decision.name, map->collective);
    status = tutti_penalty_compute(map, &report->trained->decision, &row->penalty, error);
  }
  return status;
}

static tutti_status add_unseen(struct learn_report *report, enum held_out how, tutti_error *error)
{
  tutti_penalty penalties[TUTTI_COLL_COUNT];
  tutti_status status = learn_test(report->command, report->maps, how, penalties, error);
  for (int i = 0; i < report->maps->count && status == TUTTI_OK; i++)
    add_row(report, names[how], report->maps->items[i].collective)->penalty = penalties[i];
  return status;
}

tutti_status learn_report_make(struct learn_report *report, tutti_error *error)
{
  const struct learn_command *command = report->command;
  report->rows = calloc(4 * (size_t)report->maps->count, sizeof *report->rows);
  report->names = calloc(4 * (size_t)report->maps->count, sizeof *report->names);
  if (!report->rows || !report->names)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a report");
  tutti_status status = add_seen(report, error);
  if (status == TUTTI_OK && command->folds > 0)
    status = add_unseen(report, HELD_OUT_FOLDS, error);
  if (status == TUTTI_OK && command->share > 0)
    status = add_unseen(report, HELD_OUT_SHARE, error);
  if (status == TUTTI_OK && command->leave_out)
    status = add_unseen(report, HELD_OUT_RANKS, error);
  if (status != TUTTI_OK)
    learn_report_free(report);
  return status;
}

void learn_report_free(struct learn_report *report)
{
  free(report->rows);
  free(report->names);
  report->rows = NULL;
  report->names = NULL;
}

/* ---- trees ---- */

static double percent(double part, size_t whole)
{
  return whole ? 100 * part / (double)whole : 0;
}

static void print_c45(const tutti_learn_report *report)
{
  const tutti_c45_report *c45 = &report->c45;
  printf("  before pruning  %5d leaves  %5zu errors (%.1f %%)\n", c45->grown_leaves, c45->grown_errors,
         percent((double)c45->grown_errors, report->cases));
  printf("  after pruning   %5d leaves  %5zu errors (%.1f %%), %.1f %% predicted\n", c45->leaves, c45->errors,
         percent((double)c45->errors, report->cases), percent(c45->predicted, report->cases));
}

static void print_quadtree(const tutti_quadtree_shape *shape)
{
  printf("  quadtree        %5d leaves  %5d nodes, depth %d to %d, mean %.2f, %zu B\n", shape->leaves, shape->nodes,
         shape->least_depth, shape->most_depth, shape->mean_depth, shape->bytes);
}

static void print_tree(const struct learn_report *report, int index)
{
  const tutti_learn_report *tree = &report->trained->reports[index];
  tutti_learner learner = report->command->options.learner;
  printf("%s", tutti_learner_name(learner));
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tutti_decision_get_trees(&report->trained->decision)->items[index].answers[c])
      printf(" %s", tutti_collective_name((tutti_collective)c));
  printf(": %zu points, %d classes\n", tree->cases, tree->classes);
  if (learner == TUTTI_LEARN_C45)
    print_c45(tree);
  if (learner == TUTTI_LEARN_QUADTREE)
    print_quadtree(&tree->quadtree);
  printf("  tree            %5d leaves  %5zu errors (%.1f %%), depth %d\n\n", tree->leaves, tree->errors,
         percent((double)tree->errors, tree->cases), tree->depth);
}

void learn_report_print(const struct learn_report *report)
{
  for (int i = 0; i < report->trained->report_count; i++)
    print_tree(report, i);
  penalty_table_print(report->rows, report->row_count, report->command->selection.platform, false, NULL);
}

/* ---- JSON ---- */

static void print_c45_json(const tutti_c45_report *c45)
{
  printf(", \"grown_leaves\": %d, \"grown_errors\": %zu, \"pruned_leaves\": %d, \"pruned_errors\": %zu",
         c45->grown_leaves, c45->grown_errors, c45->leaves, c45->errors);
  json_member("predicted_errors", c45->predicted, 12);
}

static void print_quadtree_json(const tutti_quadtree_shape *shape)
{
  printf(", \"quadtree_leaves\": %d, \"quadtree_nodes\": %d, \"least_depth\": %d, \"most_depth\": %d", shape->leaves,
         shape->nodes, shape->least_depth, shape->most_depth);
  json_member("mean_depth", shape->mean_depth, 12);
  json_member("expected_depth", shape->expected_depth, 12);
  printf(", \"bytes\": %zu", shape->bytes);
}

static void print_tree_json(const struct learn_report *report, int index)
{
  const tutti_learn_report *tree = &report->trained->reports[index];
  tutti_learner learner = report->command->options.learner;
  printf("%s\n  {\"learner\": \"%s\", \"points\": %zu, \"classes\": %d, \"leaves\": %d, \"depth\": %d, \"errors\": %zu",
         index ? "," : "", tutti_learner_name(learner), tree->cases, tree->classes, tree->leaves, tree->depth,
         tree->errors);
  if (learner == TUTTI_LEARN_C45)
    print_c45_json(&tree->c45);
  if (learner == TUTTI_LEARN_QUADTREE)
    print_quadtree_json(&tree->quadtree);
  printf("}");
}

static void print_row_json(const struct penalty_row *row, bool first)
{
  const tutti_penalty *penalty = &row->penalty;
  printf("%s\n  {\"decision\": ", first ? "" : ",");
  json_string(stdout, row->name);
  printf(", \"collective\": \"%s\", \"points\": %d, \"missing\": %d", tutti_collective_name(row->collective),
         penalty->points, penalty->missing);
  json_member("min_percent", penalty->minimum, 12);
  json_member("max_percent", penalty->maximum, 12);
  json_member("mean_percent", penalty->mean, 12);
  json_member("median_percent", penalty->median, 12);
  printf("}");
}

void learn_report_print_json(const struct learn_report *report)
{
  printf("{\"platform\": ");
  json_string(stdout, report->command->selection.platform);
  printf(", \"trees\": [");
  for (int i = 0; i < report->trained->report_count; i++)
    print_tree_json(report, i);
  printf("\n], \"penalties\": [");
  for (int i = 0; i < report->row_count; i++)
    print_row_json(&report->rows[i], i == 0);
  printf("\n]}\n");
}
