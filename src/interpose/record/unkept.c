#include "interpose/record/unkept.h"

#include "base/say.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

static const char *const forms[UNKEPT_FORMS] = {"", "nonblocking ", "persistent "};

void tutti_unkept_note(struct process *process, const struct call *call)
{
  const tutti_collective collective = call->arguments->collective;
  const int form = !call->form ? 0 : *call->form == *forms[1] ? 1 : 2;
  if (tutti_policy_keeps(process->policy, collective) && tutti_call_rounds(call->arguments) && call->communicator &&
      call->communicator->view.size != 1) /* 0: an intercommunicator */
    process->unkept[form] |= 1u << collective;
}

void tutti_unkept_end(struct process *process)
{
  unsigned own[UNKEPT_FORMS], all[UNKEPT_FORMS] = {0};
  char names[1024] = "";
  size_t length = 0;
  int rank;
  if (!process->policy->reproducible)
    return;
  for (int f = 0; f < UNKEPT_FORMS; f++)
    own[f] = process->unkept[f];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(own, all, UNKEPT_FORMS, MPI_UNSIGNED, MPI_BOR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < UNKEPT_FORMS * TUTTI_COLL_COUNT; i++)
    if (all[i / TUTTI_COLL_COUNT] & 1u << i % TUTTI_COLL_COUNT)
      length += (size_t)snprintf(names + length, sizeof names - length, "%s%s%s", length ? ", " : "",
                                 forms[i / TUTTI_COLL_COUNT],
                                 tutti_collective_name((tutti_collective)(i % TUTTI_COLL_COUNT)));
  if (length)
    tutti_say(stderr,
              "tutti: TUTTI_REPRODUCIBLE: not served, so that their sums are the MPI library's: %s; TUTTI_VERBOSE=1 "
              "says why\n",
              names);
}
