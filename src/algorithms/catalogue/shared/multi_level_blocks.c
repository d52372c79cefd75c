/* Multi-level allgather, gather and scatter. Blocks are in the order of the groups: group after group of the highest
   level, within each group after group of the next one, ranks of a group of the lowest level in ascending order. So the
   blocks of any group of any level are one range. Where this is not the order of the ranks, they go through a temporary
   of all blocks and are copied to, or from, their places. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/levels.h"

struct by_group {
  tutti_builder *builder;
  struct levels levels;
  uint64_t count;   /* of a block */
  uint64_t *firsts; /* [groups of the lowest level] where their blocks begin, in ranks; NULL: as the ranks do */
};

/* ---- positions of blocks ---- */

/* Where the groups of a level begin, in ranks, from the beginnings of those of the level above, which are used up. */
static uint64_t *place_level(const struct by_group *b, int at, uint64_t *above)
{
  const struct levels *l = &b->levels;
  const int groups = tutti_level_groups(l, at);
  uint64_t *firsts = tutti_builder_scratch(b->builder, (uint64_t)groups * sizeof *firsts), all = 0;
  for (int g = 0; firsts && g < groups; g++) {
    uint64_t *next = above ? &above[tutti_level_group_of(l, at + 1, tutti_level_lowest(l, at, g))] : &all;
    firsts[g] = *next;
    *next += (uint64_t)tutti_level_size(l, at, g);
  }
  return firsts;
}

static bool are_in_order(const struct levels *levels)
{
  for (int at = 0; at < levels->count; at++)
    for (int r = 1; !levels->level[at].width && r < levels->call->size; r++)
      if (tutti_level_group_of(levels, at, r) < tutti_level_group_of(levels, at, r - 1))
        return false;
  return true;
}

static bool lay_out(tutti_builder *builder, const tutti_call *call, struct by_group *b)
{
  *b = (struct by_group){.builder = builder, .count = call->count};
  if (!tutti_levels(builder, call, &b->levels))
    return false;
  if (are_in_order(&b->levels))
    return true;
  for (int at = b->levels.count - 1; at >= 0; at--)
    if (!(b->firsts = place_level(b, at, b->firsts)))
      return false;
  return true;
}

/* All blocks in the order of the groups. */
static tutti_block all_blocks(const struct by_group *b, tutti_buffer usual)
{
  const uint64_t total = (uint64_t)b->levels.call->size * b->count;
  return tutti_block_of(b->firsts ? tutti_builder_temporary(b->builder, total) : usual, 0, total);
}

/* Copy between the blocks in the order of the groups and those in the order of the ranks, those of neighbors in a group
   at once. Uses up the firsts. Returns a vertex that is complete when all are copied. */
static tutti_vertex_id reorder(struct by_group *b, tutti_buffer by_group, tutti_buffer by_rank, tutti_vertex_id ready)
{
  const struct levels *l = &b->levels;
  tutti_scope scope = tutti_scope_of_all(b->builder, ready);
  tutti_builder_enter(b->builder, &scope);
  for (int r = 0, next; r < l->call->size && b->count > 0; r = next) {
    const int group = tutti_level_group_of(l, 0, r);
    for (next = r + 1; next < l->call->size && tutti_level_group_of(l, 0, next) == group;)
      next++;
    const uint64_t ranks = (uint64_t)(next - r), length = ranks * b->count;
    const tutti_block grouped = tutti_block_of(by_group, b->firsts[group] * b->count, length);
    const tutti_block ranked = tutti_block_of(by_rank, (uint64_t)r * b->count, length);
    const bool unpack = by_rank == TUTTI_OUTPUT;
    tutti_add_copy(b->builder, unpack ? grouped : ranked, unpack ? ranked : grouped);
    b->firsts[group] += ranks;
  }
  return tutti_builder_leave(b->builder);
}

/* ---- a stage ---- */

/* Elements of the groups of the level below, in the order of the ranks of a stage, each after the previous one. */
static tutti_layout layout_of(const struct by_group *b, const struct stage *stage)
{
  const struct levels *l = &b->levels;
  const int below = stage->at - 1;
  uint64_t *offsets = tutti_builder_scratch(b->builder, ((uint64_t)stage->size + 1) * sizeof *offsets);
  if (!offsets)
    return (tutti_layout){NULL};
  offsets[0] = 0;
  for (int i = 0; i < stage->size; i++) {
    const int rank = stage->ranks ? stage->ranks[i] : stage->first + i * stage->stride;
    offsets[i + 1] = offsets[i] + (uint64_t)tutti_level_size(l, below, tutti_level_group_of(l, below, rank)) * b->count;
  }
  return (tutti_layout){offsets};
}

/* The part of a stage that moves blocks of the given layout, all of them being in the output, or the input, of some
   rank. Ranks have blocks of one size, which needs no layout. */
static tutti_vertex_id build_stage(const struct by_group *b, const struct stage *stage, tutti_scope *scope,
                                   const tutti_layout *layout, bool up)
{
  tutti_call own = {.root = stage->root, .count = tutti_layout_count(layout, stage->rank)};
  if (stage->level > 0)
    *(up ? &own.output : &own.input) = *layout;
  return tutti_build_part(b->builder, b->levels.call, stage->level, scope, own);
}

