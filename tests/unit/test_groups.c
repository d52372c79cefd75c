/* Builders of groups through the transport within one process: every builder x branching factor x member set x order of
   delivery. */
#include "group_fixture.h"

/* ---- what must hold ---- */

/* By the table of builders in README.md; also where nodes come first. */
static void validate_ranks(const struct trial *trial, const struct built *built)
{
  bool ranks = strncmp(tutti_group_builder_name(trial->builder), "shrink-balance/", 15) != 0;
  assert_int_equal(tutti_group_builder_ranks(trial->builder), ranks);
  for (int i = 0; i < trial->processes; i++)
    if ((built->memberships[i].rank >= 0) != (ranks && trial->colour[i] >= 0))
      fail_msg("%s: process %d with colour %d has rank %d", tutti_group_builder_name(trial->builder), i,
               trial->colour[i], built->memberships[i].rank);
}

static void validate(const struct trial *trial, const struct built *built)
{
  tutti_error error;
  int branching = is_chain(trial->builder) ? 2 : trial->branching;
  int children = is_chain(trial->builder) ? 31 : trial->branching;
  if (tutti_groups_validate(built->memberships, trial->colour, trial->processes, branching, children, 0, &error) !=
      TUTTI_OK)
    fail_at(trial, &error);
  validate_ranks(trial, built);
}

static int members_of(const struct trial *trial, int colour)
{
  int members = 0;
  for (int i = 0; i < trial->processes; i++)
    members += trial->colour[i] == colour;
  return members;
}

/* Langer et al. 2012, section VII-C; the constants: centralized.c and directory.h. */
static int64_t expected_messages(const struct trial *trial, tutti_mail_kind kind)
{
  int n = trial->processes, k = trial->branching, sum = 0;
  for (int g = 0; g < trial->colours; g++) {
    int m = members_of(trial, g);
    if (m > 0)
      sum += kind == TUTTI_MAIL_HASH ? 3 * m - 2 + (m - 1 + k - 1) / k : m - 1;
  }
  return kind == TUTTI_MAIL_UPWARD || kind == TUTTI_MAIL_START ? n - 1 : sum;
}

static void count(const struct trial *trial, const struct built *built)
{
  size_t memory;
  tutti_tally tally = tutti_inprocess_tally(built->all, &memory);
  const char *name = tutti_group_builder_name(trial->builder);
  assert_int_equal(tally.sent[TUTTI_MAIL_START], expected_messages(trial, TUTTI_MAIL_START));
  assert_int_equal(tally.sent[TUTTI_MAIL_REDUCTION], expected_messages(trial, TUTTI_MAIL_REDUCTION));
  if (!is_chain(trial->builder))
    assert_int_equal(tally.sent[TUTTI_MAIL_UPWARD], expected_messages(trial, TUTTI_MAIL_UPWARD));
  if (tutti_group_builder_hashes(trial->builder))
    assert_int_equal(tally.sent[TUTTI_MAIL_HASH], expected_messages(trial, TUTTI_MAIL_HASH));
  if (strcmp(name, "centralized") == 0) {
    bool handed_over = trial->colour[0] < 0 && members_of(trial, 0) > 0;
    assert_int_equal(tally.sent[TUTTI_MAIL_DOWNWARD], expected_messages(trial, TUTTI_MAIL_DOWNWARD) + handed_over);
  }
  int64_t sent = 0;
  for (int kind = 0; kind < TUTTI_MAIL_KINDS; kind++)
    sent += tally.sent[kind];
  assert_int_equal(tally.received, sent);
}

static void try_one(const struct trial *trial)
{
  struct built built = build(trial);
  validate(trial, &built);
  count(trial, &built);
  free_built(&built);
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

/* ---- tests ---- */

/* Less where everything takes long: TUTTI_TEST_MOST_RANKS, as for the proof of schedules. */
static int at_most(int processes, int otherwise)
{
  return getenv("TUTTI_TEST_MOST_RANKS") ? otherwise : processes;
}

static const int branchings[] = {2, 3, 4, 8};
enum { BRANCHINGS = sizeof branchings / sizeof branchings[0] };

static void test_all_member_sets(void **state)
{
  (void)state;
  int colour[12];
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int k = 0; k < BRANCHINGS; k++)
      for (int n = 1; n <= at_most(12, 8); n++)
        for (int set = 0; set < 1 << n; set++) {
          for (int i = 0; i < n; i++)
            colour[i] = (set >> i & 1) - 1;
          struct trial trial = {
              .builder = builder, .processes = n, .branching = branchings[k], .colours = 1, .colour = colour};
          try_orders(&trial, 1);
        }
}

