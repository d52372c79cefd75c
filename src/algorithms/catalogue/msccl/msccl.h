/* MSCCL XML: a schedule as the thread blocks of each rank, for one number of ranks and one root. Buffers are cut into
   chunks of equal size: nchunksperloop of them make up the message, or the blocks of all ranks. A step of a block moves
   some chunks; it starts when the steps of its block before it, and the step of another block that it names, are
   complete. The i-th send of a rank to another on a channel meets the i-th receive there.

   Grammar, limits and meaning: msccl_parser.cc, msccl_struct.h and msccl_kernel.cu of github.com/Azure/
   msccl-executor-nccl, and the same of github.com/ROCm/rccl, read in November 2026. */
#ifndef TUTTI_CATALOGUE_MSCCL_H
#define TUTTI_CATALOGUE_MSCCL_H

#include "base/vector.h"
#include "tutti/algorithm.h"

/* What reads a file or makes programs of it, with its members path, error and status, ends: false. @{ */
#define MSCCL_FAIL(work, fault, ...) ((work)->status = tutti_fail((work)->error, (fault), __VA_ARGS__), false)
#define MSCCL_FAIL_MEMORY(work)      MSCCL_FAIL(work, TUTTI_ERR_MEMORY, "%s: out of memory", (work)->path)
/* @} */

/* Limits of those readers. */
enum {
  MSCCL_MAX_STEPS = 64,     /* of a block: MSCCL_MAX_NUM_STEPS; microsoft/msccl has 256 */
  MSCCL_MAX_PEERS = 32,     /* blocks of a rank that send, or receive, on a channel */
  MSCCL_MAX_CHANNELS = 32,  /* MAXCHANNELS */
  MSCCL_MAX_BLOCKS = 128,   /* of a rank: dependentBid has 8 bits, one of them a sign */
  MSCCL_MAX_CHUNKS = 32767, /* of a buffer: offsets have 16 bits */
  MSCCL_MAX_COUNT = 71,     /* chunks of a step: below MSCCL_MAX_COUNT */
  MSCCL_MAX_NODES = 4096,   /* elements that count for a rank: MSCCL_MAX_NODES */
  MSCCL_MAX_RANKS = 1024,   /* MSCCL_MAX_SUBS */
};

enum msccl_buffer { MSCCL_INPUT, MSCCL_OUTPUT, MSCCL_SCRATCH };
#define MSCCL_BUFFERS "ios"

/* What a step does; "recv, reduce, copy, send" in the letters of its name. */
enum msccl_type {
  MSCCL_NOP,
  MSCCL_SEND,
  MSCCL_RECV,
  MSCCL_RECV_COPY_SEND,
  MSCCL_RECV_REDUCE_SEND,
  MSCCL_RECV_REDUCE_COPY,
  MSCCL_RECV_REDUCE_COPY_SEND,
  MSCCL_COPY,
  MSCCL_REDUCE,
  MSCCL_TYPES
};

struct msccl_step {
  uint8_t type, source_buffer, target_buffer;
  bool waited;               /* another block waits for it */
  int source, target;        /* first chunks; of a send the target, of a receive the source is the other rank's */
  int count;                 /* chunks */
  int wait_block, wait_step; /* -1: for none */
  int at;                    /* tutti_at, which is ours: its place in the order of the rank; -1: not said */
};

struct msccl_block {
  int send, recv; /* peers; -1: none */
  int channel;
  TUTTI_VECTOR(struct msccl_step);
};

/* The part of a rank. */
struct msccl_rank {
  int chunks[3];                    /* by buffer */
  TUTTI_VECTOR(struct msccl_block); /* by their ids */
};

/* A file in memory. */
struct msccl_file {
  tutti_collective collective;
  int size;      /* ranks */
  int chunks;    /* nchunksperloop */
  bool in_place; /* input and output are the same memory, always */
  int window;    /* a send waits for the one so many before it in its thread block, and for the sends that it names:
                    tutti_window, which is ours; 0: for none */
  int sums;      /* 1: a reduction waits for the one before it in its thread block, and for those that it names:
                    tutti_sums, which is ours */
  int waits; /* 1: a step waits for all that it and those without an action just before it name: tutti_waits, which is
                ours */
  bool numbered;            /* steps have numbers: tutti_at */
  struct msccl_rank *ranks; /* [size] */
};

/* Read a text, a zero byte after it, that messages call @p path. End it with tutti_msccl_free() in any case.
   TUTTI_ERR_ARGUMENT with PATH:LINE, TUTTI_ERR_MEMORY. Elements and attributes that the readers above do not know
   either are passed over, as there. */
tutti_status tutti_msccl_read(const char *path, const char *text, struct msccl_file *file, tutti_error *error);
void tutti_msccl_free(struct msccl_file *file);

/* "rrc"; NULL past the end. */
const char *tutti_msccl_type_name(int type);

/* The name of a collective there, NULL: it has none. */
const char *tutti_msccl_collective_name(tutti_collective collective);

/* Elements that nchunksperloop chunks of a call make up. */
uint64_t tutti_msccl_elements(tutti_collective collective, const tutti_call *call);

#endif
