/* Hosts of a platform: radicals and topologies of clusters, and all names in document order. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/topology.h"

static const char *skip_blanks(const char *text)
{
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

const char *tutti_platform_parse_number(const char *text, int *number)
{
  char *end;
  text = skip_blanks(text);
  if (!isdigit((unsigned char)*text))
    return NULL;
  unsigned long value = strtoul(text, &end, 10);
  if (value > INT_MAX)
    return NULL;
  *number = (int)value;
  return skip_blanks(end);
}

static const char *parse_range(const char *text, int *first, int *last)
{
  text = tutti_platform_parse_number(text, first);
  *last = text ? *first : 0;
  if (text && *text == '-')
    text = tutti_platform_parse_number(text + 1, last);
  return text && (*text == ',' || *text == '\0') && *first <= *last ? text : NULL;
}

static tutti_status append_range(int first, int last, int **numbers, int *count, tutti_error *error)
{
  long total = *count + ((long)last - first + 1);
  if (total > PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d hosts", PLATFORM_MAX_HOSTS);
  *numbers = tutti_xrealloc(*numbers, (size_t)total * sizeof **numbers);
  for (long number = first; number <= last; number++)
    (*numbers)[(*count)++] = (int)number;
  return TUTTI_OK;
}

tutti_status tutti_platform_expand_radical(const char *radical, int **numbers, int *count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const char *rest = radical;
  *numbers = NULL;
  *count = 0;
  for (int first, last; status == TUTTI_OK; rest++) {
    rest = parse_range(rest, &first, &last);
    if (!rest)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "numbers and ascending ranges are expected, as in 0-63 or 1-3,7");
    else
      status = append_range(first, last, numbers, count, error);
    if (status != TUTTI_OK || *rest == '\0')
      break;
  }
  if (status != TUTTI_OK) {
    free(*numbers);
    *numbers = NULL;
  }
  return status;
}

/* ---- hosts of a platform, in document order, with clusters expanded ---- */

/* The limit of a name in DNS (RFC 1035); a long prefix times a long radical would fill the memory. */
enum { MAX_CHARACTERS = 255 };

/* Names collected so far, and the element each came from. */
struct host_list {
  const xml_file *file;
  char **names;
  const xmlNode **nodes;
  int count;
  int capacity;
};

static tutti_status reserve(struct host_list *list, const xmlNode *node, int more, tutti_error *error)
{
  if (more > PLATFORM_MAX_HOSTS - list->count)
    return tutti_xml_fail(list->file, node, error, "more than %d hosts", PLATFORM_MAX_HOSTS);
  if (more <= list->capacity - list->count)
    return TUTTI_OK;
  int capacity = 2 * list->capacity + more; /* hosts are limited, so this cannot overflow */
  list->names = tutti_xrealloc(list->names, (size_t)capacity * sizeof *list->names);
  list->nodes = tutti_xrealloc(list->nodes, (size_t)capacity * sizeof *list->nodes);
  list->capacity = capacity;
  return TUTTI_OK;
}

/* Takes over @p name. A ':' would end a name in a hostfile. */
static tutti_status append_host(struct host_list *list, const xmlNode *node, char *name, tutti_error *error)
{
  list->names[list->count] = name;
  list->nodes[list->count++] = node;
  if (strlen(name) > MAX_CHARACTERS)
    return tutti_xml_fail(list->file, node, error, "'%.40s...': the name of a host has at most %d characters", name,
                          MAX_CHARACTERS);
  if (*name == '\0' || *name == '-' || *name == ' ' || strpbrk(name, "\t\r\n:"))
    return tutti_xml_fail(list->file, node, error,
                          "'%.80s' cannot be the name of a host: no ':', not empty, no '-' or blank at its beginning",
                          name);
  return TUTTI_OK;
}

static tutti_status add_single(struct host_list *list, const xmlNode *node, tutti_error *error)
{
  tutti_status status = reserve(list, node, 1, error);
  return status == TUTTI_OK ? append_host(list, node, tutti_xstrdup(tutti_xml_attribute(node, "id")), error) : status;
}

