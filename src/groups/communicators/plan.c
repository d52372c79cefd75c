#include "groups/communicators/plan.h"

#include <stdlib.h>

#include "base/numbers.h"

/* A rank with what it is sorted by; equal ones by rank. */
struct sorted {
  int64_t by;
  int then, rank;
};

static int compare(const void *left, const void *right)
{
  const struct sorted *a = left, *b = right;
  if (a->by != b->by)
    return THREE_WAY(a->by, b->by);
  return a->then != b->then ? THREE_WAY(a->then, b->then) : THREE_WAY(a->rank, b->rank);
}

static tutti_status no_memory(int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "the root of a split: out of memory for %d processes", size);
}

/* ---- groups ---- */

static int sort_members(const struct plea *pleas, int size, int nobody, struct sorted *sorted)
{
  int count = 0;
  for (int r = 0; r < size; r++)
    if (pleas[r].color != nobody)
      sorted[count++] = (struct sorted){pleas[r].color, pleas[r].key, r};
  qsort(sorted, (size_t)count, sizeof *sorted, compare);
  return count;
}

static void cut_into_groups(struct plan *plan, const struct sorted *sorted)
{
  for (int i = 0; i < plan->count; i++) {
    plan->members[i] = sorted[i].rank;
    if (i == 0 || sorted[i].by != sorted[i - 1].by)
      plan->groups[plan->group_count++] = (struct plan_group){i, 0};
    plan->groups[plan->group_count - 1].size++;
  }
}

/* ---- answers ---- */

static int choose_leader(const struct plea *pleas, const int *members, int size)
{
  int best = members[0];
  for (int i = 1; i < size; i++)
    if (leader_count(pleas[members[i]].led) < leader_count(pleas[best].led))
      best = members[i];
  return best;
}

/* Line up those that share a map. @p sorted has room for the group. */
static void chain(const struct plea *pleas, const int *members, int size, const int *base, struct sorted *sorted,
                  struct answer *answers)
{
  for (int i = 0; i < size; i++)
    sorted[i] = (struct sorted){(int64_t)pleas[members[i]].location, i, members[i]};
  qsort(sorted, (size_t)size, sizeof *sorted, compare);
  int head = sorted[0].rank;
  for (int i = 0; i < size; i++) {
    int rank = sorted[i].rank;
    bool follows = i > 0 && sorted[i].by == sorted[i - 1].by;
    bool leads_on = i + 1 < size && sorted[i].by == sorted[i + 1].by;
    if (!follows)
      head = rank;
    answers[rank].previous = follows ? base[sorted[i - 1].rank] : -1;
    answers[rank].next = leads_on ? base[sorted[i + 1].rank] : -1;
    answers[head].sharers++;
  }
}

static void answer_group(const struct plea *pleas, const int *members, int size, const int *base, struct sorted *sorted,
                         struct answer *answers)
{
  int leader = choose_leader(pleas, members, size), index = leader_free_index(pleas[leader].led);
  for (int i = 0; i < size; i++)
    answers[members[i]] = (struct answer){.status = index < 0 ? TUTTI_ERR_UNSUPPORTED : TUTTI_OK,
                                          .size = size,
                                          .rank = i,
                                          .leader = base[leader],
                                          .index = index,
                                          .previous = -1,
                                          .next = -1};
  if (index >= 0)
    chain(pleas, members, size, base, sorted, answers);
}

tutti_status tutti_plan_make(struct plan *plan, const struct plea *pleas, const int *base, int size, int nobody,
                             struct answer *answers, tutti_error *error)
{
  *plan = (struct plan){.members = malloc((size_t)size * sizeof *plan->members),
                        .groups = malloc((size_t)size * sizeof *plan->groups)};
  struct sorted *sorted = malloc((size_t)size * sizeof *sorted);
  if (!plan->members || !plan->groups || !sorted) {
    free(sorted);
    tutti_plan_free(plan);
    return no_memory(size, error);
  }
  plan->count = sort_members(pleas, size, nobody, sorted);
  cut_into_groups(plan, sorted);
  for (int r = 0; r < size; r++)
    answers[r] = (struct answer){.previous = -1, .next = -1};
  for (int g = 0; g < plan->group_count; g++)
    answer_group(pleas, plan->members + plan->groups[g].first, plan->groups[g].size, base, sorted, answers);
  free(sorted);
  return TUTTI_OK;
}

void tutti_plan_free(struct plan *plan)
{
  free(plan->members);
  free(plan->groups);
  *plan = (struct plan){.members = NULL};
}
