#include "cli/schedule/schedule.h"

#include "base/numbers.h"

struct group_row {
  size_t groups, jobs;
  double mean, least, median, most;
};

static const tutti_column level_columns[] = {
    {"line", "line", TUTTI_FIELD(struct level_row, line)},
    {"nodes", "nodes", TUTTI_FIELD(struct level_row, nodes)},
    {"between", "level", TUTTI_FIELD(struct level_row, level), .alignment = TUTTI_ALIGN_LEFT},
    {"of them", "part_count", TUTTI_FIELD(struct level_row, parts)},
    {"messages", "messages", TUTTI_FIELD(struct level_row, messages)},
    {"bytes", "sent_B", TUTTI_FIELD(struct level_row, bytes)},
    {"sent by one at most", "max_sent_B", TUTTI_FIELD(struct level_row, largest)},
};

static const tutti_column reduction_columns[] = {
    {NULL, "line", TUTTI_FIELD(struct reduction_row, line)},
    {"nodes", "nodes", TUTTI_FIELD(struct reduction_row, nodes)},
    {"groups", "group_count", TUTTI_FIELD(struct reduction_row, groups)},
    {"fewer bytes", "reduction_percent", TUTTI_FIELD(struct reduction_row, reduction), .unit = "%", .decimals = 2},
};

static const tutti_column group_columns[] = {
    {"groups", "group_count", TUTTI_FIELD(struct group_row, groups)},
    {"jobs", "jobs", TUTTI_FIELD(struct group_row, jobs)},
    {"mean", "mean_percent", TUTTI_FIELD(struct group_row, mean), .unit = "%", .decimals = 2},
    {"min", "min_percent", TUTTI_FIELD(struct group_row, least), .unit = "%", .decimals = 2},
    {"median", "median_percent", TUTTI_FIELD(struct group_row, median), .unit = "%", .decimals = 2},
    {"max", "max_percent", TUTTI_FIELD(struct group_row, most), .unit = "%", .decimals = 2},
};

static int compare_reductions(const void *a, const void *b)
{
  const struct reduction_row *one = a, *other = b;
  return one->groups != other->groups ? THREE_WAY(one->groups, other->groups)
                                      : THREE_WAY(one->reduction, other->reduction);
}

/* Summary of rows in ascending order of their reductions. */
static struct group_row sum_up(const struct reduction_row *rows, size_t count)
{
  double *values = tutti_xcalloc(count, sizeof *values), sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i] = rows[i].reduction;
  const struct group_row row = {
      rows->groups, count, sum / (double)count, values[0], tutti_doubles_median(values, count), values[count - 1]};
  free(values);
  return row;
}

void schedule_reductions_print(const struct reduction_row *rows, size_t count, tutti_format format)
{
  struct {
    TUTTI_VECTOR(struct group_row);
  } groups = {0};
  struct reduction_row *sorted = tutti_xcalloc(count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = rows[i];
  qsort(sorted, count, sizeof *sorted, compare_reductions);
  for (size_t first = 0, end = 0; first < count; first = end) {
    while (end < count && sorted[end].groups == sorted[first].groups)
      end++;
    tutti_xpush(&groups, sum_up(sorted + first, end - first));
  }
  const tutti_table tables[] = {
      {.key = "allocations", TUTTI_COLUMNS(reduction_columns), TUTTI_ROWS(rows, count)},
      {.key = "by_groups", TUTTI_COLUMNS(group_columns), TUTTI_ROWS(groups.items, groups.count)}};
  const tutti_document document = {TUTTI_TABLES(tables)};
  must(tutti_document_print(&document, format, stdout, &failure));
  free(sorted);
  tutti_vector_free(&groups);
}

void schedule_levels_print(const struct level_row *rows, size_t count, tutti_format format)
{
  const tutti_table table = {.key = "allocations", TUTTI_COLUMNS(level_columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
}
