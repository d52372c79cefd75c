/* Calls in the lines of liballprof that make communicators. All files are read for these first, so that
   their members are known when the other calls are read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

/* Arguments: the last one is the communicator that is made, of some the one before that. */
struct maker {
  const char *name;
  enum creation_kind kind;
  int after; /* arguments after the new communicator */
};

static const struct maker makers[] = {
    {"MPI_Comm_dup", CREATION_COPY, 0},
    {"MPI_Comm_dup_with_info", CREATION_COPY, 0},
    {"MPI_Comm_idup", CREATION_COPY, 1},
    {"MPI_Comm_split", CREATION_SPLIT, 0},
    {"MPI_Comm_create", CREATION_GROUP, 0},
    {"MPI_Cart_create", CREATION_GRID, 0},
    {"MPI_Cart_sub", CREATION_GRID_PART, 0},
    {"MPI_Comm_split_type", CREATION_UNKNOWN, 0},
    {"MPI_Comm_create_group", CREATION_UNKNOWN, 0},
    {"MPI_Graph_create", CREATION_UNKNOWN, 0},
    {"MPI_Dist_graph_create", CREATION_UNKNOWN, 0},
    {"MPI_Dist_graph_create_adjacent", CREATION_UNKNOWN, 0},
    {"MPI_Intercomm_create", CREATION_UNKNOWN, 0},
    {"MPI_Intercomm_merge", CREATION_UNKNOWN, 0},
};

bool tutti_lines_makes(const char *name)
{
  return strncmp(name, "MPI_Comm_", 9) == 0 || strncmp(name, "MPI_Group_", 10) == 0 ||
         strncmp(name, "MPI_Cart_", 9) == 0 || strncmp(name, "MPI_Intercomm_", 14) == 0 ||
         strncmp(name, "MPI_Graph_", 10) == 0 || strncmp(name, "MPI_Dist_graph_", 15) == 0;
}

static bool is(const struct trace_lines *trace, const char *name)
{
  return strcmp(trace->fields[0], name) == 0;
}

/* ---- communicators ---- */

uint32_t tutti_lines_own_number(const struct trace_lines *trace, int at)
{
  uint64_t handle, rank, size;
  if (!tutti_lines_part(trace, at, 0, UINT64_MAX, &handle))
    return WORKLOAD_UNKNOWN;
  const uint32_t *number = tutti_pair_find(&trace->handles, handle, 0);
  if (number)
    return *number;
  const bool told =
      tutti_lines_part(trace, at, 1, UINT32_MAX, &rank) && tutti_lines_part(trace, at, 2, UINT32_MAX, &size);
  return !told || (rank == trace->rank && size == trace->workload->rank_count) ? 0 : WORKLOAD_UNKNOWN;
}

/* Dimensions, and which remain, where the line has them; the ranks keep their order, unless they may not. */
static void read_grid(struct trace_lines *trace, struct creation *creation)
{
  uint64_t count = 0, flag, rank, size, own;
  const bool lists = trace->count == 3 + 8;
  if (!tutti_parse_integer(tutti_lines_field(trace, 1), 0, 64, &count) || (!lists && trace->count != 3 + 6) ||
      !tutti_parse_integer(tutti_lines_field(trace, lists ? 6 : 4), 0, 1, &flag))
    creation->kind = CREATION_UNKNOWN;
  else if (flag && !(tutti_lines_part(trace, lists ? 7 : 5, 1, UINT32_MAX, &rank) &&
                     tutti_lines_part(trace, lists ? 7 : 5, 2, UINT32_MAX, &size) && size > 0 &&
                     tutti_lines_part(trace, 0, 1, UINT32_MAX, &own) && rank == own))
    creation->kind = CREATION_UNKNOWN;
  else if (lists && !tutti_lines_list(trace, 3, count, &creation->list))
    creation->list.count = 0;
}

static bool parse_signed(const char *text, int64_t *value)
{
  uint64_t number;
  const bool negative = *text == '-', known = tutti_parse_integer(text + negative, 0, INT32_MAX, &number);
  *value = negative ? -(int64_t)number : (int64_t)number;
  return known;
}

/* MPI_UNDEFINED is a number below 0, or a word. */
static void read_split(struct trace_lines *trace, struct creation *creation)
{
  if (!parse_signed(tutti_lines_field(trace, 1), &creation->color))
    creation->color = -1;
  if (!parse_signed(tutti_lines_field(trace, 2), &creation->key))
    creation->kind = CREATION_UNKNOWN;
}

static void read_part(struct trace_lines *trace, struct creation *creation)
{
  const char *list = tutti_lines_field(trace, 2);
  uint64_t count = 1;
  for (; *list; list++)
    count += *list == ',';
  if (trace->count != 3 + 4 || !tutti_lines_list(trace, 2, count, &creation->list))
    creation->kind = CREATION_UNKNOWN;
}

