#include "harness/engine/search/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"
#include "harness/engine/search/variants.h"

/* Steps of the improvement in a row that improve nothing, after which it ends. */
enum { MAX_FAILURES = 64 };

/* Match it, time it, and keep it if it is the fastest of its kind. *better: it is. */
static tutti_status try_variant(struct searching *s, const struct variant *v, bool *better)
{
  struct search_result *result = s->search->result;
  struct synthesis synthesis;
  double matched, seconds = NAN;
  tutti_status status = TUTTI_OK;
  *better = false;
  const bool whole = tutti_variant_match(s, v, &synthesis, &matched);
  const double messages = (double)(synthesis.combine.moves.count + synthesis.spread.moves.count);
  if (whole && s->search->work + tutti_search_work(s->search->request, messages) <= s->search->limit) {
    const tutti_method method = tutti_synthesis_method(&synthesis);
    status = tutti_search_judge(s->search, &method, messages, result->seconds, &seconds);
    *better = status == TUTTI_OK && seconds < result->seconds;
  } else if (whole)
    s->search->work = s->search->limit; /* others do not fit either */
  if (*better) {
    tutti_synthesis_free(&result->synthesis);
    result->synthesis = synthesis;
    result->variant = *v;
    result->seconds = seconds;
  } else
    tutti_synthesis_free(&synthesis);
  return status;
}

static tutti_status try_variants(struct searching *s, double limit)
{
  tutti_status status = TUTTI_OK;
  bool better;
  for (size_t i = 0; i < s->variants.count && status == TUTTI_OK && (i == 0 || s->search->work < limit); i++) {
    s->search->request->progress("schedules", (double)i / (double)s->variants.count);
    status = try_variant(s, &s->variants.items[i].variant, &better);
  }
  return status;
}

/* ---- improvement ---- */

/* Another order of ties, or some hops that come earlier or later. */
static void change(struct searching *s, struct variant *v, uint64_t *random)
{
  const double scale = s->search->result->seconds / (double)s->search->request->ranks;
  if (tutti_variants_exchange(s->search->request) || tutti_splitmix64_next(random) % 2 == 0) {
    v->seed = tutti_splitmix64_next(random);
    return;
  }
  for (int way = 0; way < 2; way++) {
    const size_t hops = s->fabrics.ways[way][v->reach].count;
    for (size_t n = 0; tutti_variants_need(s->search->request, way) && n < 1 + hops / 32; n++) {
      const size_t hop = tutti_splitmix64_next(random) % hops;
      s->delays[way][hop] = (float)(scale * (double)(tutti_splitmix64_next(random) % 1024) / 1024);
    }
  }
}

static tutti_status improve(struct searching *s)
{
  struct search_result *result = s->search->result;
  uint64_t random = s->search->request->seed + 1;
  tutti_status status = TUTTI_OK;
  float *kept[2];
  const int reach = result->variant.reach;
  for (int way = 0; way < 2; way++) {
    s->delays[way] = tutti_xcalloc(s->fabrics.ways[way][reach].count + 1, sizeof *s->delays[way]);
    kept[way] = tutti_xcalloc(s->fabrics.ways[way][reach].count + 1, sizeof *kept[way]);
  }
  for (int failures = 0; failures < MAX_FAILURES && s->search->work < s->search->limit && status == TUTTI_OK;) {
    struct variant changed = result->variant;
    bool better;
    s->search->request->progress("improvement", s->search->work / s->search->limit);
    change(s, &changed, &random);
    status = try_variant(s, &changed, &better);
    failures = better ? 0 : failures + 1;
    result->improved += better;
    for (int way = 0; way < 2; way++)
      for (size_t h = 0; h < s->fabrics.ways[way][reach].count; h++)
        *(better ? &kept[way][h] : &s->delays[way][h]) = better ? s->delays[way][h] : kept[way][h];
  }
  for (int way = 0; way < 2; way++) {
    free(s->delays[way]);
    free(kept[way]);
  }
  return status;
}

