/* Which calls are served, and by which method. */
#include "interpose/process.h"
#include "interpose/serve/communicator.h"
#include "interpose/serve/serve.h"

/* A method for a torus gets the sides of the program's, if the communicator is one and the method names none. */
static void tell_torus(struct communicator *communicator, tutti_method *method)
{
  const struct neighbors *neighbors = method->algorithm->domain & TUTTI_NEEDS_TORUS
                                          ? tutti_neighbors_ask(&communicator->neighbors, communicator->comm)
                                          : NULL;
  if (!neighbors)
    return;
  const tutti_places places = {.ranks_per_host = 1, .torus = tutti_neighbors_torus(neighbors)};
  tutti_method_tell(method, &places, communicator->view.size);
}

/* The same on all ranks: from what all of them know. */
static void decide(const struct process *process, tutti_collective collective, uint64_t bytes,
                   struct communicator *communicator, struct choice *choice)
{
  const tutti_question question = {collective, communicator->view.size, 0, bytes};
  if (choice->known && choice->bytes == bytes)
    return;
  choice->native =
      !tutti_policy_decide(process->policy, &question, &choice->method) || tutti_method_is_native(&choice->method);
  if (!choice->native)
    tell_torus(communicator, &choice->method);
  choice->bytes = bytes;
  choice->known = true;
}

/* Whether the call is left to the library because it is one of the first on its communicator. All ranks know its bytes,
   unless the counts are local. */
static bool is_first_and_small(const struct arguments *arguments, struct communicator *communicator, uint64_t bytes)
{
  enum { FIRST_CALLS = 4, SMALL = 4096 };
  if (communicator->open || communicator->comm == MPI_COMM_WORLD || communicator->small_calls == FIRST_CALLS ||
      bytes > SMALL || tutti_collective_traits(arguments->collective) & TUTTI_COUNTS_ARE_LOCAL)
    return false;
  communicator->small_calls++;
  return true;
}

/* Candidates are tried: the choice is the one that is picked. */
static const char *adapt(struct call *call, uint64_t bytes, struct choice *choice)
{
  if (!call->candidate)
    call->candidate = tutti_adapt_pick(call, call->communicator, bytes);
  choice->method = *call->candidate;
  choice->native = tutti_method_is_native(call->candidate);
  choice->bytes = bytes;
  choice->known = true;
  return choice->native ? "a candidate" : NULL;
}

const char *tutti_why_not_serve(struct process *process, struct call *call, struct choice *choice, uint64_t *bytes)
{
  const struct arguments *arguments = call->arguments;
  struct communicator *communicator = call->communicator;
  const tutti_view *view = &communicator->view;
  const bool adapts = tutti_adapt_concerns(&process->adapt, arguments->collective);
  if (!tutti_arguments_are_valid(arguments, view) ||
      tutti_arguments_bytes(arguments, view->size, view->rank == arguments->root, bytes, NULL) != TUTTI_OK)
    return "arguments";
  if (!adapts) /* before ranks exchange messages, which calls left to the library do not need */
    decide(process, arguments->collective, *bytes, communicator, choice);
  call->stays = !adapts && choice->native;
  if (call->stays)
    return "no method";
  if (!tutti_policy_keeps(process->policy, arguments->collective) &&
      is_first_and_small(arguments, communicator, *bytes))
    return "a new communicator";
  tutti_watch_open(process, communicator, arguments);
  if (communicator->native)
    return communicator->native;
  const char *reason = tutti_why_not_reduced(arguments, communicator, choice);
  if (reason)
    return reason;
  if (adapts)
    return adapt(call, *bytes, choice);
  tutti_communicator_prepare(&process->known, communicator, &choice->method);
  return NULL;
}

const char *tutti_why_native(const struct process *process, tutti_collective collective,
                             const struct communicator *communicator)
{
  const struct policy *policy = process->policy;
  const struct override *override = &policy->overrides[collective];
  if (override->given && override->native)
    return "by its variable";
  if (policy->native && !override->given && !policy->file.decide && !policy->adapt &&
      !tutti_policy_keeps(policy, collective))
    return "by TUTTI_NATIVE";
  return communicator ? communicator->native : "no valid communicator";
}

const char *tutti_choose_method(struct process *process, struct call *call, tutti_method *method)
{
  const struct arguments *arguments = call->arguments;
  struct communicator *communicator = call->communicator;
  const char *reason = tutti_why_native(process, arguments->collective, communicator);
  if (reason)
    return reason;
  const tutti_view *view = &communicator->view;
  if (!tutti_arguments_are_valid(arguments, view) ||
      tutti_arguments_bytes(arguments, view->size, view->rank == arguments->root, &call->bytes, NULL) != TUTTI_OK)
    return "arguments";
  if (!communicator->open)
    return "a new communicator";
  reason = tutti_why_not_reduced(arguments, communicator, &(struct choice){.known = false});
  if (reason)
    return reason;
  const tutti_question question = {arguments->collective, view->size, 0, call->bytes};
  if (!tutti_policy_decide(process->policy, &question, method) || tutti_method_is_native(method))
    return "no method";
  tell_torus(communicator, method);
  *method = tutti_policy_rounding(process->policy, method, tutti_call_rounds(arguments));
  return tutti_method_needs_places(method) && !communicator->places_sought ? "nodes not known" : NULL;
}
