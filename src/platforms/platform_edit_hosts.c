/* hosts=, ranks_per_node= */
#include <stdlib.h>
#include <string.h>

#include "platforms/platform_edit_private.h"
#include "platforms/platform_private.h"

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
  bool whole = end != after && *end == '\0' && number >= 1 && number <= PLATFORM_MOST_HOSTS;
  tutti_status status =
      whole ? TUTTI_OK
            : tutti_edit_fail(editing, error, "'%.80s' is not a whole number from 1 to %d", after, PLATFORM_MOST_HOSTS);
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
  if (status == TUTTI_OK && config)
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
