/* The bytes of a trace: into FILE.RANK, and at the end, through rank 0, into FILE. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/machine.h"
#include "base/output.h"
#include "base/say.h"
#include "decision/results/trace_format.h"
#include "interpose/mpi_library.h"
#include "interpose/record/trace.h"
#include "tutti/record.h"

enum { TAG = 0 };

/* ---- a rank ---- */

void tutti_trace_open(struct trace *trace)
{
  int *leaders = tutti_find_leaders(trace->comm, trace->size);
  trace->ranks_per_node = tutti_ranks_per_node(leaders, trace->size);
  tutti_rank_writer_open(&trace->file, trace->path, "trace", trace->comm, trace->ranks_per_node);
  free(leaders);
  if (trace->file.head && tutti_rank_writer_reserve(&trace->file, RANK_FILE_HEAD + TRACE_BUFFER))
    trace->buffer = tutti_rank_writer_map(&trace->file, RANK_FILE_HEAD, TRACE_BUFFER);
  if (!trace->buffer) {
    tutti_rank_writer_close(&trace->file);
    trace->buffer = malloc(TRACE_BUFFER);
  }
  trace->head = trace->file.head ? trace->file.head : &trace->none;
}

void tutti_trace_free_bytes(struct trace *trace)
{
  if (trace->file.head && trace->buffer)
    munmap(trace->buffer, TRACE_BUFFER);
  else
    free(trace->buffer);
  tutti_rank_writer_close(&trace->file);
}

/* The next part of the file begins at the page where the last record ends. */
static bool map_next(struct trace *trace)
{
  const uint64_t end = trace->written + trace->used, begin = end - end % RANK_FILE_HEAD;
  unsigned char *next = NULL;
  errno = ENOSPC;
  if (trace->file.head && tutti_rank_writer_reserve(&trace->file, RANK_FILE_HEAD + begin + TRACE_BUFFER))
    next = tutti_rank_writer_map(&trace->file, RANK_FILE_HEAD + begin, TRACE_BUFFER);
  if (!next)
    return false;
  munmap(trace->buffer, TRACE_BUFFER);
  trace->buffer = next;
  trace->written = begin;
  trace->used = end - begin;
  return true;
}

/* Bytes that cannot be written are lost, and all later ones. The file keeps its content. */
static void spill(struct trace *trace)
{
  if (!trace->lost && map_next(trace))
    return;
  if (!trace->lost) {
    trace->lost = errno ? errno : EIO;
    trace->head = &trace->none;
    if (trace->file.head)
      tutti_rank_writer_forget(trace->buffer, 0, TRACE_BUFFER);
  }
  trace->used = 0;
}

void tutti_trace_put(struct trace *trace, uint64_t number)
{
  if (!trace->buffer)
    return;
  if (trace->used + TRACE_NUMBER_BYTES > TRACE_BUFFER)
    spill(trace);
  trace->used += trace_write_number(trace->buffer + trace->used, number);
}

void tutti_trace_put_record(struct trace *trace, const uint64_t numbers[TRACE_CALL_NUMBERS])
{
  if (trace->used + TRACE_CALL_NUMBERS * TRACE_NUMBER_BYTES > TRACE_BUFFER)
    spill(trace);
  for (int n = 0; n < TRACE_CALL_NUMBERS; n++)
    trace->used += trace_write_number(trace->buffer + trace->used, numbers[n]);
}

void tutti_trace_put_text(struct trace *trace, const char *text)
{
  tutti_trace_put(trace, strlen(text));
  for (; *text; text++)
    tutti_trace_put(trace, (unsigned char)*text & 0x7f);
}

/* ---- all ranks ---- */

/* Give the bytes, piece by piece, to `take`; those before the buffer are in the file, which has the buffer, too. */
static void each_piece(const struct trace *trace, unsigned char *piece,
                       void (*take)(void *context, const void *bytes, size_t length), void *context)
{
  const uint64_t end = trace->written + trace->used;
  for (uint64_t at = 0; at < end;) {
    size_t length = end - at < TRACE_BUFFER ? end - at : TRACE_BUFFER;
    if (trace->written == 0)
      memcpy(piece, trace->buffer, length);
    else if (tutti_rank_writer_read(&trace->file, RANK_FILE_HEAD + at, piece, length) != length)
      memset(piece, 0, length); /* a record that no reader takes */
    take(context, piece, length);
    at += length;
  }
}

