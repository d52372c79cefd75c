/* The thread blocks of a rank, from its schedule: msccl_blocks.c makes them, export_msccl.c writes them. */
#ifndef TUTTI_ANALYSIS_MSCCL_BLOCKS_H
#define TUTTI_ANALYSIS_MSCCL_BLOCKS_H

#include <stdio.h>

#include "algorithms/analysis/ensemble.h"
#include "algorithms/catalogue/msccl/msccl.h"

/* Where the messages between two ranks fill more than a thread block: so many each, so that both ends begin the next
   one at the same message, and there is room for waits. */
enum { MSCCL_SPLIT = MSCCL_MAX_STEPS / 2, MSCCL_ALL_CHANNELS = MSCCL_MAX_CHANNELS * MSCCL_MAX_CHANNELS };

/* The last step of a vertex. */
struct msccl_place {
  int block, step;
};

struct msccl_writing {
  const struct ensemble *ensemble;
  const tutti_call *calls;
  tutti_collective collective;
  bool unlimited, numbered, summed, waits; /* as tutti_msccl_options */
  int window;
  int most_blocks;                   /* of a rank */
  uint64_t chunk;                    /* elements */
  size_t *order;                     /* [vertices] when each takes place */
  bool split;                        /* thread blocks begin anew after MSCCL_SPLIT messages, on the next channel */
  bool channels[MSCCL_ALL_CHANNELS]; /* that have thread blocks */
  FILE *file;
  /* the rank at work */
  const tutti_schedule *schedule;
  uint32_t *sorted;                /* [V] vertices as they take place */
  uint32_t *before_first, *before; /* [V + 1], [E] what a vertex waits for */
  struct msccl_place *places;      /* [V] */
  struct msccl_block *blocks;      /* [most_blocks] */
  int *messages;                   /* [most_blocks] steps of a block that send or receive */
  int count;                       /* of blocks */
  int *reached; /* [most_blocks][most_blocks]: step of the second block that the first one has waited for; -1: none */
};

/* The largest chunk of which all blocks of the schedules consist; 0 without data. */
uint64_t tutti_msccl_find_chunk(const struct msccl_writing *w);

/* Elements of a buffer of a rank, and chunks of the first temporaries of a schedule. @{ */
uint64_t tutti_msccl_extent(const struct msccl_writing *w, int rank, tutti_buffer buffer);
uint64_t tutti_msccl_scratch(const struct msccl_writing *w, const tutti_schedule *s, uint32_t temporaries);
/* @} */

/* TUTTI_ERR_UNSUPPORTED says which chunks or messages do not fit. */
tutti_status tutti_msccl_check_chunks(const struct msccl_writing *w, tutti_error *error);

/* Make w->blocks those of a rank; free them in any case. TUTTI_ERR_UNSUPPORTED, TUTTI_ERR_MEMORY. */
tutti_status tutti_msccl_make_rank(struct msccl_writing *w, int rank, tutti_error *error);
void tutti_msccl_free_rank(struct msccl_writing *w);

#endif
