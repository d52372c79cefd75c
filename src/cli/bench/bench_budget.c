/* tutti bench --budget: a sweep of which only the points are measured that decisions need. */
#include <math.h>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/tuning/tuning.h"
#include "harness/experiments/calibrate/budget.h"

void bench_read_budget(void *values, const char *text)
{
  struct bench_budget *budget = values;
  const char *digits = text + strspn(text, "0123456789");
  budget->points = 0;
  budget->seconds = 0;
  if (*digits == '\0' && digits > text && strlen(text) <= 9)
    budget->points = strtoul(text, NULL, 10);
  else if (!tutti_duration_parse(text, &budget->seconds))
    budget->seconds = 0;
  if (budget->points == 0 && !(budget->seconds > 0))
    die("--budget: '%.100s' is neither a time such as 10min or 2h, nor a number of points from 1 to 999999999", text);
}

void bench_check_budget(const struct bench_options *options)
{
  const struct bench_budget *budget = &options->budget;
  const bool given = budget->points > 0 || budget->seconds > 0;
  if (!given && (budget->prior || budget->profile || budget->rules || budget->rounds_apart))
    die("--prior, --profile, --rounds-apart and --rules go with --budget");
  if (given && (options->all || options->written || options->place.submit_only))
    die("--budget chooses points by what is measured: not with --all, --write or --submit-only");
}

/* Of what a budget does not know about. */
static void check_experiment(const tutti_experiment *experiment)
{
  if (experiment->sweep_count == 0)
    die("%s: --budget is for sweeps of collectives", experiment->path);
  for (int s = 0; s < experiment->sweep_count; s++)
    if (experiment->sweeps[s].patterns.arrival_count > 1 || experiment->sweeps[s].patterns.noise_count > 1)
      die("%s: --budget decides for one arrival pattern and noise", experiment->path);
}

/* ---- calls of a profile as weights ---- */

/* How far apart, in doublings of ranks and bytes. */
static double distance(const tutti_point *call, const struct profile_calls *calls)
{
  return fabs(log2((double)call->ranks / fmax(1, calls->ranks))) +
         fabs(log2((double)(call->count * call->type_size + 1) / (double)(calls->size + 1)));
}

/* Each call of the program counts for the nearest one of its collective, with all its seconds. */
static void weigh(void *context, const tutti_point *calls, size_t count, double *weights)
{
  const struct program_profile *profile = context;
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *item = &profile->items.items[i];
    size_t nearest = count;
    for (size_t c = 0; c < count; c++)
      if (calls[c].method.algorithm->collective == item->collective &&
          (nearest == count || distance(&calls[c], item) < distance(&calls[nearest], item)))
        nearest = c;
    if (nearest < count)
      weights[nearest] += item->total;
  }
  double sum = 0;
  for (size_t c = 0; c < count; c++)
    sum += weights[c];
  for (size_t c = 0; c < count && sum > 0; c++)
    weights[c] *= (double)count / sum;
}

static void read_profile(const struct bench_options *options, struct program_profile *profile, struct budget *budget)
{
  must(tutti_profile_read(options->budget.profile, profile, &failure));
  budget->weigh = weigh;
  budget->context = profile;
  double *weights = tutti_xcalloc(budget->rows.cells + 1, sizeof *weights), sum = 0;
  weigh(profile, budget->samples, budget->rows.cells, weights);
  for (size_t c = 0; c < budget->rows.cells; c++)
    sum += weights[c];
  free(weights);
  if (!(sum > 0))
    die("%s: the program calls no collective of the sweep", options->budget.profile);
}

/* ---- measuring ---- */

/* What the choice of points needs. */
struct bench_budget_run {
  const struct bench_options *options;
  struct budget *budget;
};

static void say_left(const struct budget *budget)
{
  const double left = tutti_budget_left(budget);
  if (budget->most_points > 0)
    tutti_say(stderr, "%.0f points left\n", left);
  else
    tutti_say(stderr, "%.0f s left\n", left);
}

static void say_state(const struct bench_options *options, const struct budget *budget)
{
  if (options->launch.quiet)
    return;
  tutti_say(stderr, "tutti: %zu of %zu points measured, %zu of %zu calls decided, expected loss %.1f %%, ",
            budget->known, budget->rows.count, budget->rows.cells - budget->undecided, budget->rows.cells,
            100 * budget->loss);
  say_left(budget);
}

/* Tell how far it is before each batch. */
static tutti_status choose(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                           size_t count, const char *library, bool *wanted, tutti_error *error)
{
  const struct bench_budget_run *run = context;
  const tutti_status status = tutti_budget_choose(run->budget, points, measured, count, library, wanted, error);
  if (status == TUTTI_OK)
    say_state(run->options, run->budget);
  return status;
}

static void show_prior(double share)
{
  patience_at("simulate prior times", share);
}

