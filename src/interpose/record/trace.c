#include "interpose/record/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/collectives/arguments.h"
#include "base/machine.h"
#include "base/say.h"
#include "decision/results/trace_format.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

enum { SHAPES = 1024 }; /* a power of two */

/* ---- beginning ---- */

void tutti_trace_begin(struct process *process)
{
  const MPI_Comm comm = process->known.shadow;
  const char *path = process->policy->trace;
  struct trace *trace = &process->trace;
  struct clock clock = {.offset = 0};
  int level;
  if (!path)
    return;
  *trace = (struct trace){.comm = comm, .path = path, .communicator_count = 1};
  PMPI_Comm_rank(comm, &trace->rank);
  PMPI_Comm_size(comm, &trace->size);
  PMPI_Comm_group(comm, &trace->world);
  trace->threaded = PMPI_Query_thread(&level) != MPI_SUCCESS || level >= MPI_THREAD_SERIALIZED;
  tutti_trace_open(trace);
  trace->shapes = calloc(SHAPES, sizeof *trace->shapes);
  trace->begun = tutti_profile_now(comm, &clock);
  tutti_trace_put(trace, TRACE_START);
  tutti_trace_put(trace, (uint64_t)llround(fmax(0, trace->begun + clock.offset) * 1e9));
  tutti_traces = true;
}

static uint64_t nanoseconds(const struct trace *trace, double time)
{
  const double since = (time - trace->begun) * 1e9 + 0.5;
  return since > 0 ? (uint64_t)since : 0; /* llround() is a call */
}

/* ---- communicators ---- */

/* Members that are the same distance apart are one run. */
static int run_at(const int *members, int size, int first)
{
  int last = first + 1 < size ? first + 1 : first;
  while (last + 1 < size && last > first && members[last + 1] - members[last] == members[first + 1] - members[first])
    last++;
  return last - first + 1;
}

static void put_members(struct trace *trace, const int *members, int size)
{
  int runs = 0, before = 0;
  for (int first = 0; first < size; first += run_at(members, size, first))
    runs++;
  tutti_trace_put(trace, (uint64_t)runs);
  for (int first = 0, length; first < size; first += length) {
    length = run_at(members, size, first);
    tutti_trace_put(trace, trace_fold(members[first] - before));
    tutti_trace_put(trace, (uint64_t)length - 1);
    if (length > 1)
      tutti_trace_put(trace, trace_fold(members[first + 1] - members[first]));
    before = members[first + length - 1];
  }
}

static uint64_t put_communicator(struct trace *trace, MPI_Comm comm, int size)
{
  uint64_t digest, before;
  int *members = tutti_communicator_see(&trace->seen, comm, trace->world, size, &digest, &before);
  if (!members)
    return 0;
  tutti_trace_put(trace, TRACE_COMMUNICATOR);
  tutti_trace_put(trace, before);
  put_members(trace, members, size);
  free(members);
  return ++trace->communicator_count;
}

uint64_t tutti_trace_number(struct trace *trace, MPI_Comm comm)
{
  int size = 0, inter = 1;
  return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter && PMPI_Comm_size(comm, &size) == MPI_SUCCESS
             ? put_communicator(trace, comm, size)
             : 0;
}

void tutti_trace_define(struct trace *trace, struct trace_communicator *communicator, MPI_Comm comm)
{
  communicator->known = true;
  communicator->number = comm == MPI_COMM_WORLD ? 1 : tutti_trace_number(trace, comm);
}

/* ---- vectors: what irregular collectives need ---- */

static bool has_vector(const struct call *call, const struct user_buffer *buffer)
{
  return call->ranks > 0 && buffer->counts && tutti_collective_traits(call->arguments->collective) & TUTTI_IS_IRREGULAR;
}

static uint64_t type_size(MPI_Datatype type)
{
  int size = 0;
  return type != (MPI_Datatype)0 && type != MPI_DATATYPE_NULL && PMPI_Type_size(type, &size) == MPI_SUCCESS && size > 0
             ? (uint64_t)size
             : 0;
}

