/* A schedule under construction: growing arrays on the heap. */
#ifndef TUTTI_SCHEDULE_BUILDER_H
#define TUTTI_SCHEDULE_BUILDER_H

#include <stddef.h>

#include "tutti/schedule.h"

struct edge {
  tutti_vertex_id before;
  tutti_vertex_id after;
};

/* Scratch memory of the algorithms, newest first. */
struct scratch {
  struct scratch *next;
  max_align_t memory[];
};

struct tutti_builder {
  int size; /* of the current scope */
  int rank;
  int whole_size, whole_rank;
  tutti_scope *scope; /* innermost; NULL: the whole group */
  struct scratch *scratch;
  uint32_t vertex_count, vertex_capacity;
  uint32_t edge_count, edge_capacity;
  uint32_t temporary_count, temporary_capacity;
  tutti_vertex *vertices;
  struct edge *edges;
  uint64_t *temporaries;
  tutti_error fault; /* the first one; status TUTTI_OK: no fault */
};

/* ---- channels: the vertices of one kind and peer, in vertex order ---- */

/* For each send or receive the next one of the same kind and peer (else TUTTI_NO_VERTEX), and one more prerequisite for
   each that has a predecessor. Linear time. False if out of memory. */
bool tutti_link_channels(const tutti_vertex *vertices, uint32_t count, tutti_vertex_id *next, uint32_t *prerequisites);

#endif
