/* Intel MPI: I_MPI_ADJUST_<collective>, a variable for each. From Intel's developer reference (I_MPI_ADJUST family,
   2019 to 2021.15; docs/reference/variables.md):

     I_MPI_ADJUST_BCAST='1:0-2047@2-7,8192-12287;3'   ids with conditions, sizes in bytes and numbers of ranks, both
                                                      ends included; an id without conditions is for all calls */
#ifndef TUTTI_LIBRARIES_INTELMPI_H
#define TUTTI_LIBRARIES_INTELMPI_H

#include "base/vector.h"
#include "decision/libraries/settings.h"

enum intelmpi_lint {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/intelmpi/codes.def"
#undef CODE
};

/* Maximum ids of a collective, and the largest size and number of ranks that are written: there is no other word for no
   end. */
enum { INTELMPI_IDS = 16, INTELMPI_MAX = 2147483647 };

/* ---- names.c ---- */

struct intelmpi_collective {
  tutti_collective ours;
  tutti_size_unit unit;
  const char *names[INTELMPI_IDS];   /* by id, from 1; NULL: no more are known */
  const char *methods[INTELMPI_IDS]; /* by id: algorithms of the catalogue; NULL: it lacks it */
};

/* NULL: it has no variable that is known. */
const struct intelmpi_collective *tutti_intelmpi_collective(tutti_collective collective);

/* The collective of "I_MPI_ADJUST_BCAST" without the prefix I_MPI_; NULL: it is another variable. */
const struct intelmpi_collective *tutti_intelmpi_variable(const char *name);

/* The id of a method on so many ranks; 0: none. */
int tutti_intelmpi_id(const tutti_method *method, int ranks);

/* ---- read.c ---- */

struct intelmpi_rule {
  const struct intelmpi_collective *collective;
  size_t at, length; /* of the condition, or of the id */
  long id;
  uint64_t sizes[2], ranks[2]; /* both ends included */
};

struct intelmpi_rules {
  struct settings settings;
  TUTTI_VECTOR(struct intelmpi_rule); /* the first that matches counts */
};

tutti_status tutti_intelmpi_read(struct tuning_file *file, void *rules, tutti_error *error);
void tutti_intelmpi_rules_free(void *rules);

/* ---- write.c, explain.c ---- */

tutti_status tutti_intelmpi_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                  tutti_error *error);
tutti_status tutti_intelmpi_explain(struct explaining *explaining, tutti_error *error);

#endif
