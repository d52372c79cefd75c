/* Claims and experiments as tables. */
#include <math.h>

#include "cli/bench/bench.h"
#include "cli/output/output.h"

/* ---- claims ---- */

struct claim_row {
  const char *experiment;
  tutti_claim claim;
  tutti_verdict verdict;
  double measured;
};

/* "12.43 % (within 50%)" */
TUTTI_GETTER_FORMAT(get_published, struct claim_row, "%s%s%s%s%s%s", row->claim.published, row->claim.unit ? " " : "",
                    row->claim.unit ? row->claim.unit : "", row->claim.within ? " (within " : "",
                    row->claim.within ? row->claim.within : "", row->claim.within ? ")" : "")

static void get_measured(tutti_cell *cell, const void *row)
{
  const struct claim_row *claim = row;
  const char *unit = claim->claim.unit;
  if (isnan(claim->measured))
    return;
  if (claim->claim.comparison == TUTTI_CLAIM_TRUTH)
    tutti_cell_format(cell, "%s", claim->measured > 0 || claim->measured < 0 ? "true" : "false");
  else
    tutti_cell_format(cell, "%.6g%s%s", claim->measured, unit ? " " : "", unit ? unit : "");
}

/* Measured over published, where one number was published. */
TUTTI_GETTER(get_ratio, struct claim_row,
             row->claim.comparison <= TUTTI_CLAIM_FACTOR && (row->claim.value > 0 || row->claim.value < 0)
                 ? row->measured / row->claim.value
                 : NAN)

static void get_verdict(tutti_cell *cell, const void *row)
{
  const struct claim_row *claim = row;
  const char *name = tutti_verdict_name(claim->verdict), *kind = tutti_claim_kind_name(claim->claim.kind);
  bool unexplained = claim->verdict == TUTTI_VERDICT_DIFFERS && !claim->claim.differs;
  tutti_cell_format(cell, "%s%s%s%s%s", name, unexplained ? ", not explained" : "",
                    claim->claim.kind == TUTTI_CLAIM_PREDICTION ? "" : " (",
                    claim->claim.kind == TUTTI_CLAIM_PREDICTION ? "" : kind,
                    claim->claim.kind == TUTTI_CLAIM_PREDICTION ? "" : ")");
  cell->shown = cell->text;
  cell->text = name;
}

TUTTI_GETTER(get_kind, struct claim_row, tutti_claim_kind_name(row->claim.kind))

/* The first is in CSV only. */
static const tutti_column claim_columns[] = {
    {NULL, "experiment", TUTTI_FIELD(struct claim_row, experiment)},
    {"claim", "what", TUTTI_FIELD(struct claim_row, claim.what)},
    {"published", NULL, .get = get_published},
    {NULL, "published", TUTTI_FIELD(struct claim_row, claim.published)},
    {NULL, "unit", TUTTI_FIELD(struct claim_row, claim.unit)},
    {NULL, "within", TUTTI_FIELD(struct claim_row, claim.within)},
    {NULL, "from", TUTTI_FIELD(struct claim_row, claim.from)},
    {NULL, "kind", .get = get_kind},
    {"measured", NULL, .get = get_measured, .alignment = TUTTI_ALIGN_RIGHT},
    {NULL, "measured", TUTTI_FIELD(struct claim_row, measured)},
    {"ratio", "ratio", .get = get_ratio, .decimals = 2, .width = 6, .alignment = TUTTI_ALIGN_RIGHT},
    {NULL, "known_to_differ", TUTTI_FIELD(struct claim_row, claim.differs)},
    {"verdict", "verdict", .get = get_verdict},
};

enum { CLAIM_COLUMNS = sizeof claim_columns / sizeof *claim_columns };

static tutti_table begin_claims(void)
{
  return (tutti_table){.key = "claims",
                       .columns = claim_columns + 1,
                       .column_count = CLAIM_COLUMNS - 1,
                       .row_size = sizeof(struct claim_row),
                       .indent = 2};
}

static void add_claims(tutti_table *table, const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_error error;
  for (int i = 0; i < experiment->claim_count; i++) {
    const struct claim_row row = {experiment->name, experiment->claims[i], outcome->claims[i].verdict,
                                  outcome->claims[i].measured};
    if (tutti_table_add(table, &row, &error) != TUTTI_OK)
      tutti_out_of_memory();
  }
}

static void nest_claims(tutti_table *table, const void *row)
{
  const char *key = table->key;
  *table = begin_claims();
  table->key = key;
  add_claims(table, row);
}

/* ---- experiments ---- */

/* "0.52 s", "1 min 20 s"; "?" if it is not known. */
static const char *format_time(double seconds, char *text)
{
  if (isnan(seconds))
    strcpy(text, "?");
  else if (seconds < 60)
    snprintf(text, 32, "%.3g s", seconds);
  else
    progress_format_duration(seconds, text);
  return text;
}

