/* Maps as cells of classes, of which map_cells.c makes a picture (plots/decision_map.gp). */
#ifndef TUTTI_CLI_MAP_CELLS_H
#define TUTTI_CLI_MAP_CELLS_H

#include "cli/report/marks.h"
#include "tutti/decision_map.h"

/* A color, how it fills the cells, and an entry of the legend for each class. */
struct cell_class {
  char text[TUTTI_METHOD_LENGTH + 32]; /* in the legend */
  char letters[REPORT_LETTERS_LENGTH]; /* at the points; "": a dot */
  unsigned color;                      /* 0xRRGGBB */
  tutti_fill fill;
};

struct cells {
  const tutti_decision_map *map; /* its axes */
  const char *title;
  int methods;        /* among which places are counted */
  const int *classes; /* [ranks_count][size_count] index into kinds */
  int kind_count;
  const struct cell_class *kinds; /* those that no cell has are left out */
  int unmeasured;                 /* one of them */
  const bool *tied;               /* [ranks_count][size_count] */
  const int *places;              /* likewise, written at the points in place of letters; NULL: there are none */
  const double *percents;         /* likewise, after the places */
};

/* Errors as those of gnuplot_draw(). */
void plot_cells(const struct cells *cells, const char *path);

#endif
