/* The thread blocks of a rank, from its schedule: msccl_blocks.c makes them, export_msccl.c writes them. */
#ifndef TUTTI_ANALYSIS_MSCCL_BLOCKS_H
#define TUTTI_ANALYSIS_MSCCL_BLOCKS_H

#include <stdio.h>

#include "algorithms/analysis/ensemble.h"
#include "algorithms/catalogue/msccl/msccl.h"

/* The last step of a vertex. */
struct msccl_place {
  int block, step;
};

struct msccl_writing {
  const struct ensemble *ensemble;
  const tutti_call *calls;
  tutti_collective collective;
  uint64_t chunk; /* elements */
  size_t *order;  /* [vertices] when each takes place */
  bool channels[MSCCL_MAX_CHANNELS];
  FILE *file;
  /* the rank at work */
  const tutti_schedule *schedule;
  uint32_t *sorted;                 /* [V] vertices as they take place */
  uint32_t *before_first, *before;  /* [V + 1], [E] what a vertex waits for */
  struct msccl_place *places;       /* [V] */
  struct msccl_block *blocks;       /* [MSCCL_MAX_BLOCKS] */
  int count;                        /* of blocks */
  int (*reached)[MSCCL_MAX_BLOCKS]; /* [b][c]: step of block c that block b has waited for; -1: none */
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
