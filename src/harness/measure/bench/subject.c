/* The operation of a point, and the buffers that all points of a launch have. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/mpi/failure.h"
#include "harness/measure/bench/bench.h"

/* ---- buffers ---- */

/* All ranks of a simulation are in this process. */
static int ranks_sharing(const struct points *points, const tutti_view *view)
{
  return tutti_clock_is_simulated() || points->ranks_per_node > view->size ? view->size : points->ranks_per_node;
}

/* Checked before: a system that overcommits memory kills the process that uses it. In simulation
   all ranks get the same answer and can leave in good order; of real machines one may be smaller than the others. */
static tutti_status check_memory(const struct points *points, const tutti_view *view, tutti_error *error)
{
  int sharing = ranks_sharing(points, view);
  uint64_t needed = tutti_buffer_sizes_sum(points, view->size, sharing);
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0 || needed <= (uint64_t)pages * (uint64_t)page)
    return TUTTI_OK;
  return tutti_fail(error, tutti_clock_is_simulated() ? TUTTI_ERR_UNSUPPORTED : TUTTI_ERR_MEMORY,
                    "the messages of %d ranks take %.3g GB of memory, and this machine has %.3g GB", sharing,
                    (double)needed / 1e9, (double)pages * (double)page / 1e9);
}

/* Not NULL even without data. Exactly the bytes needed: one more than a power of two takes twice as much. */
static char *allocate(uint64_t bytes)
{
  char *memory = malloc(bytes ? bytes : 1);
  if (memory)
    memset(memory, 0, bytes);
  return memory;
}

tutti_status tutti_buffers_create(const struct points *points, const tutti_view *view, struct buffers *buffers,
                                  tutti_error *error)
{
  *buffers = (struct buffers){NULL, NULL};
  tutti_status status = check_memory(points, view, error);
  if (status != TUTTI_OK)
    return status;
  struct buffer_sizes sizes = tutti_buffer_sizes_max(points, view->size, view->rank);
  *buffers = (struct buffers){allocate(sizes.input), allocate(sizes.output)};
  if (buffers->input && buffers->output)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages of %llu bytes", view->rank,
                    (unsigned long long)(sizes.input + sizes.output));
}

void tutti_buffers_free(struct buffers *buffers)
{
  free(buffers->input);
  free(buffers->output);
}

/* ---- the operation ---- */

static unsigned traits_of(const struct point *point)
{
  return tutti_collective_traits(point->method.algorithm->collective);
}

/* ---- elements ---- */

static MPI_Datatype predefined(uint64_t bytes)
{
  switch (bytes) {
  case 1:
    return MPI_BYTE;
  case 4:
    return MPI_INT;
  case 8:
    return MPI_DOUBLE;
  default:
    return MPI_DATATYPE_NULL;
  }
}

static tutti_status create_element(struct subject *subject, tutti_error *error)
{
  const struct point *point = subject->point;
  bool reduces = traits_of(point) & TUTTI_REDUCES;
  subject->element = predefined(point->type_size);
  if (reduces)
    subject->op = subject->element == MPI_BYTE ? MPI_BOR : MPI_SUM;
  if (subject->element != MPI_DATATYPE_NULL)
    return TUTTI_OK;
  if (reduces)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s is measured on elements of 1, 4 or 8 bytes, not %llu",
                      tutti_collective_name(point->method.algorithm->collective), (unsigned long long)point->type_size);
  if (MPI_Type_contiguous((int)point->type_size, MPI_BYTE, &subject->element) != MPI_SUCCESS ||
      MPI_Type_commit(&subject->element) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "no datatype of %llu bytes", (unsigned long long)point->type_size);
  return TUTTI_OK;
}

static void free_element(MPI_Datatype *element)
{
  if (*element != MPI_DATATYPE_NULL && *element != MPI_BYTE && *element != MPI_INT && *element != MPI_DOUBLE)
    MPI_Type_free(element);
}

/* ---- counts, displacements and types of the irregular forms ---- */

/* In operations with a root only the root passes them. */
static bool has_counts(const struct point *point, const tutti_view *view)
{
  unsigned traits = traits_of(point);
  return traits & TUTTI_IS_IRREGULAR && !(traits & TUTTI_HAS_ROOT && view->rank != point->root);
}

static tutti_status create_counts(struct subject *subject, const tutti_view *view, tutti_error *error)
{
  const struct point *point = subject->point;
  bool typed = point->method.algorithm->collective == TUTTI_COLL_ALLTOALLW;
  int step = (int)(typed ? point->count * point->type_size : point->count);
  size_t size = (size_t)view->size;
  subject->counts = calloc(2 * size, sizeof *subject->counts);
  subject->types = typed ? calloc(size, sizeof *subject->types) : NULL;
  if (!subject->counts || (typed && !subject->types))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for the counts of %d ranks", view->rank,
                      view->size);
  subject->places = subject->counts + size;
  for (int r = 0; r < view->size; r++) {
    subject->counts[r] = (int)point->count;
    subject->places[r] = r * step;
    if (typed)
      subject->types[r] = subject->element;
  }
  return TUTTI_OK;
}

tutti_status tutti_subject_create(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                                  struct subject *subject, tutti_error *error)
{
  *subject = (struct subject){.point = point, .buffers = buffers, .element = MPI_DATATYPE_NULL, .op = MPI_OP_NULL};
  tutti_status status = create_element(subject, error);
  return status == TUTTI_OK && has_counts(point, view) ? create_counts(subject, view, error) : status;
}

