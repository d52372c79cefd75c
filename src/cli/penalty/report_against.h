/* What decisions gain over one of them: tutti penalty --against. */
#ifndef TUTTI_CLI_REPORT_AGAINST_H
#define TUTTI_CLI_REPORT_AGAINST_H

#include "tutti/decision.h"
#include "tutti/result.h"

/* The times of a decision; name not owned. */
struct against_row {
  const char *name;
  double *times; /* as tutti_decision_times() has them */
};

struct against {
  const tutti_decision_map *map;
  const char *platform, *scheme;
  const char *name; /* of the decision that the others are compared with */
  double *reference;
  int ranks_count; /* 0: all numbers of ranks together */
  const uint64_t *ranks;
  bool times; /* print those of each point, too */
  int count;
  struct against_row *rows; /* the best method of each point first */
};

/* The best measured method of each point; @p times as tutti_decision_times() has them. */
void against_best_times(const tutti_decision_map *map, double *times);

/*
 * What a row loses against the reference, in percent of the reference's time (negative: it gains): a result without a
 * name and a root. @p ranks 0: at all points. Its number of points is 0 if none could be counted.
 */
tutti_status against_result(const struct against *against, const struct against_row *row, uint64_t ranks,
                            tutti_result *result, tutti_error *error);

void report_against_print(const struct against *against);
void report_against_print_json(const struct against *against);

#endif
