/* Penalties of decisions as a table and as JSON. */
#ifndef TUTTI_CLI_REPORT_PENALTY_H
#define TUTTI_CLI_REPORT_PENALTY_H

#include "tutti/decision.h"

struct penalty_row {
  const char *name;
  tutti_collective collective;
  const char *scheme; /* name */
  tutti_penalty penalty;
  int worst_count;
  tutti_penalty_point *worst; /* [worst_count] */
};

/* With @p worst also the worst points of each. */
void report_penalty_print(const struct penalty_row *rows, int count, const char *platform, bool worst);
void report_penalty_print_json(const struct penalty_row *rows, int count, const char *platform);

#endif
