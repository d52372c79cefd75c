/* Is a map of labels one, and do limits make sense? */
#ifndef TUTTI_DECISION_QUADTREE_CHECK_H
#define TUTTI_DECISION_QUADTREE_CHECK_H

#include "tutti/quadtree.h"

tutti_status tutti_quadtree_check(const tutti_label_map *map, const tutti_quadtree_limits *limits, tutti_error *error);

#endif
