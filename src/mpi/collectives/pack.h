/* How a buffer of an MPI call becomes a buffer of a schedule: bound where it is, or packed into memory of its own. */
#ifndef TUTTI_COLLECTIVES_STAGE_H
#define TUTTI_COLLECTIVES_STAGE_H

#include "mpi/collectives/arguments.h"
#include "tutti/counted_memory.h"

/* Data that is moved counts in bytes, so that ranks may describe it by different datatypes; what is reduced counts in
   elements. */
struct stage {
  void *base;        /* of the schedule's buffer */
  MPI_Datatype type; /* its element */
  tutti_layout layout;
  /* The rest is zero if the buffer is bound where it is. */
  struct side side; /* the call's buffer */
  int blocks;       /* blocks of `side`: 1, or one for each rank */
  char *memory;     /* packed data, or elements; NULL: not staged */
  bool elements;    /* memory holds elements of side.type, not packed bytes */
  bool load, store; /* copy from the side before the run, to the side after it */
};

/* What is wanted of a stage. */
struct staging {
  int blocks;
  bool apart;       /* even if it could be bound where it is: an in-place input, which the output overwrites */
  bool load, store; /* if it is staged */
};

/* Prepare the stage of a buffer of data that is moved. Memory comes from the arena. */
tutti_status tutti_stage_bytes(struct stage *stage, const struct side *side, const struct staging *wanted,
                               tutti_arena *arena, tutti_error *error);

/* Prepare the stage of `count` elements that are reduced. */
tutti_status tutti_stage_elements(struct stage *stage, const struct side *side, uint64_t count,
                                  const struct staging *wanted, tutti_arena *arena, tutti_error *error);

/* Before the run, and after it. @{ */
tutti_status tutti_stage_load(const struct stage *stage, MPI_Comm comm, tutti_error *error);
tutti_status tutti_stage_store(const struct stage *stage, MPI_Comm comm, tutti_error *error);
/* @} */

/* Block number `index` of a side as a side of one block. */
tutti_status tutti_side_block(const struct side *side, int index, struct side *block, tutti_error *error);

/* Bytes of data in a side of one block. */
tutti_status tutti_side_bytes(const struct side *side, uint64_t *bytes, tutti_error *error);

#endif
