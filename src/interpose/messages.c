/* Messages of the program itself: with TUTTI_TRACE they are recorded (trace_messages.h), else these functions are the
   library's, one jump away: no clock, no look at the process. What Tutti sends itself does not come here: references of
   its own parts to these functions are bound to __wrap_NAME by the linker. */
#include "interpose/calls.h"
#include "interpose/record/trace_messages.h"

#define FUNCTIONS_BEFORE TUTTI_REQUESTS

/* A function; what follows is what it does where a trace is written. */
#define RECORDED(function, parameters, list)                                                                           \
  FORWARDED(function, parameters, list)                                                                                \
  static int record_##function parameters;                                                                             \
  int __wrap_##function parameters;                                                                                    \
  int __wrap_##function parameters                                                                                     \
  {                                                                                                                    \
    return library_##function list;                                                                                    \
  }                                                                                                                    \
  int function parameters                                                                                              \
  {                                                                                                                    \
    return __builtin_expect(tutti_traces, 0) ? record_##function list : library_##function list;                       \
  }                                                                                                                    \
  static int record_##function parameters

#define ENVELOPE(count_, type_, peer_, tag_, comm_)                                                                    \
  ((struct envelope){.count = (uint64_t)(count_), .type = (type_), .peer = (peer_), .tag = (tag_), .comm = (comm_)})

/* ---- one message: sent, begun with a request, prepared as a persistent request; `qualifier` of its buffer ---- */

#define SENDS(function, kind)                                                                                          \
  RECORDED(function, (const void *buffer, COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm comm),             \
           (buffer, count, type, to, tag, comm))                                                                       \
  {                                                                                                                    \
    const struct envelope envelope = ENVELOPE(count, type, to, tag, comm);                                             \
    const double start = tutti_trace_now();                                                                            \
    const int result = library_##function(buffer, count, type, to, tag, comm);                                         \
    return tutti_trace_blocking(kind, &envelope, NULL, start, result);                                                 \
  }
#define WITH_REQUEST(function, qualifier)                                                                              \
  RECORDED(function,                                                                                                   \
           (qualifier void *buffer, COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                  \
            MPI_Request *request),                                                                                     \
           (buffer, count, type, peer, tag, comm, request))
#define STARTS(function, kind, qualifier)                                                                              \
  WITH_REQUEST(function, qualifier)                                                                                    \
  {                                                                                                                    \
    const struct envelope envelope = ENVELOPE(count, type, peer, tag, comm);                                           \
    const double start = tutti_trace_now();                                                                            \
    const int result = library_##function(buffer, count, type, peer, tag, comm, request);                              \
    return tutti_trace_nonblocking(kind, &envelope, request, start, result);                                           \
  }
