/* The points file of tutti-bench. */
#include "harness/measure/bench/bench_points.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decision/results/row.h"

/* ---- traces ---- */

const tutti_trace *tutti_points_trace(const struct points *points, const tutti_arrival *arrival)
{
  for (size_t i = 0; i < points->trace_count; i++)
    if (tutti_trace_is_of(&points->traces[i], arrival))
      return &points->traces[i];
  return NULL;
}

tutti_status tutti_point_without_time(const struct points *points, const struct point *point, int calls, double seconds,
                                      tutti_error *error)
{
  const bool disturbed = point->arrival.kind != TUTTI_ARRIVAL_NONE || tutti_noise_interrupts(&point->noise);
  char method[TUTTI_METHOD_LENGTH];
  return tutti_fail(
      error, TUTTI_ERR_UNSUPPORTED,
      "%s with %d ranks and %llu B%s: %d call%s took %.3g s beyond what surrounds them: no time to store; %s",
      tutti_method_format(&point->method, method), points->ranks, (unsigned long long)(point->count * point->type_size),
      disturbed ? ", with its arrival pattern or noise" : "", calls, tutti_plural((uint64_t)calls), seconds,
      points->measure.scheme == TUTTI_SCHEME_OCC ? "the scheme window subtracts nothing" : "the clock is too coarse");
}

static size_t count_commas(const char *text)
{
  size_t commas = 0;
  for (; (text = strchr(text, ',')); text++)
    commas++;
  return commas;
}

