/* GOAL in bytes, as LogGOPSim's txt2bin writes it: little-endian numbers without padding. The number 4223 of 8 bytes;
   and counted from there 4 bytes ranks, 1 the last processor, 1 the last network interface, and for each rank 8 bytes
   where its part begins and 8 where it ends. A part: 4 bytes operations, 4 how many of these wait for none, their
   numbers of 4 bytes; the operations; the numbers of those that wait, of one operation after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_goal.h"

enum { HEAD = 6, JUMP = 16, OPERATION = 39 };
enum goal_kind { GOAL_SEND = 1, GOAL_RECV, GOAL_CALC };

struct binary {
  const char *path;
  struct workload *workload;
  tutti_passed *passed;
  tutti_error *error;
  const unsigned char *bytes; /* after the magic number */
  uint64_t length;
  struct workload_pairs channels;
  uint32_t rank;
};

static uint64_t number_at(const unsigned char *at, int bytes)
{
  uint64_t number = 0;
  for (int b = bytes; b-- > 0;)
    number = number << 8 | at[b];
  return number;
}

static tutti_status fail(const struct binary *binary, uint64_t at, const char *what)
{
  return tutti_fail(binary->error, TUTTI_ERR_ARGUMENT, "%s: byte %llu, of rank %u: %s", binary->path,
                    (unsigned long long)at + 8, (unsigned)binary->rank, what);
}

/* An operation that is passed over keeps its number, as work of no time. */
static tutti_status read_operation(struct binary *binary, const unsigned char *at)
{
  const uint64_t kind = at[4], size = number_at(at + 9, 8);
  struct workload_op op = {.kind = WORKLOAD_WORK, .amount = size, .stream = at[21]};
  struct goal_ends ends = {number_at(at + 5, 4), number_at(at + 17, 4)};
  const char *why = kind == GOAL_CALC ? NULL : "an operation of a kind that is not known";
  if (kind == GOAL_SEND || kind == GOAL_RECV) {
    op.kind = kind == GOAL_SEND ? WORKLOAD_SEND : WORKLOAD_RECV;
    ends.peer = ends.peer == UINT32_MAX && kind == GOAL_RECV ? GOAL_ANY : ends.peer;
    ends.tag = ends.tag == UINT32_MAX && kind == GOAL_RECV ? GOAL_ANY : ends.tag;
    why = ends.peer != GOAL_ANY && ends.peer >= binary->workload->rank_count ? "a message of a rank that is not there"
                                                                             : NULL;
    tutti_goal_set_ends(&binary->channels, &ends, &op);
  }
  if (!why && size > (op.kind == WORKLOAD_WORK ? GOAL_MAX_NANOSECONDS : GOAL_MAX_BYTES))
    why = "an operation of a size that none has";
  binary->workload->streams |= op.stream > 0;
  (void)tutti_graph_add(&binary->workload->ranks[binary->rank].graph,
                        why ? (struct workload_op){.kind = WORKLOAD_WORK} : op);
  return why ? tutti_pass_over(binary->passed, binary->path, 0, why, binary->error, "byte %llu of rank %u",
                               (unsigned long long)(at - binary->bytes) + 8, (unsigned)binary->rank)
             : TUTTI_OK;
}

/* Those that wait for operation `before`: `count` numbers from place `first` of the list on. */
static bool read_waiting(struct binary *binary, const unsigned char *list, uint64_t list_length, uint64_t first,
                         uint64_t count, uint32_t before, bool posted)
{
  struct workload_graph *graph = &binary->workload->ranks[binary->rank].graph;
  if (count > list_length || first > list_length - count)
    return count == 0;
  for (uint64_t i = first; i < first + count; i++) {
    const uint64_t after = number_at(list + 4 * i, 4);
    if (after >= graph->ops.count)
      return false;
    tutti_graph_order(graph, before, (uint32_t)after, posted);
  }
  return true;
}

