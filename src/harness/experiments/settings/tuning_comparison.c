/* A library under two tuning files: the files, and rounds of launches. */
#include "tutti/tuning_comparison.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/say.h"
#include "decision/results/paired.h"
#include "harness/experiments/settings/tuning.h"

/* Rounds beyond the minimum: with the minimum alone one contrary pair hides a difference. */
enum { MORE_ROUNDS = 4 };

/* ---- the files ---- */

static void digest(const char *text, size_t length, char digest[TUTTI_TUNING_DIGEST])
{
  char hash[TUTTI_HASH_LENGTH];
  tutti_hash(text, length, hash);
  snprintf(digest, TUTTI_TUNING_DIGEST, "%.*s", TUTTI_TUNING_DIGEST - 1, hash);
}

static const char *flavor_of(const struct comparing *comparing, int side)
{
  const tutti_installation *installation = comparing->request->installations[side];
  return installation ? installation->flavor : comparing->request->experiment->flavor;
}

/* Check that the file is a tuning file of the measured library. */
static tutti_status check_kind(const char *path, const char *text, size_t length, const char *flavor,
                               tutti_error *error)
{
  tutti_library_version version;
  const tutti_tuning_kind *kind;
  tutti_status status = tutti_tuning_identify(path, text, length, NULL, &kind, &version, error);
  if (status == TUTTI_OK && kind && kind->use)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, TUTTI_TUNING_BESIDE, path, kind->what);
  if (status != TUTTI_OK || strcmp(version.library->name, flavor) == 0)
    return status;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is no tuning file of %s (tutti export writes one)", path, flavor);
}

static tutti_status read_file(struct comparing *comparing, int side)
{
  const char *path = comparing->request->files[side];
  char *text = NULL;
  size_t length;
  if (!path) {
    strcpy(comparing->found->files[side], "untuned");
    return TUTTI_OK;
  }
  tutti_status status = tutti_input_permit_handing_on(path, comparing->error);
  if (status == TUTTI_OK)
    status = tutti_input_read(path, TUTTI_INPUT_TEXT, &text, &length, comparing->error);
  if (status == TUTTI_OK)
    status = check_kind(path, text, length, flavor_of(comparing, side), comparing->error);
  if (status == TUTTI_OK)
    digest(text, length, comparing->found->files[side]);
  free(text);
  comparing->paths[side] = status == TUTTI_OK ? realpath(path, NULL) : NULL;
  return status;
}

/* Check a file: the library ignores an invalid one without a message. */
static tutti_status check_file(struct comparing *comparing, int side)
{
  tutti_findings findings = {0};
  tutti_library_version version;
  const char *path = comparing->paths[side];
  if (!path && tutti_comparing_installed(comparing)) /* its settings are those of its words */
    return TUTTI_OK;
  tutti_status status = tutti_library_version_of_run(
      flavor_of(comparing, side), tutti_comparing_library(comparing, side), &version, comparing->error);
  if (status == TUTTI_OK && path)
    status = tutti_lint_file(path, &version, &findings, comparing->error);
  if (status == TUTTI_OK)
    status = tutti_findings_refuse(&findings, comparing->request->files[side], &version, TUTTI_ERROR, comparing->error);
  tutti_findings_free(&findings);
  if (status == TUTTI_OK)
    tutti_library_variables(&version, path, comparing->variables[side]);
  return status;
}

static tutti_status open_tunings(struct comparing *comparing)
{
  tutti_library_version version;
  if (tutti_comparing_installed(comparing)) /* all points are measured */
    return TUTTI_OK;
  tutti_status status = tutti_library_version_of_run(comparing->request->experiment->flavor, comparing->found->library,
                                                     &version, comparing->error);
  return status == TUTTI_OK ? tutti_tuning_pair_open(&version, (const char *const *)comparing->paths,
                                                     &comparing->tunings, comparing->error)
                            : status;
}

/* ---- all rounds ---- */

