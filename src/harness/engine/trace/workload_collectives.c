/* Collectives in the lines of liballprof. Irregular ones have an array of counts printed after its address:
   "7:1,2,3". */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

#define MAX_COUNT (UINT64_C(1) << 32)

/* ---- regular ones ---- */

/* The positions of the arguments of a collective; -1: no such argument. */
struct regular {
  const char *name;
  tutti_collective collective;
  int count, root, communicator;
};

static const struct regular collectives[] = {
    {"MPI_Barrier", TUTTI_COLL_BARRIER, -1, -1, 0},
    {"MPI_Bcast", TUTTI_COLL_BCAST, 1, 3, 4},
    {"MPI_Reduce", TUTTI_COLL_REDUCE, 2, 5, 6},
    {"MPI_Allreduce", TUTTI_COLL_ALLREDUCE, 2, -1, 5},
    {"MPI_Scan", TUTTI_COLL_SCAN, 2, -1, 5},
    {"MPI_Exscan", TUTTI_COLL_EXSCAN, 2, -1, 5},
    {"MPI_Reduce_scatter_block", TUTTI_COLL_REDUCE_SCATTER_BLOCK, 2, -1, 5},
    {"MPI_Allgather", TUTTI_COLL_ALLGATHER, 1, -1, 6},
    {"MPI_Alltoall", TUTTI_COLL_ALLTOALL, 1, -1, 6},
    {"MPI_Gather", TUTTI_COLL_GATHER, 1, 6, 7},
    {"MPI_Scatter", TUTTI_COLL_SCATTER, 1, 6, 7},
};

static void add(struct trace_lines *trace, const struct workload_shape *shape, tutti_collective as)
{
  tutti_lines_begin_call(trace, (int)as);
  tutti_workload_add_collective(trace->workload, &trace->writer, &trace->called[trace->rank], trace->place.communicator,
                                shape, (trace->to - trace->from) * 1e-6);
}

/* The amount sent counts. At the root of a scatter other ranks do not know it; the amount received is the same. */
static bool read_regular(struct trace_lines *trace, const struct regular *places, struct workload_shape *shape)
{
  static const struct workload_vector none = {.items = NULL};
  uint64_t root = 0, type_size = 1;
  const int at = places->collective == TUTTI_COLL_SCATTER ? places->count + 3 : places->count;
  *shape = (struct workload_shape){
      .collective = places->collective, .communicator = trace->place.communicator, .rank = trace->place.rank};
  if ((places->count >= 0 && !tutti_lines_bytes(trace, at, &shape->bytes, &type_size)) ||
      (places->root >= 0 && !tutti_lines_rank(trace, places->root, &root)))
    return false;
  if (tutti_collective_traits(places->collective) & TUTTI_REDUCES)
    shape->call.type_size = type_size;
  shape->call.root = (int)root;
  tutti_workload_shape_begin(trace->workload, shape);
  const char *wrong = tutti_workload_shape_complete(shape, &none, &none);
  if (wrong)
    tutti_lines_pass(trace, wrong, "%.40s", trace->fields[0]);
  return !wrong;
}

static void read_call_of(struct trace_lines *trace, const struct regular *places)
{
  struct workload_shape shape;
  if (!tutti_lines_communicator(trace, places->communicator))
    return; /* as its other ranks do */
  add(trace, read_regular(trace, places, &shape) ? &shape : NULL, places->collective);
}

/* ---- irregular ones ---- */

/* The positions of arguments: arrays of counts sent and received, a single count, the datatypes of what is sent and
   received; -1: no such argument. */
struct places {
  const char *name;
  tutti_collective collective;
  int out, in, own, out_type, in_type, root, communicator;
};

static const struct places calls[] = {
    {"MPI_Alltoallv", TUTTI_COLL_ALLTOALLV, 2, 8, -1, 5, 11, -1, 12},
    {"MPI_Allgatherv", TUTTI_COLL_ALLGATHERV, -1, 5, -1, 8, 8, -1, 9},
    {"MPI_Gatherv", TUTTI_COLL_GATHERV, -1, 5, 1, 2, 8, 9, 10},
    {"MPI_Scatterv", TUTTI_COLL_SCATTERV, 2, -1, 7, 5, 8, 9, 10},
    {"MPI_Reduce_scatter", TUTTI_COLL_REDUCE_SCATTER, -1, 3, -1, 4, 4, -1, 6},
};

static const char without_counts[] = "an irregular collective without a count for each rank";

static bool fail(struct trace_lines *trace, const char *what)
{
  return tutti_lines_pass(trace, what, "%.40s", trace->fields[0]), false;
}

