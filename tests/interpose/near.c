/* Neighborhood collectives on grids, periodic or not, and on graphs of all nearest neighbors in two dimensions,
   diagonals included. What each block must be is computed. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "checks.h"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define INIT(name) MPI_##name##_init
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#endif

enum { NEIGHBORS = 8, LENGTH = 3, ROOM = NEIGHBORS * LENGTH };

/* The ranks that blocks come from and go to, of a rank; `crossed`: block s comes as block s ^ 1. */
struct lists {
  int count, from[NEIGHBORS], to[NEIGHBORS];
  bool crossed;
};

static int value(int sender, int block)
{
  return 10000 * sender + 100 * block;
}

static void check_blocks(const struct lists *lists, const int *got, bool gathers, const char *what)
{
  bool good = true;
  for (int i = 0; i < lists->count; i++) {
    const int block = gathers ? 0 : lists->crossed ? i ^ 1 : i;
    good = good && (lists->from[i] == MPI_PROC_NULL ? holds(got + LENGTH * i, -5, LENGTH)
                                                    : holds(got + LENGTH * i, value(lists->from[i], block), LENGTH));
  }
  check(good, what);
}

static void wipe(int *data)
{
  for (int i = 0; i < ROOM; i++)
    data[i] = i % LENGTH - 5;
}

/* Every other element of the receiver, in a type with gaps. */
static void with_gaps(MPI_Comm comm, const struct lists *lists, const int *blocks, int *got)
{
  int wide[2 * ROOM], counts[NEIGHBORS], ones[NEIGHBORS];
  MPI_Aint places[NEIGHBORS], gaps[NEIGHBORS];
  MPI_Datatype types[NEIGHBORS], each[NEIGHBORS], gap;
  MPI_Type_vector(LENGTH, 1, 2, MPI_INT, &gap);
  MPI_Type_commit(&gap);
  for (int i = 0; i < NEIGHBORS; i++) {
    counts[i] = LENGTH;
    ones[i] = 1;
    places[i] = (MPI_Aint)(i * LENGTH * (int)sizeof(int));
    gaps[i] = 2 * places[i];
    types[i] = MPI_INT;
    each[i] = gap;
  }
  for (int i = 0; i < 2 * ROOM; i++)
    wide[i] = i / 2 % LENGTH - 5;
  MPI_Neighbor_alltoallw(blocks, counts, places, types, wide, ones, gaps, each, comm);
  for (int i = 0; i < ROOM; i++)
    got[i] = wide[2 * i];
  check_blocks(lists, got, false, "MPI_Neighbor_alltoallw");
  MPI_Type_free(&gap);
}

static void exchange(MPI_Comm comm, const struct lists *lists)
{
  int rank, blocks[ROOM], got[ROOM], counts[NEIGHBORS], places[NEIGHBORS];
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < NEIGHBORS; i++) {
    fill(blocks + LENGTH * i, value(rank, i), LENGTH);
    counts[i] = LENGTH;
    places[i] = LENGTH * i;
  }
  wipe(got);
  MPI_Neighbor_alltoall(blocks, LENGTH, MPI_INT, got, LENGTH, MPI_INT, comm);
  check_blocks(lists, got, false, "MPI_Neighbor_alltoall");
  wipe(got);
  MPI_Neighbor_allgather(blocks, LENGTH, MPI_INT, got, LENGTH, MPI_INT, comm);
  check_blocks(lists, got, true, "MPI_Neighbor_allgather");
  wipe(got);
  MPI_Neighbor_allgatherv(blocks, LENGTH, MPI_INT, got, counts, places, MPI_INT, comm);
  check_blocks(lists, got, true, "MPI_Neighbor_allgatherv");
  wipe(got);
  MPI_Neighbor_alltoallv(blocks, counts, places, MPI_INT, got, counts, places, MPI_INT, comm);
  check_blocks(lists, got, false, "MPI_Neighbor_alltoallv");
  with_gaps(comm, lists, blocks, got);
  wipe(got);
  MPI_Ineighbor_alltoall(blocks, LENGTH, MPI_INT, got, LENGTH, MPI_INT, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_blocks(lists, got, false, "MPI_Ineighbor_alltoall");
#ifdef INIT
  INIT(Neighbor_alltoallv)
  (blocks, counts, places, MPI_INT, got, counts, places, MPI_INT, comm, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; i++) {
    wipe(got);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_blocks(lists, got, false, "MPI_Neighbor_alltoallv_init");
  }
  MPI_Request_free(&request);
#endif
}

