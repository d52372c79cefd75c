#include "measure/start.h"

#include <math.h>

#include "measure/agree.h"

tutti_status tutti_halve_tags(const tutti_view *view, tutti_view *around, tutti_view *inside, tutti_error *error)
{
  int half = view->tag_count / 2;
  *around = *inside = *view;
  tutti_status status = tutti_view_tags(around, 0, half, error);
  return status == TUTTI_OK ? tutti_view_tags(inside, half, view->tag_count - half, error) : status;
}

tutti_status tutti_start_together(const tutti_view *view, const struct clock *clock, double *start, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!tutti_clock_is_simulated()) {
    status = tutti_bruck(view, error);
    *start = tutti_clock_now(clock);
    return status;
  }
  *start = view->rank == 0 ? tutti_clock_next_start(clock) : 0;
  status = tutti_agree(view, start, sizeof *start, error);
  tutti_clock_wait_until(clock, *start);
  return status;
}

void tutti_rest(const struct clock *clock, double start, double seconds)
{
  if (tutti_clock_is_simulated() && !tutti_clock_wait_until(clock, start + seconds))
    tutti_clock_wait_until(clock, ceil(tutti_clock_now(clock)));
}
