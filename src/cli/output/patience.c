/* What takes long says that it still runs: lines on a terminal after 2, 4, 8, ... seconds, by a thread of its own, so
   that no command has to think of it. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/output/output.h"

enum { FIRST_SECONDS = 2, MOST_SECONDS = 60 };

static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  const char *program;
  bool running, over;
} patience = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void say(int seconds)
{
  char line[128], duration[32];
  int length = snprintf(line, sizeof line, "%.64s: still at work after %s\n", patience.program,
                        progress_format_duration(seconds, duration));
  ssize_t written = write(STDERR_FILENO, line, (size_t)length); /* the streams belong to the command */
  (void)written;
}

static void *wait_long(void *nothing)
{
  struct timespec until;
  (void)nothing;
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_mutex_lock(&patience.lock);
  for (int seconds = FIRST_SECONDS, waited = 0; !patience.over;) {
    until.tv_sec += seconds - waited;
    waited = seconds;
    while (!patience.over && pthread_cond_timedwait(&patience.ended, &patience.lock, &until) != ETIMEDOUT)
      ;
    if (!patience.over)
      say(seconds);
    seconds += seconds < MOST_SECONDS ? seconds : MOST_SECONDS;
  }
  pthread_mutex_unlock(&patience.lock);
  return NULL;
}

void patience_begin(const char *program)
{
  patience.program = program;
  patience.over = false;
  patience.running = isatty(STDERR_FILENO) == 1 && pthread_create(&patience.thread, NULL, wait_long, NULL) == 0;
}

void patience_end(void)
{
  if (!patience.running)
    return;
  pthread_mutex_lock(&patience.lock);
  patience.over = true;
  pthread_cond_signal(&patience.ended);
  pthread_mutex_unlock(&patience.lock);
  pthread_join(patience.thread, NULL);
  patience.running = false;
}
