#include "harness/engine/riders/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void take_vertex(const tutti_schedule *s, uint32_t v, uint64_t type_size, struct program_vertex *out)
{
  const tutti_vertex *in = &s->vertices[v];
  *out = (struct program_vertex){.bytes = in->count * type_size,
                                 .kind = in->kind,
                                 .peer = (uint32_t)in->peer,
                                 .pending = s->prerequisites[v],
                                 .successors = s->successor_first[v],
                                 .channel_next = s->channel_next[v]};
}

static void convert_schedule(const tutti_schedule *s, uint64_t type_size, struct program *program)
{
  const size_t vertices = ((size_t)s->vertex_count + 1) * sizeof *program->vertices,
               successors = s->edge_count * sizeof *program->successors;
  program->count = s->vertex_count;
  program->fresh = tutti_schedule_fresh_bytes(s, type_size);
  program->vertices = tutti_xmalloc(vertices + successors);
  program->successors = (uint32_t *)(program->vertices + s->vertex_count + 1);
  for (uint32_t v = 0; v < s->vertex_count; v++)
    take_vertex(s, v, type_size, &program->vertices[v]);
  program->vertices[s->vertex_count] = (struct program_vertex){.successors = s->edge_count};
  if (successors > 0)
    memcpy(program->successors, s->successors, successors);
}

tutti_status tutti_program_build(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                 struct program *program, tutti_error *error)
{
  tutti_schedule schedule;
  *program = (struct program){0};
  tutti_status status = tutti_method_schedule(method, call, arena, &schedule, error);
  if (status == TUTTI_OK)
    convert_schedule(&schedule, call->type_size, program);
  tutti_arena_release(arena);
  return status;
}

void tutti_program_free(struct program *program)
{
  free(program->vertices);
  free(program->channels);
  free(program->streams);
  *program = (struct program){0};
}
