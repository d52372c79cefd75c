/* The regression gate as JSON and CSV. */
#include <stdio.h>

#include "base/memory.h"
#include "cli/check/check.h"

/* ---- differences ---- */

/* In CSV, where all differences are one table. */
struct row {
  const char *baseline;
  tutti_difference difference;
};

#define FIELD(member) TUTTI_FIELD(struct row, difference.member)

static const char *const verdicts[TUTTI_BASELINE_VERDICTS] = {"missing", "worse", "better", "new"};

static void get_verdict(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = verdicts[((const struct row *)row)->difference.verdict];
}

static void get_point(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = &((const struct row *)row)->difference;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = column->index ? difference->section->name : difference->entry->key;
}

/* Of what is missing or new there are no values. */
static bool has_values(const struct row *row)
{
  return row->difference.verdict == TUTTI_BASELINE_WORSE || row->difference.verdict == TUTTI_BASELINE_BETTER;
}

static void get_metric(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = has_values(row) ? tutti_metric_name(((const struct row *)row)->difference.metric) : NULL;
}

static void get_value(tutti_cell *cell, const void *row, const tutti_column *column)
{
  if (!has_values(row))
    return;
  cell->type = TUTTI_CELL_REAL;
  cell->real = *(const double *)TUTTI_FIELD_OF(row, column);
}

static const tutti_column differences[] = {
    {NULL, "baseline_file", TUTTI_FIELD(struct row, baseline)},
    {NULL, "verdict", .get = get_verdict},
    {NULL, "point", .get = get_point},
    {NULL, "section", .get = get_point, .index = 1},
    {NULL, "value", .get = get_metric},
    {NULL, "baseline", FIELD(before), .get = get_value},
    {NULL, "now", FIELD(after), .get = get_value},
    {NULL, "change_percent", FIELD(change), .get = get_value},
};

/* In JSON the baseline and the verdict are where the difference stands; what has no value has no members for it. */
enum { COLUMNS = sizeof differences / sizeof *differences, ABOVE = 2, WITHOUT_VALUES = 2 };

static void write_verdict(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict, tutti_json *json)
{
  tutti_json_array(json, verdicts[verdict]);
  for (size_t i = 0; i < comparison->count; i++) {
    const struct row row = {NULL, comparison->differences[i]};
    if (row.difference.verdict != verdict)
      continue;
    tutti_json_object(json, NULL);
    tutti_row_write_json(differences + ABOVE, has_values(&row) ? COLUMNS - ABOVE : WITHOUT_VALUES, &row, json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

/* ---- JSON ---- */

static void write_section(const tutti_baseline_section *before, const tutti_baseline_section *after, tutti_json *json)
{
  tutti_json_object(json, NULL);
  tutti_json_string(json, "section", before->name);
  tutti_json_string(json, "platform", after->platform);
  tutti_json_string(json, "platform_hash", after->platform_hash);
  tutti_json_string(json, "library", after->library);
  tutti_json_string(json, "baseline_platform_hash", before->platform_hash);
  tutti_json_string(json, "baseline_library", before->library);
  tutti_json_boolean(json, "times_compared", !tutti_baseline_other_library(before, after));
  tutti_json_end(json);
}

static void write_comparison(const tutti_baseline_comparison *comparison, tutti_json *json)
{
  static const tutti_baseline_verdict order[] = {TUTTI_BASELINE_WORSE, TUTTI_BASELINE_MISSING, TUTTI_BASELINE_BETTER,
                                                 TUTTI_BASELINE_NEW};
  tutti_json_object(json, NULL);
  tutti_json_string(json, "baseline", comparison->before->path);
  tutti_json_count(json, "points", tutti_baseline_points(comparison->before));
  tutti_json_boolean(json, "failed", tutti_baseline_comparison_failed(comparison));
  tutti_json_object(json, "tolerance_percent");
  for (int a = 0; a < TUTTI_ASPECTS; a++)
    tutti_json_real(json, tutti_aspect_name((tutti_aspect)a), comparison->tolerance.percent[a], 12);
  tutti_json_end(json);
  tutti_json_array(json, "sections");
  for (size_t i = 0; i < comparison->before->count; i++)
    write_section(&comparison->before->sections[i], &comparison->after->sections[i], json);
  tutti_json_end(json);
  for (int i = 0; i < TUTTI_BASELINE_VERDICTS; i++)
    write_verdict(comparison, order[i], json);
  tutti_json_end(json);
}

static void write_json(const tutti_baseline_comparison *comparisons, size_t count)
{
  tutti_json json = tutti_json_begin(stdout);
  tutti_json_object(&json, NULL);
  tutti_json_array(&json, "checks");
  for (size_t i = 0; i < count; i++)
    write_comparison(&comparisons[i], &json);
  tutti_json_end(&json);
  tutti_json_end(&json);
}

/* ---- CSV ---- */

static tutti_status write_csv(const tutti_baseline_comparison *comparisons, size_t count, tutti_error *error)
{
  struct {
    TUTTI_VECTOR(struct row);
  } rows = {0};
  for (size_t c = 0; c < count; c++)
    for (size_t i = 0; i < comparisons[c].count; i++)
      tutti_xpush(&rows, (struct row){comparisons[c].before->path, comparisons[c].differences[i]});
  const tutti_table table = {TUTTI_COLUMNS(differences), TUTTI_ROWS(rows.items, rows.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  tutti_status status = tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, error);
  tutti_vector_free(&rows);
  return status;
}

tutti_status report_check_data(const tutti_baseline_comparison *comparisons, size_t count, tutti_format format,
                               tutti_error *error)
{
  if (format == TUTTI_FORMAT_CSV)
    return write_csv(comparisons, count, error);
  write_json(comparisons, count);
  return TUTTI_OK;
}
