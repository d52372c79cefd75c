/* Not compiled: tables do not print numbers of type float. */
#include "base/table.h"

struct row {
  float seconds;
};

const tutti_column column = {"time", "time_s", TUTTI_FIELD(struct row, seconds)};