/* The points of a chunk whose pair of the round is not stored; returns how many. */
static size_t list_missing(const struct comparing *comparing, const tutti_chunk *chunk, int round, tutti_point *missing)
{
  size_t count = 0;
  for (size_t i = 0; i < chunk->count; i++) {
    const tutti_point *point = &comparing->run.plan.points[chunk->first + i];
    const tutti_result key = tutti_comparing_key(comparing, point, round);
    if (!tutti_comparing_unchanged(comparing, point) && !tutti_comparing_find(comparing, &key))
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
    status = tutti_comparing_launch(comparing, missing, count, round);
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

static int least_rounds(const struct comparing *comparing, size_t points)
{
  return tutti_paired_least(points < INT_MAX ? (int)points : INT_MAX, comparing->request->level);
}

static void warn_of_few(const struct comparing *comparing, size_t points)
{
  int least = least_rounds(comparing, points), rounds = comparing->found->rounds;
  if (points > 0 && rounds < least && !comparing->request->again)
    tutti_say(
        stderr,
        "tutti: warning: with %d round%s none of %zu point%s can be significant at %g %%: that takes at least %d\n",
        rounds, tutti_plural((uint64_t)rounds), points, tutti_plural(points), 100 * comparing->request->level, least);
}

/* Choose the number of rounds from the number of points to measure. */
static void choose_rounds(struct comparing *comparing)
{
  const tutti_plan *plan = &comparing->run.plan;
  size_t points = 0;
  for (size_t i = 0; i < plan->point_count; i++)
    points += !tutti_comparing_unchanged(comparing, &plan->points[i]);
  int enough = least_rounds(comparing, points) + MORE_ROUNDS;
  if (comparing->found->rounds == 0)
    comparing->found->rounds = enough < PAIRED_MAX ? enough : PAIRED_MAX;
  warn_of_few(comparing, points);
}

static tutti_status prepare(struct comparing *comparing)
{
  struct run *run = &comparing->run;
  tutti_status status = tutti_run_prepare(run);
  if (status != TUTTI_OK)
    return status;
  snprintf(comparing->found->library, sizeof comparing->found->library, "%s", run->summary->library);
  /* A comparison has one number; the default is 1, and the launches are stored with theirs. */
  comparing->found->ranks_per_node = run->summary->ranks_per_node > 0 ? run->summary->ranks_per_node : 1;
  tutti_plan_free(&run->plan);
  status = tutti_comparing_plan(run->experiment, run->summary->ranks_per_node, &run->plan, comparing->error);
  if (status == TUTTI_OK && tutti_comparing_installed(comparing))
    status = tutti_comparing_open_sides(comparing);
  for (int side = 0; side < SIDES && status == TUTTI_OK; side++)
    status = check_file(comparing, side);
  if (status == TUTTI_OK)
    status = open_tunings(comparing);
  return status == TUTTI_OK ? tutti_comparing_read(comparing, run->store) : status;
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
  tutti_run_options options = *comparing->request->run;
  options.launch.installation = comparing->request->installations[BEFORE];
  *run = (struct run){.experiment = comparing->request->experiment,
                      .options = &options,
                      .summary = &summary,
                      .error = comparing->error,
                      .backend = &tutti_backend_local,
                      .work = {.directory = -1, .lock = -1}};
  tutti_signals_block(&run->signals);
  tutti_status status = prepare(comparing);
  comparing->started = tutti_clock(CLOCK_MONOTONIC);
  if (status == TUTTI_OK) {
    choose_rounds(comparing);
    status = measure_rounds(comparing, true);
  }
  if (status == TUTTI_OK)
    status = measure_rounds(comparing, false);
  if (!run->interruption)
    run->interruption = tutti_signals_wait(&run->signals, 0);
  if (status == TUTTI_OK && !run->interruption)
    status = tutti_comparing_read(comparing, run->store);
  if (run->interruption)
    status = end_by_signal(comparing);
  comparing->found->signal = run->interruption;
  tutti_plan_free(&run->plan);
  tutti_run_close(run);
  tutti_signals_restore(&run->signals);
  return status;
}

static tutti_status read_only(struct comparing *comparing)
{
  tutti_store *store;
  comparing->found->ranks_per_node = comparing->request->run->launch.ranks_per_node;
  tutti_status status = tutti_store_open_existing(comparing->request->run->database, &store, comparing->error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_comparing_installed(comparing) ? tutti_comparing_name_sides(comparing, store)
                                                : tutti_comparing_read(comparing, store);
  tutti_store_close(store);
  int stored = tutti_comparing_rounds(comparing);
  if (comparing->found->rounds == 0 || comparing->found->rounds > stored)
    comparing->found->rounds = stored;
  if (status == TUTTI_OK && comparing->stored_count > 0)
    status = open_tunings(comparing);
  return status;
}

/* ---- all ---- */

static tutti_status check_request(const tutti_tuning_comparison_request *request, tutti_error *error)
{
  if (request->rounds < 0 || request->rounds > PAIRED_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d rounds: there can be 1 to %d", request->rounds, PAIRED_MAX);
  const tutti_launch_options *launch = &request->run->launch;
  const tutti_installation *installation = request->installations[BEFORE];
  const char *command = installation ? installation->words[0] : launch->command;
  bool apart = launch->slurm || (command && tutti_launcher_is_srun(command) && !getenv("SLURM_JOB_ID"));
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
  memcpy(comparison->digests, comparison->files, sizeof comparison->digests);
  if (status == TUTTI_OK)
    status = request->stored ? read_only(&comparing) : measure(&comparing);
  if (status == TUTTI_OK)
    status = tutti_comparing_judge(&comparing);
  if (status == TUTTI_OK && request->stored)
    warn_of_few(&comparing, comparison->count);
  for (int side = 0; side < SIDES; side++)
    free(comparing.paths[side]);
  tutti_tuning_pair_close(&comparing.tunings);
  tutti_launcher_close(&comparing.launcher);
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
