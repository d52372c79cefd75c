/* The decision functions that bench-decide learns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide.h"

void entry_free(struct entry *entry)
{
  tutti_quadtree_free(entry->tree);
  tutti_decision_free(&entry->decision);
}

/* Write the tree to a file and read it back, as those do who hand it to the interposer. */
static tutti_status pass_through_file(const tutti_decision_tree *tree, tutti_decision *decision, tutti_error *error)
{
  char path[] = "/tmp/bench-decide-XXXXXX";
  int descriptor = mkstemp(path);
  FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  const tutti_decision_trees trees = {.count = 1, .items = (tutti_decision_tree *)tree};
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written", path);
  tutti_status status = tutti_decision_trees_write(&trees, NULL, stream, error);
  fclose(stream);
  if (status == TUTTI_OK)
    status = tutti_decision_read(path, decision, error);
  unlink(path);
  return status;
}

/* Learn, and make all forms that any learner has. */
static tutti_status learn(struct entry *entry, const tutti_decision_map *map, const char *learner, const void *settings,
                          tutti_error *error)
{
  tutti_decision_tree tree = {0};
  tutti_learn_report report;
  tutti_penalty penalty = {0};
  tutti_status status = tutti_learn(tutti_learner_find(learner, NULL), settings, &(tutti_learn_options){0}, map, 1,
                                    &tree, &report, error);
  if (status != TUTTI_OK)
    return status;
  entry->mean_depth = report.shape.mean_depth;
  status = pass_through_file(&tree, &entry->decision, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_compute(map, &entry->decision, &penalty, error);
  if (status == TUTTI_OK)
    status = export_compiled(&entry->decision, map, &entry->exported, error);
  entry->penalty = penalty.mean;
  entry->file.decision = &entry->decision;
  entry->code.code = entry->exported.code;
  tutti_decision_tree_free(&tree);
  return status;
}

tutti_status entry_c45(struct entry *entry, const tutti_decision_map *map, tutti_error *error)
{
  snprintf(entry->name, sizeof entry->name, "C4.5 -m 2 -c 25");
  return learn(entry, map, "c45", NULL, error);
}

/* A quadtree, or of several maps an octree. */
static tutti_status encode(struct entry *entry, const tutti_decision_map *maps, int count,
                           const tutti_quadtree_limits *limits, tutti_error *error)
{
  tutti_label_map labels;
  tutti_status status = tutti_label_map_create(maps, count, &labels, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_quadtree_create(&labels, limits, &entry->tree, error);
  tutti_label_map_free(&labels);
  if (status != TUTTI_OK)
    return status;
  tutti_classifier_shape shape = tutti_quadtree_measure(entry->tree);
  entry->mean_depth = shape.mean_depth;
  entry->bytes = shape.bytes;
  entry->memory.tree = entry->tree;
  return TUTTI_OK;
}

tutti_status entry_quadtree(struct entry *entry, const tutti_decision_map *map, int depth, tutti_error *error)
{
  const tutti_quadtree_limits limits = {.depth = depth > 0 ? depth : -1, .accuracy = 1};
  if (depth > 0)
    snprintf(entry->name, sizeof entry->name, "quadtree, depth %d", depth);
  else
    snprintf(entry->name, sizeof entry->name, "quadtree, exact");
  tutti_status status = learn(entry, map, "quadtree", &limits, error);
  return status == TUTTI_OK ? encode(entry, map, 1, &limits, error) : status;
}

tutti_status entry_octree(struct entry *entry, const tutti_decision_map *map, int depth, tutti_error *error)
{
  tutti_decision_map maps[3] = {*map, *map, *map}; /* arrays are shared, and only read */
  for (int i = 0; i < 3; i++)
    maps[i].ranks_per_node = 1 << i;
  snprintf(entry->name, sizeof entry->name, "octree, depth %d", depth);
  return encode(entry, maps, 3, &(tutti_quadtree_limits){.depth = depth}, error);
}

static tutti_status check_question(const struct entry *entry, const tutti_decision_map *map,
                                   const struct question *asked, tutti_error *error)
{
  char by_file[TUTTI_METHOD_LENGTH], by_tree[TUTTI_METHOD_LENGTH] = "";
  const int node = 0;
  tutti_question question = {.collective = map->collective, .ranks = asked->ranks, .rank_bytes = asked->bytes};
  tutti_call call = {
      .size = asked->ranks, .count = (uint64_t)asked->ranks, .type_size = 1, .commutative = true, .nodes = &node};
  tutti_method method;
  if (!entry->decision.decide(&entry->decision, &question, &method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer", entry->name);
  if (entry->tree)
    tutti_method_format(&map->methods[tutti_quadtree_label(entry->tree, asked->ranks, asked->bytes, 0)], by_tree);
  if (entry->tree && strcmp(by_tree, tutti_method_format(&method, by_file)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s in memory, %s from the file", entry->name, by_tree, by_file);
  method = tutti_method_serving(&method, &call);
  const char *const *choice = entry->exported.choice(entry->code.code(asked->ranks, asked->bytes));
  if (!choice || strcmp(*choice, tutti_method_format(&method, by_file)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s by its C, %s from the file", entry->name,
                      choice ? *choice : "nothing", by_file);
  return TUTTI_OK;
}

tutti_status entry_check(const struct entry *entry, const tutti_decision_map *map, const struct question *questions,
                         tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < QUESTIONS && status == TUTTI_OK; i++)
    status = check_question(entry, map, &questions[i], error);
  return status;
}
