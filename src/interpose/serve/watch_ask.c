/* Asking the ranks of a call, in rounds, whether they have made it. */
#include <stdlib.h>

#include "algorithms/mpi/collectives/operation.h"
#include "interpose/process.h"

uint64_t tutti_watch_stamp(const struct process *process, uint64_t digest)
{
  return digest ^ process->policy->digest;
}

/* Whom a call exchanges messages with; of one that is left to the library that is not known, so ranks at distances that
   are powers of two are asked, which connect all. */
static void find_peers(const struct watched_wait *wait, int size, int rank, bool *peers)
{
  const tutti_schedule *schedule = wait->operation ? &wait->operation->schedule : NULL;
  for (uint32_t v = 0; schedule && v < schedule->vertex_count; v++)
    if (schedule->vertices[v].kind == TUTTI_SEND || schedule->vertices[v].kind == TUTTI_RECV)
      peers[schedule->vertices[v].peer] = true;
  for (int distance = 1; !schedule && distance < size; distance *= 2)
    peers[(rank + distance) % size] = peers[(rank + size - distance) % size] = true;
}

/* `members`: in MPI_COMM_WORLD; NULL: the view has them. */
static void send(struct process *process, const struct watched_wait *wait, const bool *peers, const int *members)
{
  const tutti_view *view = &wait->communicator->view;
  struct watch_round *round = process->watch.round;
  for (int r = 0; r < view->size; r++)
    if (peers[r] && PMPI_Isend(&round->question, sizeof round->question, MPI_BYTE,
                               members ? members[r] : tutti_view_base_rank(view, r), process->watch.tag,
                               process->known.shadow, &round->requests[round->count]) == MPI_SUCCESS)
      round->count++;
}

/* A rank that has left the call, and had when others were asked before, can send nothing more. */
static void look_who_left(const struct process *process, const struct watched_wait *wait,
                          const struct watched_call *call)
{
  const struct watch *watch = &process->watch;
  const tutti_view *view = &wait->communicator->view;
  const int peer = wait->operation && watch->left ? tutti_run_waits_for(&wait->operation->run, watch->left) : -1;
  if (peer >= 0)
    tutti_watch_report_absence(tutti_view_base_rank(view, view->rank), tutti_view_base_rank(view, peer), call);
}

bool tutti_watch_finish(struct watch *watch)
{
  int done = 1;
  if (watch->round)
    PMPI_Testall(watch->round->count, watch->round->requests, &done, MPI_STATUSES_IGNORE);
  if (!done)
    return false;
  free(watch->round);
  watch->round = NULL;
  return true;
}

/* What to ask, and whom: of a communicator without a tag its members in MPI_COMM_WORLD, to be freed. */
static struct watch_question question_of(const struct process *process, const struct watched_wait *wait,
                                         const struct watched_call *call, int **members)
{
  const struct communicator *communicator = wait->communicator;
  struct watch_question question = {
      .stamp = communicator->watched.stamp, .number = wait->number, .call = *call, .tag = communicator->tag};
  uint64_t digest = 0;
  *members = NULL;
  if (question.stamp == 0) {
    *members = tutti_communicator_members(communicator->comm, process->known.world, communicator->view.size, &digest);
    question.stamp = tutti_watch_stamp(process, digest);
    question.tag = WATCH_NO_TAG;
    question.opening = process->watch.opening;
  }
  return question;
}

void tutti_watch_ask(struct process *process, const struct watched_wait *wait, const struct watched_call *call)
{
  const int size = wait->communicator->view.size;
  struct watch *watch = &process->watch;
  int *members;
  look_who_left(process, wait, call);
  if (!tutti_watch_finish(watch))
    return;
  const struct watch_question question = question_of(process, wait, call, &members);
  if (!watch->left)
    watch->left = calloc((size_t)size, sizeof *watch->left);
  watch->round = malloc(sizeof *watch->round + (size_t)size * sizeof *watch->round->requests);
  bool *peers = calloc((size_t)size, sizeof *peers);
  if (watch->round)
    *watch->round = (struct watch_round){.question = question};
  if (watch->round && peers && (members || question.tag != WATCH_NO_TAG)) {
    find_peers(wait, size, wait->communicator->view.rank, peers);
    send(process, wait, peers, members);
  }
  free(members);
  free(peers);
}
