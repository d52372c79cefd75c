#include "cli/fit/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const struct option_row placement_table[] = {
    OPTION_STRING(
        "allocation", "FILE", struct placement_options, allocation,
        "put ranks where the job had them: a line a job, whose last field lists its nodes in the order of the "
        "ranks, before that machine and run; with --levels",
        .otherwise = "ranks on consecutive nodes"),
    OPTION_STRING("levels", "FILE", struct placement_options, levels,
                  "the switch, cell or group of each node: a table with the headings first_node, last_node and those"),
    OPTION_END};

/* ---- reading ---- */

/* "machine run nodes", "4 nodes" or "nodes". */
static void read_job(struct tutti_lines *lines, struct placement *placement)
{
  struct placed_job job = {.line = lines->number};
  tutti_error reason;
  tutti_node_job_origin(lines->text, &job.machine, &job.run);
  if (tutti_node_job_parse(lines->text, &job.nodes, &reason) != TUTTI_OK)
    tutti_lines_fault(lines, "%s", reason.message);
  tutti_xpush(placement, job);
}

static void read_jobs(const char *path, struct placement *placement)
{
  struct tutti_lines lines;
  must(tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, &failure));
  while (tutti_lines_next(&lines))
    if (lines.text[0] != '#' && lines.length > 0 && !tutti_node_job_is_heading(lines.text))
      read_job(&lines, placement);
  must(tutti_lines_close(&lines));
}

void placement_read(const struct placement_options *options, const char *platform_path, struct placement *placement)
{
  struct engine_machine machine;
  *placement = (struct placement){.options = options};
  if (!options->allocation && !options->levels)
    return;
  if (!options->allocation || !options->levels)
    die("--allocation and --levels belong together");
  must(tutti_machine_read(platform_path, &machine, &failure));
  placement->topology = machine.network.topology;
  tutti_machine_free(&machine);
  if (placement->topology.kind == TOPOLOGY_FLAT || placement->topology.kind == TOPOLOGY_TORUS)
    die("--allocation: the platform is no fat tree and no dragonfly: it has no switches or groups");
  must(tutti_node_table_read(options->levels, &placement->table, &failure));
  read_jobs(options->allocation, placement);
}

void placement_free(struct placement *placement)
{
  for (size_t i = 0; i < placement->count; i++) {
    struct placed_job *job = &placement->items[i];
    tutti_vector_free(&job->nodes);
    free(job->machine);
    free(job->run);
    free(job->hosts);
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

static void place_node(const struct placement *placement, struct placed_job *job, size_t i, uint32_t group,
                       uint32_t leaf, uint32_t own)
{
  uint32_t of_switch, of_group;
  const struct node_table *table = &placement->table;
  const int node = job->nodes.items[i];
  find_capacities(&placement->topology, &of_switch, &of_group);
  const bool switches = has_switches(table);
  if (!has_groups(table)) {
    /* switches alone: all of them stand side by side */
    of_group = (uint32_t)placement->topology.hosts;
  }
  const uint32_t within = leaf * of_switch + own;
  if (own >= (switches ? of_switch : of_group) || within >= of_group ||
      (uint64_t)group * of_group + within >= (uint64_t)placement->topology.hosts)
    die("%s:%d: node %d: the platform has fewer or smaller switches or groups", placement->options->allocation,
        job->line, node);
  job->hosts[i] = group * of_group + within;
  for (size_t j = 0; j < i; j++)
    if (job->hosts[j] == job->hosts[i])
      die("%s:%d: node %d stands there twice", placement->options->allocation, job->line, node);
}

static void place_nodes(const struct placement *placement, struct placed_job *job, const struct ranges *ranges)
{
  const struct node_table *table = &placement->table;
  const int end = table->level_count, top = has_groups(table) ? end - 1 : end;
  uint32_t *groups = number_parts(ranges, top, end, end);
  uint32_t *leaves = number_parts(ranges, has_switches(table) ? 0 : top, top, end);
  for (size_t i = 0; i < job->nodes.count; i++)
    place_node(placement, job, i, groups[i], leaves[i], place_in_part(table, ranges->items[i], job->nodes.items[i]));
  free(groups);
  free(leaves);
}

static void place(const struct placement *placement, struct placed_job *job)
{
  struct ranges ranges = {.count = 0};
  for (size_t i = 0; i < job->nodes.count; i++) {
    const struct node_range *range = tutti_node_table_find(&placement->table, job->nodes.items[i]);
    if (!range)
      die("%s:%d: node %d is not in %s", placement->options->allocation, job->line, job->nodes.items[i],
          placement->options->levels);
    tutti_xpush(&ranges, range);
  }
  job->hosts = tutti_xcalloc(job->nodes.count, sizeof *job->hosts);
  place_nodes(placement, job, &ranges);
  tutti_vector_free(&ranges);
}

/* ---- jobs ---- */

/* A run has the files RUN/alloc.csv of its nodes, and RUN/0, RUN/1, ... of its times. */
static bool is_same_run(const struct placed_job *job, const char *machine, const char *settings)
{
  size_t length;
  const char *run = fit_setting(settings, "run", &length);
  if (job->machine && machine && strcmp(job->machine, machine) != 0)
    return false;
  if (!job->run || !run)
    return true;
  const char *slash = memchr(run, '/', length);
  const size_t own = slash ? (size_t)(slash - run) : length;
  return own == strcspn(job->run, "/") && strncmp(job->run, run, own) == 0;
}

void placement_find(struct placement *placement, const char *machine, struct fit_point *point)
{
  const tutti_measurement *measured = &point->measured;
  const size_t nodes = (size_t)((measured->ranks + measured->ranks_per_node - 1) / measured->ranks_per_node);
  if (!placement->options || !placement->options->allocation)
    return;
  for (size_t i = 0; i < placement->count; i++) {
    struct placed_job *job = &placement->items[i];
    if (job->nodes.count != nodes || !is_same_run(job, machine, point->run))
      continue;
    if (!job->hosts)
      place(placement, job);
    point->hosts = job->hosts;
    return;
  }
  size_t length;
  const char *run = fit_setting(point->run, "run", &length);
  die("%s has no job of %zu nodes%s%.*s", placement->options->allocation, nodes, run ? " of run " : "",
      run ? (int)length : 0, run ? run : "");
}
