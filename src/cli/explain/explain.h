/* tutti explain: its parts. */
#ifndef TUTTI_CLI_EXPLAIN_H
#define TUTTI_CLI_EXPLAIN_H

#include "cli/options/predictors.h"
#include "tutti/tuning.h"

struct explain_options {
  struct selection_options selection;
  struct predictor_options predictor;
  tutti_explained_call call;
  const char *decision, *target; /* target NULL: what the file looks like */
  int nodes;                     /* 0: not given */
  int runners;                   /* runners-up to show */
  bool json, csv;
};

/* A method that could run, and what it takes; NaN: not known. */
struct explained_time {
  tutti_method method;
  double measured, penalty; /* percent over the fastest */
  double predicted[TUTTI_MAX_VOTERS];
  bool chosen;
};

/* Times at the call. Begin with {0}, end with explained_times_free(). */
struct explained_times {
  int count;
  struct explained_time *rows; /* fastest first: measured ones, then by the first model */
  bool any_measured, any_predicted;
  struct predictors predictors;
  char why_not[TUTTI_ERROR_LENGTH]; /* why nothing is predicted; "": it is */
};

/* Gather the times of all candidates. @p chosen: what runs, NULL if it is not known. */
tutti_status explain_gather_times(const struct explain_options *options, const tutti_method *chosen,
                                  struct explained_times *times, tutti_error *error);
void explained_times_free(struct explained_times *times);

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
  struct explained_times times;
};

/* Print it as text, JSON or CSV. */
tutti_status explain_print(const struct explained *explained, tutti_error *error);

#endif