/* The item of rank `r` of a vector: bytes, or elements for a reduction. */
static uint64_t item_of(const struct call *call, const struct user_buffer *buffer, uint64_t size, int r)
{
  const uint64_t count = (uint64_t)tutti_count_at(buffer, r);
  if (tutti_collective_traits(call->arguments->collective) & TUTTI_REDUCES)
    return count;
  return count * (buffer->types ? type_size(buffer->types[r]) : size);
}

static uint64_t digest_vector(const struct call *call, const struct user_buffer *buffer, uint64_t digest)
{
  const uint64_t size = has_vector(call, buffer) ? type_size(buffer->type) : 0;
  for (int r = 0; r < call->ranks && has_vector(call, buffer); r++)
    digest = (digest ^ item_of(call, buffer, size, r)) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  return digest ^ digest >> 29;
}

/* One block of an irregular collective on a rank is a vector of length 1. */
static void put_vector(struct trace *trace, const struct call *call, const struct user_buffer *buffer)
{
  const bool irregular = call->ranks > 0 && tutti_collective_traits(call->arguments->collective) & TUTTI_IS_IRREGULAR;
  const uint64_t size = irregular ? type_size(buffer->type) : 0;
  uint64_t before = 0;
  if (!has_vector(call, buffer)) {
    const bool block =
        irregular && !(tutti_collective_traits(call->arguments->collective) & TUTTI_REDUCES) && buffer->count > 0;
    tutti_trace_put(trace, block);
    if (block)
      tutti_trace_put(trace, trace_fold((int64_t)(buffer->count * size)));
    return;
  }
  tutti_trace_put(trace, (uint64_t)call->ranks);
  for (int r = 0; r < call->ranks; r++) {
    const uint64_t item = item_of(call, buffer, size, r);
    tutti_trace_put(trace, trace_fold((int64_t)(item - before)));
    before = item;
  }
}

/* ---- shapes ---- */

static bool is_shape(const struct trace_shape *shape, const struct trace_shape *key)
{
  return shape->used && shape->executor.collective == key->executor.collective && shape->bytes == key->bytes &&
         shape->communicator == key->communicator && shape->root == key->root && shape->type == key->type &&
         shape->op == key->op && shape->vectors == key->vectors && shape->form == key->form &&
         !shape->executor.native == !key->executor.native &&
         (shape->executor.native || tutti_method_compare(&shape->executor.method, &key->executor.method) == 0);
}

static size_t place_of(const struct trace_shape *key)
{
  const uint64_t words[] = {key->communicator << 8 | key->executor.collective,
                            key->bytes ^ key->vectors ^ key->form << 40, (uint64_t)key->root};
  return tutti_hash_words(words, 3) & (SHAPES - 1);
}

static void put_shape(struct trace *trace, const struct trace_shape *shape, const struct call *call)
{
  char method[TUTTI_METHOD_LENGTH];
  const struct arguments *arguments = call->arguments;
  const bool reduces = tutti_collective_traits(arguments->collective) & TUTTI_REDUCES;
  int commutes = 1;
  if (shape->executor.native)
    snprintf(method, sizeof method, "%s/native", tutti_collective_name(shape->executor.collective));
  else
    tutti_method_format(&shape->executor.method, method);
  if (reduces && call->ranks > 0)
    PMPI_Op_commutative(arguments->op, &commutes);
  tutti_trace_put(trace, shape->form > 0 ? TRACE_MESSAGE : TRACE_SHAPE);
  if (shape->form > 0) {
    tutti_trace_put(trace, TRACE_ICOLLECTIVE);
    tutti_trace_put(trace, shape->form - 1);
  }
  tutti_trace_put(trace, shape->communicator);
  tutti_trace_put_text(trace, method);
  tutti_trace_put(trace, shape->bytes);
  tutti_trace_put(trace, reduces && call->ranks > 0 ? type_size(shape->type) : 1);
  tutti_trace_put(trace, commutes != 0);
  tutti_trace_put(trace, (uint64_t)shape->root);
  put_vector(trace, call, &arguments->input);
  put_vector(trace, call, &arguments->output);
}

