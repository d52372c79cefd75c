/* Groups that calls in the lines of liballprof make: lists of ranks of a communicator. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

enum { MAX_NUMBERS = 1 << 24 }; /* of all lists */

static bool is(const struct trace_lines *trace, const char *name)
{
  return strcmp(trace->fields[0], name) == 0;
}

/* ---- lists ---- */

static bool append(struct trace_lines *trace, struct group_list *list, uint64_t number)
{
  if (trace->groups.numbers.count >= MAX_NUMBERS || number > INT32_MAX)
    return false;
  const uint32_t item = (uint32_t)number;
  tutti_xpush(&trace->groups.numbers, item);
  list->count++;
  return true;
}

/* "1,2,3", of which there are that many; false: something else. */
bool tutti_lines_list(struct trace_lines *trace, int at, uint64_t count, struct group_list *list)
{
  const char *text = tutti_lines_field(trace, at);
  uint64_t number = 0;
  *list = (struct group_list){(uint32_t)trace->groups.numbers.count, 0};
  for (; list->count < count; text += *text == ',') {
    char word[16];
    const size_t length = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), text);
    if (!tutti_parse_integer(word, 0, INT32_MAX, &number) || !append(trace, list, number))
      return false;
    text += length;
  }
  return *text == '\0';
}

/* ---- groups ---- */

const struct line_group *tutti_lines_group(const struct trace_lines *trace, int at)
{
  uint64_t handle;
  const uint32_t *number = tutti_parse_integer(tutti_lines_field(trace, at), 0, UINT64_MAX, &handle)
                               ? tutti_pair_find(&trace->handles, handle, 1)
                               : NULL;
  return number && *number != WORKLOAD_UNKNOWN ? &trace->line_groups.items[*number - 1] : NULL;
}

static bool has(const struct trace_lines *trace, struct group_list list, uint32_t rank)
{
  bool found = false;
  for (uint32_t i = 0; i < list.count && !found; i++)
    found = trace->groups.numbers.items[list.first + i] == rank;
  return found;
}

/* Ranks of a group, by their places there; or all that are not named. */
static bool choose(struct trace_lines *trace, const struct line_group *from, struct group_list named, bool without,
                   struct group_list *list)
{
  const bool all = from->list.count == WORKLOAD_UNKNOWN;
  const uint32_t size = !all ? from->list.count : from->base == 0 ? trace->workload->rank_count : WORKLOAD_UNKNOWN;
  if (without && size == WORKLOAD_UNKNOWN)
    return false;
  *list = (struct group_list){(uint32_t)trace->groups.numbers.count, 0};
  for (uint32_t i = 0; i < (without ? size : named.count); i++) {
    const uint32_t place = without ? i : trace->groups.numbers.items[named.first + i];
    if (place >= size || (without && has(trace, named, place)))
      continue;
    if (!append(trace, list, all ? place : trace->groups.numbers.items[from->list.first + place]))
      return false;
  }
  return without || list->count == named.count;
}

/* Ranges of first, last and stride, one after the other. */
static bool expand(struct trace_lines *trace, struct group_list ranges, struct group_list *list)
{
  *list = (struct group_list){(uint32_t)trace->groups.numbers.count, 0};
  for (uint32_t r = 0; r + 2 < ranges.count; r += 3) {
    const uint32_t *range = trace->groups.numbers.items + ranges.first + r, stride = range[2];
    const uint64_t last = range[1] < trace->workload->rank_count ? range[1] : 0;
    for (uint64_t place = range[0]; stride > 0 && place <= last; place += stride)
      if (!append(trace, list, place))
        return false;
  }
  return true;
}

/* Ranks of one group that the other has, too, or has not; of a union those of both. */
static bool combine(struct trace_lines *trace, const struct line_group *a, const struct line_group *b,
                    struct group_list *list)
{
  const bool unite = is(trace, "MPI_Group_union"), both = is(trace, "MPI_Group_intersection");
  if (a->base != b->base || a->list.count == WORKLOAD_UNKNOWN || b->list.count == WORKLOAD_UNKNOWN)
    return false;
  const struct group_list first = a->list, second = b->list;
  *list = (struct group_list){(uint32_t)trace->groups.numbers.count, 0};
  for (uint32_t i = 0; i < first.count + (unite ? second.count : 0); i++) {
    const bool of_second = i >= first.count;
    const uint32_t rank = trace->groups.numbers.items[of_second ? second.first + i - first.count : first.first + i];
    const bool wanted = of_second ? !has(trace, first, rank) : unite || has(trace, second, rank) == both;
    if (wanted && !append(trace, list, rank))
      return false;
  }
  return true;
}

static bool read_chosen(struct trace_lines *trace, struct line_group *group)
{
  const bool ranges = strncmp(trace->fields[0], "MPI_Group_range_", 16) == 0;
  const size_t name = strlen(trace->fields[0]);
  const bool without = strcmp(trace->fields[0] + name - 4, "excl") == 0;
  const struct line_group *from = tutti_lines_group(trace, 0);
  struct group_list named;
  uint64_t count;
  if (!from || trace->count != 3 + 5 || /* the address, and the list */
      !tutti_parse_integer(tutti_lines_field(trace, 1), 0, INT32_MAX / 3, &count) ||
      !tutti_lines_list(trace, 3, ranges ? 3 * count : count, &named) || (ranges && !expand(trace, named, &named)))
    return false;
  group->base = from->base;
  return choose(trace, from, named, without, &group->list);
}

static bool read_combined(struct trace_lines *trace, struct line_group *group)
{
  const struct line_group *a = tutti_lines_group(trace, 0), *b = tutti_lines_group(trace, 1);
  if (!a || !b)
    return false;
  group->base = a->base;
  return combine(trace, a, b, &group->list);
}

void tutti_lines_read_group(struct trace_lines *trace)
{
  struct line_group group = {0, {0, WORKLOAD_UNKNOWN}};
  const int last = trace->count - 4;
  uint64_t handle;
  bool known = false;
  if (!tutti_parse_integer(tutti_lines_field(trace, last), 0, UINT64_MAX, &handle))
    return;
  if (is(trace, "MPI_Comm_group"))
    known = (group.base = tutti_lines_own_number(trace, 0)) != WORKLOAD_UNKNOWN;
  else if (is(trace, "MPI_Group_union") || is(trace, "MPI_Group_intersection") || is(trace, "MPI_Group_difference"))
    known = read_combined(trace, &group);
  else if (tutti_stem_length(trace->fields[0], "incl") > 0 || tutti_stem_length(trace->fields[0], "excl") > 0)
    known = read_chosen(trace, &group);
  else
    return;
  if (known)
    tutti_xpush(&trace->line_groups, group);
  *tutti_pair_number(&trace->handles, handle, 1) = known ? (uint32_t)trace->line_groups.count : WORKLOAD_UNKNOWN;
}
