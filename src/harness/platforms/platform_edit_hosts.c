/* The edits hosts=, ranks_per_node= and network=. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"

/* A whole number that may be given relative to @p before. */
static tutti_status parse_count(const struct editing *editing, int before, const char *value, int *count,
                                tutti_error *error)
{
  tutti_error reason;
  char text[16], *after, *end;
  snprintf(text, sizeof text, "%d", before);
  if (tutti_edit_value(EDIT_TEXT, text, value, &after, &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "%s", reason.message);
  long number = strtol(after, &end, 10);
  bool whole = end != after && *end == '\0' && number >= 1 && number <= PLATFORM_MAX_HOSTS;
  tutti_status status =
      whole ? TUTTI_OK
            : tutti_edit_fail(editing, error, "'%.80s' is not a whole number from 1 to %d", after, PLATFORM_MAX_HOSTS);
  free(after);
  *count = (int)number;
  return status;
}

tutti_status tutti_edit_count_hosts(const xmlNode *cluster, int *count, tutti_error *error)
{
  int *numbers;
  tutti_status status = tutti_platform_expand_radical(tutti_xml_attribute(cluster, "radical"), &numbers, count, error);
  if (status == TUTTI_OK)
    free(numbers);
  return status;
}

tutti_status tutti_edit_number_hosts(struct editing *editing, xmlNode *cluster, long count, tutti_error *error)
{
  char radical[32];
  snprintf(radical, sizeof radical, "0-%ld", count - 1);
  return tutti_edit_set(editing, cluster, "radical", radical, error);
}

tutti_status tutti_edit_hosts(struct editing *editing, const char *value, tutti_error *error)
{
  xmlNode *cluster = tutti_edit_cluster(editing, error);
  if (!cluster)
    return error->status;
  const char *topology = tutti_xml_attribute(cluster, "topology");
  if (topology && strcmp(topology, "FLAT") != 0)
    return tutti_edit_fail(editing, error, "the <cluster> is a %s: say topology= with as many hosts", topology);
  int count;
  tutti_status status = tutti_edit_count_hosts(cluster, &count, error);
  if (status == TUTTI_OK)
    status = parse_count(editing, count, value, &count, error);
  return status == TUTTI_OK ? tutti_edit_number_hosts(editing, cluster, count, error) : status;
}

/* Several ranks on a host want as many cores, a loopback of their own (SimGrid's default is an Ethernet's: 15 us,
   498 MB/s), and links without queues, which would queue their computation too (platforms/README.md). */
static tutti_status share_hosts(struct editing *editing, xmlNode *cluster, int ranks, tutti_error *error)
{
  char text[16];
  snprintf(text, sizeof text, "%d", ranks);
  const char *cores = tutti_xml_attribute(cluster, "core");
  if (!tutti_xml_attribute(cluster, "loopback_lat") || !tutti_xml_attribute(cluster, "loopback_bw"))
    return tutti_edit_fail(editing, error,
                           "ranks on one host need loopback-latency= and loopback-bandwidth= before it");
  tutti_status status = TUTTI_OK;
  if (!cores || strtol(cores, NULL, 10) < ranks)
    status = tutti_edit_set(editing, cluster, "core", text, error);
  xmlNode *config = tutti_edit_config(editing);
  if (status == TUTTI_OK)
    status = tutti_edit_set_prop(editing, config, "maxmin/concurrency-limit", NULL, error);
  return status;
}

tutti_status tutti_edit_ranks_per_node(struct editing *editing, const char *value, tutti_error *error)
{
  char text[16];
  int ranks;
  xmlNode *outermost = tutti_edit_outermost(editing), *cluster = tutti_edit_cluster(editing, error);
  if (!cluster)
    return error->status;
  const xmlNode *before = tutti_edit_find_prop(outermost, "tutti/ranks-per-node");
  int present = before ? atoi(tutti_xml_attribute(before, "value")) : 1;
  tutti_status status = parse_count(editing, present, value, &ranks, error);
  if (status == TUTTI_OK && ranks > 1)
    status = share_hosts(editing, cluster, ranks, error);
  snprintf(text, sizeof text, "%d", ranks);
  if (status == TUTTI_OK && (before || ranks > 1))
    status = tutti_edit_set_prop(editing, outermost, "tutti/ranks-per-node", text, error);
  return status;
}

/* ---- network=: the wires of another platform ---- */

static bool is_option_of_network(const char *id)
{
  static const char *const known[] = {
      "smpi/bw-factor", "smpi/lat-factor",         "smpi/os",     "smpi/ois",
      "smpi/or",        "smpi/async-small-thresh", "smpi/iprobe", "smpi/send-is-detached-thresh",
      "smpi/test"};
  if (strncmp(id, "network/", strlen("network/")) == 0)
    return true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i], id) == 0)
      return true;
  return false;
}

