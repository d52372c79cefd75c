/* Violations of guidelines, costliest first, and what could not be checked. */
#include "cli/guidelines/guidelines.h"
#include "cli/output/output.h"

static const char *const gap_texts[TUTTI_GAP_COUNT] = {
    [TUTTI_GAP_MEASURED] = "the right side was not measured there",
    [TUTTI_GAP_DIVISIBLE] = "the size cannot be divided or multiplied so",
    [TUTTI_GAP_POSITIVE] = "a time is not positive",
    [TUTTI_GAP_NODES] = "the right side was measured with other ranks per node",
};

/* ---- what to run instead ---- */

enum { INSTEAD_INDENT = 14 };

static void print_step(FILE *stream, const tutti_violation *violation, int index)
{
  char method[TUTTI_METHOD_LENGTH], size[24];
  const tutti_guideline_time *left = &violation->left, *right = &violation->right[index];
  int times = violation->guideline->terms[index].times;
  if (times > 1)
    fprintf(stream, "%d times ", times);
  fputs(tutti_method_format(&right->method, method), stream);
  if (right->rank_bytes != left->rank_bytes)
    fprintf(stream, " of %s", tutti_size_format(right->rank_bytes, size));
  if (right->ranks != left->ranks)
    fprintf(stream, " on %d rank%s", right->ranks, tutti_plural((uint64_t)right->ranks));
}

/* "runs bcast/linear; instead reduce/binomial then bcast/chain of 8KB on 2 ranks" */
static void print_instead(FILE *stream, const void *row)
{
  const tutti_violation *violation = row;
  const tutti_guideline_term *terms = violation->guideline->terms;
  char method[TUTTI_METHOD_LENGTH];
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "runs %s; instead ", tutti_method_format(&violation->left.method, method));
  if (!tutti_guideline_is_mock_up(violation->guideline))
    fputs("as ", text.stream);
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && terms[i].times > 0; i++) {
    fputs(i > 0 ? " then " : "", text.stream);
    print_step(text.stream, violation, i);
  }
  char *sentence = tutti_xclose_text(&text);
  fprintf(stream, "%*s", INSTEAD_INDENT, "");
  tutti_print_folded(stream, INSTEAD_INDENT, sentence);
  free(sentence);
}

/* A call of the right side and how often it runs. */
struct call_row {
  tutti_guideline_time call;
  int times;
};

static const tutti_column call_columns[] = {
    {NULL, "method", .at = offsetof(struct call_row, call.method), .get = cell_method},
    {NULL, "times", TUTTI_FIELD(struct call_row, times)},
    {NULL, "ranks", TUTTI_FIELD(struct call_row, call.ranks)},
    {NULL, "size_B", TUTTI_FIELD(struct call_row, call.rank_bytes)},
    {NULL, "time_s", TUTTI_FIELD(struct call_row, call.seconds)},
};

