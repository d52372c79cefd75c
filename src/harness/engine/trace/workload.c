#include "harness/engine/trace/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "decision/results/rank_file.h"
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_read.h"

/* ---- the file ---- */

/* Ranks that stopped at different calls have waited for others: what they would have done next is not known. */
static tutti_status refuse_cut(const char *path, tutti_error *error)
{
  char *cut = tutti_rank_files_describe(path, "trace", error);
  if (cut)
    tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s: only the trace of a whole run can be replayed", path, cut);
  free(cut);
  return TUTTI_ERR_ARGUMENT;
}

static tutti_status read_files(const struct workload_files *files, enum workload_format format,
                               struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  if (format == WORKLOAD_CHAKRA || format == WORKLOAD_CHAKRA_JSON)
    return tutti_workload_read_chakra(files, format == WORKLOAD_CHAKRA_JSON, workload, passed, error);
  return format == WORKLOAD_TI ? tutti_workload_read_ti(files, workload, passed, error)
                               : tutti_workload_read_lines(files, format == WORKLOAD_DUMPI, workload, passed, error);
}

/* Whether all actions of a time-independent trace are of one rank: others may have files of their own. */
static bool is_of_one_rank(const char *text)
{
  const char *first = NULL;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const size_t digits = strspn(line, "0123456789");
    first = first || digits == 0 ? first : line;
    if (digits > 0 && (strncmp(line, first, digits) != 0 || strspn(first, "0123456789") != digits))
      return false;
  }
  return true;
}

/* A file of a rank, whose name says where those of the others are; else it is all. */
static tutti_status read_beside(const char *path, enum workload_format format, struct workload *workload,
                                tutti_passed *passed, tutti_error *error)
{
  struct workload_files files = {.count = 0};
  tutti_status status = TUTTI_OK;
  if (format != WORKLOAD_TI || is_of_one_rank(workload->text))
    tutti_files_beside(path, &files);
  if (files.count == 0 && (format == WORKLOAD_LINES || format == WORKLOAD_DUMPI))
    status =
        tutti_fail(error, TUTTI_ERR_ARGUMENT,
                   "%s: lines of calls are in a file for each rank: name that of rank 0, whose last number is 0, or "
                   "their folder",
                   path);
  else if (files.count == 0)
    tutti_xpush(&files, tutti_xstrdup(path));
  if (status == TUTTI_OK)
    status = read_files(&files, format, workload, passed, error);
  tutti_files_free(&files);
  return status;
}

static tutti_status read_list(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  struct workload_files files = {.count = 0};
  tutti_status status = tutti_files_of_list(path, workload->text, &files, passed, error);
  if (status == TUTTI_OK)
    status = tutti_workload_read_ti(&files, workload, passed, error);
  tutti_files_free(&files);
  return status;
}

static tutti_status read_folder(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  struct workload_files files = {.count = 0};
  enum workload_format format;
  tutti_status status = tutti_files_in_folder(path, &files, &format, passed, error);
  if (status == TUTTI_OK)
    status = read_files(&files, format, workload, passed, error);
  tutti_files_free(&files);
  return status;
}

static tutti_status read_file(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error)
{
  const tutti_status status = tutti_input_read(path, TUTTI_INPUT_RECORDS, &workload->text, &workload->length, error);
  if (status != TUTTI_OK)
    return status;
  const enum workload_format format = tutti_workload_format(workload->text, workload->length);
  switch (format) {
  case WORKLOAD_TRACE:
    return tutti_workload_read_trace(path, workload, error);
  case WORKLOAD_GOAL:
    return tutti_workload_read_goal(path, workload, passed, error);
  case WORKLOAD_BINARY_GOAL:
    return tutti_workload_read_binary_goal(path, workload, passed, error);
  case WORKLOAD_LINES:
  case WORKLOAD_DUMPI:
  case WORKLOAD_TI:
  case WORKLOAD_CHAKRA:
  case WORKLOAD_CHAKRA_JSON:
    return read_beside(path, format, workload, passed, error);
  case WORKLOAD_LIST:
    return read_list(path, workload, passed, error);
  default:
    if (strstr(workload->text, "-chakra."))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s: an execution trace of PyTorch: its nodes have no kinds: convert it by chakra_converter",
                        path);
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: not a trace: of no format that is known", path);
  }
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
  const tutti_status status = (tutti_folder_is(path) ? read_folder : read_file)(path, workload, passed, error);
  if (status == TUTTI_OK && passed && passed->count > 0 && is_empty(workload))
    return refuse_nothing(path, passed, error);
  return status;
}

void tutti_workload_free(struct workload *workload)
{
  for (size_t s = 0; s < workload->shapes.count; s++)
    tutti_workload_shape_free(&workload->shapes.items[s]);
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
