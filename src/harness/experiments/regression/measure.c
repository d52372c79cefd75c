/* Measuring what a baseline asks for: section after section into one fresh store. */
#include <stdlib.h>
#include <unistd.h>

#include "harness/experiments/regression/private.h"

/* The scheme of inline points: all ranks start at once, and no time is subtracted. */
#define BASELINE_SCHEME TUTTI_SCHEME_WINDOW

/* ---- sections as experiments ---- */

/* A file beside the baseline, or an experiment that is installed; owned by the caller. */
static tutti_status find_experiment(const tutti_baseline *baseline, const tutti_baseline_section *section, char **path,
                                    tutti_error *error)
{
  *path = tutti_baseline_beside(baseline, section->name);
  if (access(*path, F_OK) == 0)
    return TUTTI_OK;
  free(*path);
  tutti_status status = tutti_experiment_find(section->name, path, error);
  if (status == TUTTI_OK || section->line == 0)
    return status;
  return tutti_fail(error, TUTTI_ERR_IO,
                    "%s:%d: its experiment %s is not there: restore it, or take its section out of the baseline and "
                    "use --update",
                    baseline->path, section->line, section->name);
}

/* A line of a baseline does not contain the arrival pattern. */
static bool has_patterns(const tutti_experiment *experiment)
{
  for (int i = 0; i < experiment->sweep_count; i++) {
    const tutti_patterns *patterns = &experiment->sweeps[i].patterns;
    for (size_t p = 0; p < patterns->arrival_count; p++)
      if (patterns->arrivals[p].kind != TUTTI_ARRIVAL_NONE)
        return true;
    for (size_t p = 0; p < patterns->noise_count; p++)
      if (patterns->noises[p].kind != TUTTI_NOISE_NONE)
        return true;
  }
  return false;
}

static tutti_status read_experiment(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                    tutti_experiment *experiment, tutti_error *error)
{
  char *path;
  tutti_status status = find_experiment(baseline, section, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_experiment_read(path, experiment, error);
  if (status == TUTTI_OK && has_patterns(experiment))
    status = tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                        "%s: has arrival= or noise=, under which a baseline has no points: leave them out, or measure "
                        "it with tutti bench",
                        path);
  else if (status == TUTTI_OK && !tutti_experiment_measures(experiment))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: has nothing to measure", path);
  else if (status == TUTTI_OK && !experiment->platform_path)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s: is measured on a real machine, where times differ from run to run; a baseline is of "
                        "simulated hardware",
                        path);
  free(path);
  return status;
}

static tutti_sweep sweep_of(const tutti_baseline_entry *entry)
{
  return (tutti_sweep){.collective = entry->collective,
                       .root = entry->root,
                       .ranks_count = 1,
                       .ranks = tutti_xmemdup(&entry->ranks, sizeof entry->ranks),
                       .size_count = 1,
                       .sizes = tutti_xmemdup(&entry->bytes, sizeof entry->bytes),
                       .method_count = 1,
                       .methods = tutti_xmemdup(&entry->method, sizeof entry->method)};
}