/* The numbers of waiting operations are that many altogether, so that a part that claims more is refused. */
static bool read_orders(struct binary *binary, const unsigned char *operations, uint64_t count,
                        const unsigned char *list, uint64_t list_length)
{
  const struct workload_graph *graph = &binary->workload->ranks[binary->rank].graph;
  for (uint64_t o = 0; o < count; o++) {
    const unsigned char *at = operations + o * OPERATION + 23;
    if (!read_waiting(binary, list, list_length, number_at(at + 4, 4), number_at(at, 4), (uint32_t)o, false) ||
        !read_waiting(binary, list, list_length, number_at(at + 12, 4), number_at(at + 8, 4), (uint32_t)o, true) ||
        graph->edges.count > list_length)
      return false;
  }
  return true;
}

static tutti_status read_rank(struct binary *binary)
{
  struct workload_graph *graph = &binary->workload->ranks[binary->rank].graph;
  const unsigned char *jump = binary->bytes + HEAD + JUMP * (size_t)binary->rank;
  const uint64_t begin = number_at(jump, 8), end = number_at(jump + 8, 8);
  if (end > binary->length || begin > end || end - begin < 8)
    return fail(binary, (uint64_t)(jump - binary->bytes), "a part that is outside of the file");
  const uint64_t count = number_at(binary->bytes + begin, 4), roots = number_at(binary->bytes + begin + 4, 4),
                 room = end - begin - 8;
  if (graph->ops.count > 0 || 4 * roots > room || OPERATION * count > room - 4 * roots)
    return fail(binary, begin, "more operations than its part has");
  const unsigned char *operations = binary->bytes + begin + 8 + 4 * roots, *list = operations + OPERATION * count;
  tutti_status status = TUTTI_OK;
  for (uint64_t o = 0; o < count && status == TUTTI_OK; o++)
    status = read_operation(binary, operations + o * OPERATION);
  if (status != TUTTI_OK)
    return status;
  if (!read_orders(binary, operations, count, list, (room - 4 * roots - OPERATION * count) / 4))
    return fail(binary, (uint64_t)(list - binary->bytes), "operations that wait and are not there");
  tutti_graph_end_segment(graph);
  return tutti_graph_is_acyclic(graph) ? TUTTI_OK : fail(binary, begin, "operations wait for each other in a circle");
}

/* Parts may not share bytes, so that the memory they take is in proportion to the file. */
static tutti_status check_parts(struct binary *binary)
{
  uint64_t all = 0;
  for (uint32_t r = 0; r < binary->workload->rank_count; r++) {
    const unsigned char *jump = binary->bytes + HEAD + JUMP * (size_t)r;
    const uint64_t begin = number_at(jump, 8), end = number_at(jump + 8, 8);
    binary->rank = r;
    if (end < begin || end - begin > binary->length - all)
      return fail(binary, HEAD + JUMP * (uint64_t)r, "parts that are longer than the file");
    all += end - begin;
  }
  return TUTTI_OK;
}

static tutti_status read_all(struct binary *binary)
{
  const uint64_t ranks = binary->length < HEAD ? 0 : number_at(binary->bytes, 4);
  if (ranks == 0 || ranks > (binary->length - HEAD) / JUMP)
    return fail(binary, 0, "a number of ranks, which all have their part, is expected");
  binary->workload->rank_count = (uint32_t)ranks;
  binary->workload->ranks = tutti_xcalloc(ranks, sizeof *binary->workload->ranks);
  tutti_status status = check_parts(binary);
  for (binary->rank = 0; binary->rank < ranks && status == TUTTI_OK; binary->rank++)
    status = read_rank(binary);
  return status;
}

tutti_status tutti_workload_read_binary_goal(const char *path, struct workload *workload, tutti_passed *passed,
                                             tutti_error *error)
{
  const uint64_t before = passed ? passed->count : 0;
  struct binary binary = {.path = path,
                          .workload = workload,
                          .passed = passed,
                          .error = error,
                          .bytes = (const unsigned char *)workload->text + 8,
                          .length = workload->length - 8};
  workload->seconds = NAN;
  const tutti_status status = read_all(&binary);
  if (status == TUTTI_OK)
    tutti_goal_end(workload, &binary.channels, !passed || passed->count == before);
  tutti_pairs_free(&binary.channels);
  return status;
}
