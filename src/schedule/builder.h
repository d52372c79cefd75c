/* A schedule under construction: growing arrays on the heap. */
#ifndef TUTTI_SCHEDULE_BUILDER_H
#define TUTTI_SCHEDULE_BUILDER_H

#include "tutti/schedule.h"

struct edge {
  tutti_vertex_id before;
  tutti_vertex_id after;
};

struct tutti_builder {
  int size;
  int rank;
  uint32_t vertex_count, vertex_capacity;
  uint32_t edge_count, edge_capacity;
  uint32_t temporary_count, temporary_capacity;
  tutti_vertex *vertices;
  struct edge *edges;
  uint64_t *temporaries;
  tutti_error fault; /* the first one; status TUTTI_OK while there is none */
};

#endif