/* "0,2500,100" */
static tutti_status parse_delays(char *text, tutti_trace *trace, tutti_error *error)
{
  trace->delays = calloc(count_commas(text) + 1, sizeof *trace->delays);
  if (!trace->delays)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a trace");
  for (char *delay; (delay = strsep(&text, ","));)
    if (!tutti_parse_integer(delay, 0, TUTTI_MAX_DELAY, &trace->delays[trace->count++]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a delay in nanoseconds: '%s'", delay);
  return TUTTI_OK;
}

static tutti_status add_trace(struct points *points, tutti_trace *trace, const tutti_arrival *arrival,
                              tutti_error *error)
{
  memcpy(trace->name, arrival->trace, sizeof trace->name);
  trace->sum = tutti_trace_sum(trace);
  if (!tutti_trace_is_of(trace, arrival))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "these delays are not those of the trace");
  tutti_trace *grown = reallocarray(points->traces, points->trace_count + 1, sizeof *grown);
  if (!grown)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a trace");
  points->traces = grown;
  points->traces[points->trace_count++] = *trace;
  return TUTTI_OK;
}

/* arrival=trace/... delays_ns=... */
static tutti_status parse_trace(char *line, struct points *points, tutti_error *error)
{
  tutti_arrival arrival;
  tutti_trace trace = {.count = 0};
  char *word = strtok_r(line, " ", &line), *list = strtok_r(NULL, " ", &line);
  const char *delays = list ? tutti_word_value(list, "delays_ns") : NULL;
  tutti_status status = tutti_arrival_parse(tutti_word_value(word, "arrival"), &arrival, error);
  if (status == TUTTI_OK && (!delays || strtok_r(NULL, " ", &line)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected delays_ns= after '%s'", word);
  if (status == TUTTI_OK)
    status = parse_delays(list + (delays - list), &trace, error);
  if (status == TUTTI_OK)
    status = add_trace(points, &trace, &arrival, error);
  if (status != TUTTI_OK)
    tutti_trace_free(&trace);
  return status;
}

/* ---- points ---- */

/* That the plug-in is loaded that was planned with. */
static tutti_status parse_code(const char *code, const struct point *point, tutti_error *error)
{
  const struct tutti_row_kind *kind = tutti_kind_of(TUTTI_ROW_MEASUREMENT);
  tutti_measurement measurement = {.method = point->method};
  return tutti_row_parse(kind, tutti_column_find(kind, "code"), code, strlen(code), &measurement, error);
}

static tutti_status parse_word(const struct points *points, const char *word, struct point *point, tutti_error *error)
{
  const char *arrival = tutti_word_value(word, "arrival"), *noise = tutti_word_value(word, "noise");
  const char *code = tutti_word_value(word, "code");
  tutti_status status = TUTTI_OK;
  if (code)
    return parse_code(code, point, error);
  if (noise)
    return tutti_noise_parse(noise, &point->noise, error);
  if (arrival)
    status = tutti_arrival_parse(arrival, &point->arrival, error);
  else if (!tutti_word_set_int(word, "root", &point->root) && !tutti_word_set_int(word, "launch", &point->launch) &&
           !tutti_word_set_whole(word, "count", UINT64_MAX, &point->count) &&
           !(tutti_word_set_whole(word, "type_B", INT_MAX, &point->type_size) && point->type_size > 0))
    return tutti_word_refuse(word, error);
  if (status == TUTTI_OK && point->arrival.kind == TUTTI_ARRIVAL_TRACE && !tutti_points_trace(points, &point->arrival))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the delays do not stand before '%s'", word);
  return status;
}

static tutti_status parse_point(char *line, struct points *points, tutti_error *error)
{
  struct point *point = tutti_points_add(points);
  const char *word = strtok_r(line, " ", &line);
  if (!word)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected a method instead of ''");
  point->type_size = 1;
  tutti_status status = tutti_method_parse(word, &point->method, error);
  while (status == TUTTI_OK && (word = strtok_r(NULL, " ", &line)))
    status = parse_word(points, word, point, error);
  if (status != TUTTI_OK)
    return status;
  tutti_collective collective = point->method.algorithm->collective;
  if (collective == TUTTI_COLL_BARRIER)
    point->count = 0;
  if (!(tutti_collective_traits(collective) & TUTTI_HAS_ROOT))
    point->root = 0;
  if (point->count > SIZE_MAX / 2 / point->type_size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "message too large for '%s'", tutti_collective_name(collective));
  return TUTTI_OK;
}

static tutti_status parse_line(struct points *points, char *line, tutti_error *error)
{
  return tutti_word_value(line, "arrival") ? parse_trace(line, points, error) : parse_point(line, points, error);
}

const struct points_kind tutti_bench_points = {
    .defaults = {.measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05}, .ranks_per_node = 1},
    .item_size = sizeof(struct point),
    .parse_line = parse_line,
};

/* Content of a buffer: a block (or the message), or the blocks of all ranks, everywhere or at the root alone. */
enum content { NOTHING, BLOCK, BLOCKS, BLOCK_AT_ROOT, BLOCKS_AT_ROOT };

static const struct {
  enum content input, output;
} contents[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = {NOTHING, BLOCK},
    [TUTTI_COLL_BARRIER] = {NOTHING, NOTHING},
    [TUTTI_COLL_SCATTER] = {BLOCKS_AT_ROOT, BLOCK},
    [TUTTI_COLL_SCATTERV] = {BLOCKS_AT_ROOT, BLOCK},
    [TUTTI_COLL_GATHER] = {BLOCK, BLOCKS_AT_ROOT},
    [TUTTI_COLL_GATHERV] = {BLOCK, BLOCKS_AT_ROOT},
    [TUTTI_COLL_ALLGATHER] = {BLOCK, BLOCKS},
    [TUTTI_COLL_ALLGATHERV] = {BLOCK, BLOCKS},
    [TUTTI_COLL_ALLTOALL] = {BLOCKS, BLOCKS},
    [TUTTI_COLL_ALLTOALLV] = {BLOCKS, BLOCKS},
    [TUTTI_COLL_ALLTOALLW] = {BLOCKS, BLOCKS},
    [TUTTI_COLL_REDUCE] = {BLOCK, BLOCK_AT_ROOT},
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = {BLOCKS, BLOCK},
    [TUTTI_COLL_REDUCE_SCATTER] = {BLOCKS, BLOCK},
    [TUTTI_COLL_ALLREDUCE] = {BLOCK, BLOCK},
    [TUTTI_COLL_SCAN] = {BLOCK, BLOCK},
    [TUTTI_COLL_EXSCAN] = {BLOCK, BLOCK},
};

static uint64_t bytes_of(enum content content, uint64_t block, int ranks, bool root)
{
  switch (content) {
  case BLOCK:
    return block;
  case BLOCKS:
    return block * (uint64_t)ranks;
  case BLOCK_AT_ROOT:
    return root ? block : 0;
  case BLOCKS_AT_ROOT:
    return root ? block * (uint64_t)ranks : 0;
  case NOTHING:
    break;
  }
  return 0;
}

struct buffer_sizes tutti_buffer_sizes_of(const struct point *point, int ranks, int rank)
{
  tutti_collective collective = point->method.algorithm->collective;
  uint64_t block = point->count * point->type_size;
  bool root = rank == point->root;
  return (struct buffer_sizes){bytes_of(contents[collective].input, block, ranks, root),
                               bytes_of(contents[collective].output, block, ranks, root)};
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

struct buffer_sizes tutti_buffer_sizes_max(const struct points *points, int ranks, int rank)
{
  struct buffer_sizes max = {0, 0};
  const struct point *items = points->items;
  for (size_t i = 0; i < points->count; i++) {
    struct buffer_sizes sizes = tutti_buffer_sizes_of(&items[i], ranks, rank);
    max.input = larger(max.input, sizes.input);
    max.output = larger(max.output, sizes.output);
  }
  return max;
}

static tutti_status check_point(const struct point *point, int ranks, tutti_error *error)
{
  tutti_collective collective = point->method.algorithm->collective;
  unsigned traits = tutti_collective_traits(collective);
  uint64_t block = point->count * point->type_size, size = (uint64_t)ranks;
  uint64_t last = collective == TUTTI_COLL_ALLTOALLW ? block : point->count; /* its displacements are in bytes */
  if (traits & TUTTI_HAS_BLOCKS && block > SIZE_MAX / 2 / size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %d blocks of %" PRIu64 " bytes are more than memory can address",
                      tutti_collective_name(collective), ranks, block);
  if (traits & TUTTI_IS_IRREGULAR && last > INT_MAX / size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: displacements in %d blocks of %" PRIu64 " %s do not fit the int that MPI has for them",
                      tutti_collective_name(collective), ranks, last,
                      collective == TUTTI_COLL_ALLTOALLW ? "bytes" : "elements");
  return TUTTI_OK;
}

tutti_status tutti_buffer_sizes_check(const struct points *points, int ranks, tutti_error *error)
{
  const struct point *items = points->items;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++)
    status = check_point(&items[i], ranks, error);
  return status;
}

/* ---- ranks that share a memory ---- */

/* Whether the rank is the root of one of the points. */
static bool is_root(const struct point *points, size_t count, int rank)
{
  for (size_t i = 0; i < count; i++)
    if (points[i].root == rank)
      return true;
  return false;
}

/* Add `times` times both sizes; false if the sum is more than a number holds. */
static bool add_sizes(uint64_t *sum, struct buffer_sizes sizes, int times)
{
  uint64_t both;
  return !__builtin_add_overflow(sizes.input, sizes.output, &both) &&
         !__builtin_mul_overflow(both, (uint64_t)times, &both) && !__builtin_add_overflow(*sum, both, sum);
}

uint64_t tutti_buffer_sizes_sum(const struct points *points, int ranks, int sharing)
{
  const struct point *items = points->items;
  uint64_t sum = 0;
  int roots = 0;
  bool fits = true;
  for (size_t i = 0; i < points->count && roots < sharing; i++) {
    int root = items[i].root;
    if (is_root(items, i, root))
      continue;
    fits = fits && add_sizes(&sum, tutti_buffer_sizes_max(points, ranks, root), 1);
    roots++;
  }
  return fits && add_sizes(&sum, tutti_buffer_sizes_max(points, ranks, -1), sharing - roots) ? sum : UINT64_MAX;
}
