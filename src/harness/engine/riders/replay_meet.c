#include "harness/engine/riders/replay_meet.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint64_t tutti_meetings_come(struct meetings *meetings, uint32_t size, uint32_t rank, double now)
{
  if (!meetings->calls)
    meetings->calls = tutti_xcalloc(size, sizeof *meetings->calls);
  const uint64_t call = meetings->calls[rank]++;
  while (meetings->first + meetings->count <= call)
    tutti_xpush(meetings, ((struct meeting){.came = 0}));
  struct meeting *meeting = &meetings->items[call - meetings->first];
  meeting->came++;
  meeting->last = now > meeting->last ? now : meeting->last;
  return call;
}

static void drop_over(struct meetings *meetings, uint32_t size)
{
  size_t over = 0;
  while (over < meetings->count && meetings->items[over].gone == size)
    over++;
  meetings->first += over;
  meetings->count -= over;
  if (over > 0)
    memmove(meetings->items, meetings->items + over, meetings->count * sizeof *meetings->items);
}

double tutti_meetings_go(struct meetings *meetings, uint32_t size, uint64_t call, double began, double now)
{
  struct meeting *meeting = &meetings->items[call - meetings->first];
  const double last = meeting->came == size ? meeting->last : now;
  meeting->gone++;
  drop_over(meetings, size);
  return last > began ? last - began : 0;
}

void tutti_meetings_free(struct meetings *meetings)
{
  free(meetings->calls);
  tutti_vector_free(meetings);
}
