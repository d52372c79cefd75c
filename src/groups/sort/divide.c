/* Tasks of a process: from those that are finished to their subtasks, and the base cases. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/failure.h"
#include "groups/sort/task.h"

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
  return result == MPI_SUCCESS ? TUTTI_OK
                               : tutti_mpi_fail(sort->error, result, "rank %d: MPI_Comm_free failed", sort->view.rank);
}

/* ---- dividing a task ---- */

/* Tasks that are over, and what becomes of them. */
struct division {
  const struct task *parents[MAX_TASKS];
  struct child children[MAX_TASKS];
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
  struct task *over[MAX_TASKS];
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

/* ---- base cases: tasks of one or two processes (section VII) ---- */

/* Where the places of this process are in its output. */
static char *output_of(const struct janus *janus, const struct base *base)
{
  struct sort_interval share = tutti_sort_share(&janus->places, base->all, janus->sort->view.rank);
  return sort_at(janus->sort->type, janus->output, share.low - janus->own.low);
}

static uint64_t share_of(const struct janus *janus, const struct base *base, int process)
{
  return sort_length(tutti_sort_share(&janus->places, base->all, process));
}

tutti_status tutti_sort_put_aside(struct janus *janus, struct sort_interval all, int first, int members,
                                  struct sort_elements *own)
{
  struct base *base = calloc(1, sizeof *base);
  if (!base)
    return tutti_fail(janus->sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for a base case",
                      janus->sort->view.rank);
  *base = (struct base){.next = janus->bases, .all = all, .first = first, .members = members, .own = *own};
  *own = (struct sort_elements){NULL, 0};
  janus->bases = base;
  return TUTTI_OK;
}

/* ---- two processes ---- */

/* Number of elements that the first of two processes has. */
static uint64_t count_of_first(const struct janus *janus, const struct base *base)
{
  bool first = janus->sort->view.rank == base->first;
  return first ? base->own.count : sort_length(base->all) - base->own.count;
}

/* Each sends all it has to the other; both then have the same elements in the same order. */
static tutti_status swap(struct janus *janus, struct base *base)
{
  struct sort *sort = janus->sort;
  bool first = sort->view.rank == base->first;
  int partner = first ? base->first + 1 : base->first, tag = sort_tag(&sort->view, TAG_PAIR);
  uint64_t boundary = count_of_first(janus, base), others = sort_length(base->all) - base->own.count;
  uint64_t bytes = base->own.count * sort->type->size;
  tutti_status status = TUTTI_OK;
  base->together = tutti_sort_room(sort, sort_length(base->all));
  if (!base->together)
    return TUTTI_ERR_MEMORY;
  if (others > 0)
    status = tutti_irecv(sort_at(sort->type, base->together, first ? boundary : 0), others * sort->type->size, MPI_BYTE,
                         partner, tag, &sort->view, &base->requests[0], sort->error);
  if (status == TUTTI_OK && base->own.count > 0)
    status = tutti_isend(base->own.data, bytes, MPI_BYTE, partner, tag, &sort->view, &base->requests[1], sort->error);
  memcpy(sort_at(sort->type, base->together, first ? 0 : boundary), base->own.data, (size_t)bytes);
  sort->tally.received += others > 0;
  sort->tally.sent += base->own.count > 0;
  sort->tally.sent_bytes += bytes;
  return status;
}

/* With the same elements in the same order both choose the same ones. */
static tutti_status choose(struct janus *janus, struct base *base)
{
  const struct sort *sort = janus->sort;
  uint64_t small = share_of(janus, base, base->first), all = sort_length(base->all);
  bool first = sort->view.rank == base->first;
  tutti_status status = tutti_waitall(2, base->requests, sort->error);
  if (status != TUTTI_OK)
    return status;
  tutti_sort_select(sort->type, base->together, all, small);
  tutti_sort_charge(sort, all);
  uint64_t count = first ? small : all - small;
  memcpy(output_of(janus, base), sort_at(sort->type, base->together, first ? 0 : small),
         (size_t)(count * sort->type->size));
  return TUTTI_OK;
}

/* ---- all ---- */

static tutti_status finish(struct janus *janus, struct base *base)
{
  const struct sort *sort = janus->sort;
  tutti_status status = TUTTI_OK;
  if (base->members == 1)
    memcpy(output_of(janus, base), base->own.data, (size_t)(base->own.count * sort->type->size));
  else
    status = choose(janus, base);
  if (status == TUTTI_OK)
    tutti_sort_locally(sort, output_of(janus, base), share_of(janus, base, sort->view.rank));
  return status;
}

tutti_status tutti_sort_bases(struct janus *janus)
{
  tutti_status status = TUTTI_OK;
  for (struct base *base = janus->bases; base && status == TUTTI_OK; base = base->next)
    if (base->members == 2)
      status = swap(janus, base);
  while (janus->bases && status == TUTTI_OK) {
    struct base *base = janus->bases;
    status = finish(janus, base);
    if (status != TUTTI_OK)
      return status;
    janus->bases = base->next;
    free(base->own.data);
    free(base->together);
    free(base);
  }
  return status;
}
