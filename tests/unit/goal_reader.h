/* A strict reader of GOAL, made from the grammar and the rules of matching of LogGOPSim and from nothing of the writer.
   It knows what the writer promises beyond them too: one message of a tag, numbered from 0 on, posted in that order. */
#ifndef TUTTI_TESTS_GOAL_READER_H
#define TUTTI_TESTS_GOAL_READER_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOAL_LABEL = 16, GOAL_LINE = 160 };

struct goal_operation {
  char label[GOAL_LABEL], kind; /* 's', 'r', 'c' */
  uint64_t size;                /* bytes, or units of time */
  uint32_t peer, tag;
  int rank;
  uint32_t pending; /* dependencies not met yet */
  bool started, done;
};

struct goal_dependency {
  size_t before, after; /* operations */
  bool start;           /* irequires */
};

struct goal_reader {
  struct goal_operation *operations;
  struct goal_dependency *dependencies;
  size_t operation_count, dependency_count, rank_first; /* rank_first: of the rank that is being read */
  size_t operation_room, dependency_room;
  size_t requires_count, sends, calcs;
  uint64_t bytes_sent, longest_calc, calc_units;
  long ranks; /* -1: not known yet */
  int next_rank;
  bool inside;
  size_t line;
  char fault[256]; /* "" if there is none */
};

static inline void goal_fault(struct goal_reader *g, const char *format, ...)
{
  va_list arguments;
  if (*g->fault)
    return;
  int used = snprintf(g->fault, sizeof g->fault, "line %zu: ", g->line);
  va_start(arguments, format);
  vsnprintf(g->fault + used, sizeof g->fault - (size_t)used, format, arguments);
  va_end(arguments);
}

static inline void *goal_room(void *items, size_t count, size_t *room, size_t item)
{
  if (count < *room)
    return items;
  *room = *room ? 2 * *room : 64;
  void *moved = realloc(items, *room * item);
  if (!moved)
    abort();
  return moved;
}

/* ---- statements: read, written again, and compared with what was there ---- */

static inline void goal_add(struct goal_reader *g, const struct goal_operation *operation)
{
  if (!g->inside)
    goal_fault(g, "operation outside of a rank");
  for (size_t i = g->rank_first; i < g->operation_count; i++)
    if (strcmp(g->operations[i].label, operation->label) == 0)
      goal_fault(g, "label %s stands for two operations", operation->label);
  g->operations = goal_room(g->operations, g->operation_count, &g->operation_room, sizeof *operation);
  g->operations[g->operation_count] = *operation;
  g->operations[g->operation_count++].rank = g->next_rank - 1;
}

static inline bool goal_read_message(struct goal_reader *g, const char *line)
{
  struct goal_operation o = {.pending = 0};
  char verb[5], word[5], again[GOAL_LINE];
  if (sscanf(line, "%15[A-Za-z0-9_]: %4s %" SCNu64 "b %4s %" SCNu32 " tag %" SCNu32, o.label, verb, &o.size, word,
             &o.peer, &o.tag) != 6)
    return false;
  bool sends = strcmp(verb, "send") == 0;
  snprintf(again, sizeof again, "%s: %s %" PRIu64 "b %s %" PRIu32 " tag %" PRIu32, o.label, sends ? "send" : "recv",
           o.size, sends ? "to" : "from", o.peer, o.tag);
  if (strcmp(line, again) != 0)
    return false;
  o.kind = sends ? 's' : 'r';
  if (o.size < 1 || o.peer >= (uint32_t)g->ranks || (int)o.peer == g->next_rank - 1 || o.tag == UINT32_MAX)
    goal_fault(g, "'%s' is out of range", line);
  g->sends += sends;
  g->bytes_sent += sends ? o.size : 0;
  goal_add(g, &o);
  return true;
}