/* Replace the properties that @p wanted selects by those of @p source, or remove them if it is NULL. */
static tutti_status copy_props(struct editing *editing, xmlNode *target, const xmlNode *source,
                               bool (*wanted)(const char *id), tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (xmlNode *node = tutti_xml_element_from(target->children), *next; node && status == TUTTI_OK; node = next) {
    next = tutti_xml_element_from(node->next);
    const char *id = tutti_xml_is(node, "prop") ? tutti_xml_attribute(node, "id") : NULL;
    if (id && wanted(id) && !(source && tutti_edit_find_prop(source, id)))
      status = tutti_edit_set_prop(editing, target, id, NULL, error);
  }
  for (xmlNode *node = source ? tutti_xml_element_from(source->children) : NULL; node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "prop") && wanted(tutti_xml_attribute(node, "id")))
      status = tutti_edit_set_prop(editing, target, tutti_xml_attribute(node, "id"), tutti_xml_attribute(node, "value"),
                                   error);
  return status;
}

static bool is_flat(const xmlNode *cluster)
{
  const char *topology = tutti_xml_attribute(cluster, "topology");
  return !topology || strcmp(topology, "FLAT") == 0;
}

static tutti_status copy_attributes(struct editing *editing, xmlNode *target, const xmlNode *source, tutti_error *error)
{
  /* Those of the wires are as in the other file; a node's own loopback stays if that file has none. */
  static const struct {
    const char *name;
    bool keep, flat;
  } all[] = {{"bw", false, false},           {"lat", false, false},        {"sharing_policy", false, false},
             {"limiter_link", false, false}, {"loopback_bw", true, false}, {"loopback_lat", true, false},
             {"bb_bw", false, true},         {"bb_lat", false, true},      {"bb_sharing_policy", false, true}};
  bool both_flat = is_flat(target) && is_flat(source);
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sizeof all / sizeof *all && status == TUTTI_OK; i++) {
    const char *value = tutti_xml_attribute(source, all[i].name);
    if ((value || !all[i].keep) && (both_flat || !all[i].flat))
      status = tutti_edit_set(editing, target, all[i].name, value, error);
  }
  return status;
}

/* Between two flat clusters the switch goes with the network, without the limit that keeps messages from meeting. */
static tutti_status copy_contention(struct editing *editing, const xmlNode *source, tutti_error *error)
{
  const bool ports = tutti_edit_find_prop(source, "tutti/port-contention") != NULL;
  const bool any = ports || tutti_edit_find_prop(source, "tutti/backbone-contention");
  const tutti_status status =
      copy_props(editing, tutti_edit_outermost(editing), source, tutti_platform_is_contention, error);
  return any && status == TUTTI_OK ? tutti_edit_drop_limit(editing, !ports, error) : status;
}

static tutti_status copy_published(struct editing *editing, const xmlNode *source, tutti_error *error)
{
  tutti_status status = tutti_edit_drop_published(editing, error);
  editing->touched = 0;
  if (status != TUTTI_OK || !source)
    return status;
  return copy_props(editing, tutti_edit_outermost(editing), source, tutti_edit_is_published_of_network, error);
}

static tutti_status copy(struct editing *editing, const struct editing *other, tutti_error *error)
{
  xmlNode *target = tutti_edit_cluster(editing, error), *source = target ? tutti_edit_cluster(other, error) : NULL;
  xmlNode *config = source ? tutti_edit_config(editing) : NULL;
  if (!target || !source)
    return error->status;
  bool both_flat = is_flat(target) && is_flat(source);
  const xmlNode *options = tutti_xml_element_from(tutti_xml_root(other->file)->children);
  tutti_status status = copy_attributes(editing, target, source, error);
  if (status == TUTTI_OK)
    status = copy_props(editing, config, tutti_xml_is(options, "config") ? options : NULL, is_option_of_network, error);
  if (status == TUTTI_OK)
    status = both_flat ? copy_contention(editing, tutti_edit_outermost(other), error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = copy_published(editing, both_flat ? tutti_edit_outermost(other) : NULL, error);
  return status;
}

tutti_status tutti_edit_network(struct editing *editing, const char *value, tutti_error *error)
{
  char *path;
  tutti_error reason;
  tutti_platform checked;
  xml_file file;
  if (tutti_platform_find(value, &path, &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "%s", reason.message);
  tutti_status status = tutti_platform_read(path, &checked, &reason);
  if (status == TUTTI_OK) {
    tutti_platform_free(&checked);
    status = tutti_xml_file_read(path, &file, &reason);
  }
  if (status != TUTTI_OK) {
    free(path);
    return tutti_edit_fail(editing, error, "%s", reason.message);
  }
  struct editing other = {.file = &file, .edit = editing->edit};
  status = copy(editing, &other, error);
  tutti_xml_file_free(&file);
  free(path);
  return status;
}
