/*
 * tutti-replay: the ranks of a program, as its trace has it, as processes of SMPI.
 *
 *     tutti-replay PLAN    what tutti_replay_plan_write() wrote
 *
 * Each rank asks the replay what it does next, as the ranks of the fast engine do: it sleeps as long as the program
 * computed, or runs the operations of a schedule or of the program itself (replay_rank.c). Prints the answer.
 *
 * All ranks of a simulation share one address space, and here on purpose one mutable global: they are parts of one
 * replay, and telling each other where it is would take messages and simulated time.
 */
#include <mpi.h>
#include <stdio.h>

#include "base/say.h"
#include "harness/measure/replay/replay.h"

static struct {
  struct replay_plan plan;
  struct workload workload;
  struct replay_answer answer;
  struct replay_question question;
  struct replay *replay;
  tutti_status status; /* of opening it */
  tutti_error error;
  uint32_t begun, ended; /* ranks */
} shared;

static bool decide(void *context, const struct replay_choice *choice, tutti_method *method)
{
  (void)context;
  *method = *choice->recorded;
  return true;
}

static tutti_status open_replay(const char *plan)
{
  shared.status = tutti_replay_plan_read(plan, &shared.plan, &shared.workload, &shared.error);
  shared.question = (struct replay_question){.decide = decide, .compute = shared.plan.compute};
  if (shared.status == TUTTI_OK)
    shared.status = tutti_replay_open(&shared.workload, shared.plan.ranks_per_node, &shared.question, &shared.answer,
                                      &shared.replay, &shared.error);
  return shared.status;
}

static int give_up(const char *reason)
{
  tutti_say(stderr, "tutti-replay: %s\n", reason);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 2);
  return 2;
}

int main(int argc, char **argv)
{
  tutti_error error;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2)
    return give_up("the file of a plan is expected");
  if (shared.begun++ == 0 && open_replay(argv[1]) != TUTTI_OK)
    return give_up(shared.error.message);
  const struct script_source source = tutti_replay_source(shared.replay);
  if (tutti_replay_rank(&source, (uint32_t)rank, &error) != TUTTI_OK)
    return give_up(error.message);
  if (++shared.ended == shared.workload.rank_count) {
    tutti_replay_close(shared.replay);
    tutti_replay_answer_write(&shared.answer, stdout);
    fflush(stdout);
    tutti_workload_free(&shared.workload);
  }
  return MPI_Finalize();
}
