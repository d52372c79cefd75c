/* Ends of messages against a list that is searched from its beginning, for small sends first. */
#include "harness/engine/core/matching.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { RANKS = 12, POSTS = 20000 };

struct end {
  struct matching_ends ends;
  uint32_t request;
  enum matching_end kind;
  bool waits;
};

static uint32_t search(struct end *ends, int count, const struct end *own)
{
  struct end *found = NULL;
  for (int i = 0; i < count; i++)
    if (ends[i].waits && (ends[i].kind == MATCHING_RECEIVE) != (own->kind == MATCHING_RECEIVE) &&
        (!found || ends[i].kind > found->kind) && memcmp(&ends[i].ends, &own->ends, sizeof own->ends) == 0)
      found = &ends[i];
  if (found)
    found->waits = false;
  return found ? found->request : ENGINE_NONE;
}

TEST(test_first_in_first_out)
{
  FREED_BY(tutti_matching_free) struct matching matching;
  FREED_BY(free_memory) struct end *ends = calloc(POSTS, sizeof *ends);
  static const enum matching_end kinds[] = {MATCHING_RECEIVE, MATCHING_RECEIVE, MATCHING_SEND, MATCHING_SMALL_SEND};
  uint64_t random = 7;
  assert_non_null(ends);
  tutti_matching_init(&matching);
  for (int i = 0; i < POSTS; i++) {
    struct end own = {.ends = {.sender = (uint32_t)random_below(&random, RANKS) << 18,
                               .receiver = (uint32_t)random_below(&random, RANKS),
                               .channel = (uint32_t)random_below(&random, 3) * (MATCHING_CHANNELS / 3)},
                      .kind = kinds[random_below(&random, 4)]};
    own.request = tutti_request_new(&matching, own.ends.receiver, (uint32_t)i, 0);
    uint32_t mate = search(ends, i, &own);
    own.waits = mate == ENGINE_NONE;
    assert_int_equal(tutti_matching_post(&matching, own.ends, own.request, own.kind), mate);
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
