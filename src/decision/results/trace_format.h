/* The bytes of a trace of a program (docs/reference/traces.md): written by the interposer and read by tutti replay.
 *
 * A line of text, "tutti-trace 3 ranks=8 ranks_per_node=1 flavor=smpi library=SimGrid-3.32", then for each rank of
 * MPI_COMM_WORLD the number of its bytes, and these: records, each a number for its kind, and more numbers. A number
 * is seven bits a byte, the lowest first; all bytes except the last have the highest bit set (LEB128). One that may be
 * negative is folded: 0, -1, 1, -2, ... */
#ifndef TUTTI_RESULTS_TRACE_FORMAT_H
#define TUTTI_RESULTS_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_MAGIC "tutti-trace"

enum { TRACE_VERSION = 3, TRACE_FIRST_VERSION = 1 }; /* written; and the oldest that is read */

/* Records, and the numbers that follow. */
enum trace_tag {
  TRACE_END,          /* nanoseconds since the last call; nothing follows */
  TRACE_START,        /* nanoseconds on the clock of rank 0, when MPI_Init() is over: the first record of a rank */
  TRACE_COMMUNICATOR, /* the next communicator, from 1; 0 is MPI_COMM_WORLD: how many of the same members came before,
                         runs, and of each run: first member (folded, less the last one of the previous run), members
                         after it, and if there are any, their distance (folded) */
  TRACE_SHAPE,        /* the next shape of calls, from 0: communicator + 1, or 0 if it is not known; length of the name
                         of the method, and the name ("bcast/native": the library's); bytes that decide; bytes of an
                         element; does the operation commute?; root; then two vectors, of input and output: a length,
                         which is 0 where it is not needed, and numbers (folded, less the one before): bytes for each
                         rank, of reduce_scatter elements */
  TRACE_MESSAGE,      /* the next shape, of messages: enum trace_message; the communicator, by its number; the other
                         rank in MPI_COMM_WORLD + 1, or 0: any; tag + 1, or 0: any; bytes, of a receive those of its
                         buffer. Or TRACE_ICOLLECTIVE; 0, or the number of a persistent request on the communicator,
                         from 1; and what TRACE_SHAPE has */
  TRACE_WAIT,         /* the next shape, of waiting for requests: enum trace_wait_kind; how many; their ages (folded,
                         less the one before): of all nonblocking messages and collectives so far the last one has age 1 */
  TRACE_MATCH,      /* the message that a receive from any rank or with any tag has received: its age, the other rank in
                       MPI_COMM_WORLD, tag. Before the call that waits for it */
  TRACE_UNRECORDED, /* a bit for each enum trace_unrecorded that the rank has used; before the end */
  TRACE_CALL = 8,   /* and the number of the shape: nanoseconds since the last call, nanoseconds in the call */
};

/* Those from TRACE_ISEND on have a request. */
enum trace_message {
  TRACE_SEND,
  TRACE_SSEND,
  TRACE_RECV,
  TRACE_ISEND,
  TRACE_ISSEND,
  TRACE_IRECV,
  TRACE_ICOLLECTIVE, /* from version 3 on */
  TRACE_MESSAGES
};

/* A neighborhood collective is a nonblocking message to and from each neighbor. Its tag is none of a program: this one,
   and the number of a persistent request. */
#define TRACE_NEIGHBOR_TAG INT64_C(0x80000000)

/* TRACE_RELEASED: no call will wait for them. */
enum trace_wait_kind { TRACE_WAITED, TRACE_RELEASED, TRACE_WAIT_KINDS };

/* Calls that are not recorded. */
enum trace_unrecorded {
  TRACE_WINDOWS,
  TRACE_FILES,
  TRACE_MATCHED_PROBES,
  TRACE_PARTITIONED,
  TRACE_CANCELLED,
  TRACE_INTERCOMMUNICATORS,
  TRACE_NONBLOCKING, /* collectives, and persistent ones */
  TRACE_NEIGHBORHOODS,
  TRACE_PROFILING_NAMES,
  TRACE_THREADS,
  TRACE_TURNS, /* of threads */
  TRACE_UNRECORDED_KINDS
};

static inline const char *trace_unrecorded_name(int kind)
{
  static const char *const names[TRACE_UNRECORDED_KINDS] = {
      "one-sided communication",
      "files of MPI",
      "matched probes (MPI_Mprobe)",
      "partitioned messages",
      "cancelled messages",
      "messages on communicators with ranks that are not in MPI_COMM_WORLD, or on intercommunicators",
      "nonblocking and persistent collectives",
      "neighborhood collectives",
      "calls by PMPI_ names",
      "which calls of several threads were under way at the same time",
      "which of several threads that take turns made a call"};
  return names[kind];
}

enum { TRACE_NUMBER_BYTES = 10 }; /* at most */

static inline uint64_t trace_fold(int64_t value)
{
  return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t trace_unfold(uint64_t folded)
{
  return (int64_t)(folded >> 1 ^ -(folded & 1));
}

/* Returns the number of bytes, TRACE_NUMBER_BYTES at most. */
static inline size_t trace_write_number(unsigned char *bytes, uint64_t number)
{
  size_t length = 0;
  while (number > 0x7f) {
    bytes[length++] = (unsigned char)(number | 0x80);
    number >>= 7;
  }
  bytes[length++] = (unsigned char)number;
  return length;
}

/* Returns the number of bytes, or 0 without a number. */
static inline size_t trace_read_number(const unsigned char *bytes, size_t left, uint64_t *number)
{
  *number = 0;
  for (size_t i = 0; i < left && i < TRACE_NUMBER_BYTES; i++) {
    *number |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if (!(bytes[i] & 0x80))
      return i < TRACE_NUMBER_BYTES - 1 || bytes[i] <= 1 ? i + 1 : 0;
  }
  return 0;
}

#endif
