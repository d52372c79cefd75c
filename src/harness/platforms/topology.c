#include "harness/platforms/topology.h"

#include <stdlib.h>
#include <string.h>

#include "harness/platforms/platform_private.h"

/* ---- numbers separated by commas, parts by semicolons ---- */

/* Read the numbers of a part and skip its end; 0 unless they are at least 1. */
static int parse_part(const char **text, long numbers[TOPOLOGY_MAX_LEVELS])
{
  for (int count = 0; count < TOPOLOGY_MAX_LEVELS; ++*text) {
    int number;
    *text = tutti_platform_parse_number(*text, &number);
    if (!*text || number < 1)
      return 0;
    numbers[count++] = number;
    if (**text != ',')
      return **text == ';' || **text == '\0' ? count : 0;
  }
  return 0;
}

/* Read a part of @p count numbers, the last one or not. */
static bool parse_exact(const char **text, int count, bool last, long numbers[TOPOLOGY_MAX_LEVELS])
{
  if (!*text || parse_part(text, numbers) != count || (**text == '\0') != last)
    return false;
  *text += !last;
  return true;
}

static bool parse_torus(const char *text, struct topology *topology)
{
  topology->levels = parse_part(&text, topology->sizes);
  return topology->levels > 0 && *text == '\0';
}

/* "LEVELS;CHILDREN,...;PARENTS,...;CABLES,..." */
static bool parse_fat_tree(const char *text, struct topology *topology)
{
  long levels[TOPOLOGY_MAX_LEVELS];
  if (!parse_exact(&text, 1, false, levels) || levels[0] > TOPOLOGY_MAX_LEVELS)
    return false;
  topology->levels = (int)levels[0];
  return parse_exact(&text, topology->levels, false, topology->sizes) &&
         parse_exact(&text, topology->levels, false, topology->up) &&
         parse_exact(&text, topology->levels, true, topology->cables);
}

/* "GROUPS,CABLES;CHASSIS,CABLES;ROUTERS,CABLES;NODES" */
static bool parse_dragonfly(const char *text, struct topology *topology)
{
  long numbers[TOPOLOGY_MAX_LEVELS];
  topology->levels = DRAGONFLY_LEVELS;
  for (int level = 0; level < DRAGONFLY_NODES; level++) {
    if (!parse_exact(&text, 2, false, numbers))
      return false;
    topology->sizes[level] = numbers[0];
    topology->cables[level] = numbers[1];
  }
  if (!parse_exact(&text, 1, true, numbers))
    return false;
  topology->sizes[DRAGONFLY_NODES] = numbers[0];
  return true;
}

/* Too many are PLATFORM_MAX_HOSTS + 1. */
static long count_hosts(const struct topology *topology)
{
  long hosts = 1;
  for (int level = 0; level < topology->levels; level++) {
    if (hosts > PLATFORM_MAX_HOSTS / topology->sizes[level])
      return PLATFORM_MAX_HOSTS + 1;
    hosts *= topology->sizes[level];
  }
  return hosts;
}

static const struct {
  const char *name;
  bool (*parse)(const char *text, struct topology *topology);
} kinds[] = {[TOPOLOGY_FLAT] = {"FLAT", NULL},
             [TOPOLOGY_TORUS] = {"TORUS", parse_torus},
             [TOPOLOGY_FAT_TREE] = {"FAT_TREE", parse_fat_tree},
             [TOPOLOGY_DRAGONFLY] = {"DRAGONFLY", parse_dragonfly}};

tutti_status tutti_topology_parse(const char *name, const char *parameters, struct topology *topology,
                                  tutti_error *error)
{
  *topology = (struct topology){.kind = TOPOLOGY_FLAT, .hosts = -1};
  for (int kind = TOPOLOGY_TORUS; name && kind <= TOPOLOGY_DRAGONFLY; kind++)
    if (strcmp(kinds[kind].name, name) == 0) {
      parameters = parameters ? parameters : "";
      topology->kind = (enum topology_kind)kind;
      if (!kinds[kind].parse(parameters, topology))
        return tutti_fail(error, TUTTI_ERR_ARGUMENT, "topo_parameters=\"%s\" does not describe a %s", parameters, name);
      topology->hosts = count_hosts(topology);
      if (topology->hosts > PLATFORM_MAX_HOSTS)
        return tutti_fail(error, TUTTI_ERR_ARGUMENT, "topo_parameters=\"%s\": a %s of more than %d hosts", parameters,
                          name, PLATFORM_MAX_HOSTS);
    }
  return TUTTI_OK;
}

