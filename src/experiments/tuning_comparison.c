/* A library under two tuning files: launches in pairs, what they say, and what the store already has. */
#include "tutti/tuning_comparison.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "experiments/job.h"
#include "experiments/plan.h"
#include "libraries/libraries.h"
#include "results/paired.h"
#include "store/rows.h"

enum { BEFORE, AFTER, SIDES };

struct comparing {
  const tutti_tuning_comparison_request *request;
  tutti_tuning_comparison *found;
  struct run run;     /* of its plan all points, whatever the store has */
  char *paths[SIDES]; /* of the files, absolute; NULL: none */
  struct tutti_variable variables[SIDES][LIBRARY_VARIABLES + 1];
  struct tuning_pair tunings; /* of the version that is measured */
  tutti_result *stored;       /* [stored_count] all pairs of these files, in the order of tutti_result_compare() */
  size_t stored_count;
  size_t wanted; /* pairs to measure, for reports */
  double started;
  tutti_error *error;
};

const char *tutti_outcome_name(tutti_outcome outcome)
{
  static const char *const names[] = {"unclear", "won", "lost"};
  return names[outcome];
}

int tutti_tuning_comparison_rounds(size_t points, double level)
{
  return tutti_paired_least(points < INT_MAX ? (int)points : INT_MAX, level);
}

/* ---- the points ---- */

/* One launch for each number of ranks. */
static tutti_status plan_all(const tutti_experiment *experiment, int ranks_per_node, tutti_plan *plan,
                             tutti_error *error)
{
  const tutti_plan_options options = {.ranks_per_node = ranks_per_node, .chunk_points = INT_MAX, .jobs = 1};
  const tutti_present nothing = {.row_count = 0};
  return tutti_plan_create(experiment, &options, &nothing, plan, error);
}

tutti_status tutti_tuning_comparison_count(const tutti_experiment *experiment, size_t *points, tutti_error *error)
{
  tutti_plan plan;
  tutti_status status = plan_all(experiment, 1, &plan, error);
  *points = plan.point_count;
  if (status == TUTTI_OK)
    tutti_plan_free(&plan);
  return status;
}

static int compare_compared(const void *left, const void *right)
{
  const tutti_compared_point *a = left, *b = right;
  if (a->collective != b->collective)
    return a->collective < b->collective ? -1 : 1;
  if (a->ranks != b->ranks)
    return a->ranks < b->ranks ? -1 : 1;
  return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The row of a pair; its keys. */
static tutti_result key_of(const struct comparing *comparing, tutti_collective collective, int ranks, int root,
                           uint64_t bytes, int round)
{
  tutti_result key = {.kind = TUTTI_RESULT_COMPARISON, .ranks_per_node = comparing->found->ranks_per_node};
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_BEFORE, comparing->found->digests[BEFORE]);
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_AFTER, comparing->found->digests[AFTER]);
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_COLLECTIVE, tutti_collective_name(collective));
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_SCHEME,
                        tutti_scheme_name(comparing->request->experiment->measure.scheme));
  key.values[TUTTI_COMPARISON_FIELD_RANKS].integer = (uint64_t)ranks;
  key.values[TUTTI_COMPARISON_FIELD_ROOT].integer = (uint64_t)root;
  key.values[TUTTI_COMPARISON_FIELD_SIZE].integer = bytes;
  key.values[TUTTI_COMPARISON_FIELD_ROUND].integer = (uint64_t)round;
  return key;
}

static tutti_result key_of_point(const struct comparing *comparing, const tutti_point *point, int round)
{
  return key_of(comparing, point->method.algorithm->collective, point->ranks, point->root,
                point->count * point->type_size, round);
}

/* ---- the files ---- */

static void digest(const char *text, size_t length, char digest[TUTTI_TUNING_DIGEST])
{
  char hash[TUTTI_HASH_LENGTH];
  tutti_hash(text, length, hash);
  snprintf(digest, TUTTI_TUNING_DIGEST, "%.*s", TUTTI_TUNING_DIGEST - 1, hash);
}

