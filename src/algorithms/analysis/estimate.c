/* About how many messages a method sends, without the schedules of all ranks, which may be a million. */
#include <math.h>

#include "base/splitmix64.h"
#include "tutti/analysis.h"

/* Building the schedule of one rank may take time in proportion to all ranks: the more these are, the fewer samples. */
enum { MAX_STRATA = 64, MIN_STRATA = 4, RANKS_OF_ALL = 1 << 19, MAX_VERTICES = 1 << 22, MIN_SAMPLES = 2, SPECIALS = 4 };

enum { SENT, RECEIVED, ENDS };

struct estimate {
  const tutti_method *method;
  tutti_call call;
  uint64_t vertices;              /* built so far */
  double special[ENDS];           /* messages of ranks that are looked at in any case */
  double sum[ENDS], square[ENDS]; /* of the others, by samples */
  int specials, samples;
};

static tutti_status count_rank(struct estimate *e, int rank, double own[ENDS], tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule schedule;
  e->call.rank = rank;
  tutti_arena_init(&arena);
  const tutti_status status = tutti_method_schedule(e->method, &e->call, &arena, &schedule, error);
  if (status == TUTTI_OK) {
    const tutti_count count = tutti_count_schedule(&schedule);
    own[SENT] = (double)count.sends;
    own[RECEIVED] = (double)count.receives;
    e->vertices += count.vertices;
  }
  tutti_arena_release(&arena);
  return status;
}

/* The root has the most messages of a linear method; the first rank, the last one, and the one before the root end
   chains. The i-th of those that are different; -1: it is an earlier one. */
static int special(const struct estimate *e, int i)
{
  const int size = e->call.size, ranks[SPECIALS] = {0, e->call.root, (e->call.root + size - 1) % size, size - 1};
  for (int j = 0; j < i; j++)
    if (ranks[j] == ranks[i])
      return -1;
  return ranks[i];
}

static bool is_special(const struct estimate *e, int rank)
{
  bool found = false;
  for (int i = 0; i < SPECIALS; i++)
    found = found || special(e, i) == rank;
  return found;
}

static tutti_status count_specials(struct estimate *e, tutti_error *error)
{
  for (int i = 0; i < SPECIALS; i++) {
    const int rank = special(e, i);
    double own[ENDS];
    if (rank < 0)
      continue;
    const tutti_status status = count_rank(e, rank, own, error);
    if (status != TUTTI_OK)
      return status;
    e->specials++;
    for (int end = 0; end < ENDS; end++)
      e->special[end] += own[end];
  }
  return TUTTI_OK;
}

/* A rank of a stratum, not at a fixed distance from those of others: the leaders of nodes are. */
static int rank_of(const struct estimate *e, int stratum, int strata)
{
  const int64_t first = (int64_t)e->call.size * stratum / strata, end = (int64_t)e->call.size * (stratum + 1) / strata;
  return (int)(first + (int64_t)(tutti_splitmix64((uint64_t)stratum + 1) % (uint64_t)(end - first)));
}

static double variance(const struct estimate *e, int end)
{
  const double mean = e->sum[end] / e->samples;
  return e->square[end] / e->samples - mean * mean;
}

/* Of very many ranks, whose schedules take long to build, a few that are alike are enough. */
static bool is_enough(const struct estimate *e, int strata)
{
  return e->samples >= MIN_SAMPLES &&
         (e->vertices >= MAX_VERTICES ||
          (strata == MIN_STRATA && (variance(e, SENT) == 0 || variance(e, RECEIVED) == 0)));
}

static int strata_of(int size)
{
  const int wanted = RANKS_OF_ALL / size;
  const int strata = wanted > MAX_STRATA ? MAX_STRATA : wanted < MIN_STRATA ? MIN_STRATA : wanted;
  return size < strata ? size : strata;
}

static tutti_status count_samples(struct estimate *e, tutti_error *error)
{
  const int strata = strata_of(e->call.size);
  for (int i = 0; i < strata && !is_enough(e, strata); i++) {
    const int rank = rank_of(e, i, strata);
    double own[ENDS];
    if (is_special(e, rank))
      continue;
    const tutti_status status = count_rank(e, rank, own, error);
    if (status != TUTTI_OK)
      return status;
    e->samples++;
    for (int end = 0; end < ENDS; end++) {
      e->sum[end] += own[end];
      e->square[end] += own[end] * own[end];
    }
  }
  return TUTTI_OK;
}

tutti_status tutti_estimate_messages(const tutti_method *method, const tutti_call *call, double *messages,
                                     tutti_error *error)
{
  struct estimate e = {.method = method, .call = *call};
  tutti_status status = count_specials(&e, error);
  if (status == TUTTI_OK)
    status = count_samples(&e, error);
  if (status != TUTTI_OK)
    return status;
  const int others = call->size - e.specials;
  /* All that is sent is received: the end in which ranks differ less says it better. */
  const int end = e.samples > 0 && variance(&e, RECEIVED) < variance(&e, SENT) ? RECEIVED : SENT;
  *messages = e.special[end] + (e.samples > 0 ? e.sum[end] / e.samples * others : 0);
  return TUTTI_OK;
}
