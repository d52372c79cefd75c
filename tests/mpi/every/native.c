#include <stdlib.h>
#include <string.h>

#include "case.h"

static bool scatters(const struct call_case *call)
{
  return call->collective == TUTTI_COLL_SCATTER || call->collective == TUTTI_COLL_SCATTERV;
}

void *case_input(const struct call_case *call, const struct case_memory *memory, int rank)
{
  bool rooted = tutti_collective_traits(call->collective) & TUTTI_HAS_ROOT;
  bool in_place = call->in_place && !scatters(call) && (!rooted || rank == call->root);
  return in_place ? MPI_IN_PLACE : memory->input + memory->offset;
}

void *case_output(const struct call_case *call, const struct case_memory *memory, int rank)
{
  bool in_place = call->in_place && scatters(call) && rank == call->root;
  return in_place ? MPI_IN_PLACE : memory->output + memory->offset;
}

/* MPICH 4.0.2 reads the address MPI_IN_PLACE in a long MPI_Reduce in place to a root other than 0: there it gets a
 * copy. */
static void reduce_natively(const struct call_case *c, const struct case_memory *memory, void *in, void *out)
{
#ifdef MPICH_VERSION
  unsigned char *copy = malloc(memory->bytes);
  memcpy(copy, memory->output, memory->bytes);
  MPI_Reduce(in == MPI_IN_PLACE ? copy + memory->offset : in, out, c->count, c->type, c->op, c->root, MPI_COMM_WORLD);
  free(copy);
#else
  (void)memory;
  MPI_Reduce(in, out, c->count, c->type, c->op, c->root, MPI_COMM_WORLD);
#endif
}

#ifdef MPICH_VERSION
enum { NEGATIVE_BOUNDS_CRASH = 1 };
#else
enum { NEGATIVE_BOUNDS_CRASH = 0 };
#endif

/* MPICH 4.0.2 writes beyond its own memory in MPI_Reduce_scatter(_block) on a type with a negative lower bound: there
   the result is cut out of that of MPI_Allreduce. */
static bool scatter_natively(const struct call_case *c, const struct case_memory *memory, void *in, int rank, int size)
{
  MPI_Aint lower, extent;
  int first = 0, total = 0;
  MPI_Type_get_extent(c->type, &lower, &extent);
  if (!NEGATIVE_BOUNDS_CRASH || lower >= 0)
    return false;
  for (int r = 0; r < size; r++) {
    int count = c->output_counts ? c->output_counts[r] : c->count;
    first += r < rank ? count : 0;
    total += count;
  }
  unsigned char *all = malloc(memory->bytes);
  memcpy(all, memory->output, memory->bytes);
  MPI_Allreduce(in, all + memory->offset, total, c->type, c->op, MPI_COMM_WORLD);
  int own = c->output_counts ? c->output_counts[rank] : c->count, position = 0, bytes = 16 * own;
  unsigned char *packed = malloc((size_t)bytes + 1);
  MPI_Pack(all + memory->offset + first * extent, own, c->type, packed, bytes, &position, MPI_COMM_WORLD);
  position = 0;
  MPI_Unpack(packed, bytes, &position, memory->output + memory->offset, own, c->type, MPI_COMM_WORLD);
  free(packed);
  free(all);
  return true;
}

void case_native(const struct call_case *c, const struct case_memory *memory)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  void *in = case_input(c, memory, rank), *out = case_output(c, memory, rank);
  switch (c->collective) {
  case TUTTI_COLL_BCAST:
    MPI_Bcast(out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_BARRIER:
    MPI_Barrier(comm);
    break;
  case TUTTI_COLL_SCATTER:
    MPI_Scatter(in, c->count, c->type, out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_SCATTERV:
    MPI_Scatterv(in, c->output_counts, c->output_places, c->type, out, c->output_counts[rank], c->type, c->root, comm);
    break;
  case TUTTI_COLL_GATHER:
    MPI_Gather(in, c->count, c->type, out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_GATHERV:
    MPI_Gatherv(in, c->output_counts[rank], c->type, out, c->output_counts, c->output_places, c->type, c->root, comm);
    break;
  case TUTTI_COLL_ALLGATHER:
    MPI_Allgather(in, c->count, c->type, out, c->count, c->type, comm);
    break;
  case TUTTI_COLL_ALLGATHERV:
    MPI_Allgatherv(in, c->output_counts[rank], c->type, out, c->output_counts, c->output_places, c->type, comm);
    break;
  case TUTTI_COLL_ALLTOALL:
    MPI_Alltoall(in, c->count, c->type, out, c->count, c->type, comm);
    break;
  case TUTTI_COLL_ALLTOALLV:
    MPI_Alltoallv(in, c->input_counts, c->input_places, c->type, out, c->output_counts, c->output_places, c->type,
                  comm);
    break;
  case TUTTI_COLL_ALLTOALLW:
    MPI_Alltoallw(in, c->input_counts, c->input_places, c->input_types, out, c->output_counts, c->output_places,
                  c->output_types, comm);
    break;
  case TUTTI_COLL_REDUCE:
    reduce_natively(c, memory, in, out);
    break;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    if (!scatter_natively(c, memory, in, rank, size))
      MPI_Reduce_scatter_block(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_REDUCE_SCATTER:
    if (!scatter_natively(c, memory, in, rank, size))
      MPI_Reduce_scatter(in, out, c->output_counts, c->type, c->op, comm);
    break;
  case TUTTI_COLL_ALLREDUCE:
    MPI_Allreduce(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_SCAN:
    MPI_Scan(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_EXSCAN:
    MPI_Exscan(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_COUNT:
    break;
  }
}
