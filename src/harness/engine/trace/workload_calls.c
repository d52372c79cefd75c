/* Calls in the lines of liballprof: their arguments, messages and waiting. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

#define MAX_BYTES       (UINT64_C(1) << 40)
#define MAX_NANOSECONDS (UINT64_C(1) << 60)

enum { REQUEST_BYTES = 8 };

static void fault(struct trace_lines *trace, const char *what)
{
  tutti_lines_pass(trace, what, "%.40s", trace->fields[0]);
}

/* ---- arguments ---- */

const char *tutti_lines_field(const struct trace_lines *trace, int at)
{
  return at + 2 < trace->count - 1 ? trace->fields[at + 2] : "";
}

static bool pass_argument(struct trace_lines *trace, int at, const char *why)
{
  tutti_lines_pass(trace, why, "%.40s: argument %d: '%.40s'", trace->fields[0], at + 1, tutti_lines_field(trace, at));
  return false;
}

bool tutti_lines_number(struct trace_lines *trace, int at, uint64_t most, uint64_t *value)
{
  return tutti_parse_integer(tutti_lines_field(trace, at), 0, most, value) ||
         pass_argument(trace, at, "an argument that is no number that it can be");
}

bool tutti_lines_rank(struct trace_lines *trace, int at, uint64_t *rank)
{
  return tutti_lines_number(trace, at, UINT32_MAX, rank) &&
         (*rank < trace->place.size ||
          pass_argument(trace, at,
                        trace->place.size == trace->workload->rank_count ? "a rank that is not in the trace"
                                                                         : "a rank that is not in the communicator"));
}

bool tutti_lines_part(const struct trace_lines *trace, int at, int which, uint64_t most, uint64_t *value)
{
  char text[64], *rest = text, *word = NULL;
  snprintf(text, sizeof text, "%s", tutti_lines_field(trace, at));
  for (int i = 0; i <= which; i++)
    word = strsep(&rest, ",");
  return word && tutti_parse_integer(word, 0, most, value);
}

bool tutti_lines_bytes(struct trace_lines *trace, int count_at, uint64_t *bytes, uint64_t *type_size)
{
  uint64_t count;
  if (!tutti_lines_number(trace, count_at, MAX_BYTES, &count))
    return false;
  if (!tutti_lines_part(trace, count_at + 1, 1, 1 << 20, type_size))
    return fault(trace, "a datatype is expected as NUMBER,BYTES"), false;
  *bytes = count * *type_size;
  return *bytes <= MAX_BYTES || (fault(trace, "more bytes than a message can have"), false);
}

/* ---- operations ---- */

void tutti_lines_add_work(struct trace_lines *trace, double microseconds)
{
  const double nanoseconds = fmin(round(microseconds * 1e3), (double)MAX_NANOSECONDS);
  tutti_writer_work(&trace->writer, nanoseconds > 0 ? (uint64_t)nanoseconds : 0);
}

/* Record the computation since the last call, and that this rank takes part. */
void tutti_lines_begin_call(struct trace_lines *trace, int as)
{
  tutti_lines_add_work(trace, trace->from - trace->last);
  trace->last = trace->to;
  trace->workload->recorded[as] += (trace->to - trace->from) * 1e-6;
}

/* ---- messages ---- */

static bool is(const struct trace_lines *trace, const char *name)
{
  return strcmp(trace->fields[0], name) == 0;
}

/* A receive may be from -1 or -2. A send to them is none, and not an error. */
static bool read_peer(struct trace_lines *trace, enum workload_op_kind kind, int at, uint32_t *peer)
{
  const char *text = tutti_lines_field(trace, at);
  const bool minus_1 = strcmp(text, "-1") == 0, negative = minus_1 || strcmp(text, "-2") == 0;
  uint64_t rank = 0;
  if (negative) {
    *peer = minus_1 ? PEER_MINUS(1) : PEER_MINUS(2);
    trace->sends_to_minus_1 |= minus_1 && kind == WORKLOAD_SEND;
    return true;
  }
  if (!tutti_lines_rank(trace, at, &rank))
    return false;
  *peer = workload_member(trace->workload, trace->place.communicator, (uint32_t)rank);
  return true;
}

