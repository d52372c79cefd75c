/* Groups of subtasks, by each layer. */
#include "algorithms/mpi/failure.h"
#include "groups/mpich.h"
#include "groups/sort/task.h"

static tutti_status failed(const struct sort *sort, const char *what, int code)
{
  return tutti_mpi_fail(sort->error, code, "rank %d: %s failed", sort->view.rank, what);
}

/* ---- one group ---- */

static tutti_status range(const struct child *child)
{
  struct task *task = child->task;
  const struct task *parent = child->parent;
  int first, size = tutti_sort_members(task->places, task->all, &first);
  return tutti_view_range(&parent->view, first - parent->first, first - parent->first + size - 1, 1, &task->view,
                          task->sort->error);
}

/* The view of a new communicator, which the task takes over. */
static tutti_status adopt(struct task *task, MPI_Comm made)
{
  tutti_status status = tutti_view_of(made, &task->view, task->sort->error);
  task->made = made;
  task->view.progress = task->sort->view.progress;
  return status;
}

/* Create a group of a range of the processes below a view. */
static tutti_status create_group(const tutti_view *range, struct task *task)
{
  int triplet[3] = {tutti_view_base_rank(range, 0), tutti_view_base_rank(range, range->size - 1), range->stride};
  MPI_Group all, group;
  MPI_Comm made;
  int result = MPI_Comm_group(range->comm, &all);
  if (result == MPI_SUCCESS)
    result = MPI_Group_range_incl(all, 1, &triplet, &group);
  if (result == MPI_SUCCESS)
    result = MPI_Comm_create_group(range->comm, group, sort_tag(range, TAG_CREATE), &made);
  if (result != MPI_SUCCESS)
    return failed(task->sort, "MPI_Comm_create_group", result);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  return adopt(task, made);
}

static struct mpich_cost cost_of(const struct sort *sort)
{
  return (struct mpich_cost){.entry = sort->how->entry_cost, .compare = sort->how->compare_cost};
}

/* By the members of the new group. */
static tutti_status create(const struct child *child)
{
  const struct sort *sort = child->task->sort;
  struct mpich_cost cost = cost_of(sort);
  tutti_status status = range(child);
  if (status != TUTTI_OK || sort->how->layer == TUTTI_SORT_RANGES)
    return status;
  if (sort->how->layer == TUTTI_SORT_CREATE_GROUP_MPICH)
    return tutti_mpich_create_group(&cost, &child->task->view, sort->error);
  tutti_view view = child->task->view;
  return create_group(&view, child->task);
}

/* ---- split: by all members of the old group ---- */

/* One call; `mine` is the subtask that this process gets a group for by it, or NULL. */
static tutti_status split(const struct task *parent, int color, const struct child *mine)
{
  const struct sort *sort = parent->sort;
  struct mpich_cost cost = cost_of(sort);
  MPI_Comm made;
  if (sort->how->layer == TUTTI_SORT_SPLIT_MPICH) {
    tutti_status status = tutti_mpich_split(&cost, &parent->view, color, parent->view.rank, sort->error);
    return status == TUTTI_OK && mine ? range(mine) : status;
  }
  int result = MPI_Comm_split(parent->view.comm, color, parent->view.rank, &made);
  if (result != MPI_SUCCESS)
    return failed(sort, "MPI_Comm_split", result);
  return mine ? adopt(mine->task, made) : TUTTI_OK;
}

/* The sides of a task: which of them get groups, and whether one process is in both. */
struct sides {
  bool grouped[SIDES];
  bool janus;
};

static struct sides sides_of(const struct task *task)
{
  const struct sort_places *places = task->places;
  uint64_t middle = tutti_sort_side_of(task, LARGE).low;
  struct sides sides = {.janus = false};
  int first;
  for (int s = 0; s < SIDES && !task->cut.done; s++)
    sides.grouped[s] = tutti_sort_members(places, tutti_sort_side_of(task, s), &first) > 2;
  if (sides.grouped[SMALL] && sides.grouped[LARGE])
    sides.janus = tutti_sort_owner(places->n, places->p, middle - 1) == tutti_sort_owner(places->n, places->p, middle);
  return sides;
}

static const struct child *child_at(const struct task *parent, int side, const struct child *children, int count)
{
  for (int i = 0; i < count; i++)
    if (children[i].parent == parent && children[i].task->side == side)
      return &children[i];
  return NULL;
}

/* One call with a color for each side; two if a process is in both: the first side first, as all members know. */
static tutti_status split_parent(const struct task *parent, const struct child *children, int count)
{
  struct sides sides = sides_of(parent);
  const struct child *mine[SIDES] = {child_at(parent, SMALL, children, count),
                                     child_at(parent, LARGE, children, count)};
  if (!sides.grouped[SMALL] && !sides.grouped[LARGE])
    return TUTTI_OK;
  if (!sides.janus) {
    int side = mine[SMALL] ? SMALL : LARGE;
    return split(parent, mine[side] ? side : MPI_UNDEFINED, mine[side]);
  }
  tutti_status status = TUTTI_OK;
  for (int side = 0; side < SIDES && status == TUTTI_OK; side++)
    status = split(parent, mine[side] ? side : MPI_UNDEFINED, mine[side]);
  return status;
}

/* ---- all ---- */

/*
 * With the alternating order every other janus process begins with the right one of its two groups: one whose groups
 * are not parts of the same task. Each task is cut once, so in the row of groups a janus process of a new cut follows
 * one of an old cut and is followed by one; it creates its left group first, which is the right one of the other. So
 * every other group is created at once, and the rest after it, as far as no task ends. That needs no global view.
 */
static bool backwards(const struct sort *sort, bool siblings)
{
  return sort->how->order == TUTTI_SORT_ALTERNATING && !siblings;
}

static bool are_siblings(const struct task *const *tasks, int count)
{
  return count > 1 && tasks[0]->side == SMALL && tasks[1]->side == LARGE;
}

static bool splits(const struct sort *sort)
{
  return sort->how->layer == TUTTI_SORT_SPLIT || sort->how->layer == TUTTI_SORT_SPLIT_MPICH;
}

tutti_status tutti_sort_groups(struct janus *janus, const struct task *const *parents, int parent_count,
                               const struct child *children, int child_count)
{
  struct sort *sort = janus->sort;
  bool split = splits(sort), same_parent = child_count > 1 && children[0].parent == children[1].parent;
  bool back = backwards(sort, split ? are_siblings(parents, parent_count) : same_parent);
  int count = split ? parent_count : child_count;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    int next = back ? count - 1 - i : i;
    status = split ? split_parent(parents[next], children, child_count) : create(&children[next]);
  }
  sort->tally.groups += child_count;
  return status;
}

tutti_status tutti_sort_root_group(struct task *root)
{
  const struct sort *sort = root->sort;
  int size;
  bool native = sort->how->layer == TUTTI_SORT_SPLIT || sort->how->layer == TUTTI_SORT_CREATE_GROUP;
  root->view = sort->view;
  if (native && sort->view.lookup)
    return tutti_fail(sort->error, TUTTI_ERR_UNSUPPORTED, "sort: layer '%s' cannot make groups of a view with a map",
                      tutti_sort_layer_name(sort->how->layer));
  if (sort->how->layer != TUTTI_SORT_SPLIT)
    return TUTTI_OK;
  int result = MPI_Comm_size(sort->view.comm, &size);
  if (result != MPI_SUCCESS)
    return failed(sort, "MPI_Comm_size", result);
  if (size == sort->view.size)
    return TUTTI_OK;
  return create_group(&sort->view, root); /* for there is nothing yet that could be split */
}
