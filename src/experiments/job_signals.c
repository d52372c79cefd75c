#include "experiments/job_signals.h"

#include <stddef.h>
#include <time.h>

void tutti_signals_block(struct signals *signals)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  sigemptyset(&signals->awaited);
  sigaddset(&signals->awaited, SIGCHLD);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction action;
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&signals->awaited, ends[i]);
  }
  /* If our parent had us ignore it, children could not be waited for. */
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &plain, &signals->child);
  sigprocmask(SIG_BLOCK, &signals->awaited, &signals->mask);
}

int tutti_signals_wait(const struct signals *signals, double seconds)
{
  struct timespec limit = {.tv_sec = (time_t)seconds};
  limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
  int number = sigtimedwait(&signals->awaited, NULL, &limit);
  return number > 0 && number != SIGCHLD ? number : 0;
}

void tutti_signals_restore(const struct signals *signals)
{
  sigaction(SIGCHLD, &signals->child, NULL);
  sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}
