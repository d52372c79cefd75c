/* Penalties of decisions, a row each. */
#ifndef TUTTI_CLI_PENALTY_TABLE_H
#define TUTTI_CLI_PENALTY_TABLE_H

#include "base/table.h"
#include "tutti/decision.h"

struct penalty_row {
  const char *name;
  tutti_collective collective;
  const char *scheme; /* name */
  tutti_penalty penalty;
  int worst_count;
  tutti_penalty_point *worst; /* [worst_count] */
};

/* The table "penalties" of these rows. */
tutti_table penalty_table(const struct penalty_row *rows, int count);

/* As text, with a title and what kept points from being counted; with @p worst also the worst points of each. */
tutti_status penalty_table_print(const struct penalty_row *rows, int count, const char *platform, bool worst,
                                 tutti_error *error);

#endif
