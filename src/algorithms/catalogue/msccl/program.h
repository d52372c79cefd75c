/* The vertices of all ranks of a file, in chunks, and the waits that their data need. Thread blocks are no resource of
   a processor: of their order only what touches the same memory stays. A step that receives and does more becomes
   several vertices with memory of their own between them. */
#ifndef TUTTI_CATALOGUE_MSCCL_PROGRAM_H
#define TUTTI_CATALOGUE_MSCCL_PROGRAM_H

#include "algorithms/catalogue/msccl/msccl.h"

/* Buffers of a program: those of a call, then temporaries. */
enum msccl_memory {
  MSCCL_CALL_INPUT,
  MSCCL_CALL_OUTPUT,
  MSCCL_TEMPORARY, /* scratch */
  MSCCL_WORK,      /* a copy of the input, of a file that changes it */
  MSCCL_HELD,      /* what was received, before it is combined */
  MSCCL_MEMORIES
};

struct msccl_vertex {
  uint8_t kind;           /* tutti_kind */
  uint8_t memory, target; /* target: of a reduction or copy */
  int first, target_first, count;
  int peer;        /* of a message */
  int channel;     /* of a message */
  int at;          /* of its step */
  int block, step; /* where it is from; block -1: before all others, MSCCL_LAST: after all */
  uint32_t before; /* waits in `waits` of its program, which begin there and end where those of the next one begin */
};

enum { MSCCL_FIRST = -1, MSCCL_LAST = -2 };

/* A rank. */
struct msccl_program {
  int chunks[MSCCL_MEMORIES]; /* of the temporaries */
  TUTTI_VECTOR(struct msccl_vertex);
  struct {
    TUTTI_VECTOR(uint32_t);
  } waits; /* vertices that must be complete, each before the one that waits */
};

/* What a file becomes. */
struct msccl_algorithm {
  tutti_collective collective;
  int size, root, chunks;
  int window, sums, waits; /* as in the file */
  bool numbered;
  struct msccl_program *programs; /* [size] */
};

/* Make programs of a file. TUTTI_ERR_ARGUMENT names @p path, rank and thread block if blocks wait for each other in a
   circle, or for a step that tells nobody; TUTTI_ERR_MEMORY. Free it in any case. What else is wrong, messages that do
   not match, races, wrong results, is left to the proof. */
tutti_status tutti_msccl_compile(const char *path, const struct msccl_file *file, struct msccl_algorithm *algorithm,
                                 tutti_error *error);
void tutti_msccl_algorithm_free(struct msccl_algorithm *algorithm);

/* Whether ranks may get sums that differ in their last bits, of an allreduce: some element has other trees of operands
   on different ranks. True, too, where its vertices are too many to execute, or wait for ever. */
bool tutti_msccl_rounds_apart(const struct msccl_algorithm *algorithm);

/* ---- its parts ---- */

/* The vertices of a rank in an order in which its blocks can do them, with their waits. @p work counts what all ranks
   took, and is limited. */
tutti_status tutti_msccl_compile_rank(const char *path, const struct msccl_file *file, int rank, int root, size_t *work,
                                      struct msccl_program *program, tutti_error *error);

/* Sort the vertices of all ranks as they take place if each message takes place on both ends together, so that both
   ends of two ranks have the same order; left as they are if some would wait for ever. TUTTI_ERR_MEMORY. */
tutti_status tutti_msccl_sort(struct msccl_algorithm *algorithm, tutti_error *error);

#endif
