/* Work that grows with the square of its input takes minutes where n log n takes a second. So a test of it ends, by a
   signal, when it has used far more processor time than that: no clock decides whether it passes. */
#ifndef TESTS_UNIT_PATIENCE_H
#define TESTS_UNIT_PATIENCE_H

#include <sys/resource.h>

/* Limit the processor time of the program from now on, and of its children, to this many seconds. Only the soft limit:
   nobody but root may raise a hard one again, and the next test of the program has its own. */
static inline void limit_processor_time(unsigned seconds)
{
  struct rusage used;
  struct rlimit limit;
  getrusage(RUSAGE_SELF, &used);
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + seconds;
  setrlimit(RLIMIT_CPU, &limit);
}

/* How much such a test has, of rows, ranks or questions: less where each access to memory is watched, which takes twenty
   times as long. */
#ifdef __SANITIZE_ADDRESS__
#define UNLESS_WATCHED(plain, watched) (watched)
#else
#define UNLESS_WATCHED(plain, watched) (plain)
#endif

#endif
