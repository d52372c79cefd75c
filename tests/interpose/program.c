/* An ordinary MPI program, which knows nothing of Tutti: all blocking collectives, in and out of place, with answers
   that it checks itself. It must pass with the interposer and, but for what an argument names, without. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 8, MOST = 3000 };

struct tally {
  int passed, failed;
  const char *skip; /* what this MPI library does wrong itself */
};

/* A communicator under test. */
struct group {
  struct tally *tally;
  const char *name;
  MPI_Comm comm;
  int size, rank;
};

static void check(struct tally *tally, bool good, const char *what, const char *where)
{
  tally->passed += good;
  tally->failed += !good;
  if (!good)
    fprintf(stderr, "FAILED: %s on %s\n", what, where);
}

static void expect(const struct group *g, bool good, const char *what)
{
  check(g->tally, good, what, g->name);
}

static bool skips(const struct tally *tally, const char *what)
{
  return strstr(tally->skip, what);
}

/* Does the library say this word of itself? With the standard ABI the header does not tell which one runs. */
static bool says(const char *word)
{
  static char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strstr(version, word);
}

/* Element i of what rank `from` has for rank `to`. */
static int letter(int from, int to, int i)
{
  return 100003 * (from + 1) + 1009 * (to + 1) + i;
}

static void fill(int *data, int from, int to, int count)
{
  for (int i = 0; i < count; i++)
    data[i] = letter(from, to, i);
}

static bool holds(const int *data, int from, int to, int count)
{
  for (int i = 0; i < count; i++)
    if (data[i] != letter(from, to, i))
      return false;
  return true;
}

static int *ints(int count)
{
  int *data = malloc((size_t)(count + 1) * sizeof *data);
  for (int i = 0; i < count; i++)
    data[i] = -1;
  return data;
}

/* ---- one to all, all to one ---- */

static void bcast(const struct group *g, int root, int count)
{
  int *data = ints(count);
  if (g->rank == root)
    fill(data, root, 0, count);
  expect(g, MPI_Bcast(data, count, MPI_INT, root, g->comm) == MPI_SUCCESS && holds(data, root, 0, count), "bcast");
  free(data);
}

/* Every second int at the root, one after the other elsewhere. */
static void bcast_of_types(const struct group *g, int root, int count)
{
  MPI_Datatype spread;
  int *data = ints(2 * count), right = 1;
  MPI_Type_vector(count, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  bool at_root = g->rank == root;
  for (int i = 0; i < count && at_root; i++)
    data[2 * i] = letter(root, 0, i);
  MPI_Bcast(data, at_root ? 1 : count, at_root ? spread : MPI_INT, root, g->comm);
  for (int i = 0; i < count; i++)
    right = right && data[at_root ? 2 * i : i] == letter(root, 0, i);
  expect(g, right, "bcast of derived types");
  MPI_Type_free(&spread);
  free(data);
}

static void scatter(const struct group *g, int root, int count)
{
  int *all = ints(count * g->size), *own = ints(count);
  bool at_root = g->rank == root;
  for (int r = 0; r < g->size && at_root; r++)
    fill(all + r * count, root, r, count);
  MPI_Scatter(all, count, MPI_INT, own, count, MPI_INT, root, g->comm);
  expect(g, holds(own, root, g->rank, count), "scatter");
  MPI_Scatter(all, count, MPI_INT, at_root ? MPI_IN_PLACE : own, count, MPI_INT, root, g->comm);
  expect(g, at_root ? holds(all + root * count, root, root, count) : holds(own, root, g->rank, count),
         "scatter in place");
  free(all);
  free(own);
}

static void gather(const struct group *g, int root, int count)
{
  int *all = ints(count * g->size), *own = ints(count), right = 1;
  bool at_root = g->rank == root;
  fill(own, g->rank, 0, count);
  MPI_Gather(own, count, MPI_INT, all, count, MPI_INT, root, g->comm);
  for (int r = 0; r < g->size && at_root; r++)
    right = right && holds(all + r * count, r, 0, count);
  expect(g, right, "gather");
  memset(all, 0, (size_t)(count * g->size) * sizeof *all);
  fill(all + g->rank * count, g->rank, 0, count);
  MPI_Gather(at_root ? MPI_IN_PLACE : own, count, MPI_INT, at_root ? all : NULL, count, MPI_INT, root, g->comm);
  for (int r = 0; r < g->size && at_root; r++)
    right = right && holds(all + r * count, r, 0, count);
  expect(g, right, "gather in place");
  free(all);
  free(own);
}

/* Rank r has r + 1 elements, with one of space after each block. */
static int lay_out(int size, int *counts, int *places)
{
  int end = 0;
  for (int r = 0; r < size; r++) {
    counts[r] = r + 1;
    places[r] = end;
    end += counts[r] + 1;
  }
  return end;
}

static void scatterv(const struct group *g, int root)
{
  int counts[MAX_RANKS], places[MAX_RANKS], end = lay_out(g->size, counts, places);
  int *all = ints(end), own[MAX_RANKS];
  for (int r = 0; r < g->size; r++)
    fill(all + places[r], root, r, counts[r]);
  MPI_Scatterv(g->rank == root ? all : NULL, counts, places, MPI_INT, own, g->rank + 1, MPI_INT, root, g->comm);
  expect(g, holds(own, root, g->rank, g->rank + 1), "scatterv");
  free(all);
}

static void gatherv(const struct group *g, int root)
{
  int counts[MAX_RANKS], places[MAX_RANKS], end = lay_out(g->size, counts, places), right = 1;
  int *all = ints(end), own[MAX_RANKS];
  bool at_root = g->rank == root;
  fill(own, g->rank, 0, g->rank + 1);
  MPI_Gatherv(own, g->rank + 1, MPI_INT, at_root ? all : NULL, at_root ? counts : NULL, at_root ? places : NULL,
              MPI_INT, root, g->comm);
  for (int r = 0; r < g->size && at_root; r++)
    right = right && holds(all + places[r], r, 0, counts[r]) && all[places[r] + counts[r]] == -1;
  expect(g, right, "gatherv");
  free(all);
}

/* ---- all to all ---- */

static void allgather(const struct group *g, int count)
{
  int *all = ints(count * g->size), *own = ints(count), right = 1;
  fill(own, g->rank, 0, count);
  MPI_Allgather(own, count, MPI_INT, all, count, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++)
    right = right && holds(all + r * count, r, 0, count);
  expect(g, right, "allgather");
  memset(all, 0, (size_t)(count * g->size) * sizeof *all);
  fill(all + g->rank * count, g->rank, 0, count);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++)
    right = right && holds(all + r * count, r, 0, count);
  expect(g, right, "allgather in place");
  free(all);
  free(own);
}

