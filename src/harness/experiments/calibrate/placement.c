#include "harness/experiments/calibrate/placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* That a file has no such job, and what it has instead. */
static tutti_status fail_without(const struct placement_files *files, const char *what, tutti_error *error)
{
  const tutti_passed *passed = files->passed;
  if (!passed || passed->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no job%s", files->allocation, what);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s has no job%s; of its lines %" PRIu64 " %s passed over, the first: %s", files->allocation, what,
                    passed->count, passed->count == 1 ? "is" : "are", tutti_passed_first(passed));
}

static tutti_status read_jobs(const struct placement_files *files, struct placement *placement, tutti_error *error)
{
  struct tutti_lines lines;
  struct placed_job job = {.hosts = NULL};
  (void)tutti_lines_open(&lines, files->allocation, TUTTI_INPUT_TEXT, error);
  while (tutti_node_job_next(&lines, NULL, NULL, files->passed, &job.job))
    tutti_xpush(placement, job);
  const tutti_status status = tutti_lines_close(&lines);
  return status == TUTTI_OK && placement->count == 0 ? fail_without(files, "", error) : status;
}

tutti_status tutti_placement_read(const struct placement_files *files, const char *platform_path,
                                  struct placement *placement, tutti_error *error)
{
  struct engine_machine machine;
  *placement = (struct placement){.files = files};
  if (!files->allocation && !files->levels)
    return TUTTI_OK;
  if (!files->allocation || !files->levels)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--allocation and --levels belong together");
  tutti_status status = tutti_machine_read(platform_path, &machine, error);
  if (status != TUTTI_OK)
    return status;
  placement->topology = machine.network.topology;
  tutti_machine_free(&machine);
  if (placement->topology.kind == TOPOLOGY_FLAT || placement->topology.kind == TOPOLOGY_TORUS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--allocation: the platform is no fat tree and no dragonfly: it has no switches or groups");
  status = tutti_node_table_read(files->levels, &placement->table, error);
  return status == TUTTI_OK ? read_jobs(files, placement, error) : status;
}

void tutti_placement_free(struct placement *placement)
{
  for (size_t i = 0; i < placement->count; i++) {
    tutti_node_job_free(&placement->items[i].job);
    free(placement->items[i].hosts);
  }
  tutti_vector_free(&placement->table);
  tutti_vector_free(placement);
}

/* ---- hosts ---- */

/* Hosts below a switch of the lowest level, and below one of those that the uppermost switches join. */
static void find_capacities(const struct topology *topology, uint32_t *of_switch, uint32_t *of_group)
{
  const long *sizes = topology->sizes;
  if (topology->kind == TOPOLOGY_DRAGONFLY) {
    *of_switch = (uint32_t)sizes[DRAGONFLY_NODES];
    *of_group = (uint32_t)(topology->hosts / sizes[DRAGONFLY_GROUPS]);
  } else {
    *of_switch = (uint32_t)sizes[0];
    *of_group = (uint32_t)(topology->hosts / (topology->levels > 1 ? sizes[topology->levels - 1] : 1));
  }
}

struct ranges {
  TUTTI_VECTOR(const struct node_range *); /* of the nodes of a job */
};

static bool is_same(const struct node_range *left, const struct node_range *right, int first, int end)
{
  bool same = true;
  for (int level = first; level < end; level++)
    same = same && left->parts[level] == right->parts[level];
  return same;
}

/* Number the parts of the levels from @p level up, within those of @p upper and above, in the order in which the job
   has them. */
static uint32_t *number_parts(const struct ranges *ranges, int level, int upper, int end)
{
  uint32_t *numbers = tutti_xcalloc(ranges->count, sizeof *numbers);
  for (size_t i = 0; i < ranges->count; i++) {
    uint32_t next = 0;
    bool known = false;
    for (size_t j = 0; j < i && !known; j++) {
      if (!is_same(ranges->items[j], ranges->items[i], upper, end))
        continue;
      known = is_same(ranges->items[j], ranges->items[i], level, end);
      next = known ? numbers[j] : numbers[j] >= next ? numbers[j] + 1 : next;
    }
    numbers[i] = next;
  }
  return numbers;
}

/* How many nodes of the same parts the table has before a node. */
static uint32_t place_in_part(const struct node_table *table, const struct node_range *range, int node)
{
  uint32_t before = 0;
  for (size_t i = 0; i < table->count && &table->items[i] != range; i++)
    if (is_same(&table->items[i], range, 0, table->level_count))
      before += (uint32_t)(table->items[i].last - table->items[i].first + 1);
  return before + (uint32_t)(node - range->first);
}

/* Its lowest level, and whether there is one above, or another one. */
static bool has_switches(const struct node_table *table)
{
  return strcmp(table->level_names[0], "switch") == 0;
}

static bool has_groups(const struct node_table *table)
{
  return table->level_count > has_switches(table);
}

static tutti_status fail_node(const struct placed_job *job, size_t i, const char *fault, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "node %d%s", job->job.nodes.items[i], fault);
}

static tutti_status place_node(const struct placement *placement, struct placed_job *job, size_t i, uint32_t group,
                               uint32_t leaf, uint32_t own, tutti_error *error)
{
  uint32_t of_switch, of_group;
  find_capacities(&placement->topology, &of_switch, &of_group);
  if (!has_groups(&placement->table)) /* all switches stand side by side */
    of_group = (uint32_t)placement->topology.hosts;
  const uint32_t within = leaf * of_switch + own;
  if (own >= (has_switches(&placement->table) ? of_switch : of_group) || within >= of_group ||
      (uint64_t)group * of_group + within >= (uint64_t)placement->topology.hosts)
    return fail_node(job, i, ": the platform has fewer or smaller switches or groups", error);
  job->hosts[i] = group * of_group + within;
  for (size_t j = 0; j < i; j++)
    if (job->hosts[j] == job->hosts[i])
      return fail_node(job, i, " stands there twice", error);
  return TUTTI_OK;
}

