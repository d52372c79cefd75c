/* What bench-samplers compares: ways to choose which points of a map are measured, and to decide by them. */
#ifndef TUTTI_BENCH_SAMPLERS_H
#define TUTTI_BENCH_SAMPLERS_H

#include "harness/experiments/calibrate/sampler.h"
#include "tutti/error.h"

/* A map whose times are known, the truth. A point is a method at a cell: a number of ranks and a size. */
struct sample_map {
  char name[80];
  struct sampler_point *points; /* [count], a cell after the other; cost 1 */
  size_t count, cells, methods;
  int sizes, ranks;              /* of the grid */
  size_t *first;                 /* [cells + 1] points of a cell */
  int *size_index, *ranks_index; /* [cells] */
  double *truth;                 /* [count] logarithms of seconds */
  double *seconds;               /* [count] */
  double *fastest;               /* [cells] seconds of the best method */
  double *base;                  /* [count] what rivals learn times relative to, logarithms */
};

/* Read the only collective and environment of a store, and the prior of its points: a store of another platform, or
   "-", Hockney's model. @p with_prior: rivals start at the prior, too; else at what a few messages take on any
   network, the same for all methods of a cell. */
tutti_status sample_map_read(const char *collective, const char *store, const char *prior, bool with_prior,
                             struct sample_map *map, tutti_error *error);
void sample_map_free(struct sample_map *map);

/* One run of a way: a seed, and what was measured so far. */
struct sample_run {
  const struct sample_map *map;
  const struct way *way;
  uint64_t random; /* a splitmix64 state of the way's own */
  size_t *order;   /* [count] in which a way without a better idea measures */
  size_t position; /* of it */
  double *values;  /* [count] mean logarithm of what was measured; unset where times is 0 */
  int *times;      /* [count] measured how often */
  size_t *known;   /* [known_count] points in the order of their first measurement */
  size_t known_count;
  double *predicted; /* [count] logarithms; infinite: unknown */
  struct sampler sampler;
  size_t queue[2]; /* chosen, and not measured yet: the last one first */
  int queued;
  void *own; /* one piece of memory, or NULL */
};

/* A way to sample. A process learns by the sampler's process; others predict all points from what is known. */
struct way {
  const char *name;
  bool process, by_time; /* by_time: a point costs the time that the prior expects */
  void (*begin)(struct sample_run *run);
  size_t (*next)(struct sample_run *run);  /* map->count: it stops */
  void (*predict)(struct sample_run *run); /* of a process NULL */
};

extern const struct way ways[];
extern const int way_count;

/* ---- orders (samplers_order.c) ---- */

/* Of [0, below). */
size_t sample_random(struct sample_run *run, size_t below);

/* run->order at random, and its points one after the other. @{ */
void order_random(struct sample_run *run);
size_t next_in_order(struct sample_run *run);
/* @} */

/* All methods of cells of a grid that is bisected again and again, cells of a level at random. */
void order_coarse(struct sample_run *run);

/* A quadtree: its corners, then those of its parts, first where the decision differs between corners. */
void begin_quadtree(struct sample_run *run);
size_t next_of_quadtree(struct sample_run *run);
void predict_quadtree(struct sample_run *run);

/* ---- learners (samplers_learners.c) ---- */

void predict_nearest(struct sample_run *run);
void predict_regression(struct sample_run *run);

/* ---- forests (samplers_forest.c) ---- */

size_t next_of_acclaim(struct sample_run *run);
void predict_acclaim(struct sample_run *run);
size_t next_of_fact(struct sample_run *run);
void predict_fact(struct sample_run *run);

#endif
