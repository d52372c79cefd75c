/* What takes long says that it still runs, and what it is at, by a thread of its own: a command has to say no more than
   the latter. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/output/output.h"

enum { TERMINAL_SECONDS = 2, PIPE_SECONDS = 30, MAX_SECONDS = 60, LINE = 160 };
enum { TERMINAL_STEP = 250, PIPE_STEP = 1000 }; /* milliseconds */

static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  const char *program;
  char phase[64]; /* "": it does not say */
  double share;
  struct timespec begun;
  double next; /* seconds into the run, of the next line */
  bool running, over, terminal;
  bool drawn; /* a bar stands in the current line of the terminal */
} patience = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* The streams belong to the command. */
static void put(const char *text, int length)
{
  ssize_t written = write(STDERR_FILENO, text, (size_t)(length < LINE ? length : LINE - 1));
  (void)written;
}

static void erase(void)
{
  if (patience.drawn)
    put("\r\033[K", 4);
  patience.drawn = false;
}

static void draw(double seconds)
{
  char line[LINE], bar[32], percent[48] = "", duration[32];
  progress_format_bar(isnan(patience.share) ? 0 : patience.share, bar);
  if (!isnan(patience.share))
    snprintf(percent, sizeof percent, "%s %2d %%  ", bar, (int)(100 * patience.share));
  put(line, snprintf(line, sizeof line, "\r%s%s  %s\033[K", percent, progress_format_duration(floor(seconds), duration),
                     patience.phase));
  patience.drawn = true;
}

static void say(double seconds)
{
  char line[LINE], duration[32], share[32] = "";
  if (*patience.phase && !isnan(patience.share))
    snprintf(share, sizeof share, ", %d %% done", (int)(100 * patience.share));
  put(line,
      snprintf(line, sizeof line, "%.48s: still at work after %s%s%s%s\n", patience.program,
               progress_format_duration(floor(seconds), duration), *patience.phase ? ": " : "", patience.phase, share));
  patience.next += fmin(patience.next, MAX_SECONDS);
}

static void show(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  double seconds = (double)(now.tv_sec - patience.begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - patience.begun.tv_nsec);
  if (patience.terminal && *patience.phase && seconds >= TERMINAL_SECONDS)
    draw(seconds);
  else if (seconds >= patience.next)
    say(seconds);
}

static void *wait_long(void *nothing)
{
  struct timespec until = patience.begun;
  (void)nothing;
  pthread_mutex_lock(&patience.lock);
  while (!patience.over) {
    until.tv_nsec += (patience.terminal ? TERMINAL_STEP : PIPE_STEP) * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!patience.over && pthread_cond_timedwait(&patience.ended, &patience.lock, &until) != ETIMEDOUT)
      ;
    if (!patience.over)
      show();
  }
  erase();
  pthread_mutex_unlock(&patience.lock);
  return NULL;
}

void patience_begin(const char *program)
{
  sigset_t all, before;
  patience.program = program;
  patience.over = false;
  *patience.phase = '\0';
  patience.terminal = isatty(STDERR_FILENO) == 1;
  patience.next = patience.terminal ? TERMINAL_SECONDS : PIPE_SECONDS;
  clock_gettime(CLOCK_REALTIME, &patience.begun);
  sigfillset(&all); /* signals are the command's */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  patience.running = pthread_create(&patience.thread, NULL, wait_long, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void patience_at(const char *phase, double share)
{
  pthread_mutex_lock(&patience.lock);
  snprintf(patience.phase, sizeof patience.phase, "%s", phase ? phase : "");
  patience.share = share;
  if (!phase)
    erase();
  pthread_mutex_unlock(&patience.lock);
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
