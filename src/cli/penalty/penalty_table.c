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

static void print_worst(const struct penalty_row *row)
{
  tutti_table table = {.key = NULL};
  list_worst(&table, row);
  tutti_say(stdout, row->worst_count > 0 ? "\n  %s loses most\n" : "\n  %s loses nowhere\n", row->name);
  if (row->worst_count > 0)
    must(tutti_table_print(&table, stdout, &failure));
}

/* ---- all points ---- */

static void get_worst_point(tutti_cell *cell, const void *item)
{
  const tutti_penalty *penalty = &((const struct penalty_row *)item)->penalty;
  char size[24];
  if (penalty->points > 0)
    tutti_cell_format(cell, "%d rank%s, %s", penalty->worst_ranks, tutti_plural((uint64_t)penalty->worst_ranks),
                      tutti_size_format(penalty->worst_size, size));
}

#define PENALTY(member) TUTTI_FIELD(struct penalty_row, penalty.member)
#define PERCENT(member) PENALTY(member), .unit = "%", .width = 9, .decimals = 2
#define SHARE(member)   PENALTY(member), .suffix = " %", .scale = 100, .decimals = 1, .width = 8

static const tutti_column columns[] = {
    {"decision", "decision", TUTTI_FIELD(struct penalty_row, name)},
    {NULL, "collective", .at = offsetof(struct penalty_row, collective), .get = cell_collective},
    CELL_SCHEME_COLUMNS(struct penalty_row, scheme),
    {NULL, "candidates", .at = offsetof(struct penalty_row, candidates), .get = cell_candidates},
    {"min", "min_percent", PERCENT(min)},
    {"max", "max_percent", PERCENT(max)},
    {"mean", "mean_percent", PERCENT(mean)},
    {"median", "median_percent", PERCENT(median)},
    {"<= 5 %", "within_5_share", SHARE(within_5)},
    {"<= 10 %", "within_10_share", SHARE(within_10)},
    {"points", "points", PENALTY(points), .width = 7},
    {"missing", "missing", PENALTY(missing), .width = 8},
    {NULL, "own_choices", PENALTY(own_choice)},
    {NULL, "substituted", PENALTY(substituted)},
    {NULL, "within_noise", PENALTY(within_noise)},
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

void penalty_print_own_choices(const char *name, const tutti_penalty *penalty)
{
  if (penalty->own_choice > 0)
    print_sentence(2, "%s: %d of %d point%s: the library's own choice", name, penalty->own_choice, penalty->points,
                   tutti_plural((uint64_t)penalty->points));
}

/* Why points were not counted, in words. */
static void print_remarks(const struct penalty_row *row)
{
  const tutti_penalty *penalty = &row->penalty;
  int unmeasured = penalty->missing - penalty->not_positive;
  const char *library = tutti_implementation_name(row->candidates.implementation);
  if (library)
    print_sentence(2, "%s: by the times of the algorithms that %s was told to run", row->name, library);
  penalty_print_own_choices(row->name, penalty);
  if (penalty->substituted > 0)
    print_sentence(2, "%s: served by a substitute at %d of %d point%s, where its choice cannot serve", row->name,
                   penalty->substituted, penalty->points, tutti_plural((uint64_t)penalty->points));
  if (penalty->within_noise > 0)
    print_sentence(2, "%s: %d of %d point%s count%s as 0 %%: slower than the best by less than the noise of both",
                   row->name, penalty->within_noise, penalty->points, tutti_plural((uint64_t)penalty->points),
                   penalty->within_noise == 1 ? "s" : "");
  if (unmeasured > 0)
    print_sentence(2, "%s: its choice was not measured at %d point%s", row->name, unmeasured,
                   tutti_plural((uint64_t)unmeasured));
  if (penalty->not_positive > 0)
    print_sentence(2, "%s: %d point%s not counted, because the best time there is not positive", row->name,
                   penalty->not_positive, penalty->not_positive == 1 ? " was" : "s were");
}

/* Rows about several collectives may have been measured of different implementations. */
static bool have_same_candidates(const struct penalty_row *rows, int count)
{
  for (int i = 1; i < count; i++)
    if (rows[i].candidates.implementation != rows[0].candidates.implementation ||
        rows[i].candidates.native != rows[0].candidates.native)
      return false;
  return true;
}

static void print_title(const struct penalty_row *rows, int count, const char *platform)
{
  char whose[TUTTI_CANDIDATES_LENGTH];
  bool same = have_same_candidates(rows, count);
  print_sentence(0, "Penalty against the best measured method%s%s on %s, scheme %s", same ? " of " : "",
                 same ? tutti_candidates_format(&rows[0].candidates, whose) : "", platform, rows[0].scheme);
  printf("\n");
}

struct penalty_rows {
  const struct penalty_row *items;
  int count;
};

/* What the table says above the worst points. */
static void print_means(const void *about)
{
  const struct penalty_rows *rows = about;
  for (int i = 0; i < rows->count; i++)
    if (rows->items[i].penalty.points > 0)
      print_sentence(2, "%s loses %.2f %% in the mean, %.2f %% at worst", rows->items[i].name,
                     rows->items[i].penalty.mean, rows->items[i].penalty.max);
}

/* Once for each collective. */
static void print_compared(const struct penalty_row *rows, int count)
{
  for (int i = 0; i < count; i++)
    if (rows[i].compared && (i == 0 || rows[i - 1].collective != rows[i].collective))
      print_sentence(2, "%s", rows[i].compared);
}

void penalty_table_print(const struct penalty_row *rows, int count, const char *platform, bool worst)
{
  const tutti_table table = penalty_table(rows, count);
  print_title(rows, count, platform);
  must(tutti_table_print(&table, stdout, &failure));
  for (int i = 0; i < count; i++)
    print_remarks(&rows[i]);
  print_compared(rows, count);
  const struct penalty_rows all = {rows, count};
  size_t listed = 0;
  for (int i = 0; worst && i < count; i++) {
    print_worst(&rows[i]);
    listed += (size_t)rows[i].worst_count;
  }
  verdict_again(listed, print_means, &all);
}
