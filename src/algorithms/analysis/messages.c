#include "tutti/analysis.h"

static tutti_status tell_rank(const tutti_method *method, const tutti_call *call, tutti_on_message *tell, void *context,
                              tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_arena_init(&arena);
  tutti_status status = tutti_method_schedule(method, call, &arena, &schedule, error);
  for (uint32_t v = 0; status == TUTTI_OK && v < schedule.vertex_count; v++)
    if (schedule.vertices[v].kind == TUTTI_SEND)
      status = tell(context, call->rank, schedule.vertices[v].peer, schedule.vertices[v].count, error);
  tutti_arena_release(&arena);
  return status;
}

tutti_status tutti_each_message(const tutti_method *method, const tutti_call *call, tutti_on_message *tell,
                                void *context, tutti_error *error)
{
  tutti_call own = *call;
  tutti_status status = TUTTI_OK;
  for (own.rank = 0; status == TUTTI_OK && own.rank < own.size; own.rank++)
    status = tell_rank(method, &own, tell, context, error);
  return status;
}
