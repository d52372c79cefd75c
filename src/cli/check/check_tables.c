/* The regression gate as text, JSON and CSV: a summary, what got worse, most of all first, and the rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/output/output.h"

static const char *const verdicts[TUTTI_BASELINE_VERDICTS] = {"missing", "worse", "better", "new"};

/* ---- differences ---- */

/* In CSV, where all differences are one table. The difference is first: all columns but one are about it alone. */
struct csv_row {
  tutti_difference difference;
  const char *baseline;
};

static bool has_values(tutti_baseline_verdict verdict)
{
  return verdict == TUTTI_BASELINE_WORSE || verdict == TUTTI_BASELINE_BETTER;
}

static void get_verdict(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = verdicts[((const tutti_difference *)row)->verdict];
}

static void get_section(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = ((const tutti_difference *)row)->section->name;
}

/* The point; in text with its section, where the comparison of the context has several. */
static void get_point(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  const tutti_baseline_comparison *comparison = column->context;
  if (comparison && comparison->before->count > 1)
    tutti_cell_format(cell, "%s  [%s]", difference->entry->key, difference->section->name);
  else {
    cell->type = TUTTI_CELL_TEXT;
    cell->text = difference->entry->key;
  }
}

static void get_metric(tutti_cell *cell, const void *row, const tutti_column *column)
{
  static const char *const names[TUTTI_METRICS] = {"time",         "messages",      "bytes sent",     "memory",
                                                   "mean penalty", "worst penalty", "points answered"};
  const tutti_difference *difference = row;
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = has_values(difference->verdict) ? tutti_metric_name(difference->metric) : NULL;
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
static void get_value(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  cell->type = has_values(difference->verdict) ? TUTTI_CELL_REAL : TUTTI_CELL_NONE;
  cell->real = *(const double *)TUTTI_FIELD_OF(row, column);
  cell->shown = show_value(difference->metric, cell->real, cell->buffer);
}

static void get_change(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_difference *difference = row;
  bool points = difference->metric == TUTTI_METRIC_MEAN || difference->metric == TUTTI_METRIC_WORST;
  (void)column;
  cell->type = has_values(difference->verdict) ? TUTTI_CELL_REAL : TUTTI_CELL_NONE;
  cell->real = difference->change;
  cell->shown = cell->buffer;
  if (isinf(difference->change))
    strcpy(cell->buffer, "from none");
  else
    snprintf(cell->buffer, sizeof cell->buffer, fabs(difference->change) < 0.01 ? "%+.1g %s" : "%+.2f %s",
             difference->change, points ? "points" : "%");
}

static size_t first_of(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  size_t first = 0;
  for (int v = 0; v < (int)verdict; v++)
    first += comparison->counts[v];
  return first;
}

/* NULL if there is no difference at all. */
static const tutti_difference *differences_of(const tutti_baseline_comparison *comparison,
                                              tutti_baseline_verdict verdict)
{
  return comparison->count > 0 ? &comparison->differences[first_of(comparison, verdict)] : NULL;
}

/* As text; what is missing or new has no values. */
static tutti_status print_verdict(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict,
                                  const char *title, tutti_error *error)
{
  const bool valued = has_values(verdict);
  const tutti_column columns[] = {
      {"change", NULL, .get = get_change, .width = 14, .alignment = TUTTI_ALIGN_RIGHT},
      {"value", NULL, .get = get_metric, .width = 15},
      {"baseline", NULL, TUTTI_FIELD(tutti_difference, before), .get = get_value, .width = 16, .gap = 1,
       .alignment = TUTTI_ALIGN_RIGHT},
      {"now", NULL, TUTTI_FIELD(tutti_difference, after), .get = get_value, .width = 16, .gap = 1,
       .alignment = TUTTI_ALIGN_RIGHT},
      {"point", NULL, .get = get_point, .context = comparison},
  };
  const tutti_table table = {.columns = valued ? columns : &columns[4],
                             .column_count = valued ? 5 : 1,
                             TUTTI_ROWS(differences_of(comparison, verdict), comparison->counts[verdict]),
                             .indent = 2,
                             .bare = !valued};
  if (comparison->counts[verdict] == 0)
    return TUTTI_OK;
  printf("\n  %s\n", title);
  return tutti_table_print(&table, stdout, error);
}

/* ---- what kinds of points are worse ---- */

/* The algorithm, or what stands for it: of lines that are no operations their first two words. */
static int family_length(const tutti_baseline_entry *entry)
{
  const char *key = entry->key;
  size_t length = strcspn(key, "/ ") + 1;
  return (int)(length + strcspn(key + length, entry->kind == TUTTI_BASELINE_COLLECTIVE ? "/ " : " "));
}

static bool same_family(const tutti_baseline_entry *left, const tutti_baseline_entry *right)
{
  int length = family_length(left);
  return length == family_length(right) && memcmp(left->key, right->key, (size_t)length) == 0;
}

/* Points of the baseline of this family, and how many of them are worse in any value. */
static void count_family(const tutti_baseline_comparison *comparison, const tutti_baseline_entry *entry, size_t *points,
                         size_t *worse)
{
  size_t first = first_of(comparison, TUTTI_BASELINE_WORSE), last = first + comparison->counts[TUTTI_BASELINE_WORSE];
  *points = *worse = 0;
  for (size_t s = 0; s < comparison->before->count; s++)
    for (size_t i = 0; i < comparison->before->sections[s].count; i++)
      *points += same_family(entry, &comparison->before->sections[s].entries[i]);
  for (size_t i = first; i < last; i++) {
    const tutti_baseline_entry *point = comparison->differences[i].entry;
    bool counted = false;
    for (size_t j = first; j < i; j++)
      counted = counted || comparison->differences[j].entry == point;
    *worse += !counted && same_family(entry, point);
  }
}

static void print_families(const tutti_baseline_comparison *comparison)
{
  size_t first = first_of(comparison, TUTTI_BASELINE_WORSE), last = first + comparison->counts[TUTTI_BASELINE_WORSE];
  for (size_t i = first; i < last; i++) {
    const tutti_baseline_entry *entry = comparison->differences[i].entry;
    bool printed = false;
    for (size_t j = first; j < i; j++)
      printed = printed || same_family(entry, comparison->differences[j].entry);
    if (printed)
      continue;
    size_t points, worse;
    count_family(comparison, entry, &points, &worse);
    printf("  worse: %.*s, %zu of %zu points\n", family_length(entry), entry->key, worse, points);
  }
}

/* ---- a comparison as text ---- */

/* What made the baseline is not what measured now. */
static void print_notes(const tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    if (tutti_baseline_other_library(before, after))
      printf("  %s: times are not compared, only what schedules count: simulated by %s, the baseline by %s\n",
             before->name, after->library, before->library);
    if (tutti_baseline_other_platform(before, after))
      printf("  %s: the platform is not that of the baseline, times may differ for that reason: %s %.12s..., was "
             "%s %.12s...\n",
             before->name, after->platform, after->platform_hash, before->platform, before->platform_hash);
  }
}

