/* What the calls of a program take, each kind alone on a machine, by the method that ran and by the best one. */
#include <math.h>

#include "cli/forecast/forecast.h"
#include "tutti/analysis.h"

/* ---- one method ---- */

/* What all ranks of the call are busy with takes no longer than a few seconds. */
static bool is_small(const struct forecast *forecast, const tutti_method *method, int ranks, uint64_t bytes)
{
  double messages;
  const tutti_call call = {.size = ranks, .count = bytes, .type_size = 1, .commutative = true};
  return forecast->options->most_messages == 0 ||
         (tutti_estimate_messages(method, &call, &messages, NULL) == TUTTI_OK &&
          messages <= (double)forecast->options->most_messages);
}

/* Seconds of one call of a method of ours; NaN: it is outside its domain there, or has too many messages. */
static double price(struct forecast *forecast, struct forecast_machine *machine, tutti_method method, int ranks,
                    uint64_t bytes)
{
  double seconds;
  const tutti_call call = {
      .size = ranks, .count = bytes, .type_size = 1, .commutative = true, .parameters = method.parameters};
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  tutti_method_tell(&method, &machine->places, ranks);
  const tutti_measurement point = {.method = method,
                                   .scheme = TUTTI_SCHEME_WINDOW,
                                   .ranks = ranks,
                                   .ranks_per_node = machine->machine.ranks_per_node,
                                   .count = bytes,
                                   .type_size = 1,
                                   .rank_bytes = bytes};
  if (tutti_method_check(&method, &call, NULL) != TUTTI_OK || !is_small(forecast, &method, ranks, bytes))
    return NAN;
  if (machine->started != (uint32_t)ranks)
    tutti_start_free(&machine->start);
  if (machine->started != (uint32_t)ranks)
    machine->start = (struct engine_start){.order = NULL};
  machine->started = (uint32_t)ranks;
  return tutti_engine_measure(&machine->machine, &point, NULL, &machine->start, &seconds, NULL) == TUTTI_OK ? seconds
                                                                                                            : NAN;
}

/* ---- what runs ---- */

/* The method of ours that ran, or the same algorithm as the library's; false: not known. */
static bool find_ran(const struct forecast *forecast, const struct profile_calls *calls, int ranks,
                     tutti_method *method)
{
  const tutti_decision *rules = &forecast->decisions.untuned[calls->collective];
  const tutti_question question = {calls->collective, ranks, 0, calls->size};
  if (strcmp(calls->method, "native") != 0 && tutti_method_parse(calls->method, method, NULL) != TUTTI_OK)
    return false;
  if (strcmp(calls->method, "native") == 0 && !(rules->decide && rules->decide(rules, &question, method)))
    return false;
  *method = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  const tutti_call call = {.size = ranks, .count = calls->size, .type_size = 1, .commutative = true};
  *method = tutti_method_serving(method, &call);
  return !tutti_method_is_library(method);
}

/* The time of what runs; it is noted where that has too many messages. */
static double price_ran(struct forecast *forecast, struct forecast_machine *machine, const tutti_method *method,
                        int ranks, uint64_t bytes)
{
  forecast->too_many = forecast->too_many || !is_small(forecast, method, ranks, bytes);
  return price(forecast, machine, *method, ranks, bytes);
}

double forecast_time(struct forecast *forecast, struct forecast_machine *machine, const struct profile_calls *calls,
                     int ranks)
{
  tutti_method method;
  return find_ran(forecast, calls, ranks, &method) ? price_ran(forecast, machine, &method, ranks, calls->size) : NAN;
}

/* ---- the best ---- */

static void find_best(struct forecast *forecast, struct forecast_machine *machine, struct profile_calls *calls)
{
  calls->best = calls->untuned;
  calls->best_s = calls->untuned_s;
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    if (method.algorithm->collective != calls->collective ||
        (tutti_method_rounds_apart(&method) && !forecast->options->setting.rounds_apart))
      continue;
    const double seconds = price(forecast, machine, method, calls->ranks, calls->size);
    if (seconds < calls->best_s) {
      calls->best = method;
      tutti_method_tell(&calls->best, &machine->places, calls->ranks);
      calls->best_s = seconds;
    }
  }
}

static void price_calls(struct forecast *forecast, struct forecast_machine *machine, struct profile_calls *calls,
                        bool best)
{
  calls->known = tutti_calls_can_be_judged(calls) && find_ran(forecast, calls, calls->ranks, &calls->untuned);
  if (!calls->known)
    return;
  calls->untuned_s = price_ran(forecast, machine, &calls->untuned, calls->ranks, calls->size);
  calls->known = calls->untuned_s > 0;
  if (!calls->known || !best)
    return;
  find_best(forecast, machine, calls);
  calls->gain = (double)calls->calls * (calls->untuned_s - calls->best_s);
}

void forecast_price(struct forecast *forecast, struct forecast_machine *machine, struct program_profile *calls,
                    bool best)
{
  enum { MOST_KINDS = 64 };
  size_t priced = 0;
  for (size_t i = 0; i < calls->items.count; i++) {
    patience_at("price the calls of the program", (double)i / (double)calls->items.count);
    if (priced == MOST_KINDS || !tutti_calls_can_be_judged(&calls->items.items[i]))
      continue;
    price_calls(forecast, machine, &calls->items.items[i], best);
    priced++;
  }
  patience_at(NULL, 1);
}

/* ---- the calls of a trace ---- */

static struct profile_calls *find_calls(struct program_profile *calls, const struct profile_calls *like)
{
  for (size_t i = 0; i < calls->items.count; i++) {
    struct profile_calls *each = &calls->items.items[i];
    if (each->collective == like->collective && each->ranks == like->ranks && each->size == like->size &&
        strcmp(each->method, like->method) == 0)
      return each;
  }
  tutti_xpush(&calls->items, *like);
  return &calls->items.items[calls->items.count - 1];
}

static double weight(const struct profile_calls *calls)
{
  enum { LATENCY_BYTES = 4096 };
  return (double)calls->calls * ((double)calls->size + LATENCY_BYTES);
}

/* What most of the time is likely to be spent in first. */
static int by_weight(const void *left, const void *right)
{
  const double a = weight(left), b = weight(right);
  return (a < b) - (a > b);
}

void forecast_collect(const struct workload *workload, struct program_profile *calls)
{
  *calls = (struct program_profile){.ranks = (int)workload->rank_count};
  for (size_t s = 0; s < workload->shapes.count; s++) {
    const struct workload_shape *shape = &workload->shapes.items[s];
    char name[TUTTI_METHOD_LENGTH];
    if (shape->calls == 0 || shape->communicator == WORKLOAD_UNKNOWN)
      continue;
    struct profile_calls like = {.collective = shape->collective,
                                 .ranks = (int)workload->communicators.items[shape->communicator].size,
                                 .size = shape->bytes};
    snprintf(like.method, sizeof like.method, "%s",
             tutti_method_is_library(&shape->method) ? "native" : tutti_method_format(&shape->method, name));
    find_calls(calls, &like)->calls += shape->calls;
  }
  tutti_vector_sort(&calls->items, by_weight);
}
