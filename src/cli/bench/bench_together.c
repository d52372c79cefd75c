/* tutti bench --groups and --jobs FILE: several things at once on a simulated machine. */
#include <limits.h>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "harness/experiments/plan/plan.h"
#include "harness/experiments/plan/simulation.h"

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
  static const char *const others[] = {"db",
                                       "scheme",
                                       "of",
                                       "root",
                                       "arrival",
                                       "noise",
                                       "repetitions",
                                       "launches",
                                       "orders",
                                       "write",
                                       "all",
                                       "list",
                                       "within",
                                       "again",
                                       "trust",
                                       "chunk",
                                       "keep-files",
                                       "hostfile",
                                       "launcher",
                                       "launcher-args",
                                       "work-dir",
                                       "oversubscribe",
                                       "ranks-per-node",
                                       "slurm-args",
                                       "submit-only",
                                       NULL};
  static const char *const flavor[] = {"flavor", NULL}, *const sweep[] = {"methods", "segments", "size", NULL};
  const struct bench_together *together = &options->together;
  const char *name = together->jobs ? "--jobs FILE" : "--groups";
  const char *given = options_given(others), *words = options_given(sweep);
  if (!together->groups && !together->jobs)
    die("--placement goes with --groups or --jobs FILE");
  if (together->groups && together->jobs)
    die("--groups and --jobs FILE: one of them");
  if (*options_given(flavor))
    die("%s is simulated, not measured on a real machine", name);
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

/* ---- one simulation ---- */

/* The machine, by either engine. */
struct stage {
  const struct bench_options *options;
  tutti_platform platform;
  struct engine_machine machine; /* of the fast engine */
  struct engine_start start;
  char *program; /* of SMPI; NULL: the fast engine simulates */
  uint32_t ranks;
};

enum { OUTPUT_LENGTH = 1 << 20, LONGEST_SECONDS = 7 * 24 * 3600 };

static void remove_folder(void *folder)
{
  tutti_folder_remove(folder);
}

static bool are_native(const struct engine_jobs *jobs)
{
  bool native = false;
  for (size_t j = 0; j < jobs->count; j++)
    native |= tutti_method_is_library(&jobs->items[j].method);
  return native;
}

static void run_program(const struct stage *stage, const struct engine_jobs *jobs, size_t only, char *path,
                        double *seconds)
{
  char *output = tutti_xmalloc(OUTPUT_LENGTH), *job = tutti_xprintf("%zu", only);
  char *words[] = {path, only == JOBS_ALL ? NULL : job, NULL};
  const struct simulation simulation = {.platform = &stage->platform,
                                        .name = stage->platform.path,
                                        .program = stage->program,
                                        .words = words,
                                        .ranks = (int)stage->ranks,
                                        .seconds = LONGEST_SECONDS,
                                        .shares_variables = true,
                                        .native = are_native(jobs)};
  must(tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, &failure));
  must(tutti_jobs_read_times(output, jobs, only, seconds, &failure));
  free(output);
  free(job);
}

/* smpirun starts tutti-jobs, which reads a file of the jobs. */
static void simulate_by_smpi(const struct stage *stage, const struct engine_jobs *jobs, size_t only, double *seconds)
{
  char *folder = tutti_simulation_folder(&failure);
  struct tutti_output output;
  must(folder ? TUTTI_OK : TUTTI_ERR_IO);
  failure_undo(remove_folder, folder);
  char *path = tutti_xprintf("%s/jobs", folder);
  output_begin(path, &output);
  tutti_jobs_write(jobs, output.stream);
  output_end(&output);
  run_program(stage, jobs, only, path, seconds);
  failure_forget();
  remove_folder(folder);
  free(path);
  free(folder);
}

/* Die of messages that SMPI cannot carry. */
static void check_large(const struct stage *stage, const struct engine_jobs *jobs)
{
  const char *file = stage->options->together.jobs;
  const tutti_experiment all = {
      .path = (char *)(file ? file : "--groups"), .platform_path = stage->platform.path, .flavor = "smpi"};
  for (size_t j = 0; stage->program && j < jobs->count; j++) {
    const struct engine_job *job = &jobs->items[j];
    const tutti_point point = {.ranks = (int)job->size, .method = job->method, .count = job->bytes, .type_size = 1};
    must(tutti_point_check_large(&all, &point, &failure));
  }
}

static void simulate(struct stage *stage, const struct engine_jobs *jobs, size_t only, double *seconds)
{
  if (stage->program)
    simulate_by_smpi(stage, jobs, only, seconds);
  else
    must(tutti_jobs_simulate(&stage->machine, jobs, stage->ranks, only, &stage->start, seconds, &failure));
}

