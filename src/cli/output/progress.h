/* Progress on standard error: a bar that is redrawn on a terminal, elsewhere a line now and then. */
#ifndef TUTTI_CLI_PROGRESS_H
#define TUTTI_CLI_PROGRESS_H

#include "tutti/job.h"

struct progress_display {
  bool quiet;
  bool terminal;
  double shown; /* seconds into the run, of the last line */
  bool drawn;   /* a bar stands in the current line of the terminal */
};

/* Look at standard error once. */
struct progress_display progress_display_open(bool quiet);

/* Show it if it is time to; @p display is a struct progress_display. For tutti_run_options.report. */
void progress_display_show(void *display, const tutti_progress *progress);

/* End the line of the bar. */
void progress_display_close(struct progress_display *display);

/* A number with a comma every three digits; @p text has at least 32 bytes. Returns @p text. */
char *progress_format_count(size_t count, char *text);

/* The same with what is counted behind it: "1 process", "1,024 processes"; @p text has at least 64 bytes. */
char *progress_format_things(size_t count, const char *one, const char *many, char *text);

/* "1 min 20 s"; at most two units. @p text has at least 32 bytes. Returns @p text. */
char *progress_format_duration(double seconds, char *text);

#endif
