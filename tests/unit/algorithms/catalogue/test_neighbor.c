/* Neighborhood collectives are proven: linear on graphs, of which some ranks are neighbors several times or of
   themselves; message combining on all grids of up to 27 ranks and three dimensions, periodic or not, with many
   stencils. */
#include <string.h>

#include "base/splitmix64.h"
#include "tutti/analysis.h"
#include "tutti/neighbor.h"
#include "unit/patience.h"
#include "unit/test.h"

enum { MAX_RANKS = 36, GRID_RANKS = UNLESS_WATCHED(27, 12), MAX_NEIGHBORS = 27 };

/* A rank's neighbors and the layouts of its call. */
struct place {
  tutti_neighbors near;
  int sources[2 * MAX_NEIGHBORS], destinations[2 * MAX_NEIGHBORS], order[2 * MAX_NEIGHBORS];
  int in_slots[MAX_NEIGHBORS], out_slots[MAX_NEIGHBORS];
  uint64_t input[2 * MAX_NEIGHBORS + 1], output[2 * MAX_NEIGHBORS + 1];
};

static struct place places[MAX_RANKS];
static tutti_call calls[MAX_RANKS];

static void set_call(int size, int rank, tutti_collective collective, uint64_t count)
{
  struct place *place = &places[rank];
  tutti_neighbors *near = &place->near;
  near->sources = place->sources;
  near->destinations = place->destinations;
  for (int i = 0; i <= near->in || i <= near->out; i++) {
    place->input[i] = (uint64_t)i * count;
    place->output[i] = (uint64_t)i * count;
  }
  calls[rank] = (tutti_call){.size = size,
                             .rank = rank,
                             .count = count,
                             .type_size = 1,
                             .commutative = true,
                             .output = {place->output},
                             .near = near};
  if (collective == TUTTI_COLL_ALLTOALL)
    calls[rank].input = (tutti_layout){place->input};
}

static tutti_total prove(tutti_collective collective, tutti_neighbor_kind kind)
{
  const tutti_algorithm *algorithm = tutti_neighbor_algorithm(collective, kind);
  assert_non_null(algorithm);
  const tutti_method method = tutti_method_default(algorithm);
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_schedule schedules[MAX_RANKS];
  tutti_total total;
  assert_ok(tutti_verify_calls(&method, calls, &error), error);
  tutti_arena_init(&arena);
  for (int r = 0; r < calls->size; r++)
    assert_ok(tutti_method_schedule(&method, &calls[r], &arena, &schedules[r], &error), error);
  assert_ok(tutti_count_all(schedules, calls->size, &total, &error), error);
  return total;
}

/* ---- graphs ---- */

static void add_edge(int from, int to)
{
  tutti_neighbors *near = &places[from].near;
  if (near->out == 2 * MAX_NEIGHBORS || places[to].near.in == 2 * MAX_NEIGHBORS)
    return;
  places[from].destinations[near->out++] = to;
  places[to].sources[places[to].near.in++] = from;
}

TEST(test_linear_on_graphs)
{
  uint64_t random = 47;
  for (int size = 1; size <= 12; size++)
    for (int repeat = 0; repeat < 20; repeat++) {
      memset(places, 0, sizeof places);
      const int edges = (int)(tutti_splitmix64(++random) % (uint64_t)(3 * size + 1));
      for (int e = 0; e < edges; e++) {
        const uint64_t ends = tutti_splitmix64(++random);
        add_edge((int)(ends % (uint64_t)size), (int)((ends >> 32) % (uint64_t)size));
      }
      for (uint64_t count = 0; count < 4; count++)
        for (int alltoall = 0; alltoall < 2; alltoall++) {
          const tutti_collective collective = alltoall ? TUTTI_COLL_ALLTOALL : TUTTI_COLL_ALLGATHER;
          for (int r = 0; r < size; r++)
            set_call(size, r, collective, count);
          (void)prove(collective, TUTTI_NEIGHBOR_LINEAR);
        }
    }
}

/* As MPI_Cart_create() has them, block s of a sender comes into block s ^ 1, also where both neighbors are one rank. */
TEST(test_linear_on_a_short_ring)
{
  for (int size = 1; size <= 4; size++) {
    memset(places, 0, sizeof places);
    for (int r = 0; r < size; r++) {
      struct place *place = &places[r];
      place->near.in = place->near.out = 2;
      place->near.order = place->order;
      place->order[0] = 1;
      place->sources[0] = place->destinations[0] = (r + size - 1) % size;
      place->sources[1] = place->destinations[1] = (r + 1) % size;
      set_call(size, r, TUTTI_COLL_ALLTOALL, 3);
    }
    (void)prove(TUTTI_COLL_ALLTOALL, TUTTI_NEIGHBOR_LINEAR);
  }
}