/* Seconds. */
static void get_duration(tutti_cell *cell, const void *row)
{
  tutti_cell_real(cell, *(const double *)TUTTI_FIELD_OF(row, cell->column));
  cell->shown = format_time(cell->real, cell->buffer);
}

static void get_took(tutti_cell *cell, const void *row)
{
  if (((const struct bench_outcome *)row)->ran)
    get_duration(cell, row);
}

/* The verdict on an experiment; "-" if it claims nothing. */
static const char *verdict_of(const struct bench_outcome *outcome)
{
  if (outcome->experiment->claim_count == 0 && !outcome->experiment->not_reproducible)
    return "-";
  return outcome->unexplained > 0 ? "differs, not explained" : tutti_verdict_name(outcome->verdict);
}

static void get_outcome(tutti_cell *cell, const void *row)
{
  tutti_cell_text(cell, tutti_verdict_name(((const struct bench_outcome *)row)->verdict));
  cell->shown = verdict_of(row);
}

static tutti_claim_counts counts_of(const struct bench_outcome *outcome)
{
  return tutti_claims_count(outcome->experiment, outcome->claims);
}

TUTTI_GETTER_FORMAT(get_hold, struct bench_outcome, "%d/%d", counts_of(row).holding, counts_of(row).claims)

TUTTI_GETTER(get_count, struct bench_outcome, counts_of(row).of[cell->column->index])

#define COUNT(kind_) .get = get_count, .index = kind_, .width = 6, .alignment = TUTTI_ALIGN_RIGHT

#define EXPERIMENT(row_type, member) TUTTI_FIELD_THROUGH(row_type, experiment, tutti_experiment, member)
#define TAKES(row_type)              EXPERIMENT(row_type, takes), .get = get_duration, .width = 14, .alignment = TUTTI_ALIGN_RIGHT

static const tutti_column experiment_columns[] = {
    {"experiment", "experiment", EXPERIMENT(struct bench_outcome, name)},
    {"source", "source", EXPERIMENT(struct bench_outcome, source)},
    {"verdict", "verdict", .get = get_outcome, .width = 22},
    {"hold", NULL, .get = get_hold, .width = 7, .alignment = TUTTI_ALIGN_RIGHT},
    {"predict", "predictions", COUNT(TUTTI_CLAIM_PREDICTION)},
    {"inputs", "calibrations", COUNT(TUTTI_CLAIM_CALIBRATION)},
    {"checks", "self_checks", COUNT(TUTTI_CLAIM_SELF_CHECK)},
    {"host", "host_timings", COUNT(TUTTI_CLAIM_HOST_TIMING)},
    {"apart", "not_comparable", COUNT(TUTTI_CLAIM_NOT_COMPARABLE)},
    {"takes", "takes_s", TAKES(struct bench_outcome)},
    {"took", "took_s", TUTTI_FIELD(struct bench_outcome, seconds), .get = get_took, .width = 14, .digits = 6,
     .alignment = TUTTI_ALIGN_RIGHT},
    {NULL, "differs", EXPERIMENT(struct bench_outcome, differs)},
    {NULL, "not_reproducible", EXPERIMENT(struct bench_outcome, not_reproducible)},
    {NULL, "claims", .nested = nest_claims},
};

static void print_total(const struct bench_outcome *outcomes, int count)
{
  int of[TUTTI_VERDICTS] = {0}, uncounted = 0, unexplained = 0;
  for (int i = 0; i < count; i++) {
    of[outcomes[i].verdict] += strcmp(verdict_of(&outcomes[i]), "-") != 0;
    unexplained += outcomes[i].unexplained > 0;
  }
  printf("\n%d reproduced, %d differ, %d not reproducible here, %d not measured", of[TUTTI_VERDICT_REPRODUCED],
         of[TUTTI_VERDICT_DIFFERS], of[TUTTI_VERDICT_NOT_REPRODUCIBLE], of[TUTTI_VERDICT_NOT_MEASURED]);
  for (int verdict = TUTTI_VERDICT_CALIBRATION; verdict < TUTTI_VERDICTS; verdict++)
    uncounted += of[verdict];
  if (uncounted > 0)
    printf(", %d without a claim that is counted", uncounted);
  if (unexplained > 0)
    printf("; %d with differences that nothing explains", unexplained);
  putchar('\n');
}

/* CSV: a line a claim. */
static void print_claims_csv(const struct bench_outcome *outcomes, int count)
{
  tutti_table table = begin_claims();
  table.columns = claim_columns;
  table.column_count = CLAIM_COLUMNS;
  for (int i = 0; i < count; i++)
    add_claims(&table, &outcomes[i]);
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, &failure));
  tutti_table_free(&table);
}

