/* Groups that were built, as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/group/group.h"
#include "cli/output/output.h"

/* ---- columns ---- */

static void get_builder(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_group_builder_name(((const tutti_group_run *)row)->point.builder);
}

static void get_fraction(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_group_sample *sample = &((const tutti_group_run *)row)->point.sample;
  (void)column;
  cell->type = TUTTI_CELL_REAL;
  cell->real = sample->members >= 0 ? (double)sample->members / sample->size : sample->fraction;
}

static void get_exact(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_BOOLEAN;
  cell->boolean = ((const tutti_group_run *)row)->point.sample.members >= 0;
}

/* A time, where there is one. */
static void get_time(tutti_cell *cell, const void *row, const tutti_column *column)
{
  if (((const tutti_group_run *)row)->repetitions == 0)
    return;
  cell->type = TUTTI_CELL_REAL;
  cell->real = *(const double *)TUTTI_FIELD_OF(row, column);
}

static void get_messages(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_COUNT;
  cell->count = tutti_group_counted_messages(&((const tutti_group_run *)row)->counts);
}

static void get_fingerprint(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  tutti_cell_format(cell, "%016" PRIx64, ((const tutti_group_run *)row)->counts.sums[TUTTI_GROUP_FINGERPRINT]);
}

#define SUM(heading_, index_)                                                                                          \
  {                                                                                                                    \
    heading_, NULL, TUTTI_FIELD(tutti_group_run, counts.sums[index_]), .width = 8                                      \
  }
#define MAXIMUM(heading_, index_, width_)                                                                              \
  {                                                                                                                    \
    heading_, NULL, TUTTI_FIELD(tutti_group_run, counts.maxima[index_]), .width = width_                               \
  }

static const tutti_column text_columns[] = {
    {"builder", NULL, .get = get_builder, .width = 30},
    {"time", NULL, TUTTI_FIELD(tutti_group_run, median), .get = get_time, .unit = "us", .scale = 1e6, .decimals = 2,
     .width = 10, .alignment = TUTTI_ALIGN_RIGHT},
    {"messages", NULL, .get = get_messages, .width = 9},
    SUM("up", TUTTI_MESSAGE_UPWARD),
    SUM("reloc.", TUTTI_MESSAGE_RELOCATION),
    SUM("down", TUTTI_MESSAGE_DOWNWARD),
    SUM("balance", TUTTI_MESSAGE_BALANCE),
    SUM("hash", TUTTI_MESSAGE_HASH),
    SUM("scan", TUTTI_MESSAGE_SCAN),
    MAXIMUM("largest B", TUTTI_GROUP_LARGEST, 9),
    MAXIMUM("memory B", TUTTI_GROUP_MEMORY, 9),
    MAXIMUM("height", TUTTI_GROUP_HEIGHT, 6),
    MAXIMUM("degree", TUTTI_GROUP_DEGREE, 6),
    MAXIMUM("path", TUTTI_GROUP_CRITICAL_PATH, 5),
};

static const tutti_column columns[] = {
    {NULL, "builder", .get = get_builder},
    {NULL, "ranks", TUTTI_FIELD(tutti_group_run, point.sample.size)},
    {NULL, "ranks_per_node", TUTTI_FIELD(tutti_group_run, ranks_per_node)},
    {NULL, "fraction", .get = get_fraction, .digits = 15},
    {NULL, "exact", .get = get_exact},
    {NULL, "branching", TUTTI_FIELD(tutti_group_run, point.branching)},
    {NULL, "seed", TUTTI_FIELD(tutti_group_run, point.sample.seed)},
    {NULL, "colours", TUTTI_FIELD(tutti_group_run, point.sample.colors)},
    {NULL, "node_ranks", TUTTI_FIELD(tutti_group_run, point.node_ranks)},
    {NULL, "repetitions", TUTTI_FIELD(tutti_group_run, repetitions)},
    {NULL, "minimum_s", TUTTI_FIELD(tutti_group_run, minimum), .get = get_time},
    {NULL, "median_s", TUTTI_FIELD(tutti_group_run, median), .get = get_time},
    {NULL, "mean_s", TUTTI_FIELD(tutti_group_run, mean), .get = get_time},
    {NULL, "maximum_s", TUTTI_FIELD(tutti_group_run, maximum), .get = get_time},
    {NULL, "messages", .get = get_messages},
};