static void allgatherv(const struct group *g)
{
  int counts[MAX_RANKS], places[MAX_RANKS], end = lay_out(g->size, counts, places), right = 1;
  int *all = ints(end), own[MAX_RANKS];
  fill(own, g->rank, 0, g->rank + 1);
  MPI_Allgatherv(own, g->rank + 1, MPI_INT, all, counts, places, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++)
    right = right && holds(all + places[r], r, 0, counts[r]) && all[places[r] + counts[r]] == -1;
  expect(g, right, "allgatherv");
  free(all);
}

static void alltoall(const struct group *g, int count)
{
  int *from = ints(count * g->size), *to = ints(count * g->size), right = 1;
  for (int r = 0; r < g->size; r++)
    fill(from + r * count, g->rank, r, count);
  MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, g->comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, from, count, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++)
    right = right && holds(to + r * count, r, g->rank, count) && holds(from + r * count, r, g->rank, count);
  expect(g, right, "alltoall, in and out of place");
  free(from);
  free(to);
}

/* From a to b go a + 2 b elements, none from 0 to 0; by alltoallv, and by alltoallw with places in bytes. */
static void alltoallv(const struct group *g)
{
  int out[MAX_RANKS], in[MAX_RANKS], out_at[MAX_RANKS], in_at[MAX_RANKS], out_end = 0, in_end = 0, right = 1;
  MPI_Datatype types[MAX_RANKS];
  for (int r = 0; r < g->size; r++) {
    out[r] = g->rank + 2 * r;
    in[r] = r + 2 * g->rank;
    out_at[r] = out_end;
    in_at[r] = in_end;
    out_end += out[r];
    in_end += in[r];
    types[r] = MPI_INT;
  }
  int *from = ints(out_end), *to = ints(in_end), *again = ints(in_end);
  for (int r = 0; r < g->size; r++)
    fill(from + out_at[r], g->rank, r, out[r]);
  MPI_Alltoallv(from, out, out_at, MPI_INT, to, in, in_at, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++) {
    right = right && holds(to + in_at[r], r, g->rank, in[r]);
    out_at[r] *= (int)sizeof(int);
    in_at[r] *= (int)sizeof(int);
  }
  expect(g, right, "alltoallv");
  MPI_Alltoallw(from, out, out_at, types, again, in, in_at, types, g->comm);
  expect(g, memcmp(to, again, (size_t)in_end * sizeof *to) == 0, "alltoallw");
  free(from);
  free(to);
  free(again);
}

