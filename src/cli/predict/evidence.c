/* tutti predict --evidence: measured times and simulated ones decide together. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/options/decider.h"
#include "cli/output/output.h"
#include "cli/predict/predict.h"
#include "harness/experiments/calibrate/evidence_rows.h"

/* A row that is asked for. */
struct answer {
  const struct evidence_row *row;
  double simulated, seconds, lower, upper; /* the last two have a measured time by 90 percent */
  double loss;                             /* percent, expected; NaN: nothing is known of the method */
  const char *verdict;
};

struct answers {
  TUTTI_VECTOR(struct answer);
};

/* ---- reading ---- */

enum { MOST_MEASURED = 4000 };

static void check_measured(const struct predict_options *options, size_t count)
{
  if (count == 0)
    die("%s: no measured times%s%s, which are nanoseconds under median_ns", options->evidence,
        options->machine ? " of " : "", options->machine ? options->machine : "");
  if (count > MOST_MEASURED)
    die("%s: %zu measured points, %d at most: time grows with their third power%s", options->evidence, count,
        MOST_MEASURED, options->machine ? "" : "; --machine takes those of one machine");
}

/* Both tables; what is passed over is named before any error. */
static void read_rows(const struct predict_options *options, struct evidence_rows *rows)
{
  const struct call_table evidence = {.path = options->evidence,
                                      .collective = TUTTI_COLL_COUNT,
                                      .machine = options->machine,
                                      .measured = true,
                                      .simulated = true},
                          like = {.path = options->like,
                                  .collective = options->collective,
                                  .machine = options->machine,
                                  .simulated = true};
  tutti_passed passed = {.all = options->verbose};
  tutti_status status = tutti_evidence_rows_read(&evidence, &passed, rows, &failure);
  const size_t measured = rows->count;
  if (status == TUTTI_OK && measured > 0)
    status = tutti_evidence_rows_read(&like, &passed, rows, &failure);
  tutti_passed_print(&passed, stderr, 0);
  tutti_passed_free(&passed);
  must(status);
  check_measured(options, measured);
}

/* ---- a cell ---- */

static const double NORMAL_95 = 1.6448536269514722;

/* Percent: what is as near to the best in the mean is not worth a word. */
static const double CLOSE = 2;

static const char *judge(const struct answer *answer, const struct answer *chosen)
{
  if (answer == chosen)
    return "best";
  if (isnan(answer->loss))
    return "not measured";
  return answer->loss <= chosen->loss + CLOSE ? "too close to call" : "slower";
}

/* Whether anything is known of a method: a schedule, or a measured time of the same name. */
static bool can_be_chosen(const struct evidence *evidence, const struct evidence_point *point)
{
  bool known = point->own || point->kind == EVIDENCE_SIMULATED;
  for (size_t i = 0; i < evidence->count && !known; i++)
    known = evidence->points[i].labels[EVIDENCE_METHOD] == point->labels[EVIDENCE_METHOD];
  return known;
}

/* Choose among those of a cell that can be, and set the expected losses of these, in percent, of others to NaN.
   Returns the number of the choice, or count. */
static size_t choose(const struct evidence *evidence, const struct evidence_point *points, size_t count,
                     const double *mean, const double *covariance, int confidence, double *losses)
{
  size_t *candidates = tutti_xcalloc(count, sizeof *candidates), found = 0, own = SIZE_MAX, chosen = count;
  double *some = tutti_xcalloc(count * (count + 2), sizeof *some), *of_some = some + count, *shrunk = of_some + count;
  for (size_t i = 0; i < count; i++) {
    losses[i] = NAN;
    if (can_be_chosen(evidence, &points[i])) {
      own = points[i].own ? found : own;
      some[found] = mean[i];
      candidates[found++] = i;
    }
  }
  for (size_t a = 0; a < found; a++)
    for (size_t b = 0; b < found; b++)
      shrunk[a * found + b] = evidence->shrink * covariance[candidates[a] * count + candidates[b]];
  if (found > 0)
    chosen =
        candidates[tutti_evidence_choose(some, shrunk, found, own < found ? own : found, confidence / 100.0, of_some)
                       .chosen];
  for (size_t a = 0; a < found; a++)
    losses[candidates[a]] = 100 * of_some[a];
  free(candidates);
  free(some);
  return chosen;
}

/* The rows [count] of a cell that is asked for. */
static void answer_cell(const struct predict_options *options, const struct evidence *evidence,
                        const struct evidence_row *const *rows, const struct evidence_point *points, size_t count,
                        struct answers *answers)
{
  double *mean = tutti_xcalloc(count * (count + 2), sizeof *mean), *losses = mean + count, *covariance = losses + count;
  const size_t first = answers->count;
  tutti_evidence_predict(evidence, points, count, mean, covariance);
  const size_t chosen = choose(evidence, points, count, mean, covariance, options->confidence, losses);
  for (size_t i = 0; i < count; i++) {
    const double deviation = sqrt(covariance[i * count + i]);
    tutti_xpush(answers, ((struct answer){.row = rows[i],
                                          .simulated = rows[i]->call.simulated,
                                          .seconds = exp(mean[i]),
                                          .lower = exp(mean[i] - NORMAL_95 * deviation),
                                          .upper = exp(mean[i] + NORMAL_95 * deviation),
                                          .loss = losses[i]}));
  }
  for (size_t i = first; i < answers->count; i++)
    answers->items[i].verdict = judge(&answers->items[i], chosen < count ? &answers->items[first + chosen] : NULL);
  free(mean);
}

/* ---- all ---- */