enum { COLUMNS = sizeof columns / sizeof *columns, ALL_COLUMNS = COLUMNS + TUTTI_GROUP_SUMS + TUTTI_GROUP_MAXIMA };

/* Those above, and the counts by the names that they have in the store. */
static void describe(tutti_column all[ALL_COLUMNS])
{
  tutti_column *next = all;
  for (int i = 0; i < COLUMNS; i++)
    *next++ = columns[i];
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    *next++ = (tutti_column){NULL, tutti_group_sum_name(i), TUTTI_FIELD(tutti_group_run, counts.sums[i])};
  *next++ = (tutti_column){NULL, "fingerprint", .get = get_fingerprint};
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    *next++ = (tutti_column){NULL, tutti_group_maximum_name(i), TUTTI_FIELD(tutti_group_run, counts.maxima[i])};
}

/* ---- as text: a table for each sample ---- */

/* Do both build the same groups, but for the builder? */
static bool is_same_sample(const tutti_group_run *left, const tutti_group_run *right)
{
  tutti_group_point other = right->point;
  other.builder = left->point.builder;
  return tutti_group_point_compare(&left->point, &other) == 0 && left->ranks_per_node == right->ranks_per_node;
}

static void print_sample(const tutti_group_run *build, const char *where)
{
  const tutti_group_point *point = &build->point;
  char processes[64], members[64], sample[TUTTI_GROUP_SAMPLE_LENGTH];
  printf("%s: %s, %s, %s", where, progress_format_things((size_t)point->sample.size, "process", "processes", processes),
         tutti_group_sample_format(&point->sample, sample),
         progress_format_things((size_t)build->counts.sums[TUTTI_GROUP_MEMBERS], "member", "members", members));
  if (point->sample.colors > 1)
    printf(" in %" PRIu64 " of %d groups", build->counts.sums[TUTTI_GROUP_GROUPS], point->sample.colors);
  printf(", branching factor %d, seed %" PRIu64, point->branching, point->sample.seed);
  if (point->node_ranks > 1)
    printf(", nodes of %d", point->node_ranks);
  printf(" (fingerprint %016" PRIx64 ")\n\n", build->counts.sums[TUTTI_GROUP_FINGERPRINT]);
}

static tutti_status print_text(const struct group_results *results, const char *where, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t first = 0, next; first < results->count && status == TUTTI_OK; first = next) {
    const tutti_group_run *builds = &results->builds[first];
    for (next = first + 1; next < results->count && is_same_sample(builds, &results->builds[next]);)
      next++;
    const tutti_table table = {TUTTI_COLUMNS(text_columns), TUTTI_ROWS(builds, next - first), .indent = 2, .gap = 1};
    if (first > 0)
      putchar('\n');
    print_sample(builds, where);
    status = tutti_table_print(&table, stdout, error);
  }
  return status;
}

struct about {
  const char *platform;
};

tutti_status group_print(const struct group_results *results, const char *where, tutti_format format,
                         tutti_error *error)
{
  static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct about, platform)}};
  const struct about about = {where};
  tutti_column all[ALL_COLUMNS];
  if (format == TUTTI_FORMAT_TEXT)
    return print_text(results, where, error);
  describe(all);
  const tutti_table table = {.key = "groups", TUTTI_COLUMNS(all), TUTTI_ROWS(results->builds, results->count)};
  const tutti_document document = {TUTTI_FACTS(facts, &about), .tables = &table, .table_count = 1};
  return tutti_document_print(&document, format, stdout, error);
}
