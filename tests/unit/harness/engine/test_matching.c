/* Ends of messages against a list that is searched from its beginning. */
#include "harness/engine/core/matching.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { RANKS = 12, POSTS = 20000 };

struct end {
  struct matching_ends ends;
  uint32_t request;
  bool send, waits;
};

static uint32_t search(struct end *ends, int count, const struct end *own)
{
  for (int i = 0; i < count; i++)
    if (ends[i].waits && ends[i].send != own->send && memcmp(&ends[i].ends, &own->ends, sizeof own->ends) == 0) {
      ends[i].waits = false;
      return ends[i].request;
    }
  return ENGINE_NONE;
}

TEST(test_first_in_first_out)
{
  FREED_BY(tutti_matching_free) struct matching matching;
  FREED_BY(free_memory) struct end *ends = calloc(POSTS, sizeof *ends);
  uint64_t random = 7;
  assert_non_null(ends);
  tutti_matching_init(&matching);
  for (int i = 0; i < POSTS; i++) {
    struct end own = {.ends = {.sender = (uint32_t)random_below(&random, RANKS) << 18,
                               .receiver = (uint32_t)random_below(&random, RANKS),
                               .channel = (uint32_t)random_below(&random, 3) * (MATCHING_CHANNELS / 3)},
                      .send = random_below(&random, 2) == 0};
    own.request = tutti_request_new(&matching, own.send ? own.ends.sender : own.ends.receiver, (uint32_t)i, 0);
    uint32_t mate = search(ends, i, &own);
    own.waits = mate == ENGINE_NONE;
    assert_int_equal(tutti_matching_post(&matching, own.ends, own.request, own.send), mate);
    ends[i] = own;
  }
  uint32_t waiting = 0;
  for (int i = 0; i < POSTS; i++)
    waiting += ends[i].waits;
  assert_true(waiting > 0 && matching.count > 0 && matching.count <= waiting);
}

TEST(test_requests_are_used_again)
{
  FREED_BY(tutti_matching_free) struct matching matching;
  tutti_matching_init(&matching);
  uint32_t first = tutti_request_new(&matching, 1, 2, 3), second = tutti_request_new(&matching, 4, 5, 6);
  assert_int_not_equal(first, second);
  assert_int_equal(matching.requests.items[first].vertex, 2);
  tutti_request_free(&matching, first);
  assert_int_equal(tutti_request_new(&matching, 7, 8, 9), first);
  assert_int_equal(matching.requests.items[first].place, 9);
}
