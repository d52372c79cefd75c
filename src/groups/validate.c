#include <stdlib.h>

#include "tutti/group_run.h"

struct validation {
  const tutti_membership *of; /* [processes] */
  const int *colors;
  int processes, max_children, spare;
  int *order; /* [processes] members found, each after its parent */
  int *below; /* [processes] members in the subtree of each, itself included; 0: not found */
  char *rank_taken;
};

static tutti_status check_child(const struct validation *v, int parent, int child, tutti_error *error)
{
  if (child < 0 || child >= v->processes)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: child %d does not exist", parent, child);
  if (v->colors[child] != v->colors[parent])
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: child %d is in another group or in none", parent, child);
  if (v->below[child])
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: child %d stands in the tree twice", parent, child);
  if (v->of[child].parent != parent)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: child %d takes %d for its parent", parent, child,
                      v->of[child].parent);
  return TUTTI_OK;
}

/* All members have a rank of their own, or none has one. */
static tutti_status check_rank(const struct validation *v, int id, int size, bool ranked, tutti_error *error)
{
  int rank = v->of[id].rank;
  if (!ranked && rank < 0)
    return TUTTI_OK;
  if (!ranked || rank < 0)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: %s in a group whose root has %s", id,
                      ranked ? "no rank" : "a rank", ranked ? "one" : "none");
  if (rank >= size || v->rank_taken[rank])
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: rank %d in a group of %d is taken or does not exist", id,
                      rank, size);
  v->rank_taken[rank] = 1;
  return TUTTI_OK;
}

static tutti_status check_member(const struct validation *v, int id, int size, bool ranked, tutti_error *error)
{
  const tutti_membership *member = &v->of[id];
  if (member->size != size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: its group has %d members, it says %d", id, size,
                      member->size);
  if (member->child_count > v->max_children)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: %d children, at most %d are allowed", id,
                      member->child_count, v->max_children);
  return check_rank(v, id, size, ranked, error);
}

/* Breadth first from the root; the number of members found. */
static tutti_status walk(struct validation *v, int root, int *found, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *found = 1;
  v->order[0] = root;
  v->below[root] = 1;
  for (int i = 0; i < *found && status == TUTTI_OK; i++) {
    int id = v->order[i];
    const tutti_membership *member = &v->of[id];
    for (int c = 0; c < member->child_count && status == TUTTI_OK; c++) {
      int child = member->children[c];
      status = check_child(v, id, child, error);
      if (status == TUTTI_OK) {
        v->below[child] = 1;
        v->order[(*found)++] = child;
      }
    }
  }
  return status;
}

static tutti_status check_subtree(const struct validation *v, int id, tutti_error *error)
{
  const tutti_membership *member = &v->of[id];
  int height = 1, degree = member->child_count;
  for (int c = 0; c < member->child_count; c++) {
    int child = member->children[c];
    const tutti_membership *of_child = &v->of[child];
    if (member->sizes[c] != v->below[child])
      return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: %d members below child %d, it says %d", id,
                        v->below[child], child, member->sizes[c]);
    height = height > of_child->height + 1 ? height : of_child->height + 1;
    degree = degree > of_child->degree ? degree : of_child->degree;
  }
  if (member->height != height || member->degree != degree)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: height %d and degree %d, it says %d and %d", id, height,
                      degree, member->height, member->degree);
  return TUTTI_OK;
}

static tutti_status check_group(struct validation *v, int root, int branching, tutti_error *error)
{
  int found;
  tutti_status status = walk(v, root, &found, error);
  for (int i = 0; i < found && status == TUTTI_OK; i++)
    v->rank_taken[i] = 0;
  for (int i = 0; i < found && status == TUTTI_OK; i++)
    status = check_member(v, v->order[i], found, v->of[root].rank >= 0, error);
  for (int i = found - 1; i >= 0 && status == TUTTI_OK; i--) {
    int parent = v->of[v->order[i]].parent;
    status = check_subtree(v, v->order[i], error);
    if (i > 0)
      v->below[parent] += v->below[v->order[i]];
  }
  int most = tutti_balanced_height(found, branching) + v->spare;
  if (status == TUTTI_OK && v->of[root].height > most)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: root of a tree of %d levels, at most %d are allowed", root,
                      v->of[root].height, most);
  return status;
}

static tutti_status check_roots(struct validation *v, int branching, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int id = 0; id < v->processes && status == TUTTI_OK; id++) {
    if (v->colors[id] < 0 && v->of[id].size != 0)
      status = tutti_fail(error, TUTTI_ERR_FAULT, "process %d: in a group that it did not ask for", id);
    else if (v->colors[id] >= 0 && v->of[id].parent == TUTTI_NO_PROCESS)
      status = check_group(v, id, branching, error);
  }
  return status;
}

/* With the sizes right, a group with two roots shows as a member whose group has fewer members than were found. */
static tutti_status check_found(const struct validation *v, tutti_error *error)
{
  int colors = 0;
  for (int id = 0; id < v->processes; id++)
    colors = v->colors[id] >= colors ? v->colors[id] + 1 : colors;
  int *members = calloc((size_t)colors + 1, sizeof *members);
  if (!members)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d groups", colors);
  tutti_status status = TUTTI_OK;
  for (int id = 0; id < v->processes; id++)
    if (v->colors[id] >= 0)
      members[v->colors[id]]++;
  for (int id = 0; id < v->processes && status == TUTTI_OK; id++)
    if (v->colors[id] >= 0 && (!v->below[id] || v->of[id].size != members[v->colors[id]]))
      status = tutti_fail(error, TUTTI_ERR_FAULT, "process %d: not in the tree of all %d members of its group", id,
                          members[v->colors[id]]);
  free(members);
  return status;
}

tutti_status tutti_groups_validate(const tutti_membership *memberships, const int *colors, int processes, int branching,
                                   int max_children, int spare, tutti_error *error)
{
  struct validation v = {.of = memberships,
                         .colors = colors,
                         .processes = processes,
                         .max_children = max_children,
                         .spare = spare,
                         .order = calloc((size_t)processes, sizeof(int)),
                         .below = calloc((size_t)processes, sizeof(int)),
                         .rank_taken = malloc((size_t)processes)};
  tutti_status status = v.order && v.below && v.rank_taken
                            ? check_roots(&v, branching, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d processes", processes);
  if (status == TUTTI_OK)
    status = check_found(&v, error);
  free(v.order);
  free(v.below);
  free(v.rank_taken);
  return status;
}
