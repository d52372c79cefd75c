/* What came of learning from maps: trees, penalties on seen and unseen points; and the penalties into the store. */
#include "cli/learn/learn.h"
#include "cli/output/output.h"
#include "cli/penalty/penalty.h"

/* ---- trees ---- */

struct tree_row {
  const char *learner;
  char name[256], collectives[256]; /* "c45 bcast reduce", "bcast reduce" */
  tutti_learn_report report;
};

TUTTI_GETTER(get_wrong, struct tree_row,
             row->report.cases ? 100 * (double)row->report.errors / (double)row->report.cases : 0)

#define REPORT(member) TUTTI_FIELD(struct tree_row, report.member)

static const tutti_column tree_columns[] = {
    {"tree", NULL, TUTTI_FIELD(struct tree_row, name)},
    {NULL, "learner", TUTTI_FIELD(struct tree_row, learner)},
    {NULL, "collectives", TUTTI_FIELD(struct tree_row, collectives)},
    {"points", "points", REPORT(cases)},
    {"classes", "classes", REPORT(classes)},
    {"leaves", "leaves", REPORT(leaves)},
    {"depth", "depth", REPORT(depth)},
    {"errors", "errors", REPORT(errors)},
    {"errors", "errors_percent", .get = get_wrong, .unit = "%", .decimals = 1},
};

enum { TREE_COLUMNS = sizeof tree_columns / sizeof *tree_columns };

static void get_figure(tutti_cell *cell, const void *item)
{
  const tutti_learn_report *report = TUTTI_FIELD_OF(item, cell->column);
  const tutti_learner_figure *figure = &report->figures[cell->column->index];
  if (figure->decimals > 0)
    tutti_cell_real(cell, figure->value);
  else
    tutti_cell_integer(cell, (int64_t)figure->value);
}

/* Columns of the figures of the learner after @p first_count others. Rows are structs with the report as their member
   at @p at. Returns how many columns there are. */
static int add_figures(const tutti_learn_report *report, size_t at, tutti_column *columns, int first_count)
{
  for (int i = 0; i < report->figure_count; i++) {
    const tutti_learner_figure *figure = &report->figures[i];
    columns[first_count + i] = (tutti_column){.heading = figure->heading,
                                              .key = figure->key,
                                              .unit = figure->unit,
                                              .get = get_figure,
                                              .at = at,
                                              .index = i,
                                              .decimals = figure->decimals};
  }
  return first_count + report->figure_count;
}

static void fill_tree_row(const struct learn_command *command, const struct trained *trained, int index,
                          struct tree_row *row)
{
  const tutti_decision_tree *tree = &tutti_decision_get_trees(&trained->decision)->items[index];
  *row = (struct tree_row){.learner = command->learner->name, .report = trained->reports[index]};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c])
      text_append(row->collectives, sizeof row->collectives, "%s%s", *row->collectives ? " " : "",
                  tutti_collective_name((tutti_collective)c));
  snprintf(row->name, sizeof row->name, "%s %.*s", row->learner, 200, row->collectives);
}

/* ---- penalties ---- */

static const char *const held_out_names[] = {
    [HELD_OUT_FOLDS] = "unseen fold", [HELD_OUT_SHARE] = "unseen share", [HELD_OUT_RANKS] = "unseen ranks"};

struct penalties {
  TUTTI_VECTOR(struct penalty_row);
};

/* The name has the collective where there are several. */
static void add_penalty(struct penalties *rows, const struct learn_maps *maps, int map, const char *name,
                        const tutti_penalty *penalty)
{
  tutti_collective collective = maps->items[map].collective;
  bool several = maps->count > 1;
  char *full = tutti_xprintf("%s%s%s", name, several ? ", " : "", several ? tutti_collective_name(collective) : "");
  tutti_xpush(rows, (struct penalty_row){.name = full,
                                         .collective = collective,
                                         .scheme = maps->scheme,
                                         .candidates = maps->items[map].candidates,
                                         .penalty = *penalty});
}

