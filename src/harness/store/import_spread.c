/* Importing: points that were measured several times, with times that are far apart. */
#include <stdlib.h>

#include "base/index.h"
#include "harness/store/import_file.h"

/* The extreme times of a point. */
struct extremes {
  const tutti_import_item *fastest, *slowest;
};

struct spread {
  struct {
    TUTTI_VECTOR(struct extremes);
  } points;
  struct {
    TUTTI_VECTOR(void *);
  } sets;      /* of points, a set for each environment */
  void *index; /* 1 + the place of a set, by its environment */
};

/* The place of the set of points of the environment that the item will have. */
static size_t set_of(struct spread *spread, const tutti_import_item *item)
{
  char *name = tutti_xprintf("%zu %s %s", item->origin, item->program, item->settings ? item->settings : "");
  size_t *number = tutti_index_number(&spread->index, name);
  free(name);
  if (*number == 0) {
    tutti_xpush(&spread->sets, NULL);
    *number = spread->sets.count;
  }
  return *number - 1;
}

static void add(struct spread *spread, const tutti_import_item *item)
{
  const size_t set = set_of(spread, item);
  int *number = tutti_import_points_add(&spread->sets.items[set], &item->measurement);
  if (*number == 0) {
    tutti_xpush(&spread->points, ((struct extremes){item, item}));
    *number = (int)spread->points.count;
    return;
  }
  struct extremes *point = &spread->points.items[*number - 1];
  if (item->measurement.median < point->fastest->measurement.median)
    point->fastest = item;
  if (item->measurement.median > point->slowest->measurement.median)
    point->slowest = item;
}

/* 0 where the fastest one is below what its benchmark prints. */
static double ratio(const tutti_import_item *fastest, const tutti_import_item *slowest)
{
  return fastest && fastest->measurement.median > 0 ? slowest->measurement.median / fastest->measurement.median : 0;
}

tutti_import_spread tutti_import_find_spread(const tutti_imported *imported)
{
  struct spread spread = {.index = NULL};
  tutti_import_spread found = {0};
  for (size_t i = 0; i < imported->count; i++)
    add(&spread, &imported->items[i]);
  for (size_t i = 0; i < spread.points.count; i++) {
    const struct extremes *point = &spread.points.items[i];
    const double own = ratio(point->fastest, point->slowest);
    found.points += own > TUTTI_IMPORT_SPREAD;
    if (own > TUTTI_IMPORT_SPREAD && own > ratio(found.fastest, found.slowest)) {
      found.fastest = point->fastest;
      found.slowest = point->slowest;
    }
  }
  for (size_t i = 0; i < spread.sets.count; i++)
    tutti_import_points_free(&spread.sets.items[i]);
  tutti_vector_free(&spread.sets);
  tutti_vector_free(&spread.points);
  tutti_index_free(&spread.index);
  return found;
}
