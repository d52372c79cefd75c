#include "harness/engine/search/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"
#include "harness/engine/machine/bounds.h"
#include "harness/engine/search/variants.h"

/* Steps of the improvement in a row that improve nothing, after which it ends: so many that are simulated; of those
   that are only matched more. */
enum { MAX_FAILURES = 64, MATCHED_FAILURES = 8 };

/* A step is simulated where its time by the matching is at most so many times that of the best schedule. */
static const double WORTH_A_RUN = 1.01;

enum tried { TRIED_MATCHED, TRIED_SIMULATED, TRIED_BETTER };

/* Match it, time it where the matching has at most so many seconds, and keep it if it is the fastest of its kind. */
static tutti_status try_variant(struct searching *s, const struct variant *v, double longest, enum tried *tried)
{
  struct search_result *result = s->search->result;
  struct synthesis synthesis;
  double matched, seconds = NAN;
  tutti_status status = TUTTI_OK;
  *tried = TRIED_MATCHED;
  const bool whole = tutti_variant_match(s, v, &synthesis, &matched) && matched <= longest;
  const double messages = (double)(synthesis.combine.moves.count + synthesis.spread.moves.count);
  if (whole && s->search->work + tutti_search_work(s->search->request, messages) <= s->search->limit) {
    const tutti_method method = tutti_synthesis_method(&synthesis);
    status = tutti_search_judge(s->search, &method, messages, result->seconds, &seconds);
    *tried = status == TUTTI_OK && seconds < result->seconds ? TRIED_BETTER : TRIED_SIMULATED;
  } else if (whole)
    s->search->work = s->search->limit; /* others do not fit either */
  if (*tried == TRIED_BETTER) {
    tutti_synthesis_free(&result->synthesis);
    result->synthesis = synthesis;
    result->variant = *v;
    result->seconds = seconds;
    result->matched_s = matched;
  } else
    tutti_synthesis_free(&synthesis);
  return status;
}

static bool is_optimal(const struct search_result *result)
{
  return tutti_search_gap(result, tutti_search_least(result)) <= SEARCH_OPTIMAL;
}

static tutti_status try_variants(struct searching *s, double limit)
{
  tutti_status status = TUTTI_OK;
  enum tried tried;
  for (size_t i = 0; i < s->variants.count && status == TUTTI_OK && (i == 0 || s->search->work < limit); i++) {
    if (i > 0 && is_optimal(s->search->result))
      break;
    s->search->request->progress("schedules", (double)i / (double)s->variants.count);
    status = try_variant(s, &s->variants.items[i].variant, INFINITY, &tried);
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
  for (int failures = 0; failures < MAX_FAILURES * MATCHED_FAILURES && s->search->work < s->search->limit &&
                         status == TUTTI_OK && !is_optimal(result);) {
    struct variant changed = result->variant;
    enum tried tried;
    s->search->request->progress("improvement", s->search->work / s->search->limit);
    change(s, &changed, &random);
    status = try_variant(
        s, &changed, tutti_variants_exchange(s->search->request) ? INFINITY : WORTH_A_RUN * result->matched_s, &tried);
    const bool better = tried == TRIED_BETTER;
    failures = better ? 0 : failures + (tried == TRIED_MATCHED ? 1 : MATCHED_FAILURES);
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

/* Over the links that are left. */
static void find_bound(struct search *search)
{
  const struct search_request *request = search->request;
  struct machine_bounds bounds = {0};
  tutti_error reason;
  if (tutti_machine_bounds_around(request->machine, request->broken->links, request->ranks, request->root, &bounds,
                                  &reason) == TUTTI_OK)
    search->result->bound = tutti_machine_certify(&bounds, request->collective, request->count * request->type_size);
  tutti_machine_bounds_free(&bounds);
}

static tutti_status find_ways(struct searching *s)
{
  const struct search_request *request = s->search->request;
  tutti_status status = tutti_start_check_room(request->machine, (uint32_t)request->ranks, s->search->error);
  if (status == TUTTI_OK && !tutti_ways_find(request->machine, request->broken, request->ranks, &s->ways))
    status = tutti_fail(s->search->error, TUTTI_ERR_ARGUMENT,
                        "%s: of some ranks no block reaches some others over the links that are left, not over one "
                        "other rank either",
                        request->machine->platform);
  return status;
}

static tutti_status make_fabrics(struct searching *s)
{
  const struct search_request *request = s->search->request;
  if (tutti_variants_exchange(request))
    return find_ways(s);
  tutti_status status = TUTTI_OK;
  for (int way = 0; way < 2; way++)
    for (int reach = 0; reach < FABRIC_REACHES && status == TUTTI_OK; reach++)
      if (tutti_variants_need(request, way))
        status = tutti_fabric_make(request->machine, request->broken, request->ranks, (enum fabric_reach)reach,
                                   way == 1, &s->fabrics.ways[way][reach], s->search->error);
  return status;
}

double tutti_search_run_work(const struct search_request *request)
{
  return request->collective == TUTTI_COLL_ALLTOALL
             ? tutti_search_work(request, (double)request->ranks * (request->ranks - 1))
             : 0;
}

/* A third of the work each for the catalogue, for variants and for the improvement, a tenth of it for matching. */
static tutti_status search_all(struct searching *s)
{
  struct search *search = s->search;
  const bool fits = tutti_search_run_work(search->request) <= search->limit;
  tutti_status status =
      fits ? make_fabrics(s)
           : tutti_start_check_room(search->request->machine, (uint32_t)search->request->ranks, search->error);
  if (status == TUTTI_OK) {
    find_bound(search);
    status = tutti_search_catalogue(search, 1.0 / 3);
  }
  if (status != TUTTI_OK || !fits)
    return status;
  status = tutti_variants_list(s);
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
  tutti_ways_free(&s.ways);
  tutti_vector_free(&s.variants);
  tutti_start_free(&search.start);
  return status;
}

void tutti_search_free(struct search_result *result)
{
  tutti_vector_free(&result->catalogue);
  tutti_synthesis_free(&result->synthesis);
}

double tutti_search_gap(const struct search_result *result, double seconds)
{
  return result->bound.seconds > 0 ? 100 * (seconds / result->bound.seconds - 1) : NAN;
}

bool tutti_search_is_better(const struct search_result *result)
{
  return result->seconds < (result->best >= 0 ? result->catalogue.items[result->best].seconds : INFINITY);
}

const char *tutti_search_words(tutti_collective collective, const struct variant *v, char text[SEARCH_WORDS])
{
  if (collective == TUTTI_COLL_ALLTOALL)
    snprintf(text, SEARCH_WORDS, "%s, %s first, %s%.0u in flight",
             v->balanced ? "straight or over one other rank, so that links have even loads" : "straight to each rank",
             v->reach == FABRIC_NEAR ? "the next" : "the farthest", v->outstanding ? "at most " : "all",
             (unsigned)v->outstanding);
  else
    snprintf(text, SEARCH_WORDS, "%u chunk%s%s, up to %u in a message%s, %s hops, %s%s", (unsigned)v->chunks,
             v->chunks == 1 ? "" : "s", v->gathered ? " combined all over" : "", (unsigned)v->batch,
             v->longest ? ", the longest first" : "", v->reach == FABRIC_NEAR ? "near" : "far",
             v->once ? "each chunk once to a node, " : "",
             v->window == 1   ? "one message at a time to a rank"
             : v->window == 2 ? "two messages at a time to a rank"
                              : "messages as soon as they can be sent");
  return text;
}
