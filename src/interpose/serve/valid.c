#include "interpose/serve/serve.h"

#include <string.h>

#include "algorithms/mpi/elements.h"
#include "interpose/mpi_library.h"
#include "interpose/serve/communicator.h"

/* ---- buffers ---- */

/* MPI_BOTTOM is NULL where the addresses are in the datatype, or are the displacements if these are wide enough. */
static bool is_missing(const struct user_buffer *user_buffer, int size)
{
  if (user_buffer->base || (user_buffer->wide && user_buffer->displacements))
    return false;
  if (!user_buffer->counts)
    return user_buffer->count > 0 && tutti_type_is_predefined(user_buffer->type);
  for (int r = 0; r < size; r++)
    if (tutti_count_at(user_buffer, r) > 0 &&
        tutti_type_is_predefined(user_buffer->types ? user_buffer->types[r] : user_buffer->type))
      return true;
  return false;
}

static bool regular_is_valid(const struct user_buffer *user_buffer, int size)
{
  return user_buffer->count <= INT64_MAX && user_buffer->type != MPI_DATATYPE_NULL && !is_missing(user_buffer, size);
}

static bool irregular_is_valid(const struct user_buffer *user_buffer, int size, bool placed)
{
  /* MPICH needs no displacements without data */
  if (tutti_library_kind() != TUTTI_MPI_MPICH && placed && !user_buffer->displacements)
    return false;
  if (!user_buffer->counts || (!user_buffer->types && user_buffer->type == MPI_DATATYPE_NULL))
    return false;
  for (int r = 0; r < size; r++)
    if (tutti_count_at(user_buffer, r) < 0 ||
        (tutti_count_at(user_buffer, r) > 0 && ((placed && !user_buffer->displacements) ||
                                                (user_buffer->types && user_buffer->types[r] == MPI_DATATYPE_NULL))))
      return false;
  return !is_missing(user_buffer, size);
}

/* The buffer with a block for each rank may be irregular, and that of alltoallw has displacements without a type. */
static bool user_buffer_is_valid(const struct user_buffer *user_buffer, int size, bool may_be_in_place)
{
  if (user_buffer->base == MPI_IN_PLACE)
    return may_be_in_place;
  bool irregular = user_buffer->counts || user_buffer->displacements || user_buffer->types;
  return irregular ? irregular_is_valid(user_buffer, size, true) : regular_is_valid(user_buffer, size);
}

/* ---- aliased buffers: MPICH requires MPI_IN_PLACE, and reports the fault. Others take the same buffer twice ---- */

/* Whether the blocks of a rank have the same length in both buffers, as far as MPICH checks. For gather and scatter one
   buffer has blocks, the other is one. */
static bool are_as_long(const struct user_buffer *blocks, const struct user_buffer *one, int rank)
{
  if (blocks->type != one->type)
    return false;
  return blocks->counts ? one->count > 0 && tutti_count_at(blocks, rank) != 0
                        : one->count == blocks->count && blocks->count > 0;
}

/* From the beginning of a buffer of blocks to the own one. */
static MPI_Aint offset_of_own(const struct user_buffer *blocks, int rank)
{
  int size = 0;
  PMPI_Type_size(blocks->type, &size);
  return (blocks->counts ? tutti_displacement_at(blocks, rank) : (MPI_Aint)rank * (MPI_Aint)blocks->count) * size;
}

static bool mpich_alias_distance(const struct arguments *a, const tutti_view *view, MPI_Aint *distance)
{
  const struct user_buffer *in = &a->input, *out = &a->output;
  const int rank = view->rank;
  *distance = 0;
  switch (a->collective) {
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    if (rank != a->root || out->base == MPI_IN_PLACE || !are_as_long(in, out, rank))
      return false;
    *distance = -offset_of_own(in, rank);
    return true;
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    if (rank != a->root)
      return false;
    /* fall through */
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    if (in->base == MPI_IN_PLACE || !are_as_long(out, in, rank))
      return false;
    *distance = offset_of_own(out, rank);
    return true;
  case TUTTI_COLL_ALLTOALL:
    return in->base != MPI_IN_PLACE && in->type == out->type && in->count == out->count && in->count > 0;
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return in->base != MPI_IN_PLACE && in->type == out->type && in->types == out->types && in->counts == out->counts;
  default:
    return false;
  }
}

