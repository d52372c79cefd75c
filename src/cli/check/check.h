/* tutti check: what was compared, printed. */
#ifndef TUTTI_CLI_CHECK_H
#define TUTTI_CLI_CHECK_H

#include "cli/options/common.h"
#include "harness/experiments/jobs/job.h"
#include "tutti/baseline.h"
#include "tutti/engine_tally.h"
#include "tutti/run_comparison.h"

/* ---- programs ---- */

struct check_subjects {
  struct option_strings commands; /* NAME=PATH ARGUMENTS */
  const char *platform;           /* for new sections, as what follows; NULL: not given */
  struct option_numbers ranks;
  const char *times;
  int unit;
  int selector;
};

extern const struct option_row check_subjects_table[];

/* Check that the given options make sense together. */
void check_subjects_usage(const struct check_subjects *subjects, bool update, size_t baselines);

/* Sections for the programs, if a platform is named for them. */
void check_subjects_add(const struct check_subjects *subjects, tutti_baseline *baseline);

/* Warn of programs that print too few digits for the tolerance. */
void check_subjects_warn(const tutti_baseline *after, const tutti_tolerance *tolerance);

struct checked;

/* Die if a program is in none of the [count] baselines, so that it would not run. */
void check_subjects_used(const struct check_subjects *subjects, const struct checked *checked, size_t count);

/* What they run under, if that is given. */
const char *check_subjects_selector(const struct check_subjects *subjects);

/* Say of programs that were added under the plainest collectives of SMPI that there are others, and of those that ran
   under other ones than before that they did. */
void check_subjects_note(const struct check_subjects *subjects, const tutti_baseline *before,
                         const tutti_baseline *after);

/* ---- the command ---- */

enum { OUTPUT_TEXT, OUTPUT_GITHUB };

struct check_options {
  struct program_options launch;
  struct option_strings baselines, experiments; /* paths, as given */
  struct check_subjects subjects;
  tutti_tolerance tolerance;
  const char *junit; /* NULL: none */
  const char *keep;  /* where to leave the store; NULL: nowhere */
  bool update;
  bool init, force, gitlab;     /* begin the gate of a repository (check_init.c) */
  bool strict, lenient;         /* as given */
  const char *engine;           /* for the experiments of baselines; NULL: as they say */
  bool engines;                 /* by both, instead of with a baseline */
  tutti_experiment_words words; /* of sweeps by both; platform and ranks are those of `subjects` */
  struct option_numbers sizes;
  bool tolerance_given;
  tutti_format format;
  int kind; /* of text: OUTPUT_... */
};

/* A baseline and what was measured for it. */
struct checked {
  tutti_baseline before, after;
  tutti_baseline_comparison comparison;
};

/* ---- the store ---- */

/* A temporary store. */
struct check_scratch {
  char *folder;
  char *database;
  struct signals signals;
};

/* Make its folder, beside @p keep if that is given, which must not exist. Signals are held until it is closed: one that
   comes between runs, too, ends the process without leaving the folder. */
void check_scratch_open(const char *keep, struct check_scratch *scratch);

/* Remove the folder. Before, leave the store in @p keep if that is given. */
void check_scratch_close(struct check_scratch *scratch, const char *keep);

/* ---- engines (check_engines.c) ---- */

/* The command with --engines; returns its exit status. */
int check_engines_run(const struct check_options *options);

/* ---- output ---- */

/* Print what was compared, and write JUnit, as the options say. */
void check_report(const struct check_options *options, const struct checked *checked);

/* The exit status; what makes it EXIT_USAGE is named on standard error. */
int check_exit_code(const struct check_options *options, const struct checked *checked);

/* Say why nothing was compared, which `failure` knows, where the options ask for that, too; of a struct check_options,
   to be undone. */
void check_report_failure(void *options);

/* Report a command line that cannot be read, which standard error has already. */
void check_refused(int count, char *const *words, const char *why);

struct check_output {
  FILE *stream;
  bool markdown; /* instead of plain text */
  bool updating; /* what is new is counted, but not listed, and no advice is given */
};

/* As text on output->stream, JSON or CSV. */
void check_print(const struct check_output *output, tutti_format format, const tutti_baseline_comparison *comparisons,
                 size_t count);

/* What comes above the tables, as text or Markdown. */
void check_print_summary(const struct check_output *output, const tutti_baseline_comparison *comparison);

/* Names of verdicts; are there values before and after, which missing and new points do not have? */
extern const char *const check_verdicts[TUTTI_BASELINE_VERDICTS];
bool check_has_values(tutti_baseline_verdict verdict);

void check_print_text(const struct check_output *output, const tutti_baseline_comparison *comparisons, size_t count);

/* For GitHub Actions: an annotation for each algorithm that got worse, for each gap, and of points that the baseline
   does not have; and a Markdown summary, appended to the file $GITHUB_STEP_SUMMARY or, without that, printed. */
void check_print_github(const tutti_baseline_comparison *comparisons, size_t count, bool updating);

/* An annotation and a summary where nothing was compared; @p message may begin with the place in one of the files. */
tutti_status check_fail_github(const char *message, const struct option_strings *files, tutti_error *error);

/* "time +3.00 %", in TUTTI_CELL_LENGTH bytes; returns @p text. */
char *check_describe_change(const tutti_difference *difference, char *text);

/* "time 295.675 us instead of 287.063 us, +3.00 %", in TUTTI_CELL_LENGTH bytes; returns @p text. */
char *check_describe(const tutti_difference *difference, char *text);

#endif
