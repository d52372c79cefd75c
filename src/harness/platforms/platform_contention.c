/* Links that lose throughput: SimGrid and the fast engine simulate them in one flat cluster. */
#include <stdlib.h>
#include <string.h>

#include "harness/platforms/platform_private.h"

static const char port[] = "tutti/port-contention", backbone[] = "tutti/backbone-contention",
                  one[] = "tutti/messages-a-cable", limit[] = "maxmin/concurrency-limit";

bool tutti_platform_is_contention(const char *id)
{
  return strcmp(id, port) == 0 || strcmp(id, backbone) == 0;
}

bool tutti_platform_contends(const tutti_platform *platform)
{
  return platform->backbone_contention.messages > 0 || platform->port_contention.messages > 0;
}

/* The one <cluster>, or NULL with @p error filled in. */
static const xmlNode *find_cluster(const xml_file *file, const xmlNode *property, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file), *found = NULL;
  bool others = false;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    const bool cluster = tutti_xml_is(node, "cluster");
    others |=
        tutti_xml_is(node, "host") || tutti_xml_is(node, "cabinet") || tutti_xml_is(node, "peer") || (cluster && found);
    found = cluster ? node : found;
  }
  const char *topology = found ? tutti_xml_attribute(found, "topology") : NULL;
  if (found && !others && (!topology || strcmp(topology, "FLAT") == 0))
    return found;
  tutti_xml_fail(file, property, error, "%s is for a machine of one flat <cluster>",
                 tutti_xml_attribute(property, "id"));
  return NULL;
}

/* Messages that wait for each other do not meet. */
static tutti_status check_limit(const xml_file *file, const xmlNode *property, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "prop") && tutti_xml_is(node->parent, "config") &&
        strcmp(tutti_xml_attribute(node, "id"), limit) == 0 &&
        strtol(tutti_xml_attribute(node, "value"), NULL, 10) >= 0)
      return tutti_xml_fail(file, property, error,
                            "%s has no effect with the %s of line %ld, which keeps messages from meeting: leave that "
                            "out%s",
                            tutti_xml_attribute(property, "id"), limit, xmlGetLineNo(node),
                            strcmp(tutti_xml_attribute(property, "id"), backbone) == 0
                                ? "; tutti/messages-a-cable=\"1\" is a limit of the cables alone"
                                : "");
  return TUTTI_OK;
}

static bool is_fat_pipe(const xmlNode *cluster, const char *attribute)
{
  const char *policy = tutti_xml_attribute(cluster, attribute);
  return policy && strcmp(policy, "FATPIPE") == 0;
}

static tutti_status check_property(const xml_file *file, const xmlNode *property, tutti_error *error)
{
  const char *name = tutti_xml_attribute(property, "id");
  const bool of_backbone = strcmp(name, backbone) == 0;
  const xmlNode *cluster = find_cluster(file, property, error);
  if (!cluster)
    return TUTTI_ERR_ARGUMENT;
  if (of_backbone && !tutti_xml_attribute(cluster, "bb_bw"))
    return tutti_xml_fail(file, property, error, "%s: the <cluster> has no backbone: bb_bw and bb_lat make one", name);
  if (is_fat_pipe(cluster, of_backbone ? "bb_sharing_policy" : "sharing_policy"))
    return tutti_xml_fail(file, property, error, "%s: nothing is shared on a link that is a FATPIPE", name);
  const bool of_port = strcmp(name, port) == 0;
  for (const xmlNode *node = property->parent->children; node && of_port; node = node->next)
    if (tutti_xml_is(node, "prop") && strcmp(tutti_xml_attribute(node, "id"), one) == 0)
      return tutti_xml_fail(file, property, error, "%s has no effect with %s, which keeps messages from meeting", name,
                            one);
  return check_limit(file, property, error);
}

tutti_status tutti_platform_check_contention(const xml_file *file, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = tutti_xml_element_from(tutti_platform_outermost(file)->children);
       node && status == TUTTI_OK; node = tutti_xml_element_from(node->next)) {
    const char *id = tutti_xml_is(node, "prop") ? tutti_xml_attribute(node, "id") : "";
    if (tutti_platform_is_contention(id) || strcmp(id, one) == 0)
      status = check_property(file, node, error);
  }
  return status;
}

/* ---- edits ---- */

tutti_status tutti_edit_drop_limit(struct editing *editing, bool cables, tutti_error *error)
{
  xmlNode *config = tutti_edit_config(editing), *outermost = tutti_edit_outermost(editing);
  const bool limited = tutti_edit_find_prop(config, limit) != NULL;
  tutti_status status = tutti_edit_set_prop(editing, config, limit, NULL, error);
  if (status == TUTTI_OK && limited && cables)
    status = tutti_edit_set_prop(editing, outermost, one, "1", error);
  return status == TUTTI_OK && !cables ? tutti_edit_set_prop(editing, outermost, one, NULL, error) : status;
}

static tutti_status edit(struct editing *editing, const char *id, const char *value, tutti_error *error)
{
  const tutti_status status =
      tutti_edit_set_prop(editing, tutti_edit_outermost(editing), id, *value ? value : NULL, error);
  return *value && status == TUTTI_OK ? tutti_edit_drop_limit(editing, strcmp(id, backbone) == 0, error) : status;
}

tutti_status tutti_edit_backbone_contention(struct editing *editing, const char *value, tutti_error *error)
{
  return edit(editing, backbone, value, error);
}

tutti_status tutti_edit_port_contention(struct editing *editing, const char *value, tutti_error *error)
{
  return edit(editing, port, value, error);
}
