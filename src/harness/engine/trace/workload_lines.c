/* The lines of liballprof (Hoefler, Schneider, Lumsdaine 2009): a call each, "MPI_NAME:BEGIN:ARGUMENT:...:END". Times
   are microseconds, arguments those of MPI in their order, a datatype "NUMBER,BYTES", a communicator
   "NUMBER,RANK,SIZE". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

/* ---- lines ---- */

static bool split(struct trace_lines *trace)
{
  char *rest = trace->lines.text;
  trace->count = 0;
  for (char *field; (field = strsep(&rest, ":"));) {
    if (trace->count == FIELDS)
      return tutti_lines_fault(&trace->lines, "more fields than any call has"), false;
    trace->fields[trace->count++] = field;
  }
  if (trace->count < 3 || !tutti_parse_real(trace->fields[1], &trace->from) ||
      !tutti_parse_real(trace->fields[trace->count - 1], &trace->to))
    return tutti_lines_fault(&trace->lines, "MPI_NAME:BEGIN:...:END is expected, with times in microseconds"), false;
  if (!(trace->from <= trace->to) || trace->to > 1e18 || (trace->begun && trace->from < trace->last))
    return tutti_lines_fault(&trace->lines, "times that do not follow each other"), false;
  return true;
}

static void read_line(struct trace_lines *trace)
{
  const char *text = trace->lines.text + strspn(trace->lines.text, " \t");
  if (*text == '#' || *text == '\0')
    return;
  if (strncmp(text, "MPI_", 4) != 0)
    tutti_lines_fault(&trace->lines, "a line that does not begin with MPI_");
  else if (split(trace)) {
    if (!trace->begun) {
      trace->begun = true;
      trace->first = trace->last = trace->to;
    } else if (strcmp(trace->fields[0], "MPI_Finalize") == 0) {
      tutti_lines_add_work(trace, trace->from - trace->last);
      trace->last = trace->from;
    } else
      tutti_lines_read_call(trace);
  }
}

/* ---- files ---- */

/* The file of another rank: its number replaces the last 0 after a hyphen. NULL: the name has none. */
static char *path_of(const char *path, uint32_t rank)
{
  const char *place = NULL;
  for (const char *next = path; (next = strstr(next, "-0")); next++)
    if (next[2] < '0' || next[2] > '9')
      place = next;
  return place ? tutti_xprintf("%.*s-%u%s", (int)(place - path), path, (unsigned)rank, place + 2) : NULL;
}

static uint32_t count_files(const char *path)
{
  enum { MAX_FILES = 1 << 20 };
  uint32_t count = 0;
  for (bool there = true; there && count < MAX_FILES; count += there) {
    char *file = path_of(path, count);
    there = file && access(file, R_OK) == 0;
    free(file);
  }
  return count;
}

static tutti_status read_rank(struct trace_lines *trace, const char *path, tutti_error *error)
{
  trace->writer.graph = &trace->workload->ranks[trace->rank].graph;
  trace->workload->ranks[trace->rank].first_shape = trace->workload->shapes.count;
  trace->begun = false;
  trace->writer.before = WORKLOAD_UNKNOWN;
  trace->writer.posted = false;
  trace->writer.requests.count = 0;
  (void)tutti_lines_open(&trace->lines, path, TUTTI_INPUT_RECORDS, error);
  while (tutti_lines_next(&trace->lines))
    read_line(trace);
  if (trace->lines.status == TUTTI_OK && !trace->begun)
    tutti_lines_fault(&trace->lines, "no call");
  tutti_pairs_free(&trace->places);
  tutti_graph_end_segment(trace->writer.graph);
  trace->seconds = fmax(trace->seconds, (trace->last - trace->first) * 1e-6);
  return tutti_lines_close(&trace->lines);
}

tutti_status tutti_workload_read_lines(const char *path, struct workload *workload, tutti_error *error)
{
  const uint32_t files = count_files(path);
  if (files == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: lines of calls are in a file for each rank, whose names have -0, -1, ...", path);
  struct trace_lines *trace = tutti_xcalloc(1, sizeof *trace);
  *trace = (struct trace_lines){.workload = workload};
  tutti_status status = TUTTI_OK;
  workload->rank_count = files;
  workload->ranks = tutti_xcalloc(files, sizeof *workload->ranks);
  tutti_xpush(&workload->communicators, (struct workload_communicator){.size = files});
  for (; trace->rank < files && status == TUTTI_OK; trace->rank++) {
    char *file = path_of(path, trace->rank);
    status = read_rank(trace, file, error);
    free(file);
  }
  workload->channel_count = trace->channels.used + 1;
  workload->seconds = trace->seconds;
  tutti_pairs_free(&trace->channels);
  tutti_vector_free(&trace->writer.requests);
  free(trace);
  return status;
}
