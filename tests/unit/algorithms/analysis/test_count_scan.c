/* Counted messages, reductions and depth of scans against closed forms. P is the number of ranks, n that of segments.
 */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, SEGMENT = 2 /* elements */, LARGE_WINDOW = 1000 };

static const tutti_collective scans[] = {TUTTI_COLL_SCAN, TUTTI_COLL_EXSCAN};
static const char *const linear_scans[] = {"scan/linear", "exscan/linear"};
static const char *const binary_scans[] = {"scan/binary", "exscan/binary"};

#define WHOLE(text) OF(text, p, .count = SEGMENT, .ordered = true)
/* The last of n segments is one element shorter. */
#define SEGMENTED(text, n, window)                                                                                     \
  OF(text, p, .count = (uint64_t)(SEGMENT * (n)-1), .type_size = 4, .segment = 4 * SEGMENT, .outstanding = window,     \
     .ordered = true)

/* A chain of P - 1 messages of everything; segments follow each other as in a pipeline. */
TEST(linear)
{
  for (int i = 0; i < 2; i++)
    for (int p = 2; p <= 12; p++)
      for (int n = 1; n <= 20; n++)
        for (int window = 1; window <= 24; window += 1 + window / 4)
          COUNTS(SEGMENTED(linear_scans[i], n, window), {SENDS, (p - 1) * n}, {DEPTH, p - 1 + (n - 1) / window},
                 {REDUCED, (p - 1 - i) * (SEGMENT * n - 1)});
}

/* In step k all ranks from 2^k on receive; for exscan, the first message needs no reduction, and a rank keeps the
   combination with its own contribution only as long as it sends it. */
TEST(binomial)
{
  for (int p = 1; p <= MOST; p++) {
    int messages = 0, sent_again = 0;
    for (int distance = 1; distance < p; distance *= 2) {
      messages += p - distance;
      sent_again += p > 3 * distance ? p - 3 * distance : 0;
    }
    COUNTS(WHOLE("scan/binomial"), {DEPTH, ceil_log2(p)}, {SENDS, messages}, {REDUCED, SEGMENT * messages});
    COUNTS(WHOLE("exscan/binomial"), {DEPTH, ceil_log2(p)}, {SENDS, messages},
           {REDUCED, SEGMENT * (messages - (p - 1) + sent_again)});
  }
}

/* One message up and one down for each rank; but none up from the subtrees with the last rank, which are
   floor(log2(P + 1)), and none down to those with rank 0, which are floor(log2 P) + 1. */
TEST(messages_of_binary)
{
  for (int i = 0; i < 2; i++)
    for (int p = 1; p <= MOST; p++) {
      const int messages = 2 * p - floor_log2(p + 1) - (floor_log2(p) + 1);
      COUNTS(WHOLE(binary_scans[i]), {SENDS, messages}, {MAX | SENDS | AT_MOST, 3}, {MAX | RECEIVES | AT_MOST, 3});
      COUNTS(SEGMENTED(binary_scans[i], 5, 2), {SENDS, 5 * messages});
    }
}

/* From the deepest rank on one side of the root up, and down to the deepest one on the other side. Segments neither
   wait for the way down of those before them nor for each other beyond the window. */
TEST(depth_of_binary)
{
  for (int i = 0; i < 2; i++) {
    for (int p = 1; p <= MOST; p++)
      COUNTS(WHOLE(binary_scans[i]), {DEPTH | AT_MOST, 2 * floor_log2(p)});
    for (int p = 3; p <= 127; p = 2 * p + 1)
      for (int n = 1; n <= 20; n += 3) {
        COUNTS(SEGMENTED(binary_scans[i], n, LARGE_WINDOW), {DEPTH, 2 * floor_log2(p)});
        COUNTS(SEGMENTED(binary_scans[i], n, 1), {DEPTH, 2 * floor_log2(p) + n - 1});
      }
  }
}

static bool waits_for(const tutti_schedule *s, tutti_vertex_id vertex, tutti_vertex_id prerequisite)
{
  for (uint32_t i = s->successor_first[prerequisite]; i < s->successor_first[prerequisite + 1]; i++)
    if (s->successors[i] == vertex)
      return true;
  return false;
}

/* Every message waits for the one `window` before it in its channel. */
static void assert_windows(const tutti_schedule *s, int window)
{
  for (tutti_vertex_id v = 0; v < s->vertex_count; v++) {
    tutti_vertex_id later = v;
    for (int i = 0; i < window && later != TUTTI_NO_VERTEX; i++)
      later = s->channel_next[later];
    if (later != TUTTI_NO_VERTEX)
      assert_true(waits_for(s, later, v));
  }
}

/* A copy of a segment waits, all but the first; a long message is not copied before the first segment moves. */
static void assert_paced(const tutti_schedule *s, int segments)
{
  int copies = 0, waiting = 0;
  for (tutti_vertex_id v = 0; v < s->vertex_count; v++)
    if (s->vertices[v].kind == TUTTI_COPY) {
      copies++;
      waiting += s->prerequisites[v] > 0;
    }
  assert_true(copies <= 1 || (copies == segments && waiting == segments - 1));
}

TEST(segments_wait_for_their_turn)
{
  enum { SEGMENTS = 9, RANKS = 11 };
  for (int i = 0; i < 4; i++)
    for (int rank = 0; rank < RANKS; rank++)
      for (int window = 1; window <= SEGMENTS; window++) {
        tutti_arena arena;
        tutti_schedule schedule;
        tutti_method method = method_of(scans[i % 2], i < 2 ? "linear" : "binary");
        tutti_call call = {.size = RANKS, .rank = rank, .count = SEGMENTS * SEGMENT, .type_size = 1};
        method.parameters = (tutti_parameters){.segment_bytes = SEGMENT, .outstanding = window};
        tutti_arena_init(&arena);
        assert_int_equal(tutti_method_schedule(&method, &call, &arena, &schedule, &error), TUTTI_OK);
        assert_windows(&schedule, window);
        assert_paced(&schedule, SEGMENTS);
        tutti_arena_release(&arena);
      }
}

/* Whole messages kept beside input and output, by the rank that keeps most. */
TEST(temporaries)
{
  static const struct {
    const char *method;
    int most;
  } cases[] = {{"scan/linear", 1},     {"exscan/linear", 1}, {"scan/binomial", 1},
               {"exscan/binomial", 2}, {"scan/binary", 2},   {"exscan/binary", 3}};
  const int p = 64;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    COUNTS(WHOLE(cases[i].method), {MAX | MEMORY, SEGMENT * cases[i].most});
}
