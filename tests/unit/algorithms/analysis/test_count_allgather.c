/* Counted messages, elements and depth of allgathers against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(130, 34), POWERS = UNLESS_WATCHED(8, 6), BLOCK = 3 };

#define BLOCKS(name) OF("allgather/" name, p, .count = BLOCK)

static bool serves(const char *name, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_ALLGATHER, name);
  return tutti_method_check(&method, &(tutti_call){.size = ranks, .count = BLOCK, .type_size = 1}, NULL) == TUTTI_OK;
}

/* Whatever the way, every rank receives each block of another rank exactly once. */
TEST(nothing_is_sent_twice)
{
  static const char *const names[] = {"bruck", "recursive-doubling", "recursive-doubling-general",
                                      "ring",  "neighbor-exchange",  "two-process"};
  int served = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int p = 1; p <= MOST; p++)
      if (serves(names[i], p)) {
        char method[TUTTI_METHOD_LENGTH];
        snprintf(method, sizeof method, "allgather/%s", names[i]);
        COUNTS(OF(method, p, .count = BLOCK), {SENT, BLOCK * p * (p - 1)});
        served++;
      }
  assert_int_equal(served, 3 * MOST + POWERS + MOST / 2 + 1); /* powers of two up to MOST */
}

TEST(ring)
{
  for (int p = 1; p <= MOST; p++)
    COUNTS(BLOCKS("ring"), {DEPTH, p - 1}, {MAX | SENDS, p - 1}, {COPIED, BLOCK * p}, {MEMORY, 0});
}

TEST(neighbor_exchange)
{
  for (int p = 2; p <= MOST; p += 2)
    COUNTS(BLOCKS("neighbor-exchange"), {DEPTH, p / 2}, {SENDS, p * (p / 2)}, {LARGEST, p > 2 ? 2 * BLOCK : BLOCK},
           {MEMORY, 0});
}

/* The last step of P = 2^k + n ranks passes on n blocks only, which were there after 1 + ceil(log2 n) messages. */
static int depth_of_bruck(int ranks)
{
  int steps = floor_log2(ranks), rest = ranks - (1 << steps), last = rest ? 1 + ceil_log2(rest) : 0;
  return last > steps ? last : steps;
}

/* All ranks but 0 turn the blocks in a temporary: they copy their own block there, and all of them back. */
TEST(bruck)
{
  for (int p = 1; p <= MOST; p++) {
    const int q = ceil_log2(p), turned = BLOCK * p * (p - 1);
    COUNTS(BLOCKS("bruck"), {DEPTH, depth_of_bruck(p)}, {MAX | SENDS, q}, {SENDS, p * q}, {MEMORY, turned},
           {COPIED, BLOCK * p + turned});
  }
}

/* With Q the largest power of two up to P, the P - Q guests send one message, and receive one before and one in each of
   the log2 Q steps of their hosts. A block goes from a guest to its host, through the steps, and to another guest; but
   if no rank in the second half of the hosts has a guest, the last step is not on the way from guest to guest. */
TEST(recursive_doubling)
{
  for (int p = 1; p <= MOST; p++) {
    const int steps = floor_log2(p), power = 1 << steps, guests = p - power;
    COUNTS(BLOCKS("recursive-doubling-general"), {DEPTH, steps + (guests > 0) + (guests > power / 2 && guests > 0)},
           {SENDS, power * steps + guests * (steps + 2)}, {MEMORY, 0});
    if (guests == 0)
      COUNTS(BLOCKS("recursive-doubling"), {SENDS, p * steps});
  }
}

/* P - 1 messages to rank 0 and P - 1 back; the copies are those of the parts. */
TEST(gather_bcast)
{
  for (int p = 1; p <= MOST; p++) {
    COUNTS(BLOCKS("gather-bcast"), {SENDS, 2 * (p - 1)}, {LARGEST, p > 1 ? BLOCK * p : 0}, {DEPTH, 2 * floor_log2(p)});
    COUNTS(OF("allgather/gather-bcast/gather=linear/bcast=pipeline:4", p, .count = 4), {SENDS, (p - 1) * (1 + p)},
           {MEMORY, 0}, {COPIED, 4});
  }
}

/* Every block to its place in ceil(log2 P) rounds, for any P. */
TEST(sparbit)
{
  for (int p = 1; p <= MOST; p++) {
    const int q = ceil_log2(p), least = p == 1 << q ? q : 1; /* a round may need no block of the one before */
    COUNTS(BLOCKS("sparbit"), {DEPTH | AT_LEAST, least}, {DEPTH | AT_MOST, q}, {MAX | SENDS, p - 1},
           {SENT, BLOCK * p * (p - 1)}, {COPIED, BLOCK * p}, {MEMORY, 0});
  }
}

/* k trees of 2^q ranks: log2 k + 2^q / k - 1 rounds of a message, P - 1 blocks, each at most k; and the same backwards.
   Rounds in which no rank is far enough away are left out if P is no power of two. */
TEST(pat)
{
  for (int p = 2; p <= MOST; p += p < 34 ? 1 : 15)
    for (int log = 0, q = ceil_log2(p); log < q; log++) {
      const int k = 1 << log, rounds = log + (1 << q >> log) - 1, full = p == 1 << q, moved = BLOCK * (p - 1);
      counted gathered;
      count_subject(OF("allgather/pat", p, .k = k, .count = BLOCK), gathered);
      COUNTS(OF("allgather/pat", p, .k = k, .count = BLOCK), {MAX | SENT, moved}, {MAX | LARGEST | AT_MOST, BLOCK * k},
             {MAX | SENDS | AT_LEAST, full ? rounds : q}, {MAX | SENDS | AT_MOST, rounds},
             {DEPTH | AT_LEAST, full ? q : 1}, {DEPTH | AT_MOST, rounds});
      COUNTS(OF("reduce_scatter_block/pat", p, .k = k, .count = BLOCK), {MAX | SENT, moved}, {MAX | REDUCED, moved},
             {MAX | SENDS, gathered[MAX | SENDS]});
    }
}
