/* Builders of groups through the transport within one process: every builder x branching factor x member set x order of
   delivery. */
#include "unit/groups/tests.h"

/* ---- what has to be sent ---- */

static int members_of(const struct trial *trial, int color)
{
  int members = 0;
  for (int i = 0; i < trial->processes; i++)
    members += trial->color[i] == color;
  return members;
}

/* Langer et al. 2012, section VII-C; the constants: centralized.c and directory.h. */
static int64_t expected_messages(const struct trial *trial, tutti_message_kind kind)
{
  int n = trial->processes, k = trial->branching, sum = 0;
  for (int g = 0; g < trial->colors; g++) {
    int m = members_of(trial, g);
    if (m > 0)
      sum += kind == TUTTI_MESSAGE_HASH ? 3 * m - 2 + (m - 1 + k - 1) / k : m - 1;
  }
  return kind == TUTTI_MESSAGE_UPWARD || kind == TUTTI_MESSAGE_START ? n - 1 : sum;
}

static void count(const struct trial *trial, const struct built *built)
{
  size_t memory;
  tutti_tally tally = tutti_inprocess_tally(built->all, &memory);
  const char *name = tutti_group_builder_name(trial->builder);
  assert_int_equal(tally.sent[TUTTI_MESSAGE_START], expected_messages(trial, TUTTI_MESSAGE_START));
  assert_int_equal(tally.sent[TUTTI_MESSAGE_REDUCTION], expected_messages(trial, TUTTI_MESSAGE_REDUCTION));
  if (!is_chain(trial->builder))
    assert_int_equal(tally.sent[TUTTI_MESSAGE_UPWARD], expected_messages(trial, TUTTI_MESSAGE_UPWARD));
  if (tutti_group_builder_hashes(trial->builder))
    assert_int_equal(tally.sent[TUTTI_MESSAGE_HASH], expected_messages(trial, TUTTI_MESSAGE_HASH));
  if (strcmp(name, "centralized") == 0) {
    bool handed_over = trial->color[0] < 0 && members_of(trial, 0) > 0;
    assert_int_equal(tally.sent[TUTTI_MESSAGE_DOWNWARD],
                     expected_messages(trial, TUTTI_MESSAGE_DOWNWARD) + handed_over);
  }
  int64_t sent = 0;
  for (int kind = 0; kind < TUTTI_MESSAGE_KINDS; kind++)
    sent += tally.sent[kind];
  assert_int_equal(tally.received, sent);
}

static void try_one(const struct trial *trial)
{
  FREED_BY(free_built) struct built built = build(trial);
  validate(trial, &built);
  count(trial, &built);
}

static void try_orders(struct trial *trial, int seeds)
{
  trial->delivery = TUTTI_DELIVERY_FIFO;
  try_one(trial);
  trial->delivery = TUTTI_DELIVERY_LIFO;
  try_one(trial);
  for (int s = 0; s < seeds; s++) {
    trial->seed = (uint64_t)s + 1;
    trial->delivery = TUTTI_DELIVERY_RANDOM;
    try_one(trial);
    trial->delivery = TUTTI_DELIVERY_STARVE;
    try_one(trial);
  }
}

/* Less where everything takes long: TUTTI_TEST_MAX_RANKS, as for the proof of schedules. */
static int at_most(int processes, int otherwise)
{
  return getenv("TUTTI_TEST_MAX_RANKS") ? otherwise : processes;
}

TEST(test_all_member_sets)
{
  int color[12];
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int k = 0; k < BRANCHINGS; k++)
      for (int n = 1; n <= at_most(12, 8); n++)
        for (int set = 0; set < 1 << n; set++) {
          for (int i = 0; i < n; i++)
            color[i] = (set >> i & 1) - 1;
          struct trial trial = {
              .builder = builder, .processes = n, .branching = branchings[k], .colors = 1, .color = color};
          try_orders(&trial, 1);
        }
}

TEST(test_random_member_sets)
{
  uint64_t random = 5;
  static const double fractions[] = {0.01, 0.1, 0.3, 0.6, 0.9, 1.0};
  FREED_BY(free_memory) int *color = malloc(2000 * sizeof *color);
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int k = 0; k < BRANCHINGS; k++)
      for (int t = 0; t < 18; t++) {
        int most = at_most(2000, 200), n = t < 6 ? most : 13 + (int)random_below(&random, (uint64_t)most - 13);
        draw(color, n, 1, fractions[t % 6], &random);
        struct trial trial = {
            .builder = builder, .processes = n, .branching = branchings[k], .colors = 1, .color = color};
        try_orders(&trial, 2);
      }
}

TEST(test_colors)
{
  uint64_t random = 7;
  int color[500];
  for (int t = 0; t < 200; t++) {
    int n = 1 + (int)random_below(&random, 500), colors = 1 + (int)random_below(&random, 9);
    draw(color, n, colors, t % 2 ? 1.0 : 0.7, &random);
    struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                          .processes = n,
                          .branching = branchings[t % BRANCHINGS],
                          .colors = colors,
                          .color = color};
    try_orders(&trial, 1);
  }
}

/* The same group, whatever the order of delivery. */
TEST(test_order_does_not_matter)
{
  uint64_t random = 9;
  int color[700];
  const tutti_group_builder *builder;
  draw(color, 700, 1, 0.4, &random);
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++) {
    struct trial trial = {.builder = builder, .processes = 700, .branching = 3, .colors = 1, .color = color};
    struct built first = build(&trial);
    for (int s = 0; s < 20; s++) {
      trial.delivery = TUTTI_DELIVERY_RANDOM;
      trial.seed = (uint64_t)s;
      struct built other = build(&trial);
      for (int i = 0; i < 700; i++) {
        assert_int_equal(other.memberships[i].parent, first.memberships[i].parent);
        assert_int_equal(other.memberships[i].rank, first.memberships[i].rank);
      }
      free_built(&other);
    }
    free_built(&first);
  }
}

/* Every number is a topic. */
TEST(test_topics)
{
  static const int topics[] = {-5, -2147483647 - 1, 2147483647};
  int color[23] = {[3] = -1, [7] = -1};
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int t = 0; t < 3; t++) {
      struct trial trial = {
          .builder = builder, .processes = 23, .branching = 3, .colors = 1, .color = color, .topic = topics[t]};
      struct built built = build(&trial);
      free_built(&built);
    }
}
