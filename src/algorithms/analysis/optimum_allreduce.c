/* Optima of an allreduce. Under the round model blocks meet only in the sizes of messages: so for each way to pair
   senders with receivers, round by round, list the plans of one block, and choose one for each. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/optimum_plans.h"

enum { RANKS = TUTTI_OPTIMUM_RANKS, ROUNDS = TUTTI_OPTIMUM_ROUNDS };

/* ---- a plan for each block ---- */

static void record(struct plan_search *s, const uint8_t *loads)
{
  tutti_optimum *o = s->found;
  const uint64_t limit = s->limit;
  s->limit = UINT64_MAX; /* what was found is recorded as a whole */
  *o = (tutti_optimum){.ranks = s->ranks, .blocks = s->blocks, .rounds = s->rounds, .volume = s->best};
  memset(o->from, -1, sizeof o->from);
  for (int b = 0; b < s->blocks; b++) {
    tutti_plan_carries(s, s->used[b]);
    for (int t = 0; t < s->rounds; t++)
      for (int r = 0; r < s->ranks; r++) {
        const int load = loads[t * s->ranks + r], receiver = s->chosen[t].to[r];
        o->sizes[t] = load > o->sizes[t] ? load : o->sizes[t];
        if (!plan_sends(s, s->used[b], t, r))
          continue;
        o->from[t][receiver] = (int8_t)r;
        o->what[t][receiver] |= (uint8_t)(1 << b);
        o->parts[t][receiver][b] = s->parts[t][r];
      }
  }
  s->limit = limit;
}

static int volume_of(const struct plan_search *s, const uint8_t *loads)
{
  int volume = 0;
  for (int t = 0; t < s->rounds; t++) {
    int most = 1;
    for (int r = 0; r < s->ranks; r++)
      most = loads[t * s->ranks + r] > most ? loads[t * s->ranks + r] : most;
    volume += most;
  }
  return volume;
}

static void choose_from(struct plan_search *s, int block, int from, int messages, const uint8_t *loads)
{
  const int volume = volume_of(s, loads);
  if (plan_is_over(s) || volume >= s->best || messages + (s->blocks - block) * s->shortest > s->ranks * (s->best - 1))
    return;
  if (block == s->blocks) {
    s->best = volume;
    record(s, loads);
    return;
  }
  for (int i = from; i < s->plan_count && s->best > s->least; i++) {
    uint8_t more[ROUNDS * RANKS];
    s->used[block] = s->plans[i];
    for (int m = 0; m < s->rounds * s->ranks; m++)
      more[m] = (uint8_t)(loads[m] + (s->plans[i] >> m & 1));
    choose_from(s, block + 1, i, messages + __builtin_popcountll(s->plans[i]), more);
  }
}

static void choose(struct plan_search *s)
{
  const uint8_t loads[ROUNDS * RANKS] = {0};
  s->longest = s->ranks * (s->best - 1) - (s->blocks - 1) * 2 * (s->ranks - 1);
  tutti_plans_list(s);
  s->shortest = s->longest;
  for (int i = 0; i < s->plan_count; i++)
    s->shortest = __builtin_popcountll(s->plans[i]) < s->shortest ? __builtin_popcountll(s->plans[i]) : s->shortest;
  choose_from(s, 0, 0, 0, loads);
}

/* ---- pairs, one of those that differ by names of ranks ---- */

/* All permutations; as pairs those in which two do not both do nothing: they could send to each other. */
static void make(struct plan_search *s, struct plan_pairs *p, int from)
{
  int idle = 0;
  for (int r = 0; r < s->ranks; r++)
    idle += p->to[r] == r;
  if (from == s->ranks) {
    s->names[s->name_count++] = *p;
    if (idle <= 1)
      s->pairs[s->pair_count++] = *p;
  }
  for (int i = from; i < s->ranks; i++) {
    const uint8_t first = p->to[from], other = p->to[i];
    p->to[from] = other, p->to[i] = first;
    make(s, p, from + 1);
    p->to[from] = first, p->to[i] = other;
  }
}

