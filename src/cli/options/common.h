/* Rows that many commands have, each written once, and what their values stand for. Whole tables that commands share:
   launch_table here, selection.h, predictors.h. */
#ifndef TUTTI_CLI_COMMON_OPTIONS_H
#define TUTTI_CLI_COMMON_OPTIONS_H

#include "base/table.h"
#include "cli/options/option.h"
#include "tutti/decision.h"
#include "tutti/job.h"
#include "tutti/library.h"
#include "tutti/platform.h"
#include "tutti/reproducible.h"
#include "tutti/target.h"

#define OPTION_DB(type, member, ...)                                                                                   \
  OPTION_STRING("db", "FILE", type, member, "the store", .initial = "results.db", __VA_ARGS__)
#define OPTION_JOBS(type, member)                                                                                      \
  OPTION_NUMBER("jobs", "N", type, member, "run N jobs at once", .letter = 'j', .min = 1, .max = 4096,                 \
                .otherwise = "processors online")
#define OPTION_QUIET(type, member) OPTION_FLAG("quiet", type, member, "show no progress", .letter = 'q')
#define OPTION_PROGRAM(type, member, ...)                                                                              \
  OPTION_STRING("program", "PATH", type, member, "the measuring program",                                              \
                .otherwise = "that of the build directory, or the installed one", __VA_ARGS__)
#define OPTION_BUILD_DIR(type, member)                                                                                 \
  OPTION_STRING("build-dir", "DIR", type, member, "look for the measuring programs in DIR/FLAVOR")
#define OPTION_UNVERIFIED(type, member)                                                                                \
  OPTION_FLAG("no-verify", type, member, "measure the algorithms of plug-ins without proving them before")
/* const char *, NULL where it is not given. */
#define ENGINE_OF_EXPERIMENT "that of the experiment, else smpi"
#define OPTION_ENGINE(type, member, otherwise_)                                                                        \
  OPTION_PARSE("engine", "smpi|fast|flow", type, member, option_engine,                                                \
               "what simulates: SimGrid's SMPI; fast, Tutti's own engine, equal to it in a small part of its time; "   \
               "flow, faster where networks are crowded, by fair shares; times are stored apart",                      \
               .otherwise = (otherwise_))
/* program_options.most_messages. */
#define OPTION_MOST_MESSAGES(type, options)                                                                            \
  OPTION_SIZE("most-messages", "N", type, options.most_messages,                                                       \
              "leave out, and name, simulated points with more messages than about so many; 0: none",                  \
              OPTION_GIVEN(type, options.most_given),                                                                  \
              .otherwise = "1000000000, by SMPI 20000000: half an hour or more")
#define OPTION_ORDERS(type, member)                                                                                    \
  OPTION_NUMBER(                                                                                                       \
      "orders", "N", type, member,                                                                                     \
      "by the engines fast and flow: measure each point in N orders in which the ranks start, the first that of SMPI", \
      .min = 1, .max = 1000, .otherwise = "1")
#define OPTION_OVERSUBSCRIBE(type, member)                                                                             \
  OPTION_FLAG("oversubscribe", type, member,                                                                           \
              "measure more ranks than there are cores on a real machine, where they wait for each other's cores")
#define OPTION_OUTPUT(type, member, ...)                                                                               \
  OPTION_STRING("output", "FILE", type, member, "write to FILE", .letter = 'o', .writes = WRITES_TEXT,                 \
                .otherwise = "standard output", __VA_ARGS__)
#define OPTION_JSON(type, member) OPTION_FLAG("json", type, member, "print JSON")
#define OPTION_CSV(type, member)  OPTION_FLAG("csv", type, member, "print CSV")
/* Two rows, for a tutti_format: what tutti_document_print() (base/table.h) prints. */
#define OPTION_FORMAT(type, member)                                                                                    \
  OPTION_SET("json", type, member, TUTTI_FORMAT_JSON, "print JSON"),                                                   \
      OPTION_SET("csv", type, member, TUTTI_FORMAT_CSV, "print CSV")
/* One more, for tables as a paper has them. */
#define OPTION_LATEX(type, member)                                                                                     \
  OPTION_SET("latex", type, member, TUTTI_FORMAT_LATEX, "print the tables for LaTeX: plain tabulars")

/* Print a warning if a variable of this process names a tuning file of the library that is not there: programs of MPICH
   crash of that, those of Open MPI go on without. */
void warn_of_missing_file(const char *library);

/* Say on standard error that an option was not given, and what is taken: no size is taken in silence. */
void note_default(const char *option, const char *value);

/* ---- measuring programs ---- */

/* What the command line says about launching; all zero if it says nothing. */
struct program_options {
  const char *database;
  const char *program;   /* the measuring program itself */
  const char *build_dir; /* where it is in a folder for its flavor */
  int jobs;
  double job_timeout; /* seconds, INFINITY: none; 0: not given */
  bool quiet;
  uint64_t most_messages; /* OPTION_MOST_MESSAGES(): of a point that is simulated */
  bool most_given;
};

