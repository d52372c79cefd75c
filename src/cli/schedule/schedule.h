/* tutti schedule: the files that it writes, and timelines. */
#ifndef TUTTI_CLI_SCHEDULE_H
#define TUTTI_CLI_SCHEDULE_H

#include "base/table.h"
#include "cli/options/option.h"
#include "tutti/analysis.h"
#include "tutti/model.h"
#include "tutti/schedule.h"

/* ---- files ---- */

struct schedule_files {
  const char *goal, *dot, *msccl, *timeline;      /* paths; NULL: none */
  const char *title;                              /* of the timeline */
  tutti_goal times;                               /* of the GOAL file; gamma and delta of those too */
  tutti_model network;                            /* of timeline and critical path, without gamma and delta */
  bool has_unit, has_model, has_gamma, has_delta; /* given */
  bool path;                                      /* print the critical path */
};

/* Rows for a struct schedule_files. */
extern const struct option_row schedule_files_table[];

/* Write what was asked for, and print the critical path. The error names the file. */
void schedule_files_write(const struct schedule_files *files, const tutti_method *method, const tutti_call *call);

/* ---- links of a machine ---- */

enum { SCHEDULE_LINKS = 18 };

struct schedule_link_row {
  const char *level;
  double messages, bytes, largest; /* NaN: no link */
};

struct schedule_links {
  struct schedule_link_row rows[SCHEDULE_LINKS];
  char names[SCHEDULE_LINKS][24];
  int count; /* 0: of no machine */
};

/* Tell a method of so many ranks that needs nodes, levels or a torus those of a platform, unless it says them itself.
 */
void schedule_links_tell(const char *platform_name, int ranks, tutti_method *method);

/* Count what goes over the links of a platform, by level. The error names platform or method. */
tutti_status schedule_links_count(const char *platform_name, const tutti_method *method, const tutti_call *call,
                                  struct schedule_links *links, tutti_error *error);

/* The rows must stay. */
tutti_table schedule_links_table(const struct schedule_links *links);

/* ---- optima of the round model (schedule_optimum.c) ---- */

/* Search the optima of so many blocks, or bound them, and print them, and whether the method is one. */
void schedule_optimum_print(const tutti_method *method, const tutti_call *call, uint64_t blocks, tutti_format format);

/* ---- jobs: lists of nodes, and what is between them ---- */

struct schedule_jobs {
  const char *allocations, *levels; /* paths; NULL: none */
  const char *machine;              /* whose jobs alone, where lines say one; NULL: all */
  const char *against;              /* a method; NULL: none */
  uint64_t ranks_per_node;          /* consecutive ranks */
  tutti_format format;
};

/*
 * Count what goes between nodes, switches and groups for each job of a file, and print it; with `against` how many
 * fewer bytes go between the parts of the uppermost level than by that method, job by job and by number of these parts.
 * Where nothing is @p counted, a call has as many elements as ranks. Jobs that a method does not run on are left out,
 * which a note says. Errors name file and line.
 */
void schedule_jobs_count(const struct schedule_jobs *options, const tutti_method *method, const tutti_call *call,
                         bool counted);

/* ---- what tutti schedule --allocation counts, as tables ---- */

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

/* ---- timelines: when each vertex takes place, as a picture (plots/timeline.gp), a lane for each rank ---- */

/* More vertices than this cannot be distinguished in a picture. */
enum { TIMELINE_MAX_ROWS = 20000 };

/* A vertex. */
struct timeline_row {
  int rank;
  tutti_vertex_id vertex;
  tutti_kind kind;
  int peer;          /* of a send or receive */
  double start, end; /* seconds */
};

/* Zero-initialize, but for the ranks. */
struct timeline {
  int ranks;
  TUTTI_VECTOR(struct timeline_row); /* in any order */
  size_t left_out;                   /* of those that were added: only TIMELINE_MAX_ROWS are kept */
};

/* Add a vertex; `timeline` is a struct timeline. A vertex that does nothing (tutti_add_join()) is left out. Faults are
   reported by timeline_draw(). */
void timeline_add(void *timeline, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start, double end);

void timeline_free(struct timeline *timeline);

/* Draw to @p path, which gnuplot_option() accepted: as gnuplot_draw(), TUTTI_ERR_ARGUMENT if there are too many
   vertices or none. */
tutti_status timeline_draw(struct timeline *timeline, const char *title, const char *path, tutti_error *error);

/* The data of the picture, by kind (send, receive, reduce, copy; those there are): a block of lines RANK START END, and
   at last, if there are messages, one of lines START SENDER END RECEIVER: from the start of the send to the end of its
   receive. Microseconds. The rows must be in the order of timeline_sort(). */
void timeline_write(FILE *data, const void *timeline);

/* By rank and vertex. */
void timeline_sort(struct timeline *timeline);

#endif
