/* Multi-level algorithms: on each level of a machine (nodes, switches, cells) a part within each of its groups, among
   the leaders of the groups of the level below, and one part among the groups of the highest level; each by any
   algorithm. With nodes as the only level these are the two-level algorithms. Levels of any shape (levels.h).

   Karonis et al. 2000, Exploiting hierarchy in parallel computer networks to optimize collective operation performance;
   Kielmann et al. 1999, MagPIe. Segments go through the levels as they do in the pipelined two-level algorithms.

   Parts are numbered as levels are, from the lowest: within the groups of the first level ... the fourth one, then
   among those of the highest level, then those that lead down again. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/levels.h"
#include "algorithms/catalogue/shared/parts.h"

static tutti_vertex_id build_stage(tutti_builder *builder, const struct levels *levels, const struct stage *stage,
                                   int part, tutti_scope *scope, uint64_t count)
{
  return tutti_build_part(builder, levels->call, part + stage->level, scope,
                          (tutti_call){.root = stage->root, .count = count});
}

/* Broadcasts of the stages from number `stages` - 1 down. */
static void build_down(tutti_builder *builder, const struct levels *levels, int stages, int part, tutti_vertex_id after,
                       uint64_t count)
{
  for (int s = stages - 1; s >= 0; s--) {
    tutti_scope scope = tutti_scope_of_stage(builder, &levels->stages[s], after);
    after = build_stage(builder, levels, &levels->stages[s], part, &scope, count);
  }
}

/* Reductions of the first `stages` stages, each of the previous one's `*result`. The last result is in the output if it
   is the root's; before, it moves from one temporary to the other. */
static tutti_vertex_id build_up(tutti_builder *builder, const struct levels *levels, int stages, bool ends,
                                uint64_t count, tutti_block *result)
{
  tutti_vertex_id reduced = TUTTI_NO_VERTEX;
  tutti_block temporaries[2] = {{.count = 0}};
  for (int s = 0; s < stages; s++) {
    const struct stage *stage = &levels->stages[s];
    tutti_scope scope = tutti_scope_of_stage(builder, stage, reduced);
    if (s > 0)
      scope.input = *result;
    if (stage->rank == stage->root && !(ends && s == stages - 1)) {
      if (s < 2)
        temporaries[s] = tutti_block_of(tutti_builder_temporary(builder, count), 0, count);
      scope.output = temporaries[s % 2];
    }
    *result = scope.output;
    reduced = build_stage(builder, levels, stage, 0, &scope, count);
  }
  return reduced;
}

/* Multi-level broadcast: among the groups of the highest level, then within each of them among those of the next one,
   and so on. The root leads its groups, so the data enters each group of each level once.

       nodes (0 1) (2 3) (4 5) (6 7), cells (0-3) (4-7), root 3:  3 -> 4;
                                                                  3 -> 0, 4 -> 6;
                                                                  3 -> 2, 0 -> 1, 4 -> 5, 6 -> 7

   P - 1 messages if the parts are trees, G - 1 of them between the G groups of any level, which is the minimum: each
   group except the root's is entered once. Cost: that of the parts, each among the groups that the largest group of its
   level has. */
static void build_bcast(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct levels *levels = context;
  build_down(builder, levels, levels->stage_count, 0, TUTTI_NO_VERTEX, count);
}

void tutti_build_bcast_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct levels levels;
  if (tutti_levels(builder, call, &levels))
    tutti_build_in_segments(builder, call, build_bcast, &levels);
}

/* Multi-level reduction: the broadcast backwards. Operands are combined group by group, so the operation must commute.
   A leader needs a temporary of the whole message, of three levels or more two, besides what the parts need. Messages
   and cost as those of the broadcast. */
static void build_reduce(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct levels *levels = context;
  tutti_block result = {.count = 0};
  build_up(builder, levels, levels->stage_count, true, count, &result);
}

void tutti_build_reduce_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct levels levels;
  if (tutti_levels(builder, call, &levels))
    tutti_build_in_segments(builder, call, build_reduce, &levels);
}

/* Multi-level allreduce: reductions on the levels from the lowest up, an allreduce among the leaders of the groups of
   the highest level, and broadcasts down. The operation must commute. The number of messages between the groups of a
   level that is not the highest is twice that of groups, less two for each group of the level above. Temporaries as the
   reduction. Cost: the sum of the parts. */
static void build_allreduce(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct levels *levels = context;
  const bool last = tutti_is_in_last_stage(levels);
  const int below = levels->stage_count - last;
  tutti_block result = {.count = 0};
  tutti_vertex_id ready = build_up(builder, levels, below, false, count, &result);
  if (last) {
    const struct stage *stage = &levels->stages[below];
    tutti_scope scope = tutti_scope_of_stage(builder, stage, ready);
    if (below > 0)
      scope.input = result;
    ready = build_stage(builder, levels, stage, 0, &scope, count);
  }
  build_down(builder, levels, below, LEVEL_PART_DOWN, last ? ready : TUTTI_NO_VERTEX, count);
}

void tutti_build_allreduce_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct levels levels;
  if (tutti_levels(builder, call, &levels))
    tutti_build_in_segments(builder, call, build_allreduce, &levels);
}

/* Multi-level barrier: a barrier within each group on the levels from the lowest up, one among the groups of the
   highest level, and once more one within each group on the levels down, which no rank leaves before its leader has
   come from the others. Cost: that of the last part and twice that of the others. */
void tutti_build_barrier_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct levels levels;
  if (!tutti_levels(builder, call, &levels))
    return;
  tutti_vertex_id entered = TUTTI_NO_VERTEX;
  for (int s = 0; s < levels.stage_count; s++) {
    tutti_scope scope = tutti_scope_of_stage(builder, &levels.stages[s], entered);
    entered = build_stage(builder, &levels, &levels.stages[s], 0, &scope, 0);
  }
  build_down(builder, &levels, levels.stage_count - tutti_is_in_last_stage(&levels), 0, entered, 0);
}