static inline bool goal_read_calc(struct goal_reader *g, const char *line)
{
  struct goal_operation o = {.kind = 'c'};
  char again[GOAL_LINE];
  if (sscanf(line, "%15[A-Za-z0-9_]: calc %" SCNu64, o.label, &o.size) != 2)
    return false;
  snprintf(again, sizeof again, "%s: calc %" PRIu64, o.label, o.size);
  if (strcmp(line, again) != 0)
    return false;
  g->calcs++;
  g->calc_units += o.size;
  goal_add(g, &o);
  return true;
}

static inline size_t goal_find(struct goal_reader *g, const char *label)
{
  for (size_t i = g->rank_first; i < g->operation_count; i++)
    if (strcmp(g->operations[i].label, label) == 0)
      return i;
  goal_fault(g, "no operation %s before this line", label);
  return 0;
}

static inline bool goal_read_dependency(struct goal_reader *g, const char *line)
{
  char after[GOAL_LABEL], verb[10], before[GOAL_LABEL], again[GOAL_LINE];
  if (sscanf(line, "%15[A-Za-z0-9_] %9s %15[A-Za-z0-9_]", after, verb, before) != 3)
    return false;
  bool start = strcmp(verb, "irequires") == 0;
  snprintf(again, sizeof again, "%s %s %s", after, start ? "irequires" : "requires", before);
  if (strcmp(line, again) != 0)
    return false;
  struct goal_dependency d = {goal_find(g, before), goal_find(g, after), start};
  if (*g->fault)
    return true;
  g->dependencies = goal_room(g->dependencies, g->dependency_count, &g->dependency_room, sizeof d);
  g->dependencies[g->dependency_count++] = d;
  g->operations[d.after].pending++;
  g->requires_count += !start;
  return true;
}

/* ---- lines ---- */

static inline bool goal_read_frame(struct goal_reader *g, const char *line)
{
  char again[GOAL_LINE];
  if (strcmp(line, "}") == 0) {
    if (!g->inside || g->rank_first == g->operation_count)
      goal_fault(g, "the end of nothing");
    g->inside = false;
    return true;
  }
  snprintf(again, sizeof again, "rank %d {", g->next_rank);
  if (strcmp(line, again) != 0 || g->inside || g->next_rank >= g->ranks)
    return false;
  g->inside = true;
  g->next_rank++;
  g->rank_first = g->operation_count;
  return true;
}

static inline bool goal_read_count(struct goal_reader *g, const char *line)
{
  char again[GOAL_LINE];
  if (g->ranks >= 0 || sscanf(line, "num_ranks %ld", &g->ranks) != 1)
    return false;
  snprintf(again, sizeof again, "num_ranks %ld", g->ranks);
  return g->ranks > 0 && strcmp(line, again) == 0;
}

static inline void goal_read_line(struct goal_reader *g, const char *line)
{
  bool outside = !g->inside && (!*line || strncmp(line, "//", 2) == 0);
  if (!outside && !goal_read_count(g, line) && !goal_read_frame(g, line) && !goal_read_message(g, line) &&
      !goal_read_calc(g, line) && !goal_read_dependency(g, line))
    goal_fault(g, "'%s' is not GOAL", line);
}

static inline void goal_read_text(struct goal_reader *g, const char *text)
{
  char line[GOAL_LINE];
  for (const char *end; *text && !*g->fault; text = end + 1) {
    g->line++;
    end = strchr(text, '\n');
    if (!end || end - text >= GOAL_LINE) {
      goal_fault(g, "does not end");
      return;
    }
    memcpy(line, text, (size_t)(end - text));
    line[end - text] = '\0';
    goal_read_line(g, line);
  }
  if (g->inside || g->next_rank != g->ranks)
    goal_fault(g, "%d of %ld ranks", g->next_rank, g->ranks);
}

/* ---- messages ---- */

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

static inline void goal_free(struct goal_reader *g)
{
  free(g->operations);
  free(g->dependencies);
}

#endif
