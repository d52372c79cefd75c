/* The regression gate as text, JSON and CSV: a summary, what got worse, most of all first, and the rest. */
#include <math.h>

#include "cli/check/check.h"
#include "cli/output/output.h"

const char *const check_verdicts[TUTTI_BASELINE_VERDICTS] = {"missing", "worse", "better", "new"};

/* ---- differences ---- */

/* In CSV, where all differences are one table. The difference is first: all columns but one are about it alone. */
struct csv_row {
  tutti_difference difference;
  const char *baseline;
};

bool check_has_values(tutti_baseline_verdict verdict)
{
  return verdict == TUTTI_BASELINE_WORSE || verdict == TUTTI_BASELINE_BETTER;
}

TUTTI_GETTER(get_verdict, tutti_difference, check_verdicts[row->verdict])

/* The point; in text with its section, where the comparison of the context has several. */
static void get_point(tutti_cell *cell, const void *row)
{
  const tutti_difference *difference = row;
  const tutti_baseline_comparison *comparison = cell->column->context;
  if (comparison && comparison->before->count > 1)
    tutti_cell_format(cell, "%s  [%s]", difference->entry->key, difference->section->name);
  else
    tutti_cell_text(cell, difference->entry->key);
}

static void get_metric(tutti_cell *cell, const void *row)
{
  static const char *const names[TUTTI_METRICS] = {"time",         "messages",      "bytes sent",     "memory",
                                                   "mean penalty", "worst penalty", "points answered"};
  const tutti_difference *difference = row;
  tutti_cell_text(cell, check_has_values(difference->verdict) ? tutti_metric_name(difference->metric) : NULL);
  cell->shown = names[difference->metric];
}

static const char *show_value(tutti_metric metric, double value, char *text)
{
  switch (metric) {
  case TUTTI_METRIC_TIME:
    snprintf(text, TUTTI_CELL_LENGTH, "%.3f us", 1e6 * value);
    break;
  case TUTTI_METRIC_SENT:
  case TUTTI_METRIC_MEMORY:
    snprintf(text, TUTTI_CELL_LENGTH, "%.0f B", value);
    break;
  case TUTTI_METRIC_MEAN:
  case TUTTI_METRIC_WORST:
    snprintf(text, TUTTI_CELL_LENGTH, "%.2f %%", value);
    break;
  default:
    snprintf(text, TUTTI_CELL_LENGTH, "%.0f", value);
  }
  return text;
}

/* The value before or after; none of what is missing or new. In text with its unit. */
static void get_value(tutti_cell *cell, const void *row)
{
  const tutti_difference *difference = row;
  cell->type = check_has_values(difference->verdict) ? TUTTI_CELL_REAL : TUTTI_CELL_NONE;
  cell->real = *(const double *)TUTTI_FIELD_OF(row, cell->column);
  cell->shown = show_value(difference->metric, cell->real, cell->buffer);
}

static void get_change(tutti_cell *cell, const void *row)
{
  const tutti_difference *difference = row;
  bool points = difference->metric == TUTTI_METRIC_MEAN || difference->metric == TUTTI_METRIC_WORST;
  cell->type = check_has_values(difference->verdict) ? TUTTI_CELL_REAL : TUTTI_CELL_NONE;
  cell->real = difference->change;
  cell->shown = cell->buffer;
  if (isinf(difference->change))
    strcpy(cell->buffer, "from none");
  else
    snprintf(cell->buffer, sizeof cell->buffer, fabs(difference->change) < 0.01 ? "%+.1g %s" : "%+.2f %s",
             difference->change, points ? "points" : "%");
}

char *check_describe_change(const tutti_difference *difference, char *text)
{
  tutti_cell metric, change;
  get_metric(&metric, difference);
  get_change(&change, difference);
  snprintf(text, TUTTI_CELL_LENGTH, "%s %.60s", metric.shown, change.shown);
  return text;
}

char *check_describe(const tutti_difference *difference, char *text)
{
  tutti_cell metric, change;
  char before[TUTTI_CELL_LENGTH], after[TUTTI_CELL_LENGTH];
  get_metric(&metric, difference);
  get_change(&change, difference);
  snprintf(text, TUTTI_CELL_LENGTH, "%s %.60s instead of %.60s, %.60s%s", metric.shown,
           show_value(difference->metric, difference->after, after),
           show_value(difference->metric, difference->before, before), change.shown,
           isinf(difference->change) ? ", which no tolerance in percent allows" : "");
  return text;
}

