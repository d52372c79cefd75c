/* <decision>: at each point of a sweep the method that a decision picks there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"
#include "tutti/decision_tree.h"
#include "tutti/library.h"

static tutti_status read_library(const xml_file *file, const xmlNode *node, const tutti_sweep *sweep,
                                 tutti_decision *decision, tutti_error *error)
{
  tutti_error reason;
  if (tutti_decision_library(tutti_xml_attribute(node, "name"), sweep->collective, decision, &reason) == TUTTI_OK)
    return TUTTI_OK;
  return tutti_xml_fail(file, node, error, "%s", reason.message);
}

/* A path is relative to the experiment file. */
static tutti_status read_file(const xml_file *file, const xmlNode *node, tutti_decision *decision, tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "file"), *slash = strrchr(file->path, '/');
  int folder = *name != '/' && slash ? (int)(slash + 1 - file->path) : 0;
  char *path;
  if (asprintf(&path, "%.*s%s", folder, file->path, name) < 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  tutti_status status = tutti_decision_read(path, decision, &reason);
  free(path);
  return status == TUTTI_OK ? status : tutti_xml_fail(file, node, error, "%s", reason.message);
}

static tutti_status read_decision(const xml_file *file, const xmlNode *node, const tutti_sweep *sweep,
                                  tutti_decision *decision, tutti_error *error)
{
  bool named = tutti_xml_attribute(node, "name"), filed = tutti_xml_attribute(node, "file");
  if (named == filed)
    return tutti_xml_fail(file, node, error, "<decision> takes either a name or a file");
  return named ? read_library(file, node, sweep, decision, error) : read_file(file, node, decision, error);
}

/* There is room for all points. */
static void pick(const tutti_decision *decision, int ranks_per_node, tutti_sweep *sweep)
{
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++) {
      tutti_question question = {.collective = sweep->collective,
                                 .ranks = sweep->ranks[r],
                                 .ranks_per_node = ranks_per_node,
                                 .rank_bytes = sweep->sizes[s]};
      tutti_pick *next = &sweep->picks[sweep->pick_count];
      if (!decision->decide(decision, &question, &next->method))
        continue;
      next->ranks = question.ranks;
      next->size = question.rank_bytes;
      sweep->pick_count++;
    }
}

static tutti_status add_picks(const xml_file *file, const xmlNode *node, const tutti_decision *decision,
                              int ranks_per_node, tutti_sweep *sweep, tutti_error *error)
{
  size_t before = sweep->pick_count, points = (size_t)sweep->ranks_count * (size_t)sweep->size_count;
  if (points > EXPERIMENT_MOST_POINTS - before)
    return tutti_xml_fail(file, node, error, "more than %d points in an experiment", EXPERIMENT_MOST_POINTS);
  tutti_pick *larger = reallocarray(sweep->picks, before + points, sizeof *larger);
  if (!larger)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for what %s picks", file->path, decision->name);
  sweep->picks = larger;
  pick(decision, ranks_per_node, sweep);
  if (sweep->pick_count > before)
    return TUTTI_OK;
  return tutti_xml_fail(file, node, error, "%s picks no method of %s at any point of the sweep", decision->name,
                        tutti_collective_name(sweep->collective));
}

tutti_status tutti_experiment_add_decision(const xml_file *file, const xmlNode *node, int ranks_per_node,
                                           tutti_sweep *sweep, tutti_error *error)
{
  tutti_decision decision;
  tutti_status status = read_decision(file, node, sweep, &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = add_picks(file, node, &decision, ranks_per_node, sweep, error);
  tutti_decision_free(&decision);
  return status;
}
