/* tutti bench: the parts of the command. */
#ifndef TUTTI_CLI_BENCH_H
#define TUTTI_CLI_BENCH_H

#include "cli/options/common.h"
#include "harness/engine/riders/jobs.h"
#include "tutti/claim.h"

/* Several things at once: subcommunicators that call at the same time, or the jobs of a file. */
struct bench_together {
  int groups, size;       /* of --groups; 0: none */
  const char *jobs;       /* path of --jobs; NULL: none */
  const char *placements; /* with commas; NULL: packed, or those of the file */
};

/* A sweep with a budget; without points or seconds there is none. */
struct bench_budget {
  size_t points;
  double seconds;
  double worth;            /* percent: end when the rest would save less */
  const char *prior;       /* name or path of a platform, or a name in the other store; NULL: a model, or any */
  const char *prior_store; /* NULL: the prior is simulated */
  const char *profile;     /* of a program; NULL: all calls weigh the same */
  const char *rules;       /* file for the decisions; NULL: none */
  const char *store;       /* for the times of all points; NULL: none */
  bool rounds_apart;       /* methods whose ranks may get sums that differ can be chosen */
  unsigned reproducible;   /* classes that methods of reductions must have to be chosen */
};

struct bench_options {
  const char *experiment; /* a file or the name of one; with all of them a folder, NULL: where experiments are found */
  tutti_experiment_words words; /* of a sweep that is said on the command line: collectives is not 0; of a file, too,
                                   the engine and the orders */
  struct option_numbers ranks, sizes;
  const char *written; /* file for that */
  struct bench_together together;
  struct bench_budget budget;
  struct program_options launch;
  tutti_launch_options place;
  size_t chunk;
  bool keep, keep_going;
  bool unverified; /* plug-ins need no proof */
  bool trust;      /* steps may do anything */
  bool again;      /* run steps although all claims were measured */
  tutti_format format;
  bool all;
  bool list;     /* only say what there is */
  double within; /* seconds that the chosen experiments may take together */
};

/* The result of an experiment. */
struct bench_outcome {
  const tutti_experiment *experiment;
  tutti_verdict verdict;
  tutti_claim_outcome *claims; /* [claim_count], owned */
  int unexplained;             /* claims that differ although the file does not say so */
  bool chosen;                 /* by --within */
  bool ran;
  bool complete; /* it ran, and nothing is left to do: claims that find nothing are faults of the file */
  double seconds;
  tutti_run_summary summary;
};

/* Measure an experiment and evaluate its claims. */
tutti_status bench_run_one(const struct bench_options *options, struct bench_outcome *outcome, tutti_error *error);

/* Ask the store of @p database, which need not exist, about the claims of outcome->experiment. */
tutti_status bench_evaluate(const char *database, struct bench_outcome *outcome, tutti_error *error);

/* Name the claims that found nothing although all is measured. The exit status that claims make. */
int bench_report_claims(const struct bench_outcome *outcome);

void bench_free_outcome(struct bench_outcome *outcome);

/* Measure what is missing of an experiment, or what of it is chosen; for so many seconds at most, 0: any time. */
tutti_status bench_measure(const struct bench_options *options, tutti_point_choice choice, double seconds,
                           struct bench_outcome *outcome, tutti_error *error);

/* ---- bench_budget.c: --budget ---- */

/* For OPTION_PARSE(): of the struct, "10min" or "500". */
void bench_read_budget(void *budget, const char *text);

bool bench_has_budget(const struct bench_options *options);

/* Die of options that do not go with it. */
void bench_check_budget(const struct bench_options *options);

struct budget;

/* bench_budget_tables.c: print and write what is decided. */
void bench_report_budget(const struct bench_options *options, const struct budget *budget);

/* Measure as much of a sweep as the budget allows, and print and write what to take where. Returns the exit status. */
int bench_run_budget(const struct bench_options *options, tutti_experiment *experiment);

/* All experiments of a folder (--all); returns the exit status. */
int bench_run_folder(const struct bench_options *options);

/* ---- bench_together.c, bench_together_stage.c, bench_together_tables.c: --groups and --jobs FILE ---- */

/* For OPTION_PARSE(): of the struct, "8x16". */
void bench_read_groups(void *together, const char *text);

/* Die of options that do not go with them. */
void bench_check_together(const struct bench_options *options);

/* Simulate them alone and together, and print the table. Returns the exit status. */
int bench_run_together(const struct bench_options *options);

/* The machine, by either engine. */
struct bench_stage {
  const struct bench_options *options;
  tutti_platform platform;
  struct engine_machine machine; /* of the fast engine */
  struct engine_start start;
  char *program; /* of SMPI; NULL: the fast engine simulates */
  uint32_t ranks;
};

/* For that many ranks, or those of -P, which may not be fewer. */
struct bench_stage bench_open_stage(const struct bench_options *options, uint64_t ranks);
void bench_close_stage(struct bench_stage *stage);

/* tutti_jobs_simulate(), or the same by SMPI. */
void bench_simulate(struct bench_stage *stage, const struct engine_jobs *jobs, size_t only, double *seconds);

/* Die of messages that the engine cannot carry. */
void bench_check_large(const struct bench_stage *stage, const struct engine_jobs *jobs);

/* A job, in one placement of all of them. */
struct bench_job {
  const char *name;
  int setting; /* number of the placement among those of --placement */
  char place[JOB_PLACE_LENGTH];
  tutti_method method;
  uint64_t bytes;
  uint32_t ranks, repeat;
  double alone, together; /* seconds of all its calls */
};

struct bench_jobs {
  TUTTI_VECTOR(struct bench_job);
};

/* An algorithm that is not measured at some points. */
struct bench_left_out {
  char *reason; /* owned */
  const tutti_algorithm *algorithm;
  int ranks; /* of the first one */
};

struct bench_left_outs {
  TUTTI_VECTOR(struct bench_left_out);
};

/* Note one, once for a reason. */
void bench_leave_out(struct bench_left_outs *all, const char *reason, const tutti_method *method, int ranks);

/* Print them, those of one reason in a line, and free them. */
void bench_print_left_out(struct bench_left_outs *all);

/* What holds for all of them. */
struct bench_together_facts {
  const char *platform, *engine, *file; /* NULL: groups */
  uint32_t ranks;
  int groups, size;
  size_t outside; /* points that were left out: */
  struct bench_left_outs left_out;
};

/* Frees what was left out. */
void bench_print_groups(struct bench_together_facts *facts, const struct bench_jobs *jobs, tutti_format format);
void bench_print_jobs(const struct bench_together_facts *facts, const struct bench_jobs *jobs, tutti_format format);

/* Print what was measured, and how well. */
void bench_print_summary(const tutti_experiment *experiment, const char *database, const tutti_run_summary *summary);

/* Run the steps of an experiment one after the other; without options->trust they may only do what
   cli/options/steps.h allows. TUTTI_ERR_LAUNCH with FILE:LINE and the last words of one that
   failed; a status of EXIT_FOUND is none. */
tutti_status bench_run_steps(const struct bench_options *options, const tutti_experiment *experiment,
                             tutti_error *error);

/* Print the claims of an experiment and what was measured; nothing if it has no claims. */
void bench_print_claims(const struct bench_outcome *outcome, tutti_format format);

/* Print experiments: as text the verdict on each, as JSON and CSV with all their claims. */
void bench_print_experiments(const struct bench_outcome *outcomes, int count, tutti_format format);

/* Print which are chosen, and how long they take together. */
void bench_print_plan(const struct bench_outcome *outcomes, int count);

#endif