/* ---- reductions ---- */

/* Sum over ranks 0 to `last` of element i. */
static int sum_to(int last, int i)
{
  int sum = 0;
  for (int r = 0; r <= last; r++)
    sum += letter(r, 0, i);
  return sum;
}

static bool sums(const int *data, int last, int first, int count)
{
  for (int i = 0; i < count; i++)
    if (data[i] != sum_to(last, first + i))
      return false;
  return true;
}

static void reduce(const struct group *g, int root, int count)
{
  int *own = ints(count), *sum = ints(count);
  bool at_root = g->rank == root;
  fill(own, g->rank, 0, count);
  MPI_Reduce(own, at_root ? sum : NULL, count, MPI_INT, MPI_SUM, root, g->comm);
  expect(g, !at_root || sums(sum, g->size - 1, 0, count), "reduce");
  if (!skips(g->tally, "reduce-in-place")) {
    MPI_Reduce(at_root ? MPI_IN_PLACE : own, at_root ? own : NULL, count, MPI_INT, MPI_SUM, root, g->comm);
    expect(g, at_root ? sums(own, g->size - 1, 0, count) : holds(own, g->rank, 0, count), "reduce in place");
  }
  free(own);
  free(sum);
}

static void allreduce(const struct group *g, int count)
{
  int *own = ints(count), *sum = ints(count);
  fill(own, g->rank, 0, count);
  MPI_Allreduce(own, sum, count, MPI_INT, MPI_SUM, g->comm);
  MPI_Allreduce(MPI_IN_PLACE, own, count, MPI_INT, MPI_SUM, g->comm);
  expect(g, sums(sum, g->size - 1, 0, count) && sums(own, g->size - 1, 0, count), "allreduce, in and out of place");
  free(own);
  free(sum);
}

static void scans(const struct group *g, int count)
{
  int *own = ints(count), *sum = ints(count), *before = ints(count);
  fill(own, g->rank, 0, count);
  MPI_Exscan(own, before, count, MPI_INT, MPI_SUM, g->comm);
  expect(g, g->rank == 0 || sums(before, g->rank - 1, 0, count), "exscan");
  MPI_Scan(own, sum, count, MPI_INT, MPI_SUM, g->comm);
  MPI_Scan(MPI_IN_PLACE, own, count, MPI_INT, MPI_SUM, g->comm);
  expect(g, sums(sum, g->rank, 0, count) && sums(own, g->rank, 0, count), "scan, in and out of place");
  free(own);
  free(sum);
  free(before);
}

static void reduce_scatters(const struct group *g, int count)
{
  int counts[MAX_RANKS], first = 0, total = 0;
  int *own = ints(count * g->size), *sum = ints(count);
  fill(own, g->rank, 0, count * g->size);
  MPI_Reduce_scatter_block(own, sum, count, MPI_INT, MPI_SUM, g->comm);
  expect(g, sums(sum, g->size - 1, g->rank * count, count), "reduce_scatter_block");
  for (int r = 0; r < g->size; r++) {
    counts[r] = r % 2 ? count : count / 2;
    first += r < g->rank ? counts[r] : 0;
    total += counts[r];
  }
  MPI_Reduce_scatter(own, sum, counts, MPI_INT, MPI_SUM, g->comm);
  expect(g, sums(sum, g->size - 1, first, counts[g->rank]), "reduce_scatter");
  MPI_Reduce_scatter(MPI_IN_PLACE, own, counts, MPI_INT, MPI_SUM, g->comm);
  expect(g, sums(own, g->size - 1, first, counts[g->rank]), "reduce_scatter in place");
  free(own);
  free(sum);
}

/* Products of 2 x 2 matrices modulo 2^32: associative, not commutative. */
static void multiply(void *in, void *inout, int *length, MPI_Datatype *type)
{
  const unsigned *a = in;
  unsigned *b = inout;
  (void)type;
  for (int i = 0; i < *length; i++, a += 4, b += 4) {
    unsigned p = a[0] * b[0] + a[1] * b[2], q = a[0] * b[1] + a[1] * b[3];
    unsigned r = a[2] * b[0] + a[3] * b[2], s = a[2] * b[1] + a[3] * b[3];
    b[0] = p, b[1] = q, b[2] = r, b[3] = s;
  }
}

static void matrix_of(int rank, unsigned *matrix)
{
  const unsigned values[4] = {(unsigned)rank + 2, 1, 3, (unsigned)rank * 5 + 1};
  memcpy(matrix, values, sizeof values);
}

