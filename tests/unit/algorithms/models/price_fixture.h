/* Calls to be priced. Elements are bytes. */
#ifndef TUTTI_TESTS_PRICE_FIXTURE_H
#define TUTTI_TESTS_PRICE_FIXTURE_H

#include "unit/algorithms/models/model_fixture.h"

enum { PRICE_MAX_RANKS = 1024 };

/* A call and the layout that reduce_scatter wants. */
struct priced_call {
  tutti_call call;
  uint64_t offsets[PRICE_MAX_RANKS + 1];
};

/* False if the method does not serve the call, or needs more facts: nodes, counts of alltoallv and the like. */
static inline bool priced_call(struct priced_call *p, const tutti_method *method, int ranks, uint64_t bytes)
{
  tutti_collective collective = method->algorithm->collective;
  bool barrier = collective == TUTTI_COLL_BARRIER, irregular = tutti_collective_traits(collective) & TUTTI_IS_IRREGULAR;
  p->call = (tutti_call){.size = ranks, .count = barrier ? 0 : bytes, .type_size = 1, .commutative = true};
  if (collective == TUTTI_COLL_REDUCE_SCATTER) {
    for (int r = 0; r <= ranks; r++)
      p->offsets[r] = (uint64_t)r * bytes;
    p->call.input = (tutti_layout){p->offsets};
  } else if (irregular) {
    return false;
  }
  return tutti_method_check(method, &p->call, NULL) == TUTTI_OK;
}

static inline double fixture_price(const tutti_model *model, const tutti_method *method, const tutti_call *call)
{
  tutti_costs costs = tutti_model_costs(model);
  tutti_price price;
  assert_ok(tutti_price_method(method, call, &costs, NULL, &price, REASON), error);
  tutti_price_free(&price);
  return price.seconds;
}

#endif
