/* What came of learning: sizes and errors, and penalties. */
#ifndef TUTTI_CLI_REPORT_LEARN_H
#define TUTTI_CLI_REPORT_LEARN_H

#include "cli/learn/learn_train.h"
#include "cli/penalty/penalty_table.h"

enum { LEARN_ROW_NAME = 64 };

struct learn_report {
  const struct learn_command *command;
  const struct maps *maps;
  const struct trained *trained;
  const char *scheme;
  int row_count;
  struct penalty_row *rows; /* of all points, and of those that were tested unseen */
  char (*names)[LEARN_ROW_NAME];
};

/* Work out the rows, which takes learning again and again if tests were asked for. */
tutti_status learn_report_make(struct learn_report *report, tutti_error *error);
void learn_report_print(const struct learn_report *report);
void learn_report_print_json(const struct learn_report *report);
void learn_report_free(struct learn_report *report);

/* The penalties over all points, into the store. */
tutti_status learn_keep(const struct learn_report *report, tutti_error *error);

#endif
