/* Irregular collectives in the lines of liballprof, which prints an array of counts after its address: "7:1,2,3". */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

#define MAX_COUNT (UINT64_C(1) << 32)

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
  shape->method = tutti_method_default(tutti_algorithm_find(shape->collective, "native"));
  shape->call =
      (tutti_call){.size = (int)trace->place.size, .rank = (int)trace->place.rank, .type_size = 1, .commutative = true};
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

bool tutti_lines_read_irregular(struct trace_lines *trace)
{
  const struct places *places = NULL;
  struct workload_shape shape;
  for (size_t c = 0; c < sizeof calls / sizeof *calls && !places; c++)
    places = strcmp(trace->fields[0], calls[c].name) == 0 ? &calls[c] : NULL;
  if (places && trace->count != places->communicator + 4) /* addresses alone, by a header with "int counts[]" */
    (void)fail(trace, without_counts);
  else if (places && tutti_lines_communicator(trace, places->communicator))
    tutti_lines_add_collective(trace, read_shape(trace, places, &shape) ? &shape : NULL, (int)places->collective);
  return places;
}
