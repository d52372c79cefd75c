/* Pictures: gnuplot, whose scripts are in plots/, the axes in its words, and the pictures of decision maps and of
   reports. */
#ifndef TUTTI_CLI_PLOT_H
#define TUTTI_CLI_PLOT_H

#include "cli/options/option.h"
#include "cli/report/marks.h"
#include "tutti/decision_map.h"

struct map_report;
struct report;

/* ---- gnuplot ---- */

/* What gnuplot is given: SCRIPT DATA OUTPUT TERMINAL ARGUMENT... */
struct plot_request {
  const char *script;                             /* file name below plots/ */
  const char *const *arguments;                   /* of the script's own, at most 6 (it knows nine); NULL at the end */
  void (*write)(FILE *data, const void *context); /* writes the data; errors of the stream are noticed afterwards */
  const void *context;
};

/* For OPTION_PARSE() of a const char *, the path of a picture: its name must be one that can be drawn (.svg, .png,
   .pdf). */
void gnuplot_option(void *member, const char *path);

/* The title of a picture, a const char *, NULL: the usual one; and for an OPTION_CHECK() whether there is a picture. */
#define OPTION_TITLE(type, member)                                                                                     \
  OPTION_STRING("title", "TEXT", type, member, "title of the picture", .otherwise = "what it shows")
void gnuplot_check_title(const char *title, const char *path, const char *option);

/* Whether the picture is a page (.pdf): as wide as a column of a paper, with its legend below. */
bool gnuplot_is_page(const char *path);

/* Run gnuplot and write what it draws to @p path, which gnuplot_option() accepted. Die without gnuplot, or if it
   failed. */
void gnuplot_draw(const struct plot_request *request, const char *path);

/* ---- axes: where the cells of a decision map begin and end, and labels as ("1KB" 1024, "4KB" 4096) ---- */

#define PLOT_TICS_LENGTH 4096
#define PLOT_AXIS_LENGTH (PLOT_TICS_LENGTH + 256)

/* @{ Begin with an empty text, append, close. Labels have no quotes. */
void plot_tics_append(char tics[PLOT_TICS_LENGTH], const char *label, double position);
void plot_tics_close(char tics[PLOT_TICS_LENGTH]);
/* @} */

/* All labels of a logarithmic axis: powers of two, written as sizes (bytes). */
void plot_tics_bytes(double min, double max, char tics[PLOT_TICS_LENGTH]);

/* In single quotes, in which gnuplot evaluates nothing; owned by the caller. */
char *plot_quoted(const char *text);

/* All labels of a logarithmic axis: powers of ten, and 2 and 5 times them if there are less than three. */
void plot_tics_decades(double min, double max, char tics[PLOT_TICS_LENGTH]);

/* A tic at each point that was measured, at most 100 without a label; labels where they are far enough from each other,
   @p room of them side by side. */
void plot_tics_points(const char *const *labels, const double *positions, int count, bool logarithmic, int room,
                      char tics[PLOT_TICS_LENGTH]);

/* Edges of the cells of an axis. */
struct plot_axis {
  int count;
  bool logarithmic;
  int room;          /* in pixels of PLOT_WIDTH and PLOT_HEIGHT */
  char **labels;     /* [count] the values */
  double *positions; /* [count] where these are drawn */
  double *edges;     /* [count + 1] */
};

/* About what gnuplot makes of a map, in pixels, and in a PDF, where letters are larger beside it. */
enum { PLOT_WIDTH = 640, PLOT_HEIGHT = 480, PLOT_PAGE_WIDTH = 360, PLOT_PAGE_HEIGHT = 240 };

/* @{ The axes of a map; edges lie midway between neighbors on the scale of the axis. */
void plot_axis_sizes(const tutti_decision_map *map, struct plot_axis *axis);
void plot_axis_ranks(const tutti_decision_map *map, struct plot_axis *axis);
/* @} */
void plot_axis_free(struct plot_axis *axis);

/* The axis called 'x' or 'y': its scale and tics, in gnuplot's words. */
void plot_axis_commands(char axis_name, const struct plot_axis *axis, char commands[PLOT_AXIS_LENGTH]);

/* ---- letters of a class of cells, once ---- */

struct plot_label {
  int letters; /* how many */
  bool fits;   /* there are cells of the class that are wide and high enough */
  double x, y; /* in the middle of these, beside the positions of the axes if there is room */
};

/* Place the letters of the classes. @param classes  [ranks][sizes] index into the labels, which are so many */
void plot_labels_place(const struct plot_axis *sizes, const struct plot_axis *ranks, const int *classes,
                       struct plot_label *labels, int count);

/* ---- maps as cells of classes, of which map_cells.c makes a picture (plots/decision_map.gp) ---- */

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
  const struct gap_point *gaps;   /* likewise, whose letters are written instead; NULL: there are none */
};

/* Errors as those of gnuplot_draw(). */
void plot_cells(const struct cells *cells, const char *path);

/* ---- pictures; errors as those of gnuplot_draw() ---- */

/* Draw a decision map to @p path: which method is best, or picked, at each point (plots/decision_map.gp). */
void plot_map(const struct map_report *report, const char *path);

/* The same of what a decision costs at each point. @param percents  [ranks_count][size_count]; NaN: not known */
void plot_map_loss(const struct map_report *report, const double *percents, const char *path);

/* The same of report->mine: its place at each point, and how much more time it takes than the fastest. */
void plot_map_mine(const struct map_report *report, const char *path);

/* The same of report->gaps: how much more time the best method takes than the lower bound. */
void plot_map_gap(const struct map_report *report, const char *path);

/*
 * Draw every decision map of a report (map-1.svg, map-1.pdf), what each decision function picks and loses there
 * (map-1-NAME-picks, map-1-NAME-loss), and every chart (group-time-1, sort-time-1, ...) into @p directory, which is
 * made if it does not exist. Prints nothing.
 */
void plot_report(const struct report *report, const char *directory);

#endif