bool tutti_alias_distance(const struct arguments *a, const tutti_view *view, MPI_Aint *distance)
{
  return tutti_library_kind() == TUTTI_MPI_MPICH && mpich_alias_distance(a, view, distance);
}

static bool blocks_are_aliased(const struct arguments *a, const tutti_view *view)
{
  MPI_Aint distance;
  return tutti_alias_distance(a, view, &distance) &&
         (uintptr_t)a->input.base - (uintptr_t)a->output.base == (uintptr_t)distance;
}

/* ---- collectives ---- */

static bool scatter_is_valid(const struct arguments *a, int size, bool root)
{
  bool to = user_buffer_is_valid(&a->output, size, root);
  return to && (!root || (a->input.base != MPI_IN_PLACE && user_buffer_is_valid(&a->input, size, false)));
}

static bool gather_is_valid(const struct arguments *a, int size, bool root)
{
  return user_buffer_is_valid(&a->input, size, root) && (!root || user_buffer_is_valid(&a->output, size, false));
}

static bool exchange_is_valid(const struct arguments *a, int size)
{
  return user_buffer_is_valid(&a->output, size, false) && user_buffer_is_valid(&a->input, size, true);
}

bool tutti_neighbor_arguments_are_valid(const struct arguments *a, const tutti_neighbors *near)
{
  const bool gathers = a->collective == TUTTI_COLL_ALLGATHER || a->collective == TUTTI_COLL_ALLGATHERV;
  const int in = near->in, out = gathers ? 1 : near->out;
  return (in == 0 || user_buffer_is_valid(&a->output, in, false)) &&
         (out == 0 || user_buffer_is_valid(&a->input, out, false));
}

/* Reductions: Open MPI looks only at the root of MPI_Reduce(). */
static bool is_aliased(const struct arguments *a)
{
  const enum tutti_mpi_kind kind = tutti_library_kind();
  const bool looks = kind == TUTTI_MPI_MPICH || (kind == TUTTI_MPI_OPENMPI && a->collective == TUTTI_COLL_REDUCE);
  return looks && a->input.base == a->output.base && a->input.base && (a->output.count > 0 || a->output.counts);
}

static bool reduction_is_valid(const struct arguments *a, int size, bool with_output, bool may_be_in_place)
{
  const struct user_buffer *to = &a->output;
  struct user_buffer from = {
      .base = a->input.base, .count = to->count, .wide = to->wide, .counts = to->counts, .type = to->type};
  if (a->op == MPI_OP_NULL || to->type == MPI_DATATYPE_NULL || to->count > INT64_MAX)
    return false;
  if (a->collective == TUTTI_COLL_REDUCE_SCATTER && !irregular_is_valid(to, size, false))
    return false;
  if (from.base == MPI_IN_PLACE ? !may_be_in_place : is_missing(&from, size))
    return false;
  return !with_output || (to->base != MPI_IN_PLACE && !is_missing(to, size) && !is_aliased(a));
}

static bool buffers_are_valid(const struct arguments *a, const tutti_view *view)
{
  bool root = view->rank == a->root;
  if (a->root < 0 || a->root >= view->size)
    return false;
  switch (a->collective) {
  case TUTTI_COLL_BARRIER:
    return true;
  case TUTTI_COLL_BCAST:
    return user_buffer_is_valid(&a->output, view->size, false);
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    return scatter_is_valid(a, view->size, root);
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    return gather_is_valid(a, view->size, root);
  case TUTTI_COLL_REDUCE:
    return reduction_is_valid(a, view->size, root, root);
  case TUTTI_COLL_EXSCAN: /* the output of rank 0 is not significant */
    return reduction_is_valid(a, view->size, view->rank > 0 || a->input.base == MPI_IN_PLACE, true) && !is_aliased(a);
  default:
    if (tutti_collective_traits(a->collective) & TUTTI_REDUCES)
      return reduction_is_valid(a, view->size, true, true);
    return exchange_is_valid(a, view->size);
  }
}