/* ---- up ---- */

/* Gather the blocks of the first `stages` stages, the last one's at its root into `target` if there is one, others into
   a temporary; *own becomes where the blocks of the own group are. */
static tutti_vertex_id gather(const struct by_group *b, int stages, const tutti_block *target, tutti_block *own)
{
  tutti_vertex_id gathered = TUTTI_NO_VERTEX;
  *own = tutti_block_of(TUTTI_INPUT, 0, b->count);
  for (int s = 0; s < stages; s++) {
    const struct stage *stage = &b->levels.stages[s];
    tutti_scope scope = tutti_scope_of_stage(b->builder, stage, gathered);
    const tutti_layout layout = layout_of(b, stage);
    if (!layout.offsets)
      return gathered;
    const uint64_t sum = tutti_layout_sum(&layout, stage->size);
    scope.input = *own;
    if (stage->rank == stage->root)
      scope.output =
          target && s == stages - 1 ? *target : tutti_block_of(tutti_builder_temporary(b->builder, sum), 0, sum);
    gathered = build_stage(b, stage, &scope, &layout, true);
    *own = tutti_block_of(scope.output.buffer, scope.output.first, sum);
  }
  return gathered;
}

/* Multi-level gather: on each level from the lowest up within each group to its leader, at last to the root.

       nodes (0 1) (2 3) (4 5) (6 7), cells (0-3) (4-7), root 3:  0 <- 1, 3 <- 2, 4 <- 5, 6 <- 7;   3 <- 01, 4 <- 67;
                                                                  3 <- 4567

   P - 1 messages if each part sends one a rank, G - 1 of them between the G groups of any level, and each block
   crosses each level that it must cross once. Temporaries: the blocks of the groups that the rank leads. Cost: that of
   the parts, on a level with the blocks of the groups below it. */
void tutti_build_gather_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct by_group b;
  if (!lay_out(builder, call, &b))
    return;
  const tutti_block all = call->rank == call->root ? all_blocks(&b, TUTTI_OUTPUT) : (tutti_block){.count = 0};
  tutti_block own;
  tutti_vertex_id gathered = gather(&b, b.levels.stage_count, call->rank == call->root ? &all : NULL, &own);
  if (call->rank == call->root && b.firsts)
    reorder(&b, all.buffer, TUTTI_OUTPUT, gathered);
}

/* Multi-level allgather: the gather up to the leaders of the groups of the highest level, which exchange the blocks of
   their groups and broadcast all of them down, level by level. The G groups of the highest level exchange
   (G - 1) P blocks, the minimum, if the exchange sends every block of a group to each other group once.
   Temporaries: those of the gather, and of all blocks where their order is not that of the ranks. Cost: that of the
   parts, those down with all P blocks. */
void tutti_build_allgather_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct by_group b;
  if (!lay_out(builder, call, &b))
    return;
  const bool last = tutti_is_in_last_stage(&b.levels);
  const int below = b.levels.stage_count - last;
  const tutti_block all = all_blocks(&b, TUTTI_OUTPUT);
  tutti_block own;
  tutti_vertex_id ready = gather(&b, below, NULL, &own);
  if (last) {
    const struct stage *stage = &b.levels.stages[below];
    tutti_scope scope = tutti_scope_of_stage(builder, stage, ready);
    const tutti_layout layout = layout_of(&b, stage);
    scope.input = own;
    scope.output = all;
    if (!layout.offsets)
      return;
    ready = build_stage(&b, stage, &scope, &layout, true);
  }
  ready = last ? ready : TUTTI_NO_VERTEX;
  for (int s = below - 1; s >= 0; s--) {
    const struct stage *stage = &b.levels.stages[s];
    tutti_scope scope = tutti_scope_of_stage(builder, stage, ready);
    scope.output = all;
    ready = tutti_build_part(builder, call, LEVEL_PART_DOWN + stage->level, &scope,
                             (tutti_call){.root = stage->root, .count = all.count});
  }
  if (b.firsts)
    reorder(&b, all.buffer, TUTTI_OUTPUT, ready);
}

/* ---- down ---- */

/* Multi-level scatter: the gather backwards. */
void tutti_build_scatter_multi_level(tutti_builder *builder, const tutti_call *call)
{
  struct by_group b;
  if (!lay_out(builder, call, &b))
    return;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  tutti_block own = {.count = 0};
  if (call->rank == call->root) {
    own = all_blocks(&b, TUTTI_INPUT);
    ready = b.firsts ? reorder(&b, own.buffer, TUTTI_INPUT, ready) : ready;
  }
  for (int s = b.levels.stage_count - 1; s >= 0; s--) {
    const struct stage *stage = &b.levels.stages[s];
    tutti_scope scope = tutti_scope_of_stage(builder, stage, ready);
    const tutti_layout layout = layout_of(&b, stage);
    if (!layout.offsets)
      return;
    const uint64_t count = tutti_layout_count(&layout, stage->rank);
    if (stage->rank == stage->root)
      scope.input = own;
    scope.output = s > 0 ? tutti_block_of(tutti_builder_temporary(builder, count), 0, count)
                         : tutti_block_of(TUTTI_OUTPUT, 0, count);
    ready = build_stage(&b, stage, &scope, &layout, false);
    own = scope.output;
  }
}