static bool message(struct trace_lines *trace, enum workload_op_kind kind, int at, int communicator_at,
                    struct workload_op *op)
{
  uint64_t tag, type_size;
  *op = (struct workload_op){.kind = kind};
  if (!tutti_lines_bytes(trace, at, &op->amount, &type_size) || !tutti_lines_communicator(trace, communicator_at))
    return false;
  if (!read_peer(trace, kind, at + 2, &op->peer))
    return false;
  if (kind == WORKLOAD_RECV && tutti_lines_field(trace, at + 3)[0] == '-')
    op->channel = WORKLOAD_ANY_TAG;
  else if (tutti_lines_number(trace, at + 3, UINT32_MAX, &tag))
    op->channel = tutti_channel_of(&trace->channels, trace->place.key, tag);
  else
    return false;
  op->synchronous = is(trace, "MPI_Ssend") || is(trace, "MPI_Issend");
  if (kind == WORKLOAD_SEND && op->peer >= PEER_MINUS(2)) /* to MPI_PROC_NULL */
    *op = (struct workload_op){.kind = WORKLOAD_WORK};
  return true;
}

static void read_blocking(struct trace_lines *trace, enum workload_op_kind kind)
{
  struct workload_op op;
  if (!message(trace, kind, 1, 5, &op))
    return;
  tutti_lines_begin_call(trace, WORKLOAD_MESSAGES);
  op.blocking = kind == WORKLOAD_SEND;
  (void)tutti_writer_add(&trace->writer, op);
  tutti_writer_end(&trace->writer);
}

/* Several messages may have one request: which of them a test has found complete is not known. trace->places has for
   (number, 0) the next copy, from 1 on, and for (number, copy) its place in writer.requests, from 1 on. */
static void start(struct trace_lines *trace, struct workload_op op, uint64_t number)
{
  uint32_t *next = tutti_pair_number(&trace->places, number, 0);
  const uint32_t copy = *next > 1 ? *next : 1;
  *next = copy + 1;
  tutti_writer_start(&trace->writer, op, number);
  const size_t count = trace->writer.requests.count;
  trace->writer.requests.items[count - 1].copy = copy;
  *tutti_pair_number(&trace->places, number, copy) = (uint32_t)count;
}

static void read_nonblocking(struct trace_lines *trace, enum workload_op_kind kind)
{
  struct workload_op op;
  uint64_t request;
  if (!message(trace, kind, 1, 5, &op) || !tutti_lines_number(trace, 6, UINT64_MAX, &request))
    return;
  tutti_lines_begin_call(trace, WORKLOAD_MESSAGES);
  start(trace, op, request);
}

/* A buffered send is complete at once, and nobody waits for it. */
static void read_buffered(struct trace_lines *trace)
{
  struct workload_op op;
  if (!message(trace, WORKLOAD_SEND, 1, 5, &op))
    return;
  tutti_lines_begin_call(trace, WORKLOAD_MESSAGES);
  (void)tutti_writer_add(&trace->writer, op);
  trace->writer.posted = op.kind == WORKLOAD_SEND;
}

/* With one buffer its bytes stand once, and the tags beside the ranks. */
static void read_both(struct trace_lines *trace, bool replaces)
{
  struct workload_op out, in;
  if (!message(trace, WORKLOAD_SEND, 1, replaces ? 7 : 10, &out))
    return;
  if (replaces) {
    trace->fields[2 + 3] = trace->fields[2 + 5];
    trace->fields[2 + 4] = trace->fields[2 + 6];
  }
  if (!message(trace, WORKLOAD_RECV, replaces ? 1 : 6, replaces ? 7 : 10, &in))
    return;
  tutti_lines_begin_call(trace, WORKLOAD_MESSAGES);
  tutti_writer_both(&trace->writer, out, in);
}

