/* Which labels the cells of a region have. */
#ifndef TUTTI_DECISION_QUADTREE_CENSUS_H
#define TUTTI_DECISION_QUADTREE_CENSUS_H

#include "decision/learners/quadtree/quadtree_axis.h"
#include "tutti/quadtree.h"

/* A square (cube) of cells. */
struct quadtree_region {
  uint32_t first[TUTTI_AXES]; /* cell */
  int depth;                  /* halvings that made it */
};

/* What regions are counted on. */
struct quadtree_census {
  const tutti_label_map *map;
  struct quadtree_axis axes[TUTTI_AXES];
  uint64_t *cells; /* [label_count] all 0 between two regions */
  int *found;      /* [label_count] labels of the region */
};

/* What was found. */
struct quadtree_count {
  int label;      /* the prevalent one by the tie rule of section 5.3.2 */
  uint64_t cells; /* of the region */
  uint64_t other; /* of these with another label */
};

tutti_status tutti_quadtree_census_create(const tutti_label_map *map, struct quadtree_census *census,
                                          tutti_error *error);
void tutti_quadtree_census_free(struct quadtree_census *census);

/* Cells of a region along an axis. */
uint32_t tutti_quadtree_region_side(const struct quadtree_census *census, const struct quadtree_region *region,
                                    int axis);

struct quadtree_count tutti_quadtree_census_take(struct quadtree_census *census, const struct quadtree_region *region);

#endif
