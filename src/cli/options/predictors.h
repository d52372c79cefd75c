/* Which models predict, by what, and with which parameters: shared by the subcommands that predict. */
#ifndef TUTTI_CLI_PREDICTORS_H
#define TUTTI_CLI_PREDICTORS_H

#include "cli/options/selection.h"
#include "tutti/parameters.h"
#include "tutti/predict.h"

struct predictor_options {
  tutti_predict_by by;
  bool both; /* by formula and by schedule */
  tutti_formula formula;
  const char *parameters; /* "measured", "published", "fitted", a model (option_model()); NULL: measured ones if there
                             are any */
  uint64_t element;
  double gamma, delta; /* seconds per byte; negative: those of the parameters */
  int jobs;            /* threads that build schedules; 0: as many as there are processors */
};

/* Rows for a struct predictor_options, defaults included. */
extern const struct option_row predictor_table[];

/* Predictors and the parameters that they are made of. */
struct predictors {
  tutti_parameter_set set;
  tutti_predictor items[TUTTI_MAX_VOTERS];
  int count;
  bool given;                                   /* one model, on the command line */
  char source[TUTTI_PLATFORM_NAME_LENGTH + 32]; /* "published parameters", "parameters measured by SimGrid 3.32" */
};

/* @p models is "hockney,loggp=2": models and the weights of their votes; NULL: all whose parameters are known. By
   formula and by schedule: first all models by formula. Free with predictors_free() if it succeeds. */
tutti_status predictors_read(const struct predictor_options *options, const char *models,
                             const struct selection_options *selected, struct predictors *predictors,
                             tutti_error *error);
void predictors_free(struct predictors *predictors);

/* Fit PLogP, and by it LogGP, of a set that was measured to the barriers and broadcasts of the store:
   tutti_plogp_fit(). predictors_read() does where --parameters says so. */
tutti_status predictors_fit(const struct selection_options *selected, tutti_parameter_set *set, tutti_error *error);

/* Whether a DECISION on the command line is made of models: "model:hockney", "model:hockney,loggp=2". */
bool names_models(const char *name);

/* That decision (Pjesivac-Grbovic 2007, section 5.2.3), on one collective; @p predictors must live as long.
   @p candidates [candidate_count]; 0: all algorithms of the collective, with segments of none, 1, 8, 32 and 128 KB */
void predictors_decide(const struct predictor_options *options, const char *name, tutti_collective collective,
                       const tutti_method *candidates, int candidate_count, const struct selection_options *selected,
                       struct predictors *predictors, tutti_decision *decision);

#endif
