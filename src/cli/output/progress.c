#include "cli/output/output.h"

#include <limits.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LINE_SECONDS  10.0
#define SLACK_SECONDS 1.0 /* what is said may be off by so much, and by */
#define SLACK         1.5 /* this factor */
#define SLOWER        1.25
#define MEMORY        0.1 /* share of the run so far whose rate is that of late, */
#define MEMORY_LEAST  1.0 /* and at least so many seconds */
#define EARLY_SECONDS 3.0
#define EARLY_SHARE   0.05

enum { BAR_WIDTH = 20, BAR_ROOM = BAR_WIDTH + 4 };

struct progress_display progress_display_open(bool quiet)
{
  if (quiet)
    patience_end();
  return (struct progress_display){.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
}

char *progress_format_count(size_t count, char *text)
{
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%zu", count);
  char *next = text;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      *next++ = ',';
    *next++ = digits[i];
  }
  *next = '\0';
  return text;
}

char *progress_format_things(size_t count, const char *one, const char *many, char *text)
{
  char digits[32];
  snprintf(text, 64, "%s %s", progress_format_count(count, digits), count == 1 ? one : many);
  return text;
}

char *progress_format_duration(double seconds, char *text)
{
  /* Nobody waits longer than a century. */
  long long whole = (long long)fmin(ceil(seconds), 3.2e9);
  if (whole < 60)
    snprintf(text, 32, "%lld s", whole);
  else if (whole < 3600)
    snprintf(text, 32, "%lld min %lld s", whole / 60, whole % 60);
  else if (whole < 86400)
    snprintf(text, 32, "%lld h %lld min", whole / 3600, whole % 3600 / 60);
  else
    snprintf(text, 32, "%lld d %lld h", whole / 86400, whole % 86400 / 3600);
  return text;
}

/* Cost per second of work of late: done in a time, both of which are forgotten by and by. It stays where nothing new is
   done: what is under way may be one long point. */
static double rate_of_late(struct progress_display *display, const tutti_progress *progress)
{
  double working = progress->seconds - progress->starting;
  double seconds = fmax(working - display->seen, 0), done = progress->cost_measured - display->cost;
  if (done > 0) {
    double keep = exp(-seconds / fmax(MEMORY * working, MEMORY_LEAST));
    display->late_seconds = keep * display->late_seconds + seconds;
    display->late_cost = keep * display->late_cost + done;
    display->seen = working;
    display->cost = progress->cost_measured;
  }
  return display->late_cost / display->late_seconds;
}

/* The rest is expected to take as long per message as the points so far, or as those of late where these are slower by
   a factor. Points are not alike, so the expectation goes up and down: who watches sees an end that stays where it is,
   and moves only if it is off by that factor. The first few points say nothing. While nothing new is done the
   expectation counts down; it is none once the point under way took longer than it should. Launches on a real
   machine start slowly, however few points they have: what is expected of that is added. */
double progress_left(struct progress_display *display, const tutti_progress *progress)
{
  bool early = progress->seconds < EARLY_SECONDS && progress->cost_measured < EARLY_SHARE * progress->cost;
  double late = rate_of_late(display, progress), rest = progress->cost - progress->cost_measured;
  if (early || progress->measured == 0 || progress->measured >= progress->planned || !(progress->cost_measured > 0))
    return NAN;
  double each = display->seen / progress->cost_measured;
  if (1 / late > SLOWER * each)
    each = 1 / late;
  double silent = fmax(progress->seconds - progress->starting - display->seen, 0);
  double left = each * rest - silent + progress->starting_left;
  double shown = display->end - progress->seconds;
  if (left <= 0 || (progress->under_way > 0 && silent > SLACK * each * progress->under_way + SLACK_SECONDS))
    return NAN;
  if (shown <= 0 || left < shown / SLACK || left > SLACK * shown + SLACK_SECONDS)
    display->end = progress->seconds + left;
  return fmax(display->end - progress->seconds, 1);
}

static char *format_left(struct progress_display *display, const tutti_progress *progress, char *text)
{
  char duration[32];
  double left = progress_left(display, progress);
  snprintf(text, 64, "%s", display->end > 0 && progress->measured < progress->planned ? "  ? left" : "");
  if (!isnan(left))
    snprintf(text, 64, "  about %s left", progress_format_duration(left, duration));
  return text;
}

/* Slow measurements need a digit after the point. */
static char *format_rate(double rate, char *text)
{
  if (rate >= 10)
    return progress_format_count((size_t)rate, text);
  snprintf(text, 32, "%.2g", rate);
  return text;
}

/* No line of a terminal is broken: it could not be drawn anew. */
static int room(const struct progress_display *display, int used)
{
  struct winsize size = {.ws_col = 0};
  if (!display->terminal)
    return INT_MAX;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    size.ws_col = 80;
  return size.ws_col > used ? size.ws_col - used : 0;
}

/* The counts, the rate, the end, and the point that all wait for. */
static void print_line(struct progress_display *display, const tutti_progress *progress)
{
  char measured[32], planned[32], rate[32], left[64], noisy[64] = "";
  double speed = progress->seconds > 0 ? (double)progress->measured / progress->seconds : 0;
  if (progress->noisy > 0)
    snprintf(noisy, sizeof noisy, "  %zu noisy", progress->noisy);
  int used = tutti_say(stderr, "%s/%s points  %s points/s%s%s", progress_format_count(progress->measured, measured),
                       progress_format_count(progress->planned, planned), format_rate(speed, rate), noisy,
                       format_left(display, progress, left));
  if (progress->point)
    tutti_say(stderr, "%.*s%.*s", room(display, used + BAR_ROOM), "  at ", room(display, used + BAR_ROOM + 5),
              progress->point);
}

char *progress_format_bar(double share, char *text)
{
  char bar[BAR_WIDTH + 1];
  memset(bar, '-', BAR_WIDTH);
  memset(bar, '#', (size_t)(fmin(share, 1) * BAR_WIDTH));
  bar[BAR_WIDTH] = '\0';
  snprintf(text, 32, "[%s]", bar);
  return text;
}

/* In place of the bar, which is drawn anew below it. */
static void print_message(struct progress_display *display, const char *message)
{
  fputs(display->drawn ? "\r\033[K" : "", stderr);
  tutti_say(stderr, "tutti: %s\n", message);
  display->drawn = false;
}

void progress_display_show(void *context, const tutti_progress *progress)
{
  struct progress_display *display = context;
  patience_end();
  if (progress->message) {
    print_message(display, progress->message);
    return;
  }
  if (display->quiet || progress->planned == 0)
    return;
  fflush(stdout);
  if (display->terminal) {
    char bar[32];
    fprintf(stderr, "\r%s ", progress_format_bar((double)progress->measured / (double)progress->planned, bar));
    print_line(display, progress);
    fputs("\033[K", stderr);
    display->drawn = true;
  } else if (progress->seconds - display->shown >= LINE_SECONDS) {
    print_line(display, progress);
    fputc('\n', stderr);
    display->shown = progress->seconds;
  }
}

void progress_display_close(struct progress_display *display)
{
  if (display->drawn)
    fputc('\n', stderr);
  display->drawn = false;
}