static void products(const struct group *g)
{
  MPI_Datatype matrix;
  MPI_Op product;
  unsigned own[4], expected[4], next[4], result[4];
  int one = 1;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &product);
  matrix_of(g->rank, own);
  matrix_of(g->size - 1, expected);
  for (int r = g->size - 2; r >= 0; r--) {
    matrix_of(r, next);
    multiply(next, expected, &one, &matrix);
  }
  MPI_Allreduce(own, result, 1, matrix, product, g->comm);
  expect(g, memcmp(result, expected, sizeof result) == 0, "allreduce that does not commute");
  MPI_Reduce(own, result, 1, matrix, product, g->size - 1, g->comm);
  expect(g, g->rank != g->size - 1 || memcmp(result, expected, sizeof result) == 0, "reduce that does not commute");
  MPI_Scan(own, result, 1, matrix, product, g->comm);
  expect(g, skips(g->tally, "scan-order") || g->rank != g->size - 1 || memcmp(result, expected, sizeof result) == 0,
         "scan that does not commute");
  MPI_Op_free(&product);
  MPI_Type_free(&matrix);
}

static void located(const struct group *g)
{
  struct {
    double value;
    int rank;
  } own = {-g->rank, g->rank}, least;
  MPI_Allreduce(&own, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, g->comm);
  expect(g, least.rank == g->size - 1, "allreduce by MPI_MINLOC");
}

/* ---- all of them ---- */

static void all_collectives(struct tally *tally, const char *name, MPI_Comm comm)
{
  static const int counts[] = {0, 1, 7, MOST};
  struct group g = {.tally = tally, .name = name, .comm = comm};
  MPI_Comm_size(comm, &g.size);
  MPI_Comm_rank(comm, &g.rank);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    int root = (int)c % g.size, count = counts[c];
    bcast(&g, root, count);
    if (!skips(tally, "bcast-of-types"))
      bcast_of_types(&g, root, count);
    scatter(&g, root, count);
    gather(&g, root, count);
    allgather(&g, count);
    alltoall(&g, count);
    reduce(&g, root, count);
    allreduce(&g, count);
    scans(&g, count);
    reduce_scatters(&g, count);
  }
  scatterv(&g, g.size - 1);
  gatherv(&g, g.size - 1);
  allgatherv(&g);
  alltoallv(&g);
  products(&g);
  located(&g);
  expect(&g, MPI_Barrier(comm) == MPI_SUCCESS, "barrier");
}

/* ---- what must not be disturbed ---- */

/* A receive that takes anything waits all the time, and gets nothing but what its program sends. */
static void with_a_receive_pending(struct tally *tally, MPI_Comm comm)
{
  MPI_Request request;
  int size, rank, flag, data = -1;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  all_collectives(tally, "a communicator with a receive pending", comm);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  check(tally, !flag && data == -1, "a collective leaves the program's receive alone", "world");
  MPI_Barrier(comm);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 5, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(tally, data == (rank + size - 1) % size, "the program's message arrives", "world");
}

/* The same small buffer again and again, for every root, and for datatypes and operations that come and go: a new one
   may have the handle of one that was freed. */
