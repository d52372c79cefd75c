/* tutti bench --groups and --jobs FILE: the machine, and one simulation by either engine. */
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "harness/experiments/plan/plan.h"
#include "harness/experiments/plan/simulation.h"

enum { OUTPUT_LENGTH = 1 << 20, LONGEST_SECONDS = 7 * 24 * 3600 };

static bool are_native(const struct engine_jobs *jobs)
{
  bool native = false;
  for (size_t j = 0; j < jobs->count; j++)
    native |= tutti_method_is_library(&jobs->items[j].method);
  return native;
}

static void run_program(const struct bench_stage *stage, const struct engine_jobs *jobs, size_t only, char *path,
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
static void simulate_by_smpi(const struct bench_stage *stage, const struct engine_jobs *jobs, size_t only,
                             double *seconds)
{
  struct tutti_output output;
  char *path = simulation_file_begin("jobs");
  output_begin(path, &output);
  tutti_jobs_write(jobs, output.stream);
  output_end(&output);
  run_program(stage, jobs, only, path, seconds);
  simulation_file_end(path);
  free(path);
}

void bench_check_large(const struct bench_stage *stage, const struct engine_jobs *jobs)
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

void bench_simulate(struct bench_stage *stage, const struct engine_jobs *jobs, size_t only, double *seconds)
{
  if (stage->program)
    simulate_by_smpi(stage, jobs, only, seconds);
  else
    must(tutti_jobs_simulate(&stage->machine, jobs, stage->ranks, only, &stage->start, seconds, &failure));
}

static void read_machine(struct bench_stage *stage)
{
  must(tutti_machine_read_or_smpi(stage->platform.path, &stage->machine, &failure));
  stage->machine.tolerance = tutti_flavor_tolerance(stage->options->words.engine);
}

struct bench_stage bench_open_stage(const struct bench_options *options, uint64_t ranks)
{
  struct bench_stage stage = {.options = options};
  must(platform_load(options->words.platform, &stage.platform, &failure));
  if (options->ranks.count > 0 && options->ranks.items[0] < ranks)
    die("-P %llu: the %s have %llu ranks in all", (unsigned long long)options->ranks.items[0],
        options->together.jobs ? "jobs" : "groups", (unsigned long long)ranks);
  ranks = options->ranks.count > 0 ? options->ranks.items[0] : ranks;
  const uint64_t room = (uint64_t)stage.platform.host_count * (uint64_t)stage.platform.ranks_per_node;
  if (ranks > room)
    die("%llu ranks: platform %s has room for %llu", (unsigned long long)ranks, stage.platform.name,
        (unsigned long long)room);
  stage.ranks = (uint32_t)ranks;
  must(tutti_platform_accept(&stage.platform, (int)ranks, stderr, &failure));
  if (options->words.engine && !tutti_flavor_is_engine(options->words.engine))
    stage.program = program_find(&options->launch, options->words.engine, "tutti-jobs");
  else
    read_machine(&stage);
  return stage;
}

void bench_close_stage(struct bench_stage *stage)
{
  tutti_start_free(&stage->start);
  if (!stage->program)
    tutti_machine_free(&stage->machine);
  free(stage->program);
  tutti_platform_free(&stage->platform);
}