/* ---- a comparison as text or Markdown ---- */

/* What is missing or new has no values. */
static void print_verdict(const struct check_output *output, const tutti_baseline_comparison *comparison,
                          tutti_baseline_verdict verdict, const char *title)
{
  const bool valued = check_has_values(verdict);
  const tutti_column columns[] = {
      {"change", NULL, .get = get_change, .width = 14, .alignment = TUTTI_ALIGN_RIGHT},
      {"value", NULL, .get = get_metric, .width = 15},
      {"baseline", NULL, TUTTI_FIELD(tutti_difference, before), .get = get_value, .width = 16, .gap = 1,
       .alignment = TUTTI_ALIGN_RIGHT},
      {"now", NULL, TUTTI_FIELD(tutti_difference, after), .get = get_value, .width = 16, .gap = 1,
       .alignment = TUTTI_ALIGN_RIGHT},
      {"point", NULL, .get = get_point, .context = comparison, .fold = valued},
  };
  const tutti_table table = {.columns = valued ? columns : &columns[4],
                             .column_count = valued ? 5 : 1,
                             TUTTI_ROWS(tutti_baseline_differences(comparison, verdict), comparison->counts[verdict]),
                             .indent = 2,
                             .bare = !valued};
  if (comparison->counts[verdict] == 0)
    return;
  fprintf(output->stream, output->markdown ? "\n#### %s\n\n" : "\n  %s\n", title);
  must((output->markdown ? tutti_table_print_markdown : tutti_table_print)(&table, output->stream, &failure));
}

static bool has_worse_from_none(const tutti_baseline_comparison *comparison)
{
  const tutti_difference *worse = tutti_baseline_differences(comparison, TUTTI_BASELINE_WORSE);
  for (size_t i = 0; i < comparison->counts[TUTTI_BASELINE_WORSE]; i++)
    if (isinf(worse[i].change))
      return true;
  return false;
}

static void print_comparison(const struct check_output *output, const tutti_baseline_comparison *comparison)
{
  const bool updating = output->updating;
  check_print_summary(output, comparison);
  print_verdict(output, comparison, TUTTI_BASELINE_WORSE,
                has_worse_from_none(comparison)
                    ? "Worse than the tolerance allows (from none: no tolerance in percent does):"
                    : "Worse than the tolerance allows:");
  print_verdict(output, comparison, TUTTI_BASELINE_MISSING, "Missing: in the baseline, but not measured any more:");
  print_verdict(output, comparison, TUTTI_BASELINE_BETTER, updating ? "Better:" : "Better (--update keeps it so):");
  if (!updating)
    print_verdict(output, comparison, TUTTI_BASELINE_NEW, "New: without values in the baseline (--update adds them):");
}

void check_print_text(const struct check_output *output, const tutti_baseline_comparison *comparisons, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      fputc('\n', output->stream);
    print_comparison(output, &comparisons[i]);
  }
}

/* ---- JSON and CSV ---- */

static const tutti_column difference_columns[] = {
    {NULL, "baseline_file", TUTTI_FIELD(struct csv_row, baseline)},
    {NULL, "verdict", .get = get_verdict},
    {NULL, "point", .get = get_point},
    {NULL, "section", TUTTI_FIELD_THROUGH(tutti_difference, section, tutti_baseline_section, name)},
    {NULL, "value", .get = get_metric},
    {NULL, "baseline", TUTTI_FIELD(tutti_difference, before), .get = get_value},
    {NULL, "now", TUTTI_FIELD(tutti_difference, after), .get = get_value},
    {NULL, "change_percent", .get = get_change},
};

/* In JSON the baseline and the verdict are where the difference stands; what has no value has no members for it. */
enum { DIFFERENCE_COLUMNS = sizeof difference_columns / sizeof *difference_columns, ABOVE = 2, WITHOUT_VALUES = 2 };

/* A comparison. */
struct check_row {
  const tutti_baseline_comparison *comparison;
  const char *baseline;
  size_t points;
  bool failed;
};

/* The verdict is the key of the table. */
static void nest_differences(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct check_row *)row)->comparison;
  int verdict = 0;
  while (strcmp(check_verdicts[verdict], table->key) != 0)
    verdict++;
  *table = (tutti_table){
      .key = table->key,
      .columns = difference_columns + ABOVE,
      .column_count = check_has_values((tutti_baseline_verdict)verdict) ? DIFFERENCE_COLUMNS - ABOVE : WITHOUT_VALUES,
      TUTTI_ROWS(tutti_baseline_differences(comparison, (tutti_baseline_verdict)verdict), comparison->counts[verdict])};
}