static void define(struct trace_lines *trace, const struct maker *maker)
{
  struct creation creation = {.kind = maker->kind,
                              .name = maker->name,
                              .line = (uint64_t)trace->lines.number,
                              .parent = tutti_lines_own_number(trace, 0),
                              .communicator = WORKLOAD_UNKNOWN};
  const struct line_group *group = maker->kind == CREATION_GROUP ? tutti_lines_group(trace, 1) : NULL;
  if (maker->kind == CREATION_SPLIT)
    read_split(trace, &creation);
  else if (maker->kind == CREATION_GRID)
    read_grid(trace, &creation);
  else if (maker->kind == CREATION_GRID_PART)
    read_part(trace, &creation);
  else if (group) {
    creation.base = group->base;
    creation.list = group->list;
  } else if (maker->kind == CREATION_GROUP)
    creation.kind = CREATION_UNKNOWN;
  else if (is(trace, "MPI_Comm_create_group")) /* not all ranks of its parent call it */
    creation.parent = WORKLOAD_UNKNOWN;
  tutti_xpush(&trace->groups.ranks[trace->rank], creation);
}

/* The creation of the current line, from 1 on; 0: it was not read as one. */
static uint32_t made_here(struct trace_lines *trace)
{
  const struct creations *creations = &trace->groups.ranks[trace->rank];
  if (trace->defining)
    return (uint32_t)creations->count;
  while (trace->made < creations->count && creations->items[trace->made].line < (uint64_t)trace->lines.number)
    trace->made++;
  return trace->made < creations->count && creations->items[trace->made].line == (uint64_t)trace->lines.number
             ? (uint32_t)trace->made + 1
             : 0;
}

void tutti_lines_read_maker(struct trace_lines *trace)
{
  const struct maker *maker = NULL;
  uint64_t handle;
  for (size_t m = 0; m < sizeof makers / sizeof *makers && !maker; m++)
    maker = is(trace, makers[m].name) ? &makers[m] : NULL;
  if (!maker) {
    if (trace->defining)
      tutti_lines_read_group(trace);
    return;
  }
  if (trace->defining)
    define(trace, maker);
  const uint32_t own = made_here(trace);
  if (tutti_lines_part(trace, trace->count - 4 - maker->after, 0, UINT64_MAX, &handle))
    *tutti_pair_number(&trace->handles, handle, 0) = own > 0 ? own : WORKLOAD_UNKNOWN;
}

/* ---- calls on communicators ---- */

/* MPI_COMM_SELF, or another one of this rank alone. */
static struct line_place self(struct trace_lines *trace)
{
  uint32_t *number = tutti_pair_number(&trace->handles, 0, 2);
  if (*number == 0) {
    struct workload_communicator alone = {.size = 1, .members = tutti_xcalloc(1, sizeof *alone.members)};
    *alone.members = trace->rank;
    *number = (uint32_t)trace->workload->communicators.count;
    tutti_xpush(&trace->workload->communicators, alone);
  }
  return (struct line_place){.communicator = *number, .size = 1, .key = *number};
}

static void pass_unknown(struct trace_lines *trace, const struct creation *creation, uint64_t rank, uint64_t size)
{
  static const char why[] = "a call on a communicator without all ranks in their order, whose members are not known";
  if (creation)
    tutti_lines_pass(trace, why, "%.40s: it is of %s", trace->fields[0], creation->name);
  else if (size > 0)
    tutti_lines_pass(trace, why, "%.40s: of %llu ranks, this one %llu", trace->fields[0], (unsigned long long)size,
                     (unsigned long long)rank);
  else
    tutti_lines_pass(trace, why, "%.40s", trace->fields[0]);
}

bool tutti_lines_communicator(struct trace_lines *trace, int at)
{
  uint64_t handle, rank = trace->rank, size = trace->workload->rank_count;
  if (!tutti_lines_part(trace, at, 0, UINT64_MAX, &handle)) {
    tutti_lines_pass(trace, "a communicator is expected as NUMBER,RANK,SIZE", "%.40s", trace->fields[0]);
    return false;
  }
  const bool told = tutti_lines_part(trace, at, 1, UINT32_MAX, &rank) &&
                    tutti_lines_part(trace, at, 2, UINT32_MAX, &size) && size > 0;
  const uint32_t *own = tutti_pair_find(&trace->handles, handle, 0);
  const struct creation *creation =
      own && *own != WORKLOAD_UNKNOWN ? &trace->groups.ranks[trace->rank].items[*own - 1] : NULL;
  if (creation && creation->communicator != WORKLOAD_UNKNOWN) {
    const uint32_t members = trace->workload->communicators.items[creation->communicator].size;
    trace->place = (struct line_place){creation->communicator, creation->rank, members, creation->communicator};
    if (!told || (rank == creation->rank && size == members))
      return true;
    tutti_lines_pass(trace, "a communicator of another rank or size than its definition gives it",
                     "%.40s: rank %llu of %llu", trace->fields[0], (unsigned long long)rank, (unsigned long long)size);
    return false;
  }
  if (size == trace->workload->rank_count && rank == trace->rank)
    trace->place = (struct line_place){0, trace->rank, trace->workload->rank_count, UINT64_MAX - handle};
  else if (size == 1 && rank == 0)
    trace->place = self(trace);
  else
    pass_unknown(trace, creation, rank, size);
  return (size == trace->workload->rank_count && rank == trace->rank) || (size == 1 && rank == 0);
}