/* ---- grids ---- */

static int distances[MAX_NEIGHBORS * 3];
static tutti_stencil stencil;

static bool take_all(const int *distance)
{
  (void)distance;
  return true;
}

static bool take_others(const int *distance)
{
  return distance[0] != 0 || distance[1] != 0 || distance[2] != 0;
}

static bool take_nearest(const int *distance)
{
  return abs(distance[0]) + abs(distance[1]) + abs(distance[2]) == 1;
}

/* One way alone, and 2 away: other ranks have other sources than destinations. */
static bool take_lopsided(const int *distance)
{
  return (distance[0] + 3 * distance[1] + 5 * distance[2]) % 4 == 1;
}

static bool take_none(const int *distance)
{
  (void)distance;
  return false;
}

typedef bool take(const int *distance);

/* The stencil of the distances that are taken from a cube; false: two are the same rank. */
static bool set_stencil(take *takes, int shift)
{
  const int dimensions = stencil.grid.dimensions;
  stencil.count = 0;
  for (int i = 0; i < 27; i++) {
    int distance[3] = {0};
    bool flat = true;
    for (int d = 0, rest = i; d < 3; d++, rest /= 3) {
      distance[d] = rest % 3 - 1 + (d == 0 ? shift : 0);
      flat = flat && (d < dimensions || distance[d] == 0);
    }
    if (flat && takes(distance))
      memcpy(distances + stencil.count++ * dimensions, distance, (size_t)dimensions * sizeof *distance);
  }
  for (int i = 0; i < stencil.count * dimensions; i++) {
    const int side = stencil.grid.sides[i % dimensions];
    if (stencil.grid.periodic[i % dimensions])
      distances[i] = (distances[i] % side + side + (side - 1) / 2) % side - (side - 1) / 2;
  }
  stencil.distances = distances;
  return tutti_stencil_sort(distances, stencil.count, dimensions);
}

/* Sources and destinations of a rank, in an order of its own. */
static void set_neighbors(int rank, int turn)
{
  struct place *place = &places[rank];
  memset(place, 0, sizeof *place);
  for (int i = 0; i < stencil.count; i++) {
    int back[3] = {0};
    const int *distance = distances + (i + turn) % stencil.count * stencil.grid.dimensions;
    const int to = tutti_grid_at(&stencil.grid, rank, distance);
    for (int d = 0; d < stencil.grid.dimensions; d++)
      back[d] = -distance[d];
    const int from = tutti_grid_at(&stencil.grid, rank, back);
    if (to >= 0 || turn == 0)
      place->destinations[place->near.out++] = to;
    if (from >= 0 || turn == 0)
      place->sources[place->near.in++] = from;
  }
  place->near.sources = place->sources;
  place->near.destinations = place->destinations;
  assert_true(tutti_stencil_fits(&stencil, rank, &place->near, place->in_slots, place->out_slots));
  place->near.stencil = &stencil;
  place->near.in_slots = place->in_slots;
  place->near.out_slots = place->out_slots;
}

static long proven;

static void prove_on_grid(int size, take *takes, int shift)
{
  if (!set_stencil(takes, shift))
    return;
  for (int alltoall = 0; alltoall < 2; alltoall++)
    for (uint64_t count = 0; count < 3; count += 2) {
      const tutti_collective collective = alltoall ? TUTTI_COLL_ALLTOALL : TUTTI_COLL_ALLGATHER;
      for (int r = 0; r < size; r++) {
        set_neighbors(r, stencil.count > 0 ? r % stencil.count : 0);
        set_call(size, r, collective, count);
      }
      const tutti_total total = prove(collective, TUTTI_NEIGHBOR_COMBINING);
      assert_true(total.maximum.sends <= (uint64_t)tutti_stencil_messages(&stencil));
      proven++;
    }
}

