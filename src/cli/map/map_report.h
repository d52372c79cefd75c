/* A decision map as text, JSON and CSV. */
#ifndef TUTTI_CLI_MAP_REPORT_H
#define TUTTI_CLI_MAP_REPORT_H

#include "base/table.h"
#include "cli/options/selection.h"
#include "cli/report/marks.h"
#include "tutti/certificate.h"
#include "tutti/decision_map.h"

/* ---- a table with a line for each message size and a column for each number of ranks of a decision map ---- */

/* A row of the table. */
struct map_line {
  const void *about; /* as given to map_grid_print() */
  uint64_t size;
  int size_index;
};

/*
 * Print it as text. @p cell describes all columns but the first: its getter finds the index of the number of ranks in
 * .index, and a struct map_line as the row. @p even: all these columns are as wide as the widest cell.
 */
void map_grid_print(const tutti_decision_map *map, const void *about, const tutti_column *cell, int indent, bool even);

/* The same as text, or, where that is not NULL, as a tabular of LaTeX to a file. */
struct map_grid {
  FILE *latex;
  int indent;
  bool even;
};
void map_grid_write(const tutti_decision_map *map, const void *about, const tutti_column *cell,
                    const struct map_grid *grid);

/* A method whose standing is shown, where its name gives none with the sides that were measured; of more than one form
   (segments, radices, ...) the fastest at each point. */
struct map_mine {
  tutti_method method; /* an algorithm of NULL: none */
  bool any;            /* its parameters do not count */
  int forms;           /* that were measured at a point; 1 of others */
};

/* The best time of a point, and the lower bound of any method there. */
struct gap_point {
  int ranks;
  uint64_t size;
  tutti_method best;  /* without an algorithm: nothing was measured */
  double time, bound; /* seconds; NaN: not known */
  double percent;     /* that the time is above the bound */
  tutti_term term;    /* the bound's */
  const char
      *proven; /* that the best method is optimal: by the "bound", under the round "model"; NULL, "": it is not */
};

/* Which method is best at which points. Only methods that are best somewhere are shown, and have letters. */
struct map_report {
  const struct measured_map *measured;
  const char *title;    /* of the picture; NULL: what it shows */
  const char *decision; /* whose methods these are; NULL: the best ones */
  int *points;          /* [method_count] cells won */
  bool *shown;          /* [method_count] best somewhere */
  tutti_marks marks;
  int measured_points; /* cells with a winner */
  int missing_points;
  struct map_mine mine;
  const struct gap_point *gaps; /* [ranks_count][size_count]; NULL: not asked for */
  bool native;                  /* nothing else was measured: there is no map, but times */
};

struct map_report map_report_create(const struct measured_map *measured);
void map_report_free(struct map_report *report);

/* Share of the measured points that a method won, in percent. */
double map_report_share(const struct map_report *report, int method);

/* Text: legend and grid. */
void map_report_print(const struct map_report *report);

/* Text: the notes of the map (report/map_notes.h); nothing if there are none. */
void map_report_print_notes(const struct map_report *report);

/* Best and second best time of each point (map_times.c): "points", to be freed; and as text. */
tutti_table map_report_points(const struct map_report *report);
void map_report_print_times(const struct map_report *report);

/* Text: the times of report->native. */
void map_report_print_native(const struct map_report *report);

/* The noise of a time. */
double map_noise_at(const tutti_decision_map *map, int ranks_index, int size_index, int method);

/* The gains over what libraries do by themselves, where their times are known (map_gains.c): "gains", to be freed; and
   as text, nothing if there are none. */
tutti_table map_report_gains(const struct map_report *report);
void map_report_print_gains(const struct map_report *report);

/* The method "bcast/pipeline/8KB", or "pipeline/8KB", of a map; "pipeline": all its forms. Die if it was not
   measured, in the name of the option. */
void map_mine_find(const tutti_decision_map *map, const char *option, const char *text, struct map_mine *mine);

/* Index of that method, or of its fastest form, at a point; -1: it was not measured there. */
int map_mine_at(const tutti_decision_map *map, int ranks_index, int size_index, const struct map_mine *mine);