/* Is it a file of the library that is measured? */
static tutti_status check_kind(const char *path, const char *text, size_t length, const char *flavor,
                               tutti_error *error)
{
  const tutti_library_version version = tutti_tuning_guess(text, length);
  if (strcmp(version.library->name, flavor) == 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is no tuning file of %s (tutti export writes one)", path, flavor);
}

static tutti_status read_file(struct comparing *comparing, int side)
{
  const char *path = comparing->request->files[side];
  char *text = NULL;
  size_t length;
  if (!path) {
    strcpy(comparing->found->digests[side], "untuned");
    return TUTTI_OK;
  }
  tutti_status status = tutti_tuning_load(path, &text, &length, comparing->error);
  if (status == TUTTI_OK)
    status = check_kind(path, text, length, comparing->request->experiment->flavor, comparing->error);
  if (status == TUTTI_OK)
    digest(text, length, comparing->found->digests[side]);
  free(text);
  comparing->paths[side] = status == TUTTI_OK ? realpath(path, NULL) : NULL;
  return status;
}

static tutti_status report_fault(const char *path, const tutti_library_version *version, const tutti_findings *findings,
                                 tutti_error *error)
{
  char name[40];
  for (size_t i = 0; i < findings->count; i++)
    if (findings->items[i].code->severity == TUTTI_ERROR)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s:%d:%d: %.200s [%s]: %s would drop the file, or die (tutti lint lists all faults)", path,
                        findings->items[i].line, findings->items[i].column, findings->items[i].message,
                        findings->items[i].code->name, tutti_library_version_format(version, name));
  return TUTTI_OK;
}

/* A file that the library drops, it drops without a word. */
static tutti_status check_file(struct comparing *comparing, int side)
{
  tutti_findings findings = {0};
  tutti_library_version version;
  const char *path = comparing->paths[side];
  tutti_status status = tutti_library_version_of_run(comparing->request->experiment->flavor,
                                                     comparing->run.manifest.library, &version, comparing->error);
  if (status == TUTTI_OK && path)
    status = tutti_lint_file(path, &version, &findings, comparing->error);
  if (status == TUTTI_OK)
    status = report_fault(comparing->request->files[side], &version, &findings, comparing->error);
  tutti_findings_free(&findings);
  if (status == TUTTI_OK)
    tutti_library_variables(&version, path, comparing->variables[side]);
  return status;
}

static tutti_status open_tunings(struct comparing *comparing)
{
  tutti_library_version version;
  tutti_status status = tutti_library_version_of_run(comparing->request->experiment->flavor, comparing->found->library,
                                                     &version, comparing->error);
  return status == TUTTI_OK ? tutti_tuning_pair_open(&version, (const char *const *)comparing->paths,
                                                     &comparing->tunings, comparing->error)
                            : status;
}

/* Does the library certainly do the same under both files? What is compared with itself is measured all the same. */
static bool is_unchanged(const struct comparing *comparing, const tutti_point *point)
{
  const tutti_explained_call call = {.collective = point->method.algorithm->collective,
                                     .ranks = point->ranks,
                                     .ranks_per_node = comparing->found->ranks_per_node,
                                     .rank_bytes = point->count * point->type_size,
                                     .type_bytes = point->type_size};
  const tutti_tuning_comparison *found = comparing->found;
  return !comparing->request->unchanged && *found->library && strcmp(found->digests[0], found->digests[1]) != 0 &&
         tutti_tuning_pair_same(&comparing->tunings, &call);
}

/* ---- what the store has ---- */

static tutti_status check_ranks_per_node(struct comparing *comparing)
{
  for (size_t i = 0; i < comparing->stored_count; i++) {
    int ranks_per_node = comparing->stored[i].ranks_per_node;
    if (comparing->found->ranks_per_node == 0)
      comparing->found->ranks_per_node = ranks_per_node;
    if (comparing->found->ranks_per_node != ranks_per_node)
      return tutti_fail(comparing->error, TUTTI_ERR_ARGUMENT,
                        "%s: was compared with %d and %d ranks per node: choose with --ranks-per-node",
                        comparing->request->run->database, comparing->found->ranks_per_node, ranks_per_node);
  }
  return TUTTI_OK;
}

/* The pairs of what was launched, or of what the request says. */
static tutti_selection select_stored(const struct comparing *comparing)
{
  const tutti_tuning_comparison_request *request = comparing->request;
  const tutti_experiment *experiment = request->experiment;
  tutti_selection selection = request->stored && request->among ? *request->among : (tutti_selection){0};
  if (comparing->run.ingest)
    selection.environment = comparing->run.ingest->environment;
  if (!selection.tutti && !selection.environment)
    selection.tutti = TUTTI_VERSION;
  selection.platform = experiment->platform_name;
  selection.platform_hash = "";
  selection.flavor = experiment->flavor;
  selection.scheme = (int)experiment->measure.scheme;
  selection.ranks_per_node = comparing->found->ranks_per_node;
  return selection;
}

