/* tutti group: the builds themselves, within this process or simulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/group/group.h"
#include "cli/output/output.h"
#include "tutti/job.h"

static int compare(const void *left, const void *right)
{
  return tutti_group_point_compare(&((const tutti_group_run *)left)->point, &((const tutti_group_run *)right)->point);
}

/* Every combination that can be built, once, in order. With all builders, those that cannot build one are left out. */
static tutti_status list_points(const struct group_options *options, struct group_results *results, tutti_error *error)
{
  const tutti_group_sweep *sweep = &options->sweep;
  results->count = 0;
  results->builds = tutti_xcalloc((size_t)sweep->ranks_count * sweep->point_count, sizeof *results->builds);
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count; p++) {
      tutti_group_run build = {.point = sweep->points[p], .ranks_per_node = 1};
      build.point.sample.size = sweep->ranks[r];
      tutti_status status = tutti_group_point_check(&build.point, error);
      if (status == TUTTI_OK)
        results->builds[results->count++] = build;
      else if (!options->all_builders || status != TUTTI_ERR_UNSUPPORTED)
        return status;
    }
  if (results->count == 0)
    return error->status; /* nothing can be built, and the last refusal says why */
  qsort(results->builds, results->count, sizeof *results->builds, compare);
  size_t kept = 1;
  for (size_t i = 1; i < results->count; i++)
    if (compare(&results->builds[kept - 1], &results->builds[i]) != 0)
      results->builds[kept++] = results->builds[i];
  results->count = kept;
  return TUTTI_OK;
}

/* ---- within this process ---- */

/* A store and the environment in it; `store` is NULL if nothing is stored. */
struct output_store {
  tutti_store *store;
  int64_t environment;
};

static tutti_status output_open(const char *path, struct output_store *output, tutti_error *error)
{
  static const tutti_environment here = {.platform = "in-process",
                                         .platform_hash = "",
                                         .flavor = "in-process",
                                         .library = "Tutti",
                                         .tutti = TUTTI_VERSION};
  *output = (struct output_store){.store = NULL};
  tutti_status status = path ? tutti_store_open(path, &output->store, error) : TUTTI_OK;
  if (status == TUTTI_OK && path)
    status = tutti_store_environment(output->store, &here, &output->environment, error);
  return status;
}

/* The store is opened first: if that fails, nothing is built in vain. */
tutti_status group_build_in_process(const struct group_options *options, struct group_results *results,
                                    tutti_error *error)
{
  struct output_store output = {.store = NULL};
  tutti_status status = list_points(options, results, error);
  if (status == TUTTI_OK)
    status = output_open(options->launch.database, &output, error);
  for (size_t i = 0; i < results->count && status == TUTTI_OK; i++)
    status = tutti_group_run_in_process(&results->builds[i].point, &results->builds[i].counts, error);
  if (status == TUTTI_OK && output.store)
    status = tutti_store_add_group_runs(output.store, output.environment, results->builds, results->count, error);
  tutti_store_close(output.store);
  return status;
}

/* ---- simulated ---- */

/* Fill in what the store has; it must have all. */
static tutti_status fill_from_store(struct group_results *results, const tutti_group_run *stored, size_t count,
                                    tutti_error *error)
{
  char text[TUTTI_GROUP_POINT_LENGTH];
  for (size_t i = 0; i < results->count; i++) {
    const tutti_group_run *found = bsearch(&results->builds[i], stored, count, sizeof *stored, compare);
    if (!found)
      return tutti_fail(error, TUTTI_ERR_FAULT, "the store has no group built by %s",
                        tutti_group_point_format(&results->builds[i].point, text));
    results->builds[i] = *found;
  }
  return TUTTI_OK;
}

static tutti_status read_stored(const struct group_options *options, const tutti_platform *platform,
                                const tutti_run_summary *summary, struct group_results *results, tutti_error *error)
{
  tutti_selection selection = {.platform = platform->name,
                               .platform_hash = platform->hash,
                               .flavor = options->engine,
                               .library = summary->library,
                               .tutti = TUTTI_VERSION,
                               .ranks_per_node = summary->ranks_per_node};
  tutti_store *store;
  tutti_group_run *stored = NULL;
  size_t count = 0;
  tutti_status status = tutti_store_open_existing(options->launch.database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_read_group_runs(store, &selection, &stored, &count, error);
  tutti_store_close(store);
  if (status == TUTTI_OK)
    status = fill_from_store(results, stored, count, error);
  free(stored);
  return status;
}

static tutti_status run(const struct group_options *options, tutti_platform *platform, tutti_run_summary *summary,
                        tutti_error *error)
{
  tutti_group_sweep sweep = options->sweep;
  char *engine = tutti_xstrdup(options->engine);
  tutti_experiment experiment = {.path = "group",
                                 .name = "group",
                                 .platform_name = platform->name,
                                 .platform_path = platform->path,
                                 .flavor = engine,
                                 .measure = {.scheme = TUTTI_SCHEME_WINDOW, .repetitions_max = 1, .confidence = 0.05},
                                 .group_count = 1,
                                 .groups = &sweep};
  tutti_status status = program_run(&options->launch, &experiment, (tutti_run_options){.quiet = false}, summary, error);
  free(engine);
  return status;
}

tutti_status group_simulate(const struct group_options *options, struct group_results *results, int *signal,
                            tutti_error *error)
{
  char *path = NULL;
  tutti_platform platform;
  tutti_run_summary summary = {.measured = 0};
  tutti_status status = list_points(options, results, error);
  if (status == TUTTI_OK)
    status = tutti_platform_find(options->platform, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_read(path, &platform, error);
  free(path);
  if (status != TUTTI_OK)
    return status;
  memcpy(results->platform, platform.name, sizeof results->platform);
  status = run(options, &platform, &summary, error);
  *signal = summary.signal;
  if (status == TUTTI_OK)
    status = read_stored(options, &platform, &summary, results, error);
  tutti_platform_free(&platform);
  return status;
}
