#include "interpose/serve/near.h"

#include "base/say.h"
#include "base/text.h"
#include "interpose/process.h"
#include "interpose/record/recorders.h"
#include "interpose/serve/communicator.h"

/* Once for each communicator. */
static void report_linear(const struct communicator *communicator, MPI_Comm comm)
{
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  if (rank == 0)
    tutti_say(stderr, "tutti: neighborhood collectives of %d rank%s run linear, not combining: %s\n", ranks,
              tutti_plural((uint64_t)ranks), communicator->neighbors.why);
}

void tutti_near_welcome(struct process *process, MPI_Comm comm, MPI_Comm made)
{
  const bool serves = process->policy->near != NEAR_NATIVE, counts = process->profile.comm != MPI_COMM_NULL;
  if ((!serves && !counts) || process->ended || made == MPI_COMM_NULL)
    return;
  struct communicator *communicator = tutti_communicator_of(&process->known, made);
  const bool known =
      communicator && !communicator->native && tutti_neighbors_ask(&communicator->neighbors, made) != NULL;
  if (known && counts)
    tutti_neighbors_agree(&communicator->neighbors, made);
  if (!known || !serves)
    return;
  tutti_communicator_open(&process->known, communicator);
  if (communicator->native || process->policy->near != NEAR_COMBINING)
    return;
  tutti_neighbors_compare(&communicator->neighbors, made, comm);
  if (process->policy->verbose && !communicator->neighbors.near.stencil)
    report_linear(communicator, made);
}

const char *tutti_near_choose(struct process *process, struct call *call, tutti_method *method)
{
  struct communicator *communicator = call->communicator;
  struct arguments *arguments = call->arguments;
  const struct policy *policy = process->policy;
  if (policy->near == NEAR_NATIVE)
    return "";
  if (!communicator || communicator->native)
    return communicator ? communicator->native : "no valid communicator";
  const struct neighbors *neighbors = tutti_neighbors_ask(&communicator->neighbors, communicator->comm);
  if (!neighbors)
    return "no topology";
  if (!communicator->open)
    return "a new communicator";
  if (!tutti_neighbor_arguments_are_valid(arguments, &neighbors->near))
    return "arguments";
  const tutti_algorithm *combining =
      neighbors->near.stencil ? tutti_neighbor_algorithm(arguments->collective, TUTTI_NEIGHBOR_COMBINING) : NULL;
  *method = tutti_method_default(combining ? combining
                                           : tutti_neighbor_algorithm(arguments->collective, TUTTI_NEIGHBOR_LINEAR));
  arguments->near = &neighbors->near;
  return NULL;
}

bool tutti_serve_near(struct call *call, MPI_Comm comm, const char *form, int *result)
{
  struct process *process = tutti_process();
  tutti_method method, ran;
  tutti_error error;
  tutti_note(call, comm, form, true);
  if (process->policy->near == NEAR_NATIVE)
    return false;
  call->communicator = process->ended ? NULL : tutti_communicator_of(&process->known, comm);
  call->reason = process->ended ? "after the end" : tutti_near_choose(process, call, &method);
  if (call->reason)
    return false;
  const tutti_status status = tutti_serve_once(process, call, &method, 0, &ran, &error);
  if (status == TUTTI_OK)
    tutti_count_started(process, call, &ran);
  *result = status == TUTTI_OK ? MPI_SUCCESS
                               : tutti_report_failure(process, comm, call->arguments->collective, status, &error);
  return true;
}