static tutti_status read_stored(struct comparing *comparing, tutti_store *store)
{
  const tutti_selection selection = select_stored(comparing);
  void *rows;
  free(comparing->stored);
  tutti_status status = tutti_store_read_rows(store, TUTTI_ROW_COMPARISON, &selection, &rows, &comparing->stored_count,
                                              comparing->found->library, comparing->error);
  comparing->stored = rows;
  return status == TUTTI_OK ? check_ranks_per_node(comparing) : status;
}

static int compare_results(const void *left, const void *right)
{
  return tutti_result_compare(left, right);
}

static const tutti_result *find_stored(const struct comparing *comparing, const tutti_result *key)
{
  return comparing->stored_count == 0
             ? NULL
             : bsearch(key, comparing->stored, comparing->stored_count, sizeof *key, compare_results);
}

/* ---- one launch ---- */

/* A random state that depends on nothing but the seed, the round, the number of ranks and what it is for. */
static uint64_t draw_for(const struct comparing *comparing, int round, int ranks, int purpose)
{
  uint64_t state = tutti_splitmix64(comparing->request->seed + 1);
  state = tutti_splitmix64(state + (uint64_t)round);
  return tutti_splitmix64(state + 4 * (uint64_t)ranks + (uint64_t)purpose);
}

/* Fisher and Yates: numbers 0 .. count - 1 in a random order. */
static void shuffle(size_t *order, size_t count, uint64_t state)
{
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  for (size_t i = count; i > 1; i--) {
    size_t other = tutti_splitmix64_next(&state) % i, kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
}

static tutti_status run_job(struct comparing *comparing, struct job_setting *setting, const tutti_chunk *chunk)
{
  struct run *run = &comparing->run;
  double limit = run->options->job_timeout > 0 ? run->options->job_timeout : JOB_SILENCE;
  struct job job;
  tutti_status status = tutti_job_start(&job, setting, chunk, run->work.next++, comparing->error);
  if (status != TUTTI_OK)
    return status;
  int wait_status = tutti_job_wait(&job, setting, limit);
  status = tutti_job_poll(&job, setting, comparing->error);
  if (status == TUTTI_OK || status == TUTTI_ERR_LAUNCH)
    status = tutti_job_judge(&job, setting, wait_status, comparing->error);
  if (status != TUTTI_OK)
    tutti_job_print_rest(&job, setting, comparing->error);
  tutti_job_close(&job, setting, status == TUTTI_OK ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS);
  return status;
}

/* Measure points under one of the files, in an order of their own, into medians[count]. */
static tutti_status launch(struct comparing *comparing, int side, const tutti_point *points, size_t count,
                           uint64_t state, double *medians)
{
  size_t *order = tutti_xcalloc(count, sizeof *order);
  tutti_plan plan = comparing->run.plan;
  const tutti_chunk chunk = {.ranks = points->ranks, .native = true, .count = count};
  struct record_ingest ingest = {.store = NULL};
  struct job_setting setting = comparing->run.setting;
  plan.points = tutti_xcalloc(count, sizeof *plan.points);
  plan.point_count = count;
  shuffle(order, count, state);
  for (size_t i = 0; i < count; i++)
    plan.points[i] = points[order[i]];
  setting.plan = &plan;
  setting.ingest = &ingest;
  setting.variables = comparing->variables[side];
  tutti_status status = run_job(comparing, &setting, &chunk);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    medians[order[i]] = ((const tutti_measurement *)(void *)ingest.rows)[i].median;
  free(ingest.rows);
  free(plan.points);
  free(order);
  return status;
}

/* ---- one pair of launches ---- */

static void report(struct comparing *comparing)
{
  const tutti_run_options *options = comparing->run.options;
  const tutti_tuning_comparison *found = comparing->found;
  if (!options->report)
    return;
  const tutti_progress progress = {.planned = comparing->wanted,
                                   .measured = found->measured,
                                   .cost = (double)comparing->wanted,
                                   .cost_measured = (double)found->measured,
                                   .seconds = tutti_clock(CLOCK_MONOTONIC) - comparing->started};
  options->report(options->context, &progress);
}

static tutti_status store_pairs(struct comparing *comparing, const tutti_point *points, size_t count, int round,
                                int first, double *const medians[SIDES])
{
  tutti_result *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    rows[i] = key_of_point(comparing, &points[i], round);
    tutti_result_set_word(&rows[i], TUTTI_COMPARISON_FIELD_FIRST, first == BEFORE ? "before" : "after");
    rows[i].values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds = medians[BEFORE][i];
    rows[i].values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds = medians[AFTER][i];
  }
  tutti_status status =
      tutti_store_add_results(comparing->run.store, comparing->run.ingest->environment, rows, count, comparing->error);
  free(rows);
  comparing->found->measured += count;
  report(comparing);
  return status;
}