void bench_print_experiments(const struct bench_outcome *outcomes, int count, tutti_format format)
{
  const tutti_table table = {
      .key = "experiments", TUTTI_COLUMNS(experiment_columns), TUTTI_ROWS(outcomes, count), .indent = 2};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (format == TUTTI_FORMAT_CSV) {
    print_claims_csv(outcomes, count);
    return;
  }
  must(tutti_document_print(&document, format, stdout, &failure));
  if (format == TUTTI_FORMAT_TEXT)
    print_total(outcomes, count);
}

/* ---- one experiment ---- */

/* In one line. */
static void print_reason(const char *heading, const char *text)
{
  if (!text)
    return;
  tutti_say(stdout, "\n%s: ", heading);
  for (; *text; text += strspn(text, " \t\r\n")) {
    int length = (int)strcspn(text, " \t\r\n");
    tutti_say(stdout, "%.*s", length, text);
    text += length;
    putchar(*text ? ' ' : '\n');
  }
}

static const struct {
  tutti_claim_kind kind;
  const char *one, *several;
} uncounted[] = {{TUTTI_CLAIM_CALIBRATION, "calibration input", "calibration inputs"},
                 {TUTTI_CLAIM_SELF_CHECK, "self-check", "self-checks"},
                 {TUTTI_CLAIM_HOST_TIMING, "timing of this host", "timings of this host"},
                 {TUTTI_CLAIM_NOT_COMPARABLE, "not comparable", "not comparable"}};

/* "24 claims, 20 of them test a prediction; 3 calibration inputs" */
static void print_counts(const struct bench_outcome *outcome)
{
  const tutti_claim_counts counts = counts_of(outcome);
  tutti_say(stdout, "\n%d claim%s, %d of them test%s a prediction", counts.claims, counts.claims == 1 ? "" : "s",
            counts.of[TUTTI_CLAIM_PREDICTION], counts.of[TUTTI_CLAIM_PREDICTION] == 1 ? "s" : "");
  for (size_t i = 0; i < sizeof uncounted / sizeof *uncounted; i++)
    if (counts.of[uncounted[i].kind] > 0)
      tutti_say(stdout, "; %d %s", counts.of[uncounted[i].kind],
                counts.of[uncounted[i].kind] == 1 ? uncounted[i].one : uncounted[i].several);
  putchar('\n');
}

static void print_claims(const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  tutti_table table = begin_claims();
  if (experiment->claim_count == 0 && !experiment->not_reproducible)
    return;
  if (experiment->claim_count > 0) {
    add_claims(&table, outcome);
    putchar('\n');
    must(tutti_table_print(&table, stdout, &failure));
    tutti_table_free(&table);
  }
  print_counts(outcome);
  print_reason("Why it differs", experiment->differs);
  print_reason("Why it cannot be reproduced here", experiment->not_reproducible);
  tutti_say(stdout, "\n%s%s%s: %s\n", experiment->name, experiment->source ? ", " : "",
            experiment->source ? experiment->source : "", tutti_verdict_name(outcome->verdict));
}

void bench_print_claims(const struct bench_outcome *outcome, tutti_format format)
{
  if (format == TUTTI_FORMAT_TEXT)
    print_claims(outcome);
  else if (format == TUTTI_FORMAT_CSV)
    print_claims_csv(outcome, 1);
  else
    must(tutti_document_print(&(tutti_document){TUTTI_FACTS(experiment_columns, outcome)}, format, stdout, &failure));
}

/* ---- what is going to be run ---- */

struct plan_row {
  const tutti_experiment *experiment;
  bool chosen;
  double total;
};

TUTTI_GETTER(get_total, struct plan_row, row->chosen ? format_time(row->total, cell->buffer) : "left out")

static const tutti_column plan_columns[] = {
    {"experiment", NULL, EXPERIMENT(struct plan_row, name)},
    {"source", NULL, EXPERIMENT(struct plan_row, source)},
    {"takes", NULL, TAKES(struct plan_row)},
    {"total", NULL, .get = get_total, .width = 14, .alignment = TUTTI_ALIGN_RIGHT},
};

void bench_print_plan(const struct bench_outcome *outcomes, int count)
{
  tutti_table table = {TUTTI_COLUMNS(plan_columns), .row_size = sizeof(struct plan_row), .indent = 2};
  double total = 0;
  for (int i = 0; i < count; i++) {
    if (outcomes[i].chosen && !isnan(outcomes[i].experiment->takes))
      total += outcomes[i].experiment->takes;
    must(tutti_table_add(&table, &(struct plan_row){outcomes[i].experiment, outcomes[i].chosen, total}, &failure));
  }
  must(tutti_table_print(&table, stdout, &failure));
  putchar('\n');
  tutti_table_free(&table);
}
