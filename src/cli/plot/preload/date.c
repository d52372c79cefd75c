/* Preloaded into gnuplot, so that the same picture has the same bytes: PDF has the date of its making, which cairo asks
   time() for, no option leaves out, and from 1.18 on is compressed. */
#include <time.h>

time_t time(time_t *moment)
{
  const time_t fixed = 946684800; /* 2000-01-01 00:00:00 UTC */
  if (moment)
    *moment = fixed;
  return fixed;
}
