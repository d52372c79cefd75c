/* Schedules for other programs: all ranks of a call in order, one schedule in memory at a time, and the numbers of
 * messages. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/export.h"
#include "base/text.h"

/* Writes the schedule of one rank; numbers[v] is the place of message v among those of its kind and peer, from 0 on.
   Errors of the stream are noticed afterwards. */
typedef tutti_status (*export_write)(const void *context, const tutti_schedule *schedule, const uint32_t *numbers,
                                     FILE *file, tutti_error *error);

char *tutti_export_title(const tutti_method *method, const tutti_call *call, char title[TUTTI_EXPORT_TITLE_LENGTH])
{
  char name[TUTTI_METHOD_LENGTH], root[32] = "";
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  if (traits & TUTTI_HAS_ROOT)
    snprintf(root, sizeof root, ", root %d", call->root);
  snprintf(title, TUTTI_EXPORT_TITLE_LENGTH, "%s, %d rank%s%s, %s%" PRIu64 " element%s of %" PRIu64 " B",
           tutti_method_format(method, name), call->size, tutti_plural((uint64_t)call->size), root,
           traits & TUTTI_HAS_BLOCKS ? "blocks of " : "", call->count, tutti_plural(call->count), call->type_size);
  return title;
}

/* tutti_method_check() for any call->rank. */
static tutti_status export_check(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  tutti_call first = *call;
  if (call->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", call->size);
  first.rank = 0;
  return tutti_method_check(method, &first, error);
}

static tutti_status check_stream(FILE *file, int rank, tutti_error *error)
{
  if (!ferror(file))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "could not be written as far as rank %d: %s", rank, strerror(errno));
}

/* Vertices of a channel follow each other in vertex order. */
static void number_messages(const tutti_schedule *schedule, uint32_t *numbers)
{
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    if (schedule->channel_next[v] != TUTTI_NO_VERTEX)
      numbers[schedule->channel_next[v]] = numbers[v] + 1;
}

/* Call `write` with the numbers of this schedule. TUTTI_ERR_MEMORY, TUTTI_ERR_IO, or what it returns. */
static tutti_status export_rank(const tutti_schedule *schedule, export_write write, const void *context, FILE *file,
                                tutti_error *error)
{
  uint32_t *numbers = calloc((size_t)schedule->vertex_count + 1, sizeof *numbers);
  if (!numbers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for the numbers of %u vertices", schedule->rank,
                      (unsigned)schedule->vertex_count);
  number_messages(schedule, numbers);
  tutti_status status = write(context, schedule, numbers, file, error);
  free(numbers);
  return status == TUTTI_OK ? check_stream(file, schedule->rank, error) : status;
}

/* The same for each rank of a call in order, one schedule in memory at a time. */
static tutti_status export_each(const tutti_method *method, const tutti_call *call, export_write write,
                                const void *context, FILE *file, tutti_error *error)
{
  tutti_call own = *call;
  tutti_status status = TUTTI_OK;
  for (own.rank = 0; own.rank < call->size && status == TUTTI_OK; own.rank++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_arena_init(&arena);
    status = tutti_method_schedule(method, &own, &arena, &schedule, error);
    if (status == TUTTI_OK)
      status = export_rank(&schedule, write, context, file, error);
    tutti_arena_release(&arena);
  }
  return status;
}

/* DOT. The ends of a message are named after it, s_FROM_TO_NUMBER and r_FROM_TO_NUMBER, so that the edge between them
   can be written without the schedule of the other rank. Fill colors are those of plots/timeline.gp. */

/* ---- nodes ---- */

static void write_name(const tutti_schedule *schedule, uint32_t v, uint32_t number, FILE *file)
{
  const tutti_vertex *vertex = &schedule->vertices[v];
  if (vertex->kind == TUTTI_SEND)
    fprintf(file, "s_%d_%d_%u", schedule->rank, vertex->peer, (unsigned)number);
  else if (vertex->kind == TUTTI_RECV)
    fprintf(file, "r_%d_%d_%u", vertex->peer, schedule->rank, (unsigned)number);
  else
    fprintf(file, "v_%d_%u", schedule->rank, (unsigned)v);
}

