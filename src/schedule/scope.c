/* Parts of a schedule: algorithms made of algorithms. */
#include "schedule/builder.h"

tutti_scope tutti_scope_of_all(const tutti_builder *builder, tutti_vertex_id after)
{
  return (tutti_scope){.size = builder->size,
                       .rank = builder->rank,
                       .stride = 1,
                       .input = {.buffer = TUTTI_INPUT},
                       .output = {.buffer = TUTTI_OUTPUT},
                       .after = after};
}

void tutti_builder_enter(tutti_builder *builder, tutti_scope *scope)
{
  scope->outer = builder->scope;
  scope->first_vertex = builder->vertex_count;
  scope->first_edge = builder->edge_count;
  builder->scope = scope;
  builder->size = scope->size;
  builder->rank = scope->rank;
}

/* What the edges of the part say about each of its vertices. */
enum { HAS_BEFORE = 1, HAS_AFTER = 2 };

static unsigned char *mark_ends(tutti_builder *builder, const tutti_scope *scope)
{
  uint32_t count = builder->vertex_count - scope->first_vertex;
  unsigned char *marks = tutti_builder_scratch(builder, count);
  for (uint32_t v = 0; marks && v < count; v++)
    marks[v] = 0;
  for (uint32_t e = scope->first_edge; marks && e < builder->edge_count; e++) {
    if (builder->edges[e].before < scope->first_vertex) /* what it waits for is not in the part */
      continue;
    marks[builder->edges[e].after - scope->first_vertex] |= HAS_BEFORE;
    marks[builder->edges[e].before - scope->first_vertex] |= HAS_AFTER;
  }
  return marks;
}

static tutti_vertex_id join_ends(tutti_builder *builder, const tutti_scope *scope, const unsigned char *marks)
{
  uint32_t count = builder->vertex_count - scope->first_vertex, ends = 0;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (uint32_t v = 0; v < count; v++) {
    if (!(marks[v] & HAS_BEFORE))
      tutti_add_after(builder, scope->first_vertex + v, scope->after);
    if (!(marks[v] & HAS_AFTER)) {
      last = scope->first_vertex + v;
      ends++;
    }
  }
  if (ends == 1)
    return last;
  tutti_vertex_id join = tutti_add_join(builder);
  for (uint32_t v = 0; v < count; v++)
    if (!(marks[v] & HAS_AFTER))
      tutti_add_after(builder, join, scope->first_vertex + v);
  return join;
}

tutti_vertex_id tutti_builder_leave(tutti_builder *builder)
{
  tutti_scope *scope = builder->scope;
  tutti_vertex_id end = scope->after;
  if (builder->vertex_count > scope->first_vertex) {
    const unsigned char *marks = mark_ends(builder, scope);
    if (marks)
      end = join_ends(builder, scope, marks);
  }
  builder->scope = scope->outer;
  builder->size = scope->outer ? scope->outer->size : builder->whole_size;
  builder->rank = scope->outer ? scope->outer->rank : builder->whole_rank;
  return end;
}
