/* A chart of the report as a picture, drawn by plots/groups.gp. */
#ifndef TUTTI_CLI_REPORT_CHART_H
#define TUTTI_CLI_REPORT_CHART_H

#include "report/pivot.h"

struct report_chart {
  const struct pivot *pivot;
  int table;
  struct pivot_grid grid; /* of the table; tutti_pivot_has_chart() */
};

/* Draw to @p path; as gnuplot_draw(). */
tutti_status report_chart_draw(const struct report_chart *chart, const char *path, tutti_error *error);

#endif
