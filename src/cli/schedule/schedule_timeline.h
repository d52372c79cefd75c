/* When each vertex of a schedule takes place, as a picture (plots/timeline.gp): a lane for each rank. */
#ifndef TUTTI_CLI_SCHEDULE_TIMELINE_H
#define TUTTI_CLI_SCHEDULE_TIMELINE_H

#include <stdio.h>

#include "tutti/schedule.h"

/* More than this cannot be told apart in a picture. */
enum { TIMELINE_MOST_ROWS = 20000 };

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
  struct timeline_row *rows; /* in any order */
  size_t count;              /* of all that were added; only TIMELINE_MOST_ROWS are kept */
  size_t room;
  bool out_of_memory;
};

/* Add a vertex; `timeline` is a struct timeline. A vertex that does nothing (tutti_add_join()) is left out. Faults are
   reported by timeline_draw(). */
void timeline_add(void *timeline, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start, double end);

void timeline_free(struct timeline *timeline);

/* Draw to @p path, which gnuplot_option() accepted: as gnuplot_draw(), TUTTI_ERR_ARGUMENT if there are too many vertices
   or none, TUTTI_ERR_MEMORY. */
tutti_status timeline_draw(struct timeline *timeline, const char *title, const char *path, tutti_error *error);

/* The data of the picture, by kind (send, receive, reduce, copy; those there are): a block of lines RANK START END, and
   at last, if there are messages, one of lines START SENDER END RECEIVER: from the start of the send to the end of its
   receive. Microseconds. The rows must be in the order of timeline_sort(). */
void timeline_write(FILE *data, const void *timeline);

/* By rank and vertex. */
void timeline_sort(struct timeline *timeline);

#endif