void tutti_subject_free(struct subject *subject)
{
  free(subject->counts);
  free(subject->types);
  free_element(&subject->element);
}

/* ---- performing ---- */

static tutti_status refuse(const struct subject *subject, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s is not measured",
                    tutti_collective_name(subject->point->method.algorithm->collective));
}

/* Check the return code of the library's own collective. */
static tutti_status check_native(const struct subject *subject, int code, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  return code == MPI_SUCCESS ? TUTTI_OK
                             : tutti_mpi_fail(error, code, "%s: the library's call failed with code %d",
                                              tutti_method_format(&subject->point->method, name), code);
}

/* Run our schedule, or the library's own on the communicator of the view. */
#define EITHER(ours, library) return native ? check_native(o, library, error) : (ours)

static tutti_status move(const struct subject *o, const tutti_view *view, tutti_error *error)
{
  const tutti_method *m = &o->point->method;
  const bool native = tutti_method_is_library(m);
  MPI_Datatype type = o->element, *types = o->types;
  MPI_Comm comm = view->comm;
  char *in = o->buffers->input, *out = o->buffers->output;
  uint64_t n = o->point->count;
  int root = o->point->root, count = (int)n, *counts = o->counts, *places = o->places;
  switch (m->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    EITHER(tutti_bcast(m, out, n, type, root, view, error), MPI_Bcast(out, count, type, root, comm));
  case TUTTI_COLL_SCATTER:
    EITHER(tutti_scatter(m, in, n, type, out, n, type, root, view, error),
           MPI_Scatter(in, count, type, out, count, type, root, comm));
  case TUTTI_COLL_SCATTERV:
    EITHER(tutti_scatterv(m, in, counts, places, type, out, n, type, root, view, error),
           MPI_Scatterv(in, counts, places, type, out, count, type, root, comm));
  case TUTTI_COLL_GATHER:
    EITHER(tutti_gather(m, in, n, type, out, n, type, root, view, error),
           MPI_Gather(in, count, type, out, count, type, root, comm));
  case TUTTI_COLL_GATHERV:
    EITHER(tutti_gatherv(m, in, n, type, out, counts, places, type, root, view, error),
           MPI_Gatherv(in, count, type, out, counts, places, type, root, comm));
  case TUTTI_COLL_ALLGATHER:
    EITHER(tutti_allgather(m, in, n, type, out, n, type, view, error),
           MPI_Allgather(in, count, type, out, count, type, comm));
  case TUTTI_COLL_ALLGATHERV:
    EITHER(tutti_allgatherv(m, in, n, type, out, counts, places, type, view, error),
           MPI_Allgatherv(in, count, type, out, counts, places, type, comm));
  case TUTTI_COLL_ALLTOALL:
    EITHER(tutti_alltoall(m, in, n, type, out, n, type, view, error),
           MPI_Alltoall(in, count, type, out, count, type, comm));
  case TUTTI_COLL_ALLTOALLV:
    EITHER(tutti_alltoallv(m, in, counts, places, type, out, counts, places, type, view, error),
           MPI_Alltoallv(in, counts, places, type, out, counts, places, type, comm));
  case TUTTI_COLL_ALLTOALLW:
    EITHER(tutti_alltoallw(m, in, counts, places, types, out, counts, places, types, view, error),
           MPI_Alltoallw(in, counts, places, types, out, counts, places, types, comm));
  case TUTTI_COLL_BARRIER:
    EITHER(tutti_barrier(m, view, error), MPI_Barrier(comm));
  default:
    return refuse(o, error);
  }
}

static tutti_status reduce(const struct subject *o, const tutti_view *view, tutti_error *error)
{
  const tutti_method *m = &o->point->method;
  const bool native = tutti_method_is_library(m);
  MPI_Datatype type = o->element;
  MPI_Op op = o->op;
  MPI_Comm comm = view->comm;
  char *in = o->buffers->input, *out = o->buffers->output;
  uint64_t n = o->point->count;
  int root = o->point->root, count = (int)n;
  switch (m->algorithm->collective) {
  case TUTTI_COLL_REDUCE:
    EITHER(tutti_reduce(m, in, out, n, type, op, root, view, error), MPI_Reduce(in, out, count, type, op, root, comm));
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    EITHER(tutti_reduce_scatter_block(m, in, out, n, type, op, view, error),
           MPI_Reduce_scatter_block(in, out, count, type, op, comm));
  case TUTTI_COLL_REDUCE_SCATTER:
    EITHER(tutti_reduce_scatter(m, in, out, o->counts, type, op, view, error),
           MPI_Reduce_scatter(in, out, o->counts, type, op, comm));
  case TUTTI_COLL_SCAN:
    EITHER(tutti_scan(m, in, out, n, type, op, view, error), MPI_Scan(in, out, count, type, op, comm));
  case TUTTI_COLL_EXSCAN:
    EITHER(tutti_exscan(m, in, out, n, type, op, view, error), MPI_Exscan(in, out, count, type, op, comm));
  case TUTTI_COLL_ALLREDUCE:
    EITHER(tutti_allreduce(m, in, out, n, type, op, view, error), MPI_Allreduce(in, out, count, type, op, comm));
  default:
    return refuse(o, error);
  }
}

tutti_status tutti_perform(const struct subject *subject, const tutti_view *view, tutti_error *error)
{
  const struct point *point = subject->point;
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_method_is_library(&point->method) && point->count > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s: more elements than the int of an MPI call holds",
                      tutti_method_format(&point->method, name));
  return traits_of(point) & TUTTI_REDUCES ? reduce(subject, view, error) : move(subject, view, error);
}
