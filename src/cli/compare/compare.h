/* tutti compare: the parts of the command. */
#ifndef TUTTI_CLI_COMPARE_H
#define TUTTI_CLI_COMPARE_H

#include "cli/options/common.h"
#include "cli/options/selection.h"
#include "harness/experiments/launch/installation.h"
#include "tutti/tuning.h"
#include "tutti/tuning_comparison.h"

struct compare_options {
  const char *names[2];               /* before, after: "untuned" or a file */
  struct option_strings libraries;    /* two: installations; one: that of the store */
  double margin;                      /* above 0: verdicts; 0: what is won and lost */
  const char *platform;               /* NULL: the only one of the library in the store, or the name of this host */
  const char *flavor;                 /* NULL: that of the files */
  unsigned collectives;               /* bits; 0: those that the files have rules for */
  struct option_numbers ranks, sizes; /* empty: what the store and the files know */
  int root, rounds;                   /* rounds 0: enough */
  uint64_t seed;
  double level;
  tutti_measure measure;
  tutti_selection among; /* measurements of the store: its library, version of Tutti, setting, environment */
  struct program_options launch;
  tutti_launch_options place;
  bool between, unchanged, stored, keep_unclear, pairs;
  const char *mended; /* NULL: no file is mended */
  tutti_format format;
};

/* True if the name stands for the library's own choice. */
bool compare_is_untuned(const char *name);

/* ---- compare_points.c ---- */

/* What to measure: sweeps of native methods, of the points given, or else of those that the store and the files know,
   which a line on standard error says. Of installations, whose flavor this is (NULL: of files), without --collective,
   -P or -s a few of each. Free with tutti_experiment_free(). */
void compare_plan(const struct compare_options *options, const char *flavor, tutti_experiment *experiment);

/* ---- compare_store.c ---- */

/* The points of one collective. */
struct compare_axes {
  int ranks_count, size_count;
  uint64_t *ranks, *sizes; /* owned, ascending and unique */
};

/* The points that were measured of the collective, by whatever method; none where there is no store. Of several sets of
   measurements that under the settings of the launches is taken, which a line on standard error says of the first
   collective; where none is, or several, the error lists all. */
void compare_read_store(const struct compare_options *options, const tutti_experiment *experiment,
                        tutti_collective collective, struct compare_axes *axes);

/* ---- compare_columns.c ---- */

/* Of tutti_compared_point; and of tutti_result, to be freed. @{ */
enum { COMPARE_POINT_COLUMNS = 13, COMPARE_VERDICT_COLUMNS = 17, COMPARE_LAUNCH_COLUMNS = 8 };
extern const tutti_column compare_point_columns[COMPARE_POINT_COLUMNS];
extern const tutti_column compare_verdict_columns[COMPARE_VERDICT_COLUMNS];
const tutti_column *compare_launch_columns(void);
/* @} */

/* ---- compare_tables.c ---- */

/* What is compared, and what was found. */
struct compare_report {
  const struct compare_options *options;
  const tutti_experiment *experiment;
  const tutti_tuning_comparison *found;
  const struct tutti_installation *installations; /* [2], empty: the library of the experiment; of verdicts */
  const tutti_tuning_comparison *control;         /* BEFORE against BEFORE; of verdicts */
};

void compare_print(const struct compare_report *report);

/* Say at how many points the medians of both sides show another change than the pairs: where the machine was faster in
   some rounds than in others. */
void compare_explain_medians(const tutti_tuning_comparison *found);

/* ---- compare_verdicts.c ---- */

/* What a side is called: its installation, or its file. */
const char *compare_side_name(const struct compare_report *report, int side);

void compare_print_verdicts(const struct compare_report *report);

/* Where two launches of the same differ, nothing is said: no verdict stands at a point where the control has one. */
void compare_hold_back(const tutti_tuning_comparison *control, tutti_tuning_comparison *found);

/* ---- compare_mend.c ---- */

/* Write AFTER, mended, to options->mended, and say on standard error what was replaced. */
void compare_mend(const struct compare_report *report);

#endif
