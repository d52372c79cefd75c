/* From the operations of a segment to the program of a rank. A collective becomes the vertices of its schedule between
   two that do nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/riders/replay_program.h"

/* A vertex begins when another one is complete. */
struct edge {
  uint32_t before, after;
};

struct builder {
  struct {
    TUTTI_VECTOR(struct program_vertex);
  } vertices;
  struct {
    TUTTI_VECTOR(uint32_t);
  } channels;
  struct {
    TUTTI_VECTOR(uint8_t);
  } streams;
  uint8_t stream; /* of the operation */
  bool several;   /* streams */
  struct {
    TUTTI_VECTOR(struct edge);
  } edges;
  uint32_t *entries, *exits; /* [operations] the first vertex of each, and the last one */
};

static uint32_t add_vertex(struct builder *builder, struct program_vertex vertex, uint32_t channel)
{
  vertex.pending = 0;
  vertex.channel_next = ENGINE_NONE;
  tutti_xpush(&builder->vertices, vertex);
  tutti_xpush(&builder->channels, channel);
  tutti_xpush(&builder->streams, builder->stream);
  return (uint32_t)builder->vertices.count - 1;
}

static void add_edge(struct builder *builder, uint32_t before, uint32_t after)
{
  tutti_xpush(&builder->edges, (struct edge){before, after});
  builder->vertices.items[after].pending++;
}

static uint32_t add_nothing(struct builder *builder)
{
  return add_vertex(builder, (struct program_vertex){.kind = PROGRAM_WORK}, 0);
}

/* The schedule of a collective, whose peers are ranks of all. */
static void add_program(struct builder *builder, const struct program *program, size_t op)
{
  const uint32_t begin = builder->entries[op] = add_nothing(builder), first = begin + 1;
  for (uint32_t v = 0; v < program->count; v++)
    (void)add_vertex(builder, program->vertices[v], program->channel);
  const uint32_t end = builder->exits[op] = add_nothing(builder);
  add_edge(builder, begin, end);
  for (uint32_t v = 0; v < program->count; v++) {
    const struct program_vertex *vertex = &program->vertices[v];
    if (vertex->pending == 0)
      add_edge(builder, begin, first + v);
    for (uint32_t s = vertex[0].successors; s < vertex[1].successors; s++)
      add_edge(builder, first + v, first + program->successors[s]);
    if (vertex[0].successors == vertex[1].successors)
      add_edge(builder, first + v, end);
    if (vertex->channel_next != ENGINE_NONE) {
      builder->vertices.items[first + v].channel_next = first + vertex->channel_next;
      builder->vertices.items[first + vertex->channel_next].pending++;
    }
  }
}

/* Make @p after wait until @p before is posted: directly, or through a vertex without work whose successors wait. */
static void order_posted(struct builder *builder, uint32_t before, uint32_t after)
{
  const uint32_t next = builder->vertices.items[before].channel_next;
  if (next == ENGINE_NONE) {
    const uint32_t gate = add_nothing(builder);
    builder->vertices.items[before].channel_next = gate;
    builder->vertices.items[gate].pending = 1;
    add_edge(builder, gate, after);
  } else
    add_edge(builder, next, after);
}

static void finish(struct builder *builder, struct program *program)
{
  const uint32_t count = (uint32_t)builder->vertices.count;
  const size_t vertices = ((size_t)count + 1) * sizeof *program->vertices;
  program->count = count;
  program->vertices = tutti_xmalloc(vertices + builder->edges.count * sizeof *program->successors);
  program->successors = (uint32_t *)(program->vertices + count + 1);
  program->channels = builder->channels.items;
  if (!builder->several)
    tutti_vector_free(&builder->streams);
  program->streams = builder->streams.items;
  memcpy(program->vertices, builder->vertices.items, count * sizeof *program->vertices);
  program->vertices[count] = (struct program_vertex){.successors = 0};
  for (uint32_t v = 0; v <= count; v++)
    program->vertices[v].successors = 0;
  for (size_t e = 0; e < builder->edges.count; e++)
    program->vertices[builder->edges.items[e].before].successors++;
  for (uint32_t v = 0, sum = 0; v <= count;
       v++) { /* the ends of the successors of each v; they are filled in from there */
    sum += program->vertices[v].successors;
    program->vertices[v].successors = sum;
  }
  for (size_t e = builder->edges.count; e-- > 0;)
    program->successors[--program->vertices[builder->edges.items[e].before].successors] = builder->edges.items[e].after;
}

static bool add_operation(struct builder *builder, const struct workload_op *op, size_t number, double compute,
                          const struct replay_programs *programs, tutti_error *error)
{
  struct program program = {.count = 0};
  const struct program_vertex vertex = {
      .kind = op->kind == WORKLOAD_SEND   ? TUTTI_SEND
              : op->kind == WORKLOAD_RECV ? TUTTI_RECV
                                          : PROGRAM_WORK,
      .bytes = op->kind == WORKLOAD_WORK ? (uint64_t)((double)op->amount * compute + 0.5) : op->amount,
      .blocking = op->blocking,
      .synchronous = op->synchronous,
      .peer = op->peer};
  if (op->kind != WORKLOAD_COLLECTIVE) {
    builder->entries[number] = builder->exits[number] = add_vertex(builder, vertex, op->channel);
    return true;
  }
  if (!programs->build(programs->context, (size_t)op->amount, &program, error))
    return false;
  program.channel = op->channel > 0 ? op->channel : program.channel;
  add_program(builder, &program, number);
  tutti_program_free(&program);
  return true;
}

bool tutti_replay_build(const struct workload_graph *graph, size_t segment, double compute,
                        const struct replay_programs *programs, struct program *program, tutti_error *error)
{
  const struct workload_segment begin = workload_segment_begin(graph, segment), end = graph->segments.items[segment];
  const size_t count = end.ops - begin.ops;
  struct builder builder = {.entries = tutti_xcalloc(count, sizeof *builder.entries),
                            .exits = tutti_xcalloc(count, sizeof *builder.exits)};
  bool built = true;
  for (size_t o = 0; o < count && built; o++) {
    builder.several |= graph->ops.items[begin.ops + o].stream != graph->ops.items[begin.ops].stream;
    builder.stream = graph->ops.items[begin.ops + o].stream;
    built = add_operation(&builder, &graph->ops.items[begin.ops + o], o, compute, programs, error);
  }
  for (size_t e = begin.edges; e < end.edges && built; e++) {
    const struct workload_edge *edge = &graph->edges.items[e];
    const struct workload_op *op = &graph->ops.items[edge->before];
    const uint32_t before = builder.exits[edge->before - begin.ops], after = builder.entries[edge->after - begin.ops];
    if (edge->posted && (op->kind == WORKLOAD_SEND || op->kind == WORKLOAD_RECV))
      order_posted(&builder, before, after);
    else
      add_edge(&builder,
               edge->posted && op->kind == WORKLOAD_COLLECTIVE ? builder.entries[edge->before - begin.ops] : before,
               after);
  }
  if (built)
    finish(&builder, program);
  else {
    tutti_vector_free(&builder.channels);
    tutti_vector_free(&builder.streams);
  }
  tutti_vector_free(&builder.vertices);
  tutti_vector_free(&builder.edges);
  free(builder.entries);
  free(builder.exits);
  return built;
}
