/* The steps of tutti penalty. */
#ifndef TUTTI_CLI_PENALTY_H
#define TUTTI_CLI_PENALTY_H

#include "base/table.h"
#include "cli/command.h"
#include "cli/options/predictors.h"

struct penalty_options {
  struct selection_options selection;
  struct predictor_options predictor;
  const char *collective; /* NULL: that of each decision */
  tutti_format format;
  int worst;                   /* points to show */
  bool keep;                   /* penalties, in the store */
  const char *keep_as;         /* the name of the only decision there; NULL: as it was asked for */
  const char *against;         /* NULL: the best */
  bool times;                  /* print them, with --against */
  struct option_numbers ranks; /* with --against: for each of them; none: for all together */
  struct option_strings names; /* the decisions */
};

/* What decides, and the parameters that it needs as long. */
struct evaluated {
  tutti_decision decision;
  struct predictors predictors;
};

/* Read the decision that NAME on the command line stands for, and the map of its collective unless @p measured has that
   one already. evaluated_free() in any case. */
tutti_status penalty_read_decision(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                   struct measured_map *measured, tutti_error *error);
void evaluated_free(struct evaluated *evaluated);

/* What the decisions gain over chosen->against, printed. */
tutti_status penalty_show_against(const struct penalty_options *chosen, tutti_error *error);

#endif