static bool has_other_library(const tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->before->count; i++)
    if (tutti_baseline_other_library(&comparison->before->sections[i], &comparison->after->sections[i]))
      return true;
  return false;
}

static void print_summary(const tutti_baseline_comparison *comparison)
{
  char count[64];
  printf("%s: %s", comparison->before->path,
         progress_format_things(tutti_baseline_points(comparison->before), "point", "points", count));
  for (int v = 0; v < TUTTI_BASELINE_VERDICTS; v++)
    if (comparison->counts[v] > 0)
      printf(", %s %s", progress_format_count(comparison->counts[v], count), verdicts[v]);
  if (comparison->count == 0)
    fputs(has_other_library(comparison) ? ", all that is compared as in the baseline" : ", all as in the baseline",
          stdout);
  putchar('\n');
}

static tutti_status print_comparison(const tutti_baseline_comparison *comparison, bool updating, tutti_error *error)
{
  print_summary(comparison);
  print_notes(comparison);
  print_families(comparison);
  tutti_status status = print_verdict(comparison, TUTTI_BASELINE_WORSE, "Worse than the tolerance allows:", error);
  if (status == TUTTI_OK)
    status = print_verdict(comparison, TUTTI_BASELINE_MISSING,
                           "Missing: in the baseline, but not measured any more:", error);
  if (status == TUTTI_OK)
    status = print_verdict(comparison, TUTTI_BASELINE_BETTER,
                           updating ? "Better:" : "Better (--update keeps it so):", error);
  if (status == TUTTI_OK && !updating)
    status = print_verdict(comparison, TUTTI_BASELINE_NEW,
                           "New: without values in the baseline (--update adds them):", error);
  return status;
}

static tutti_status print_text(const tutti_baseline_comparison *comparisons, size_t count, bool updating,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    if (i > 0)
      putchar('\n');
    status = print_comparison(&comparisons[i], updating, error);
  }
  return status;
}

/* ---- JSON and CSV ---- */

