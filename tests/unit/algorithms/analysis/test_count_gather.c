/* Counted messages, elements and depth of scatters and gathers against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, BLOCK = 3 };

static const char *const binomials[] = {"scatter/binomial", "gather/binomial"};

/* Open MPI's scatter waits for each send before the next one, its gather for each receive, if they are not eager. */
TEST(linear)
{
  static const struct {
    const char *method;
    bool in_turn;
  } cases[] = {{"scatter/linear", true}, {"scatter/linear-nonblocking", false}, {"scatterv/linear", false},
               {"gather/linear", true},  {"gather/linear-nonblocking", false},  {"gatherv/linear", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int p = 1; p <= MOST; p++)
      for (int large = 0; large < 2; large++)
        COUNTS(OF(cases[i].method, p, .root = p / 3, .count = BLOCK, .type_size = large ? 4096 : 1), {SENDS, p - 1},
               {SENT, BLOCK * (p - 1)}, {MEMORY, 0}, {COPIED, BLOCK},
               {DEPTH, cases[i].in_turn && large ? p - 1 : p > 1});
}

/* Block v travels over as many edges as v has bits. */
static uint64_t bits_up_to(int ranks)
{
  uint64_t bits = 0;
  for (int v = 1; v < ranks; v++)
    bits += (uint64_t)__builtin_popcount((unsigned)v);
  return bits;
}

TEST(binomial)
{
  for (int p = 1; p <= MOST; p++)
    for (int root = 0; root < p; root += 1 + p / 4)
      for (int gather = 0; gather < 2; gather++)
        COUNTS(OF(binomials[gather], p, .root = root, .count = BLOCK), {SENDS, p - 1},
               {SENT, BLOCK * (int64_t)bits_up_to(p)}, {DEPTH, floor_log2(p)},
               {MAX | (gather ? RECEIVES : SENDS), ceil_log2(p)});
}

/* At root 0 only inner ranks have temporaries, of their subtree. Another root needs one more, of the one subtree whose
   blocks lie at both of its ends. */
TEST(memory_of_binomial)
{
  static const struct {
    int p, root, blocks;
  } cases[] = {{2, 0, 0}, {8, 0, 4 + 2 + 2}, {8, 1, 4 + 2 + 2 + 4}, {8, 4, 4 + 2 + 2}, {8, 5, 4 + 2 + 2 + 2}};
  for (int gather = 0; gather < 2; gather++) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      COUNTS(OF(binomials[gather], cases[i].p, .root = cases[i].root, .count = BLOCK),
             {MEMORY, BLOCK * cases[i].blocks});
    COUNTS(OF(binomials[gather], 8, .root = 5, .count = BLOCK), {MAX | MEMORY, BLOCK * 4});
  }
}

/* Two elements of four bytes come first. The rank that is called up last sends two parts after the root's green lights
   to, and the first parts of, all the others. */
TEST(linear_sync)
{
#define SEGMENTED(bytes) OF("gather/linear-sync", p, .root = p / 2, .count = 5, .type_size = 4, .segment = bytes)
  for (int p = 2; p <= MOST; p++) {
    COUNTS(SEGMENTED(11), {SENDS, 3 * (p - 1)}, {SENT, 5 * (p - 1)}, {LARGEST, 3}, {DEPTH, 2 * (p - 1) + 1});
    COUNTS(SEGMENTED(20), {SENDS, 2 * (p - 1)});
    COUNTS(SEGMENTED(0), {SENDS, 2 * (p - 1)}, {DEPTH, 2 * (p - 1)});
  }
}
