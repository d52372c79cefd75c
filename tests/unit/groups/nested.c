/* Splits of groups. */
#include "unit/groups/tests.h"

/* A group that was built is split again, over its own tree, by its members alone. */
static void split_again(const struct built *parent, const struct trial *trial, const int *color)
{
  struct trial nested = *trial;
  nested.parent = parent->memberships;
  nested.color = color;
  nested.ranks_per_node = 1;
  nested.topic = 2;
  FREED_BY(free_built) struct built built = build(&nested);
  validate(&nested, &built);
}

TEST(test_nested)
{
  uint64_t random = 11;
  int color[400], again[400];
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int t = 0; t < 40; t++) {
      int n = 1 + (int)random_below(&random, 400);
      draw(color, n, 1, 0.7, &random);
      draw_again(again, color, n, 0.5, &random);
      struct trial trial = {.builder = tutti_group_builder_at(b + t),
                            .processes = n,
                            .branching = branchings[t % BRANCHINGS],
                            .colors = 1,
                            .color = color,
                            .delivery = TUTTI_DELIVERY_RANDOM,
                            .seed = (uint64_t)t};
      if (!trial.builder)
        trial.builder = builder_named("chain");
      struct built parent = build(&trial);
      trial.builder = builder;
      if (!is_chain(trial.builder))
        split_again(&parent, &trial, again);
      free_built(&parent);
    }
}
