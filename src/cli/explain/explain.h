/* tutti explain: its parts. */
#ifndef TUTTI_CLI_EXPLAIN_H
#define TUTTI_CLI_EXPLAIN_H

#include "cli/options/decider.h"
#include "cli/options/predictors.h"
#include "cli/output/sensitivity.h"
#include "tutti/tuning.h"

struct explain_options {
  struct selection_options selection;
  struct predictor_options predictor;
  tutti_explained_call call;
  const char *decision, *target; /* target NULL: what the file looks like */
  int nodes;                     /* 0: not given */
  int runners;                   /* runners-up to show */
  const char *ran;               /* a file of what ran; NULL: one call is explained */
  bool given;                    /* a collective was */
  bool sized, ranked;            /* a size, a number of ranks was given */
  bool sensitivity;              /* how the time depends on the parameters */
  bool json, csv;
};

/* A method that could run, and what it takes; NaN: not known. */
struct explained_time {
  tutti_method method;
  double measured, penalty; /* percent over the best candidate, as of tutti penalty */
  double predicted[TUTTI_MAX_VOTERS];
  bool chosen;
  bool within_noise; /* the penalty is 0 for that reason alone */
};

/* What runs: a method of the catalogue, by whose code. */
struct explained_choice {
  const char *decision;         /* its name */
  const tutti_method *method;   /* NULL: it is not known */
  bool own;                     /* the library chose it itself */
  tutti_implementation library; /* that reads the file, or that the method names; ours: none does */
};

/* Times at the call. Begin with {0}, end with explained_times_free(). */
struct explained_times {
  int count;
  struct explained_time *rows; /* fastest first: measured ones, then by the first model */
  bool any_measured, any_predicted;
  bool on_platform;              /* something was measured on it, if not this */
  bool only_library;             /* what runs was not measured, and only a real library can be told to run it */
  char *bench;                   /* measures what runs; NULL: it was, it is not known, or only_library */
  char flavor[SELECTION_FLAVOR]; /* that was, or would be, measured; "": it is not known */
  struct predictors predictors;
  char why_unmeasured[TUTTI_ERROR_LENGTH];  /* why measurements cannot be read; "": they can, or there are none */
  char why_unpredicted[TUTTI_ERROR_LENGTH]; /* why nothing is predicted; "": it is */
};

/* Gather the times of what runs, and of what could run in its place by the same code. */
void explain_gather_times(const struct explain_options *options, const struct explained_choice *choice,
                          struct explained_times *times);
void explained_times_free(struct explained_times *times);

/* explain_sensitivity.c: how the time of what runs depends on each parameter of the models. */
void explain_gather_sensitivity(const struct explain_options *options, const struct explained_times *times,
                                struct sensitivity_rows *rows);

/* Note that a model says another method is the best, and that the best of what was measured is another; NULL: nothing
   was. */
void explain_note_better(const char *model, const tutti_method *chosen, const tutti_method *best,
                         const tutti_method *measured, struct sensitivity_rows *rows);

/* explain_platform.c: the same by simulation on the platform, for up to 1,024 ranks, and on which links it depends.
   Nothing if the platform has no file. @p measured as above. */
void explain_add_platform(const struct explain_options *options, const tutti_method *methods, int count, int chosen,
                          const tutti_method *measured, struct sensitivity_rows *rows);

/* A decision nearby that serves the call otherwise. */
struct nearby {
  bool found;
  uint64_t bound; /* last size below, first size above, first number of ranks */
  tutti_explanation answer;
};

/* Everything that is printed. */
struct explained {
  const struct explain_options *options;
  tutti_explained_call call;
  const char *decision;
  char target[40]; /* "": no file */
  tutti_explanation here;
  struct nearby below, above, ranks;
  unsigned classes; /* of reproducibility (reproducible.h) */
  const char *size; /* what is said of `size`, where several methods that have it serve messages; NULL: nothing */
  struct explained_times times;
  struct sensitivity_rows sensitivity; /* empty unless it is asked for */
};

/* The classes of what runs, as the library that reads the file runs it. */
unsigned explain_classes(const struct decider *decider, const tutti_explanation *there);

/* explain_size.c: whether the class `size` of what runs holds for all messages on as many ranks. Sets explained->size.
 */
bool explain_size_class(const struct decider *decider, struct explained *explained);

/* explain_ran.c: compare what a library did with what is explained, and print it. Returns the exit status: EXIT_FOUND
   if another method of the catalogue ran somewhere. */
int explain_ran(const struct explain_options *options);

/* ---- explain_sent.c: the messages of a row of a file, which has ranks and messages that are not too many ---- */

struct ran_row;

/* Whether a method sends them, as its own schedule or Open MPI's code of it does; with segments that the library may
   take where it is told none: the method gets them. */
bool explain_sends(tutti_method *method, const struct ran_row *row);

/* Whether it folds ranks beyond a power of two and sends as many messages and bytes, by other ranks. */
bool explain_sends_alike(tutti_method method, const struct ran_row *row);

/* Print it as text, JSON or CSV. */
void explain_print(const struct explained *explained);

#endif