static void write_attributes(const tutti_vertex *vertex, uint64_t type_size, FILE *file)
{
  static const char *const verbs[] = {"send to", "receive from", "reduce", "copy"};
  static const char *const colors[] = {"#56B4E9", "#E69F00", "#009E73", "#CC79A7"};
  bool moves = vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
  if (!moves && vertex->count == 0) { /* tutti_add_join() */
    fprintf(file, " [label=\"join\", fillcolor=white]");
    return;
  }
  fprintf(file, " [label=\"%s", verbs[vertex->kind]);
  if (moves)
    fprintf(file, " %d", vertex->peer);
  fprintf(file, "\\n%" PRIu64 " B\", fillcolor=\"%s\"]", vertex->count * type_size, colors[vertex->kind]);
}

static void write_node(const tutti_schedule *schedule, uint32_t v, uint32_t number, uint64_t type_size, FILE *file)
{
  fprintf(file, "    ");
  write_name(schedule, v, number, file);
  write_attributes(&schedule->vertices[v], type_size, file);
  fprintf(file, ";\n");
}

/* ---- edges ---- */

static void write_waits(const tutti_schedule *schedule, uint32_t v, const uint32_t *numbers, FILE *file)
{
  for (uint32_t i = schedule->successor_first[v]; i < schedule->successor_first[v + 1]; i++) {
    tutti_vertex_id successor = schedule->successors[i];
    fprintf(file, "    ");
    write_name(schedule, v, numbers[v], file);
    fprintf(file, " -> ");
    write_name(schedule, successor, numbers[successor], file);
    fprintf(file, ";\n");
  }
}

static void write_dot_message(const tutti_schedule *schedule, uint32_t v, uint32_t number, FILE *file)
{
  int from = schedule->rank, to = schedule->vertices[v].peer;
  fprintf(file, "  s_%d_%d_%u -> r_%d_%d_%u [style=dashed];\n", from, to, (unsigned)number, from, to, (unsigned)number);
}

/* ---- ranks ---- */

/* Messages are outside of the cluster, or the node of their receiver would be in it. */
static tutti_status write_dot_rank(const void *type_size, const tutti_schedule *schedule, const uint32_t *numbers,
                                   FILE *file, tutti_error *error)
{
  (void)error;
  fprintf(file, "  subgraph cluster_%d {\n    label=\"rank %d\";\n", schedule->rank, schedule->rank);
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    write_node(schedule, v, numbers[v], *(const uint64_t *)type_size, file);
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    write_waits(schedule, v, numbers, file);
  fprintf(file, "  }\n");
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    if (schedule->vertices[v].kind == TUTTI_SEND)
      write_dot_message(schedule, v, numbers[v], file);
  return TUTTI_OK;
}

tutti_status tutti_export_dot(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error)
{
  char title[TUTTI_EXPORT_TITLE_LENGTH];
  tutti_status status = export_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(file, "digraph schedule {\n  label=\"%s\";\n  labelloc=t;\n", tutti_export_title(method, call, title));
  fprintf(file, "  node [shape=box, style=filled, fontname=\"Helvetica\"];\n");
  status = export_each(method, call, write_dot_rank, &call->type_size, file, error);
  fprintf(file, "}\n");
  return status;
}

/* GOAL, in the grammar of txt2bin of LogGOPSim: one statement a line without blanks before it, labels before their use,
   ranks in ascending order. */

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

static tutti_status write_goal_message(const struct goal_context *context, const tutti_schedule *schedule, uint32_t v,
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
  return moves ? write_goal_message(context, schedule, v, number, file, error)
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

static tutti_status write_goal_rank(const void *opaque, const tutti_schedule *schedule, const uint32_t *numbers,
                                    FILE *file, tutti_error *error)
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
  return status == TUTTI_OK ? export_rank(schedule, write_goal_rank, &context, file, error) : status;
}

static void write_head(const tutti_method *method, const tutti_call *call, const tutti_goal *goal, FILE *file)
{
  char title[TUTTI_EXPORT_TITLE_LENGTH];
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
    status = export_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  write_head(method, call, goal, file);
  return export_each(method, call, write_goal_rank, &context, file, error);
}
