/* Builders of groups at the edge of what they can have. When memory is short: each allocation of a construction fails
   in turn; the construction then fails with TUTTI_ERR_MEMORY, and every actor frees all that it held. And with numbers
   as large as they can be. */
#include "unit/groups/group_fixture.h"

enum { MOST = 60, BAD = 0xa5 };

/* ---- memory that fails, linked in place of malloc() and tutti_actor_free() ---- */

static long left = -1;   /* allocations until one fails; < 0: none does */
static size_t not_freed; /* bytes that actors still held at their ends */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void __wrap_tutti_actor_free(tutti_actor *actor);

/* What nobody sets is not zero by luck. */
void *__wrap_malloc(size_t bytes)
{
  if (left >= 0 && left-- == 0)
    return NULL;
  void *piece = __real_malloc(bytes);
  return piece ? memset(piece, BAD, bytes) : NULL;
}

/* As the real one. */
void __wrap_tutti_actor_free(tutti_actor *actor)
{
  if (!actor)
    return;
  actor->protocol->free(actor);
  not_freed += actor->memory.used - actor->protocol->size;
  tutti_counted_memory memory = actor->memory;
  tutti_counted_free(&memory, actor, actor->protocol->size);
}

/* The trial when allocation `at` fails; false if it needs no more than so many. */
static bool fails(const struct trial *trial, long at)
{
  tutti_tree trees[MOST];
  tutti_inprocess *all = tutti_inprocess_create(trial->processes, trial->delivery, 1);
  const char *name = tutti_group_builder_name(trial->builder);
  left = at;
  not_freed = 0;
  tutti_status status = construct(trial, all, trees, REASON);
  bool failed = left < 0;
  left = -1;
  tutti_inprocess_free(all);
  if (status != (failed ? TUTTI_ERR_MEMORY : TUTTI_OK))
    fail_msg("%s, %d processes, k = %d, allocation %ld: %s", name, trial->processes, trial->branching, at,
             status == TUTTI_OK ? "nobody noticed" : error.message);
  if (not_freed != 0)
    fail_msg("%s, %d processes, k = %d, allocation %ld: %zu bytes were not freed", name, trial->processes,
             trial->branching, at, not_freed);
  return failed;
}

static void fail_each(const struct trial *trial)
{
  long at = 0;
  while (fails(trial, at))
    at++;
  assert_true(at >= trial->processes || trial->parent);
}

static const int sizes[] = {1, 2, 7, 23, MOST}, branchings[] = {2, 3, 7, 2 * MOST};
static const double fractions[] = {0.2, 0.5, 0.9};
static const tutti_delivery deliveries[] = {TUTTI_DELIVERY_FIFO, TUTTI_DELIVERY_LIFO, TUTTI_DELIVERY_RANDOM};
#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* Less where everything takes long, as in test_groups.c. */
static int most(void)
{
  return getenv("TUTTI_TEST_MAX_RANKS") ? 23 : MOST;
}

/* With every number of processes, branching factor and order of delivery. */
static void fail_all(struct trial trial, uint64_t random)
{
  int color[MOST];
  trial.color = color;
  for (int t = 0; t < LENGTH(sizes) * LENGTH(branchings) * LENGTH(fractions); t++) {
    trial.processes = sizes[t % LENGTH(sizes)] < most() ? sizes[t % LENGTH(sizes)] : most();
    trial.branching = branchings[t % LENGTH(branchings)];
    trial.delivery = deliveries[t / LENGTH(sizes) % LENGTH(deliveries)];
    draw(color, trial.processes, trial.colors, fractions[t % LENGTH(fractions)], &random);
    fail_each(&trial);
  }
}

TEST(test_builders)
{
  struct trial trial = {.colors = 1, .ranks_per_node = 1};
  for (int b = 0; (trial.builder = tutti_group_builder_at(b)); b++)
    fail_all(trial, 3);
}

TEST(test_colors)
{
  fail_all((struct trial){.builder = builder_named("shrink-hash/no-filler"), .colors = 3, .ranks_per_node = 1}, 5);
}

