/* A decision map as text, JSON and CSV. */
#ifndef TUTTI_CLI_MAP_REPORT_H
#define TUTTI_CLI_MAP_REPORT_H

#include "base/table.h"
#include "cli/options/selection.h"
#include "report/marks.h"

/* Which method is best at which points. Only methods that are best somewhere have letters. */
struct map_report {
  const struct measured_map *measured;
  const char *decision; /* whose methods these are; NULL: the best ones */
  int *points;          /* [method_count] cells won */
  int *winner;          /* [method_count] number among the winners in order of methods, -1 if it won nowhere */
  int winner_count;
  int measured_points; /* cells with a winner */
  int missing_points;
};

struct map_report map_report_create(const struct measured_map *measured);
void map_report_free(struct map_report *report);

/* Index of the best method of a cell, -1 if nothing was measured there. */
int map_report_best(const struct map_report *report, int ranks_index, int size_index);

/* The letters of a winner: one each up to 52 winners, two each up to 52 * 52, and so on. Returns @p name. */
const char *map_report_name(const struct map_report *report, int winner, char name[REPORT_LETTERS_LENGTH]);

/* Share of the measured points that a method won, in percent. */
double map_report_share(const struct map_report *report, int method);

/* Text: legend and grid. */
tutti_status map_report_print(const struct map_report *report, tutti_error *error);

/* Text: ties, and points where not every method was measured; nothing if there are none. */
void map_report_print_notes(const struct map_report *report);

/* Text: best and second best time of each point. */
tutti_status map_report_print_times(const struct map_report *report, tutti_error *error);

/* All of it as an object of JSON, an item if a document is open; the times of all methods too if asked for. */
void map_report_write_json(const struct map_report *report, bool times, tutti_json *json);

/* CSV: the best and the second best method of each point. */
tutti_status map_report_write_csv(const struct map_report *report, tutti_error *error);

#endif
