/* GOAL matched and executed by the rules of LogGOPSim, and by the writer's additional rules: one message of a tag,
   numbered from 0 on, posted in that order. */
#ifndef TUTTI_TESTS_GOAL_MATCH_H
#define TUTTI_TESTS_GOAL_MATCH_H

#include "unit/algorithms/analysis/goal_reader.h"

static inline int goal_end(const struct goal_operation *o, bool sender)
{
  return (o->kind == 's') == sender ? o->rank : (int)o->peer;
}

/* By sender, receiver, tag; sends before receives. */
static inline int goal_compare(const void *left, const void *right)
{
  const struct goal_operation *a = *(struct goal_operation *const *)left, *b = *(struct goal_operation *const *)right;
  if (goal_end(a, true) != goal_end(b, true))
    return goal_end(a, true) < goal_end(b, true) ? -1 : 1;
  if (goal_end(a, false) != goal_end(b, false))
    return goal_end(a, false) < goal_end(b, false) ? -1 : 1;
  if (a->tag != b->tag)
    return a->tag < b->tag ? -1 : 1;
  return (a->kind == 'r') - (b->kind == 'r');
}

static inline void goal_check_pair(struct goal_reader *g, const struct goal_operation *send,
                                   const struct goal_operation *receive, uint32_t tag)
{
  if (send->kind != 's' || receive->kind != 'r' || goal_end(send, true) != goal_end(receive, true) ||
      goal_end(send, false) != goal_end(receive, false) || send->tag != receive->tag)
    goal_fault(g, "%s of rank %d and %s of rank %d are no message", send->label, send->rank, receive->label,
               receive->rank);
  else if (send->size != receive->size)
    goal_fault(g, "%s of rank %d sends %" PRIu64 " bytes, %s of rank %d receives %" PRIu64, send->label, send->rank,
               send->size, receive->label, receive->rank, receive->size);
  else if (send->tag != tag)
    goal_fault(g, "%s of rank %d has tag %u instead of %u", send->label, send->rank, (unsigned)send->tag,
               (unsigned)tag);
}

static inline bool goal_ordered(const struct goal_reader *g, const struct goal_operation *before,
                                const struct goal_operation *after)
{
  for (size_t i = 0; i < g->dependency_count; i++)
    if (&g->operations[g->dependencies[i].before] == before && &g->operations[g->dependencies[i].after] == after)
      return true;
  return false;
}

/* Ends of messages in the order above: partner[] says who belongs together. */
static inline void goal_match(struct goal_reader *g, size_t *partner)
{
  size_t count = 0;
  struct goal_operation **ends = malloc((g->operation_count + 1) * sizeof *ends);
  for (size_t i = 0; i < g->operation_count; i++)
    if (g->operations[i].kind != 'c')
      ends[count++] = &g->operations[i];
  qsort(ends, count, sizeof *ends, goal_compare);
  for (size_t i = 0; i < count && !*g->fault; i += 2) {
    bool first = i == 0 || goal_end(ends[i], true) != goal_end(ends[i - 2], true) ||
                 goal_end(ends[i], false) != goal_end(ends[i - 2], false);
    if (i + 1 == count)
      goal_fault(g, "%s of rank %d has no other end", ends[i]->label, ends[i]->rank);
    else
      goal_check_pair(g, ends[i], ends[i + 1], first ? 0 : ends[i - 2]->tag + 1);
    if (*g->fault)
      break;
    if (!first && (!goal_ordered(g, ends[i - 2], ends[i]) || !goal_ordered(g, ends[i - 1], ends[i + 1])))
      goal_fault(g, "tag %u from rank %d to rank %d may overtake the one before it", (unsigned)ends[i]->tag,
                 goal_end(ends[i], true), goal_end(ends[i], false));
    partner[ends[i] - g->operations] = (size_t)(ends[i + 1] - g->operations);
    partner[ends[i + 1] - g->operations] = (size_t)(ends[i] - g->operations);
  }
  free(ends);
}

/* ---- execution: synchronous messages, so that nothing hinges on a buffer ---- */

static inline void goal_release(struct goal_reader *g, size_t operation, bool start)
{
  for (size_t i = 0; i < g->dependency_count; i++)
    if (g->dependencies[i].before == operation && g->dependencies[i].start == start)
      g->operations[g->dependencies[i].after].pending--;
}

static inline size_t goal_step(struct goal_reader *g, size_t i, const size_t *partner)
{
  struct goal_operation *o = &g->operations[i], *other = &g->operations[partner[i]];
  if (o->started || o->pending > 0)
    return 0;
  o->started = true;
  goal_release(g, i, true);
  if (o->kind != 'c' && !other->started)
    return 0;
  o->done = true;
  goal_release(g, i, false);
  if (o->kind == 'c')
    return 1;
  other->done = true;
  goal_release(g, partner[i], false);
  return 2;
}

static inline void goal_run(struct goal_reader *g, const size_t *partner)
{
  size_t done = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < g->operation_count; i++) {
      bool started = g->operations[i].started;
      done += goal_step(g, i, partner);
      moved |= started != g->operations[i].started;
    }
  }
  for (size_t i = 0; i < g->operation_count && done < g->operation_count; i++)
    if (!g->operations[i].done)
      goal_fault(g, "%s of rank %d never ends", g->operations[i].label, g->operations[i].rank);
}

/* Read, match and execute. Free with goal_free(). */
static inline void goal_read(struct goal_reader *g, const char *text)
{
  *g = (struct goal_reader){.ranks = -1};
  goal_read_text(g, text);
  size_t *partner = calloc(g->operation_count + 1, sizeof *partner);
  if (!partner)
    abort();
  if (!*g->fault)
    goal_match(g, partner);
  if (!*g->fault)
    goal_run(g, partner);
  free(partner);
}

#endif