static tutti_status launch_pair(struct comparing *comparing, const tutti_point *points, size_t count, int round)
{
  double *medians[SIDES] = {tutti_xcalloc(count, sizeof(double)), tutti_xcalloc(count, sizeof(double))};
  uint64_t state = draw_for(comparing, round, points->ranks, SIDES);
  int first = (int)(tutti_splitmix64_next(&state) % SIDES);
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < SIDES && status == TUTTI_OK; i++) {
    int side = i == 0 ? first : !first;
    status = launch(comparing, side, points, count, draw_for(comparing, round, points->ranks, side), medians[side]);
  }
  if (status == TUTTI_OK)
    status = store_pairs(comparing, points, count, round, first, medians);
  free(medians[BEFORE]);
  free(medians[AFTER]);
  return status;
}

/* ---- all rounds ---- */

/* The points of a chunk whose pair of the round is not stored; returns how many. */
static size_t list_missing(const struct comparing *comparing, const tutti_chunk *chunk, int round, tutti_point *missing)
{
  size_t count = 0;
  for (size_t i = 0; i < chunk->count; i++) {
    const tutti_point *point = &comparing->run.plan.points[chunk->first + i];
    const tutti_result key = key_of_point(comparing, point, round);
    if (!is_unchanged(comparing, point) && !find_stored(comparing, &key))
      missing[count++] = *point;
  }
  return count;
}

static tutti_status measure_chunk(struct comparing *comparing, const tutti_chunk *chunk, int round, bool count_only)
{
  tutti_point *missing = tutti_xcalloc(chunk->count, sizeof *missing);
  size_t count = list_missing(comparing, chunk, round, missing);
  tutti_status status = TUTTI_OK;
  if (count_only)
    comparing->wanted += count;
  else if (count > 0)
    status = launch_pair(comparing, missing, count, round);
  free(missing);
  if (status == TUTTI_OK && !count_only)
    comparing->run.interruption = tutti_signals_wait(&comparing->run.signals, 0);
  return status;
}

static tutti_status measure_rounds(struct comparing *comparing, bool count_only)
{
  const struct run *run = &comparing->run;
  tutti_status status = TUTTI_OK;
  for (int round = 1; round <= comparing->found->rounds; round++)
    for (size_t c = 0; c < run->plan.chunk_count && status == TUTTI_OK && !run->interruption; c++)
      status = measure_chunk(comparing, &run->plan.chunks[c], round, count_only);
  return status;
}

static tutti_status prepare(struct comparing *comparing)
{
  struct run *run = &comparing->run;
  tutti_status status = tutti_run_prepare(run);
  if (status != TUTTI_OK)
    return status;
  snprintf(comparing->found->library, sizeof comparing->found->library, "%s", run->summary->library);
  /* A comparison has one number; where nobody asked for one it is 1, and the launches are stored with theirs. */
  comparing->found->ranks_per_node = run->summary->ranks_per_node > 0 ? run->summary->ranks_per_node : 1;
  tutti_plan_free(&run->plan);
  status = plan_all(run->experiment, run->summary->ranks_per_node, &run->plan, comparing->error);
  for (int side = 0; side < SIDES && status == TUTTI_OK; side++)
    status = check_file(comparing, side);
  if (status == TUTTI_OK)
    status = open_tunings(comparing);
  return status == TUTTI_OK ? read_stored(comparing, run->store) : status;
}