static void the_same_buffer(struct tally *tally, MPI_Comm comm)
{
  int size, rank, data[8], sum[2], right = 1;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < 4 * size; i++) {
    int root = i / 2 % size;
    int word = rank == root ? letter(root, i, 1) : -1;
    MPI_Bcast(&word, 1, MPI_INT, root, comm);
    right = right && word == letter(root, i, 1);
  }
  for (int i = 0; i < 6 * size; i++) {
    MPI_Datatype type;
    MPI_Op product;
    unsigned matrix[4], power[4];
    int one = 1;
    int root = i / 2 % size, stride = i % 3 + 1;
    data[0] = data[stride] = rank == root ? letter(root, i, 0) : -1;
    if (stride == 1)
      MPI_Type_contiguous(2, MPI_INT, &type);
    else
      MPI_Type_vector(2, 1, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(data, 1, type, root, comm);
    MPI_Type_free(&type);
    right = right && data[0] == letter(root, i, 0) && data[stride] == letter(root, i, 0);
    data[0] = rank + i;
    MPI_Reduce(data, sum, 1, MPI_INT, MPI_SUM, root, comm);
    right = right && (rank != root || sum[0] == size * i + size * (size - 1) / 2);
    MPI_Reduce(data, sum, 1, MPI_INT, MPI_MAX, root, comm);
    right = right && (rank != root || sum[0] == size - 1 + i);
    MPI_Op_create(multiply, i % 2, &product);
    MPI_Type_contiguous(4, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    matrix_of(i, matrix);
    matrix_of(i, power);
    for (int r = 1; r < size; r++)
      multiply(matrix, power, &one, &type);
    MPI_Allreduce(MPI_IN_PLACE, matrix, 1, type, product, comm);
    right = right && memcmp(matrix, power, sizeof power) == 0;
    MPI_Type_free(&type);
    MPI_Op_free(&product);
  }
  check(tally, right, "the same buffer, for other roots, types and operations", "world");
}

/* ---- arguments that change from call to call, behind the same addresses ---- */

enum { CHANGES = 600, MAX_PLACES = 64 };

/* Counts and places of the blocks in the call with that number: any of 3 x 32 layouts, the same on all ranks. */
static int lay_out_change(int change, int size, int *counts, int *places)
{
  int end = change / 3 % 4;
  for (int r = 0; r < size; r++) {
    counts[r] = (change + r) % 3;
    places[r] = end;
    end += counts[r] + change / 12 % 2;
  }
  return end;
}

static bool gathers(int *own, int *all, const int *counts, const int *places, int change, bool in_place, MPI_Comm comm)
{
  int rank, size, right = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < MAX_PLACES; i++)
    all[i] = -1;
  fill(in_place ? all + places[rank] : own, rank, change, counts[rank]);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : own, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm);
  for (int r = 0; r < size; r++)
    right = right && holds(all + places[r], r, change, counts[r]);
  return right;
}

static bool exchanges(int *from, int *to, const int *counts, const int *places, int change, MPI_Comm comm)
{
  int rank, size, right = 1, in[MAX_RANKS], in_places[MAX_RANKS];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int r = 0; r < size; r++) { /* all send me as much as I send to myself */
    in[r] = counts[rank];
    in_places[r] = r * 4;
    fill(from + places[r], rank, r + change, counts[r]);
  }
  MPI_Alltoallv(from, counts, places, MPI_INT, to, in, in_places, MPI_INT, comm);
  for (int r = 0; r < size; r++)
    right = right && holds(to + 4 * r, r, rank + change, in[r]);
  return right;
}

static bool scatters_and_gathers(int *own, int *all, const int *counts, const int *places, int change, MPI_Comm comm)
{
  int rank, size, right = 1, root;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  root = change % size;
  for (int r = 0; r < size && rank == root; r++)
    fill(all + places[r], root, r + change, counts[r]);
  MPI_Scatterv(all, counts, places, MPI_INT, own, counts[rank], MPI_INT, root, comm);
  right = holds(own, root, rank + change, counts[rank]);
  fill(own, rank, change, counts[rank]);
  MPI_Gatherv(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, root, comm);
  for (int r = 0; r < size && rank == root; r++)
    right = right && holds(all + places[r], r, change, counts[r]);
  return right;
}

/* Blocks of the same array, whose contents change; buffers that move; in place and not. */
static void changing_arguments(struct tally *tally, MPI_Comm comm)
{
  int counts[MAX_RANKS], places[MAX_RANKS], size, good = 1;
  int *memory = ints(16 * MAX_PLACES);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < CHANGES; i++) {
    int change = i * 7919 % 193, *one = memory + i % 5 * MAX_PLACES, *other = memory + (5 + i % 7) * MAX_PLACES;
    lay_out_change(change, size, counts, places);
    good = gathers(one, other, counts, places, change, change % 5 == 0, comm) && good;
    good = exchanges(other, one, counts, places, change, comm) && good;
    good = scatters_and_gathers(one, other, counts, places, change, comm) && good;
  }
  check(tally, good, "arguments that change behind the same addresses", "world");
  free(memory);
}

static int copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
  (void)comm, (void)key;
  ++*(int *)extra;
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static void attributes(struct tally *tally)
{
  int copies = 0, key;
  MPI_Comm own, twin;
  MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, &copies);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_attr(own, key, &copies);
  all_collectives(tally, "a communicator with attributes", own);
  check(tally, copies == 0, "attributes are not copied", "a communicator with attributes");
  MPI_Comm_dup(own, &twin);
  check(tally, copies == 1, "attributes are copied once", "a duplicate");
  MPI_Comm_free(&own);
  all_collectives(tally, "a duplicate whose original is freed", twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free_keyval(&key);
}

static void many_communicators(struct tally *tally)
{
  int rank, good = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; i++) {
    MPI_Comm half;
    int sum = 0, one = 1, size;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_size(half, &size);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, half);
    MPI_Bcast(&sum, 1, MPI_INT, 0, half);
    good = good && sum == size;
    MPI_Comm_free(&half);
  }
  check(tally, good, "communicators come and go", "world");
}

