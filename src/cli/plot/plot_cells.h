/* The cells of a decision map as a picture: a color and an entry of the legend for each class of cells. */
#ifndef TUTTI_CLI_PLOT_CELLS_H
#define TUTTI_CLI_PLOT_CELLS_H

#include "tutti/decision.h"

struct cell_class {
  char text[TUTTI_METHOD_LENGTH + 16]; /* in the legend */
  unsigned color;                      /* 0xRRGGBB */
};

struct cells {
  const tutti_decision_map *map; /* its axes */
  const char *title;
  const int *classes; /* [ranks_count][size_count] index into kinds */
  int kind_count;
  const struct cell_class *kinds; /* those that no cell has are left out */
};

/* Draw to @p path; as gnuplot_draw(), TUTTI_ERR_MEMORY. */
tutti_status plot_cells(const struct cells *cells, const char *path, tutti_error *error);

#endif