#define PREPARES(function, kind, qualifier)                                                                            \
  WITH_REQUEST(function, qualifier)                                                                                    \
  {                                                                                                                    \
    const struct envelope envelope = ENVELOPE(count, type, peer, tag, comm);                                           \
    return tutti_trace_prepared(kind, &envelope, request,                                                              \
                                library_##function(buffer, count, type, peer, tag, comm, request));                    \
  }

/* ---- receiving, and both ---- */

#define EXCHANGES(function, parameters, list, sent_count, sent_type)                                                   \
  RECORDED(function, parameters, list)                                                                                 \
  {                                                                                                                    \
    MPI_Status own;                                                                                                    \
    const struct envelope out = ENVELOPE(sent_count, sent_type, to, sent_tag, comm),                                   \
                          in = ENVELOPE(count, type, from, tag, comm);                                                 \
    const double start = tutti_trace_now();                                                                            \
    status = status == MPI_STATUS_IGNORE ? &own : status;                                                              \
    const int result = library_##function list;                                                                        \
    return tutti_trace_both(&out, &in, status, start, result);                                                         \
  }
#define RECEIVES(Suffix)                                                                                               \
  RECORDED(MPI_Recv##Suffix,                                                                                           \
           (void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),       \
           (buffer, count, type, from, tag, comm, status))                                                             \
  {                                                                                                                    \
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;                                               \
    const struct envelope envelope = ENVELOPE(count, type, from, tag, comm);                                           \
    const double start = tutti_trace_now();                                                                            \
    const int result = library_MPI_Recv##Suffix(buffer, count, type, from, tag, comm, seen);                           \
    return tutti_trace_blocking(TRACE_RECV, &envelope, seen, start, result);                                           \
  }                                                                                                                    \
  EXCHANGES(MPI_Sendrecv##Suffix,                                                                                      \
            (const void *sent, COUNT sent_count, MPI_Datatype sent_type, int to, int sent_tag, void *buffer,           \
             COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),                    \
            (sent, sent_count, sent_type, to, sent_tag, buffer, count, type, from, tag, comm, status), sent_count,     \
            sent_type)                                                                                                 \
  EXCHANGES(MPI_Sendrecv_replace##Suffix,                                                                              \
            (void *buffer, COUNT count, MPI_Datatype type, int to, int sent_tag, int from, int tag, MPI_Comm comm,     \
             MPI_Status *status),                                                                                      \
            (buffer, count, type, to, sent_tag, from, tag, comm, status), count, type)

/* All of them, with a suffix, for the COUNT of that suffix. */
#define MESSAGES(suffix)                                                                                               \
  SENDS(MPI_Send##suffix, TRACE_SEND)                                                                                  \
  SENDS(MPI_Ssend##suffix, TRACE_SSEND)                                                                                \
  SENDS(MPI_Rsend##suffix, TRACE_SEND)                                                                                 \
  SENDS(MPI_Bsend##suffix, TRACE_SEND)                                                                                 \
  STARTS(MPI_Isend##suffix, TRACE_ISEND, const)                                                                        \
  STARTS(MPI_Issend##suffix, TRACE_ISSEND, const)                                                                      \
  STARTS(MPI_Irsend##suffix, TRACE_ISEND, const)                                                                       \
  STARTS(MPI_Ibsend##suffix, TRACE_ISEND, const)                                                                       \
  STARTS(MPI_Irecv##suffix, TRACE_IRECV, )                                                                             \
  PREPARES(MPI_Send_init##suffix, TRACE_ISEND, const)                                                                  \
  PREPARES(MPI_Ssend_init##suffix, TRACE_ISSEND, const)                                                                \
  PREPARES(MPI_Rsend_init##suffix, TRACE_ISEND, const)                                                                 \
  PREPARES(MPI_Bsend_init##suffix, TRACE_ISEND, const)                                                                 \
  PREPARES(MPI_Recv_init##suffix, TRACE_IRECV, )                                                                       \
  RECEIVES(suffix)

#define COUNT int
MESSAGES()

#if MPI_VERSION >= 4
#undef COUNT
#define COUNT MPI_Count
MESSAGES(_c)
#endif

/* ---- waiting and testing ---- */

/* `count` requests; afterwards `done` of them are complete, whose indices are `indices`, or the first ones. `asked` is
   the parameter for what they were. */
#define COMPLETES(function, parameters, list, count, requests, asked, IGNORE, done, indices)                           \
  RECORDED(function, parameters, list)                                                                                 \
  {                                                                                                                    \
    struct trace_wait wait;                                                                                            \
    tutti_trace_wait_begin(&wait, count, requests, asked, asked == IGNORE);                                            \
    asked = wait.statuses;                                                                                             \
    const int result = library_##function list;                                                                        \
    return tutti_trace_wait_end(&wait, done, indices, result);                                                         \
  }
#define COMPLETES_ONE(function, parameters, list, count, requests, done, indices)                                      \
  COMPLETES(function, parameters, list, count, requests, status, MPI_STATUS_IGNORE, done, indices)
#define COMPLETES_MORE(function, parameters, list, done, indices)                                                      \
  COMPLETES(function, parameters, list, count, requests, statuses, MPI_STATUSES_IGNORE, done, indices)
#define COMPLETES_SOME(function)                                                                                       \
  COMPLETES_MORE(function, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),       \
                 (count, requests, done, indices, statuses), *done == MPI_UNDEFINED ? 0 : *done, indices)

COMPLETES_ONE(MPI_Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1, request, 1, NULL)
COMPLETES_ONE(MPI_Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
              (count, requests, index, status), count, requests, *index != MPI_UNDEFINED, index)
COMPLETES_ONE(MPI_Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1, request,
              *flag != 0, NULL)
COMPLETES_ONE(MPI_Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
              (count, requests, index, flag, status), count, requests, *flag &&*index != MPI_UNDEFINED, index)
COMPLETES_MORE(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
               count, NULL)
COMPLETES_MORE(MPI_Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
               (count, requests, flag, statuses), *flag ? count : 0, NULL)
COMPLETES_SOME(MPI_Waitsome)
COMPLETES_SOME(MPI_Testsome)

RECORDED(MPI_Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status))
{
  const double start = tutti_trace_now();
  const int result = library_MPI_Probe(from, tag, comm, status);
  tutti_trace_idle(start);
  return result;
}

RECORDED(MPI_Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (from, tag, comm, flag, status))
{
  const double start = tutti_trace_now();
  const int result = library_MPI_Iprobe(from, tag, comm, flag, status);
  if (result != MPI_SUCCESS || !*flag) /* a call that finds a message has not waited */
    tutti_trace_idle(start);
  return result;
}

#ifndef SMPI_HELPERS_H
_Static_assert(FUNCTIONS_BEFORE + __COUNTER__ <= TUTTI_MESSAGES, "the table of functions is too short");
#endif
