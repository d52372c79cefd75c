/* DOT. The ends of a message are named after it, s_FROM_TO_NUMBER and r_FROM_TO_NUMBER, so that the edge between them
   can be written without the schedule of the other rank. Fill colors are those of plots/timeline.gp. */
#include <inttypes.h>

#include "analysis/export.h"

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

static void write_message(const tutti_schedule *schedule, uint32_t v, uint32_t number, FILE *file)
{
  int from = schedule->rank, to = schedule->vertices[v].peer;
  fprintf(file, "  s_%d_%d_%u -> r_%d_%d_%u [style=dashed];\n", from, to, (unsigned)number, from, to, (unsigned)number);
}

/* ---- ranks ---- */

/* Messages stand outside of the cluster, or the node of their receiver would be in it. */
static tutti_status write_rank(const void *type_size, const tutti_schedule *schedule, const uint32_t *numbers,
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
      write_message(schedule, v, numbers[v], file);
  return TUTTI_OK;
}

tutti_status tutti_export_dot(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error)
{
  char title[EXPORT_TITLE_LENGTH];
  tutti_status status = tutti_export_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(file, "digraph schedule {\n  label=\"%s\";\n  labelloc=t;\n", tutti_export_title(method, call, title));
  fprintf(file, "  node [shape=box, style=filled, fontname=\"Helvetica\"];\n");
  status = tutti_export_each(method, call, write_rank, &call->type_size, file, error);
  fprintf(file, "}\n");
  return status;
}
