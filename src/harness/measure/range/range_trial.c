/* One point on one process: groups and data, the timed operation, and the check of its result. */
#include "harness/measure/range/range.h"

static bool makes_groups(const struct range_point *point)
{
  return !tutti_range_has_way(point->operation, WAY_NATIVE);
}

static bool moves_data(const struct range_trial *trial)
{
  if (trial->point->operation == RANGE_SUBRANGE_BCAST)
    return trial->plan.count > 0 && trial->plan.creations[0].member;
  return !makes_groups(trial->point);
}

/* The view that the point's data are moved on. */
static tutti_view view_of_data(const struct range_trial *trial)
{
  const struct range_creation *creation = &trial->plan.creations[0];
  tutti_view view = *trial->parent->all;
  if (trial->point->operation == RANGE_SUBRANGE_BCAST)
    tutti_view_range(trial->parent->all, creation->first, creation->last, 1, &view, NULL);
  return view;
}

/* ---- before ---- */

tutti_status range_trial_open(void *state, const void *item, tutti_error *error)
{
  struct range_bench *bench = state;
  struct range_trial *trial = &bench->trial;
  const struct range_parent *parent = &bench->parent;
  const struct range_point *point = item;
  bool counted = point->way == WAY_RANGES && point->operation != RANGE_SUBRANGE_BCAST && makes_groups(point);
  *trial = (struct range_trial){.parent = parent, .point = point, .range = *parent->all};
  trial->inner = counted && !tutti_clock_is_simulated() ? parent->points->costs.inner : 1;
  if (makes_groups(point))
    trial->plan = range_plan_of(point, parent->all);
  else if (point->way == WAY_RANGES) {
    tutti_status status = tutti_view_range(parent->all, 0, parent->all->size - 1, 1, &trial->range, error);
    if (status != TUTTI_OK)
      return status;
  }
  if (!moves_data(trial))
    return TUTTI_OK;
  tutti_view view = view_of_data(trial);
  return range_data_open(point, &view, &trial->data, error);
}

void range_trial_close(void *state)
{
  range_data_free(&((struct range_bench *)state)->trial.data);
}

static void prepare(struct range_trial *trial, int round)
{
  trial->places = 0;
  if (!moves_data(trial))
    return;
  tutti_view view = view_of_data(trial);
  range_data_fill(trial->point, &view, round, &trial->data);
}

/* ---- the timed operation ---- */

static tutti_status make_all(struct range_trial *trial, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < trial->plan.count && status == TUTTI_OK; i++)
    status = range_make(trial->parent, trial->point->way, &trial->plan.creations[i], &trial->made[i], error);
  return status;
}

/* Ranges are added up as they are made: no way to leave one out. */
static tutti_status make_many(struct range_trial *trial, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int n = 0; n < trial->inner && status == TUTTI_OK; n++) {
    status = make_all(trial, error);
    for (int i = 0; i < trial->plan.count; i++)
      trial->places += (uint64_t)trial->made[i].view.size + (uint64_t)trial->made[i].view.rank;
  }
  return status;
}

static tutti_status make_and_use(struct range_trial *trial, tutti_error *error)
{
  struct range_made *made = &trial->made[0];
  tutti_status status = make_all(trial, error);
  for (int use = 0; moves_data(trial) && use < trial->point->uses && status == TUTTI_OK; use++)
    status = made->comm == MPI_COMM_NULL ? range_collective(trial->point, &made->view, &trial->data, error)
                                         : range_collective_native(trial->point, made->comm, &trial->data, error);
  return status;
}

static tutti_status run_trial(struct range_trial *trial, tutti_error *error)
{
  if (trial->point->operation == RANGE_SUBRANGE_BCAST)
    return make_and_use(trial, error);
  if (makes_groups(trial->point))
    return trial->inner > 1 ? make_many(trial, error) : make_all(trial, error);
  if (trial->point->way == WAY_NATIVE)
    return range_collective_native(trial->point, trial->range.comm, &trial->data, error);
  return range_collective(trial->point, &trial->range, &trial->data, error);
}

/* ---- afterwards ---- */

/* The ranks that all processes have, added up on the group itself, are those of the group. */
static tutti_status check_members(const struct range_creation *creation, const tutti_view *all, const tutti_view *view,
                                  tutti_error *error)
{
  tutti_method method;
  uint64_t own = (uint64_t)all->rank, sum = 0, first = (uint64_t)creation->first, last = (uint64_t)creation->last;
  tutti_status status = tutti_method_parse("allreduce/reduce-bcast/reduce=binomial/bcast=binomial", &method, error);
  if (status == TUTTI_OK)
    status = tutti_allreduce(&method, &own, &sum, 1, MPI_UINT64_T, MPI_SUM, view, error);
  if (status == TUTTI_OK && sum != (first + last) * (last - first + 1) / 2)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: what arrives in the group %d..%d is not from its members",
                      all->rank, creation->first, creation->last);
  return status;
}

static tutti_status check_group(const struct range_creation *creation, const tutti_view *all, struct range_made *made,
                                tutti_error *error)
{
  tutti_status status = range_made_view(made, all, error);
  int size = creation->last - creation->first + 1, rank = all->rank - creation->first;
  if (status == TUTTI_OK && (made->view.size != size || made->view.rank != rank))
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: is %d of %d in the group %d..%d", all->rank, made->view.rank,
                      made->view.size, creation->first, creation->last);
  return status == TUTTI_OK ? check_members(creation, all, &made->view, error) : status;
}

static tutti_status check_groups(struct range_trial *trial, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  uint64_t places = 0;
  for (int i = 0; i < trial->plan.count && status == TUTTI_OK; i++) {
    const struct range_creation *creation = &trial->plan.creations[i];
    if (creation->member) {
      status = check_group(creation, trial->parent->all, &trial->made[i], error);
      places += (uint64_t)trial->made[i].view.size + (uint64_t)trial->made[i].view.rank;
    } else if (trial->made[i].comm != MPI_COMM_NULL) {
      status = tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: has a group that it is not in", trial->parent->all->rank);
    }
    range_made_free(&trial->made[i]);
  }
  if (status == TUTTI_OK && trial->inner > 1 && trial->places != (uint64_t)trial->inner * places)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: of %d ranges that were made some are wrong",
                      trial->parent->all->rank, trial->inner);
  return status;
}

static tutti_status check_round(struct range_trial *trial, int round, tutti_error *error)
{
  tutti_status status = check_groups(trial, error);
  if (status != TUTTI_OK || !moves_data(trial))
    return status;
  tutti_view view = view_of_data(trial);
  return range_data_check(trial->point, &view, round, &trial->data, error);
}

/* ---- all of it ---- */

tutti_status range_trial_once(void *state, const void *point, int round, double *seconds, tutti_error *error)
{
  struct range_bench *bench = state;
  struct timing *timing = &bench->timing;
  struct range_trial *trial = &bench->trial;
  double start;
  (void)point;
  prepare(trial, round);
  tutti_status status = tutti_start_together(&timing->view, &timing->starts, 0, &start, error);
  if (status == TUTTI_OK)
    status = run_trial(trial, error);
  double end = tutti_clock_now(&timing->clock);
  if (status != TUTTI_OK)
    return status;
  tutti_sleep_until_all(&timing->starts, 1);
  *seconds = (end - start) / trial->inner;
  status = tutti_max_at_rank0(&timing->view, seconds, 1, error);
  return status == TUTTI_OK ? check_round(trial, round, error) : status;
}
