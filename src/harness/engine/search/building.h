/* Building the part of a rank in a synthesis. */
#ifndef TUTTI_ENGINE_BUILDING_H
#define TUTTI_ENGINE_BUILDING_H

#include "harness/engine/search/synthesis.h"

struct building {
  tutti_builder *builder;
  const struct synthesis *synthesis;
  const tutti_call *call;
  uint64_t unit;            /* elements of a chunk */
  tutti_vertex_id *ready;   /* [chunks] what completes a chunk here; TUTTI_NO_VERTEX: it is there at the start */
  tutti_vertex_id *sent;    /* [chunks] the last send of what was combined */
  bool *combined;           /* [chunks] it is where chunks are combined, else in the input */
  tutti_vertex_id (*to)[2]; /* [ranks] the last two sends there, the last one first */
  tutti_vertex_id *sends;   /* [outstanding] the last ones */
  uint32_t send_count;
  tutti_vertex_id reduced; /* the last reduction */
  tutti_buffer sums;       /* where chunks of others are combined; TUTTI_INPUT: nowhere yet */
};

static inline int owner_of(const struct building *b, uint32_t chunk)
{
  const struct synthesis *s = b->synthesis;
  return s->root >= 0 ? s->root : move_owner(chunk, s->chunks, s->ranks);
}

static inline bool is_own(const struct building *b, uint32_t chunk)
{
  return owner_of(b, chunk) == b->call->rank;
}

static inline tutti_block chunks_of(const struct building *b, tutti_buffer buffer, uint32_t first, uint32_t count)
{
  return tutti_block_of(buffer, first * b->unit, count * b->unit);
}

static inline bool has_collective(const struct building *b, tutti_collective collective)
{
  return b->synthesis->algorithm.collective == collective;
}

static inline void wait_for(struct building *b, tutti_vertex_id vertex, const tutti_vertex_id *of, uint32_t first,
                            uint32_t count)
{
  for (uint32_t c = first; c < first + count; c++)
    if (c == first || of[c] != of[c - 1])
      tutti_add_after(b->builder, vertex, of[c]);
}

static inline void set_all(tutti_vertex_id *of, uint32_t first, uint32_t count, tutti_vertex_id vertex)
{
  for (uint32_t c = first; c < first + count; c++)
    of[c] = vertex;
}

/* A send, which waits for those before it as the synthesis says. */
tutti_vertex_id tutti_building_send(struct building *b, int peer, tutti_block block);

/* The vertices of the part of its phases on the way to the owners of chunks. */
void tutti_building_combine(struct building *b);

/* Those of an alltoall. */
void tutti_building_exchange(struct building *b);

/* Build a synthesis, which is call->data. */
void tutti_building_build(tutti_builder *builder, const tutti_call *call);

/* Call a function for each move of the rank. */
void tutti_building_walk(struct building *b, const struct phase *phase,
                         void (*send)(struct building *, const struct move *),
                         void (*receive)(struct building *, const struct move *));

#endif
