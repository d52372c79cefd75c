/* How a buffer of an MPI call becomes a buffer of a schedule: used in place, or packed into memory of its own. */
#ifndef TUTTI_COLLECTIVES_PACK_H
#define TUTTI_COLLECTIVES_PACK_H

#include "algorithms/mpi/collectives/arguments.h"
#include "tutti/counted_memory.h"

/* Data that is moved counts in bytes, so that ranks may describe it by different datatypes; what is reduced counts in
   elements. */
struct pack {
  void *base;             /* of the schedule's buffer */
  MPI_Datatype type;      /* its element */
  tutti_layout layout;    /* of its blocks, if they are irregular */
  const MPI_Aint *places; /* [blocks] where they are, in bytes from base; NULL: as the layout says */
  uint64_t own;           /* bytes of the block that the rank has for itself, if it has one in both buffers; else 0 */
  /* The rest is zero if the buffer is bound where it is. */
  struct user_buffer user_buffer; /* the call's buffer */
  int blocks;                     /* blocks of the user's buffer: 1, or one for each rank */
  bool of_output;                 /* an input whose data is in the output of the call: in place */
  bool apart;                     /* bound to `memory`, not to its own place */
  char *memory;                   /* in the scratch memory: packed data, or elements */
  bool elements;                  /* memory holds elements of user_buffer.type, not packed bytes */
  bool load, store;               /* copy from the user's buffer before the run, to it after the run */
};

/* How to pack a buffer. */
struct pack_options {
  int blocks;
  bool apart;       /* even if it could be bound where it is: an in-place input, which the output overwrites */
  bool load, store; /* if it is packed */
};

/* Memory for a prepared call. */
struct pack_memory {
  tutti_arena *arena; /* of arrays */
  size_t scratch;     /* bytes laid out for data that is packed: tutti_scratch_reserve() */
};

/* Prepare a buffer of data that is moved. */
tutti_status tutti_pack_bytes(struct pack *pack, const struct user_buffer *user_buffer,
                              const struct pack_options *wanted, struct pack_memory *memory, tutti_error *error);

/* Prepare a buffer of `count` elements that are reduced. */
tutti_status tutti_pack_elements(struct pack *pack, const struct user_buffer *user_buffer, uint64_t count,
                                 const struct pack_options *wanted, struct pack_memory *memory, tutti_error *error);

/* The schedule says where data is in the layout of the call, which is the same on all ranks: make it say where it is in
   this buffer, its number `buffer`. If a message or a copy spans blocks that are apart here, the data is packed. */
tutti_status tutti_pack_place(struct pack *pack, tutti_buffer buffer, tutti_vertex *vertices, uint32_t count,
                              struct pack_memory *memory, tutti_error *error);

/* The user's buffer and the scratch memory have moved. */
void tutti_pack_move(struct pack *pack, uintptr_t buffer_by, uintptr_t scratch_by);

/* Before the run, and after it. @{ */
tutti_status tutti_pack_load(const struct pack *pack, MPI_Comm comm, tutti_error *error);
tutti_status tutti_pack_store(const struct pack *pack, MPI_Comm comm, tutti_error *error);
/* @} */

/* Block number `index` of a buffer, as a buffer of one block, and its bytes. */
tutti_status tutti_user_buffer_block(const struct user_buffer *user_buffer, int index, struct user_buffer *block,
                                     uint64_t *bytes, tutti_error *error);

/* Bytes of data in a buffer of one block. */
tutti_status tutti_user_buffer_bytes(const struct user_buffer *user_buffer, uint64_t *bytes, tutti_error *error);

#endif
