#include "measure/bench.h"

#include <stdlib.h>

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

/* With a root only that rank hands them over. */
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

static tutti_status move(const struct subject *o, const tutti_view *view, tutti_error *error)
{
  const tutti_method *method = &o->point->method;
  MPI_Datatype type = o->element;
  char *in = o->buffers->input, *out = o->buffers->output;
  uint64_t count = o->point->count;
  int root = o->point->root;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    return tutti_bcast(method, out, count, type, root, view, error);
  case TUTTI_COLL_SCATTER:
    return tutti_scatter(method, in, count, type, out, count, type, root, view, error);
  case TUTTI_COLL_SCATTERV:
    return tutti_scatterv(method, in, o->counts, o->places, type, out, count, type, root, view, error);
  case TUTTI_COLL_GATHER:
    return tutti_gather(method, in, count, type, out, count, type, root, view, error);
  case TUTTI_COLL_GATHERV:
    return tutti_gatherv(method, in, count, type, out, o->counts, o->places, type, root, view, error);
  case TUTTI_COLL_ALLGATHER:
    return tutti_allgather(method, in, count, type, out, count, type, view, error);
  case TUTTI_COLL_ALLGATHERV:
    return tutti_allgatherv(method, in, count, type, out, o->counts, o->places, type, view, error);
  case TUTTI_COLL_ALLTOALL:
    return tutti_alltoall(method, in, count, type, out, count, type, view, error);
  case TUTTI_COLL_ALLTOALLV:
    return tutti_alltoallv(method, in, o->counts, o->places, type, out, o->counts, o->places, type, view, error);
  case TUTTI_COLL_ALLTOALLW:
    return tutti_alltoallw(method, in, o->counts, o->places, o->types, out, o->counts, o->places, o->types, view,
                           error);
  case TUTTI_COLL_BARRIER:
    return tutti_barrier(method, view, error);
  default:
    return refuse(o, error);
  }
}

static tutti_status reduce(const struct subject *o, const tutti_view *view, tutti_error *error)
{
  const tutti_method *method = &o->point->method;
  MPI_Datatype type = o->element;
  char *in = o->buffers->input, *out = o->buffers->output;
  uint64_t count = o->point->count;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_REDUCE:
    return tutti_reduce(method, in, out, count, type, o->op, o->point->root, view, error);
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return tutti_reduce_scatter_block(method, in, out, count, type, o->op, view, error);
  case TUTTI_COLL_REDUCE_SCATTER:
    return tutti_reduce_scatter(method, in, out, o->counts, type, o->op, view, error);
  case TUTTI_COLL_SCAN:
    return tutti_scan(method, in, out, count, type, o->op, view, error);
  case TUTTI_COLL_EXSCAN:
    return tutti_exscan(method, in, out, count, type, o->op, view, error);
  case TUTTI_COLL_ALLREDUCE:
    return tutti_allreduce(method, in, out, count, type, o->op, view, error);
  default:
    return refuse(o, error);
  }
}

tutti_status tutti_perform(const struct subject *subject, const tutti_view *view, tutti_error *error)
{
  if (tutti_method_is_native(&subject->point->method))
    return tutti_perform_native(subject, view, error);
  return traits_of(subject->point) & TUTTI_REDUCES ? reduce(subject, view, error) : move(subject, view, error);
}