static int handled; /* calls of the error handler; under SMPI the program's globals are private to a rank */

static void handle(MPI_Comm *comm, int *code, ...)
{
  (void)comm, (void)code;
  handled++;
}

/* Rank 0 gives one buffer twice, after a call with two, and MPICH says so without a message to others. */
static void aliases(struct tally *tally, MPI_Comm comm)
{
  int size, rank, class[9], calls = 0, counts[MAX_RANKS], places[MAX_RANKS];
  int *one = ints(2 * MAX_RANKS), *two = ints(2 * MAX_RANKS);
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r;
  }
  MPI_Gather(one, 1, MPI_INT, two, 1, MPI_INT, 0, comm);
  MPI_Gatherv(one, 1, MPI_INT, two, counts, places, MPI_INT, 0, comm);
  MPI_Scatter(one, 1, MPI_INT, two, 1, MPI_INT, 0, comm);
  MPI_Scatterv(one, counts, places, MPI_INT, two, 1, MPI_INT, 0, comm);
  MPI_Allgather(one, 1, MPI_INT, two, 1, MPI_INT, comm);
  MPI_Allgatherv(one, 1, MPI_INT, two, counts, places, MPI_INT, comm);
  MPI_Alltoall(one, 1, MPI_INT, two, 1, MPI_INT, comm);
  MPI_Alltoallv(one, counts, places, MPI_INT, two, counts, places, MPI_INT, comm);
  if (rank == 0) {
    MPI_Error_class(MPI_Gather(one, 1, MPI_INT, one, 1, MPI_INT, 0, comm), &class[calls++]);
    MPI_Error_class(MPI_Gatherv(one, 1, MPI_INT, one, counts, places, MPI_INT, 0, comm), &class[calls++]);
    MPI_Error_class(MPI_Scatter(one, 1, MPI_INT, one, 1, MPI_INT, 0, comm), &class[calls++]);
    MPI_Error_class(MPI_Scatterv(one, counts, places, MPI_INT, one, 1, MPI_INT, 0, comm), &class[calls++]);
    MPI_Error_class(MPI_Allgather(one, 1, MPI_INT, one, 1, MPI_INT, comm), &class[calls++]);
    MPI_Error_class(MPI_Allgatherv(one, 1, MPI_INT, one, counts, places, MPI_INT, comm), &class[calls++]);
    MPI_Error_class(MPI_Alltoall(one, 1, MPI_INT, one, 1, MPI_INT, comm), &class[calls++]);
    MPI_Error_class(MPI_Alltoallv(one, counts, places, MPI_INT, one, counts, places, MPI_INT, comm), &class[calls++]);
  }
  MPI_Exscan(one, two, 1, MPI_INT, MPI_SUM, comm);
  MPI_Error_class(MPI_Exscan(one, one, 1, MPI_INT, MPI_SUM, comm), &class[calls++]);
  for (int c = 0; c < calls; c++)
    check(tally, class[c] == MPI_ERR_BUFFER, "one buffer twice returns MPI_ERR_BUFFER", "gather ... alltoallv, exscan");
  MPI_Barrier(comm);
  free(one);
  free(two);
}

#ifndef SMPI_HELPERS_H /* which takes one buffer twice */
/* The root gives one buffer twice, which the library reports to it alone. A second call takes the others' data. */
static void aliased_root(struct tally *tally, MPI_Comm comm)
{
  int rank, class, one = 1, sum = 0;
  MPI_Comm_rank(comm, &rank);
  for (int call = 0; call < 5; call++) /* the first ones are not served */
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
  MPI_Error_class(MPI_Reduce(&one, rank == 0 ? &one : NULL, 1, MPI_INT, MPI_SUM, 0, comm), &class);
  check(tally, (class == MPI_ERR_BUFFER || class == MPI_ERR_ARG) == (rank == 0),
        "one buffer twice is reported at the root", "reduce");
  if (class != MPI_SUCCESS)
    MPI_Error_class(MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm), &class);
  check(tally, class == MPI_SUCCESS, "the call that follows is served", "reduce");
}
#endif

