/* Tasks of a process: from those that are over to their subtasks. */
#include <stdlib.h>
#include <string.h>

#include "sort/janus.h"

/* ---- tasks of this process ---- */

struct task *tutti_sort_new_task(struct janus *janus, struct sort_interval all)
{
  struct task *task = malloc(sizeof *task);
  if (task)
    tutti_sort_task_init(task, janus->sort, &janus->places, all);
  else
    tutti_fail(janus->sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for a task", janus->sort->view.rank);
  return task;
}

/* In the order of places. */
static void insert(struct janus *janus, struct task *task)
{
  int i = janus->task_count++;
  for (; i > 0 && janus->tasks[i - 1]->all.low > task->all.low; i--)
    janus->tasks[i] = janus->tasks[i - 1];
  janus->tasks[i] = task;
}

tutti_status tutti_sort_start(struct janus *janus, struct task *task)
{
  tutti_sort_tally *tally = &janus->sort->tally;
  insert(janus, task);
  janus->started++;
  if (tally->levels <= task->level)
    tally->levels = task->level + 1;
  return tutti_sort_task_begin(task);
}

static tutti_status discard(struct task *task)
{
  struct sort *sort = task->sort;
  int result = task->made == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_free(&task->made);
  tutti_sort_task_free(task);
  free(task);
  return result == MPI_SUCCESS
             ? TUTTI_OK
             : tutti_fail(sort->error, TUTTI_ERR_MPI, "rank %d: MPI_Comm_free failed", sort->view.rank);
}

/* ---- dividing a task ---- */

/* Tasks that are over, and what becomes of them. */
struct division {
  const struct task *parents[MOST_TASKS];
  struct child children[MOST_TASKS];
  int parent_count, child_count;
};

static void keep_equal(struct janus *janus, const struct task *task)
{
  const tutti_sort_type *type = janus->sort->type;
  struct sort_interval share = tutti_sort_share(&janus->places, task->all, janus->sort->view.rank);
  memcpy(sort_at(type, janus->output, share.low - janus->own.low), task->parts[SMALL].data,
         (size_t)(sort_length(share) * type->size));
}

static tutti_status add_child(struct janus *janus, struct division *division, struct task *parent, int side,
                              struct sort_interval all, int first)
{
  struct task *task = tutti_sort_new_task(janus, all);
  if (!task)
    return TUTTI_ERR_MEMORY;
  struct sort_elements *own = &parent->parts[side];
  task->first = first;
  task->side = side;
  task->level = parent->level + 1;
  task->own = *own;
  task->before = tutti_sort_share(&janus->places, all, janus->sort->view.rank).low - all.low;
  *own = (struct sort_elements){NULL, 0};
  division->children[division->child_count++] = (struct child){parent, task};
  return TUTTI_OK;
}

/* The side of a task as a task of its own, if this process has a part of it. */
static tutti_status divide_side(struct janus *janus, struct division *division, struct task *task, int side)
{
  struct sort_interval all = tutti_sort_side_of(task, side);
  struct sort_elements *own = &task->parts[side];
  if (own->count == 0)
    return TUTTI_OK;
  int first, members = tutti_sort_members(&janus->places, all, &first);
  if (members <= 2)
    return tutti_sort_put_aside(janus, all, first, members, own);
  return add_child(janus, division, task, side, all, first);
}

static tutti_status divide(struct janus *janus, struct division *division, struct task *task)
{
  division->parents[division->parent_count++] = task;
  if (task->cut.done) {
    keep_equal(janus, task);
    return TUTTI_OK;
  }
  tutti_status status = divide_side(janus, division, task, SMALL);
  return status == TUTTI_OK ? divide_side(janus, division, task, LARGE) : status;
}

tutti_status tutti_sort_divide(struct janus *janus)
{
  struct division division = {.parent_count = 0};
  struct task *over[MOST_TASKS];
  tutti_status status = TUTTI_OK;
  int left = 0, gone = 0;
  for (int i = 0; i < janus->task_count; i++)
    if (janus->tasks[i]->step == STEP_OVER)
      over[gone++] = janus->tasks[i];
    else
      janus->tasks[left++] = janus->tasks[i];
  janus->task_count = left;
  for (int i = 0; i < gone && status == TUTTI_OK; i++)
    status = divide(janus, &division, over[i]);
  if (status == TUTTI_OK)
    status = tutti_sort_groups(janus, division.parents, division.parent_count, division.children, division.child_count);
  for (int i = 0; i < gone && status == TUTTI_OK; i++)
    status = discard(over[i]);
  for (int i = 0; i < division.child_count && status == TUTTI_OK; i++)
    status = tutti_sort_start(janus, division.children[i].task);
  return status;
}
