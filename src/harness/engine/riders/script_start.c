/* When ranks start together. */
#include <math.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

/* Rank 0 chooses when the next operation begins. */
void tutti_script_choose_start(struct script_rider *rider)
{
  struct script_start *start = &rider->script->start;
  const bool delayed = rider->script->steps[rider->ranks[0].step].disturbed;
  start->time = meeting_next(rider->engine.now, rider->notice) + (delayed ? ceil((double)start->latest_ns * 1e-9) : 0);
  tutti_xpush(&rider->meetings, (struct meeting){.start = start->time});
  if (start->time >= MEETING_LAST)
    script_fail(rider, tutti_fail(rider->error, TUTTI_ERR_UNSUPPORTED, MEETING_TOO_LATE, start->time, rider->notice));
}

static struct meeting *meeting_of(const struct script_rider *rider, uint32_t rank)
{
  return &rider->meetings.items[rider->ranks[rank].meeting];
}

/* The date does not depend on what has happened before it. */
static bool sleep_until_date(struct script_rider *rider, uint32_t rank, double date)
{
  const bool sleeps = tutti_script_sleep_until(rider, rank, date, ENGINE_CONSTANT);
  if (sleeps && rider->engine.slopes)
    rider->engine.slopes->actions[rank].date = (struct engine_slope){.of[ENGINE_CONSTANT] = date};
  return sleeps;
}

/* A rank knows when to start. Ranks that wait for one date are woken in the order in which they began to wait. Where
   that order is drawn, they are woken one after the other before the date, at times that the clock can represent
   exactly; a start too soon for this is missed. True if the rank sleeps. */
bool tutti_script_come(struct script_rider *rider, uint32_t rank)
{
  const uint32_t *places = rider->script->start.places;
  struct meeting *meeting = meeting_of(rider, rank);
  rider->ranks[rank].point = AT_START;
  meeting->arrived++;
  if (!places)
    return false;
  const bool sleeps = sleep_until_date(rider, rank, meeting->start - 0.125 + places[rank] * 0x1p-24);
  if (!sleeps && meeting->outcome == MEETING_OPEN)
    meeting->outcome = MEETING_MISSED;
  return sleeps;
}

bool tutti_script_await_start(struct script_rider *rider, uint32_t rank)
{
  rider->ranks[rank].point = AT_MET;
  return sleep_until_date(rider, rank, meeting_of(rider, rank)->start);
}

/* It is time to start. If not all knew it, rank 0 chooses once more. */
void tutti_script_meet(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const bool met = meeting_met(meeting_of(rider, rank), rider->script->rank_count);
  r->meeting++;
  r->point = AT_STEP;
  if (met) {
    r->step++;
    return;
  }
  if (rank == 0)
    rider->notice *= 2;
  while (rider->script->steps[r->step].kind != SCRIPT_CHOOSE)
    r->step--;
}