static const tutti_column difference_columns[] = {
    {NULL, "baseline_file", TUTTI_FIELD(struct csv_row, baseline)},
    {NULL, "verdict", .get = get_verdict},
    {NULL, "point", .get = get_point},
    {NULL, "section", .get = get_section},
    {NULL, "value", .get = get_metric},
    {NULL, "baseline", TUTTI_FIELD(tutti_difference, before), .get = get_value},
    {NULL, "now", TUTTI_FIELD(tutti_difference, after), .get = get_value},
    {NULL, "change_percent", .get = get_change},
};

/* In JSON the baseline and the verdict are where the difference stands; what has no value has no members for it. */
enum { DIFFERENCE_COLUMNS = sizeof difference_columns / sizeof *difference_columns, ABOVE = 2, WITHOUT_VALUES = 2 };

struct comparison_row {
  const tutti_baseline_comparison *comparison;
  const char *baseline;
  size_t points;
  bool failed;
};

/* The verdict is the key of the table. */
static void nest_differences(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct comparison_row *)row)->comparison;
  int verdict = 0;
  while (strcmp(verdicts[verdict], table->key) != 0)
    verdict++;
  *table = (tutti_table){
      .key = table->key,
      .columns = difference_columns + ABOVE,
      .column_count = has_values((tutti_baseline_verdict)verdict) ? DIFFERENCE_COLUMNS - ABOVE : WITHOUT_VALUES,
      TUTTI_ROWS(differences_of(comparison, (tutti_baseline_verdict)verdict), comparison->counts[verdict])};
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
  const tutti_baseline_comparison *comparison = ((const struct comparison_row *)row)->comparison;
  size_t count = comparison->before->count;
  struct section_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    rows[i] = (struct section_row){*before, *after, !tutti_baseline_other_library(before, after)};
  }
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(section_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

static void list_tolerance(tutti_json *json, const void *row, const tutti_column *column)
{
  tutti_json_object(json, column->key);
  for (int a = 0; a < TUTTI_ASPECTS; a++)
    tutti_json_real(json, tutti_aspect_name((tutti_aspect)a),
                    ((const struct comparison_row *)row)->comparison->tolerance.percent[a], 12);
  tutti_json_end(json);
}

static const tutti_column comparison_columns[] = {
    {NULL, "baseline", TUTTI_FIELD(struct comparison_row, baseline)},
    {NULL, "points", TUTTI_FIELD(struct comparison_row, points)},
    {NULL, "failed", TUTTI_FIELD(struct comparison_row, failed)},
    {NULL, "tolerance_percent", .list = list_tolerance},
    {NULL, "sections", .nested = nest_sections},
    {NULL, "worse", .nested = nest_differences},
    {NULL, "missing", .nested = nest_differences},
    {NULL, "better", .nested = nest_differences},
    {NULL, "new", .nested = nest_differences},
};

static tutti_status print_csv(const tutti_baseline_comparison *comparisons, size_t count, tutti_error *error)
{
  struct {
    TUTTI_VECTOR(struct csv_row);
  } rows = {0};
  for (size_t c = 0; c < count; c++)
    for (size_t i = 0; i < comparisons[c].count; i++)
      tutti_xpush(&rows, (struct csv_row){comparisons[c].differences[i], comparisons[c].before->path});
  const tutti_table table = {TUTTI_COLUMNS(difference_columns), TUTTI_ROWS(rows.items, rows.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  tutti_status status = tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, error);
  tutti_vector_free(&rows);
  return status;
}

static tutti_status print_json(const tutti_baseline_comparison *comparisons, size_t count, tutti_error *error)
{
  struct comparison_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++)
    rows[i] = (struct comparison_row){&comparisons[i], comparisons[i].before->path,
                                      tutti_baseline_points(comparisons[i].before),
                                      tutti_baseline_comparison_failed(&comparisons[i])};
  const tutti_table table = {.key = "checks", TUTTI_COLUMNS(comparison_columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  tutti_status status = tutti_document_print(&document, TUTTI_FORMAT_JSON, stdout, error);
  free(rows);
  return status;
}

tutti_status check_print(const tutti_baseline_comparison *comparisons, size_t count, bool updating, tutti_format format,
                         tutti_error *error)
{
  switch (format) {
  case TUTTI_FORMAT_JSON:
    return print_json(comparisons, count, error);
  case TUTTI_FORMAT_CSV:
    return print_csv(comparisons, count, error);
  default:
    return print_text(comparisons, count, updating, error);
  }
}
