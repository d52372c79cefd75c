/* Traces whose ranks have many requests under way, of the interposer and as lines of calls. */
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload.h"
#include "unit/patience.h"
#include "unit/test.h"

enum { MANY = UNLESS_WATCHED(400000, 40000) };

static void put(FILE *stream, uint64_t number)
{
  for (; number > 127; number >>= 7)
    fputc((int)(number & 127) | 128, stream);
  fputc((int)number, stream);
}

static void put_all(FILE *stream, size_t count, const uint64_t *numbers)
{
  for (size_t i = 0; i < count; i++)
    put(stream, numbers[i]);
}

#define PUT(stream, ...)                                                                                               \
  put_all(stream, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (const uint64_t[]){__VA_ARGS__})

/* Nonblocking messages to or from the other rank, and then a wait for each, the oldest first. */
static void write_rank(FILE *file, enum trace_message kind, uint64_t peer)
{
  FREED_BY(free_memory) char *bytes = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&bytes, &length);
  assert_non_null(stream);
  PUT(stream, TRACE_START, 0, TRACE_MESSAGE, kind, 0, peer + 1, 1, 8);
  for (int i = 0; i < MANY; i++)
    PUT(stream, TRACE_CALL, 1, 1);
  for (uint64_t i = 0; i < MANY; i++) /* a positive number n is folded to 2 n */
    PUT(stream, TRACE_WAIT, TRACE_WAITED, 1, 2 * (MANY - i), TRACE_CALL + 1 + i, 1, 1);
  PUT(stream, TRACE_END, 0);
  assert_int_equal(fclose(stream), 0);
  put(file, length);
  fwrite(bytes, 1, length, file);
}

TEST(test_many_requests)
{
  char path[] = "/tmp/tutti-trace-XXXXXX";
  const int descriptor = mkstemp(path);
  FILE *file = fdopen(descriptor, "w");
  FREED_BY(tutti_workload_free) struct workload workload;
  assert_non_null(file);
  fputs("tutti-trace 2 ranks=2 ranks_per_node=1 flavor=smpi library=SimGrid-3.32\n", file);
  write_rank(file, TRACE_ISEND, 1);
  write_rank(file, TRACE_IRECV, 0);
  assert_int_equal(fclose(file), 0);
  limit_processor_time(20);
  const tutti_status status = tutti_workload_read(path, &workload, NULL, &error);
  remove(path);
  assert_ok(status, error);
  assert_int_equal(workload.unmatched, 0);
  assert_true(workload.ranks[0].graph.ops.count >= 2 * MANY);
}

/* A message to or from the other rank for each request, and then a wait for each, the oldest first. */
static void write_calls(const char *path, int rank)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("MPI_Init:0:1\n", file);
  for (int i = 0; i < MANY; i++)
    fprintf(file, "MPI_%s:%d:1:8:1,1:%d:%d:0,%d,2:%d:%d\n", rank ? "Irecv" : "Isend", i + 1, 1 - rank, 0, rank,
            8 * (i / 2), i + 1);
  for (int i = 0; i < MANY / 2; i++)
    fprintf(file, "MPI_Wait:%d:%d:1:%d\n", MANY + i, 8 * i, MANY + i);
  fprintf(file, "MPI_Finalize:%d:%d\n", 2 * MANY, 2 * MANY);
  assert_int_equal(fclose(file), 0);
}

/* Two messages have the same request: the first one was tested for, which is not followed. */
TEST(test_many_calls)
{
  char folder[] = "/tmp/tutti-calls-XXXXXX", paths[2][64];
  FREED_BY(tutti_workload_free) struct workload workload;
  assert_non_null(mkdtemp(folder));
  for (int rank = 0; rank < 2; rank++) {
    snprintf(paths[rank], sizeof paths[rank], "%s/rank-%d.txt", folder, rank);
    write_calls(paths[rank], rank);
  }
  limit_processor_time(20);
  const tutti_status status = tutti_workload_read(paths[0], &workload, NULL, &error);
  remove(paths[0]);
  remove(paths[1]);
  remove(folder);
  assert_ok(status, error);
  const struct workload_graph *graph = &workload.ranks[1].graph;
  size_t awaited = 0;
  for (size_t e = 0; e < graph->edges.count; e++)
    awaited += graph->ops.items[graph->edges.items[e].before].kind == WORKLOAD_RECV && !graph->edges.items[e].posted;
  assert_int_equal(awaited, MANY);
}

/* A shape of collectives that begin a request: all ranks, "barrier/native", no bytes. */
static void put_barrier(FILE *stream, uint64_t instance)
{
  static const char method[] = "barrier/native";
  PUT(stream, TRACE_MESSAGE, TRACE_ICOLLECTIVE, instance, 1, sizeof method - 1);
  for (size_t i = 0; i < sizeof method - 1; i++)
    put(stream, (unsigned char)method[i]);
  PUT(stream, 0, 1, 1, 0, 0, 0);
}

/* Two persistent barriers, started in one order or the other, and a nonblocking one; then a wait for all three. */
static void write_starts(FILE *file, uint64_t first, bool nonblocking)
{
  FREED_BY(free_memory) char *bytes = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&bytes, &length);
  assert_non_null(stream);
  PUT(stream, TRACE_START, 0);
  put_barrier(stream, 1);
  put_barrier(stream, 2);
  put_barrier(stream, 0);
  PUT(stream, TRACE_CALL + first, 1, 1, TRACE_CALL + 1 - first, 1, 1);
  if (nonblocking)
    PUT(stream, TRACE_CALL + 2, 1, 1);
  PUT(stream, TRACE_WAIT, TRACE_WAITED, 2, 2, 2, TRACE_CALL + 3, 1, 1, TRACE_END, 0);
  assert_int_equal(fclose(stream), 0);
  put(file, length);
  fwrite(bytes, 1, length, file);
}

static tutti_status read_starts(bool both, struct workload *workload)
{
  char path[] = "/tmp/tutti-trace-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  fputs("tutti-trace 3 ranks=2 ranks_per_node=1 flavor=smpi library=SimGrid-3.32\n", file);
  write_starts(file, 0, true);
  write_starts(file, 1, both);
  assert_int_equal(fclose(file), 0);
  const tutti_status status = tutti_workload_read(path, workload, NULL, &error);
  remove(path);
  return status;
}

/* Persistent collectives may start in any order, and have a channel each; others must be the same on all ranks. */
TEST(test_collectives_with_requests)
{
  FREED_BY(tutti_workload_free) struct workload workload, other;
  assert_ok(read_starts(true, &workload), error);
  for (int r = 0; r < 2; r++) {
    const struct workload_op *ops = workload.ranks[r].graph.ops.items;
    uint32_t channels[3], found = 0;
    for (size_t o = 0; o < workload.ranks[r].graph.ops.count; o++)
      if (ops[o].kind == WORKLOAD_COLLECTIVE && found < 3)
        channels[found++] = ops[o].channel;
    assert_int_equal(found, 3);
    assert_true(channels[0] != channels[1] && channels[1] != channels[2] && channels[0] != channels[2]);
    assert_true(channels[2] > 0);
  }
  assert_int_equal(read_starts(false, &other), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "makes other calls"));
}
