/* Which methods gave way to others in a replay, and why. */
#include "cli/replay/replay.h"

struct way {
  struct replay_chosen chosen;
  uint64_t calls; /* of all ranks */
};

struct ways {
  TUTTI_VECTOR(struct way);
};

static bool is_same(const struct replay_chosen *left, const struct replay_chosen *right)
{
  return left->reason == right->reason && tutti_method_compare(&left->wanted, &right->wanted) == 0 &&
         tutti_method_compare(&left->method, &right->method) == 0;
}

static void add(struct ways *ways, const struct replay_chosen *chosen, uint64_t calls)
{
  size_t w = 0;
  while (w < ways->count && !is_same(&ways->items[w].chosen, chosen))
    w++;
  if (w == ways->count)
    tutti_xpush(ways, ((struct way){.chosen = *chosen}));
  ways->items[w].calls += calls;
}

static char *note_of(const struct way *way)
{
  char wanted[TUTTI_METHOD_LENGTH], method[TUTTI_METHOD_LENGTH];
  return tutti_xprintf("%llu call%s of %s ran %s: it %s", (unsigned long long)way->calls, tutti_plural(way->calls),
                       tutti_method_format(&way->chosen.wanted, wanted),
                       tutti_method_format(&way->chosen.method, method), way->chosen.reason);
}

struct notes replay_make_notes(const struct workload *workload, const struct replay_question *question)
{
  struct ways ways = {.count = 0};
  struct notes notes = {.count = 0};
  struct replay_chosen chosen;
  for (size_t s = 0; s < workload->shapes.count; s++) {
    const struct workload_shape *shape = &workload->shapes.items[s];
    if (shape->calls > 0 && shape->communicator != WORKLOAD_UNKNOWN && tutti_replay_choose(question, shape, &chosen) &&
        chosen.reason)
      add(&ways, &chosen, shape->calls);
  }
  for (size_t w = 0; w < ways.count; w++)
    tutti_xpush(&notes, note_of(&ways.items[w]));
  tutti_vector_free(&ways);
  return notes;
}
