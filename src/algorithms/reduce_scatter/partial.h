/* The partial result that a rank keeps and improves in exchanges with one rank after the other, each of which holds the
   partial result of the ranks right above or right below. */
#ifndef TUTTI_ALGORITHMS_REDUCE_SCATTER_PARTIAL_H
#define TUTTI_ALGORITHMS_REDUCE_SCATTER_PARTIAL_H

#include "tutti/algorithm.h"

/* Elements of the message from `first` to before `end`. */
struct range {
  uint64_t first, end;
};

/* Where elements lie: element e of the message is element e - origin of the buffer. */
struct place {
  tutti_buffer buffer;
  uint64_t origin;
};

static inline tutti_block tutti_range_at(struct place place, struct range range)
{
  return tutti_block_of(place.buffer, range.first - place.origin, range.end - range.first);
}

static inline bool tutti_range_empty(struct range range)
{
  return range.first == range.end;
}

/* The smallest range that contains both; an empty one lies nowhere. */
struct range tutti_range_cover(struct range a, struct range b);

/* Vertices that something waits for together: at most those of an exchange, and a message for each bit of a rank. */
struct ends {
  int count;
  tutti_vertex_id vertex[36];
};

void tutti_ends_add(struct ends *ends, tutti_vertex_id vertex);
void tutti_after_ends(tutti_builder *builder, tutti_vertex_id vertex, const struct ends *ends);

struct partial {
  bool commutative;
  struct range span;     /* what any working place must have room for, beside what is received there first */
  struct place mine;     /* where the partial result lies; TUTTI_INPUT as long as it is the own contribution */
  struct place other[2]; /* working places; TUTTI_INPUT as long as they were not needed */
  struct ends before;    /* the last exchange that had any message; it waited for the one before it */
};

/* Begin with the own contribution. */
struct partial tutti_partial(const tutti_call *call, struct range span);

/* One exchange: send the partial results of the ranges to give, combine those of the ranges to keep with the peer's.
   Ranges may be empty; those to give and to keep may overlap. */
struct exchange {
  int peer;
  bool above; /* the peer's ranks are above the own ones: its operand is the right one */
  struct range give[2], keep[2];
  const struct place *into; /* place to receive into, NULL: a working place. That is where the partial result then is,
                               unless the operation does not commute and the peer's operand is the left one. */
};

void tutti_partial_exchange(tutti_builder *builder, struct partial *partial, const struct exchange *exchange);

/* A working place other than that of the partial result. */
struct place tutti_partial_spare(tutti_builder *builder, struct partial *partial, struct range needed);

#endif