static tutti_status end_by_signal(const struct comparing *comparing)
{
  return tutti_fail(comparing->error, TUTTI_ERR_LAUNCH, "ended by %s; the pairs that were measured are stored",
                    strsignal(comparing->run.interruption));
}

static tutti_status measure(struct comparing *comparing)
{
  struct run *run = &comparing->run;
  tutti_run_summary summary = {0};
  *run = (struct run){.experiment = comparing->request->experiment,
                      .options = comparing->request->run,
                      .summary = &summary,
                      .error = comparing->error,
                      .backend = &tutti_backend_local,
                      .work = {.directory = -1, .lock = -1}};
  tutti_signals_block(&run->signals);
  tutti_status status = prepare(comparing);
  comparing->started = tutti_clock(CLOCK_MONOTONIC);
  if (status == TUTTI_OK)
    status = measure_rounds(comparing, true);
  if (status == TUTTI_OK)
    status = measure_rounds(comparing, false);
  if (!run->interruption)
    run->interruption = tutti_signals_wait(&run->signals, 0);
  if (status == TUTTI_OK && !run->interruption)
    status = read_stored(comparing, run->store);
  if (run->interruption)
    status = end_by_signal(comparing);
  comparing->found->signal = run->interruption;
  tutti_plan_free(&run->plan);
  tutti_run_close(run);
  tutti_signals_restore(&run->signals);
  return status;
}

/* The last round that is stored of these files. */
static int stored_rounds(const struct comparing *comparing)
{
  uint64_t last = 0;
  for (size_t i = 0; i < comparing->stored_count; i++) {
    const tutti_result *row = &comparing->stored[i];
    uint64_t round = row->values[TUTTI_COMPARISON_FIELD_ROUND].integer;
    bool same = strcmp(row->values[TUTTI_COMPARISON_FIELD_BEFORE].string, comparing->found->digests[BEFORE]) == 0 &&
                strcmp(row->values[TUTTI_COMPARISON_FIELD_AFTER].string, comparing->found->digests[AFTER]) == 0;
    last = same && round > last && round <= PAIRED_MAX ? round : last;
  }
  return (int)last;
}

static tutti_status read_only(struct comparing *comparing)
{
  tutti_store *store;
  comparing->found->ranks_per_node = comparing->request->run->launch.ranks_per_node;
  tutti_status status = tutti_store_open_existing(comparing->request->run->database, &store, comparing->error);
  if (status != TUTTI_OK)
    return status;
  status = read_stored(comparing, store);
  tutti_store_close(store);
  if (status == TUTTI_OK && comparing->found->rounds == 0)
    comparing->found->rounds = stored_rounds(comparing);
  if (status == TUTTI_OK && comparing->stored_count > 0)
    status = open_tunings(comparing);
  return status;
}

/* ---- judging ---- */

/* Append the pairs of a point, and their times to before and after. */
static void collect_pairs(const struct comparing *comparing, tutti_compared_point *point, double *before, double *after)
{
  tutti_tuning_comparison *found = comparing->found;
  for (int round = 1; round <= comparing->found->rounds; round++) {
    const tutti_result key = key_of(comparing, point->collective, point->ranks, point->root, point->bytes, round);
    const tutti_result *row = find_stored(comparing, &key);
    if (!row)
      continue;
    before[point->pairs] = row->values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds;
    after[point->pairs++] = row->values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds;
    found->pairs[found->pair_count++] = *row;
  }
}

static tutti_status test_point(const struct comparing *comparing, tutti_compared_point *point)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  struct paired_test test = {.before = NAN, .after = NAN, .ratio = NAN, .low = NAN, .high = NAN, .p = 1};
  collect_pairs(comparing, point, before, after);
  tutti_status status = point->pairs == 0 ? TUTTI_OK
                                          : tutti_paired_test(before, after, point->pairs, comparing->request->level,
                                                              &test, comparing->error);
  point->before = test.before;
  point->after = test.after;
  point->ratio = test.ratio;
  point->low = test.low;
  point->high = test.high;
  point->p = test.p;
  return status;
}