static int at(MPI_Comm grid, const int *sides, const int *periods, int x, int y)
{
  int rank, place[2];
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);
  place[0] += x;
  place[1] += y;
  for (int d = 0; d < 2; d++)
    if (!periods[d] && (place[d] < 0 || place[d] >= sides[d]))
      return MPI_PROC_NULL;
  MPI_Cart_rank(grid, place, &rank);
  return rank;
}

/* All nearest neighbors: a block goes along a distance, and comes from the rank at the opposite one. */
static void on_graph(MPI_Comm grid, const int *sides, const int *periods)
{
  struct lists lists = {.count = 0};
  int in = 0, out = 0, to[NEIGHBORS], from[NEIGHBORS];
  MPI_Comm graph;
  for (int x = -1; x <= 1; x++)
    for (int y = -1; y <= 1; y++) {
      if (x == 0 && y == 0)
        continue;
      const int there = at(grid, sides, periods, x, y), here = at(grid, sides, periods, -x, -y);
      if (there != MPI_PROC_NULL)
        to[out++] = there;
      if (here != MPI_PROC_NULL)
        from[in++] = here;
    }
  MPI_Dist_graph_create_adjacent(grid, in, from, MPI_UNWEIGHTED, out, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  lists.count = in;
  memcpy(lists.from, from, sizeof from);
  if (periods[0] && periods[1]) /* else the number of a block differs between ranks */
    exchange(graph, &lists);
  int own[LENGTH], got[ROOM], rank;
  MPI_Comm_rank(graph, &rank);
  fill(own, value(rank, 0), LENGTH);
  MPI_Neighbor_allgather(own, LENGTH, MPI_INT, got, LENGTH, MPI_INT, graph);
  check_blocks(&lists, got, true, "MPI_Neighbor_allgather on a graph");
  MPI_Comm_free(&graph);
}

/* All ranks: where the grid is a torus, its sides are known. */
static void gather_all(MPI_Comm grid, int size)
{
  int rank, all[9];
  MPI_Comm_rank(grid, &rank);
  for (int call = 0; call < 6 && size <= 9; call++) {
    const int own = 100 * call + rank;
    MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, grid);
    check(holds(all, 100 * call, size), "MPI_Allgather on a grid");
  }
}

/* Rank 0 does not make the call of the others. */
static int skip(void)
{
  int rank, size, blocks[2] = {0}, got[2];
  MPI_Comm ring;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  if (rank > 0)
    MPI_Neighbor_alltoall(blocks, 1, MPI_INT, got, 1, MPI_INT, ring);
  return MPI_Finalize();
}

int main(int argc, char **argv)
{
  int size, sides[2] = {0, 0};
  MPI_Init(&argc, &argv);
  if (argc > 1)
    return skip();
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, sides);
  for (int periodic = 0; periodic < 4; periodic++) {
    const int periods[2] = {periodic & 1, periodic >> 1};
    struct lists lists = {.count = 4, .crossed = true};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &grid);
    for (int d = 0; d < 2; d++)
      MPI_Cart_shift(grid, d, 1, &lists.from[2 * d], &lists.from[2 * d + 1]);
    exchange(grid, &lists);
    on_graph(grid, sides, periods);
    gather_all(grid, size);
    MPI_Comm_free(&grid);
  }
  return end_checks();
}