static tutti_status place_nodes(const struct placement *placement, struct placed_job *job, const struct ranges *ranges,
                                tutti_error *error)
{
  const struct node_table *table = &placement->table;
  const int end = table->level_count, top = has_groups(table) ? end - 1 : end;
  uint32_t *groups = number_parts(ranges, top, end, end);
  uint32_t *leaves = number_parts(ranges, has_switches(table) ? 0 : top, top, end);
  tutti_status status = TUTTI_OK;
  job->hosts = tutti_xcalloc(ranges->count, sizeof *job->hosts);
  for (size_t i = 0; i < ranges->count && status == TUTTI_OK; i++)
    status = place_node(placement, job, i, groups[i], leaves[i],
                        place_in_part(table, ranges->items[i], job->job.nodes.items[i]), error);
  free(groups);
  free(leaves);
  return status;
}

static tutti_status place_job(const struct placement *placement, struct placed_job *job, tutti_error *error)
{
  struct ranges ranges = {.count = 0};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < job->job.nodes.count && status == TUTTI_OK; i++) {
    const struct node_range *range = tutti_node_table_find(&placement->table, job->job.nodes.items[i]);
    if (range)
      tutti_xpush(&ranges, range);
    else
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "node %d is not in %s", job->job.nodes.items[i],
                          placement->files->levels);
  }
  if (status == TUTTI_OK)
    status = place_nodes(placement, job, &ranges, error);
  tutti_vector_free(&ranges);
  return status;
}

/* ---- jobs ---- */

/* A run has the files RUN/alloc.csv of its nodes, and RUN/0, RUN/1, ... of its times. */
static bool is_same_run(const struct node_job *job, const char *machine, const char *settings)
{
  size_t length;
  const char *run = tutti_fit_setting(settings, "run", &length);
  if (job->machine && machine && strcmp(job->machine, machine) != 0)
    return false;
  if (!job->run || !run)
    return true;
  const char *slash = memchr(run, '/', length);
  const size_t own = slash ? (size_t)(slash - run) : length;
  return own == strcspn(job->run, "/") && strncmp(job->run, run, own) == 0;
}

static bool serves(const struct placed_job *job, const char *machine, const struct fit_point *point, size_t nodes)
{
  return job->job.nodes.count == nodes && is_same_run(&job->job, machine, point->run);
}

static tutti_status fail_missing(const struct placement *placement, const struct fit_point *point, size_t nodes,
                                 tutti_error *error)
{
  size_t length;
  const char *run = tutti_fit_setting(point->run, "run", &length);
  char *what = tutti_xprintf(" of %zu node%s%s%.*s", nodes, tutti_plural(nodes), run ? " of run " : "",
                             run ? (int)length : 0, run ? run : "");
  const tutti_status status = fail_without(placement->files, what, error);
  free(what);
  return status;
}

/* A real file has jobs on parts of the machine that the platform is not of. */
static tutti_status try_place(struct placement *placement, struct placed_job *job, tutti_error *error)
{
  tutti_error reason;
  if (job->hosts || job->unfit || place_job(placement, job, &reason) == TUTTI_OK)
    return TUTTI_OK;
  job->unfit = true;
  return tutti_pass_over(placement->files->passed, placement->files->allocation, (uint64_t)job->job.line,
                         "a job without a place on the platform", error, "%s", reason.message);
}

struct scenario_jobs {
  TUTTI_VECTOR(struct placed_job *);
};

static tutti_status find_scenario(struct placement *placement, const char *machine, struct fit_point *point,
                                  size_t nodes, tutti_error *error)
{
  const struct fit_scenario *scenario = &point->scenario;
  struct scenario_jobs jobs = {.count = 0};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < placement->count && status == TUTTI_OK; i++) {
    struct placed_job *job = &placement->items[i];
    if (!serves(job, machine, point, nodes))
      continue;
    status = try_place(placement, job, error);
    if (status == TUTTI_OK && !job->unfit)
      tutti_xpush(&jobs, job);
  }
  const size_t count = jobs.count;
  if (count >= (size_t)scenario->count)
    point->hosts = jobs.items[(size_t)scenario->number * count / (size_t)scenario->count]->hosts;
  tutti_vector_free(&jobs);
  if (status != TUTTI_OK || count >= (size_t)scenario->count)
    return status;
  return count == 0 ? fail_missing(placement, point, nodes, error)
                    : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has %zu job%s of %zu nodes on the platform, not %d",
                                 placement->files->allocation, count, tutti_plural(count), nodes, scenario->count);
}

tutti_status tutti_placement_find(struct placement *placement, const char *machine, struct fit_point *point,
                                  tutti_error *error)
{
  const tutti_measurement *measured = &point->measured;
  const size_t nodes = (size_t)((measured->ranks + measured->ranks_per_node - 1) / measured->ranks_per_node);
  if (!placement->files || !placement->files->allocation || point->scenario.number < 0)
    return TUTTI_OK;
  if (point->scenario.count > 0)
    return find_scenario(placement, machine, point, nodes, error);
  for (size_t i = 0; i < placement->count; i++) {
    struct placed_job *job = &placement->items[i];
    if (!serves(job, machine, point, nodes))
      continue;
    const tutti_status status = try_place(placement, job, error);
    if (status != TUTTI_OK || !job->unfit) {
      point->hosts = job->hosts;
      return status;
    }
  }
  return fail_missing(placement, point, nodes, error);
}