static void list_instead(tutti_table *table, const void *item)
{
  const tutti_violation *violation = item;
  const tutti_guideline_term *terms = violation->guideline->terms;
  struct call_row *rows = tutti_xcalloc(TUTTI_GUIDELINE_TERMS, sizeof *rows);
  int count = 0;
  for (; count < TUTTI_GUIDELINE_TERMS && terms[count].times > 0; count++)
    rows[count] = (struct call_row){violation->right[count], terms[count].times};
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(call_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

/* ---- violations ---- */

TUTTI_GETTER(get_factor, tutti_violation, row->left.seconds / row->seconds)
TUTTI_GETTER(get_guideline, tutti_violation, tutti_guideline_format(row->guideline, row->left.collective, cell->buffer))

#define LEFT(member) TUTTI_FIELD(tutti_violation, left.member)

static const tutti_column violation_columns[] = {
    {"lost", "lost_s", CELL_MICROSECONDS(tutti_violation, lost), .width = 12},
    {"factor", "factor", .get = get_factor, .decimals = 2, .width = 7, .digits = 6},
    {NULL, "collective", .at = offsetof(tutti_violation, left.collective), .get = cell_collective},
    {"ranks", "ranks", LEFT(ranks), .width = 6},
    {"size", "size_B", LEFT(rank_bytes), .get = cell_size, .width = 8},
    {"left", "left_s", CELL_MICROSECONDS(tutti_violation, left.seconds), .width = 13},
    {"right", "right_s", CELL_MICROSECONDS(tutti_violation, seconds), .width = 13},
    {"guideline", "guideline", .get = get_guideline, .fold = true, .gap = 2},
    {NULL, "runs", .at = offsetof(tutti_violation, left.method), .get = cell_method},
    {NULL, "instead", .nested = list_instead},
};

static tutti_table violation_table(const struct guidelines_options *options, const tutti_guideline_report *report)
{
  size_t shown = report->violation_count < (size_t)options->top ? report->violation_count : (size_t)options->top;
  return (tutti_table){.key = "violations",
                       TUTTI_COLUMNS(violation_columns),
                       TUTTI_ROWS(report->violations, shown),
                       .below = print_instead,
                       .gap = 1};
}

static void print_violations(const struct guidelines_options *options, const tutti_guideline_report *report)
{
  const tutti_table table = violation_table(options, report);
  if (table.row_count == 0)
    return;
  printf("\n");
  must(tutti_table_print(&table, stdout, &failure));
  if (table.row_count < report->violation_count)
    printf("  and %zu more (--top)\n", report->violation_count - table.row_count);
}

/* ---- guidelines ---- */

struct tally_row {
  const tutti_guideline_tally *tally;
  char guideline[TUTTI_GUIDELINE_LENGTH];
  size_t held, violated, not_made;
  size_t gaps[TUTTI_GAP_COUNT];
};

static void get_tally_text(tutti_cell *cell, const void *item)
{
  const struct tally_row *row = item;
  const char *before = "  not measured: ";
  tutti_cell_format(cell, "%s", row->guideline);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (row->tally->lacking & 1u << c) {
      text_append(cell->buffer, sizeof cell->buffer, "%s%s", before, tutti_collective_name((tutti_collective)c));
      before = ", ";
    }
}

static void list_lacking(tutti_json *json, const void *item, const tutti_column *column)
{
  const struct tally_row *row = item;
  tutti_json_array(json, column->key);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (row->tally->lacking & 1u << c)
      tutti_json_string(json, NULL, tutti_collective_name((tutti_collective)c));
  tutti_json_end(json);
}

static const tutti_column tally_columns[] = {
    {"held", "held", TUTTI_FIELD(struct tally_row, held), .width = 8},
    {"violated", "violated", TUTTI_FIELD(struct tally_row, violated), .width = 8},
    {"not made", NULL, TUTTI_FIELD(struct tally_row, not_made), .width = 8},
    {"guideline", NULL, .get = get_tally_text, .fold = true, .gap = 2},
    {NULL, "guideline", TUTTI_FIELD(struct tally_row, guideline)},
    {NULL, "not_measured", TUTTI_FIELD(struct tally_row, gaps[TUTTI_GAP_MEASURED])},
    {NULL, "not_divisible", TUTTI_FIELD(struct tally_row, gaps[TUTTI_GAP_DIVISIBLE])},
    {NULL, "not_positive", TUTTI_FIELD(struct tally_row, gaps[TUTTI_GAP_POSITIVE])},
    {NULL, "other_nodes", TUTTI_FIELD(struct tally_row, gaps[TUTTI_GAP_NODES])},
    {NULL, "not_measured_at_all", .list = list_lacking},
};

static struct tally_row tally_at(const tutti_guideline_report *report, size_t index)
{
  const tutti_guideline_tally *tally = &report->tallies[index];
  struct tally_row row = {.tally = tally, .held = tally->checked - tally->violated, .violated = tally->violated};
  tutti_guideline_format(tutti_guideline_at(index), TUTTI_COLL_COUNT, row.guideline);
  for (int g = 0; g < TUTTI_GAP_COUNT; g++) {
    row.gaps[g] = tally->gaps[g];
    row.not_made += tally->gaps[g];
  }
  return row;
}

/* All of them, or those that something was there to be checked by. */
static tutti_table tally_table(const tutti_guideline_report *report, bool all)
{
  struct tally_row *rows = tutti_xcalloc(tutti_guideline_count(), sizeof *rows);
  size_t count = 0;
  for (size_t i = 0; i < tutti_guideline_count(); i++) {
    rows[count] = tally_at(report, i);
    count += all || rows[count].tally->checked + rows[count].not_made > 0;
  }
  return (tutti_table){
      .key = "guidelines", TUTTI_COLUMNS(tally_columns), TUTTI_ROWS(rows, count), .owned = rows, .gap = 1};
}

/* ---- totals ---- */

static void print_gaps(const struct guidelines_times *read, const tutti_guideline_report *report)
{
  for (int g = 0; g < TUTTI_GAP_COUNT; g++) {
    size_t count = 0;
    for (size_t i = 0; i < tutti_guideline_count(); i++)
      count += report->tallies[i].gaps[g];
    if (count > 0)
      tutti_say(stdout, "  %zu check%s not made: %s\n", count, tutti_plural(count), gap_texts[g]);
  }
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (read->unknown[c] > 0)
      tutti_say(stdout, "  %zu point%s of %s left out: what runs there was not measured\n", read->unknown[c],
                tutti_plural(read->unknown[c]), tutti_collective_name((tutti_collective)c));
}

struct totals {
  const struct guidelines_options *options;
  const tutti_guideline_report *report;
};

static void print_totals(const void *about)
{
  const struct guidelines_options *options = ((const struct totals *)about)->options;
  const tutti_guideline_report *report = ((const struct totals *)about)->report;
  size_t checked = 0;
  for (size_t i = 0; i < tutti_guideline_count(); i++)
    checked += report->tallies[i].checked;
  printf("  %zu of %zu checks violated by more than %g %%, at %zu of %zu points\n", report->violation_count, checked,
         100 * options->tolerance, report->points_violating, report->points);
  if (report->violation_count > 0 && report->lost <= 0)
    printf("  nothing can be called in their place: they are slower than on more ranks, on more data or beside 2^k\n");
  else if (report->violation_count > 0)
    printf("  %.3f us lost if each of these points runs once, beside its cheapest mock-up\n", 1e6 * report->lost);
}

static void print_text(const struct guidelines_options *options, const struct guidelines_times *read,
                       const tutti_guideline_report *report)
{
  const struct totals totals = {options, report};
  tutti_table tallies = tally_table(report, false);
  tutti_say(stdout, "guidelines on %s, scheme %s: %s\n", options->selection.platform, read->basis,
            options->decision ? options->decision : "best measured methods");
  verdict_first(tallies.row_count + violation_table(options, report).row_count, print_totals, &totals);
  print_violations(options, report);
  printf("\n");
  must(tutti_table_print(&tallies, stdout, &failure));
  printf("\n");
  print_totals(&totals);
  print_gaps(read, report);
  tutti_table_free(&tallies);
}

/* ---- JSON and CSV ---- */

struct facts {
  const char *platform, *scheme, *decision;
  double tolerance_percent;
  tutti_guideline_report report;
};

static const tutti_column fact_columns[] = {
    {NULL, "platform", TUTTI_FIELD(struct facts, platform)},
    {NULL, "scheme", TUTTI_FIELD(struct facts, scheme), .get = cell_basis},
    {NULL, "patterns", TUTTI_FIELD(struct facts, scheme), .get = cell_patterns},
    {NULL, "decision", TUTTI_FIELD(struct facts, decision)},
    {NULL, "tolerance_percent", TUTTI_FIELD(struct facts, tolerance_percent), .digits = 6},
    {NULL, "points", TUTTI_FIELD(struct facts, report.points)},
    {NULL, "points_violating", TUTTI_FIELD(struct facts, report.points_violating)},
    {NULL, "violations_in_all", TUTTI_FIELD(struct facts, report.violation_count)},
    {NULL, "lost_in_all_s", TUTTI_FIELD(struct facts, report.lost)},
};

void guidelines_print(const struct guidelines_options *options, const struct guidelines_times *read,
                      const tutti_guideline_report *report)
{
  if (options->format == TUTTI_FORMAT_TEXT) {
    print_text(options, read, report);
    return;
  }
  const struct facts facts = {options->selection.platform, read->basis, options->decision ? options->decision : "best",
                              100 * options->tolerance, *report};
  tutti_table tables[] = {violation_table(options, report), tally_table(report, true)};
  const tutti_document document = {TUTTI_FACTS(fact_columns, &facts), TUTTI_TABLES(tables)};
  must(tutti_document_print(&document, options->format, stdout, &failure));
  tutti_table_free(&tables[1]);
}

/* ---- the list ---- */

struct list_row {
  char guideline[TUTTI_GUIDELINE_LENGTH];
  const char *reason;
};

static const tutti_column list_columns[] = {
    {"guideline", "guideline", TUTTI_FIELD(struct list_row, guideline), .width = 70, .whole = true},
    {"reason", "reason", TUTTI_FIELD(struct list_row, reason), .fold = true},
};

static bool is_about(const tutti_guideline *guideline, unsigned collectives)
{
  return collectives == 0 || guideline->left == TUTTI_COLL_COUNT || collectives & 1u << guideline->left;
}

void guidelines_list(const struct guidelines_options *options)
{
  struct list_row *rows = tutti_xcalloc(tutti_guideline_count(), sizeof *rows);
  const tutti_guideline *guideline;
  size_t count = 0;
  for (size_t i = 0; (guideline = tutti_guideline_at(i)); i++)
    if (is_about(guideline, options->collectives)) {
      tutti_guideline_format(guideline, TUTTI_COLL_COUNT, rows[count].guideline);
      rows[count++].reason = guideline->reason;
    }
  const tutti_table table = {.key = "guidelines",
                             .notes = "m: bytes of the message, or of one rank's block where the collective has one\n"
                                      "   for, or from, each rank\n"
                                      "P: ranks; 2^k: k >= 2, P = 2^k - 1, 2^k or 2^k + 1",
                             TUTTI_COLUMNS(list_columns),
                             TUTTI_ROWS(rows, count),
                             .indent = 2,
                             .bare = true};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, options->format, stdout, &failure));
  free(rows);
}
