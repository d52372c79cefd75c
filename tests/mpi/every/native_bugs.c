#include "native_bugs.h"

#include <stdlib.h>
#include <string.h>

#if defined(SMPI_HELPERS_H)
enum { IN_SMPI = 1, IN_MPICH = 0, IN_OPENMPI = 0 };
#elif defined(OPEN_MPI)
enum { IN_SMPI = 0, IN_MPICH = 0, IN_OPENMPI = 1 };
#else
enum { IN_SMPI = 0, IN_MPICH = 1, IN_OPENMPI = 0 };
#endif

static int own_rank(void)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int group_size(void)
{
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

static unsigned char *copy_of(const unsigned char *memory, size_t bytes)
{
  unsigned char *copy = malloc(bytes);
  memcpy(copy, memory, bytes);
  return copy;
}

/* Elements from one buffer to another, gaps left alone. No element of a reduction has more than 16 bytes. */
static void copy_elements(const void *from, void *to, int count, MPI_Datatype type)
{
  int position = 0, bytes = 16 * count;
  char *packed = malloc((size_t)bytes + 1);
  MPI_Pack(from, count, type, packed, bytes, &position, MPI_COMM_WORLD);
  position = 0;
  MPI_Unpack(packed, bytes, &position, to, count, type, MPI_COMM_WORLD);
  free(packed);
}

/* The input from a copy of the output. */
static void reduce_from_copy(const struct call_case *c, const struct case_memory *memory)
{
  unsigned char *copy = copy_of(memory->output, memory->bytes);
  void *in = case_input(c, memory, own_rank());
  MPI_Reduce(in == MPI_IN_PLACE ? copy + memory->offset : in, memory->output + memory->offset, c->count, c->type, c->op,
             c->root, MPI_COMM_WORLD);
  free(copy);
}

static void allreduce_in_two_steps(const struct call_case *c, const struct case_memory *memory)
{
  unsigned char *copy = copy_of(memory->output, memory->bytes);
  void *in = case_input(c, memory, own_rank()), *out = memory->output + memory->offset;
  MPI_Reduce(in == MPI_IN_PLACE ? copy + memory->offset : in, out, c->count, c->type, c->op, 0, MPI_COMM_WORLD);
  MPI_Bcast(out, c->count, c->type, 0, MPI_COMM_WORLD);
  free(copy);
}

static void exchange_from_copy(const struct call_case *c, const struct case_memory *memory)
{
  unsigned char *copy = copy_of(memory->output, memory->bytes);
  void *in = copy + memory->offset, *out = memory->output + memory->offset;
  if (c->collective == TUTTI_COLL_ALLTOALLV)
    MPI_Alltoallv(in, c->output_counts, c->output_places, c->type, out, c->output_counts, c->output_places, c->type,
                  MPI_COMM_WORLD);
  else
    MPI_Alltoallw(in, c->output_counts, c->output_places, c->output_types, out, c->output_counts, c->output_places,
                  c->output_types, MPI_COMM_WORLD);
  free(copy);
}

/* The own block of what MPI_Allreduce gives. */
static void scatter_after_allreduce(const struct call_case *c, const struct case_memory *memory)
{
  MPI_Aint lower, extent;
  int first = 0, total = 0, rank = own_rank(), size = group_size();
  for (int r = 0; r < size; r++) {
    int count = c->output_counts ? c->output_counts[r] : c->count;
    first += r < rank ? count : 0;
    total += count;
  }
  unsigned char *all = copy_of(memory->output, memory->bytes);
  MPI_Type_get_extent(c->type, &lower, &extent);
  MPI_Allreduce(case_input(c, memory, rank), all + memory->offset, total, c->type, c->op, MPI_COMM_WORLD);
  copy_elements(all + memory->offset + first * extent, memory->output + memory->offset,
                c->output_counts ? c->output_counts[rank] : c->count, c->type);
  free(all);
}

/* Everybody gets all contributions and combines those of the ranks before it, from left to right. */
static void scan_by_hand(const struct call_case *c, const struct case_memory *memory)
{
  int rank = own_rank(), size = group_size(), last = c->collective == TUTTI_COLL_SCAN ? rank : rank - 1;
  void *in = case_input(c, memory, rank), *out = memory->output + memory->offset;
  MPI_Aint lower, extent;
  MPI_Type_get_extent(c->type, &lower, &extent);
  size_t block = (size_t)c->count * (size_t)extent;
  char *all = calloc((size_t)size, block + 1);
  MPI_Allgather(in == MPI_IN_PLACE ? out : in, (int)block, MPI_BYTE, all, (int)block, MPI_BYTE, MPI_COMM_WORLD);
  for (int r = 1; r <= last; r++)
    MPI_Reduce_local(all + block * (size_t)(r - 1), all + block * (size_t)r, c->count, c->type, c->op);
  if (last >= 0 && c->count > 0)
    copy_elements(all + block * (size_t)last, out, c->count, c->type);
  free(all);
}

static bool commutes(const struct call_case *c)
{
  int commutative;
  MPI_Op_commutative(c->op, &commutative);
  return commutative;
}

static bool begins_below_zero(const struct call_case *c)
{
  MPI_Aint lower, extent;
  MPI_Type_get_extent(c->type, &lower, &extent);
  return lower < 0;
}

bool native_bug_avoided(const struct call_case *c, const struct case_memory *memory)
{
  switch (c->collective) {
  case TUTTI_COLL_REDUCE: /* MPICH 4.0.2 reads the address MPI_IN_PLACE if the message is long and the root not 0 */
    if (!IN_MPICH || !c->in_place)
      return false;
    reduce_from_copy(c, memory);
    return true;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK: /* MPICH 4.0.2 writes beyond its own memory below a type's lower bound; */
  case TUTTI_COLL_REDUCE_SCATTER: /* Open MPI 4.1.4 is wrong in place unless the operation commutes, and at 5 ranks */
    if (!(IN_MPICH && begins_below_zero(c)) && !(IN_OPENMPI && c->in_place && c->output_counts))
      return false;
    scatter_after_allreduce(c, memory);
    return true;
  case TUTTI_COLL_ALLTOALLV: /* SMPI 3.32 is wrong in place on types with gaps */
  case TUTTI_COLL_ALLTOALLW:
    if (!IN_SMPI || !c->in_place)
      return false;
    exchange_from_copy(c, memory);
    return true;
  case TUTTI_COLL_ALLREDUCE: /* SMPI 3.32 divides by zero on many ranks with elements of many bytes */
    if (!IN_SMPI)
      return false;
    allreduce_in_two_steps(c, memory);
    return true;
  case TUTTI_COLL_SCAN: /* SMPI 3.32 combines in the wrong order */
  case TUTTI_COLL_EXSCAN:
    if (!IN_SMPI || commutes(c))
      return false;
    scan_by_hand(c, memory);
    return true;
  default:
    return false;
  }
}
