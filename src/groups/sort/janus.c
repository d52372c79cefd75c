#include "groups/sort/task.h"

#include "algorithms/mpi/collectives/request.h"

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

/* Ranges need no other process, so each task continues on its own; other layers make the groups of a level together. */
static tutti_status run_janus(struct janus *janus)
{
  bool alone = janus->sort->how->layer == TUTTI_SORT_RANGES;
  tutti_status status = TUTTI_OK;
  while (janus->task_count > 0 && status == TUTTI_OK) {
    int over = count_over(janus);
    if (over == janus->task_count || (alone && over > 0))
      status = tutti_sort_divide(janus);
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
  *before = 0; /* at rank 0 */
  tutti_status status = tutti_iallreduce(&sum, &count, &janus->places.n, 1, MPI_UINT64_T, MPI_SUM, &sort->view,
                                         &requests[0], sort->error);
  if (status == TUTTI_OK)
    status = tutti_iexscan(&scan, &count, before, 1, MPI_UINT64_T, MPI_SUM, &sort->view, &requests[1], sort->error);
  return status == TUTTI_OK ? tutti_waitall(2, requests, sort->error) : status;
}

static tutti_status start_all(struct janus *janus, struct sort_elements *own, uint64_t before)
{
  struct sort_interval all = {0, janus->places.n};
  if (janus->places.p <= 2)
    return tutti_sort_put_aside(janus, all, 0, janus->places.p, own);
  struct task *root = tutti_sort_new_task(janus, all);
  tutti_status status = root ? tutti_sort_root_group(root) : TUTTI_ERR_MEMORY;
  if (status != TUTTI_OK)
    return status;
  root->own = *own;
  root->before = before;
  janus->sort->tally.groups += root->made != MPI_COMM_NULL;
  return tutti_sort_start(janus, root);
}

/* After the first level every process has as many elements of a task as it owns of its places, so no "remaining load"
   of a first process must be tracked. */
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
  status = janus.output ? tutti_sort_copy(sort, input, count, &own) : TUTTI_ERR_MEMORY;
  if (status == TUTTI_OK)
    status = start_all(&janus, &own, before);
  if (status == TUTTI_OK)
    status = run_janus(&janus);
  if (status == TUTTI_OK)
    status = tutti_sort_bases(&janus);
  sort->tally.janus_levels = janus.started > sort->tally.levels ? janus.started - sort->tally.levels : 0;
  *output = (struct sort_elements){janus.output, sort_length(janus.own)};
  return status;
}
