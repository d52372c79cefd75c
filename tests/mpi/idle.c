/* Preloaded into MPI programs of tests: who gives way in vain sleeps for a moment. Else ranks that wait, more than
   there are cores, take turns with each other and with the tests beside them, and messages take milliseconds. */
#include <sched.h>
#include <time.h>

/* Answers of a rank that runs come before the first sleep. */
enum { CALLS_A_SLEEP = 20, SLEEP_NS = 20000 };

int sched_yield(void)
{
  static _Thread_local int calls;
  if (++calls % CALLS_A_SLEEP == 0)
    nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
  return 0;
}
