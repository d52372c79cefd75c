#include <math.h>

#include "measure/coordinate.h"
#include "measure/group.h"
#include "measure/repeat.h"
#include "tutti/group.h"

/* What all ranks have to tell rank 0 about a build. */
struct report {
  tutti_group_counts counts;
  uint64_t received;
  double complete; /* when the last group was known to stand, on the shared clock; -infinity: none was here */
  double ended;    /* when rank 0 knew that there is no group at all */
};

/* ---- what ranks tell each other ---- */

static void merge_two(const struct report *from, struct report *into)
{
  for (int i = 0; i < TUTTI_GROUP_SUMS; i++)
    into->counts.sums[i] += from->counts.sums[i];
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    if (into->counts.maxima[i] < from->counts.maxima[i])
      into->counts.maxima[i] = from->counts.maxima[i];
  into->received += from->received;
  into->complete = fmax(into->complete, from->complete);
  into->ended = fmax(into->ended, from->ended);
}

static void merge(void *from, void *into, int *count, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *count; i++)
    merge_two((const struct report *)from + i, (struct report *)into + i);
}

static tutti_status gather(const struct group_bench *bench, const struct report *own, struct report *all,
                           tutti_error *error)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  return tutti_reduce(&method, own, all, 1, bench->report, bench->merge, 0, &bench->timing.view, error);
}

tutti_status group_bench_open(void *state, tutti_error *error)
{
  struct group_bench *bench = state;
  const tutti_view *view = &bench->timing.view;
  bench->report_made = MPI_Type_contiguous(sizeof(struct report), MPI_BYTE, &bench->report) == MPI_SUCCESS &&
                       MPI_Type_commit(&bench->report) == MPI_SUCCESS;
  bench->merge_made = MPI_Op_create(merge, true, &bench->merge) == MPI_SUCCESS;
  if (!bench->report_made || !bench->merge_made)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: cannot make a datatype and an operation", view->rank);
  return tutti_clock_synchronize(view, &bench->timing.clock, error);
}

void group_bench_close(void *state)
{
  struct group_bench *bench = state;
  if (bench->merge_made)
    MPI_Op_free(&bench->merge);
  if (bench->report_made)
    MPI_Type_free(&bench->report);
}

/* ---- one build on one rank ---- */

struct worker {
  tutti_tree tree;
  tutti_endpoint *endpoint;
  tutti_actor *actor;
};

static tutti_status worker_open(const struct group_bench *bench, const tutti_group_point *point, struct worker *worker,
                                tutti_error *error)
{
  *worker = (struct worker){.endpoint = NULL};
  tutti_status status = tutti_group_point_tree(point, bench->timing.view.rank, &worker->tree, error);
  if (status == TUTTI_OK)
    status = tutti_endpoint_open(&bench->timing.inside, &worker->endpoint, error);
  if (status != TUTTI_OK)
    return status;
  worker->actor = tutti_group_point_actor(point, &worker->tree, tutti_endpoint_transport(worker->endpoint), 0, error);
  return worker->actor ? tutti_endpoint_attach(worker->endpoint, worker->actor, error) : TUTTI_ERR_MEMORY;
}

/* Only where nothing is on its way; after a failure nothing is freed that a message may still arrive in. */
static tutti_status worker_close(struct worker *worker, tutti_error *error)
{
  tutti_endpoint_detach(worker->endpoint, worker->actor);
  tutti_actor_free(worker->actor);
  return tutti_endpoint_close(worker->endpoint, error);
}

static bool is_complete_or_done(const void *argument)
{
  const tutti_actor *actor = argument;
  return actor->done || tutti_group_protocol_complete(actor);
}

static bool is_done(const void *argument)
{
  return ((const tutti_actor *)argument)->done;
}

/* From the start until nothing is to be done here any more; notes when the own group stood. */
static tutti_status work(const struct group_bench *bench, struct worker *worker, struct report *report,
                         tutti_error *error)
{
  tutti_actor *actor = worker->actor;
  *report = (struct report){.complete = -INFINITY, .ended = -INFINITY};
  tutti_actor_start(actor);
  tutti_status status = tutti_endpoint_wait(worker->endpoint, is_complete_or_done, actor, error);
  if (status == TUTTI_OK && tutti_group_protocol_complete(actor))
    report->complete = tutti_clock_now(&bench->timing.clock);
  if (status == TUTTI_OK)
    status = tutti_endpoint_wait(worker->endpoint, is_done, actor, error);
  if (bench->timing.view.rank == 0)
    report->ended = tutti_clock_now(&bench->timing.clock);
  return status;
}

static void count(const struct worker *worker, struct report *report)
{
  report->counts = (tutti_group_counts){.sums = {0}};
  tutti_group_counts_add(&report->counts, worker->actor);
  report->counts.maxima[TUTTI_GROUP_ENDPOINT] = tutti_endpoint_memory(worker->endpoint);
  report->received = (uint64_t)worker->actor->tally.received;
}

static uint64_t all_sent(const tutti_group_counts *counts)
{
  uint64_t sent = 0;
  for (int kind = 0; kind < TUTTI_MESSAGE_KINDS; kind++)
    sent += counts->sums[kind];
  return sent;
}

/* The end may overtake messages that nobody waits for: take these in until all that was sent has been received.
   Then rank 0 knows whether the members are those of the sample. */
static tutti_status drain(const struct group_bench *bench, const tutti_group_point *point, struct worker *worker,
                          struct report *report, struct report *all, tutti_error *error)
{
  char quiet = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && !quiet) {
    status = tutti_endpoint_poll(worker->endpoint, error);
    count(worker, report);
    if (status == TUTTI_OK)
      status = gather(bench, report, all, error);
    quiet = bench->timing.view.rank == 0 && all_sent(&all->counts) == all->received;
    if (status == TUTTI_OK)
      status = tutti_bcast_from_rank0(&bench->timing.view, &quiet, sizeof quiet, error);
  }
  if (status == TUTTI_OK && bench->timing.view.rank == 0)
    status = tutti_group_counts_check(&all->counts, &point->sample, error);
  return status;
}

/* ---- one build on all ranks ---- */

/* Seconds from the start to the last group, or to the knowledge that there is none; clocks may differ a little. */
static double elapsed(const struct report *all, double start)
{
  return fmax(0, (isinf(all->complete) ? all->ended : all->complete) - start);
}

/* What is built, and with what. */
struct building {
  struct group_bench *bench;
  const tutti_group_point *point;
};

static tutti_status build_once(void *context, int round, double *seconds, tutti_error *error)
{
  const struct building *building = context;
  struct group_bench *bench = building->bench;
  struct worker worker;
  struct report own, all = {.received = 0};
  double start;
  (void)round;
  tutti_status status = worker_open(bench, building->point, &worker, error);
  if (status == TUTTI_OK)
    status = tutti_start_together(&bench->timing.view, &bench->timing.clock, &start, error);
  if (status == TUTTI_OK)
    status = work(bench, &worker, &own, error);
  if (status == TUTTI_OK)
    status = drain(bench, building->point, &worker, &own, &all, error);
  if (status != TUTTI_OK)
    return status;
  bench->counts = all.counts;
  *seconds = elapsed(&all, start);
  return worker_close(&worker, error);
}

tutti_status group_bench_measure(void *state, const void *point, tutti_error *error)
{
  struct group_bench *bench = state;
  struct building building = {bench, point};
  const tutti_measure *measure = &bench->timing.points->measure;
  return tutti_repeat(measure, tutti_clock_is_simulated() ? 0 : measure->warmup, &bench->timing.view, build_once,
                      &building, &bench->timing.statistics, error);
}