static void add_seen(const struct learn_maps *maps, const struct trained *trained, struct penalties *rows)
{
  for (int i = 0; i < maps->count; i++) {
    tutti_penalty penalty;
    must(tutti_penalty_compute(&maps->items[i], &trained->decision, &penalty, &failure));
    add_penalty(rows, maps, i, trained->decision.name, &penalty);
  }
}

static void add_unseen(const struct learn_command *command, const struct learn_maps *maps, enum held_out how,
                       struct penalties *rows)
{
  tutti_penalty penalties[TUTTI_COLL_COUNT];
  learn_test(command, maps, how, penalties);
  for (int i = 0; i < maps->count; i++)
    add_penalty(rows, maps, i, held_out_names[how], &penalties[i]);
}

static void compute_penalties(const struct learn_command *command, const struct learn_maps *maps,
                              const struct trained *trained, struct penalties *rows)
{
  add_seen(maps, trained, rows);
  if (command->folds > 0)
    add_unseen(command, maps, HELD_OUT_FOLDS, rows);
  if (command->share > 0)
    add_unseen(command, maps, HELD_OUT_SHARE, rows);
  if (command->leave_out)
    add_unseen(command, maps, HELD_OUT_RANKS, rows);
}

/* ---- printing ---- */

static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct learn_command, selection.platform)}};

static void print(const struct learn_command *command, const struct trained *trained, const struct penalties *rows)
{
  tutti_column columns[TREE_COLUMNS + TUTTI_MAX_FIGURES];
  struct tree_row *trees = tutti_xcalloc((size_t)trained->report_count, sizeof *trees);
  for (int i = 0; i < TREE_COLUMNS; i++)
    columns[i] = tree_columns[i];
  int column_count = add_figures(&trained->reports[0], offsetof(struct tree_row, report), columns, TREE_COLUMNS);
  for (int i = 0; i < trained->report_count; i++)
    fill_tree_row(command, trained, i, &trees[i]);
  const tutti_table tables[] = {
      {.key = "trees", .columns = columns, .column_count = column_count, TUTTI_ROWS(trees, trained->report_count)},
      penalty_table(rows->items, (int)rows->count)};
  const tutti_document document = {TUTTI_FACTS(facts, command), TUTTI_TABLES(tables)};
  if (command->format != TUTTI_FORMAT_TEXT)
    must(tutti_document_print(&document, command->format, stdout, &failure));
  else {
    must(tutti_table_print(&tables[0], stdout, &failure));
    putchar('\n');
    penalty_table_print(rows->items, (int)rows->count, command->selection.platform, false);
  }
  free(trees);
}

/* ---- into the store ---- */

static void store(const struct learn_command *command, const struct learn_maps *maps, const struct trained *trained,
                  const struct penalties *rows)
{
  char name[128];
  tutti_learner_format_name(command->learner, learn_settings(command), name, sizeof name);
  for (int i = 0; i < maps->count; i++) {
    const struct stored_penalty stored = {.name = command->store_as ? command->store_as : name,
                                          .decision = &trained->decision,
                                          .map = &maps->items[i],
                                          .basis = maps->scheme,
                                          .environment = maps->environments[i],
                                          .root = maps->roots[i],
                                          .ranks_per_node = maps->per_node[i],
                                          .shape = maps->count == 1 ? &trained->reports[0].shape : NULL,
                                          .penalty = rows->items[i].penalty};
    penalty_store(&command->selection, &stored);
  }
  if (command->format == TUTTI_FORMAT_TEXT)
    penalty_print_stored(command->store_as ? command->store_as : name, NULL, (size_t)maps->count,
                         command->selection.database);
}

void learn_report(const struct learn_command *command, const struct learn_maps *maps, const struct trained *trained)
{
  struct penalties rows = {0};
  compute_penalties(command, maps, trained, &rows);
  print(command, trained, &rows);
  if (command->store)
    store(command, maps, trained, &rows);
  for (size_t i = 0; i < rows.count; i++)
    free((char *)rows.items[i].name);
  tutti_vector_free(&rows);
}
