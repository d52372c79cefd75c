/* <prop> elements: SimGrid's options in <config>, and what Tutti wants to know, in the outermost element. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/platform_private.h"

/* smpirun puts these on the command line itself; in XML they are ignored with a warning. */
static const char *const set_by_smpirun[] = {"network/model", "surf/precision", "smpi/privatization",
                                             "smpi/np",       "smpi/hostfile",  "smpi/tmpdir"};

static tutti_status check_option(const xml_file *file, const xmlNode *node, tutti_error *error)
{
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  for (size_t i = 0; i < sizeof set_by_smpirun / sizeof *set_by_smpirun; i++)
    if (strcmp(name, set_by_smpirun[i]) == 0)
      return tutti_xml_fail(file, node, error, "option %s has no effect here: smpirun sets it on its command line",
                            name);
  size_t category = strcspn(name, "/");
  bool in_category = category > 0 && name[category] == '/' && name[category + 1] != '\0' && !strpbrk(name, " \t:");
  if (!in_category && strcmp(name, "path") != 0 && strcmp(name, "plugin") != 0)
    return tutti_xml_fail(file, node, error, "'%s' is not the name of an option: expected CATEGORY/NAME", name);
  if (*value == '\0')
    return tutti_xml_fail(file, node, error, "option %s has an empty value", name);
  return TUTTI_OK;
}

static tutti_status set_text(char **member, const char *value, tutti_error *error)
{
  free(*member);
  *member = strdup(value);
  return *member ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
}

static tutti_status set_ranks_per_node(int *member, const char *value, tutti_error *error)
{
  char *end;
  long ranks = strtol(value, &end, 10);
  if (end == value || *end != '\0' || ranks < 1 || ranks > 1 << 20)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a whole number of at least 1");
  *member = (int)ranks;
  return TUTTI_OK;
}

/* Seconds, as a bare number or with a unit of time. */
static tutti_status set_seconds(double *member, const char *value, tutti_error *error)
{
  char *end;
  *member = strtod(value, &end);
  tutti_status status = TUTTI_OK;
  if (end == value || *end != '\0')
    status = tutti_platform_parse_time(value, member, error);
  if (status == TUTTI_OK && (!isfinite(*member) || *member <= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a time above 0");
  return status;
}

/* As the runtime reads it in simulation: without a unit. */
static tutti_status set_cost(double *member, const char *value, tutti_error *error)
{
  char *end;
  *member = strtod(value, &end);
  if (end == value || *end != '\0' || !(*member >= 0 && *member < 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a number of seconds from 0 to 1");
  return TUTTI_OK;
}

/* A property that is a number. */
struct number {
  const char *name;
  double *member;
};

static double *find_number(const char *name, const struct number *all, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, all[i].name) == 0)
      return all[i].member;
  return NULL;
}

/* The member that is a cost with that name, or NULL. */
static double *find_cost(const char *name, tutti_actor_cost *cost)
{
  const struct number all[] = {{"tutti/actor-start-s", &cost->start},
                               {"tutti/actor-send-s", &cost->send},
                               {"tutti/actor-receive-s", &cost->receive},
                               {"tutti/actor-byte-s", &cost->byte},
                               {"tutti/actor-entry-s", &cost->entry}};
  return find_number(name, all, sizeof all / sizeof *all);
}

/* The member that is a published value with that name, or NULL. */
static double *find_published(const char *name, tutti_platform *platform)
{
  const struct number all[] = {
      {"tutti/published-alpha", &platform->published_alpha}, {"tutti/published-beta", &platform->published_beta},
      {"tutti/published-L", &platform->published_L},         {"tutti/published-o", &platform->published_o},
      {"tutti/published-g", &platform->published_g},         {"tutti/published-G", &platform->published_G},
      {"tutti/published-gamma", &platform->published_gamma}};
  return find_number(name, all, sizeof all / sizeof *all);
}

static tutti_status set(const char *name, const char *value, tutti_platform *platform, tutti_error *error)
{
  if (strcmp(name, "tutti/description") == 0)
    return set_text(&platform->description, value, error);
  if (strcmp(name, "tutti/source") == 0)
    return set_text(&platform->source, value, error);
  if (strcmp(name, "tutti/ranks-per-node") == 0)
    return set_ranks_per_node(&platform->ranks_per_node, value, error);
  double *published = find_published(name, platform);
  if (published)
    return set_seconds(published, value, error);
  double *cost = find_cost(name, &platform->actor_cost);
  if (cost)
    return set_cost(cost, value, error);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown property: known are tutti/description, tutti/source, tutti/ranks-per-node, "
                    "tutti/published-alpha, tutti/published-beta, tutti/published-L, tutti/published-o, "
                    "tutti/published-g, tutti/published-G, tutti/published-gamma, tutti/actor-start-s, "
                    "tutti/actor-send-s, "
                    "tutti/actor-receive-s, tutti/actor-byte-s, tutti/actor-entry-s");
}

static bool repeats_sibling(const xmlNode *node, const char *name)
{
  for (const xmlNode *before = node->prev; before; before = before->prev)
    if (tutti_xml_is(before, "prop") && strcmp(tutti_xml_attribute(before, "id"), name) == 0)
      return true;
  return false;
}

static tutti_status read_property(const xml_file *file, const xmlNode *node, tutti_platform *platform,
                                  tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  if (node->parent != tutti_platform_outermost(file))
    return tutti_xml_fail(file, node, error, "%s belongs into the outermost <zone> or <cluster>", name);
  if (repeats_sibling(node, name))
    return tutti_xml_fail(file, node, error, "%s is given twice", name);
  tutti_status status = set(name, value, platform, &reason);
  if (status == TUTTI_ERR_ARGUMENT)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": %s", name, value, reason.message);
  return status == TUTTI_OK ? status : tutti_fail(error, status, "%s: %s", file->path, reason.message);
}

tutti_status tutti_platform_read_properties(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    if (!tutti_xml_is(node, "prop"))
      continue;
    if (tutti_xml_is(node->parent, "config"))
      status = check_option(file, node, error);
    else if (strncmp(tutti_xml_attribute(node, "id"), "tutti/", strlen("tutti/")) == 0)
      status = read_property(file, node, platform, error);
  }
  return status;
}
