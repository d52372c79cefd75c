/* <sweep>: ranks x sizes x methods of one collective. */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"

tutti_status tutti_experiment_only_child(const xml_file *file, const xmlNode *node, const char *name,
                                         const xmlNode **child, tutti_error *error)
{
  *child = NULL;
  for (const xmlNode *at = tutti_xml_element_from(node->children); at; at = tutti_xml_element_from(at->next)) {
    if (!tutti_xml_is(at, name))
      continue;
    if (*child)
      return tutti_xml_fail(file, at, error, "second <%s> in one <%s>", name, (const char *)node->name);
    *child = at;
  }
  return TUTTI_OK;
}

tutti_status tutti_experiment_read_list(const xml_file *file, const xmlNode *node, experiment_number *parse,
                                        uint64_t **values, int *count, tutti_error *error)
{
  tutti_error reason;
  xmlChar *text = xmlNodeGetContent(node);
  if (!text)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  tutti_status status = tutti_experiment_parse_list((const char *)text, parse, values, count, &reason);
  xmlFree(text);
  if (status == TUTTI_OK)
    return status;
  return tutti_xml_fail(file, node, error, "<%s>: %s", (const char *)node->name, reason.message);
}

static tutti_status keep_ranks(const xml_file *file, const uint64_t *values, int count, int **ranks, tutti_error *error)
{
  *ranks = malloc((size_t)count * sizeof **ranks);
  if (!*ranks)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  for (int i = 0; i < count; i++)
    (*ranks)[i] = (int)values[i];
  return TUTTI_OK;
}

tutti_status tutti_experiment_check_room(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, const uint64_t *values, int *count,
                                         tutti_error *error)
{
  uint64_t room = (uint64_t)(machine->setting ? machine->setting->room : machine->room), most = values[*count - 1];
  int fitting = 0;
  while (fitting < *count && values[fitting] <= room)
    fitting++;
  if (fitting == 0 && machine->setting && machine->setting->ranks_count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu ranks are asked for: the platform has room for %llu",
                      (unsigned long long)values[0], (unsigned long long)room);
  if (fitting < (machine->setting ? 1 : *count))
    return tutti_xml_fail(file, node, error, "%llu ranks: the platform has room for %llu",
                          (unsigned long long)values[machine->setting ? 0 : *count - 1], (unsigned long long)room);
  if (fitting < *count && most > (uint64_t)machine->setting->left_out)
    machine->setting->left_out = (int)most;
  *count = fitting;
  return TUTTI_OK;
}

/* Those of the setting, or those of the file. */
static tutti_status list_ranks(const xml_file *file, const xmlNode *node, const struct experiment_machine *machine,
                               uint64_t **values, int *count, tutti_error *error)
{
  const tutti_experiment_setting *setting = machine->setting;
  if (!setting || setting->ranks_count == 0)
    return tutti_experiment_read_list(file, node, tutti_experiment_parse_rank_count, values, count, error);
  return tutti_experiment_copy_list(setting->ranks, setting->ranks_count, values, count, error);
}

tutti_status tutti_experiment_read_ranks(const xml_file *file, const xmlNode *parent,
                                         const struct experiment_machine *machine, int **ranks, int *count,
                                         tutti_error *error)
{
  const xmlNode *node;
  uint64_t *values = NULL;
  tutti_status status = tutti_experiment_only_child(file, parent, "ranks", &node, error);
  if (status != TUTTI_OK)
    return status;
  if (!node)
    return tutti_xml_fail(file, parent, error, "<%s> has no <ranks>", (const char *)parent->name);
  status = list_ranks(file, node, machine, &values, count, error);
  if (status == TUTTI_OK)
    status = tutti_experiment_check_room(file, node, machine, values, count, error);
  if (status == TUTTI_OK)
    status = keep_ranks(file, values, *count, ranks, error);
  free(values);
  return status;
}