/* For OPTION_ENGINE(): the flavor. */
void option_engine(void *member, const char *text);

/* The same: classes of reproducibility (reproducible.h). */
void option_reproducible(void *member, const char *text);

/* For OPTION_PARSE(), of a const char *: a flavor, real or simulated. */
void option_flavor(void *member, const char *text);

/* The same: an MPI library and its version, as stores have it, but for the case of letters. */
void option_library(void *member, const char *text);

/* Rows for a struct program_options: the measuring program and how long its jobs may take; and these with the store and
   the progress. The jobs are a row of their own (OPTION_JOBS). */
extern const struct option_row program_table[], measuring_table[];

/* For tutti_run_options: what was given, else what the flavor simulates within the hour. */
double program_most_messages(const struct program_options *options, const char *flavor);

/* How many jobs to run at once; by default the number of processors online. */
int program_jobs(const struct program_options *options);

/* Path of a measuring program (name "tutti-bench", flavor "smpi"; NULL: it needs no MPI), owned by the caller. What the
   user gave, if @p options is not NULL; else in the build directory that the user gave; else beside this executable or
   where it is installed. If it is in neither place, the first one, for the message. */
char *program_find(const struct program_options *options, const char *flavor, const char *name);

/* Run an experiment by the measuring program of its flavor, with progress on standard error. Of @p run the program, the
   jobs, their timeout and the reports are set here, and the store unless it names one. */
tutti_status program_run(const struct program_options *options, const tutti_experiment *experiment,
                         tutti_run_options run, tutti_run_summary *summary, tutti_error *error);

/* The same, or die; with 128 + the signal that ended it. */
void program_measure(const struct program_options *options, const tutti_experiment *experiment, tutti_run_options run,
                     tutti_run_summary *summary);

/* Rows for a tutti_launch_options: jobs run here, on hosts of a file, or in the queue of Slurm. */
extern const struct option_row launch_table[];

/* Rows for a tutti_experiment_words: what a sweep of collectives measures, and how. */
extern const struct option_row sweep_table[];

/* The same without the queue. */
extern const struct option_row local_launch_table[];

/* ---- experiments, collectives, platforms and decisions ---- */

/* Read what is measured, the engine and the orders of start being those of @p words, where they are given: the sweep
   that the words say, if they have collectives, else a file, or an experiment by its name. */
void experiment_argument_read(const char *name, const tutti_experiment_words *words, tutti_experiment *experiment);

/* For OPTION_PARSE(), of a const tutti_target *: what tutti export writes for. */
void option_target(void *member, const char *text);

/* For OPTION_PARSE(), of an unsigned with the bit 1 << tutti_collective of each: "bcast,allreduce". */
void option_collectives(void *member, const char *text);
tutti_status collectives_parse(const char *text, unsigned *collectives, tutti_error *error);

/* The version of a tuning file by its text. */
tutti_status tuning_file_guess(const char *path, tutti_library_version *version, tutti_error *error);

/* What a tuning file tells its library for one collective; tutti_step_table_free(). Errors as tutti_tuning_steps(). */
void tuning_file_steps(const char *path, tutti_collective collective, tutti_step_table *table);
/* Whether it has rules for the collective. */
bool tuning_file_decides(const char *path, tutti_collective collective);

/* What this real machine is called in stores unless somebody says it: the first part of the name of the host. Owned by
   the caller. */
char *platform_of_host(void);

/* Find a platform by name or path and read it. */
tutti_status platform_load(const char *name, tutti_platform *platform, tutti_error *error);

/* Put so many ranks on a node of a platform; 0: as many as it has. Dies if that is more than it has. */
void platform_spread(tutti_platform *platform, int ranks_per_node);

/*
 * Read a decision: a method ("bcast/binomial/8KB"), which always decides for itself, the own choice of a library that
 * is left alone ("native" or "untuned": the method COLLECTIVE/native, what it did; "library:openmpi-4.1": what it is
 * known to do), or a file, of ours or a tuning file of Open MPI or MPICH. @p collective: the one that it is asked
 * about; TUTTI_COLL_COUNT: that of the method, or the first of the file, TUTTI_COLL_COUNT of a tuning file; an own
 * choice needs it.
 */
tutti_status decision_argument_read(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error);

/* The same for one of several collectives. @p decides receives whether anything does: a library has rules for some
   collectives only. */
tutti_status decision_argument_read_for(const char *name, tutti_collective collective, tutti_decision *decision,
                                        bool *decides, tutti_error *error);

/* Whether it is "native" or "untuned". Another name of the same is tutti_library_named(). */
bool decision_is_own_choice(const char *name);

#endif
