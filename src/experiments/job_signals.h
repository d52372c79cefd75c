/* Signals waited for instead of handled, so that no handler and no global is needed. */
#ifndef TUTTI_HARNESS_JOB_SIGNALS_H
#define TUTTI_HARNESS_JOB_SIGNALS_H

#include <signal.h>

struct signals {
  sigset_t awaited;
  sigset_t mask; /* to be restored */
  struct sigaction child;
};

/* Block SIGINT, SIGTERM, SIGHUP, each unless ignored, and SIGCHLD. */
void tutti_signals_block(struct signals *signals);

/* Wait for one of them for @p seconds at most; its number, 0 for SIGCHLD and when nothing came. */
int tutti_signals_wait(const struct signals *signals, double seconds);

/* Back to how it was. */
void tutti_signals_restore(const struct signals *signals);

#endif