/* Irregular data without a buffer, at which Open MPI does not look. */
static void missing_buffers(struct tally *tally, MPI_Comm comm)
{
  int size, class[5], calls = 0, one[MAX_RANKS] = {0}, counts[MAX_RANKS], places[MAX_RANKS];
  MPI_Comm_size(comm, &size);
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r;
  }
  MPI_Error_class(MPI_Allgatherv(one, 1, MPI_INT, NULL, counts, places, MPI_INT, comm), &class[calls++]);
  MPI_Error_class(MPI_Alltoallv(NULL, counts, places, MPI_INT, one, counts, places, MPI_INT, comm), &class[calls++]);
  MPI_Error_class(MPI_Alltoallv(one, counts, places, MPI_INT, NULL, counts, places, MPI_INT, comm), &class[calls++]);
  MPI_Error_class(MPI_Reduce_scatter(NULL, one, counts, MPI_INT, MPI_SUM, comm), &class[calls++]);
  MPI_Error_class(MPI_Reduce_scatter(one, NULL, counts, MPI_INT, MPI_SUM, comm), &class[calls++]);
  for (int c = 0; c < calls; c++)
    check(tally, class[c] == MPI_ERR_BUFFER, "no buffer returns MPI_ERR_BUFFER",
          "allgatherv, alltoallv, reduce_scatter");
}

#ifdef SMPI_HELPERS_H /* which ends the program when a message is too long */
enum { MAX_LENGTHS = 1 };
#else
enum { MAX_LENGTHS = 2 };
#endif

/* The root sends more, or less, than the others expect: all of them must hear of it, and nobody may wait for ever. */
static void unequal_lengths(struct tally *tally)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  int rank, result, data[16] = {0};
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int longer = 0; longer < MAX_LENGTHS; longer++)
    for (int again = 0; again < 2; again++) {
      result = MPI_Bcast(data, rank == 0 ? longer ? 16 : 2 : 8, MPI_INT, 0, comm);
      check(tally, rank == 0 || result != MPI_SUCCESS, "a broadcast of unequal lengths fails",
            longer ? "long" : "short");
      result = MPI_Bcast(data, 4, MPI_INT, 0, comm);
      check(tally, result == MPI_SUCCESS, "the next broadcast does not", longer ? "long" : "short");
    }
  for (int again = 0; again < MAX_LENGTHS - 1; again++) {
    result = MPI_Bcast(data, rank == 1 ? 2 : 8, MPI_INT, 0, comm);
    check(tally, rank != 1 || result != MPI_SUCCESS, "a broadcast that one rank has no room for fails there", "world");
    check(tally, rank < 2 || !skips(tally, "pipeline") || result != MPI_SUCCESS, "and where its data would come from",
          "a pipeline");
    result = MPI_Bcast(data, 4, MPI_INT, 0, comm);
    check(tally, result == MPI_SUCCESS, "the next broadcast does not", "world");
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

/* MPICH needs none. */
static void missing_displacements(struct tally *tally, MPI_Comm comm)
{
  int class, data[MAX_RANKS] = {0}, nothing[MAX_RANKS] = {0};
  MPI_Error_class(MPI_Alltoallv(data, nothing, NULL, MPI_INT, data, nothing, nothing, MPI_INT, comm), &class);
  check(tally, class == MPI_ERR_ARG, "no displacements return MPI_ERR_ARG, though there is no data", "alltoallv");
}

static void errors(struct tally *tally)
{
  MPI_Comm own;
  MPI_Errhandler handler;
  int size, data = 0, class = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_size(own, &size);
  MPI_Barrier(own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Bcast(&data, 1, MPI_INT, size, own), &class);
  check(tally, class == MPI_ERR_ROOT, "a root out of range returns MPI_ERR_ROOT", "bcast");
  MPI_Error_class(MPI_Reduce(&data, &class, 1, MPI_INT, MPI_SUM, -7, own), &class);
  check(tally, class == MPI_ERR_ROOT, "a root out of range returns MPI_ERR_ROOT", "reduce");
  MPI_Error_class(MPI_Allgather(&data, 1, MPI_DATATYPE_NULL, &data, 1, MPI_DATATYPE_NULL, own), &class);
  check(tally, class == MPI_ERR_TYPE, "no datatype returns MPI_ERR_TYPE", "allgather");
  MPI_Error_class(MPI_Bcast(&data, -1, MPI_INT, 0, own), &class);
  check(tally, class == MPI_ERR_COUNT, "a negative count returns MPI_ERR_COUNT", "bcast");
  if (!says("MPICH"))
    missing_displacements(tally, own);
  if (!says("Open MPI"))
    missing_buffers(tally, own);
#ifndef SMPI_HELPERS_H
  aliased_root(tally, own);
#endif
  if (says("MPICH"))
    aliases(tally, own);
  if (!skips(tally, "unequal-lengths"))
    unequal_lengths(tally);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(own, handler);
  handled = 0;
  MPI_Bcast(&data, 1, MPI_INT, size, own);
  check(tally, handled == 1, "the error handler is called once", "bcast");
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&own);
}