TEST(test_combining_on_grids)
{
  take *const stencils[] = {take_all, take_others, take_nearest, take_lopsided, take_none};
  int sides[3];
  for (sides[0] = 1; sides[0] <= GRID_RANKS; sides[0]++)
    for (sides[1] = 1; sides[0] * sides[1] <= GRID_RANKS; sides[1]++)
      for (sides[2] = 1; sides[0] * sides[1] * sides[2] <= GRID_RANKS; sides[2]++)
        for (int periodic = 0; periodic < 8; periodic++) {
          const int dimensions = sides[2] > 1 ? 3 : sides[1] > 1 ? 2 : 1;
          stencil.grid = (tutti_grid){.dimensions = dimensions};
          if (periodic >> dimensions || (sides[0] > 12 && sides[1] * sides[2] == 1))
            continue;
          for (int d = 0; d < dimensions; d++) {
            stencil.grid.sides[d] = sides[d];
            stencil.grid.periodic[d] = periodic >> d & 1;
          }
          for (size_t s = 0; s < sizeof stencils / sizeof *stencils; s++)
            for (int shift = 0; shift < 2; shift++)
              prove_on_grid(sides[0] * sides[1] * sides[2], stencils[s], shift);
        }
  printf("%ld calls proven\n", proven);
}

/* All 26 nearest neighbors on a torus: 6 messages a rank; what moves is known from the distances. */
TEST(test_combining_counts)
{
  stencil.grid = (tutti_grid){.dimensions = 3, .sides = {3, 3, 4}, .periodic = {true, true, true}};
  assert_true(set_stencil(take_others, 0));
  assert_int_equal(stencil.count, 26);
  assert_true(tutti_stencil_is_connected(&stencil));
  assert_int_equal(tutti_stencil_messages(&stencil), 6);
  for (int r = 0; r < MAX_RANKS; r++)
    set_neighbors(r, 0);
  for (int r = 0; r < MAX_RANKS; r++)
    set_call(MAX_RANKS, r, TUTTI_COLL_ALLTOALL, 1);
  tutti_total total = prove(TUTTI_COLL_ALLTOALL, TUTTI_NEIGHBOR_COMBINING);
  assert_int_equal(total.maximum.sends, 6);
  assert_int_equal(total.maximum.elements_sent, 54); /* 6 * 1 + 12 * 2 + 8 * 3 */
  assert_int_equal(total.depth, 3);
  for (int r = 0; r < MAX_RANKS; r++)
    set_call(MAX_RANKS, r, TUTTI_COLL_ALLGATHER, 1);
  total = prove(TUTTI_COLL_ALLGATHER, TUTTI_NEIGHBOR_COMBINING);
  assert_int_equal(total.maximum.sends, 6);
  assert_int_equal(total.maximum.elements_sent, 26); /* 2 + 2 * 3 + 2 * 9: each block comes to each rank once */
}

/* A diagonal alone passes ranks that are no neighbors. */
TEST(test_stencils_that_do_not_fit)
{
  tutti_neighbors near = {.in = 1, .out = 1, .sources = (const int[]){5}, .destinations = (const int[]){4}};
  int in[1], out[1], to[2];
  stencil = (tutti_stencil){{.dimensions = 2, .sides = {3, 3}, .periodic = {true, true}}, 1, (const int[]){1, 1}};
  assert_false(tutti_stencil_is_connected(&stencil));
  assert_false(tutti_stencil_fits(&stencil, 0, &near, in, out));
  near.sources = (const int[]){8};
  assert_true(tutti_stencil_fits(&stencil, 0, &near, in, out));
  assert_true(tutti_grid_distances(&stencil.grid, 0, (const int[]){8}, 1, to));
  assert_true(to[0] == -1 && to[1] == -1);
  assert_false(tutti_grid_distances(&stencil.grid, 0, (const int[]){9}, 1, to));
  assert_false(tutti_stencil_sort((int[]){0, 1, 0, 1}, 2, 2));
  assert_null(tutti_neighbor_algorithm(TUTTI_COLL_ALLTOALLV, TUTTI_NEIGHBOR_COMBINING));
  calls[0] = (tutti_call){.size = 9, .type_size = 1, .output = {(const uint64_t[]){0, 1}}, .near = &near};
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_schedule schedule;
  tutti_arena_init(&arena);
  const tutti_method method =
      tutti_method_default(tutti_neighbor_algorithm(TUTTI_COLL_ALLGATHER, TUTTI_NEIGHBOR_COMBINING));
  assert_int_equal(tutti_method_schedule(&method, &calls[0], &arena, &schedule, &error), TUTTI_ERR_UNSUPPORTED);
}
