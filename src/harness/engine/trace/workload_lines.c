/* The lines of liballprof (Hoefler, Schneider, Lumsdaine 2009): a call each, "MPI_NAME:BEGIN:ARGUMENT:...:END". Times
   are microseconds, arguments those of MPI in their order, a datatype "NUMBER,BYTES", a communicator
   "NUMBER,RANK,SIZE". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

/* ---- lines ---- */

void tutti_lines_pass(struct trace_lines *trace, const char *why, const char *format, ...)
{
  va_list arguments;
  if (trace->defining) /* when all calls are read */
    return;
  va_start(arguments, format);
  char *detail = tutti_xvprintf(format, arguments);
  va_end(arguments);
  if (trace->lines.status == TUTTI_OK)
    trace->lines.status = tutti_pass_over(trace->passed, trace->lines.path, (uint64_t)trace->lines.number, why,
                                          trace->lines.error, "%s", detail);
  free(detail);
}

/* A time in microseconds, or "-": as the other one, or the last one. */
static bool parse_time(const char *text, const char *other, double last, double *time)
{
  if (strcmp(text, "-") != 0)
    return tutti_parse_real(text, time) && fabs(*time) < 1e18;
  *time = last;
  return strcmp(other, "-") == 0 || (tutti_parse_real(other, time) && fabs(*time) < 1e18);
}

/* A call whose times are not understood takes none, as the calls of ranks are matched by their number; a first one is
   passed over. */
static bool leave_times(struct trace_lines *trace, const char *why)
{
  tutti_lines_pass(trace, why, "%.40s", trace->fields[0]);
  trace->from = trace->to = trace->last;
  return trace->begun && trace->count > 2;
}

static bool split(struct trace_lines *trace)
{
  char *rest = trace->lines.text;
  trace->count = 0;
  for (char *field; (field = strsep(&rest, ":"));) {
    if (trace->count == FIELDS)
      return tutti_lines_pass(trace, "more fields than any call has", "%.40s", trace->fields[0]), false;
    trace->fields[trace->count++] = field;
  }
  const char *from = trace->count > 2 ? trace->fields[1] : "",
             *to = trace->count > 2 ? trace->fields[trace->count - 1] : "";
  if (!parse_time(from, to, trace->last, &trace->from) || !parse_time(to, from, trace->last, &trace->to))
    return leave_times(trace, "MPI_NAME:BEGIN:...:END is expected, with times in microseconds");
  if (!trace->defining && (!(trace->from <= trace->to) || (trace->begun && trace->from < trace->last)))
    return leave_times(trace, "times that do not follow each other");
  return true;
}

/* A rank begins when MPI_Init ends, or where that is not recorded, as in a trace that was
   begun in the middle of the run, with its first call. */
void tutti_lines_take_call(struct trace_lines *trace)
{
  if (trace->defining) {
    if (tutti_lines_makes(trace->fields[0]))
      tutti_lines_read_maker(trace);
    return;
  }
  const bool begins = strcmp(trace->fields[0], "MPI_Init") == 0 || strcmp(trace->fields[0], "MPI_Init_thread") == 0;
  if (begins || !trace->begun)
    trace->first = trace->last = begins ? trace->to : trace->from;
  trace->begun = true;
  if (begins)
    return;
  if (strcmp(trace->fields[0], "MPI_Finalize") == 0) {
    tutti_lines_add_work(trace, trace->from - trace->last);
    trace->last = trace->from;
  } else
    tutti_lines_read_call(trace);
}

/* The second version prints pointers as "0x1" or "(nil)" and a datatype as a handle, and a request when it is waited
   for already. */
static bool is_second_version(const char *text)
{
  return strstr(text, ":0x") || strstr(text, ":(nil)") || strstr(text, "# backtrace [");
}

static void read_line(struct trace_lines *trace)
{
  const char *text = trace->lines.text + strspn(trace->lines.text, " \t");
  if (*text == '#' || *text == '\0')
    return;
  if (trace->defining && !tutti_lines_makes(text))
    return;
  if (strncmp(text, "MPI_", 4) != 0)
    tutti_lines_pass(trace, "a line that does not begin with MPI_", "'%.40s'", text);
  else if (!trace->begun && !trace->defining && is_second_version(text))
    (void)tutti_lines_fault(&trace->lines, "lines of liballprof's second version, which say neither how many bytes a "
                                           "datatype has nor which request is waited for: record with the first one");
  else if (split(trace))
    tutti_lines_take_call(trace);
}

/* ---- files ---- */