struct section_row {
  tutti_baseline_section before, after;
  bool times_compared;
};

static const tutti_column section_columns[] = {
    {NULL, "section", TUTTI_FIELD(struct section_row, before.name)},
    {NULL, "platform", TUTTI_FIELD(struct section_row, after.platform)},
    {NULL, "platform_hash", TUTTI_FIELD(struct section_row, after.platform_hash)},
    {NULL, "library", TUTTI_FIELD(struct section_row, after.library)},
    {NULL, "baseline_platform_hash", TUTTI_FIELD(struct section_row, before.platform_hash)},
    {NULL, "baseline_library", TUTTI_FIELD(struct section_row, before.library)},
    {NULL, "times_compared", TUTTI_FIELD(struct section_row, times_compared)},
};

static void nest_sections(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct check_row *)row)->comparison;
  size_t count = comparison->before->count;
  struct section_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    rows[i] = (struct section_row){*before, *after, !tutti_baseline_other_library(before, after)};
  }
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(section_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

static const tutti_column gap_columns[] = {
    {NULL, "section", TUTTI_FIELD_THROUGH(tutti_baseline_gap, section, tutti_baseline_section, name)},
    {NULL, "what", TUTTI_FIELD(tutti_baseline_gap, what)},
    {NULL, "mend", TUTTI_FIELD(tutti_baseline_gap, mend)},
};

static void nest_gaps(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct check_row *)row)->comparison;
  *table =
      (tutti_table){.key = table->key, TUTTI_COLUMNS(gap_columns), TUTTI_ROWS(comparison->gaps, comparison->gap_count)};
}

static void list_tolerance(tutti_json *json, const void *row, const tutti_column *column)
{
  tutti_json_object(json, column->key);
  for (int a = 0; a < TUTTI_ASPECTS; a++)
    tutti_json_real(json, tutti_aspect_name((tutti_aspect)a),
                    ((const struct check_row *)row)->comparison->tolerance.percent[a], 12);
  tutti_json_end(json);
}

static const tutti_column comparison_columns[] = {
    {NULL, "baseline", TUTTI_FIELD(struct check_row, baseline)},
    {NULL, "points", TUTTI_FIELD(struct check_row, points)},
    {NULL, "failed", TUTTI_FIELD(struct check_row, failed)},
    {NULL, "tolerance_percent", .list = list_tolerance},
    {NULL, "sections", .nested = nest_sections},
    {NULL, "not_compared", .nested = nest_gaps},
    {NULL, "worse", .nested = nest_differences},
    {NULL, "missing", .nested = nest_differences},
    {NULL, "better", .nested = nest_differences},
    {NULL, "new", .nested = nest_differences},
};

static void print_csv(const tutti_baseline_comparison *comparisons, size_t count)
{
  struct {
    TUTTI_VECTOR(struct csv_row);
  } rows = {0};
  for (size_t c = 0; c < count; c++)
    for (size_t i = 0; i < comparisons[c].count; i++)
      tutti_xpush(&rows, (struct csv_row){comparisons[c].differences[i], comparisons[c].before->path});
  const tutti_table table = {TUTTI_COLUMNS(difference_columns), TUTTI_ROWS(rows.items, rows.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, &failure));
  tutti_vector_free(&rows);
}

static void print_json(const tutti_baseline_comparison *comparisons, size_t count)
{
  struct check_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++)
    rows[i] =
        (struct check_row){&comparisons[i], comparisons[i].before->path, tutti_baseline_points(comparisons[i].before),
                           tutti_baseline_comparison_failed(&comparisons[i])};
  const tutti_table table = {.key = "checks", TUTTI_COLUMNS(comparison_columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, TUTTI_FORMAT_JSON, stdout, &failure));
  free(rows);
}

void check_print(const struct check_output *output, tutti_format format, const tutti_baseline_comparison *comparisons,
                 size_t count)
{
  switch (format) {
  case TUTTI_FORMAT_JSON:
    print_json(comparisons, count);
    return;
  case TUTTI_FORMAT_CSV:
    print_csv(comparisons, count);
    return;
  default:
    check_print_text(output, comparisons, count);
    return;
  }
}