static tutti_status check_topology(const xml_file *file, const xmlNode *node, int count, tutti_error *error)
{
  tutti_error reason;
  struct topology topology;
  const char *parameters = tutti_xml_attribute(node, "topo_parameters");
  if (tutti_topology_parse(tutti_xml_attribute(node, "topology"), parameters, &topology, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  if (topology.hosts > count)
    return tutti_xml_fail(file, node, error, "topo_parameters=\"%s\" call for %ld hosts, radical=\"%s\" names %d",
                          parameters, topology.hosts, tutti_xml_attribute(node, "radical"), count);
  return TUTTI_OK;
}

int tutti_platform_count_hosts(const xmlNode *cluster)
{
  struct topology topology;
  int *numbers, count = 0;
  if (tutti_platform_expand_radical(tutti_xml_attribute(cluster, "radical"), &numbers, &count, NULL) == TUTTI_OK)
    free(numbers);
  const tutti_status status = tutti_topology_parse(tutti_xml_attribute(cluster, "topology"),
                                                   tutti_xml_attribute(cluster, "topo_parameters"), &topology, NULL);
  return status == TUTTI_OK && topology.hosts >= 0 && topology.hosts < count ? (int)topology.hosts : count;
}

static tutti_status add_numbered(struct host_list *list, const xmlNode *node, const int *numbers, int count,
                                 tutti_error *error)
{
  const char *prefix = tutti_xml_attribute(node, "prefix"), *suffix = tutti_xml_attribute(node, "suffix");
  tutti_status status = reserve(list, node, count, error);
  for (int i = 0; i < count && status == TUTTI_OK; i++)
    status = append_host(list, node, tutti_xprintf("%s%d%s", prefix, numbers[i], suffix), error);
  return status;
}

static tutti_status add_cluster(struct host_list *list, const xmlNode *node, tutti_error *error)
{
  tutti_error reason;
  int *numbers, count;
  const char *radical = tutti_xml_attribute(node, "radical");
  if (tutti_platform_expand_radical(radical, &numbers, &count, &reason) != TUTTI_OK)
    return tutti_xml_fail(list->file, node, error, "radical=\"%s\": %s", radical, reason.message);
  tutti_status status = check_topology(list->file, node, count, error);
  if (status == TUTTI_OK)
    status = add_numbered(list, node, numbers, tutti_platform_count_hosts(node), error);
  free(numbers);
  return status;
}

static tutti_status collect(struct host_list *list, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(list->file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    if (tutti_xml_is(node, "cluster") || tutti_xml_is(node, "cabinet"))
      status = add_cluster(list, node, error);
    else if (tutti_xml_is(node, "host") || tutti_xml_is(node, "peer"))
      status = add_single(list, node, error);
  }
  if (status == TUTTI_OK && list->count == 0)
    return tutti_xml_fail(list->file, root, error, "<platform> has no host");
  return status;
}

static int by_name_then_place(const void *left, const void *right, void *names)
{
  int a = *(const int *)left, b = *(const int *)right;
  int order = strcmp(((char **)names)[a], ((char **)names)[b]);
  return order ? order : THREE_WAY(a, b);
}

/* Hosts are unique: else name the earliest repetition. */
static tutti_status check_unique(const struct host_list *list, tutti_error *error)
{
  int *order = tutti_xmalloc((size_t)list->count * sizeof *order), repeated = -1, first = -1;
  for (int i = 0; i < list->count; i++)
    order[i] = i;
  qsort_r(order, (size_t)list->count, sizeof *order, by_name_then_place, list->names);
  for (int i = 1; i < list->count; i++)
    if (strcmp(list->names[order[i - 1]], list->names[order[i]]) == 0 && (repeated < 0 || order[i] < repeated)) {
      first = order[i - 1];
      repeated = order[i];
    }
  free(order);
  if (repeated < 0)
    return TUTTI_OK;
  return tutti_xml_fail(list->file, list->nodes[repeated], error, "host '%s' is there already, from line %ld",
                        list->names[repeated], xmlGetLineNo(list->nodes[first]));
}

tutti_status tutti_platform_read_hosts(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  struct host_list list = {.file = file};
  tutti_status status = collect(&list, error);
  if (status == TUTTI_OK)
    status = check_unique(&list, error);
  free(list.nodes);
  platform->hosts = list.names;
  platform->host_count = list.count;
  if (status == TUTTI_OK)
    tutti_platform_find_places(file, platform);
  return status;
}