static tutti_status read_rank(struct trace_lines *trace, const char *path, tutti_error *error)
{
  trace->writer.graph = &trace->workload->ranks[trace->rank].graph;
  trace->workload->ranks[trace->rank].first_shape = trace->workload->shapes.count;
  trace->begun = false;
  trace->made = 0;
  trace->first = trace->last = 0;
  trace->writer.before = WORKLOAD_UNKNOWN;
  trace->writer.posted = false;
  trace->writer.requests.count = 0;
  if (trace->dumpi)
    tutti_dumpi_begin_rank(trace);
  (void)tutti_lines_open(&trace->lines, path, TUTTI_INPUT_RECORDS, error);
  while (tutti_lines_next(&trace->lines))
    (trace->dumpi ? tutti_dumpi_read_line : read_line)(trace);
  if (!trace->begun)
    tutti_lines_pass(trace, "a file without a call", "%s", "");
  tutti_pairs_free(&trace->places);
  tutti_pairs_free(&trace->handles);
  trace->line_groups.count = 0;
  tutti_graph_end_segment(trace->writer.graph);
  trace->seconds = fmax(trace->seconds, (trace->last - trace->first) * 1e-6);
  return tutti_lines_close(&trace->lines);
}

/* Of -1 and -2 the one that is sent to is MPI_PROC_NULL; where none is, -2. */
static void name_peers(struct trace_lines *trace)
{
  const uint32_t none = trace->sends_to_minus_1 ? PEER_MINUS(1) : PEER_MINUS(2);
  for (uint32_t r = 0; r < trace->workload->rank_count; r++)
    for (size_t o = 0; o < trace->workload->ranks[r].graph.ops.count; o++) {
      struct workload_op *op = &trace->workload->ranks[r].graph.ops.items[o];
      if (op->kind != WORKLOAD_RECV || op->peer < PEER_MINUS(2))
        continue;
      if (op->peer == none)
        *op = (struct workload_op){.kind = WORKLOAD_WORK};
      else
        op->peer = WORKLOAD_UNKNOWN;
    }
}

/* What was passed over on one rank leaves others alone with the other end. */
static tutti_status join_ranks(struct trace_lines *trace, const char *path, uint64_t before, tutti_error *error)
{
  name_peers(trace);
  const tutti_status status = tutti_workload_align(path, trace->workload, trace->called, trace->passed, error);
  tutti_workload_resolve(trace->workload);
  if (trace->passed && trace->passed->count > before)
    tutti_workload_match(trace->workload);
  return status;
}

static tutti_status read_ranks(struct trace_lines *trace, const struct workload_files *files, tutti_error *error)
{
  const uint64_t before = trace->passed ? trace->passed->count : 0;
  tutti_status status = TUTTI_OK;
  for (int pass = 0; pass < 2 && status == TUTTI_OK; pass++) {
    trace->defining = pass == 0;
    for (trace->rank = 0; trace->rank < files->count && status == TUTTI_OK; trace->rank++)
      status = read_rank(trace, files->items[trace->rank], error);
    if (trace->defining && status == TUTTI_OK)
      tutti_groups_resolve(&trace->groups, trace->workload);
  }
  return status == TUTTI_OK ? join_ranks(trace, files->items[0], before, error) : status;
}

tutti_status tutti_workload_read_lines(const struct workload_files *files, bool dumpi, struct workload *workload,
                                       tutti_passed *passed, tutti_error *error)
{
  struct trace_lines *trace = tutti_xcalloc(1, sizeof *trace);
  workload->rank_count = (uint32_t)files->count;
  workload->ranks = tutti_xcalloc(files->count, sizeof *workload->ranks);
  tutti_xpush(&workload->communicators, (struct workload_communicator){.size = workload->rank_count});
  *trace = (struct trace_lines){
      .workload = workload, .passed = passed, .called = tutti_xcalloc(files->count, sizeof *trace->called)};
  trace->groups.ranks = tutti_xcalloc(files->count, sizeof *trace->groups.ranks);
  trace->dumpi = dumpi ? tutti_dumpi_new() : NULL;
  const tutti_status status = read_ranks(trace, files, error);
  tutti_workload_number_channels(workload, trace->channels.used);
  workload->seconds = trace->seconds;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    tutti_vector_free(&trace->called[r]);
  free(trace->called);
  tutti_pairs_free(&trace->channels);
  tutti_vector_free(&trace->writer.requests);
  tutti_vector_free(&trace->line_groups);
  tutti_groups_free(&trace->groups, workload->rank_count);
  tutti_dumpi_free(trace->dumpi);
  free(trace);
  return status;
}
