/* GOAL, in the grammar of txt2bin of LogGOPSim: one statement a line without blanks before it, labels before their use,
   ranks in ascending order. */
#include <inttypes.h>
#include <math.h>

#include "analysis/export.h"

struct goal_context {
  const tutti_goal *goal;
  uint64_t type_size;
};

static tutti_status check_goal(const tutti_goal *goal, tutti_error *error)
{
  if (!(goal->gamma >= 0 && goal->delta >= 0) || isinf(goal->gamma) || isinf(goal->delta))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "gamma %g and delta %g: each is a time of at least 0 seconds a byte",
                      goal->gamma, goal->delta);
  if (!(goal->unit > 0) || isinf(goal->unit))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the unit of time is more than 0 seconds, not %g", goal->unit);
  return TUTTI_OK;
}

/* ---- operations ---- */

static tutti_status write_calc(const struct goal_context *context, const tutti_schedule *schedule, uint32_t v,
                               FILE *file, tutti_error *error)
{
  const tutti_vertex *vertex = &schedule->vertices[v];
  double per_byte = vertex->kind == TUTTI_REDUCE ? context->goal->gamma : context->goal->delta;
  double units = round((double)vertex->count * (double)context->type_size * per_byte / context->goal->unit);
  if (!(units < 0x1p63))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d, vertex %u: %g units of %g s are too many for GOAL",
                      schedule->rank, (unsigned)v, units, context->goal->unit);
  fprintf(file, "l%u: calc %" PRIu64 "\n", (unsigned)v, (uint64_t)units);
  return TUTTI_OK;
}

static tutti_status write_message(const struct goal_context *context, const tutti_schedule *schedule, uint32_t v,
                                  uint32_t number, FILE *file, tutti_error *error)
{
  const tutti_vertex *vertex = &schedule->vertices[v];
  uint64_t bytes;
  if (__builtin_mul_overflow(vertex->count, context->type_size, &bytes))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d, vertex %u: a message of more than 2^64 bytes",
                      schedule->rank, (unsigned)v);
  bool sends = vertex->kind == TUTTI_SEND;
  fprintf(file, "l%u: %s %" PRIu64 "b %s %d tag %u\n", (unsigned)v, sends ? "send" : "recv", bytes > 0 ? bytes : 1,
          sends ? "to" : "from", vertex->peer, (unsigned)number);
  return TUTTI_OK;
}

static tutti_status write_operation(const struct goal_context *context, const tutti_schedule *schedule, uint32_t v,
                                    uint32_t number, FILE *file, tutti_error *error)
{
  bool moves = schedule->vertices[v].kind == TUTTI_SEND || schedule->vertices[v].kind == TUTTI_RECV;
  return moves ? write_message(context, schedule, v, number, file, error)
               : write_calc(context, schedule, v, file, error);
}

/* ---- dependencies ---- */

static void write_dependencies(const tutti_schedule *schedule, uint32_t v, FILE *file)
{
  tutti_vertex_id next = schedule->channel_next[v];
  for (uint32_t i = schedule->successor_first[v]; i < schedule->successor_first[v + 1]; i++) {
    tutti_vertex_id successor = schedule->successors[i];
    fprintf(file, "l%u requires l%u\n", (unsigned)successor, (unsigned)v);
    if (successor == next)
      next = TUTTI_NO_VERTEX; /* complete is started too */
  }
  if (next != TUTTI_NO_VERTEX)
    fprintf(file, "l%u irequires l%u\n", (unsigned)next, (unsigned)v);
}

/* ---- ranks ---- */

static tutti_status write_rank(const void *opaque, const tutti_schedule *schedule, const uint32_t *numbers, FILE *file,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  fprintf(file, "\nrank %d {\n", schedule->rank);
  for (uint32_t v = 0; v < schedule->vertex_count && status == TUTTI_OK; v++)
    status = write_operation(opaque, schedule, v, numbers[v], file, error);
  if (schedule->vertex_count == 0)
    fprintf(file, "l0: calc 0\n"); /* LogGOPSim takes the first of its events without asking whether there is any */
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    write_dependencies(schedule, v, file);
  fprintf(file, "}\n");
  return status;
}

tutti_status tutti_export_goal_rank(const tutti_schedule *schedule, uint64_t type_size, const tutti_goal *goal,
                                    FILE *file, tutti_error *error)
{
  struct goal_context context = {goal, type_size};
  tutti_status status = check_goal(goal, error);
  return status == TUTTI_OK ? tutti_export_rank(schedule, write_rank, &context, file, error) : status;
}

static void write_head(const tutti_method *method, const tutti_call *call, const tutti_goal *goal, FILE *file)
{
  char title[EXPORT_TITLE_LENGTH];
  fprintf(file, "// %s\n", tutti_export_title(method, call, title));
  fprintf(file,
          "// Times in units of %g s, each calc rounded to a whole one. A byte reduced costs %g s (gamma), a byte\n",
          goal->unit, goal->gamma);
  fprintf(file, "// copied %g s (delta). Tags number the messages of a pair; a message without data has 1 byte.\n",
          goal->delta);
  fprintf(file, "num_ranks %d\n", call->size);
}

tutti_status tutti_export_goal(const tutti_method *method, const tutti_call *call, const tutti_goal *goal, FILE *file,
                               tutti_error *error)
{
  struct goal_context context = {goal, call->type_size};
  tutti_status status = check_goal(goal, error);
  if (status == TUTTI_OK)
    status = tutti_export_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  write_head(method, call, goal, file);
  return tutti_export_each(method, call, write_rank, &context, file, error);
}