static void test_random_member_sets(void **state)
{
  (void)state;
  uint64_t random = 5;
  static const double fractions[] = {0.01, 0.1, 0.3, 0.6, 0.9, 1.0};
  int *colour = malloc(2000 * sizeof *colour);
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int k = 0; k < BRANCHINGS; k++)
      for (int t = 0; t < 18; t++) {
        int most = at_most(2000, 200), n = t < 6 ? most : 13 + (int)random_below(&random, (uint64_t)most - 13);
        draw(colour, n, 1, fractions[t % 6], &random);
        struct trial trial = {
            .builder = builder, .processes = n, .branching = branchings[k], .colours = 1, .colour = colour};
        try_orders(&trial, 2);
      }
  free(colour);
}

static void test_colours(void **state)
{
  (void)state;
  uint64_t random = 7;
  int colour[500];
  for (int t = 0; t < 200; t++) {
    int n = 1 + (int)random_below(&random, 500), colours = 1 + (int)random_below(&random, 9);
    draw(colour, n, colours, t % 2 ? 1.0 : 0.7, &random);
    struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                          .processes = n,
                          .branching = branchings[t % BRANCHINGS],
                          .colours = colours,
                          .colour = colour};
    try_orders(&trial, 1);
  }
}

/* The same group, whatever the order of delivery. */
static void test_order_does_not_matter(void **state)
{
  (void)state;
  uint64_t random = 9;
  int colour[700];
  const tutti_group_builder *builder;
  draw(colour, 700, 1, 0.4, &random);
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++) {
    struct trial trial = {.builder = builder, .processes = 700, .branching = 3, .colours = 1, .colour = colour};
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

/* Every member finds every rank through the intermediaries, asking once and again. */
static void find_all(const struct trial *trial, struct built *built)
{
  tutti_error error;
  int id, *by_rank = malloc((size_t)trial->processes * sizeof *by_rank);
  for (int i = 0; i < trial->processes; i++)
    if (built->memberships[i].size > 0)
      by_rank[built->memberships[i].rank] = i;
  for (int i = 0; i < trial->processes; i++)
    for (int rank = 0; rank < built->memberships[i].size; rank++) {
      tutti_actor *actor = tutti_inprocess_actor(built->all, i);
      assert_int_equal(tutti_construction_find(actor, rank, &id, &error), TUTTI_OK);
      assert_int_equal(id, rank == built->memberships[i].rank ? i : TUTTI_NO_PROCESS);
      assert_int_equal(tutti_inprocess_deliver(built->all, &error), TUTTI_OK);
      assert_int_equal(tutti_construction_find(actor, rank, &id, &error), TUTTI_OK);
      assert_int_equal(id, by_rank[rank]);
    }
  free(by_rank);
}

static void test_find(void **state)
{
  (void)state;
  uint64_t random = 13;
  int colour[120], id;
  tutti_error error;
  const tutti_group_builder *builder;
  draw(colour, 120, 1, 0.6, &random);
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++) {
    struct trial trial = {.builder = builder, .processes = 120, .branching = 3, .colours = 1, .colour = colour};
    struct built built = build(&trial);
    if (tutti_group_builder_hashes(builder)) {
      find_all(&trial, &built);
      assert_int_equal(tutti_construction_find(tutti_inprocess_actor(built.all, 0), 120, &id, &error),
                       TUTTI_ERR_ARGUMENT);
    } else {
      assert_int_equal(tutti_construction_find(tutti_inprocess_actor(built.all, 0), 0, &id, &error),
                       TUTTI_ERR_UNSUPPORTED);
    }
    free_built(&built);
  }
}

