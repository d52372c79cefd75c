/* Levels above the nodes from a table: what a view knows, and multi-level algorithms on it. In a simulation two ranks
   are on each host; elsewhere each rank says that its host has another name. */
#include "check.h"
#include "tutti/collectives.h"

enum { RANKS = 8, COUNT = 100 };

#ifndef SMPI_HELPERS_H
/* In place of the library's. */
int PMPI_Get_processor_name(char *name, int *length)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  *length = sprintf(name, "n%03d.cluster7", rank / 2);
  return MPI_SUCCESS;
}
#endif

/* Rank 0 writes a table, and all find their levels in it. */
static tutti_status find(tutti_view *view, const char *table, tutti_view_levels *levels, tutti_error *error)
{
  char path[] = "/tmp/tutti-levels-XXXXXX";
  const int file = view->rank == 0 ? mkstemp(path) : -1;
  if (file >= 0 && write(file, table, strlen(table)) == (ssize_t)strlen(table))
    close(file);
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, view->comm);
  const tutti_status status = tutti_view_find_levels(view, path, levels, error);
  MPI_Barrier(view->comm);
  if (view->rank == 0)
    unlink(path);
  return status;
}

static const char table[] = "first_node\tlast_node\tgroup\tswitch\n0\t0\t5\t9\n1\t1\t5\t8\n2\t3\t6\t9\n";

static void check_levels(struct checks *checks, const tutti_view_levels *levels)
{
  static const int switches[RANKS] = {9, 9, 8, 8, 9, 9, 9, 9}, groups[RANKS] = {5, 5, 5, 5, 6, 6, 6, 6};
  check(checks, levels->count == 2, "%d levels", levels->count);
  for (int r = 0; r < RANKS && levels->count == 2; r++)
    check(checks, levels->ids[0][r] == switches[r] && levels->ids[1][r] == groups[r],
          "rank %d is in switch %d of group %d", r, levels->ids[0][r], levels->ids[1][r]);
}

/* Multi-level methods do not serve a call without levels, and no substitute runs here. */
static void check_bcast(struct checks *checks, const tutti_view *view, bool known)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "multi-level"));
  for (int root = 0; root < view->size && view->rank >= 0; root++) {
    int data[COUNT];
    tutti_error error = {.message = ""};
    bool right = true;
    for (int i = 0; i < COUNT; i++)
      data[i] = view->rank == root ? 1000 * root + i : -1;
    const tutti_status status = tutti_bcast(&method, data, COUNT, MPI_INT, root, view, &error);
    check(checks, (status == TUTTI_OK) == known, "from %d of %d ranks: %s", root, view->size, error.message);
    for (int i = 0; known && i < COUNT; i++)
      right = right && data[i] == 1000 * root + i;
    check(checks, right, "from %d of %d ranks: other data", root, view->size);
  }
}

static void check_views(struct checks *checks, const tutti_view *world)
{
  static const int ranges[][3] = {{0, 7, 1}, {7, 0, -1}, {2, 6, 1}, {1, 7, 2}, {3, 3, 1}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    tutti_view view;
    tutti_error error;
    check(checks, tutti_view_range(world, ranges[i][0], ranges[i][1], ranges[i][2], &view, &error) == TUTTI_OK,
          "no range");
    check_bcast(checks, &view, true);
  }
}

/* All ranks learn that one has a fault. */
static void check_faults(struct checks *checks, const tutti_view *world)
{
  tutti_view view = *world;
  tutti_view_levels levels;
  tutti_error error = {.message = ""};
  check(checks, find(&view, "first_node\tlast_node\tcell\n0\t2\t1\n", &levels, &error) == TUTTI_ERR_ARGUMENT,
        "node 3 is in no line, and yet rank %d knows its level", view.rank);
  check(checks, strstr(error.message, view.rank < 6 ? "rank 6 does not know" : "is not in /tmp/") != NULL, "'%s'",
        error.message);
  check(checks, !view.levels, "levels of a faulty table");
  tutti_view_levels_free(&levels);
  check(checks, find(&view, "first_node\tlast_node\tcell\n0\t9\tA\n", &levels, &error) == TUTTI_ERR_ARGUMENT,
        "a cell that is no number");
  check(checks, strstr(error.message, ":2: cell: not a whole number") != NULL, "'%s'", error.message);
  tutti_view_levels_free(&levels);
  check(checks, tutti_view_find_levels(&view, NULL, &levels, &error) == TUTTI_OK && !view.levels,
        "levels without a table: %s", error.message);
  tutti_view_levels_free(&levels);
  tutti_view_range(world, 0, 2, 1, &view, &error);
  check(checks, tutti_view_find_levels(&view, NULL, &levels, &error) == TUTTI_ERR_ARGUMENT, "levels of a range");
}

int main(int argc, char **argv)
{
  struct checks checks = {0};
  tutti_view world;
  tutti_view_levels levels;
  tutti_error error = {.message = ""};
  int nodes[RANKS];
  check_begin(&argc, &argv, &world);
  if (world.size != RANKS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  check_bcast(&checks, &world, false);
  check_faults(&checks, &world);
  check(&checks, find(&world, table, &levels, &error) == TUTTI_OK, "%s", error.message);
  check_levels(&checks, &levels);
  check_views(&checks, &world);
  check(&checks, tutti_view_find_nodes(&world, nodes, &error) == TUTTI_OK, "%s", error.message);
  check_views(&checks, &world);
  world.levels = NULL; /* nodes are a level, too */
  check_bcast(&checks, &world, true);
  tutti_view_levels_free(&levels);
  return check_end(&checks);
}
