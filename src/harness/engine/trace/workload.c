#include "harness/engine/trace/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/results/rank_file.h"
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_read.h"

/* ---- the file ---- */

/* Skip blank lines and comments. */
static const char *first_word(const char *text)
{
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "/*", 2) == 0) {
      const char *end = strstr(text + 2, "*/");
      text = end ? end + 2 : text + strlen(text);
    } else if (*text == '#' || strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else
      return text;
  }
}

/* Ranks that stopped at different calls have waited for others: what they would have done next is not known. */
static tutti_status refuse_cut(const char *path, tutti_error *error)
{
  char *cut = tutti_rank_files_describe(path, "trace", error);
  if (cut)
    tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s: only the trace of a whole run can be replayed", path, cut);
  free(cut);
  return TUTTI_ERR_ARGUMENT;
}

static tutti_status read_as(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  if (strncmp(workload->text, TRACE_MAGIC " ", sizeof TRACE_MAGIC) == 0)
    return tutti_workload_read_trace(path, workload, error);
  if (tutti_workload_is_binary_goal(workload))
    return tutti_workload_read_binary_goal(path, workload, passed, error);
  const char *word = first_word(workload->text);
  if (strncmp(word, "num_ranks", 9) == 0)
    return tutti_workload_read_goal(path, workload, passed, error);
  if (strncmp(word, "MPI_", 4) == 0)
    return tutti_workload_read_lines(path, workload, error);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: not a trace: it begins neither with '" TRACE_MAGIC " ' nor with num_ranks or MPI_", path);
}

static bool is_empty(const struct workload *workload)
{
  bool empty = true;
  for (uint32_t r = 0; r < workload->rank_count && empty; r++)
    empty = !workload->ranks[r].bytes && workload->ranks[r].graph.ops.count == 0;
  return empty;
}

/* A file of which all is passed over is no trace. */
static tutti_status refuse_nothing(const char *path, const tutti_passed *passed, tutti_error *error)
{
  const tutti_passed_reason *first = &passed->reasons.items[0];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: nothing of it is understood: %s (%s)", path, first->places.items[0],
                    first->why);
}

tutti_status tutti_workload_read(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  *workload = (struct workload){.rank_count = 0};
  if (tutti_rank_files_are_left(path, "trace"))
    return refuse_cut(path, error);
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_RECORDS, &workload->text, &workload->length, error);
  if (status == TUTTI_OK)
    status = read_as(path, workload, passed, error);
  if (status == TUTTI_OK && passed && passed->count > 0 && is_empty(workload))
    return refuse_nothing(path, passed, error);
  return status;
}

void tutti_workload_free(struct workload *workload)
{
  for (size_t s = 0; s < workload->shapes.count; s++) {
    tutti_call *call = &workload->shapes.items[s].call;
    free((void *)(uintptr_t)call->input.offsets);
    if (call->output.offsets != call->input.offsets)
      free((void *)(uintptr_t)call->output.offsets);
  }
  for (size_t c = 0; c < workload->communicators.count; c++)
    free(workload->communicators.items[c].members);
  for (uint32_t r = 0; workload->ranks && r < workload->rank_count; r++) {
    tutti_vector_free(&workload->ranks[r].graph.ops);
    tutti_vector_free(&workload->ranks[r].graph.edges);
    tutti_vector_free(&workload->ranks[r].graph.segments);
  }
  tutti_vector_free(&workload->shapes);
  tutti_vector_free(&workload->communicators);
  free(workload->ranks);
  free(workload->text);
  *workload = (struct workload){.rank_count = 0};
}

/* ---- events ---- */

static uint64_t take(const struct workload_rank *rank, struct workload_cursor *cursor)
{
  uint64_t number;
  cursor->at += trace_read_number(rank->bytes + cursor->at, rank->length - cursor->at, &number);
  return number;
}

/* Definitions have been read already: what they hold is passed over. */
static void skip_communicator(const struct workload_rank *rank, struct workload_cursor *cursor)
{
  (void)take(rank, cursor);
  for (uint64_t runs = take(rank, cursor); runs > 0; runs--) {
    (void)take(rank, cursor);
    if (take(rank, cursor) > 0)
      (void)take(rank, cursor);
  }
}

static void skip_numbers(const struct workload_rank *rank, struct workload_cursor *cursor, uint64_t count)
{
  for (; count > 0; count--)
    (void)take(rank, cursor);
}

static void skip_shape(const struct workload_rank *rank, struct workload_cursor *cursor)
{
  (void)take(rank, cursor);
  skip_numbers(rank, cursor, take(rank, cursor));
  skip_numbers(rank, cursor, 4);
  for (int vector = 0; vector < 2; vector++)
    skip_numbers(rank, cursor, take(rank, cursor));
}

/* A collective alone is a call; operations together are run together. */
static struct workload_event next_segment(const struct workload *workload, const struct workload_rank *rank,
                                          struct workload_cursor *cursor)
{
  const struct workload_graph *graph = &rank->graph;
  if (cursor->at == graph->segments.count)
    return (struct workload_event){.kind = WORKLOAD_END};
  const size_t segment = cursor->at++, first = workload_segment_begin(graph, segment).ops;
  const struct workload_op *op = &graph->ops.items[first];
  if (op->kind == WORKLOAD_COLLECTIVE && graph->segments.items[segment].ops == first + 1)
    return (struct workload_event){.kind = WORKLOAD_CALL, .shape = &workload->shapes.items[op->amount]};
  return (struct workload_event){.kind = WORKLOAD_OPERATIONS, .segment = segment};
}

struct workload_event tutti_workload_next(const struct workload *workload, uint32_t rank,
                                          struct workload_cursor *cursor)
{
  const struct workload_rank *own = &workload->ranks[rank];
  if (!own->bytes)
    return next_segment(workload, own, cursor);
  for (;;) {
    const uint64_t tag = take(own, cursor);
    switch (tag) {
    case TRACE_END:
      return (struct workload_event){.kind = WORKLOAD_END, .compute = take(own, cursor)};
    case TRACE_START:
    case TRACE_UNRECORDED:
      (void)take(own, cursor);
      break;
    case TRACE_COMMUNICATOR:
      skip_communicator(own, cursor);
      break;
    case TRACE_SHAPE:
      skip_shape(own, cursor);
      break;
    default: {
      struct workload_event event = {.kind = WORKLOAD_CALL,
                                     .shape = &workload->shapes.items[own->first_shape + (tag - TRACE_CALL)]};
      event.compute = take(own, cursor);
      event.duration = take(own, cursor);
      return event;
    }
    }
  }
}