/* All copies; the last request comes to the place of one that is waited for. */
static void wait_for_request(struct trace_lines *trace, uint64_t number, uint32_t end)
{
  const struct workload_request *requests = trace->writer.requests.items;
  uint32_t *next = tutti_pair_find(&trace->places, number, 0);
  for (; next && *next > 1; (*next)--) {
    const uint32_t place = *tutti_pair_find(&trace->places, number, *next - 1);
    const struct workload_request last = requests[trace->writer.requests.count - 1];
    *tutti_pair_find(&trace->places, last.number, last.copy) = place;
    tutti_writer_wait(&trace->writer, place - 1, end);
  }
}

/* Wait for the requests `first` and the next `count` - 1 in memory; missing ones are ignored. */
static void wait_for(struct trace_lines *trace, uint64_t first, uint64_t count)
{
  tutti_lines_begin_call(trace, WORKLOAD_MESSAGES);
  const uint32_t end = tutti_writer_add(&trace->writer, (struct workload_op){.kind = WORKLOAD_WORK});
  size_t r = trace->writer.requests.count;
  const bool few = count <= r;
  for (uint64_t i = 0; few && i < count && i <= (UINT64_MAX - first) / REQUEST_BYTES; i++)
    wait_for_request(trace, first + i * REQUEST_BYTES, end);
  while (!few && r-- > 0) {
    if (r >= trace->writer.requests.count)
      continue;
    const uint64_t number = trace->writer.requests.items[r].number;
    if (number >= first && (number - first) / REQUEST_BYTES < count && (number - first) % REQUEST_BYTES == 0)
      wait_for_request(trace, number, end);
  }
  tutti_writer_end(&trace->writer);
}

static void read_wait(struct trace_lines *trace, bool all)
{
  uint64_t count = 1, first;
  if ((all && !tutti_lines_number(trace, 0, UINT32_MAX, &count)) || !tutti_lines_number(trace, all, UINT64_MAX, &first))
    return;
  wait_for(trace, first, count);
}

/* ---- all ---- */

/* Read a call about messages; false for any other call. */
static bool read_message(struct trace_lines *trace)
{
  if (is(trace, "MPI_Send") || is(trace, "MPI_Ssend") || is(trace, "MPI_Rsend"))
    return read_blocking(trace, WORKLOAD_SEND), true;
  if (is(trace, "MPI_Recv"))
    return read_blocking(trace, WORKLOAD_RECV), true;
  if (is(trace, "MPI_Isend") || is(trace, "MPI_Issend") || is(trace, "MPI_Irsend"))
    return read_nonblocking(trace, WORKLOAD_SEND), true;
  if (is(trace, "MPI_Irecv"))
    return read_nonblocking(trace, WORKLOAD_RECV), true;
  if (is(trace, "MPI_Sendrecv"))
    return read_both(trace, false), true;
  if (is(trace, "MPI_Sendrecv_replace"))
    return read_both(trace, true), true;
  if (is(trace, "MPI_Bsend"))
    return read_buffered(trace), true;
  if (is(trace, "MPI_Wait") || is(trace, "MPI_Waitall"))
    return read_wait(trace, is(trace, "MPI_Waitall")), true;
  return false;
}

/* Calls that others wait for, and that cannot be replayed; what changes nothing between ranks is computation. */
static bool is_refused(const struct trace_lines *trace)
{
  static const char *const beginnings[] = {"MPI_Alltoallw", "MPI_Neighbor_", "MPI_Ineighbor_", "MPI_Iall",
                                           "MPI_Ibarrier",  "MPI_Ibcast",    "MPI_Igather",    "MPI_Iscatter",
                                           "MPI_Ireduce",   "MPI_Iscan",     "MPI_Iexscan",    "MPI_Waitany",
                                           "MPI_Waitsome",  "MPI_Start",     "MPI_Ibsend"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(trace->fields[0], beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

void tutti_lines_read_call(struct trace_lines *trace)
{
  if (tutti_lines_makes(trace->fields[0]))
    tutti_lines_read_maker(trace);
  else if (!tutti_lines_read_collective(trace) && !read_message(trace) && is_refused(trace))
    tutti_lines_pass(trace, "a call that cannot be replayed", "%.40s", trace->fields[0]);
}
