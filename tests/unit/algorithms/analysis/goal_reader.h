/* A strict reader of GOAL, made from the grammar of LogGOPSim and from nothing of the writer. */
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
  char fault[256]; /* "": no fault */
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

static inline void goal_free(struct goal_reader *g)
{
  free(g->operations);
  free(g->dependencies);
}

#endif
