/* tutti bench --groups and --jobs FILE: several things at once on a simulated machine. */
#include <limits.h>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/output/output.h"

/* ---- the command line ---- */

void bench_read_groups(void *together, const char *text)
{
  struct bench_together *t = together;
  uint64_t groups, size;
  char *copy = tutti_xstrdup(text), *second = copy;
  const char *first = strsep(&second, "x");
  if (!second || !tutti_parse_integer(first, 1, MAX_JOBS, &groups) || !tutti_parse_integer(second, 1, INT_MAX, &size) ||
      groups * size > INT_MAX)
    die("'%.40s' is no number of groups, at most %d, and of ranks in each, such as 8x16", text, MAX_JOBS);
  t->groups = (int)groups;
  t->size = (int)size;
  free(copy);
}

void bench_check_together(const struct bench_options *options)
{
  static const char *const others[] = {"db",          "scheme",        "of",
                                       "root",        "arrival",       "noise",
                                       "repetitions", "launches",      "orders",
                                       "write",       "all",           "list",
                                       "within",      "again",         "trust",
                                       "chunk",       "keep-files",    "keep-going",
                                       "hostfile",    "launcher",      "launcher-args",
                                       "work-dir",    "oversubscribe", "ranks-per-node",
                                       "slurm-args",  "submit-only",   NULL};
  static const char *const flavor[] = {"flavor", NULL}, *const sweep[] = {"methods", "segments", "size", NULL};
  const struct bench_together *together = &options->together;
  const char *name = together->jobs ? "--jobs FILE" : "--groups";
  const char *given = options_given(others), *words = options_given(sweep);
  if (!together->groups && !together->jobs)
    die("--placement goes with --groups or --jobs FILE");
  if (together->groups && together->jobs)
    die("--groups and --jobs FILE: one of them");
  if (*options_given(flavor))
    die("%s is simulated, not measured on a real machine: there tutti-jobs runs the jobs of a file, started by hand "
        "(docs/how-to/interference.md): mpiexec -n RANKS tutti-jobs %s",
        name, together->jobs ? together->jobs : "FILE");
  if (*given)
    die("%s stores nothing and times single calls:%s does not go with it", name, given);
  if (together->jobs && (options->experiment || *words))
    die("--jobs FILE says what runs: no %s%s", options->experiment ? options->experiment : "option", words);
  if (together->groups && !options->experiment)
    die("--groups: which collective? Such as: tutti bench alltoall --groups %dx%d", together->groups, together->size);
  if (!options->words.platform)
    die("on which platform? --platform NAME");
  if (options->ranks.count > 1)
    die("%s: one number of ranks, not %d", name, options->ranks.count);
}

/* ---- jobs alone and together, in all placements that are asked for ---- */

static void add_results(const struct engine_jobs *jobs, int setting, const double *alone, const double *together,
                        struct bench_jobs *results)
{
  for (size_t j = 0; j < jobs->count; j++) {
    const struct engine_job *job = &jobs->items[j];
    struct bench_job result = {.name = tutti_xstrdup(job->name),
                               .setting = setting,
                               .method = job->method,
                               .bytes = job->bytes,
                               .ranks = job->size,
                               .repeat = job->repeat,
                               .alone = alone[j],
                               .together = together[j]};
    tutti_job_place_format(job->place, result.place);
    tutti_xpush(results, result);
  }
}

/* A setting is a placement of some jobs; @p done of @p all settings are over. */
static void run_setting(struct bench_stage *stage, struct engine_jobs *jobs, int setting, size_t done, size_t all,
                        struct bench_jobs *results)
{
  double *alone = tutti_xcalloc(jobs->count, sizeof *alone), *together = tutti_xcalloc(jobs->count, sizeof *together);
  must(tutti_jobs_place(jobs, stage->ranks, &failure));
  bench_check_large(stage, jobs);
  for (size_t j = 0; j <= jobs->count; j++) {
    patience_at("simulate the jobs", ((double)done + (double)j / (double)(jobs->count + 1)) / (double)all);
    bench_simulate(stage, jobs, j < jobs->count ? j : JOBS_ALL, j < jobs->count ? alone : together);
  }
  add_results(jobs, setting, alone, together, results);
  free(alone);
  free(together);
}

struct placements {
  TUTTI_VECTOR(struct job_place);
};

static struct placements read_placements(const char *text)
{
  struct placements places = {.count = 0};
  struct job_place place;
  char *rest = tutti_xstrdup(text);
  for (char *word; (word = strsep(&rest, ","));) {
    must(tutti_job_place_parse(word, &place, &failure));
    tutti_xpush(&places, place);
  }
  return places;
}

/* Call @p call of @p calls. */
static void run_placements(struct bench_stage *stage, struct engine_jobs *jobs, const char *list, size_t call,
                           size_t calls, struct bench_jobs *results)
{
  const struct placements places = read_placements(list);
  for (size_t p = 0; p < places.count; p++) {
    for (size_t j = 0; j < jobs->count; j++)
      jobs->items[j].place = places.items[p];
    run_setting(stage, jobs, (int)p, call * places.count + p, calls * places.count, results);
  }
}

/* ---- groups: each method and size ---- */