/* ---- the whole ---- */

static tutti_status make_fabrics(struct searching *s)
{
  const struct search_request *request = s->search->request;
  tutti_status status = TUTTI_OK;
  for (int way = 0; way < 2; way++)
    for (int reach = 0; reach < FABRIC_REACHES && status == TUTTI_OK; reach++)
      if (tutti_variants_need(request, way) && !tutti_variants_exchange(request))
        status = tutti_fabric_make(request->machine, request->broken, request->ranks, (enum fabric_reach)reach,
                                   way == 1, &s->fabrics.ways[way][reach], s->search->error);
  return status;
}

/* A third of the work each for the catalogue, for variants and for the improvement, a tenth of it for matching. */
static tutti_status search_all(struct searching *s)
{
  struct search *search = s->search;
  tutti_status status = make_fabrics(s);
  if (status == TUTTI_OK)
    status = tutti_variants_list(s);
  if (status == TUTTI_OK)
    status = tutti_search_catalogue(search, 1.0 / 3);
  if (status == TUTTI_OK)
    tutti_variants_match(s, search->work + search->limit / 10);
  if (status == TUTTI_OK)
    status = try_variants(s, search->work + search->limit / 3);
  if (status == TUTTI_OK && search->result->synthesis.ranks > 0)
    status = improve(s);
  return status;
}

bool tutti_search_knows(tutti_collective collective)
{
  return collective == TUTTI_COLL_ALLGATHER || collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK ||
         collective == TUTTI_COLL_ALLREDUCE || collective == TUTTI_COLL_BCAST || collective == TUTTI_COLL_REDUCE ||
         collective == TUTTI_COLL_ALLTOALL;
}

tutti_status tutti_search(const struct search_request *request, struct search_result *result, tutti_error *error)
{
  struct search search = {.request = request,
                          .result = result,
                          .machine = *request->machine,
                          .limit = request->budget * SEARCH_RATE,
                          .error = error};
  struct searching s = {.search = &search};
  *result = (struct search_result){.best = -1, .seconds = INFINITY};
  if (!tutti_search_knows(request->collective))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "no schedules are searched for %s: for allgather, reduce_scatter_block, allreduce, bcast, "
                      "reduce and alltoall they are",
                      tutti_collective_name(request->collective));
  if (request->ranks < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a schedule needs two ranks at least");
  const tutti_status status = search_all(&s);
  for (int way = 0; way < 2; way++)
    for (int reach = 0; reach < FABRIC_REACHES; reach++)
      tutti_fabric_free(&s.fabrics.ways[way][reach]);
  tutti_vector_free(&s.variants);
  tutti_start_free(&search.start);
  return status;
}

void tutti_search_free(struct search_result *result)
{
  tutti_vector_free(&result->catalogue);
  tutti_synthesis_free(&result->synthesis);
}

bool tutti_search_is_better(const struct search_result *result)
{
  return result->seconds < (result->best >= 0 ? result->catalogue.items[result->best].seconds : INFINITY);
}

const char *tutti_search_words(tutti_collective collective, const struct variant *v, char text[SEARCH_WORDS])
{
  if (collective == TUTTI_COLL_ALLTOALL)
    snprintf(text, SEARCH_WORDS, "straight to each rank, %s first, %s%.0u in flight",
             v->reach == FABRIC_NEAR ? "the next" : "the farthest", v->outstanding ? "at most " : "all",
             (unsigned)v->outstanding);
  else
    snprintf(text, SEARCH_WORDS, "%u chunk%s, up to %u in a message, %s hops, %s%s", (unsigned)v->chunks,
             v->chunks == 1 ? "" : "s", (unsigned)v->batch, v->reach == FABRIC_NEAR ? "near" : "far",
             v->once ? "each chunk once to a node, " : "",
             v->window == 1   ? "one message at a time to a rank"
             : v->window == 2 ? "two messages at a time to a rank"
                              : "messages as soon as they can be sent");
  return text;
}