static bool read_type(struct trace_lines *trace, int at, uint64_t *bytes)
{
  return tutti_lines_part(trace, at, 1, 1 << 20, bytes) || fail(trace, "a datatype is expected as NUMBER,BYTES");
}

/* A count for each rank, times `bytes`. Owned by the caller in any case. */
static bool read_counts(struct trace_lines *trace, int at, uint64_t bytes, struct workload_vector *vector)
{
  const uint32_t ranks = trace->place.size;
  char *text = tutti_xstrdup(tutti_lines_field(trace, at)), *rest = text;
  vector->items = tutti_xcalloc(ranks, sizeof *vector->items);
  for (char *word; vector->count < ranks && (word = strsep(&rest, ","));) {
    if (!tutti_parse_integer(word, 0, MAX_COUNT, &vector->items[vector->count]))
      break;
    vector->items[vector->count++] *= bytes;
  }
  const bool all = vector->count == ranks && !rest;
  free(text);
  return all || fail(trace, without_counts);
}

/* The arguments that count on this rank: those of others may be anything. Of reduce_scatter in elements. */
static bool read_arguments(struct trace_lines *trace, const struct places *places, struct workload_shape *shape,
                           struct workload_vector *out, struct workload_vector *in, uint64_t *own)
{
  const bool sums = places->collective == TUTTI_COLL_REDUCE_SCATTER;
  uint64_t root = trace->place.rank, out_bytes = 1, in_bytes = 1;
  if (places->root >= 0 && !tutti_lines_rank(trace, places->root, &root))
    return false;
  const bool scatters = places->collective == TUTTI_COLL_SCATTERV, here = root == trace->place.rank;
  shape->call.root = places->root >= 0 ? (int)root : 0;
  if (((here || !scatters) && !read_type(trace, places->out_type, &out_bytes)) ||
      ((here || scatters || places->root < 0) && !read_type(trace, places->in_type, &in_bytes)))
    return false;
  if (sums)
    shape->call.type_size = in_bytes > 0 ? in_bytes : 1;
  if (places->own >= 0 && !here) {
    if (!tutti_lines_number(trace, places->own, MAX_COUNT, own))
      return false;
    *own *= scatters ? in_bytes : out_bytes;
    return true;
  }
  return (places->out < 0 || read_counts(trace, places->out, out_bytes, out)) &&
         (places->in < 0 || read_counts(trace, places->in, sums ? 1 : in_bytes, in));
}

/* Bytes on which a choice may depend: those that all ranks know. */
static uint64_t known_bytes(const struct workload_shape *shape, const struct workload_vector *in)
{
  uint64_t sum = 0;
  for (size_t r = 0; r < in->count && !(tutti_collective_traits(shape->collective) & TUTTI_COUNTS_ARE_LOCAL); r++)
    sum += in->items[r];
  return sum * shape->call.type_size;
}

static bool read_shape(struct trace_lines *trace, const struct places *places, struct workload_shape *shape)
{
  struct workload_vector out = {.items = NULL}, in = {.items = NULL};
  uint64_t own = 0;
  *shape = (struct workload_shape){
      .collective = places->collective, .communicator = trace->place.communicator, .rank = trace->place.rank};
  tutti_workload_shape_begin(trace->workload, shape);
  bool known = read_arguments(trace, places, shape, &out, &in, &own);
  if (known) {
    const bool here = shape->call.root == (int)trace->place.rank;
    const struct workload_vector alone = {&own, 1}, none = {.items = NULL};
    shape->bytes = known_bytes(shape, &in);
    const char *wrong = tutti_workload_shape_complete(shape,
                                                      out.items ? &out
                                                      : here    ? &none
                                                                : &alone,
                                                      in.items ? &in
                                                      : here   ? &none
                                                               : &alone);
    known = !wrong || fail(trace, wrong);
  }
  free(out.items);
  free(in.items);
  return known;
}

static bool read_irregular(struct trace_lines *trace)
{
  const struct places *places = NULL;
  struct workload_shape shape;
  for (size_t c = 0; c < sizeof calls / sizeof *calls && !places; c++)
    places = strcmp(trace->fields[0], calls[c].name) == 0 ? &calls[c] : NULL;
  if (places && trace->count != places->communicator + 4) /* addresses alone, by a header with "int counts[]" */
    (void)fail(trace, without_counts);
  else if (places && tutti_lines_communicator(trace, places->communicator))
    add(trace, read_shape(trace, places, &shape) ? &shape : NULL, places->collective);
  return places;
}

/* ---- both ---- */

bool tutti_lines_read_collective(struct trace_lines *trace)
{
  for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++)
    if (strcmp(trace->fields[0], collectives[c].name) == 0)
      return read_call_of(trace, &collectives[c]), true;
  return read_irregular(trace);
}