static void open_budget(const struct bench_options *options, tutti_experiment *experiment, struct budget *budget)
{
  tutti_platform platform;
  struct simulation_request prior = {.tolerance = TUTTI_FLOW_TOLERANCE,
                                     .all = true,
                                     .most_messages = 100000,
                                     .model_large = true,
                                     .progress = show_prior};
  if (!options->budget.prior) {
    must(tutti_budget_open(budget, experiment, NULL, &failure));
    return;
  }
  must(platform_load(options->budget.prior, &platform, &failure));
  prior.platform_path = platform.path;
  must(tutti_budget_open(budget, experiment, &prior, &failure));
  patience_at(NULL, 1);
  tutti_platform_free(&platform);
}

/* ---- what is decided ---- */

struct decided {
  tutti_collective collective;
  int ranks;
  uint64_t size; /* bytes of the message, or of one rank's block */
  tutti_method method;
  const char *how;     /* "measured", "inferred" */
  const char *verdict; /* "decided", "too close to call" or "open" */
  double seconds;      /* expected of it */
  double loss, own;    /* percent expected, of the choice and of the library's own; NaN: it is no candidate */
  double sure;         /* percent that it is faster than that; NaN: likewise, or it is that */
};

struct decisions {
  TUTTI_VECTOR(struct decided);
};

static struct decided decide(const struct budget *budget, size_t call)
{
  const tutti_point *point = &budget->samples[call];
  const struct sampler_choice choice = tutti_budget_decide(budget, call);
  const bool any_own = choice.own < budget->rows.count, is_own = choice.own == choice.chosen;
  return (struct decided){.collective = point->method.algorithm->collective,
                          .ranks = point->ranks,
                          .size = point->count * point->type_size,
                          .method = budget->rows.items[choice.chosen].call.found.method,
                          .how = budget->measured[choice.chosen] > 0 ? "measured" : "inferred",
                          .verdict = choice.loss <= BUDGET_DECIDED ? "decided" : "open",
                          .seconds = exp(budget->sampler.mean[choice.chosen]),
                          .loss = 100 * choice.loss,
                          .own = 100 * choice.own_loss,
                          .sure = any_own && !is_own ? 100 * choice.confidence : NAN};
}

static int compare(const void *left, const void *right)
{
  const struct decided *a = left, *b = right;
  if (a->collective != b->collective)
    return a->collective < b->collective ? -1 : 1;
  return a->ranks != b->ranks ? a->ranks - b->ranks : (a->size > b->size) - (a->size < b->size);
}

#define PERCENT(member) TUTTI_FIELD(struct decided, member), .unit = "%", .decimals = 1

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct decided, collective), .get = cell_collective},
    {"ranks", "ranks", TUTTI_FIELD(struct decided, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct decided, size), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"method", "method", .at = offsetof(struct decided, method), .get = cell_method},
    {"time", "expected_s", CELL_MICROSECONDS(struct decided, seconds)},
    {"", "how", TUTTI_FIELD(struct decided, how)},
    {"", "verdict", TUTTI_FIELD(struct decided, verdict)},
    {"loss", "expected_loss_percent", PERCENT(loss)},
    {"own choice", "own_choice_expected_loss_percent", PERCENT(own)},
    {"sure", "faster_than_own_choice_percent", PERCENT(sure)},
};

static const char *const reasons[] = {[BUDGET_GOES_ON] = "interrupted",
                                      [BUDGET_USED_UP] = "the budget is used up",
                                      [BUDGET_WORTHLESS] = "more would save too little",
                                      [BUDGET_MEASURED] = "all that matters is measured"};

struct budget_facts {
  size_t points, measured, again, calls, decided;
  double loss;
  const char *end;
};

static const tutti_column fact_columns[] = {
    {NULL, "points", TUTTI_FIELD(struct budget_facts, points)},
    {NULL, "measured_points", TUTTI_FIELD(struct budget_facts, measured)},
    {NULL, "measured_again", TUTTI_FIELD(struct budget_facts, again)},
    {NULL, "calls", TUTTI_FIELD(struct budget_facts, calls)},
    {NULL, "decided_calls", TUTTI_FIELD(struct budget_facts, decided)},
    {NULL, "mean_expected_loss_percent", TUTTI_FIELD(struct budget_facts, loss)},
    {NULL, "end", TUTTI_FIELD(struct budget_facts, end)},
};

static void print_all(const struct bench_options *options, const struct budget *budget,
                      const struct decisions *decisions)
{
  struct budget_facts facts = {.points = budget->rows.count,
                               .measured = budget->known,
                               .again = budget->spent - budget->known,
                               .decided = budget->rows.cells - budget->undecided,
                               .loss = 100 * budget->loss,
                               .calls = decisions->count,
                               .end = reasons[budget->end]};
  const tutti_table tables[] = {
      {.key = "budget", TUTTI_COLUMNS(fact_columns), TUTTI_ROWS(&facts, 1)},
      {.key = "decisions", TUTTI_COLUMNS(columns), TUTTI_ROWS(decisions->items, decisions->count), .keys = 3}};
  const bool text = options->format == TUTTI_FORMAT_TEXT;
  const tutti_document document = {.tables = text ? &tables[1] : tables, .table_count = text ? 1 : 2};
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (text)
    tutti_say(stdout,
              "\n%zu of %zu points measured, %zu times again, %zu of %zu calls decided, expected loss %.1f %%: %s\n",
              facts.measured, facts.points, facts.again, facts.decided, facts.calls, facts.loss, facts.end);
}