bool tutti_arguments_are_valid(const struct arguments *a, const tutti_view *view)
{
  return buffers_are_valid(a, view) && !blocks_are_aliased(a, view);
}

/* ---- operations ---- */

static bool is_one_of(const void *handle, const void *list, size_t bytes, size_t size)
{
  for (size_t at = 0; at < bytes; at += size)
    if (memcmp((const char *)list + at, handle, size) == 0)
      return true;
  return false;
}

#define IS_ONE_OF(handle, list) is_one_of(&(handle), list, sizeof(list), sizeof *(list))

enum kind { FOR_ANY, FOR_NONE, FOR_NUMBERS, FOR_BITS, FOR_PAIRS };

/* The kind of types that an operation is defined for; any for a program's own one. */
static enum kind kind_of(MPI_Op op)
{
  const MPI_Op arithmetic[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD},
               logical[] = {MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR},
               located[] = {MPI_MINLOC, MPI_MAXLOC}, others[] = {MPI_NO_OP, MPI_REPLACE};
  if (IS_ONE_OF(op, arithmetic))
    return FOR_NUMBERS;
  if (IS_ONE_OF(op, logical))
    return FOR_BITS;
  if (IS_ONE_OF(op, located))
    return FOR_PAIRS;
  return IS_ONE_OF(op, others) ? FOR_NONE : FOR_ANY;
}

/* Whether the operation is defined for the datatype. */
static bool operation_serves(MPI_Op op, MPI_Datatype type)
{
  const MPI_Datatype pairs[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
                                MPI_2INT,      MPI_SHORT_INT,  MPI_LONG_DOUBLE_INT},
                     floating[] = {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE};
  enum kind kind = kind_of(op);
  bool pair = IS_ONE_OF(type, pairs);
  if (kind == FOR_ANY || kind == FOR_NONE || kind == FOR_PAIRS)
    return kind == FOR_ANY || (kind == FOR_PAIRS && pair);
  if (!tutti_type_is_predefined(type) || pair)
    return false;
  return kind == FOR_BITS ? !IS_ONE_OF(type, floating) : type != MPI_BYTE;
}

const char *tutti_why_not_reduced(const struct arguments *arguments, const struct communicator *communicator,
                                  struct choice *choice)
{
  MPI_Datatype type = arguments->output.type;
  if (!(tutti_collective_traits(arguments->collective) & TUTTI_REDUCES))
    return NULL;
  if (choice->op == arguments->op && choice->type == type && choice->known)
    return NULL;
  if (!operation_serves(arguments->op, type))
    return "operation";
  /* MPI_Reduce_local() of Open MPI 6.0.0rc2 reads it. */
  if (tutti_library_kind() == TUTTI_MPI_OPENMPI && communicator->tag < 0)
    return "no MPI_COMM_WORLD";
  choice->op = arguments->op;
  choice->type = type;
  return NULL;
}

bool tutti_call_rounds(const struct arguments *arguments)
{
  const MPI_Op op = arguments->op;
  const MPI_Datatype type = arguments->output.type;
  const MPI_Op exact[] = {MPI_MAX, MPI_MIN};
  const MPI_Datatype integers[] = {
      MPI_CHAR,     MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,     MPI_UNSIGNED_SHORT,     MPI_INT,
      MPI_UNSIGNED, MPI_LONG,        MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T,
      MPI_INT16_T,  MPI_INT32_T,     MPI_INT64_T,       MPI_UINT8_T,   MPI_UINT16_T,           MPI_UINT32_T,
      MPI_UINT64_T};
  if (!(tutti_collective_traits(arguments->collective) & TUTTI_REDUCES))
    return false;
  const enum kind kind = kind_of(op);
  return kind == FOR_ANY || (kind == FOR_NUMBERS && !IS_ONE_OF(op, exact) && !IS_ONE_OF(type, integers));
}
