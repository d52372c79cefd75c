#include "harness/engine/core/waiting.h"

#include <stdlib.h>

#include "base/memory.h"

void tutti_waiting_init(struct waiting *waiting, uint32_t rank_count)
{
  *waiting = (struct waiting){.waiters = tutti_xcalloc(rank_count, sizeof *waiting->waiters)};
}

void tutti_waiting_free(struct waiting *waiting)
{
  free(waiting->waiters);
}

static void answer(struct engine *engine, struct engine_waiter *waiter, const struct engine_request *request)
{
  if (waiter->since == 0)
    return;
  waiter->since = 0;
  waiter->answer = request->place;
  tutti_engine_wake(engine, request->rank);
}

void tutti_waiting_complete_alone(struct waiting *waiting, struct matching *matching, struct engine *engine,
                                  uint32_t request)
{
  struct engine_request *end = &matching->requests.items[request];
  end->done = true;
  waiting->waiters[end->rank].done++;
  answer(engine, &waiting->waiters[end->rank], end);
}

void tutti_waiting_complete(struct waiting *waiting, struct matching *matching, struct engine *engine, uint32_t a,
                            uint32_t b)
{
  struct engine_request *of_a = &matching->requests.items[a], *of_b = &matching->requests.items[b];
  if (of_a->eager || of_b->eager) {
    tutti_waiting_complete_alone(waiting, matching, engine, of_a->eager ? b : a);
    tutti_request_free(matching, of_a->eager ? a : b);
    return;
  }
  struct engine_waiter *at_a = &waiting->waiters[of_a->rank], *at_b = &waiting->waiters[of_b->rank];
  of_a->done = of_b->done = true;
  at_a->done++;
  at_b->done++;
  const bool a_first = at_a->since < at_b->since;
  answer(engine, a_first ? at_a : at_b, a_first ? of_a : of_b);
  answer(engine, a_first ? at_b : at_a, a_first ? of_b : of_a);
}
