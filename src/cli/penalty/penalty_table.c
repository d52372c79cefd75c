#include "cli/penalty/penalty.h"

#include "cli/output/output.h"

/* ---- worst points ---- */

static const tutti_column worst_columns[] = {
    {"penalty", "penalty_percent", TUTTI_FIELD(tutti_penalty_point, percent), .unit = "%", .decimals = 2},
    {"ranks", "ranks", TUTTI_FIELD(tutti_penalty_point, ranks), .width = 6},
    {"size", "size_B", TUTTI_FIELD(tutti_penalty_point, size), .get = cell_size, .width = 8},
    {"picked", "picked", .at = offsetof(tutti_penalty_point, picked), .get = cell_method, .gap = 2},
    {"best", "best", .at = offsetof(tutti_penalty_point, best), .get = cell_method, .gap = 2},
};

static void list_worst(tutti_table *table, const void *item)
{
  const struct penalty_row *row = item;
  *table = (tutti_table){
      .key = table->key, TUTTI_COLUMNS(worst_columns), TUTTI_ROWS(row->worst, row->worst_count), .indent = 2, .gap = 1};
}

static tutti_status print_worst(const struct penalty_row *row, tutti_error *error)
{
  tutti_table table = {.key = NULL};
  list_worst(&table, row);
  printf(row->worst_count > 0 ? "\n  %s loses most\n" : "\n  %s loses nowhere\n", row->name);
  return row->worst_count > 0 ? tutti_table_print(&table, stdout, error) : TUTTI_OK;
}

/* ---- all points ---- */

static void get_worst_point(tutti_cell *cell, const void *item, const tutti_column *column)
{
  const tutti_penalty *penalty = &((const struct penalty_row *)item)->penalty;
  char size[24];
  (void)column;
  if (penalty->points > 0)
    tutti_cell_format(cell, "%d ranks, %s", penalty->worst_ranks, tutti_size_format(penalty->worst_size, size));
}

#define PENALTY(member) TUTTI_FIELD(struct penalty_row, penalty.member)
#define PERCENT(member) PENALTY(member), .unit = "%", .width = 9, .decimals = 2
#define SHARE(member)   PENALTY(member), .suffix = " %", .scale = 100, .decimals = 1, .width = 8

static const tutti_column columns[] = {
    {"decision", "decision", TUTTI_FIELD(struct penalty_row, name)},
    {NULL, "collective", .at = offsetof(struct penalty_row, collective), .get = cell_collective},
    CELL_SCHEME_COLUMNS(struct penalty_row, scheme),
    {"min", "min_percent", PERCENT(min)},
    {"max", "max_percent", PERCENT(max)},
    {"mean", "mean_percent", PERCENT(mean)},
    {"median", "median_percent", PERCENT(median)},
    {"<= 5 %", "within_5_share", SHARE(within_5)},
    {"<= 10 %", "within_10_share", SHARE(within_10)},
    {"points", "points", PENALTY(points), .width = 7},
    {"missing", "missing", PENALTY(missing), .width = 8},
    {NULL, "not_positive", PENALTY(not_positive)},
    {NULL, "worst_ranks", PENALTY(worst_ranks)},
    {NULL, "worst_size_B", PENALTY(worst_size)},
    {"worst point", NULL, .get = get_worst_point, .gap = 2, .none = ""},
    {NULL, "worst", .nested = list_worst},
};

tutti_table penalty_table(const struct penalty_row *rows, int count)
{
  return (tutti_table){.key = "penalties", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count), .indent = 2, .gap = 1};
}

/* Why points were not counted, in words. */
static void print_remarks(const struct penalty_row *row)
{
  const tutti_penalty *penalty = &row->penalty;
  int unmeasured = penalty->missing - penalty->not_positive;
  if (unmeasured > 0)
    printf("  %s: its choice was not measured at %d points\n", row->name, unmeasured);
  if (penalty->not_positive > 0)
    printf("  %s: %d points were not counted, because their best time is not positive\n", row->name,
           penalty->not_positive);
}

tutti_status penalty_table_print(const struct penalty_row *rows, int count, const char *platform, bool worst,
                                 tutti_error *error)
{
  const tutti_table table = penalty_table(rows, count);
  printf("Penalty against the best measured method on %s, scheme %s\n\n", platform, rows[0].scheme);
  tutti_status status = tutti_table_print(&table, stdout, error);
  for (int i = 0; i < count; i++)
    print_remarks(&rows[i]);
  for (int i = 0; worst && i < count && status == TUTTI_OK; i++)
    status = print_worst(&rows[i], error);
  return status;
}