static struct stage open_stage(const struct bench_options *options, uint64_t ranks)
{
  struct stage stage = {.options = options};
  must(platform_load(options->words.platform, &stage.platform, &failure));
  if (options->words.engine && strcmp(options->words.engine, TUTTI_FLAVOR_FAST) != 0)
    stage.program = program_find(&options->launch, options->words.engine, "tutti-jobs");
  else
    must(tutti_machine_read(stage.platform.path, &stage.machine, &failure));
  if (options->ranks.count > 0 && options->ranks.items[0] < ranks)
    die("-P %llu: the %s have %llu ranks in all", (unsigned long long)options->ranks.items[0],
        options->together.jobs ? "jobs" : "groups", (unsigned long long)ranks);
  ranks = options->ranks.count > 0 ? options->ranks.items[0] : ranks;
  const uint64_t room = (uint64_t)stage.platform.host_count * (uint64_t)stage.platform.ranks_per_node;
  if (ranks > room)
    die("%llu ranks: platform %s has room for %llu", (unsigned long long)ranks, stage.platform.name,
        (unsigned long long)room);
  stage.ranks = (uint32_t)ranks;
  return stage;
}

static void close_stage(struct stage *stage)
{
  tutti_start_free(&stage->start);
  if (!stage->program)
    tutti_machine_free(&stage->machine);
  free(stage->program);
  tutti_platform_free(&stage->platform);
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
static void run_setting(struct stage *stage, struct engine_jobs *jobs, int setting, size_t done, size_t all,
                        struct bench_jobs *results)
{
  double *alone = tutti_xcalloc(jobs->count, sizeof *alone), *together = tutti_xcalloc(jobs->count, sizeof *together);
  must(tutti_jobs_place(jobs, stage->ranks, &failure));
  check_large(stage, jobs);
  for (size_t j = 0; j <= jobs->count; j++) {
    patience_at("simulate the jobs", ((double)done + (double)j / (double)(jobs->count + 1)) / (double)all);
    simulate(stage, jobs, j < jobs->count ? j : JOBS_ALL, j < jobs->count ? alone : together);
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
static void run_placements(struct stage *stage, struct engine_jobs *jobs, const char *list, size_t call, size_t calls,
                           struct bench_jobs *results)
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

/* Those that all groups can make; returns how many there are beside. */
static size_t list_calls(const struct stage *stage, const tutti_sweep *sweep, struct calls *calls)
{
  const int groups = stage->options->together.groups, size = stage->options->together.size;
  size_t outside = 0;
  tutti_error reason;
  for (int s = 0; s < sweep->size_count; s++)
    for (int m = 0; m < sweep->method_count; m++) {
      struct engine_jobs jobs = {.count = 0};
      const struct call call = {sweep->methods[m], sweep->sizes[s]};
      tutti_jobs_of_groups(groups, size, &call.method, call.bytes, &jobs);
      const tutti_status status = tutti_jobs_check(&jobs, NULL, stage->program != NULL, &reason);
      outside += status == TUTTI_ERR_UNSUPPORTED;
      if (status == TUTTI_OK)
        tutti_xpush(calls, call);
      else if (status != TUTTI_ERR_UNSUPPORTED)
        die("%s", reason.message);
      tutti_jobs_free(&jobs);
    }
  return outside;
}

static struct bench_together_facts facts_of(const struct stage *stage)
{
  const struct bench_together *together = &stage->options->together;
  return (struct bench_together_facts){.platform = stage->platform.name,
                                       .engine = stage->program ? "smpi" : TUTTI_FLAVOR_FAST,
                                       .file = together->jobs,
                                       .ranks = stage->ranks,
                                       .groups = together->groups,
                                       .size = together->size};
}

static void run_groups(const struct bench_options *options)
{
  const struct bench_together *together = &options->together;
  struct stage stage = open_stage(options, (uint64_t)together->groups * (uint64_t)together->size);
  struct bench_together_facts facts = facts_of(&stage);
  struct calls calls = {.count = 0};
  struct bench_jobs results = {.count = 0};
  tutti_experiment experiment;
  read_experiment(options, &experiment);
  for (int i = 0; i < experiment.sweep_count; i++)
    facts.outside += list_calls(&stage, &experiment.sweeps[i], &calls);
  if (calls.count == 0)
    die("no method of %s is for %d ranks", options->experiment, together->size);
  for (size_t c = 0; c < calls.count; c++) {
    struct engine_jobs jobs = {.count = 0};
    tutti_jobs_of_groups(together->groups, together->size, &calls.items[c].method, calls.items[c].bytes, &jobs);
    run_placements(&stage, &jobs, together->placements ? together->placements : "packed", c, calls.count, &results);
    tutti_jobs_free(&jobs);
  }
  patience_at(NULL, 1);
  bench_print_groups(&facts, &results, options->format);
  tutti_experiment_free(&experiment);
  close_stage(&stage);
}

/* ---- the jobs of a file ---- */

static void run_file(const struct bench_options *options)
{
  const struct bench_together *together = &options->together;
  struct engine_jobs jobs;
  struct bench_jobs results = {.count = 0};
  must(tutti_jobs_read(together->jobs, &jobs, &failure));
  struct stage stage = open_stage(options, tutti_jobs_ranks(&jobs));
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
  close_stage(&stage);
}

int bench_run_together(const struct bench_options *options)
{
  if (options->together.jobs)
    run_file(options);
  else
    run_groups(options);
  return EXIT_DONE;
}