const char *tutti_topology_name(enum topology_kind kind)
{
  return kinds[kind].name;
}

/* ---- written ---- */

static void append(char *text, const char *separator, long number)
{
  size_t length = strlen(text);
  snprintf(text + length, TOPOLOGY_TEXT_LENGTH - length, "%s%ld", separator, number);
}

static void append_list(char *text, const char *before, const long *numbers, int count)
{
  for (int i = 0; i < count; i++)
    append(text, i ? "," : before, numbers[i]);
}

void tutti_topology_write(const struct topology *topology, char text[TOPOLOGY_TEXT_LENGTH])
{
  int levels = topology->levels;
  text[0] = '\0';
  if (topology->kind == TOPOLOGY_FAT_TREE) {
    append(text, "", levels);
    append_list(text, ";", topology->sizes, levels);
    append_list(text, ";", topology->up, levels);
    append_list(text, ";", topology->cables, levels);
  } else if (topology->kind == TOPOLOGY_TORUS) {
    append_list(text, "", topology->sizes, levels);
  } else if (topology->kind == TOPOLOGY_DRAGONFLY) {
    for (int level = 0; level < levels; level++) {
      append(text, level ? ";" : "", topology->sizes[level]);
      if (level < DRAGONFLY_NODES)
        append(text, ",", topology->cables[level]);
    }
  }
}

/* ---- routes ---- */

bool tutti_topology_has_routes(const struct topology *topology)
{
  const long *sizes = topology->sizes;
  return topology->kind != TOPOLOGY_DRAGONFLY || sizes[DRAGONFLY_GROUPS] == 1 ||
         sizes[DRAGONFLY_GROUPS] <= sizes[DRAGONFLY_ROUTERS];
}

static int torus_distance(const struct topology *topology, long from, long to)
{
  long links = 0;
  for (int i = 0; i < topology->levels; i++) {
    long size = topology->sizes[i], steps = labs(from % size - to % size);
    links += steps < size - steps ? steps : size - steps;
    from /= size;
    to /= size;
  }
  return (int)links;
}

/* Up to the lowest switch that has both below it, and down. */
static int fat_tree_distance(const struct topology *topology, long from, long to)
{
  int level = 0;
  for (; from != to; level++) {
    from /= topology->sizes[level];
    to /= topology->sizes[level];
  }
  return 2 * level;
}

/* The route that SimGrid takes: after a step within a chassis it assumes to be in the first one (DragonflyZone.cpp). */
static int dragonfly_distance(const struct topology *topology, long from, long to)
{
  struct router at = topology_router(topology, from), target = topology_router(topology, to);
  if (at.group == target.group && at.chassis == target.chassis && at.router == target.router)
    return 2;
  int links = 2;
  if (at.group != target.group) {
    links += 1 + (at.router != target.group) + (at.chassis != 0);
    at = (struct router){target.group, 0, at.group};
  }
  if (at.router != target.router) {
    links++;
    at.chassis = 0;
  }
  return links + (at.chassis != target.chassis);
}

/* Over the leaf switch, over the spines of the cell, or over those of both cells. */
static int dragonfly_plus_distance(const struct topology *topology, long from, long to)
{
  const long hosts = topology->sizes[PLUS_HOSTS], leaves = topology->sizes[PLUS_LEAVES];
  if (from / hosts == to / hosts)
    return 2;
  return from / hosts / leaves == to / hosts / leaves ? 4 : 5;
}

int tutti_topology_distance(const struct topology *topology, long from, long to)
{
  if (from == to)
    return 0;
  switch (topology->kind) {
  case TOPOLOGY_TORUS:
    return torus_distance(topology, from, to);
  case TOPOLOGY_FAT_TREE:
    return fat_tree_distance(topology, from, to);
  case TOPOLOGY_DRAGONFLY:
    return dragonfly_distance(topology, from, to);
  case TOPOLOGY_DRAGONFLY_PLUS:
    return dragonfly_plus_distance(topology, from, to);
  case TOPOLOGY_FLAT:
    break;
  }
  return 2;
}
