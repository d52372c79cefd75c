/* Constructions of groups through the transport within one process, and draws of their members. */
#ifndef TUTTI_TESTS_GROUP_FIXTURE_H
#define TUTTI_TESTS_GROUP_FIXTURE_H

#include "tutti/actor.h"
#include "tutti/group_run.h"
#include "unit/base/random.h"
#include "unit/test.h"

/* Parameters of one construction. */
struct trial {
  const tutti_group_builder *builder;
  int processes, branching, colors, ranks_per_node;
  const int *color;               /* [processes] */
  const tutti_membership *parent; /* [processes] the group that is split; NULL: all processes */
  tutti_delivery delivery;
  uint64_t seed;
  int topic;
};

static inline const tutti_group_builder *builder_named(const char *name)
{
  const tutti_group_builder *builder = tutti_group_builder_find(name, &error);
  if (!builder)
    fail_msg("%s", error.message);
  return builder;
}

/* The chain needs all processes in order: it has limits of its own, and splits no groups. */
static inline bool is_chain(const tutti_group_builder *builder)
{
  return strcmp(tutti_group_builder_name(builder), "chain") == 0;
}

/* Processes are members with a probability, and members have any of the colors. */
static inline void draw(int *color, int processes, int colors, double fraction, uint64_t *random)
{
  for (int i = 0; i < processes; i++) {
    bool member = (double)random_below(random, 1000000) < fraction * 1000000;
    color[i] = member ? (int)random_below(random, (uint64_t)colors) : -1;
  }
}

/* Members of a group that was drawn, for a split of it. */
static inline void draw_again(int *again, const int *color, int processes, double fraction, uint64_t *random)
{
  draw(again, processes, 1, fraction, random);
  for (int i = 0; i < processes; i++)
    again[i] = color[i] < 0 ? -1 : again[i];
}

static inline bool takes_part(const struct trial *trial, int id)
{
  return !trial->parent || trial->parent[id].size > 0;
}

static inline tutti_status make_tree(const struct trial *trial, int id, tutti_tree *tree, tutti_error *error)
{
  if (!trial->parent)
    return tutti_tree_init(tree, TUTTI_TREE_KARY, trial->branching, trial->processes, 0, id, error);
  const tutti_membership *in = &trial->parent[id];
  tutti_tree_init_explicit(tree, trial->processes, 0, id, in->parent, in->children, in->child_count);
  return TUTTI_OK;
}

/* Sizes of the subtrees below; for a leaf, any pointer marks the tree of a group. */
static inline const int *sizes_of(const struct trial *trial, int id)
{
  if (!trial->parent)
    return NULL;
  return trial->parent[id].child_count > 0 ? trial->parent[id].sizes : trial->color;
}

/* The trees [processes] are needed as long as `all`. */
static inline tutti_status construct(const struct trial *trial, tutti_inprocess *all, tutti_tree *trees,
                                     tutti_error *error)
{
  for (int i = 0; i < trial->processes; i++) {
    if (!takes_part(trial, i))
      continue;
    tutti_status status = make_tree(trial, i, &trees[i], error);
    if (status != TUTTI_OK)
      return status;
    tutti_group_request request = {.builder = trial->builder,
                                   .tree = &trees[i],
                                   .sizes = sizes_of(trial, i),
                                   .branching = trial->branching,
                                   .colors = trial->colors,
                                   .color = trial->color[i],
                                   .ranks_per_node = trial->ranks_per_node};
    tutti_actor *actor = tutti_group_protocol_create(&request, tutti_inprocess_transport(all), i, trial->topic, error);
    if (!actor)
      return error->status;
    tutti_inprocess_settle(all, actor);
  }
  return tutti_inprocess_run(all, error);
}

static inline void fail_at(const struct trial *trial, const tutti_error *error)
{
  fail_msg("%s, %d processes, k = %d, delivery %d, seed %llu: %s", tutti_group_builder_name(trial->builder),
           trial->processes, trial->branching, trial->delivery, (unsigned long long)trial->seed, error->message);
}

/* One construction, and what came of it. */
struct built {
  tutti_inprocess *all;
  tutti_tree *trees;
  tutti_membership *memberships; /* processes without a part are not members */
};

/* A construction that has to come to its end. */
static inline struct built build(const struct trial *trial)
{
  size_t n = (size_t)trial->processes;
  struct built built = {.all = tutti_inprocess_create(trial->processes, trial->delivery, trial->seed),
                        .trees = malloc(n * sizeof *built.trees),
                        .memberships = malloc(n * sizeof *built.memberships)};
  if (construct(trial, built.all, built.trees, &error) != TUTTI_OK)
    fail_at(trial, &error);
  for (int i = 0; i < trial->processes; i++)
    built.memberships[i] = takes_part(trial, i) ? tutti_group_protocol_membership(tutti_inprocess_actor(built.all, i))
                                                : (tutti_membership){.rank = -1, .parent = TUTTI_NO_PROCESS};
  return built;
}

static inline void free_built(struct built *built)
{
  tutti_inprocess_free(built->all);
  free(built->trees);
  free(built->memberships);
}

#endif
