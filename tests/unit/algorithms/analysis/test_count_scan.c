/* Counted messages, reductions and depth of scans against closed forms. P is the number of ranks, n that of segments.
 */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MOST = 130, SEGMENT = 2 /* elements */, LARGE_WINDOW = 1000 };

static const tutti_collective scans[] = {TUTTI_COLL_SCAN, TUTTI_COLL_EXSCAN};

/* `segments` segments, the last of which is one element shorter. */
static tutti_total count_segments(tutti_collective scan, const char *name, int ranks, int segments, int outstanding)
{
  tutti_method method = method_of(scan, name);
  method.parameters.segment_bytes = 4 * SEGMENT;
  method.parameters.outstanding = outstanding;
  return count(&method, (tutti_call){.size = ranks, .count = (uint64_t)(SEGMENT * segments - 1), .type_size = 4});
}

static tutti_total count_message(tutti_collective scan, const char *name, int ranks)
{
  tutti_method method = method_of(scan, name);
  return count(&method, (tutti_call){.size = ranks, .count = SEGMENT});
}

/* A chain of P - 1 messages of everything; segments follow each other as in a pipeline. */
TEST(linear)
{
  for (int i = 0; i < 2; i++)
    for (int ranks = 2; ranks <= 12; ranks++)
      for (int segments = 1; segments <= 20; segments++)
        for (int window = 1; window <= 24; window += 1 + window / 4) {
          tutti_total total = count_segments(scans[i], "linear", ranks, segments, window);
          assert_int_equal(total.sum.sends, (ranks - 1) * segments);
          assert_int_equal(total.depth, ranks - 1 + (segments - 1) / window);
          assert_int_equal(total.sum.elements_reduced, (ranks - 1 - i) * (SEGMENT * segments - 1));
        }
}

/* In step k all ranks from 2^k on receive; for exscan, the first message needs no reduction, and a rank keeps the
   combination with its own contribution only as long as it sends it. */
TEST(binomial)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    int messages = 0, sent_again = 0;
    for (int distance = 1; distance < ranks; distance *= 2) {
      messages += ranks - distance;
      sent_again += ranks > 3 * distance ? ranks - 3 * distance : 0;
    }
    tutti_total scan = count_message(TUTTI_COLL_SCAN, "binomial", ranks);
    tutti_total exscan = count_message(TUTTI_COLL_EXSCAN, "binomial", ranks);
    assert_int_equal(scan.depth, ceil_log2(ranks));
    assert_int_equal(exscan.depth, ceil_log2(ranks));
    assert_int_equal(scan.sum.sends, messages);
    assert_int_equal(exscan.sum.sends, messages);
    assert_int_equal(scan.sum.elements_reduced, SEGMENT * messages);
    assert_int_equal(exscan.sum.elements_reduced, SEGMENT * (messages - (ranks - 1) + sent_again));
  }
}

/* One message up and one down for each rank; but none up from the subtrees with the last rank, which are
   floor(log2(P + 1)), and none down to those with rank 0, which are floor(log2 P) + 1. */
TEST(messages_of_binary)
{
  for (int i = 0; i < 2; i++)
    for (int ranks = 1; ranks <= MOST; ranks++) {
      int messages = 2 * ranks - floor_log2(ranks + 1) - (floor_log2(ranks) + 1);
      assert_int_equal(count_message(scans[i], "binary", ranks).sum.sends, messages);
      assert_int_equal(count_segments(scans[i], "binary", ranks, 5, 2).sum.sends, 5 * messages);
      assert_true(count_message(scans[i], "binary", ranks).maximum.sends <= 3);
      assert_true(count_message(scans[i], "binary", ranks).maximum.receives <= 3);
    }
}

/* From the deepest rank on one side of the root up, and down to the deepest one on the other side. Segments neither
   wait for the way down of those before them nor for each other beyond the window. */
TEST(depth_of_binary)
{
  for (int i = 0; i < 2; i++) {
    for (int ranks = 1; ranks <= MOST; ranks++)
      assert_true(count_message(scans[i], "binary", ranks).depth <= (uint64_t)(2 * floor_log2(ranks)));
    for (int ranks = 3; ranks <= 127; ranks = 2 * ranks + 1)
      for (int segments = 1; segments <= 20; segments += 3) {
        int way = 2 * floor_log2(ranks);
        assert_int_equal(count_segments(scans[i], "binary", ranks, segments, LARGE_WINDOW).depth, way);
        assert_int_equal(count_segments(scans[i], "binary", ranks, segments, 1).depth, way + segments - 1);
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
        tutti_error error;
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
    const char *name;
    uint64_t scan, exscan;
  } most[] = {{"linear", 1, 1}, {"binomial", 1, 2}, {"binary", 2, 3}};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    assert_int_equal(count_message(TUTTI_COLL_SCAN, most[i].name, 64).maximum.temporary_elements,
                     SEGMENT * most[i].scan);
    assert_int_equal(count_message(TUTTI_COLL_EXSCAN, most[i].name, 64).maximum.temporary_elements,
                     SEGMENT * most[i].exscan);
  }
}
