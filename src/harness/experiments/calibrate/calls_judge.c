/* The verdicts of simulated calls: the best method of each, and what is too close to it. */
#include <stdlib.h>

#include "base/index.h"
#include "base/memory.h"
#include "decision/maps/map.h"
#include "harness/experiments/calibrate/calls.h"

/* A run of a place. */
struct call {
  const struct simulated *best, *fastest; /* the fastest method that can be the best, NULL without one; that of all */
};

struct calls {
  void *index;
  TUTTI_VECTOR(struct call);
};

static struct call *call_of(struct calls *calls, const struct simulated *each)
{
  char *name = tutti_simulated_place(each, each->run ? each->run : "");
  size_t *number = tutti_index_number(&calls->index, name);
  free(name);
  if (*number == 0) {
    tutti_xpush(calls, ((struct call){.best = NULL}));
    *number = calls->count;
  }
  return &calls->items[*number - 1];
}

static bool is_faster(const struct simulated *each, const struct simulated *best)
{
  return !best || each->point.seconds < best->point.seconds;
}

static void find_best(const struct simulated_points *points, struct calls *calls)
{
  for (const struct simulated *each = points->items; each < points->items + points->count; each++) {
    struct call *call = call_of(calls, each);
    if (is_faster(each, call->fastest))
      call->fastest = each;
    if ((points->rounds_apart || !tutti_method_rounds_apart(&each->point.measured.method)) &&
        is_faster(each, call->best))
      call->best = each;
  }
}

static const char *judge(const struct simulated_points *points, const struct simulated *each,
                         const struct simulated *best)
{
  const bool overlaps = best && each->point.lower <= best->point.upper;
  if (each == best)
    return "best";
  if (best && !overlaps && each->point.seconds > best->point.seconds)
    return "slower";
  if (!points->rounds_apart && tutti_method_rounds_apart(&each->point.measured.method))
    return "rounds apart";
  return overlaps ? "too close to call" : "as fast";
}

void tutti_simulated_judge(struct simulated_points *points)
{
  struct calls calls = {.index = NULL};
  find_best(points, &calls);
  for (size_t i = 0; i < points->count; i++) {
    struct simulated *each = &points->items[i];
    const struct call *call = call_of(&calls, each);
    const struct simulated *best = call->best;
    each->verdict = judge(points, each, best);
    if (each == best || each != call->fastest || (best && time_not_slower(best->point.seconds, each->point.seconds)))
      continue;
    if (points->faster_count++ == 0)
      points->faster_apart = &each->point.measured.method;
  }
  tutti_index_free(&calls.index);
  tutti_vector_free(&calls);
}