/* How the pairs, by other names, compare with themselves: as memcmp(). */
static int compare(const struct plan_search *s, const struct plan_pairs *p, const struct plan_pairs *name)
{
  struct plan_pairs renamed;
  for (int r = 0; r < s->ranks; r++)
    renamed.to[name->to[r]] = name->to[p->to[r]];
  return memcmp(renamed.to, p->to, (size_t)s->ranks);
}

/* @p names: under which all rounds so far stay as they are */
static void pair_from(struct plan_search *s, int round, const uint8_t *names, int name_count)
{
  uint8_t kept[PLAN_MAX_NAMES];
  if (round == s->rounds)
    choose(s);
  for (int i = 0; round < s->rounds && i < s->pair_count && s->best > s->least && !plan_is_over(s); i++) {
    int count = 0, order = 0;
    for (int n = 0; n < name_count && order >= 0; n++) {
      order = compare(s, &s->pairs[i], &s->names[names[n]]);
      if (order == 0)
        kept[count++] = names[n];
    }
    s->chosen[round] = s->pairs[i];
    if (order >= 0)
      pair_from(s, round + 1, kept, count);
  }
}

/* The fewest rounds, with all blocks in each message: ranks that send to the rank so far behind them in each round. */
static bool shift_from(struct plan_search *s, int round)
{
  const uint64_t whole = (UINT64_C(1) << (s->rounds * s->ranks)) - 1;
  if (round == s->rounds)
    return tutti_plan_carries(s, whole);
  for (int distance = 1; distance < s->ranks; distance++) {
    for (int r = 0; r < s->ranks; r++)
      s->chosen[round].to[r] = (uint8_t)((r + distance) % s->ranks);
    if (shift_from(s, round + 1))
      return true;
  }
  return false;
}

static void begin(struct plan_search *s)
{
  struct plan_pairs own = {{0}};
  for (int r = 0; r < s->ranks; r++)
    own.to[r] = (uint8_t)r;
  tutti_plans_begin(s);
  if (s->ranks <= TUTTI_OPTIMUM_ALLREDUCE_RANKS)
    make(s, &own, 0);
}

/* One block in ceil(log2 P) rounds, as allreduce/census of the catalogue, and so all. */
static bool find_first(struct plan_search *s)
{
  uint8_t loads[ROUNDS * RANKS];
  memset(loads, s->blocks, sizeof loads);
  if (!shift_from(s, 0))
    return false;
  for (int b = 0; b < s->blocks; b++)
    s->used[b] = (UINT64_C(1) << (s->rounds * s->ranks)) - 1;
  record(s, loads);
  return true;
}

/* Each block takes 2 (P - 1) messages (demand.c). In log2 P rounds each rank must double what it has in each. */
static int least_volume(const struct plan_search *s)
{
  const int least = (2 * (s->ranks - 1) * s->blocks + s->ranks - 1) / s->ranks;
  return 1 << s->rounds == s->ranks ? s->blocks * s->rounds : least > s->rounds ? least : s->rounds;
}

tutti_status tutti_allreduce_optima_find(int ranks, int blocks, uint64_t limit, tutti_optima *optima,
                                         tutti_error *error)
{
  struct plan_search *s = calloc(1, sizeof *s);
  uint8_t names[PLAN_MAX_NAMES];
  if (!s)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a search");
  *s = (struct plan_search){.ranks = ranks, .blocks = blocks, .all = (1 << ranks) - 1, .rounds = 1, .limit = limit};
  for (; 1 << s->rounds < ranks; s->rounds++)
    ;
  begin(s);
  for (int n = 0; n < s->name_count; n++)
    names[n] = (uint8_t)n;
  s->best = blocks * s->rounds;
  s->found = &optima->items[0];
  optima->count = find_first(s);
  for (const int few = s->rounds; s->rounds < s->best && s->rounds <= ROUNDS && !plan_is_over(s); s->rounds++) {
    s->found = &optima->items[s->rounds == few ? 0 : optima->count];
    s->least = least_volume(s);
    pair_from(s, 0, names, s->name_count);
    optima->count += s->rounds > few && s->found->rounds == s->rounds;
  }
  optima->states = s->states;
  optima->proven = s->states <= limit && s->rounds >= s->best;
  free(s);
  return TUTTI_OK;
}
