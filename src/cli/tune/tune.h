/* tutti tune: from nothing to a tuning file that is proven to win, or the proof that there is nothing to win. Its steps
   are other commands of this program (cli/subcommand.h), in a folder where each leaves its result, so that the same
   command goes on after it was killed. */
#ifndef TUTTI_CLI_TUNE_H
#define TUTTI_CLI_TUNE_H

#include "cli/options/common.h"
#include "cli/subcommand.h"
#include "tutti/target.h"

struct tune_options {
  unsigned collectives;               /* bits; 0: those of the profile, or the usual ones */
  struct option_numbers ranks, sizes; /* empty: those of the profile, or what the machine suggests */
  const char *flavor, *platform;      /* NULL: what the machine has, the name of this host */
  const char *profile;                /* of a program; NULL: all calls weigh the same */
  const char *folder;                 /* NULL: tutti-tune-FLAVOR */
  const char *file;                   /* the tuning file; NULL: in the folder */
  double budget;                      /* seconds */
  uint64_t seed;
  bool again, quiet;
  unsigned reproducible; /* classes that reductions must have (reproducible.h); 0: none */
  struct program_options launch;
  tutti_launch_options place;
  tutti_format format;
};

/* What is tuned, and where. Texts are owned. */
struct tuning {
  const struct tune_options *options;
  char *flavor, *library; /* "openmpi", "OpenMPI-4.1.4" */
  const char *binds;      /* arguments with which the launcher binds ranks; NULL: none are needed */
  const tutti_target *target;
  char *platform, *collectives, *ranks, *sizes; /* of command lines */
  int max_ranks;
  char *folder;
  double started;    /* by the monotonic clock */
  double load;       /* of the machine before anything was launched */
  int step;          /* the number of the last one that was said */
  char *environment; /* what was put into it for the steps, "NAME=VALUE " before a command; "": nothing */
};

/* ---- tune_machine.c: what is there ---- */

/* Find the library, and what to tune of it, as far as the command line does not say it. */
void tune_look(const struct tune_options *options, struct tuning *tuning);
void tune_free(struct tuning *tuning);

/* ---- tune_folder.c: what was done ---- */

/* FOLDER/NAME, owned by the caller. */
char *tune_path(const struct tuning *tuning, const char *name);

/* FOLDER/NAME with the ending of files of the library. */
char *tune_file(const struct tuning *tuning, const char *name);

/* Begin, or go on with what the folder has; dies if that is another tuning. */
void tune_open_folder(struct tuning *tuning);

/* A number that an earlier run left; 0: none. @{ */
int tune_recall(const struct tuning *tuning, const char *name);
void tune_note(const struct tuning *tuning, const char *name, int number);
/* @} */

/* Note what a file of the folder is that was just written; whether it is there, with such a note: dies if it is another
   one now. @{ */
void tune_seal(const struct tuning *tuning, const char *path);
bool tune_has(const struct tuning *tuning, const char *path);
/* @} */

/* ---- tune_steps.c ---- */

/* A collective, as a comparison of the library left alone and a file summed it up. */
struct tune_row {
  char *collective; /* owned */
  int points, won, lost, unclear;
  double mean, best, worst; /* changes of the time of a call, in percent; negative: faster */
};

/* A point that was compared: seconds of a call without and with the file. */
struct tune_point {
  char *collective, *outcome; /* owned */
  int ranks;
  uint64_t size;
  double before, after, change; /* change in percent */
};

/* What that comparison found: its rows, the sums of their counts, and its points. tune_verdict_free(). */
struct tune_verdict {
  TUTTI_VECTOR(struct tune_row);
  struct {
    TUTTI_VECTOR(struct tune_point);
  } compared;
  int points, won, lost, unclear;
};

/* How it ended. */
struct tune_result {
  struct tune_verdict verdict; /* the last comparison; points 0: nothing was compared */
  const char *outcome;         /* "tuned", "left alone" */
  const char *why;             /* it was left alone; else NULL */
  char *file;                  /* the tuning file, with its whole path; NULL: left alone */
  int mended;                  /* how often points were taken out of it */
  int calls, decided;          /* calls that were to be decided, and those of which more time would change little */
  char *end;                   /* why no more was measured; NULL: nobody said */
};

void tune_verdict_free(struct tune_verdict *verdict);

/* Measure, decide, write, compare and mend. */
void tune_run_steps(struct tuning *tuning, struct tune_result *result);

/* ---- tune_report.c ---- */

void tune_print(const struct tuning *tuning, const struct tune_result *result);

#endif
