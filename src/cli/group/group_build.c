/* tutti group: the builds themselves, within this process or simulated. */
#include "cli/group/group.h"
#include "cli/output/output.h"

int group_compare(const void *left, const void *right)
{
  return tutti_group_point_compare(&((const tutti_group_run *)left)->point, &((const tutti_group_run *)right)->point);
}

/* Every combination that can be built, once, in order. With all builders, those that cannot build one are left out. */
static void list_points(const struct group_options *options, struct group_results *results)
{
  const tutti_group_sweep *sweep = &options->sweep;
  results->count = 0;
  results->builds = tutti_xcalloc((size_t)sweep->ranks_count * sweep->point_count, sizeof *results->builds);
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count; p++) {
      tutti_group_run build = {.point = sweep->points[p], .ranks_per_node = 1};
      build.point.sample.size = sweep->ranks[r];
      tutti_status status = tutti_group_point_check(&build.point, &failure);
      if (status == TUTTI_OK)
        results->builds[results->count++] = build;
      else if (!options->all_builders || status != TUTTI_ERR_UNSUPPORTED)
        must(status);
    }
  if (results->count == 0)
    must(failure.status); /* nothing can be built, and the last refusal says why */
  qsort(results->builds, results->count, sizeof *results->builds, group_compare);
  size_t kept = 1;
  for (size_t i = 1; i < results->count; i++)
    if (group_compare(&results->builds[kept - 1], &results->builds[i]) != 0)
      results->builds[kept++] = results->builds[i];
  results->count = kept;
}

/* ---- within this process ---- */

static tutti_store *open_output(const char *path, int64_t *environment)
{
  static const tutti_environment here = {.platform = "in-process",
                                         .platform_hash = "",
                                         .flavor = "in-process",
                                         .library = "Tutti",
                                         .tutti = TUTTI_VERSION};
  tutti_store *store = store_open(path);
  must(tutti_store_environment(store, &here, environment, &failure));
  return store;
}

/* The store is opened first: if that fails, nothing is built in vain. */
void group_build_in_process(const struct group_options *options, struct group_results *results)
{
  int64_t environment;
  list_points(options, results);
  tutti_store *store = options->launch.database ? open_output(options->launch.database, &environment) : NULL;
  for (size_t i = 0; i < results->count; i++)
    must(tutti_group_run_in_process(&results->builds[i].point, &results->builds[i].counts, &failure));
  if (!store)
    return;
  must(tutti_store_add_group_runs(store, environment, results->builds, results->count, &failure));
  store_close(store);
}

/* ---- simulated ---- */

/* Fill in what the store has; it must have all. */
static void fill_from_store(struct group_results *results, const tutti_group_run *stored, size_t count)
{
  char text[TUTTI_GROUP_POINT_LENGTH];
  for (size_t i = 0; i < results->count; i++) {
    const tutti_group_run *found = bsearch(&results->builds[i], stored, count, sizeof *stored, group_compare);
    if (!found)
      die("the store has no group built by %s", tutti_group_point_format(&results->builds[i].point, text));
    results->builds[i] = *found;
  }
}

static void read_stored(const struct group_options *options, const tutti_platform *platform,
                        const tutti_run_summary *summary, struct group_results *results)
{
  tutti_selection selection = {.platform = platform->name,
                               .platform_hash = platform->hash,
                               .flavor = options->engine,
                               .library = summary->library,
                               .tutti = TUTTI_VERSION,
                               .ranks_per_node = summary->ranks_per_node};
  tutti_group_run *stored = NULL;
  size_t count = 0;
  tutti_store *store = store_open_existing(options->launch.database);
  must(tutti_store_read_group_runs(store, &selection, &stored, &count, &failure));
  store_close(store);
  fill_from_store(results, stored, count);
  free(stored);
}

static void measure_builds(const struct group_options *options, tutti_platform *platform, tutti_run_summary *summary)
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
  program_measure(&options->launch, &experiment, (tutti_run_options){.quiet = false}, summary);
  free(engine);
}

void group_simulate(const struct group_options *options, struct group_results *results)
{
  char *path = NULL;
  tutti_platform platform;
  tutti_run_summary summary = {.measured = 0};
  list_points(options, results);
  must(tutti_platform_find(options->platform, &path, &failure));
  must(tutti_platform_read(path, &platform, &failure));
  free(path);
  memcpy(results->platform, platform.name, sizeof results->platform);
  measure_builds(options, &platform, &summary);
  read_stored(options, &platform, &summary, results);
  tutti_platform_free(&platform);
}