/* Asks once more for rank `rank`; returns the look-ups sent since the start. */
static int64_t ask(const struct built *built, int rank, int expected)
{
  tutti_error error;
  tutti_actor *actor = tutti_inprocess_actor(built->all, 0);
  int id = TUTTI_NO_PROCESS;
  for (int tries = 0; id == TUTTI_NO_PROCESS && tries < 2; tries++) {
    assert_int_equal(tutti_construction_find(actor, rank, &id, &error), TUTTI_OK);
    assert_int_equal(tutti_inprocess_deliver(built->all, &error), TUTTI_OK);
  }
  assert_int_equal(built->memberships[id].rank, rank);
  assert_true(expected < 0 || actor->tally.sent[TUTTI_MAIL_LOOKUP] == expected);
  return actor->tally.sent[TUTTI_MAIL_LOOKUP];
}

/* The 16 answers used last are remembered, whatever their ranks. */
static void test_answers_are_remembered(void **state)
{
  (void)state;
  int colour[64] = {0}, id;
  tutti_error error;
  struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                        .processes = 64,
                        .branching = 3,
                        .colours = 1,
                        .colour = colour};
  struct built built = build(&trial);
  tutti_actor *actor = tutti_inprocess_actor(built.all, 0);
  int own = built.memberships[0].rank, before = (int)ask(&built, (own + 16) % 64, -1);
  ask(&built, (own + 32) % 64, before + 1);
  ask(&built, (own + 16) % 64, before + 1);
  for (int r = 1; r <= 15; r++)
    ask(&built, (own + r) % 64, before + 1 + r); /* the first of them takes the place of own + 32 */
  ask(&built, (own + 16) % 64, before + 16);
  ask(&built, (own + 32) % 64, before + 17);
  for (int r = 40; r < 60; r++) /* more at once than there is room for: some have to be asked for again */
    assert_int_equal(tutti_construction_find(actor, (own + r) % 64, &id, &error), TUTTI_OK);
  assert_int_equal(actor->tally.sent[TUTTI_MAIL_LOOKUP], before + 17 + 16);
  assert_int_equal(tutti_inprocess_deliver(built.all, &error), TUTTI_OK);
  for (int r = 40; r < 60; r++)
    ask(&built, (own + r) % 64, -1);
  free_built(&built);
}

/* Every number is a topic. */
static void test_topics(void **state)
{
  (void)state;
  static const int topics[] = {-5, -2147483647 - 1, 2147483647};
  int colour[23] = {[3] = -1, [7] = -1};
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int t = 0; t < 3; t++) {
      struct trial trial = {
          .builder = builder, .processes = 23, .branching = 3, .colours = 1, .colour = colour, .topic = topics[t]};
      struct built built = build(&trial);
      free_built(&built);
    }
}

/* No tree is higher than that of the nodes with members and that of a node together. */
static void try_nodes(const struct trial *trial)
{
  tutti_error error;
  struct built built = build(trial);
  int k = trial->branching, nodes = 0, last = -1, height = 0;
  for (int i = 0; i < trial->processes; i++) {
    if (trial->colour[i] >= 0 && i / trial->ranks_per_node != last) {
      nodes++;
      last = i / trial->ranks_per_node;
    }
    if (built.memberships[i].size > 0 && built.memberships[i].parent == TUTTI_NO_PROCESS)
      height = built.memberships[i].height;
  }
  if (tutti_groups_validate(built.memberships, trial->colour, trial->processes, k, 2 * k, 31, &error) != TUTTI_OK)
    fail_msg("%d nodes: %s", nodes, error.message);
  validate_ranks(trial, &built);
  for (int i = 0, id; i < trial->processes; i++)
    if (built.memberships[i].size > 0)
      assert_int_equal(tutti_construction_find(tutti_inprocess_actor(built.all, i), 0, &id, &error),
                       TUTTI_ERR_UNSUPPORTED);
  assert_true(height < tutti_balanced_height(nodes, k) + tutti_balanced_height(trial->ranks_per_node, k));
  free_built(&built);
}

