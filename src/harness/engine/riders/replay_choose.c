/* Which method runs for the calls of a shape, as under the interposer. */
#include "harness/engine/riders/replay.h"

static const char rounds_apart[] =
    "may round differently on each rank, and a trace does not say which calls round (--rounds-apart: "
    "none does)",
                  has_sides[] = "gets the sides of the platform, which a rule for MPI must name";

/* Whether the operation may round: not where the recorded call ran by a method that rounds differently on ranks. */
static bool may_round(const struct replay_question *question, const struct workload_shape *shape)
{
  return !question->rounds_apart && !tutti_method_rounds_apart(&shape->method);
}

/* Calls of a replay have their nodes, and these as levels. */
static const char *fault_of(const struct workload_shape *shape, const tutti_method *method)
{
  static const int nodes;
  tutti_call call = shape->call;
  call.nodes = &nodes;
  call.level_count = 1;
  return tutti_method_fault(method, &call);
}

bool tutti_replay_choose(const struct replay_question *question, const struct workload_shape *shape,
                         struct replay_chosen *chosen)
{
  const struct replay_choice choice = {shape->collective, shape->call.size, shape->bytes, &shape->method};
  tutti_method *wanted = &chosen->wanted, *method = &chosen->method;
  chosen->reason = NULL;
  if (!question->decide(question->context, &choice, wanted))
    return false;
  *method = tutti_method_rounding(wanted, may_round(question, shape));
  if (tutti_method_compare(method, wanted) != 0)
    chosen->reason = rounds_apart;
  const int k = method->parameters.k;
  if (shape->communicator == 0) /* on others ranks may be in any order */
    tutti_method_tell(method, &question->places, shape->call.size);
  if (method->parameters.k != k)
    chosen->reason = has_sides;
  const char *fault = fault_of(shape, method);
  if (fault) {
    *method = tutti_method_substitute(method);
    chosen->reason = fault;
  }
  return true;
}
