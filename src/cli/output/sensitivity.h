/* The table of how a time depends on parameters of the machine: explain, whatif, forecast. */
#ifndef TUTTI_CLI_SENSITIVITY_H
#define TUTTI_CLI_SENSITIVITY_H

#include "cli/output/output.h"
#include "tutti/predict.h"

struct engine_machine;
struct link_slopes;

/* One parameter. Numbers that are NaN are not said; those that are infinite have no limit. */
struct sensitivity_row {
  const char *model, *scenario; /* of a model, or of a replay; the other one is NULL */
  char parameter[96];
  const char *unit;
  double value, slope;
  double share_percent;          /* of the time: value times slope */
  double from, to;               /* between these the method stays the best */
  tutti_method below, above;     /* that is the best beyond; no algorithm: none */
  double more[TUTTI_TOLERANCES]; /* until the time is 1, 2, 5 % longer, */
  double jump;                   /* and the first of them at which it jumps */
};

struct sensitivity_rows {
  TUTTI_VECTOR(struct sensitivity_row);
  struct notes notes; /* where nothing is said, and why */
};

void sensitivity_free(struct sensitivity_rows *rows);

/* Add the rows of single links, for a time of so many seconds, like a row of the model or scenario. */
void sensitivity_add_links(const struct sensitivity_row *like, const struct engine_machine *machine, double seconds,
                           const struct link_slopes *links, struct sensitivity_rows *rows);

/* The table "sensitivities"; without a column of models for a replay. */
tutti_table sensitivity_table(const struct sensitivity_rows *rows);

/* In text, below the table: which method is the best beyond the ends of intervals, and the notes. */
void sensitivity_print_ends(const struct sensitivity_rows *rows);

#endif