static void send_piece(void *context, const void *bytes, size_t length)
{
  const struct trace *trace = context;
  PMPI_Send(bytes, (int)length, MPI_BYTE, 0, TAG, trace->comm);
}

static void write_piece(void *context, const void *bytes, size_t length)
{
  FILE *stream = context;
  if (stream)
    fwrite(bytes, 1, length, stream);
}

static void write_number(FILE *stream, uint64_t number)
{
  unsigned char bytes[TRACE_NUMBER_BYTES];
  write_piece(stream, bytes, trace_write_number(bytes, number));
}

/* How many bytes a rank has, and how much it has lost: errno. */
struct announcement {
  uint64_t bytes, lost;
};

static struct announcement announce(const struct trace *trace)
{
  if (!trace->buffer || !trace->shapes)
    return (struct announcement){0, ENOMEM};
  return (struct announcement){trace->written + trace->used, (uint64_t)trace->lost};
}

/* Rank 0 writes what another one has. Returns what that has lost. */
static int receive(const struct trace *trace, unsigned char *piece, FILE *stream, int from)
{
  struct announcement announced;
  MPI_Status status;
  int length;
  PMPI_Recv(&announced, 2, MPI_UINT64_T, from, TAG, trace->comm, MPI_STATUS_IGNORE);
  if (announced.lost)
    return (int)announced.lost;
  if (stream)
    write_number(stream, announced.bytes);
  for (uint64_t left = announced.bytes; left > 0; left -= (uint64_t)length) {
    PMPI_Recv(piece, TRACE_BUFFER, MPI_BYTE, from, TAG, trace->comm, &status);
    PMPI_Get_count(&status, MPI_BYTE, &length);
    write_piece(stream, piece, (size_t)length);
  }
  return 0;
}

static void report_loss(const struct trace *trace, int rank, int fault)
{
  tutti_say(stderr, "tutti: TUTTI_TRACE: %s: rank %d: %s\n", trace->path, rank, strerror(fault));
}

static void print_head(const struct trace *trace, FILE *stream)
{
  char library[TUTTI_RECORD_WORD];
  tutti_mpi_library(library, sizeof library);
  fprintf(stream, TRACE_MAGIC " %d ranks=%d ranks_per_node=%d", TRACE_VERSION, trace->size, trace->ranks_per_node);
#ifndef SMPI_HELPERS_H /* where each rank has a processor of its own */
  fprintf(stream, " cores=%d", tutti_machine_cores());
#endif
  fprintf(stream, " flavor=%s library=%s\n", tutti_mpi_flavor(tutti_library_kind()), library);
}

/* A trace is not written if a rank has lost a part. */
static void write_file(const struct trace *trace, unsigned char *piece)
{
  const struct announcement own = announce(trace);
  struct tutti_output output = {.stream = NULL};
  tutti_error error;
  tutti_status status = tutti_output_begin(trace->path, &output, &error);
  FILE *stream = status == TUTTI_OK ? output.stream : NULL;
  bool complete = !own.lost;
  if (own.lost)
    report_loss(trace, 0, (int)own.lost);
  if (stream && complete) {
    print_head(trace, stream);
    write_number(stream, own.bytes);
    each_piece(trace, piece, write_piece, stream);
  }
  for (int r = 1; r < trace->size; r++) {
    const int lost = receive(trace, piece, complete ? stream : NULL, r);
    if (lost)
      report_loss(trace, r, lost);
    complete = complete && !lost;
  }
  tutti_error unused = {0};
  if (status == TUTTI_OK)
    status = complete ? tutti_output_end(&output, TUTTI_OK, &error)
                      : (tutti_output_end(&output, TUTTI_ERR_MPI, &unused), TUTTI_OK);
  if (status != TUTTI_OK)
    tutti_say(stderr, "tutti: TUTTI_TRACE: %s\n", error.message);
}

void tutti_trace_gather(struct trace *trace)
{
  unsigned char *piece = malloc(TRACE_BUFFER);
  if (!piece)
    trace->lost = ENOMEM;
  const struct announcement own = announce(trace);
  if (trace->rank == 0)
    write_file(trace, piece ? piece : trace->buffer);
  else {
    PMPI_Send(&own, 2, MPI_UINT64_T, 0, TAG, trace->comm);
    if (!own.lost)
      each_piece(trace, piece, send_piece, (void *)trace);
  }
  free(piece);
}
