#include "algorithms/catalogue/shared/levels.h"

#include <string.h>

/* ---- groups of any ranks ---- */

/* The lowest ranks of the groups met so far, by a hash of the group's name; -1 is a free slot. */
struct lowest {
  int *rank;
  uint64_t mask;
};

static bool make_table(tutti_builder *builder, struct lowest *table, int size)
{
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)size)
    slots *= 2;
  table->mask = slots - 1;
  table->rank = tutti_builder_scratch(builder, slots * sizeof *table->rank);
  if (table->rank)
    memset(table->rank, 0xff, slots * sizeof *table->rank);
  return table->rank;
}

static int above_of(const struct grouping *above, int rank)
{
  return above ? above->of[rank] : 0;
}

/* The slot of the rank's group, or the free one where it belongs. */
static int *slot_of(const struct lowest *table, const int *ids, const struct grouping *above, int rank)
{
  const uint64_t name = (uint64_t)(uint32_t)ids[rank] << 32 | (uint32_t)above_of(above, rank);
  uint64_t slot = (name ^ name >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & table->mask;
  for (int *at; *(at = &table->rank[slot]) >= 0; slot = (slot + 1) & table->mask)
    if (ids[*at] == ids[rank] && above_of(above, *at) == above_of(above, rank))
      break;
  return &table->rank[slot];
}

bool tutti_number_groups(tutti_builder *builder, int size, const int *ids, const struct grouping *above,
                         struct grouping *groups)
{
  struct lowest table;
  int *of = tutti_builder_scratch(builder, 2 * (uint64_t)size * sizeof *of);
  if (!of || !make_table(builder, &table, size))
    return false;
  int *lowest = of + size;
  *groups = (struct grouping){.of = of, .lowest = lowest};
  for (int r = 0; r < size; r++) {
    int *first = slot_of(&table, ids, above, r);
    of[r] = *first < 0 ? groups->count : of[*first];
    if (*first < 0)
      lowest[groups->count++] = *first = r;
  }
  return true;
}

/* ---- levels ---- */

int tutti_level_groups(const struct levels *levels, int at)
{
  const int size = levels->call->size;
  if (at < 0)
    return size;
  const struct group_level *level = &levels->level[at];
  return level->width ? (size - 1) / level->width + 1 : level->groups.count;
}

int tutti_level_group_of(const struct levels *levels, int at, int rank)
{
  if (at < 0)
    return rank;
  const struct group_level *level = &levels->level[at];
  return level->width ? rank / level->width : level->groups.of[rank];
}

int tutti_level_lowest(const struct levels *levels, int at, int group)
{
  if (at < 0)
    return group;
  const struct group_level *level = &levels->level[at];
  return level->width ? group * level->width : level->groups.lowest[group];
}

int tutti_level_size(const struct levels *levels, int at, int group)
{
  if (at < 0)
    return 1;
  const struct group_level *level = &levels->level[at];
  if (!level->width)
    return level->sizes[group];
  const int rest = levels->call->size - group * level->width;
  return rest < level->width ? rest : level->width;
}

/* Levels of the call, or those in its parameter. */
static int given_levels(const tutti_call *call, tutti_level given[TUTTI_MAX_LEVELS])
{
  int sides[TUTTI_MAX_SIDES], count = tutti_sides_unpack(call->parameters.k, sides);
  int64_t width = 1;
  if (count == 0)
    memcpy(given, call->levels, sizeof call->levels);
  for (int i = 0; i < count; i++) {
    width *= sides[i];
    width = width < call->size ? width : call->size;
    given[i] = (tutti_level){.width = (int)width};
  }
  return count ? count : call->level_count;
}

/* Whether groups are nested runs of consecutive ranks; all others are numbered rank by rank. */
static bool are_consecutive(const tutti_level *given, int count)
{
  for (int i = 0; i < count; i++)
    if (given[i].ids || (i > 0 && given[i].width % given[i - 1].width != 0))
      return false;
  return true;
}

static void keep_consecutive(struct levels *levels, const tutti_level *given, int count)
{
  int below = 1;
  for (int i = 0; i < count && given[i].width < levels->call->size; i++)
    if (given[i].width > below) {
      levels->level[levels->count++] = (struct group_level){.number = i, .width = given[i].width};
      below = given[i].width;
    }
}

static const int *ids_of(tutti_builder *builder, const tutti_level *given, int size)
{
  int *ids = given->ids ? NULL : tutti_builder_scratch(builder, (uint64_t)size * sizeof *ids);
  for (int r = 0; ids && r < size; r++)
    ids[r] = r / given->width;
  return given->ids ? given->ids : ids;
}

static const int *count_members(tutti_builder *builder, const struct grouping *groups, int size)
{
  int *sizes = tutti_builder_scratch(builder, (uint64_t)groups->count * sizeof *sizes);
  for (int g = 0; sizes && g < groups->count; g++)
    sizes[g] = 0;
  for (int r = 0; sizes && r < size; r++)
    sizes[groups->of[r]]++;
  return sizes;
}

/* From the highest level down, each within the one above. */
static bool number_all(tutti_builder *builder, struct levels *levels, const tutti_level *given, int count)
{
  const int size = levels->call->size;
  struct grouping groups[TUTTI_MAX_LEVELS];
  for (int i = count - 1; i >= 0; i--) {
    const int *ids = ids_of(builder, &given[i], size);
    if (!ids || !tutti_number_groups(builder, size, ids, i + 1 < count ? &groups[i + 1] : NULL, &groups[i]))
      return false;
  }
  int below = size;
  for (int i = 0; i < count && groups[i].count > 1; i++) {
    if (groups[i].count == below)
      continue;
    const int *sizes = count_members(builder, &groups[i], size);
    if (!sizes)
      return false;
    levels->level[levels->count++] = (struct group_level){.number = i, .groups = groups[i], .sizes = sizes};
    below = groups[i].count;
  }
  return true;
}

/* ---- stages ---- */

/* Whether the leader of a group of the level below leads its group of the level, too. */
static bool leads(const struct levels *levels, int at, int rank)
{
  const tutti_call *call = levels->call;
  const int group = tutti_level_group_of(levels, at, rank);
  return group == tutti_level_group_of(levels, at, call->root) ? rank == call->root
                                                               : rank == tutti_level_lowest(levels, at, group);
}

/* Groups of the level below `at` in the own group; -1 of `first`: not numbered one after the other. `at` of
   levels->count: all groups of the highest level. */
static int groups_within(const struct levels *levels, int at, int *first)
{
  const int below = at - 1, rank = levels->call->rank;
  *first = 0;
  if (at == levels->count)
    return tutti_level_groups(levels, below);
  const int own = tutti_level_group_of(levels, at, rank);
  if (levels->level[at].width) {
    const int width = below < 0 ? 1 : levels->level[below].width;
    *first = own * (levels->level[at].width / width);
    return (tutti_level_size(levels, at, own) - 1) / width + 1;
  }
  int count = 0;
  for (int g = 0; g < tutti_level_groups(levels, below); g++)
    count += tutti_level_group_of(levels, at, tutti_level_lowest(levels, below, g)) == own;
  *first = -1;
  return count;
}

/* The leaders of the groups below, in the order of these. */
static bool list_leaders(tutti_builder *builder, const struct levels *levels, int at, struct stage *stage)
{
  const tutti_call *call = levels->call;
  const int below = at - 1, own = at < levels->count ? tutti_level_group_of(levels, at, call->rank) : 0;
  const int mine = tutti_level_group_of(levels, below, call->rank);
  const int of_root = tutti_level_group_of(levels, below, call->root);
  int *ranks = tutti_builder_scratch(builder, (uint64_t)stage->size * sizeof *ranks), count = 0;
  for (int g = stage->below < 0 ? 0 : stage->below; ranks && count < stage->size; g++) {
    const int lowest = tutti_level_lowest(levels, below, g);
    if (at < levels->count && tutti_level_group_of(levels, at, lowest) != own)
      continue;
    if (g == mine)
      stage->rank = count;
    if (g == of_root)
      stage->root = count;
    ranks[count++] = g == of_root ? call->root : lowest;
  }
  stage->ranks = ranks;
  return ranks;
}

/* Groups of consecutive ranks whose leaders are all the lowest need no list. */
static bool find_stage(tutti_builder *builder, struct levels *levels, int at)
{
  const tutti_call *call = levels->call;
  const int below = at - 1, width = below < 0 ? 1 : levels->level[below].width;
  struct stage *stage = &levels->stages[levels->stage_count];
  *stage = (struct stage){.at = at, .level = at < levels->count ? levels->level[at].number : LEVEL_PART_LAST};
  stage->size = groups_within(levels, at, &stage->below);
  if (stage->size < 2 && call->size > 1)
    return true;
  levels->stage_count++;
  if (stage->below < 0 || width == 0)
    return list_leaders(builder, levels, at, stage);
  const int64_t end = ((int64_t)stage->below + stage->size) * width;
  stage->first = stage->below * width;
  stage->stride = width;
  stage->rank = call->rank / width - stage->below;
  const bool has_root = call->root >= stage->first && call->root < end;
  stage->root = has_root ? call->root / width - stage->below : 0;
  return !has_root || call->root % width == 0 || list_leaders(builder, levels, at, stage);
}

bool tutti_levels(tutti_builder *builder, const tutti_call *call, struct levels *levels)
{
  tutti_level given[TUTTI_MAX_LEVELS];
  const int count = given_levels(call, given);
  *levels = (struct levels){.call = call};
  if (are_consecutive(given, count))
    keep_consecutive(levels, given, count);
  else if (!number_all(builder, levels, given, count))
    return false;
  for (int at = 0; at <= levels->count; at++) {
    if (!find_stage(builder, levels, at))
      return false;
    if (at < levels->count && !leads(levels, at, call->rank))
      return true;
  }
  return true;
}

tutti_scope tutti_scope_of_stage(const tutti_builder *builder, const struct stage *stage, tutti_vertex_id after)
{
  tutti_scope scope = tutti_scope_of_all(builder, after);
  scope.size = stage->size;
  scope.rank = stage->rank;
  scope.ranks = stage->ranks;
  scope.first = stage->first;
  scope.stride = stage->stride;
  return scope;
}
