/* Finding the processes of ranks. */
#include "unit/groups/tests.h"

/* Every member finds every rank through the intermediaries, asking once and again. */
static void find_all(const struct trial *trial, struct built *built)
{
  int id, *by_rank = malloc((size_t)trial->processes * sizeof *by_rank);
  for (int i = 0; i < trial->processes; i++)
    if (built->memberships[i].size > 0)
      by_rank[built->memberships[i].rank] = i;
  for (int i = 0; i < trial->processes; i++)
    for (int rank = 0; rank < built->memberships[i].size; rank++) {
      tutti_actor *actor = tutti_inprocess_actor(built->all, i);
      assert_int_equal(tutti_group_protocol_find(actor, rank, &id, &error), TUTTI_OK);
      assert_int_equal(id, rank == built->memberships[i].rank ? i : TUTTI_NO_PROCESS);
      assert_int_equal(tutti_inprocess_deliver(built->all, &error), TUTTI_OK);
      assert_int_equal(tutti_group_protocol_find(actor, rank, &id, &error), TUTTI_OK);
      assert_int_equal(id, by_rank[rank]);
    }
  free(by_rank);
}

TEST(test_find)
{
  uint64_t random = 13;
  int color[120], id;
  const tutti_group_builder *builder;
  draw(color, 120, 1, 0.6, &random);
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++) {
    struct trial trial = {.builder = builder, .processes = 120, .branching = 3, .colors = 1, .color = color};
    struct built built = build(&trial);
    if (tutti_group_builder_hashes(builder)) {
      find_all(&trial, &built);
      assert_int_equal(tutti_group_protocol_find(tutti_inprocess_actor(built.all, 0), 120, &id, &error),
                       TUTTI_ERR_ARGUMENT);
    } else {
      assert_int_equal(tutti_group_protocol_find(tutti_inprocess_actor(built.all, 0), 0, &id, &error),
                       TUTTI_ERR_UNSUPPORTED);
    }
    free_built(&built);
  }
}

/* Asks once more for rank `rank`; returns the look-ups sent since the start. */
static int64_t ask(const struct built *built, int rank, int expected)
{
  tutti_actor *actor = tutti_inprocess_actor(built->all, 0);
  int id = TUTTI_NO_PROCESS;
  for (int tries = 0; id == TUTTI_NO_PROCESS && tries < 2; tries++) {
    assert_int_equal(tutti_group_protocol_find(actor, rank, &id, &error), TUTTI_OK);
    assert_int_equal(tutti_inprocess_deliver(built->all, &error), TUTTI_OK);
  }
  assert_int_equal(built->memberships[id].rank, rank);
  assert_true(expected < 0 || actor->tally.sent[TUTTI_MESSAGE_LOOKUP] == expected);
  return actor->tally.sent[TUTTI_MESSAGE_LOOKUP];
}

/* The 16 answers used last are remembered, whatever their ranks. */
TEST(test_answers_are_remembered)
{
  int color[64] = {0}, id;
  struct trial trial = {
      .builder = builder_named("shrink-hash/no-filler"), .processes = 64, .branching = 3, .colors = 1, .color = color};
  FREED_BY(free_built) struct built built = build(&trial);
  tutti_actor *actor = tutti_inprocess_actor(built.all, 0);
  int own = built.memberships[0].rank, before = (int)ask(&built, (own + 16) % 64, -1);
  ask(&built, (own + 32) % 64, before + 1);
  ask(&built, (own + 16) % 64, before + 1);
  for (int r = 1; r <= 15; r++)
    ask(&built, (own + r) % 64, before + 1 + r); /* the first of them takes the place of own + 32 */
  ask(&built, (own + 16) % 64, before + 16);
  ask(&built, (own + 32) % 64, before + 17);
  for (int r = 40; r < 60; r++) /* more at once than there is room for: some have to be asked for again */
    assert_int_equal(tutti_group_protocol_find(actor, (own + r) % 64, &id, &error), TUTTI_OK);
  assert_int_equal(actor->tally.sent[TUTTI_MESSAGE_LOOKUP], before + 17 + 16);
  assert_int_equal(tutti_inprocess_deliver(built.all, &error), TUTTI_OK);
  for (int r = 40; r < 60; r++)
    ask(&built, (own + r) % 64, -1);
}
