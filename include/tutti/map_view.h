/**
 * @file map_view.h
 * @ingroup communicators
 * Views of group maps: any tutti_map as the ranks that collectives run on. Apart from view.h, so that programs without
 * maps need not be linked with their representations (tutti_maps).
 */
#ifndef TUTTI_MAP_VIEW_H
#define TUTTI_MAP_VIEW_H

#include "tutti/map.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline int tutti_map_view_select(const void *map, int rank)
{
  return tutti_map_select((const tutti_map *)map, rank);
}

static inline int tutti_map_view_rank(const void *map, int member)
{
  return tutti_map_rank((const tutti_map *)map, member);
}

/** How views see @p map, which must live as long as the result is used: for tutti_view_mapped(). */
static inline tutti_lookup tutti_map_lookup(const tutti_map *map)
{
  tutti_lookup lookup = {map, tutti_map_size(map), tutti_map_world(map), tutti_map_view_select, tutti_map_view_rank};
  return lookup;
}

#ifdef __cplusplus
}
#endif
#endif
