/* What splits are asked for. */
#include "bed.h"

/* Member sets: none, all, all but rank 0, and by chance. */
static void choose_colors(struct bed *bed, struct asked *asked, int kind, const int *parent_color, int parent)
{
  int per_cent = kind == 0 ? 0 : kind == 3 ? 30 : kind == 4 ? 70 : 100;
  asked->color = malloc((size_t)bed->view.size * sizeof *asked->color);
  for (int i = 0; i < bed->view.size; i++) {
    int color = below(&bed->seed, asked->how.colors), chance = below(&bed->seed, 100);
    bool in = chance < per_cent && !(kind == 2 && i == 0) && (!parent_color || parent_color[i] == parent);
    asked->color[i] = in ? color : -1;
  }
  asked->takes_part = !parent_color || parent_color[bed->view.rank] == parent;
}

struct asked ask_for(struct bed *bed, const tutti_group_builder *builder, int kind, const int *parent_color, int parent)
{
  struct asked asked = {.how = {.builder = builder, .branching = 2 + below(&bed->seed, 3), .colors = 1}};
  bool vectors = strcmp(tutti_group_builder_name(builder), "shrink-hash/no-filler") == 0;
  int form = below(&bed->seed, 3);
  if (vectors && form == 1)
    asked.how.colors = 3;
  else if (vectors && form == 2 && !parent_color)
    asked.how.ranks_per_node = 2;
  if (below(&bed->seed, 2))
    asked.how.segment_bytes = 64;
  choose_colors(bed, &asked, kind, parent_color, parent);
  return asked;
}

bool splits_again(const tutti_group_builder *builder)
{
  return strcmp(tutti_group_builder_name(builder), "chain") != 0;
}

const tutti_group_builder *any_builder(struct bed *bed, bool again)
{
  const tutti_group_builder *builder;
  int count = 0;
  while (tutti_group_builder_at(count))
    count++;
  do
    builder = tutti_group_builder_at(below(&bed->seed, count));
  while (again && !splits_again(builder));
  return builder;
}