static void between_groups(struct tally *tally)
{
  int rank, size, value = 0;
  MPI_Comm half, both;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2 || skips(tally, "intercommunicators"))
    return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 3, &both);
  MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MIN, both);
  check(tally, value == (rank + 1) % 2, "allreduce brings the other group's least rank", "an intercommunicator");
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

#ifndef SMPI_HELPERS_H
/* ---- arguments that are not significant may be anything ---- */

static void insignificant(struct tally *tally, MPI_Comm comm)
{
  int rank, size, value = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int *all = malloc((size_t)size * sizeof *all);
  for (int r = 0; r < size; r++)
    all[r] = r;
  MPI_Scatter(rank ? NULL : all, 1, rank ? MPI_DATATYPE_NULL : MPI_INT, &value, 1, MPI_INT, 0, comm);
  check(tally, value == rank, "no input but at the root", "scatter");
  MPI_Gather(&rank, 1, MPI_INT, rank ? NULL : all, 1, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, comm);
  check(tally, rank || all[size - 1] == size - 1, "no output but at the root", "gather");
  all[rank] = rank + 10;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
  check(tally, all[size - 1] == size + 9, "in place without a datatype", "allgather");
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
  check(tally, all[size - 1] == rank + 10, "in place without a datatype", "alltoall");
  free(all);
}

#endif

/* Rank 0 counts in hundreds what the others count one by one: a choice by the number of elements would differ. */
static void other_units(struct tally *tally, MPI_Comm comm)
{
  enum { MANY = 100 };
  int rank, size, right = 1;
  MPI_Datatype hundred;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int *all = calloc((size_t)size * 2 * MANY, sizeof *all), *counts = malloc(2 * (size_t)size * sizeof *counts);
  MPI_Type_contiguous(MANY, MPI_INT, &hundred);
  MPI_Type_commit(&hundred);
  for (int r = 0; r < size; r++) {
    counts[r] = (r < size - 1 ? 2 : 1) * (rank ? MANY : 1);
    counts[size + r] = 2 * r * (rank ? MANY : 1);
  }
  for (int i = 0; i < 2 * MANY; i++)
    all[rank * 2 * MANY + i] = rank * 1000 + i;
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, counts + size, rank ? MPI_INT : hundred, comm);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < (r < size - 1 ? 2 : 1) * MANY; i++)
      right = right && all[r * 2 * MANY + i] == r * 1000 + i;
  check(tally, right, "blocks counted in other units", "allgatherv");
  MPI_Type_free(&hundred);
  free(all);
  free(counts);
}

#ifndef SMPI_HELPERS_H
/* An attribute of MPI_COMM_SELF is how a program hears of the end. It may still use collectives then. */
static int at_the_end(MPI_Comm self, int key, void *value, void *extra)
{
  int rank, size, sum = -1;
  MPI_Comm *comm = value;
  (void)self, (void)key, (void)extra;
  MPI_Comm_rank(*comm, &rank);
  MPI_Comm_size(*comm, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, *comm);
  if (rank == 0)
    printf(sum == size * (size - 1) / 2 ? "the end is right\n" : "the end is wrong\n");
  return MPI_SUCCESS;
}

static void hear_of_the_end(void)
{
  static MPI_Comm twin;
  int key;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &twin);
}
#endif

int main(int argc, char **argv)
{
  struct tally tally = {0, 0, argc > 1 ? argv[1] : ""};
  MPI_Comm half;
  int rank, total[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  all_collectives(&tally, "world", MPI_COMM_WORLD);
  all_collectives(&tally, "self", MPI_COMM_SELF);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  all_collectives(&tally, "a half, in reverse", half);
  MPI_Comm_free(&half);
  with_a_receive_pending(&tally, MPI_COMM_WORLD);
  the_same_buffer(&tally, MPI_COMM_WORLD);
  changing_arguments(&tally, MPI_COMM_WORLD);
  attributes(&tally);
  many_communicators(&tally);
  between_groups(&tally);
  errors(&tally);
#ifndef SMPI_HELPERS_H /* which wants a datatype even in place, and tells MPI_COMM_SELF nothing of the end */
  insignificant(&tally, MPI_COMM_WORLD);
  hear_of_the_end();
#endif
  other_units(&tally, MPI_COMM_WORLD);
  const int counts[2] = {tally.passed, tally.failed};
  MPI_Reduce(counts, total, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d passed, %d failed\n", total[0], total[1]);
  MPI_Finalize();
  return tally.failed > 0;
}