TEST(test_nodes)
{
  fail_all((struct trial){.builder = builder_named("shrink-hash/no-filler"), .colors = 1, .ranks_per_node = 4}, 7);
}

/* A group that was built by `trial` is split again. */
static void fail_nested(const struct trial *trial, const tutti_group_builder *builder, const int *again)
{
  struct trial first = *trial, nested = *trial;
  first.delivery = TUTTI_DELIVERY_FIFO;
  FREED_BY(free_built) struct built built = build(&first);
  nested.builder = builder;
  nested.color = again;
  nested.parent = built.memberships;
  fail_each(&nested);
}

TEST(test_nested)
{
  uint64_t random = 9;
  int color[MOST], again[MOST];
  struct trial trial = {.processes = most(), .colors = 1, .ranks_per_node = 1, .color = color};
  const tutti_group_builder *builder;
  for (int b = 0; (trial.builder = tutti_group_builder_at(b)); b++)
    for (int o = 0; (builder = tutti_group_builder_at(o)); o++) {
      trial.branching = branchings[(b + o) % LENGTH(branchings)];
      trial.delivery = deliveries[o % LENGTH(deliveries)];
      draw(color, trial.processes, 1, 0.8, &random);
      draw_again(again, color, trial.processes, 0.6, &random);
      if (!is_chain(builder))
        fail_nested(&trial, builder, again);
    }
}

/* Larger than any number of processes: one node. Without members, so that it is about the nodes alone. */
TEST(test_huge_nodes)
{
  int color[MOST];
  struct trial trial = {.builder = builder_named("shrink-hash/no-filler"),
                        .processes = MOST,
                        .branching = 3,
                        .colors = 1,
                        .color = color};
  memset(color, -1, sizeof color);
  for (int less = 0; less < 2 * MOST; less++) {
    trial.ranks_per_node = INT_MAX - less;
    struct built built = build(&trial);
    assert_int_equal(tutti_inprocess_actor(built.all, 0)->tally.sent[TUTTI_MESSAGE_START], MOST - 1);
    free_built(&built);
  }
}

/* What a construction takes of the process that takes most. */
static size_t peak_of(struct trial *trial, int branching)
{
  size_t peak;
  trial->branching = branching;
  FREED_BY(free_built) struct built built = build(trial);
  tutti_inprocess_tally(built.all, &peak);
  return peak;
}

/* Children that nobody can have take no memory. */
TEST(test_huge_branching)
{
  uint64_t random = 11;
  int color[MOST];
  struct trial trial = {.processes = MOST, .colors = 1, .ranks_per_node = 1, .color = color};
  draw(color, MOST, 1, 0.6, &random);
  for (int b = 0; (trial.builder = tutti_group_builder_at(b)); b++) {
    size_t peak = peak_of(&trial, MOST);
    assert_int_equal(peak_of(&trial, 100000), peak);
  }
}

/* What is left of matchmaking is the place that was found: ids and sizes of the children, in arrays that double. */
TEST(test_balance_keeps_its_place_only)
{
  uint64_t random = 13;
  int color[MOST];
  struct trial trial = {.processes = MOST, .colors = 1, .ranks_per_node = 1, .color = color};
  static const char *const names[] = {"shrink-balance/child-as-filler", "shrink-balance/leaf-as-filler"};
  for (int t = 0; t < 40; t++) {
    trial.builder = builder_named(names[t % LENGTH(names)]);
    trial.branching = branchings[t % LENGTH(branchings)];
    draw(color, MOST, 1, fractions[t % LENGTH(fractions)], &random);
    struct built built = build(&trial);
    for (int i = 0; i < MOST; i++) {
      const tutti_actor *actor = tutti_inprocess_actor(built.all, i);
      size_t children = (size_t)built.memberships[i].child_count;
      assert_true(actor->memory.used <= actor->protocol->size + 4 * children * sizeof(int));
    }
    free_built(&built);
  }
}