static tutti_status read_sizes(const xml_file *file, const xmlNode *sweep_node, const tutti_experiment_setting *setting,
                               tutti_sweep *sweep, tutti_error *error)
{
  const xmlNode *node;
  bool moves_data = sweep->collective != TUTTI_COLL_BARRIER;
  tutti_status status = tutti_experiment_only_child(file, sweep_node, "sizes", &node, error);
  if (status != TUTTI_OK)
    return status;
  if (node && !moves_data)
    return tutti_xml_fail(file, node, error, "a sweep of %s has no <sizes>", tutti_collective_name(sweep->collective));
  if (!node && moves_data)
    return tutti_xml_fail(file, sweep_node, error, "<sweep> has no <sizes>");
  if (node && setting && setting->size_count > 0)
    return tutti_experiment_copy_list(setting->sizes, setting->size_count, &sweep->sizes, &sweep->size_count, error);
  if (node)
    return tutti_experiment_read_list(file, node, tutti_size_parse, &sweep->sizes, &sweep->size_count, error);
  sweep->sizes = calloc(1, sizeof *sweep->sizes);
  if (!sweep->sizes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  sweep->size_count = 1;
  return TUTTI_OK;
}

static tutti_status read_methods(const xml_file *file, const xmlNode *sweep_node, int ranks_per_node,
                                 tutti_sweep *sweep, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = tutti_xml_element_from(sweep_node->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "method"))
      status = tutti_experiment_add_methods(file, node, sweep, error);
    else if (tutti_xml_is(node, "decision"))
      status = tutti_experiment_add_decision(file, node, ranks_per_node, sweep, error);
  if (status == TUTTI_OK && sweep->method_count == 0 && sweep->pick_count == 0)
    return tutti_experiment_add_all_methods(file, ranks_per_node, sweep, error);
  return status;
}

static tutti_status read_root(const xml_file *file, const xmlNode *node, tutti_sweep *sweep, tutti_error *error)
{
  const char *text = tutti_xml_attribute(node, "root");
  char *end;
  long root = text ? strtol(text, &end, 10) : 0;
  if (text && (end == text || *end != '\0' || root < 0 || root > INT_MAX))
    return tutti_xml_fail(file, node, error, "root=\"%s\" is not a rank", text);
  if (root > 0 && !(tutti_collective_traits(sweep->collective) & TUTTI_HAS_ROOT))
    return tutti_xml_fail(file, node, error, "a sweep of %s has no root", tutti_collective_name(sweep->collective));
  if (root >= sweep->ranks[0])
    return tutti_xml_fail(file, node, error, "root %ld is outside the smallest group of %d ranks", root,
                          sweep->ranks[0]);
  sweep->root = (int)root;
  return TUTTI_OK;
}

static tutti_status read_patterns(const xml_file *file, const xmlNode *node, tutti_sweep *sweep, tutti_error *error)
{
  tutti_error reason;
  char *path = strdup(file->path);
  if (!path)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  tutti_status status = tutti_patterns_read(tutti_xml_attribute(node, "arrival"), tutti_xml_attribute(node, "noise"),
                                            " \t\r\n", dirname(path), &sweep->patterns, &reason);
  free(path);
  return status == TUTTI_OK ? TUTTI_OK : tutti_xml_fail(file, node, error, "%s", reason.message);
}

tutti_status tutti_experiment_read_sweep(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, tutti_sweep *sweep,
                                         tutti_error *error)
{
  tutti_error reason;
  if (tutti_collective_parse(tutti_xml_attribute(node, "collective"), &sweep->collective, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  tutti_status status = tutti_experiment_read_ranks(file, node, machine, &sweep->ranks, &sweep->ranks_count, error);
  if (status == TUTTI_OK)
    status = read_root(file, node, sweep, error);
  if (status == TUTTI_OK)
    status = read_patterns(file, node, sweep, error);
  if (status == TUTTI_OK)
    status = read_sizes(file, node, machine->setting, sweep, error);
  if (status == TUTTI_OK)
    status = read_methods(file, node, machine->ranks_per_node, sweep, error);
  return status;
}
