/* What tutti whatif says. */
#ifndef TUTTI_CLI_REPORT_WHATIF_H
#define TUTTI_CLI_REPORT_WHATIF_H

#include "cli/whatif/whatif.h"
#include "tutti/decision.h"

/* All of it, on standard output. */
tutti_status report_whatif_print(const struct whatif *whatif, tutti_error *error);
tutti_status report_whatif_print_json(const struct whatif *whatif, tutti_error *error);

/* One collective operation from one root. */
struct whatif_map {
  tutti_decision_map maps[2];
  int root;
  tutti_decision_map_comparison comparison;
};

/* The next maps of the measurements from number *from on, which is moved behind them; the caller frees them. */
tutti_status whatif_map_create(const tutti_run_comparison *comparison, size_t *from, struct whatif_map *map,
                               tutti_error *error);
void whatif_map_free(struct whatif_map *map);

/* Of one such map: times, summary, decision maps, crossovers. */
tutti_status report_whatif_map(const struct whatif *whatif, const struct whatif_map *map, tutti_error *error);
tutti_status report_whatif_map_json(const struct whatif *whatif, const struct whatif_map *map, tutti_error *error);

/* Builds and results, one line each. */
struct whatif_row {
  char point[640]; /* what was measured; the number of ranks left out */
  int ranks;
  double seconds[2];
  uint64_t messages[2]; /* of builds */
};

/* Row number @p index. */
struct whatif_row whatif_row_at(const struct whatif *whatif, size_t index);

void report_whatif_rows(const struct whatif *whatif);
void report_whatif_rows_json(const struct whatif *whatif);

/* How many times as fast; NaN unless both times are above 0. */
double whatif_ratio(double before, double after);

#endif
