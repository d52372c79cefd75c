/* Plans of one block of an allreduce: messages are added round by round, as long as all operands can still reach all
   ranks; then it is searched what they carry. */
#include <string.h>

#include "algorithms/analysis/optimum_plans.h"

enum { RANKS = TUTTI_OPTIMUM_RANKS };

/* ---- what messages carry ---- */

static bool has(const struct plan_family *f, int part)
{
  return f->bits[part >> 6] >> (part & 63) & 1;
}

static void add(struct plan_family *f, int part, int all)
{
  const struct plan_family before = *f;
  f->bits[part >> 6] |= UINT64_C(1) << (part & 63);
  for (int other = all & ~part; other > 0; other = (other - 1) & all & ~part)
    if (has(&before, other))
      f->bits[(other | part) >> 6] |= UINT64_C(1) << ((other | part) & 63);
}

static bool receives_later(const struct plan_search *s, uint64_t plan, int round, int rank)
{
  for (int t = round + 1; t < s->rounds; t++)
    for (int r = 0; r < s->ranks; r++)
      if (s->chosen[t].to[r] == rank && plan_sends(s, plan, t, r))
        return true;
  return false;
}

static bool can_carry_from(struct plan_search *s, uint64_t plan, int round);

/* What each message carries: something that its receiver cannot make; what comes last must complete the sum there. */
static bool can_carry(struct plan_search *s, uint64_t plan, int round, int sender)
{
  while (sender < s->ranks && !plan_sends(s, plan, round, sender))
    sender++;
  if (sender == s->ranks)
    return can_carry_from(s, plan, round + 1);
  const int receiver = s->chosen[round].to[sender];
  const struct plan_family *before = s->families[round];
  const bool last = !receives_later(s, plan, round, receiver);
  for (int part = s->all; part > 0; part--)
    if (has(&before[sender], part) && !has(&before[receiver], part) &&
        (!last || part == s->all || has(&before[receiver], s->all & ~part))) {
      s->families[round + 1][receiver] = before[receiver];
      add(&s->families[round + 1][receiver], part, s->all);
      s->parts[round][sender] = (uint8_t)part;
      if (can_carry(s, plan, round, sender + 1))
        return true;
    }
  return false;
}

static bool can_carry_from(struct plan_search *s, uint64_t plan, int round)
{
  if (plan_is_over(s) || round == s->rounds)
    return round == s->rounds;
  memcpy(s->families[round + 1], s->families[round], sizeof s->families[round]);
  return can_carry(s, plan, round, 0);
}

/* ---- plans ---- */

static void consider(struct plan_search *s, uint64_t plan)
{
  int kept = 0;
  for (int i = 0; i < s->plan_count; i++)
    if ((s->plans[i] & plan) == s->plans[i])
      return;
  if (!can_carry_from(s, plan, 0))
    return;
  for (int i = 0; i < s->plan_count; i++)
    if ((s->plans[i] & plan) != plan)
      s->plans[kept++] = s->plans[i];
  s->plan_count = kept;
  if (kept < PLAN_MAX)
    s->plans[s->plan_count++] = plan;
  else
    s->states = s->limit; /* the next one is too many */
}

/* Whose operands each rank can have after a round of these senders. */
static void spread(const struct plan_search *s, int round, unsigned senders, const uint8_t *before, uint8_t *after)
{
  memcpy(after, before, RANKS);
  for (int r = 0; r < s->ranks; r++)
    if (senders >> r & 1)
      after[s->chosen[round].to[r]] |= before[r];
}

static bool can_end(const struct plan_search *s, int round, uint64_t plan, const uint8_t *reached)
{
  uint8_t states[2][RANKS];
  int missing = 0, ended = 0;
  memcpy(states[round & 1], reached, RANKS);
  for (int t = round; t < s->rounds; t++)
    spread(s, t, (unsigned)s->all, states[t & 1], states[~t & 1]);
  for (int r = 0; r < s->ranks; r++) {
    missing += reached[r] != s->all;
    ended += states[s->rounds & 1][r] == s->all;
  }
  return ended == s->ranks && __builtin_popcountll(plan) + missing <= s->longest;
}

static void list_from(struct plan_search *s, int round, uint64_t plan, const uint8_t *reached)
{
  if (plan_is_over(s) || !can_end(s, round, plan, reached))
    return;
  if (round == s->rounds) {
    consider(s, plan);
    return;
  }
  uint8_t after[RANKS];
  unsigned busy = 0;
  for (int r = 0; r < s->ranks; r++)
    busy |= (s->chosen[round].to[r] != r ? 1u : 0u) << r;
  for (unsigned senders = busy, left = 1; left; senders = (senders - 1) & busy) {
    left = senders;
    spread(s, round, senders, reached, after);
    list_from(s, round + 1, plan | (uint64_t)senders << (round * s->ranks), after);
  }
}

void tutti_plans_begin(struct plan_search *s)
{
  for (int r = 0; r < s->ranks; r++)
    add(&s->families[0][r], 1 << r, s->all);
}

bool tutti_plan_carries(struct plan_search *s, uint64_t plan)
{
  return can_carry_from(s, plan, 0);
}

void tutti_plans_list(struct plan_search *s)
{
  uint8_t own[RANKS] = {0};
  for (int r = 0; r < s->ranks; r++)
    own[r] = (uint8_t)(1 << r);
  s->plan_count = 0;
  list_from(s, 0, 0, own);
}
