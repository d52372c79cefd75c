/* Groups of which the processes of a node come first. */
#include "unit/groups/tests.h"

/* No tree is higher than that of the nodes with members and that of a node together. */
static void try_nodes(const struct trial *trial)
{
  FREED_BY(free_built) struct built built = build(trial);
  int k = trial->branching, nodes = 0, last = -1, height = 0;
  for (int i = 0; i < trial->processes; i++) {
    if (trial->color[i] >= 0 && i / trial->ranks_per_node != last) {
      nodes++;
      last = i / trial->ranks_per_node;
    }
    if (built.memberships[i].size > 0 && built.memberships[i].parent == TUTTI_NO_PROCESS)
      height = built.memberships[i].height;
  }
  if (tutti_groups_validate(built.memberships, trial->color, trial->processes, k, 2 * k, 31, &error) != TUTTI_OK)
    fail_msg("%d nodes: %s", nodes, error.message);
  validate_ranks(trial, &built);
  for (int i = 0, id; i < trial->processes; i++)
    if (built.memberships[i].size > 0)
      assert_int_equal(tutti_group_protocol_find(tutti_inprocess_actor(built.all, i), 0, &id, &error),
                       TUTTI_ERR_UNSUPPORTED);
  assert_true(height < tutti_balanced_height(nodes, k) + tutti_balanced_height(trial->ranks_per_node, k));
}

TEST(test_nodes)
{
  uint64_t random = 15;
  int color[600];
  for (int t = 0; t < 400; t++) {
    int n = 1 + (int)random_below(&random, 600);
    draw(color, n, 1, (t % 11) / 10.0, &random);
    struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                          .processes = n,
                          .branching = branchings[t % BRANCHINGS],
                          .colors = 1,
                          .ranks_per_node = t % 3 ? 4 : 16,
                          .color = color,
                          .delivery = t % 2 ? TUTTI_DELIVERY_RANDOM : TUTTI_DELIVERY_STARVE,
                          .seed = (uint64_t)t};
    try_nodes(&trial);
  }
}