/* Returns @p text: "bcast/pipeline", and of how many forms it is the fastest. */
enum { MAP_MINE_LENGTH = TUTTI_METHOD_LENGTH + 64 };
const char *map_mine_format(const struct map_mine *mine, char text[MAP_MINE_LENGTH]);

/* The rank of report->mine among the methods at each point [ranks_count][size_count], 0 where it was not measured, and
   its loss to the fastest in percent; NaN: unknown. */
void map_mine_list(const struct map_report *report, double *percents, int *places);

/* Where report->mine stands (map_mine.c), as text, as CSV or LaTeX with a row a point, as LaTeX with a column a
   number of ranks, and as the member
   "mine". */
void map_mine_print(const struct map_report *report);
void map_mine_write_table(const struct map_report *report, tutti_format format);
void map_mine_write_grid(const struct map_report *report, FILE *latex);
void map_mine_write_json(const struct map_report *report, tutti_json *json);

/* The gaps to lower bounds (map_gap.c) on a platform, by name or path: @p points [ranks_count][size_count], owned by
   the caller. @p calm: no arrival pattern, no noise. TUTTI_ERR_ARGUMENT where times are not simulated, or on
   another file of the platform; TUTTI_ERR_UNSUPPORTED where the engine does not know it. */
tutti_status map_gap_find(const struct measured_map *measured, const char *platform, bool calm,
                          struct gap_point **points, tutti_error *error);

/* A gap up to this, in percent, counts as none: no method can be faster by more. */
#define MAP_GAP_OPTIMAL 1.0

struct machine_bounds;
struct gap_proofs;

/* Proofs that methods are optimal (map_gap_proof.c), of points of one number of ranks: those of the bounds, which must
   stay. Free with free(). */
struct gap_proofs *map_gap_proofs_new(const struct machine_bounds *bounds, tutti_collective collective);

/* The limits of the round model, in words: what is optimal in it need not be so on the platform. */
#define MAP_GAP_MODEL "rounds of full messages without overlap, up to 4 blocks, all pairs equally far"

/* The member `proven` of a point with a bound, of whose methods the @p fastest takes so many seconds. Under the round
   model no schedule is faster: of a broadcast or reduce on up to 8 ranks none of up to 4 equal blocks. Where any method
   is faster than that, the model does not hold, and nothing is said. A static string. */
const char *map_gap_prove(struct gap_proofs *proofs, const struct gap_point *point, double fastest);

/* The gap as it stands in maps, "i +12%", "i +0.4%*" where that is optimal and "i +12%m" where it is under the round
   model, into 24 bytes; ".": there is none. Returns @p text. */
const char *map_gap_format(const struct gap_point *point, char *text);

/* The letter of the bound and the mark, "i*", into 4 bytes; "": there is none. Returns @p text. */
const char *map_gap_letters(const struct gap_point *point, char *text);

/* The median and the largest gap, and how many are none, in words; owned by the caller. NULL: there is no bound. */
char *map_gap_summary(const tutti_decision_map *map, const struct gap_point *gaps);

/* report->gaps as text, as CSV or LaTeX with a row a point, and as the member "gap". */
void map_gap_print(const struct map_report *report);
void map_gap_write_table(const struct map_report *report, tutti_format format);
void map_gap_write_json(const struct map_report *report, tutti_json *json);

/* Draw the times of methods, "linear,binomial", by message size to a picture (map_curves.c), a panel for each of the
   numbers of ranks, for all if these are none. Dies as gnuplot_draw(). */
void map_curves_plot(const struct map_report *report, const char *methods, const struct option_numbers *ranks,
                     const char *path);

/* All of it as an object of JSON, an item if a document is open; the times of all methods too if asked for. */
void map_report_write_json(const struct map_report *report, bool times, tutti_json *json);

/* The times of all methods, where they are known (map_times.c): "times", to be freed. */
tutti_table map_report_times(const struct map_report *report);

/* CSV or LaTeX: the best and the second best method of each point, or all @p times. */
void map_report_write_table(const struct map_report *report, bool times, tutti_format format);

#endif
