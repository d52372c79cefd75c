/* Groups that were built, as tables. */
#include <inttypes.h>
#include <math.h>

#include "cli/group/group.h"
#include "cli/output/output.h"
#include "decision/results/row.h"

/* ---- columns ---- */

TUTTI_GETTER(get_builder, tutti_group_run, tutti_group_builder_name(row->point.builder))

/* A time, where there is one. */
static void get_time(tutti_cell *cell, const void *row)
{
  if (((const tutti_group_run *)row)->repetitions == 0)
    return;
  tutti_cell_real(cell, *(const double *)TUTTI_FIELD_OF(row, cell->column));
}

TUTTI_GETTER(get_messages, tutti_group_run, tutti_group_counted_messages(&row->counts))

#define SUM(index_)             TUTTI_FIELD(tutti_group_run, counts.sums[index_]), .width = 8
#define MAXIMUM(index_, width_) TUTTI_FIELD(tutti_group_run, counts.maxima[index_]), .width = width_

static const tutti_column text_columns[] = {
    {"builder", NULL, .get = get_builder, .width = 30},
    {"time", NULL, TUTTI_FIELD(tutti_group_run, median), .get = get_time, .unit = "us", .scale = 1e6, .decimals = 2,
     .width = 10, .alignment = TUTTI_ALIGN_RIGHT},
    {"messages", NULL, .get = get_messages, .width = 9},
    {"up", NULL, SUM(TUTTI_MESSAGE_UPWARD)},
    {"reloc.", NULL, SUM(TUTTI_MESSAGE_RELOCATION)},
    {"down", NULL, SUM(TUTTI_MESSAGE_DOWNWARD)},
    {"balance", NULL, SUM(TUTTI_MESSAGE_BALANCE)},
    {"hash", NULL, SUM(TUTTI_MESSAGE_HASH)},
    {"scan", NULL, SUM(TUTTI_MESSAGE_SCAN)},
    {"largest B", NULL, MAXIMUM(TUTTI_GROUP_LARGEST, 9)},
    {"memory B", NULL, MAXIMUM(TUTTI_GROUP_MEMORY, 9)},
    {"height", NULL, MAXIMUM(TUTTI_GROUP_HEIGHT, 6)},
    {"degree", NULL, MAXIMUM(TUTTI_GROUP_DEGREE, 6)},
    {"path", NULL, MAXIMUM(TUTTI_GROUP_CRITICAL_PATH, 5)},
};

/* In JSON and CSV all columns of the store: what was asked for first, then what follows from it. */
static int place_of(const struct tutti_row_column *column)
{
  if (column->flags & TUTTI_ROW_COLUMN_LAUNCH || column->type == TUTTI_ROW_COLUMN_BUILDER)
    return 0;
  return column->type == TUTTI_ROW_COLUMN_FRACTION || column->type == TUTTI_ROW_COLUMN_EXACT ? 1 : 2;
}

static int describe(tutti_column columns[TUTTI_ROW_COLUMNS_MAX])
{
  const struct tutti_row_column *selected[TUTTI_ROW_COLUMNS_MAX];
  int count = (int)tutti_columns_select(tutti_kind_of(TUTTI_ROW_GROUP), place_of, selected);
  for (int i = 0; i < count; i++)
    columns[i] = (tutti_column){NULL,
                                selected[i]->name,
                                .at = selected[i]->offset,
                                .get = selected[i]->flags & TUTTI_ROW_COLUMN_TIMED ? get_time : cell_row_column,
                                .context = selected[i],
                                .digits = selected[i]->type == TUTTI_ROW_COLUMN_FRACTION ? 15 : 0};
  return count;
}

/* ---- as text: a table for each sample ---- */

/* Whether two builds differ in the builder at most. */
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
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s: %s, %s, %s", where,
          progress_format_things((size_t)point->sample.size, "process", "processes", processes),
          tutti_group_sample_format(&point->sample, sample),
          progress_format_things((size_t)build->counts.sums[TUTTI_GROUP_MEMBERS], "member", "members", members));
  if (point->sample.colors > 1)
    fprintf(text.stream, " in %" PRIu64 " of %d groups", build->counts.sums[TUTTI_GROUP_GROUPS], point->sample.colors);
  fprintf(text.stream, ", branching factor %d, seed %" PRIu64, point->branching, point->sample.seed);
  if (point->node_ranks > 1)
    fprintf(text.stream, ", nodes of %d", point->node_ranks);
  fprintf(text.stream, " (fingerprint %016" PRIx64 ")", build->counts.sums[TUTTI_GROUP_FINGERPRINT]);
  print_stream(0, &text);
  putchar('\n');
}

static void print_text(const struct group_results *results, const char *where)
{
  for (size_t first = 0, next; first < results->count; first = next) {
    const tutti_group_run *builds = &results->builds[first];
    for (next = first + 1; next < results->count && is_same_sample(builds, &results->builds[next]);)
      next++;
    const tutti_table table = {TUTTI_COLUMNS(text_columns), TUTTI_ROWS(builds, next - first), .indent = 2, .gap = 1};
    if (first > 0)
      putchar('\n');
    print_sample(builds, where);
    must(tutti_table_print(&table, stdout, &failure));
  }
}

struct about {
  const char *platform;
};

void group_print(const struct group_results *results, const char *where, tutti_format format)
{
  static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct about, platform)}};
  const struct about about = {where};
  tutti_column columns[TUTTI_ROW_COLUMNS_MAX];
  if (format == TUTTI_FORMAT_TEXT) {
    print_text(results, where);
    return;
  }
  const tutti_table table = {.key = "groups",
                             .columns = columns,
                             .column_count = describe(columns),
                             TUTTI_ROWS(results->builds, results->count)};
  const tutti_document document = {TUTTI_FACTS(facts, &about), .tables = &table, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
}
