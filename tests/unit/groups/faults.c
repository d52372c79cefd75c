/* Faults that the validator has to see, and what cannot be constructed. */
#include "unit/groups/tests.h"

/* The validator sees what is wrong. */
TEST(test_planted_faults)
{
  int color[50];
  for (int i = 0; i < 50; i++)
    color[i] = i % 3 ? 0 : -1;
  struct trial trial = {
      .builder = builder_named("shrink-hash/no-filler"), .processes = 50, .branching = 3, .colors = 1, .color = color};
  FREED_BY(free_built) struct built built = build(&trial);
  validate(&trial, &built);
  tutti_membership *one = &built.memberships[20], good = *one;
  struct {
    const char *expected;
    tutti_membership bad;
  } faults[] = {
      {"not in the tree|takes", {.size = good.size, .rank = good.rank, .parent = TUTTI_NO_PROCESS}},
      {"says 7", {.size = 7, .rank = good.rank, .parent = good.parent, .height = 1}},
      {"no rank", {.size = good.size, .rank = -1, .parent = good.parent, .height = 1}},
      {"taken", {.size = good.size, .rank = 0, .parent = good.parent, .height = 1}},
      {"height", {.size = good.size, .rank = good.rank, .parent = good.parent, .height = 9}},
  };
  assert_int_equal(good.child_count, 0);
  for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
    *one = faults[f].bad;
    assert_int_equal(tutti_groups_validate(built.memberships, color, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
    if (f > 0)
      assert_non_null(strstr(error.message, faults[f].expected));
  }
  *one = good;
  for (int i = 0; i < 50; i++)
    built.memberships[i].rank = -1;
  assert_int_equal(tutti_groups_validate(built.memberships, color, 50, 3, 3, 0, &error), TUTTI_OK);
  one->rank = 0;
  assert_int_equal(tutti_groups_validate(built.memberships, color, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
  *one = good;
  color[20] = -1;
  assert_int_equal(tutti_groups_validate(built.memberships, color, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
}

TEST(test_refusals)
{
  tutti_tree tree;
  assert_null(tutti_group_builder_find("shrink", &error));
  assert_non_null(strstr(error.message, "centralized"));
  tutti_tree_init(&tree, TUTTI_TREE_KARY, 2, 4, 0, 1, &error);
  tutti_group_request request = {.builder = builder_named("centralized"), .tree = &tree, .branching = 1, .colors = 1};
  assert_null(tutti_group_protocol_create(&request, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "branching factor 1"));
  request.branching = 2;
  request.color = 1;
  assert_null(tutti_group_protocol_create(&request, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "colour 1"));
  request.colors = 2;
  assert_null(tutti_group_protocol_create(&request, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "shrink-hash/no-filler"));
}