/* The rows of a cell that are asked for, with their points: returns how many. */
static size_t collect_cell(const struct evidence_rows *rows, size_t cell, const struct evidence_point *points,
                           const struct evidence_row **asked, struct evidence_point *asked_points)
{
  size_t count = 0;
  for (size_t i = rows->cells.items[cell].first; i != SIZE_MAX; i = rows->items[i].next)
    if (isnan(rows->items[i].call.seconds) && !rows->items[i].impossible) {
      asked[count] = &rows->items[i];
      asked_points[count++] = points[i];
    }
  return count;
}

static void learn(const struct evidence_point *points, size_t count, struct evidence *evidence)
{
  char phase[64];
  snprintf(phase, sizeof phase, "learn from %zu measured points", count);
  patience_at(phase, NAN);
  tutti_evidence_learn(evidence, points, count);
}

static void answer_all(const struct predict_options *options, const struct evidence_rows *rows, struct answers *answers)
{
  struct evidence evidence = {.count = 0};
  struct evidence_point *points = tutti_evidence_rows_points(rows),
                        *some = tutti_xcalloc(rows->count + 1, sizeof *some);
  const struct evidence_row **asked = tutti_xcalloc(rows->count + 1, sizeof *asked);
  size_t measured = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!isnan(rows->items[i].call.seconds))
      some[measured++] = points[i];
  learn(some, measured, &evidence);
  for (size_t c = 0; c < rows->cells.count; c++) {
    patience_at("predict by simulated and measured times", (double)c / (double)rows->cells.count);
    const size_t count = collect_cell(rows, c, points, asked, some);
    if (count > 0)
      answer_cell(options, &evidence, asked, some, count, answers);
  }
  tutti_evidence_free(&evidence);
  free(asked);
  free(some);
  free(points);
}

/* --own-choice says what a row of the own choice is; without the row it says nothing. */
static void note_missing_choices(const struct predict_options *options, const struct evidence_rows *rows)
{
  size_t calls = 0, without = 0;
  for (size_t c = 0; c < rows->cells.count; c++) {
    bool asked = false, own = false;
    for (size_t i = rows->cells.items[c].first; i != SIZE_MAX; i = rows->items[i].next)
      if (isnan(rows->items[i].call.seconds)) {
        asked = true;
        own = own || tutti_evidence_row_is_own(&rows->items[i]);
      }
    calls += asked;
    without += asked && !own;
  }
  if (without > 0)
    tutti_say(stderr,
              "tutti: note: %zu of %zu calls of %s have no row of the library's own choice, and --own-choice changes "
              "nothing there: add a row of the method default_ompi, default_mpich or default-default to each\n",
              without, calls, options->like);
}

static void explain_choices(const struct predict_options *options, struct evidence_rows *rows)
{
  for (tutti_collective collective = 0; collective < TUTTI_COLL_COUNT && options->own; collective++) {
    struct decider decider;
    char version[64];
    bool any = collective == options->collective; /* what decides nothing is refused, used or not */
    for (size_t i = 0; i < rows->count; i++)
      any = any || (rows->items[i].call.collective == collective && tutti_evidence_row_is_own(&rows->items[i]));
    if (!any)
      continue;
    decider_open(options->own, NULL, &options->selection, collective, &decider, version);
    must(tutti_evidence_rows_explain(rows, collective, decider.tuning, &failure));
    decider_close(&decider);
  }
  if (options->own)
    note_missing_choices(options, rows);
}

/* ---- printing ---- */

#define TIME(member) TUTTI_FIELD(struct answer, member), .unit = "us", .scale = 1e6, .decimals = 2
#define CALL(member) TUTTI_FIELD_THROUGH(struct answer, row, struct evidence_row, call.member)

static const tutti_column columns[] = {
    {NULL, "collective", CALL(collective), .get = cell_collective},
    {"nodes", "nodes", CALL(nodes), .alignment = TUTTI_ALIGN_RIGHT},
    {"on a node", "ranks_per_node", CALL(ranks_per_node)},
    {"size", "total_B", CALL(bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"method", "name", CALL(name)},
    {"run", "run", CALL(run)},
    {"simulated", "simulated_s", TIME(simulated)},
    {"time", "predicted_s", TIME(seconds)},
    {"from", "lower_s", TIME(lower)},
    {"to", "upper_s", TIME(upper)},
    {"loss", "expected_loss_percent", TUTTI_FIELD(struct answer, loss), .unit = "%", .decimals = 1},
    {"", "verdict", TUTTI_FIELD(struct answer, verdict)},
};

static bool have_runs(const struct answers *answers)
{
  bool any = false;
  for (size_t i = 0; i < answers->count; i++)
    any = any || *answers->items[i].row->call.run;
  return any;
}

static void print_answers(const struct answers *answers, tutti_format format)
{
  const bool runs = have_runs(answers);
  tutti_column shown[sizeof columns / sizeof *columns];
  const tutti_table table = {.key = "predicted_times",
                             .columns = shown,
                             .column_count =
                                 predict_show_columns(columns, sizeof columns / sizeof *columns, runs, shown),
                             TUTTI_ROWS(answers->items, answers->count),
                             .keys = runs ? 6 : 4};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
}

void predict_by_evidence(const struct predict_options *options, const struct simulation_request *request)
{
  struct evidence_rows rows = {.count = 0};
  struct answers answers = {.count = 0};
  read_rows(options, &rows);
  explain_choices(options, &rows);
  must(tutti_evidence_rows_simulate(&rows, request, &failure));
  answer_all(options, &rows, &answers);
  patience_at(NULL, 1);
  print_answers(&answers, options->format);
  tutti_vector_free(&answers);
  tutti_evidence_rows_free(&rows);
}
