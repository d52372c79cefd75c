/* Counted messages, elements and depth of allreduce against closed forms. P is the number of ranks, n that of
 * elements. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(130, 34) };

#define WITH(name, elements) OF("allreduce/" name, p, .count = (uint64_t)(elements))

/* Everything is exchanged in log2 Q steps, Q being the largest power of two up to P; the others are folded in first and
   told last. */
TEST(recursive_doubling)
{
  for (int p = 1; p <= MOST; p++) {
    const int log = floor_log2(p), rest = p - (1 << log), sends = (1 << log) * log + 2 * rest;
    COUNTS(WITH("recursive-doubling", 10), {SENDS, sends}, {SENT, 10 * sends}, {DEPTH, log + (rest ? 2 : 0)},
           {MAX | MEMORY | AT_MOST, 10});
  }
}

/* With P a power of two each rank sends and receives 2 (P - 1) / P n elements and combines half as many. */
TEST(rabenseifner)
{
  for (int p = 2, q = 1; p <= 128; p *= 2, q++)
    COUNTS(WITH("rabenseifner", 3 * p), {MAX | SENDS, 2 * q}, {MAX | SENT, 2 * (p - 1) * 3},
           {MAX | REDUCED, (p - 1) * 3}, {MAX | MEMORY, 3 * p / 2}, {DEPTH, 2 * q});
  /* Two steps to fold, one to tell the result. */
  for (int p = 3; p <= MOST; p++)
    if (!is_power_of_two(p))
      COUNTS(WITH("rabenseifner", 256), {DEPTH, 2 * floor_log2(p) + 3});
}

TEST(ring)
{
  for (int p = 2; p <= 40; p++)
    COUNTS(WITH("ring", 5 * p), {MAX | SENDS, 2 * (p - 1)}, {MAX | SENT, 2 * (p - 1) * 5}, {MAX | REDUCED, (p - 1) * 5},
           {COPIED, 0}, {MEMORY, 0}, {DEPTH, 2 * (p - 1)});
}

/* Three segments a block on the way of the computation, one on that of the distribution. */
TEST(segmented_ring)
{
  for (int p = 2; p <= 40; p++)
    COUNTS(OF("allreduce/ring-segmented", p, .count = 5 * (uint64_t)p, .segment = 2), {MAX | SENDS, 4 * (p - 1)},
           {SENT, p * 2 * (p - 1) * 5}, {MEMORY, 0});
}

/* Each element goes into P - 1 reductions and through 2 (P - 1) messages, however few there are. */
TEST(nothing_is_sent_twice)
{
  static const char *const methods[] = {"allreduce/ring", "allreduce/ring-segmented", "allreduce/two-tree",
                                        "allreduce/reduce-bcast"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int p = 1; p <= 70; p += 1 + p / 9)
      for (int m = 0; m <= 200; m += 1 + m / 2)
        COUNTS(OF(methods[i], p, .count = (uint64_t)m), {SENT, 2 * (p - 1) * m}, {REDUCED, (p - 1) * m});
}

/* An inner node has three neighbors in its tree and, being a leaf, one in the other: no rank sends or receives more
   than the message twice. Up and down a tree as high as log2 says, which an odd P makes higher by one. */
TEST(two_tree)
{
  for (int p = 2; p <= MOST; p++) {
    const int neighbors = p < 4 ? p : 4;
    counted whole;
    count_subject(WITH("two-tree", 100), whole);
    COUNTS(WITH("two-tree", 100), {MAX | SENDS, neighbors}, {MAX | RECEIVES, neighbors}, {MAX | SENT | AT_MOST, 200},
           {MAX | MEMORY, p % 2 ? 100 : 50}, {DEPTH, 2 * (floor_log2(p - p % 2) + p % 2)});
    COUNTS(OF("allreduce/two-tree", p, .count = 100, .segment = 10), {SENDS, 5 * whole[SENDS]});
  }
}

/* q = ceil(log2 P) rounds of the whole message, for any P. */
TEST(census)
{
  for (int p = 1; p <= MOST; p++) {
    const int q = ceil_log2(p);
    COUNTS(WITH("census", 10), {DEPTH, q}, {MAX | SENDS, q}, {MAX | SENT, 10 * q}, {MAX | MEMORY | AT_MOST, 20});
  }
}

/* Steps to both sides: at most three messages of m a step, two of a power of three; two halves of P - 1 blocks. */
TEST(trivance)
{
  for (int p = 1, q = 0, power = 1; p <= MOST; p++) {
    if (p > power) {
      power *= 3;
      q++;
    }
    COUNTS(WITH("trivance-latency", 10), {DEPTH, q}, {MAX | SENDS | AT_MOST, power == p ? 2 * q : 3 * q},
           {MAX | MEMORY | AT_MOST, power == p ? 30 : 50});
    COUNTS(WITH("trivance", 10 * (uint64_t)p), {MAX | SENT, 20 * (p - 1)}, {MAX | REDUCED, 10 * (p - 1)},
           {DEPTH | AT_MOST, 2 * q}, {MAX | SENDS | AT_MOST, 4 * q});
  }
}

/* On every torus of three sides up to 10: the steps of the sides; d copies, each as on a ring. */
TEST(trivance_on_tori)
{
  enum { MAX_SIDE = 10, COPIES = 3 };
  static const int logs[] = {0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3};
  for (int x = 1; x <= MAX_SIDE; x++)
    for (int y = 1; y <= MAX_SIDE; y++)
      for (int z = 1; z <= MAX_SIDE && x * y * z <= MOST; z++) {
        const int p = x * y * z, steps = logs[x] + logs[y] + logs[z];
        char text[TUTTI_METHOD_LENGTH];
        snprintf(text, sizeof text, "allreduce/trivance-torus/torus=%dx%dx%d", x, y, z);
        COUNTS(OF(text, p, .count = 10 * COPIES * (uint64_t)p), {MAX | SENT, 20 * COPIES * (p - 1)},
               {MAX | REDUCED, 10 * COPIES * (p - 1)}, {DEPTH | AT_MOST, 2 * steps},
               {MAX | SENDS | AT_MOST, 4 * COPIES * steps});
        snprintf(text, sizeof text, "allreduce/trivance-latency-torus/torus=%dx%dx%d", x, y, z);
        COUNTS(OF(text, p, .count = 10 * COPIES), {DEPTH, steps}, {MAX | SENDS | AT_MOST, 3 * COPIES * steps},
               {MAX | MEMORY | AT_MOST, 70 * COPIES});
      }
}

/* P a power of two: 2 log2 P - g rounds, 2 (P - 2^g) / P + g 2^g / P of the message. */
TEST(generalized_butterfly)
{
  for (int log = 1, p = 2; log <= 7; log++, p *= 2)
    for (int g = 1; g <= log + 1; g++) {
      const int whole = g < log ? g : log, blocks = p - (1 << whole), rounds = 2 * log - whole;
      COUNTS(OF("allreduce/generalized-butterfly", p, .k = g, .count = 3 * (uint64_t)p), {DEPTH, rounds},
             {MAX | SENDS, rounds}, {MAX | SENT, 3 * (2 * blocks + (whole << whole))},
             {MAX | REDUCED, 3 * (blocks + (whole << whole))});
    }
}
