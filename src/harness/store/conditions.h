/* Conditions that a selection spans, for the message that it is more than one. */
#ifndef TUTTI_STORE_CONDITIONS_H
#define TUTTI_STORE_CONDITIONS_H

#include "base/vector.h"
#include "harness/store/private.h"

/* One of them. Texts are owned. */
struct condition {
  int64_t number; /* of the environment */
  tutti_environment environment;
  char *scheme; /* "": the rows have no scheme */
};

struct conditions {
  TUTTI_VECTOR(struct condition);
};

/* Add that of a row of STORE_CONDITIONS. */
void tutti_conditions_add(struct conditions *conditions, sqlite3_stmt *row);

void tutti_conditions_free(struct conditions *conditions);

/* TUTTI_ERR_ARGUMENT: several of @p what in the store @p path. A line each, to be pasted after a command: the options
   that choose it and, as a comment, the other differences. */
tutti_status tutti_conditions_fail(const struct conditions *conditions, const char *path, const char *what,
                                   tutti_error *error);

#endif