/* A sweep of one point for each line. */
static tutti_status make_experiment(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                    tutti_experiment *experiment, tutti_error *error)
{
  *experiment = (tutti_experiment){.path = tutti_xstrdup(baseline->path),
                                   .name = tutti_xstrdup("points"),
                                   .platform_name = tutti_xstrdup(section->name),
                                   .flavor = tutti_xstrdup("smpi"),
                                   .measure = {.scheme = BASELINE_SCHEME, .repetitions_max = 1, .confidence = 0.05}};
  if (section->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: no points", baseline->path, section->line);
  experiment->sweeps = tutti_xcalloc(section->count, sizeof *experiment->sweeps);
  for (size_t i = 0; i < section->count; i++)
    if (section->entries[i].kind == TUTTI_BASELINE_COLLECTIVE)
      experiment->sweeps[experiment->sweep_count++] = sweep_of(&section->entries[i]);
  return tutti_baseline_find_platform(baseline, section, section->name, &experiment->platform_path, error);
}

/* ---- subjects ---- */

/* All points of an experiment as lines without values. */
static tutti_status list_points(const tutti_experiment *experiment, int ranks_per_node, tutti_baseline_section *section,
                                tutti_error *error)
{
  tutti_plan plan;
  tutti_plan_options options = {.ranks_per_node = ranks_per_node};
  tutti_status status = tutti_plan_create(experiment, &options, &(tutti_present){0}, &plan, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < plan.point_count; i++)
    tutti_baseline_append(section, tutti_baseline_entry_of_point(&plan.points[i]));
  tutti_plan_free(&plan);
  tutti_baseline_sort(section);
  return TUTTI_OK;
}

static tutti_status describe(const tutti_experiment *experiment, tutti_baseline_section *section, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = tutti_platform_read(experiment->platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  section->platform = tutti_xstrdup(platform.name);
  section->platform_hash = tutti_xstrdup(platform.hash);
  status = list_points(experiment, platform.ranks_per_node, section, error);
  tutti_platform_free(&platform);
  return status;
}

/* ---- measuring ---- */

static tutti_status simulate(const tutti_experiment *experiment, tutti_baseline_run *run,
                             tutti_baseline_section *section, tutti_error *error)
{
  const char *name = tutti_experiment_program(experiment);
  char *program = run->find_program(run->context, experiment->flavor, name);
  tutti_run_options options = {.database = run->database,
                               .transient = true,
                               .program = program ? program : name,
                               .jobs = run->jobs,
                               .job_timeout = run->job_timeout,
                               .report = run->report,
                               .context = run->report_context};
  tutti_run_summary summary;
  tutti_status status = tutti_experiment_run(experiment, &options, &summary, error);
  free(program);
  run->signal = summary.signal;
  if (status == TUTTI_OK)
    section->library = tutti_xstrdup(summary.library);
  return status;
}

static tutti_status read_values(const tutti_baseline *asked, const tutti_baseline_section *from,
                                const tutti_experiment *experiment, const char *database,
                                tutti_baseline_section *section, tutti_error *error)
{
  tutti_store *store;
  tutti_status status = tutti_store_open_existing(database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_baseline_take_values(asked, from, experiment, store, section, error);
  tutti_store_close(store);
  return status;
}

static tutti_status measure_section(const tutti_baseline *asked, const tutti_baseline_section *from,
                                    tutti_baseline_run *run, tutti_baseline_section *section, tutti_error *error)
{
  tutti_experiment experiment = {0};
  if (from->kind == TUTTI_SECTION_PROGRAM)
    return tutti_baseline_run_program(asked, from, run, section, error);
  tutti_status status =
      (from->kind == TUTTI_SECTION_POINTS ? make_experiment : read_experiment)(asked, from, &experiment, error);
  const char *engine = run->engine ? run->engine : from->engine;
  section->engine = engine ? tutti_xstrdup(engine) : NULL;
  if (status == TUTTI_OK)
    status = tutti_experiment_choose_engine(&experiment, engine, 0, error);
  if (status == TUTTI_OK)
    status = describe(&experiment, section, error);
  if (status == TUTTI_OK)
    status = simulate(&experiment, run, section, error);
  if (status == TUTTI_OK)
    status = read_values(asked, from, &experiment, run->database, section, error);
  tutti_experiment_free(&experiment);
  return status;
}

tutti_status tutti_baseline_measure(const tutti_baseline *asked, tutti_baseline_run *run, tutti_baseline *now,
                                    tutti_error *error)
{
  tutti_status status = tutti_baseline_create(asked->path, now, error);
  if (asked->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: names no experiment, no points and no program", asked->path);
  for (size_t i = 0; i < asked->count && status == TUTTI_OK; i++) {
    const tutti_baseline_section *from = &asked->sections[i];
    tutti_baseline_section *section = tutti_baseline_add_section(now, from->kind, from->name);
    status = measure_section(asked, from, run, section, error);
  }
  return status;
}
