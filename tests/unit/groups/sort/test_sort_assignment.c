/* Places and who owns them; and that the deterministic assignment brings every element to its place with at most eight
   messages to and from each process, whatever the pieces are. */
#include "groups/sort/assignment.h"
#include "unit/base/random.h"
#include "unit/test.h"

TEST(test_places)
{
  for (int p = 1; p <= 40; p++)
    for (uint64_t n = 0; n <= 130; n++) {
      uint64_t place = 0;
      for (int r = 0; r < p; r++) {
        assert_int_equal(tutti_sort_first_place(n, p, r), place);
        for (uint64_t share = n / (uint64_t)p + ((uint64_t)r < n % (uint64_t)p); share > 0; share--)
          assert_int_equal(tutti_sort_owner(n, p, place++), r);
      }
      assert_int_equal(place, n);
    }
}

TEST(test_pieces)
{
  struct sort_places places = {47, 9};
  for (uint64_t low = 0; low <= places.n; low++)
    for (uint64_t high = low; high <= places.n; high++) {
      struct sort_interval rest = {low, high};
      uint64_t next = low;
      while (sort_length(rest) > 0) {
        int owner;
        struct sort_interval piece = tutti_sort_next_piece(&places, &rest, &owner);
        struct sort_interval share = tutti_sort_share(&places, (struct sort_interval){low, high}, owner);
        assert_int_equal(piece.low, next);
        assert_true(piece.low == share.low && piece.high == share.high && sort_length(piece) > 0);
        next = piece.high;
      }
      assert_int_equal(next, high);
    }
}

static int leaves_below(int size, int process)
{
  struct sort_node node = tutti_sort_node(size, process);
  int leaves = 0;
  for (int c = 0; c < 2; c++)
    leaves += node.children[c] == process || tutti_sort_node(size, node.children[c]).parent != process
                  ? 1
                  : leaves_below(size, node.children[c]);
  return leaves;
}

TEST(test_tree)
{
  for (int size = 2; size <= 200; size++) {
    int inner = 0;
    for (int i = 0; i < size; i++) {
      struct sort_node node = tutti_sort_node(size, i), above = tutti_sort_node(size, node.leaf_parent);
      assert_true(above.inner && (above.children[0] == i || above.children[1] == i));
      inner += node.inner;
      assert_true(!node.inner || (node.parent < 0) == (i == size - 1));
    }
    assert_int_equal(inner, size - 1);
    assert_int_equal(leaves_below(size, size - 1), size);
  }
}

/* ---- messages of an exchange, counted ---- */

enum { MAX_PROCESSES = 150, EIGHT = 8 };

struct exchange {
  struct sort_places places;
  struct sort_interval task;
  int first, size; /* its processes */
  uint64_t threshold;
  uint64_t held[MAX_PROCESSES][2]; /* small and large elements */
  int sent[MAX_PROCESSES], received[MAX_PROCESSES];
};

static void pass(struct exchange *e, int from, int to)
{
  e->sent[from] += from != to;
  e->received[to] += from != to;
}

/* The pieces that process `i` passes up as a leaf, or as the inner node that it is. */
static void leaf(struct exchange *e, int i, uint64_t up[2])
{
  for (int side = 0; side < 2; side++) {
    up[side] = e->held[i][side] < e->threshold ? e->held[i][side] : 0;
    e->held[i][side] -= up[side];
  }
}

static void combine(struct exchange *e, int process, uint64_t up[2])
{
  struct sort_node node = tutti_sort_node(e->size, process);
  uint64_t sum[2] = {0, 0};
  for (int c = 0; c < 2; c++) {
    int child = node.children[c];
    uint64_t come[2];
    if (child == process || tutti_sort_node(e->size, child).parent != process)
      leaf(e, child, come);
    else
      combine(e, child, come);
    pass(e, child, process);
    for (int side = 0; side < 2; side++)
      sum[side] += come[side];
  }
  for (int side = 0; side < 2; side++) {
    bool keeps = tutti_sort_keeps(&node, e->threshold, sum[side]);
    up[side] = keeps ? 0 : sum[side];
    e->held[process][side] += keeps ? sum[side] : 0;
  }
}

static void fill(struct exchange *e)
{
  uint64_t small = 0, place;
  for (int i = 0; i < e->size; i++)
    small += e->held[i][0];
  for (int side = 0; side < 2; side++) {
    place = e->task.low + (side ? small : 0);
    for (int i = 0; i < e->size; i++) {
      struct sort_interval rest = {place, place + e->held[i][side]};
      place = rest.high;
      while (sort_length(rest) > 0) {
        int owner;
        tutti_sort_next_piece(&e->places, &rest, &owner);
        pass(e, i, owner - e->first);
      }
    }
  }
  assert_int_equal(place, e->task.high);
}

static void check_bound(struct exchange *e)
{
  uint64_t share = e->places.n / (uint64_t)e->places.p, none[2] = {0, 0};
  e->threshold = tutti_sort_threshold(&e->places);
  if (e->threshold > 1)
    combine(e, e->size - 1, none);
  assert_true(none[0] == 0 && none[1] == 0);
  for (int i = 0; i < e->size; i++)
    assert_true(e->held[i][0] + e->held[i][1] <= share + 1 + 4 * e->threshold);
  fill(e);
  for (int i = 0; i < e->size; i++)
    if (e->sent[i] > EIGHT || e->received[i] > EIGHT)
      fail_msg("n %llu, p %d, process %d of %d: %d sent, %d received", (unsigned long long)e->places.n, e->places.p, i,
               e->size, e->sent[i], e->received[i]);
}

/* How many elements of a share are small. */
static uint64_t draw_small(int kind, uint64_t share, uint64_t threshold, int process, uint64_t *random)
{
  uint64_t near = threshold + random_below(random, 3) - 1; /* about the threshold */
  uint64_t few = random_below(random, 3), any = random_below(random, share + 1);
  uint64_t choices[] = {
      any,   few,           share - (few < share ? few : share), near, share - (near < share ? near : share), 0,
      share, threshold - 1, process % 2 ? share : threshold - 1, 1};
  int count = sizeof choices / sizeof *choices;
  uint64_t chosen = choices[kind < count ? kind : (int)random_below(random, (uint64_t)count)];
  return chosen < share ? chosen : share;
}

TEST(test_eight_messages)
{
  enum { KINDS = 14, CASES = 40000 };
  uint64_t random = 1;
  FREED_BY(free_memory) struct exchange *e = malloc(sizeof *e);
  for (int number = 0; number < CASES; number++) {
    memset(e, 0, sizeof *e);
    e->places.p = 3 + (int)random_below(&random, MAX_PROCESSES - 2);
    e->places.n = random_below(&random, (uint64_t)e->places.p * (number % 2 ? 12 : 200)) + 1;
    e->task.low = number % 3 ? random_below(&random, e->places.n) : 0;
    e->task.high = number % 3 ? e->task.low + 1 + random_below(&random, e->places.n - e->task.low) : e->places.n;
    e->first = tutti_sort_owner(e->places.n, e->places.p, e->task.low);
    e->size = tutti_sort_owner(e->places.n, e->places.p, e->task.high - 1) - e->first + 1;
    if (e->size < 3)
      continue;
    uint64_t threshold = tutti_sort_threshold(&e->places);
    for (int i = 0; i < e->size; i++) {
      uint64_t share = sort_length(tutti_sort_share(&e->places, e->task, e->first + i));
      e->held[i][0] = draw_small(number % KINDS, share, threshold, i, &random);
      e->held[i][1] = share - e->held[i][0];
    }
    check_bound(e);
  }
}