/* A method at a size. */
struct call {
  tutti_method method;
  uint64_t bytes;
};

struct calls {
  TUTTI_VECTOR(struct call);
};

static void read_experiment(const struct bench_options *options, tutti_experiment *experiment)
{
  const uint64_t size = (uint64_t)options->together.size;
  tutti_experiment_words words = options->words;
  words.engine = words.engine ? words.engine : TUTTI_FLAVOR_FAST;
  words.ranks_count = 1;
  words.ranks = &size;
  must(collectives_parse(options->experiment, &words.collectives, &failure));
  experiment_argument_read(options->experiment, &words, experiment);
}

static void leave_out(const struct call *call, int size, const char *otherwise, struct bench_together_facts *facts)
{
  const tutti_call group = {.size = size, .count = call->bytes, .type_size = 1, .commutative = true};
  char name[TUTTI_METHOD_LENGTH];
  char *reason = tutti_xprintf("%s: %s", tutti_method_format(&call->method, name), otherwise);
  const char *fault = tutti_method_fault(&call->method, &group);
  bench_leave_out(&facts->left_out, fault ? fault : reason, &call->method, size);
  free(reason);
  facts->outside++;
}

/* Those that all groups can make; the others are left out. */
static void list_calls(const struct bench_stage *stage, const tutti_sweep *sweep, struct calls *calls,
                       struct bench_together_facts *facts)
{
  const int groups = stage->options->together.groups, size = stage->options->together.size;
  tutti_error reason;
  for (int s = 0; s < sweep->size_count; s++)
    for (int m = 0; m < sweep->method_count; m++) {
      struct engine_jobs jobs = {.count = 0};
      const struct call call = {sweep->methods[m], sweep->sizes[s]};
      tutti_jobs_of_groups(groups, size, &call.method, call.bytes, &jobs);
      const tutti_status status = tutti_jobs_check(&jobs, NULL, stage->program != NULL, &reason);
      if (status == TUTTI_OK)
        tutti_xpush(calls, call);
      else if (status == TUTTI_ERR_UNSUPPORTED)
        leave_out(&call, size, reason.message, facts);
      else
        die("%s", reason.message);
      tutti_jobs_free(&jobs);
    }
}

static struct bench_together_facts facts_of(const struct bench_stage *stage)
{
  const struct bench_together *together = &stage->options->together;
  return (struct bench_together_facts){.platform = stage->platform.name,
                                       .engine = stage->options->words.engine ? stage->options->words.engine
                                                                              : TUTTI_FLAVOR_FAST,
                                       .file = together->jobs,
                                       .ranks = stage->ranks,
                                       .groups = together->groups,
                                       .size = together->size};
}

static void run_groups(const struct bench_options *options)
{
  const struct bench_together *together = &options->together;
  struct bench_stage stage = bench_open_stage(options, (uint64_t)together->groups * (uint64_t)together->size);
  struct bench_together_facts facts = facts_of(&stage);
  struct calls calls = {.count = 0};
  struct bench_jobs results = {.count = 0};
  tutti_experiment experiment;
  read_experiment(options, &experiment);
  for (int i = 0; i < experiment.sweep_count; i++)
    list_calls(&stage, &experiment.sweeps[i], &calls, &facts);
  if (calls.count == 0)
    die("no method of %s is for %d ranks: %s", options->experiment, together->size, facts.left_out.items[0].reason);
  for (size_t c = 0; c < calls.count; c++) {
    struct engine_jobs jobs = {.count = 0};
    tutti_jobs_of_groups(together->groups, together->size, &calls.items[c].method, calls.items[c].bytes, &jobs);
    run_placements(&stage, &jobs, together->placements ? together->placements : "packed", c, calls.count, &results);
    tutti_jobs_free(&jobs);
  }
  patience_at(NULL, 1);
  bench_print_groups(&facts, &results, options->format);
  tutti_experiment_free(&experiment);
  bench_close_stage(&stage);
}

/* ---- the jobs of a file ---- */

static void run_file(const struct bench_options *options)
{
  const struct bench_together *together = &options->together;
  struct engine_jobs jobs;
  struct bench_jobs results = {.count = 0};
  must(tutti_jobs_read(together->jobs, &jobs, &failure));
  struct bench_stage stage = bench_open_stage(options, tutti_jobs_ranks(&jobs));
  const tutti_places places = tutti_platform_places(&stage.platform);
  for (size_t j = 0; j < jobs.count; j++)
    tutti_method_tell(&jobs.items[j].method, &places, 0);
  must(tutti_jobs_check(&jobs, together->jobs, stage.program != NULL, &failure));
  if (together->placements)
    run_placements(&stage, &jobs, together->placements, 0, 1, &results);
  else
    run_setting(&stage, &jobs, 0, 0, 1, &results);
  patience_at(NULL, 1);
  const struct bench_together_facts facts = facts_of(&stage);
  bench_print_jobs(&facts, &results, options->format);
  tutti_jobs_free(&jobs);
  bench_close_stage(&stage);
}

int bench_run_together(const struct bench_options *options)
{
  if (options->together.jobs)
    run_file(options);
  else
    run_groups(options);
  return EXIT_DONE;
}
