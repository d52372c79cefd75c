/* What tutti schedule --allocation counts, as tables. */
#ifndef TUTTI_CLI_SCHEDULE_JOBS_H
#define TUTTI_CLI_SCHEDULE_JOBS_H

#include "cli/schedule/schedule.h"

/* Between the parts of a level, in a job: the nodes themselves, switches, cells or groups. */
struct level_row {
  int line, nodes;
  const char *level;
  size_t parts;
  uint64_t messages, bytes, largest;
};

/* How many percent fewer bytes go between the parts of the uppermost level. */
struct reduction_row {
  int line, nodes;
  size_t groups;
  double reduction;
};

void schedule_levels_print(const struct level_row *rows, size_t count, tutti_format format);

/* The jobs, and all that have as many groups in a row. */
void schedule_reductions_print(const struct reduction_row *rows, size_t count, tutti_format format);

#endif