static void test_nodes(void **state)
{
  (void)state;
  uint64_t random = 15;
  int colour[600];
  for (int t = 0; t < 400; t++) {
    int n = 1 + (int)random_below(&random, 600);
    draw(colour, n, 1, (t % 11) / 10.0, &random);
    struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                          .processes = n,
                          .branching = branchings[t % BRANCHINGS],
                          .colours = 1,
                          .ranks_per_node = t % 3 ? 4 : 16,
                          .colour = colour,
                          .delivery = t % 2 ? TUTTI_DELIVERY_RANDOM : TUTTI_DELIVERY_STARVE,
                          .seed = (uint64_t)t};
    try_nodes(&trial);
  }
}

/* A group that was built is split again, over its own tree, by its members alone. */
static void split_again(const struct built *parent, const struct trial *trial, const int *colour)
{
  struct trial nested = *trial;
  nested.parent = parent->memberships;
  nested.colour = colour;
  nested.ranks_per_node = 1;
  nested.topic = 2;
  struct built built = build(&nested);
  validate(&nested, &built);
  free_built(&built);
}

static void test_nested(void **state)
{
  (void)state;
  uint64_t random = 11;
  int colour[400], again[400];
  const tutti_group_builder *builder;
  for (int b = 0; (builder = tutti_group_builder_at(b)); b++)
    for (int t = 0; t < 40; t++) {
      int n = 1 + (int)random_below(&random, 400);
      draw(colour, n, 1, 0.7, &random);
      draw_again(again, colour, n, 0.5, &random);
      struct trial trial = {.builder = tutti_group_builder_at(b + t),
                            .processes = n,
                            .branching = branchings[t % BRANCHINGS],
                            .colours = 1,
                            .colour = colour,
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

/* The validator sees what is wrong. */
static void test_planted_faults(void **state)
{
  (void)state;
  tutti_error error;
  int colour[50];
  for (int i = 0; i < 50; i++)
    colour[i] = i % 3 ? 0 : -1;
  struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                        .processes = 50,
                        .branching = 3,
                        .colours = 1,
                        .colour = colour};
  struct built built = build(&trial);
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
    assert_int_equal(tutti_groups_validate(built.memberships, colour, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
    if (f > 0)
      assert_non_null(strstr(error.message, faults[f].expected));
  }
  *one = good;
  for (int i = 0; i < 50; i++)
    built.memberships[i].rank = -1;
  assert_int_equal(tutti_groups_validate(built.memberships, colour, 50, 3, 3, 0, &error), TUTTI_OK);
  one->rank = 0;
  assert_int_equal(tutti_groups_validate(built.memberships, colour, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
  *one = good;
  colour[20] = -1;
  assert_int_equal(tutti_groups_validate(built.memberships, colour, 50, 3, 3, 0, &error), TUTTI_ERR_FAULT);
  free_built(&built);
}

static void test_refusals(void **state)
{
  (void)state;
  tutti_error error;
  tutti_tree tree;
  assert_null(tutti_group_builder_find("shrink", &error));
  assert_non_null(strstr(error.message, "centralized"));
  tutti_tree_init(&tree, TUTTI_TREE_KARY, 2, 4, 0, 1, &error);
  tutti_enrolment enrolment = {.builder = builder_named("centralized"), .tree = &tree, .branching = 1, .colours = 1};
  assert_null(tutti_construction_create(&enrolment, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "branching factor 1"));
  enrolment.branching = 2;
  enrolment.colour = 1;
  assert_null(tutti_construction_create(&enrolment, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "colour 1"));
  enrolment.colours = 2;
  assert_null(tutti_construction_create(&enrolment, NULL, 1, 0, &error));
  assert_non_null(strstr(error.message, "shrink-hash/no-filler"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_member_sets),
      cmocka_unit_test(test_random_member_sets),
      cmocka_unit_test(test_colours),
      cmocka_unit_test(test_order_does_not_matter),
      cmocka_unit_test(test_find),
      cmocka_unit_test(test_answers_are_remembered),
      cmocka_unit_test(test_topics),
      cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_nested),
      cmocka_unit_test(test_planted_faults),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
