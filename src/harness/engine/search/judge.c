#include "harness/engine/search/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "harness/engine/riders/measure.h"
#include "tutti/analysis.h"

tutti_status tutti_search_judge(struct search *search, const tutti_method *method, double messages, double longest,
                                double *seconds)
{
  const struct search_request *request = search->request;
  const double begun = tutti_clock(CLOCK_THREAD_CPUTIME_ID);
  const tutti_measurement point = {.method = *method,
                                   .scheme = TUTTI_SCHEME_WINDOW,
                                   .ranks = request->ranks,
                                   .ranks_per_node = search->machine.ranks_per_node,
                                   .root = request->root,
                                   .count = request->count,
                                   .type_size = request->type_size};
  search->machine.stops_at = isinf(longest) ? 0 : search->start.time + longest;
  const tutti_status status =
      tutti_engine_measure(&search->machine, &point, NULL, &search->start, seconds, search->error);
  search->result->simulating_s += tutti_clock(CLOCK_THREAD_CPUTIME_ID) - begun;
  search->result->simulated++;
  search->work += tutti_search_work(request, messages);
  if (isinf(*seconds))
    *seconds = NAN;
  return status;
}

double tutti_search_work(const struct search_request *request, double messages)
{
  return request->collective == TUTTI_COLL_ALLTOALL ? messages * fmax(1, request->ranks / 4.0) : messages;
}

double tutti_search_least(const struct search_result *result)
{
  const double least = result->best >= 0 ? result->catalogue.items[result->best].seconds : INFINITY;
  return fmin(least, result->seconds);
}

/* ---- the catalogue ---- */

static tutti_call call_of(const struct search_request *request)
{
  return (tutti_call){.size = request->ranks,
                      .root = request->root,
                      .count = request->count,
                      .type_size = request->type_size,
                      .commutative = true};
}

struct crossing {
  const struct search_request *request;
  bool crosses;
};

static tutti_status look_at(void *context, int from, int to, uint64_t elements, tutti_error *error)
{
  struct crossing *crossing = context;
  struct engine_route route;
  (void)elements;
  (void)error;
  crossing->crosses = crossing->crosses || !tutti_fabric_route(crossing->request->machine, crossing->request->broken,
                                                               (uint32_t)from, (uint32_t)to, &route);
  return TUTTI_OK;
}

/* Routes stay as they are, so a method that sends over a broken link does not end. */
static bool crosses_broken(const struct search_request *request, const tutti_method *method)
{
  struct crossing crossing = {request, false};
  const tutti_call call = call_of(request);
  tutti_error reason;
  return request->broken->count > 0 &&
         (tutti_each_message(method, &call, look_at, &crossing, &reason) != TUTTI_OK || crossing.crosses);
}

static void add_method(struct search *search, tutti_method method)
{
  const struct search_request *request = search->request;
  const tutti_call call = call_of(request);
  tutti_error reason;
  struct found_method found = {.method = method, .seconds = NAN};
  if (tutti_method_check(&method, &call, &reason) != TUTTI_OK ||
      tutti_estimate_messages(&method, &call, &found.messages, &reason) != TUTTI_OK)
    search->result->unserved++;
  else if (tutti_method_rounds_apart(&method))
    search->result->apart++;
  else if (crosses_broken(request, &method))
    search->result->unable++;
  else
    tutti_xpush(&search->result->catalogue, found);
}

/* An algorithm, where it takes segments also with 8 KB and 64 KB. */
static void add_forms(struct search *search, const tutti_algorithm *algorithm)
{
  static const uint64_t segments[] = {8 << 10, 64 << 10};
  tutti_method method = tutti_method_default(algorithm);
  tutti_method_tell(&method, &search->request->places, search->request->ranks);
  add_method(search, method);
  for (size_t i = 0; i < 2 && algorithm->parameters & TUTTI_TAKES_SEGMENT; i++)
    if (segments[i] < search->request->count * search->request->type_size) {
      method.parameters.segment_bytes = segments[i];
      add_method(search, method);
    }
}

static int compare_messages(const void *left, const void *right)
{
  const struct found_method *a = left, *b = right;
  if (a->messages != b->messages)
    return a->messages < b->messages ? -1 : 1;
  return tutti_method_compare(&a->method, &b->method);
}

/* Into the fastest times so far, in order; those that are missing are infinite. */
static void keep_time(double *fastest, size_t top, double time)
{
  size_t at = top - 1;
  if (time >= fastest[at])
    return;
  for (; at > 0 && fastest[at - 1] > time; at--)
    fastest[at] = fastest[at - 1];
  fastest[at] = time;
}

tutti_status tutti_search_catalogue(struct search *search, double part)
{
  struct search_result *result = search->result;
  const size_t top = search->request->top > 1 ? (size_t)search->request->top : 1;
  const tutti_algorithm *algorithm;
  tutti_status status = TUTTI_OK;
  double *fastest = tutti_xcalloc(top, sizeof *fastest);
  for (size_t i = 0; i < top; i++)
    fastest[i] = INFINITY;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == search->request->collective)
      add_forms(search, algorithm);
  tutti_vector_sort(&result->catalogue, compare_messages);
  for (size_t i = 0; i < result->catalogue.count && status == TUTTI_OK; i++) {
    struct found_method *found = &result->catalogue.items[i];
    if (search->work + tutti_search_work(search->request, found->messages) > part * search->limit) {
      result->large = result->catalogue.count - i;
      result->catalogue.count = i;
      break;
    }
    search->request->progress("the catalogue", (double)i / (double)result->catalogue.count);
    status = tutti_search_judge(search, &found->method, found->messages, fastest[top - 1], &found->seconds);
    if (isnan(found->seconds))
      continue;
    keep_time(fastest, top, found->seconds);
    if (found->seconds < tutti_search_least(result))
      result->best = (int)i;
  }
  free(fastest);
  return status;
}
