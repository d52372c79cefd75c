/* Sets in BuDDy's table. A set is BuDDy's number of its root: BuDDy does not move nodes, as variables keep their order.
 *
 * BuDDy reports nothing when it has no node left: it uses false instead. The result is then a part of the right one,
 * because a node has the more members the more its children have. So a result is right if and only if it has the
 * expected number of members, and that of a union is known from the intersection: |a or b| + |a and b| = |a| + |b|. */
#include "tutti/set_table.h"

#include <bdd.h>
#include <stdlib.h>

#include "groups/maps/diagram.h"

struct tutti_set_table {
  int world, nodes;
  struct diagram_builder builder;
};

tutti_status tutti_set_table_create(int world, int nodes, tutti_set_table **table, tutti_error *error)
{
  if (world < 1 || nodes < 1 || nodes > DIAGRAM_NODES_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "table of sets: a world of %d, %d nodes: 1 to %d are possible", world,
                      nodes, DIAGRAM_NODES_MAX);
  tutti_set_table *made = calloc(1, sizeof *made);
  if (!made)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "table of sets: no memory");
  *made = (tutti_set_table){.world = world, .nodes = nodes};
  tutti_status status = tutti_diagram_start(&made->builder, world, nodes, error);
  if (status != TUTTI_OK)
    free(made);
  else
    *table = made;
  return status;
}

void tutti_set_table_free(tutti_set_table *table)
{
  if (table)
    bdd_done();
  free(table);
}

static tutti_status full(const tutti_set_table *table, tutti_error *error)
{
  bdd_gbc(); /* caches have what is wrong */
  return tutti_fail(error, TUTTI_ERR_MEMORY, "table of sets: no room for the result in %d nodes", table->nodes);
}

/* Members that a table without room has lost. */
static double missing(tutti_set set, int size)
{
  return size - bdd_satcount(set);
}

static tutti_set add_members(tutti_set_table *table, const int *members, int count)
{
  tutti_set set = tutti_diagram_build(&table->builder, members, count);
  if (!table->builder.gave_up && missing(set, count) == 0)
    return set;
  bdd_delref(set);
  bdd_gbc(); /* nodes of sets that were released */
  return tutti_diagram_build(&table->builder, members, count);
}

tutti_status tutti_set_add(tutti_set_table *table, const tutti_map *map, tutti_set *set, tutti_error *error)
{
  if (!map) {
    *set = TUTTI_SET_EMPTY;
    return TUTTI_OK;
  }
  if (map->world != table->world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "table of sets: a group of a world of %d in a table of %d", map->world,
                      table->world);
  int *members = malloc((size_t)map->size * sizeof *members);
  if (!members)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "table of sets: no memory for %d members", map->size);
  tutti_map_select_all(map, 0, map->size, members);
  if (!map->ordered)
    tutti_map_sort_members(members, map->size);
  tutti_set made = add_members(table, members, map->size);
  free(members);
  if (missing(made, map->size) == 0) {
    *set = made;
    return TUTTI_OK;
  }
  bdd_delref(made);
  return full(table, error);
}

/* @p result if @p sum is what it and @p other have together, else nothing. */
static tutti_status keep(tutti_set_table *table, tutti_set result, tutti_set other, double sum, tutti_set *kept,
                         tutti_error *error)
{
  bool whole = bdd_satcount(result) + bdd_satcount(other) == sum;
  bdd_delref(other);
  if (whole) {
    *kept = result;
    return TUTTI_OK;
  }
  bdd_delref(result);
  return full(table, error);
}

static tutti_set apply(tutti_set a, tutti_set b, int operation)
{
  return bdd_addref(bdd_apply(a, b, operation));
}

tutti_status tutti_set_unite(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result, tutti_error *error)
{
  double sum = bdd_satcount(a) + bdd_satcount(b);
  tutti_set either = apply(a, b, bddop_or), both = apply(a, b, bddop_and);
  return keep(table, either, both, sum, result, error);
}

tutti_status tutti_set_intersect(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result,
                                 tutti_error *error)
{
  tutti_set both = apply(a, b, bddop_and), rest = apply(a, b, bddop_diff);
  return keep(table, both, rest, bdd_satcount(a), result, error);
}

tutti_status tutti_set_subtract(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result, tutti_error *error)
{
  tutti_set rest = apply(a, b, bddop_diff), both = apply(a, b, bddop_and);
  return keep(table, rest, both, bdd_satcount(a), result, error);
}

void tutti_set_release(tutti_set_table *table, tutti_set set)
{
  (void)table;
  bdd_delref(set);
}

int tutti_set_size(const tutti_set_table *table, tutti_set set)
{
  (void)table;
  return (int)bdd_satcount(set);
}

bool tutti_set_contains(const tutti_set_table *table, tutti_set set, int member)
{
  if (member < 0 || member >= table->world)
    return false;
  while (set != bdd_true() && set != bdd_false()) {
    int bit = table->builder.variables - 1 - bdd_var(set);
    set = member >> bit & 1 ? bdd_high(set) : bdd_low(set);
  }
  return set == bdd_true();
}

tutti_status tutti_set_map(const tutti_set_table *table, tutti_set set, tutti_map **map, tutti_error *error)
{
  if (set == TUTTI_SET_EMPTY) {
    *map = NULL;
    return TUTTI_OK;
  }
  *map = tutti_map_new(&tutti_map_bdd, tutti_set_size(table, set), table->world, true);
  if (*map && bdd_nodecount(set) <= DIAGRAM_NODES_MAX && /* the table has room for some more (tutti_diagram_start()) */
      tutti_diagram_extract(set, (struct diagram *)*map))
    return TUTTI_OK;
  tutti_map_free(*map);
  *map = NULL;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "table of sets: no memory for a map");
}

int tutti_set_nodes(const tutti_set_table *table, const tutti_set *sets, int count)
{
  (void)table;
  return bdd_anodecount((BDD *)(uintptr_t)sets, count); /* which only reads them */
}