uint64_t tutti_trace_shape_of(struct trace *trace, const struct call *call, const struct executor *executor,
                              uint64_t form)
{
  const struct arguments *arguments = call->arguments;
  struct trace_shape key = {.executor = *executor, .type = arguments->output.type, .form = form};
  if (call->ranks > 0) {
    const uint64_t blocks = arguments->input.count ^ arguments->output.count << 20; /* of a rank without a vector */
    key.communicator = call->communicator->trace.number;
    key.bytes = call->bytes;
    key.root = arguments->root;
    key.op = arguments->op;
    if (tutti_collective_traits(arguments->collective) & TUTTI_IS_IRREGULAR)
      key.vectors = digest_vector(call, &arguments->output, digest_vector(call, &arguments->input, 0x7477 ^ blocks));
  }
  struct trace_shape *shape = &trace->shapes[place_of(&key)];
  if (!is_shape(shape, &key)) {
    *shape = key;
    shape->used = true;
    shape->number = trace->shape_count++;
    put_shape(trace, shape, call);
  }
  return shape->number;
}

/* ---- calls ---- */

/* A call of this thread began at `from`, and ends after all before; the first one of all is of no other thread. */
static void note_thread(struct trace *trace, uint64_t from)
{
  const pthread_t thread = pthread_self();
  if (trace->ended > 0 && !pthread_equal(thread, trace->thread))
    trace->threads |= 1u << (from < trace->ended ? TRACE_THREADS : TRACE_TURNS);
  trace->thread = thread;
}

void tutti_trace_again(struct trace *trace, uint64_t shape, double start, double end)
{
  const uint64_t from = nanoseconds(trace, start), to = nanoseconds(trace, end);
  const uint64_t between = from > trace->ended ? from - trace->ended : 0,
                 idle = trace->idle < between ? trace->idle : between;
  const uint64_t record[] = {TRACE_CALL + shape - 1, between - idle, (to > from ? to - from : 0) + idle};
  tutti_trace_put_record(trace, record);
  tutti_trace_commit(trace);
  if (__builtin_expect(trace->threaded, 0))
    note_thread(trace, from);
  trace->ended = to;
  trace->idle = 0;
}

void tutti_trace_wait_for(struct trace *trace, double start, double end)
{
  const uint64_t from = nanoseconds(trace, start), to = nanoseconds(trace, end);
  trace->idle += to > from ? to - from : 0;
}

void tutti_trace_call(struct process *process, struct call *call, const struct executor *executor, double end)
{
  struct trace *trace = &process->trace;
  if (trace->comm == MPI_COMM_NULL || !trace->buffer || !trace->shapes)
    return;
  if (call->ranks > 0 && !call->communicator->trace.known)
    tutti_trace_define(trace, &call->communicator->trace, call->communicator->comm);
  if (executor->form) {
    tutti_trace_form(process, call, executor, end);
    return;
  }
  call->shape = 1 + tutti_trace_shape_of(trace, call, executor, 0);
  tutti_trace_again(trace, call->shape, call->start, end);
}

static void report(const struct trace *trace, unsigned unrecorded)
{
  unsigned all = 0;
  PMPI_Reduce(&unrecorded, &all, 1, MPI_UNSIGNED, MPI_BOR, 0, trace->comm);
  for (int kind = 0; kind < TRACE_UNRECORDED_KINDS; kind++)
    if (all & 1u << kind)
      tutti_say(stderr, "tutti: not in the trace: %s\n", trace_unrecorded_name(kind));
}

void tutti_trace_end(struct process *process)
{
  struct trace *trace = &process->trace;
  const unsigned unrecorded = process->unrecorded | trace->threads;
  if (trace->comm == MPI_COMM_NULL)
    return;
  if (process->policy->verbose)
    report(trace, unrecorded);
  const uint64_t now = nanoseconds(trace, PMPI_Wtime());
  if (unrecorded) {
    tutti_trace_put(trace, TRACE_UNRECORDED);
    tutti_trace_put(trace, unrecorded);
  }
  tutti_trace_put(trace, TRACE_END);
  tutti_trace_put(trace, now > trace->ended ? now - trace->ended : 0);
  tutti_trace_gather(trace);
  PMPI_Group_free(&trace->world);
  tutti_trace_free_bytes(trace);
  free(trace->shapes);
  tutti_vector_free(&trace->seen);
  tutti_trace_messages_free(&trace->messages);
  trace->comm = MPI_COMM_NULL;
}