/* ---- rules ---- */

/* Between two numbers that were asked for a rule reaches to their geometric mean. */
static uint64_t middle(uint64_t low, uint64_t high)
{
  return (uint64_t)sqrt((double)low * (double)high);
}

static bool is_next(const struct decided *left, const struct decided *right)
{
  return left->collective == right->collective && left->ranks == right->ranks;
}

/* Lines of one collective and number of ranks, from @p first on: returns how many. One of several sizes in a row that
   have the same method. */
static size_t write_ranks(const struct decisions *decisions, size_t first, const char *ranks, FILE *stream)
{
  const struct decided *items = decisions->items;
  size_t end = first;
  while (end < decisions->count && is_next(&items[first], &items[end]))
    end++;
  for (size_t i = first, next; i < end; i = next) {
    char name[TUTTI_METHOD_LENGTH], from[24] = "", to[24] = "";
    for (next = i + 1; next < end && tutti_method_compare(&items[next].method, &items[i].method) == 0;)
      next++;
    if (i > first)
      snprintf(from, sizeof from, "%llu", (unsigned long long)middle(items[i - 1].size, items[i].size) + 1);
    if (next < end)
      snprintf(to, sizeof to, "%llu", (unsigned long long)middle(items[next - 1].size, items[next].size));
    fprintf(stream, "%s%s", tutti_method_format(&items[i].method, name), ranks);
    if (i > first || next < end)
      fprintf(stream, " bytes=%s..%s", from, to);
    fputc('\n', stream);
  }
  return end - first;
}

static void write_rules(const char *path, const struct decisions *decisions)
{
  struct tutti_output output;
  output_begin(path, &output);
  for (size_t i = 0, count; i < decisions->count; i += count) {
    const struct decided *items = decisions->items, *own = &items[i];
    char ranks[64] = "";
    size_t next = i;
    while (next < decisions->count && is_next(own, &items[next]))
      next++;
    const bool lower = i > 0 && items[i - 1].collective == own->collective,
               upper = next < decisions->count && items[next].collective == own->collective;
    char from[24] = "", to[24] = "";
    if (lower)
      snprintf(from, sizeof from, "%llu",
               (unsigned long long)middle((uint64_t)items[i - 1].ranks, (uint64_t)own->ranks) + 1);
    if (upper)
      snprintf(to, sizeof to, "%llu", (unsigned long long)middle((uint64_t)own->ranks, (uint64_t)items[next].ranks));
    if (lower || upper)
      snprintf(ranks, sizeof ranks, " ranks=%s..%s", from, to);
    count = write_ranks(decisions, i, ranks, output.stream);
  }
  output_end(&output);
}

/* ---- all ---- */

/* Seconds of a run at least, so that a slow machine measures something in it. */
static const double SHORTEST = 3;

int bench_run_budget(const struct bench_options *options, tutti_experiment *experiment)
{
  struct budget budget = {.most_points = options->budget.points,
                          .most_seconds = options->budget.seconds,
                          .worth = options->budget.worth / 100,
                          .confidence = EVIDENCE_CONFIDENCE,
                          .rounds_apart = options->budget.rounds_apart || options->words.methods};
  struct program_profile profile = {.ranks = 0};
  struct decisions decisions = {.count = 0};
  check_experiment(experiment);
  open_budget(options, experiment, &budget);
  if (options->budget.profile)
    read_profile(options, &profile, &budget);
  if (budget.apart > 0)
    tutti_say(stderr, "tutti: note: %zu point%s left out of methods of which " ROUNDS_APART ": --rounds-apart\n",
              budget.apart, tutti_plural(budget.apart));
  const struct bench_budget_run run = {options, &budget};
  while (budget.end == BUDGET_GOES_ON) {
    /* twice what the batch should take, but for starts */
    const double most = budget.most_points > 0 ? 0 : fmax(SHORTEST, tutti_budget_left(&budget) / 3);
    struct bench_outcome outcome = {.experiment = experiment};
    const tutti_status status =
        bench_measure(options, (tutti_point_choice){choose, (void *)&run}, most, &outcome, &failure);
    failure_signal = outcome.summary.signal;
    must(status);
  }
  for (size_t c = 0; c < budget.rows.cells; c++)
    tutti_xpush(&decisions, decide(&budget, c));
  tutti_vector_sort(&decisions, compare);
  print_all(options, &budget, &decisions);
  if (options->budget.rules)
    write_rules(options->budget.rules, &decisions);
  tutti_vector_free(&decisions);
  if (options->budget.profile)
    tutti_profile_free(&profile);
  tutti_budget_close(&budget);
  return EXIT_DONE;
}
