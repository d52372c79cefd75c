/* <sweep>: ranks x sizes x methods of one collective. */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
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

char *tutti_experiment_text(const xmlNode *node)
{
  static const char blanks[] = " \t\r\n";
  xmlChar *content = xmlNodeGetContent(node);
  if (!content)
    tutti_out_of_memory();
  const char *begin = (const char *)content + strspn((const char *)content, blanks);
  size_t length = strlen(begin);
  while (length > 0 && strchr(blanks, begin[length - 1]))
    length--;
  char *text = tutti_xstrndup(begin, length);
  xmlFree(content);
  return text;
}

tutti_status tutti_experiment_read_list(const xml_file *file, const xmlNode *node, experiment_number *parse,
                                        uint64_t **values, int *count, tutti_error *error)
{
  tutti_error reason;
  char *text = tutti_experiment_text(node);
  tutti_status status = tutti_experiment_parse_list(text, parse, values, count, &reason);
  free(text);
  if (status == TUTTI_OK)
    return status;
  return tutti_xml_fail(file, node, error, "<%s>: %s", (const char *)node->name, reason.message);
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
  tutti_experiment_copy_list(setting->ranks, setting->ranks_count, values, count);
  return TUTTI_OK;
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
  if (status == TUTTI_OK) {
    *ranks = tutti_xmalloc((size_t)*count * sizeof **ranks);
    for (int i = 0; i < *count; i++)
      (*ranks)[i] = (int)values[i];
  }
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
  if (node && (!setting || setting->size_count == 0))
    return tutti_experiment_read_list(file, node, tutti_size_parse, &sweep->sizes, &sweep->size_count, error);
  static const uint64_t nothing = 0;
  tutti_experiment_copy_list(node ? setting->sizes : &nothing, node ? setting->size_count : 1, &sweep->sizes,
                             &sweep->size_count);
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
  uint64_t root = 0;
  if (text && !tutti_parse_integer(text, 0, INT_MAX, &root))
    return tutti_xml_fail(file, node, error, "root=\"%s\" is not a rank", text);
  if (root > 0 && !(tutti_collective_traits(sweep->collective) & TUTTI_HAS_ROOT))
    return tutti_xml_fail(file, node, error, "a sweep of %s has no root", tutti_collective_name(sweep->collective));
  if (root >= (uint64_t)sweep->ranks[0])
    return tutti_xml_fail(file, node, error, "root %d is outside the smallest group of %d ranks", (int)root,
                          sweep->ranks[0]);
  sweep->root = (int)root;
  return TUTTI_OK;
}

static tutti_status read_patterns(const xml_file *file, const xmlNode *node, tutti_sweep *sweep, tutti_error *error)
{
  tutti_error reason;
  char *path = tutti_xstrdup(file->path);
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