static tutti_status correct(const struct comparing *comparing)
{
  tutti_tuning_comparison *found = comparing->found;
  double *p = tutti_xcalloc(found->count + 1, sizeof *p);
  for (size_t i = 0; i < found->count; i++)
    p[i] = found->points[i].p;
  tutti_status status = tutti_paired_correct(p, (int)found->count, comparing->error);
  for (size_t i = 0; i < found->count && status == TUTTI_OK; i++) {
    tutti_compared_point *point = &found->points[i];
    point->corrected = p[i];
    if (p[i] <= comparing->request->level)
      point->outcome = point->ratio < 1 ? TUTTI_WON : TUTTI_LOST;
  }
  free(p);
  return status;
}

/* Those that are measured, and behind them the others. */
static void list_points(const struct comparing *comparing, const tutti_plan *plan)
{
  tutti_tuning_comparison *found = comparing->found;
  found->points = tutti_xcalloc(plan->point_count + 1, sizeof *found->points);
  for (size_t i = 0; i < plan->point_count; i++) {
    const tutti_point *point = &plan->points[i];
    size_t at = is_unchanged(comparing, point) ? plan->point_count - ++found->unchanged : found->count++;
    found->points[at] = (tutti_compared_point){.collective = point->method.algorithm->collective,
                                               .ranks = point->ranks,
                                               .root = point->root,
                                               .bytes = point->count * point->type_size};
  }
  qsort(found->points, found->count, sizeof *found->points, compare_compared);
  qsort(found->points + found->count, found->unchanged, sizeof *found->points, compare_compared);
}

static tutti_status judge(struct comparing *comparing)
{
  tutti_tuning_comparison *found = comparing->found;
  tutti_plan plan;
  tutti_status status = plan_all(comparing->request->experiment, 1, &plan, comparing->error);
  if (status != TUTTI_OK)
    return status;
  list_points(comparing, &plan);
  tutti_plan_free(&plan);
  found->pairs = tutti_xcalloc(found->count * (size_t)found->rounds + 1, sizeof *found->pairs);
  for (size_t i = 0; i < found->count && status == TUTTI_OK; i++)
    status = test_point(comparing, &found->points[i]);
  if (status == TUTTI_OK && found->pair_count == 0 && found->count > 0)
    status = tutti_fail(comparing->error, TUTTI_ERR_ARGUMENT, "%s: has no pair of launches of these files on %s",
                        comparing->request->run->database, comparing->request->experiment->platform_name);
  return status == TUTTI_OK && found->count > 0 ? correct(comparing) : status;
}

/* ---- all ---- */

static tutti_status check_request(const tutti_tuning_comparison_request *request, tutti_error *error)
{
  const int least = request->stored ? 0 : 1;
  if (request->rounds < least || request->rounds > PAIRED_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d rounds: there can be 1 to %d", request->rounds, PAIRED_MAX);
  const tutti_launch_options *launch = &request->run->launch;
  bool apart = launch->slurm || (launch->command && tutti_launcher_is_srun(launch->command) && !getenv("SLURM_JOB_ID"));
  if (apart && !request->stored)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "%s would give each launch an allocation of its own, but before and after are launched in turn in "
        "one allocation: run the command within it, by salloc -n RANKS tutti compare ... or in a script for sbatch, "
        "without --launcher or with --launcher srun",
        launch->slurm ? "--launcher slurm" : "srun");
  return TUTTI_OK;
}

tutti_status tutti_tuning_compare(const tutti_tuning_comparison_request *request, tutti_tuning_comparison *comparison,
                                  tutti_error *error)
{
  struct comparing comparing = {.request = request, .found = comparison, .error = error};
  *comparison = (tutti_tuning_comparison){.rounds = request->rounds};
  error->status = TUTTI_OK;
  tutti_status status = check_request(request, error);
  for (int side = 0; side < SIDES && status == TUTTI_OK; side++)
    status = read_file(&comparing, side);
  if (status == TUTTI_OK)
    status = request->stored ? read_only(&comparing) : measure(&comparing);
  if (status == TUTTI_OK)
    status = judge(&comparing);
  for (int side = 0; side < SIDES; side++)
    free(comparing.paths[side]);
  tutti_tuning_pair_close(&comparing.tunings);
  free(comparing.stored);
  if (status != TUTTI_OK)
    tutti_tuning_comparison_free(comparison);
  return status;
}

void tutti_tuning_comparison_free(tutti_tuning_comparison *comparison)
{
  free(comparison->points);
  free(comparison->pairs);
  comparison->points = NULL;
  comparison->pairs = NULL;
  comparison->count = comparison->pair_count = 0;
}
