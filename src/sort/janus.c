#include "sort/janus.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/request.h"

/* ---- tasks of this process ---- */

static struct task *new_task(struct janus *janus, struct sort_interval all)
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

static tutti_status start(struct janus *janus, struct task *task)
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

static tutti_status add_child(struct janus *janus, struct division *division, struct task *parent,
                              struct sort_interval all, int first, struct sort_elements *own)
{
  struct task *task = new_task(janus, all);
  if (!task)
    return TUTTI_ERR_MEMORY;
  task->first = first;
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
  uint64_t middle = task->all.low + task->cut.small;
  struct sort_interval all = {side == SMALL ? task->all.low : middle, side == SMALL ? middle : task->all.high};
  struct sort_elements *own = &task->parts[side];
  if (own->count == 0)
    return TUTTI_OK;
  int first = tutti_sort_owner(janus->places.n, janus->places.p, all.low);
  int members = tutti_sort_owner(janus->places.n, janus->places.p, all.high - 1) - first + 1;
  if (members <= 2)
    return tutti_sort_put_aside(janus, all, first, members, own);
  return add_child(janus, division, task, all, first, own);
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

/* Take the tasks that are over out of the list, and put their subtasks in. */
static tutti_status replace(struct janus *janus)
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
    status = start(janus, division.children[i].task);
  return status;
}

/* ---- advancing ---- */

/* Advance a task whose request is complete; *driven: a request that is not, if none is. */
static tutti_status advance_any(struct janus *janus, bool *advanced, tutti_request **driven)
{
  *advanced = false;
  *driven = NULL;
  for (int i = 0; i < janus->task_count; i++) {
    struct task *task = janus->tasks[i];
    if (task->step == STEP_OVER)
      continue;
    tutti_request **request = tutti_sort_task_request(task);
    *driven = *request;
    if (!tutti_request_is_complete(*request))
      continue;
    MPI_Status envelope;
    tutti_status status = tutti_wait_message(request, &envelope, janus->sort->error);
    *advanced = true;
    return status == TUTTI_OK ? tutti_sort_task_advance(task, &envelope) : status;
  }
  return TUTTI_OK;
}

/* One step of one task, whichever comes first. */
static tutti_status advance(struct janus *janus)
{
  bool advanced;
  tutti_request *driven;
  for (;;) {
    tutti_status status = advance_any(janus, &advanced, &driven);
    if (status != TUTTI_OK || advanced)
      return status;
    tutti_progress_step(driven->run);
  }
}

static int count_over(const struct janus *janus)
{
  int over = 0;
  for (int i = 0; i < janus->task_count; i++)
    over += janus->tasks[i]->step == STEP_OVER;
  return over;
}

/* Ranges need nobody else, so each task goes on by itself; other layers make the groups of a level together. */
static tutti_status run(struct janus *janus)
{
  bool alone = janus->sort->how->layer == TUTTI_SORT_RANGES;
  tutti_status status = TUTTI_OK;
  while (janus->task_count > 0 && status == TUTTI_OK) {
    int over = count_over(janus);
    if (over == janus->task_count || (alone && over > 0))
      status = replace(janus);
    else
      status = advance(janus);
  }
  return status;
}

/* ---- the whole ---- */

/* How many elements are there, and how many in front? */
static tutti_status count_all(struct janus *janus, uint64_t count, uint64_t *before)
{
  struct sort *sort = janus->sort;
  tutti_method sum = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "recursive-doubling"));
  tutti_method scan = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_EXSCAN, "binomial"));
  tutti_request *requests[2] = {NULL, NULL};
  *before = 0; /* of rank 0 */
  tutti_status status = tutti_iallreduce(&sum, &count, &janus->places.n, 1, MPI_UINT64_T, MPI_SUM, &sort->view,
                                         &requests[0], sort->error);
  if (status == TUTTI_OK)
    status = tutti_iexscan(&scan, &count, before, 1, MPI_UINT64_T, MPI_SUM, &sort->view, &requests[1], sort->error);
  return status == TUTTI_OK ? tutti_waitall(2, requests, sort->error) : status;
}

static tutti_status copy_input(const struct janus *janus, const void *input, uint64_t count, struct sort_elements *own)
{
  own->data = tutti_sort_room(janus->sort, count);
  own->count = count;
  if (!own->data)
    return TUTTI_ERR_MEMORY;
  if (count > 0)
    memcpy(own->data, input, (size_t)(count * janus->sort->type->size));
  return TUTTI_OK;
}

static tutti_status start_all(struct janus *janus, struct sort_elements *own, uint64_t before)
{
  struct sort_interval all = {0, janus->places.n};
  if (janus->places.p <= 2)
    return tutti_sort_put_aside(janus, all, 0, janus->places.p, own);
  struct task *root = new_task(janus, all);
  tutti_status status = root ? tutti_sort_root_group(root) : TUTTI_ERR_MEMORY;
  if (status != TUTTI_OK)
    return status;
  root->own = *own;
  root->before = before;
  janus->sort->tally.groups += root->made != MPI_COMM_NULL;
  return start(janus, root);
}

/* After the first level every process has as many elements of a task as it owns of its places, so there is no
   "remaining load" of a first process to keep track of. */
tutti_status tutti_sort_by_janus(struct sort *sort, const void *input, uint64_t count, struct sort_elements *output)
{
  struct janus janus = {.sort = sort, .places = {0, sort->view.size}};
  struct sort_elements own;
  uint64_t before;
  tutti_status status = count_all(&janus, count, &before);
  if (status != TUTTI_OK || janus.places.n == 0)
    return status;
  janus.own = tutti_sort_share(&janus.places, (struct sort_interval){0, janus.places.n}, sort->view.rank);
  janus.output = tutti_sort_room(sort, sort_length(janus.own));
  status = janus.output ? copy_input(&janus, input, count, &own) : TUTTI_ERR_MEMORY;
  if (status == TUTTI_OK)
    status = start_all(&janus, &own, before);
  if (status == TUTTI_OK)
    status = run(&janus);
  if (status == TUTTI_OK)
    status = tutti_sort_bases(&janus);
  sort->tally.janus_levels = janus.started > sort->tally.levels ? janus.started - sort->tally.levels : 0;
  *output = (struct sort_elements){janus.output, sort_length(janus.own)};
  return status;
}
