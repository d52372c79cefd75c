/* Right sides of guidelines: exact sizes, measured times, nothing in between. */
#include "decision/guidelines/times.h"

/* ---- ranks ---- */

/* k if n is 2^k and k >= 2; else 0. */
static int power_of(int n)
{
  return n >= 4 && (n & (n - 1)) == 0 ? __builtin_ctz((unsigned)n) : 0;
}

/* The number beside P, and the k of the power of two; 0: there is none. */
static int beside(int ranks, int *k)
{
  const int powers[] = {ranks, ranks + 1, ranks - 1}, others[] = {ranks - 1, ranks + 1, ranks - 1};
  for (int i = 0; i < 3; i++)
    if ((*k = power_of(powers[i])) > 0)
      return others[i];
  return 0;
}

static int ranks_of(const tutti_guideline_term *term, int ranks, int *k)
{
  switch (term->ranks) {
  case TUTTI_RANKS_BUT_ONE:
    return ranks > 2 ? ranks - 1 : 0;
  case TUTTI_RANKS_TWO:
    return ranks > 2 ? 2 : 0;
  case TUTTI_RANKS_NEAREST_POWER:
    return beside(ranks, k);
  default:
    return ranks;
  }
}

/* ---- sizes ---- */

static bool size_of(const tutti_guideline_term *term, const tutti_guideline_time *left, uint64_t *bytes)
{
  uint64_t size = left->rank_bytes, ranks = (uint64_t)left->ranks;
  *bytes = size;
  switch (term->size) {
  case TUTTI_SIZE_TIMES_RANKS:
    return !__builtin_mul_overflow(size, ranks, bytes);
  case TUTTI_SIZE_TIMES_OTHERS:
    return !__builtin_mul_overflow(size, ranks - 1, bytes);
  case TUTTI_SIZE_OVER_RANKS:
    *bytes = size / ranks;
    return size % ranks == 0;
  case TUTTI_SIZE_HALF:
    *bytes = size / 2;
    return size % 2 == 0;
  case TUTTI_SIZE_NONE:
    *bytes = 0;
    return true;
  default:
    return true;
  }
}

/* ---- times ---- */

/* Are the ranks of both spread over nodes in the same way? */
static bool same_nodes(const tutti_guideline_time *left, const tutti_guideline_time *right)
{
  if (left->ranks_per_node == right->ranks_per_node)
    return true;
  bool on_one_node = left->ranks_per_node >= left->ranks && right->ranks_per_node >= right->ranks;
  return left->ranks != right->ranks && on_one_node;
}

/* ---- searching ---- */

static bool searches(const tutti_guideline_term *term)
{
  return term->ranks == TUTTI_RANKS_MORE || term->size == TUTTI_SIZE_LARGER || term->size == TUTTI_SIZE_LEAST;
}

/* Where a search begins: the times of a collective lie in order of ranks and size. */
static const tutti_guideline_time *first_candidate(const tutti_guideline_times *times, const tutti_guideline_term *term,
                                                   tutti_collective collective, const tutti_guideline_time *left)
{
  if (term->ranks == TUTTI_RANKS_MORE)
    return tutti_guideline_times_from(times, collective, left->ranks + 1, 0);
  return tutti_guideline_times_from(times, collective, left->ranks,
                                    term->size == TUTTI_SIZE_LARGER ? left->rank_bytes + 1 : 1);
}

/* The cheapest, but of TUTTI_SIZE_LEAST the first. Times that are not positive are noise. */
static const tutti_guideline_time *search(const tutti_guideline_times *times, const tutti_guideline_term *term,
                                          tutti_collective collective, const tutti_guideline_time *left)
{
  const tutti_guideline_time *end = times->items + times->count, *found = NULL;
  bool more = term->ranks == TUTTI_RANKS_MORE;
  for (const tutti_guideline_time *time = first_candidate(times, term, collective, left);
       time < end && time->collective == collective && (more || time->ranks == left->ranks); time++) {
    if (term->size == TUTTI_SIZE_LEAST)
      return time;
    if (more && (time->rank_bytes != left->rank_bytes || !same_nodes(left, time)))
      continue;
    if (time->seconds > 0 && (!found || time->seconds < found->seconds))
      found = time;
  }
  return found;
}

static enum resolution unresolved(struct right_side *right, tutti_guideline_gap gap)
{
  right->gap = gap;
  return UNRESOLVED;
}

/* The time of a term, and how often it counts. */
static enum resolution resolve(const tutti_guideline_times *times, const tutti_guideline_term *term,
                               const tutti_guideline_time *left, const tutti_guideline_time **found, double *weight,
                               struct right_side *right)
{
  int k = 0, ranks = ranks_of(term, left->ranks, &k);
  uint64_t bytes;
  right->lacking = term->collective == TUTTI_COLL_COUNT ? left->collective : term->collective;
  *weight = term->times * (k > 0 ? 1 + 2.0 / k : 1.0);
  if (ranks == 0 || (term->size == TUTTI_SIZE_HALF && left->rank_bytes == 0))
    return NOTHING_TO_CHECK;
  if (!size_of(term, left, &bytes))
    return unresolved(right, TUTTI_GAP_DIVISIBLE);
  *found = searches(term) ? search(times, term, right->lacking, left)
                          : tutti_guideline_times_find(times, right->lacking, ranks, bytes);
  if (!*found && searches(term) && term->size != TUTTI_SIZE_LEAST)
    return NOTHING_TO_CHECK; /* it is the largest */
  return *found ? RESOLVED : unresolved(right, TUTTI_GAP_MEASURED);
}

enum resolution tutti_guideline_resolve(const tutti_guideline_times *times, const tutti_guideline *guideline,
                                        const tutti_guideline_time *left, struct right_side *right)
{
  enum resolution resolution = RESOLVED;
  *right = (struct right_side){.seconds = 0};
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && guideline->terms[i].times > 0 && resolution == RESOLVED; i++) {
    const tutti_guideline_time *found = NULL;
    double weight;
    resolution = resolve(times, &guideline->terms[i], left, &found, &weight, right);
    if (resolution != RESOLVED)
      return resolution;
    if (!(found->seconds > 0) || !(left->seconds > 0))
      resolution = unresolved(right, TUTTI_GAP_POSITIVE);
    else if (!same_nodes(left, found))
      resolution = unresolved(right, TUTTI_GAP_NODES);
    right->times[i] = *found;
    right->seconds += weight * found->seconds;
  }
  return resolution;
}
