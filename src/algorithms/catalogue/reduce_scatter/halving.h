/* The partial result of a rank, which it improves in exchanges with one rank after the other, each of which holds the
   partial result of the ranks directly above or below. */
#ifndef TUTTI_ALGORITHMS_REDUCE_SCATTER_HALVING_H
#define TUTTI_ALGORITHMS_REDUCE_SCATTER_HALVING_H

#include "tutti/algorithm.h"

/* Elements of the message from `first` to before `end`. */
struct range {
  uint64_t first, end;
};

/* Position of elements: element e of the message is element e - origin of the buffer. */
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

/* The smallest range that contains both; an empty one is ignored. */
struct range tutti_range_cover(struct range a, struct range b);

/* Vertices that one vertex waits for together: at most those of an exchange, and a message for each bit of a rank. */
struct ends {
  int count;
  tutti_vertex_id vertex[36];
};

void tutti_ends_add(struct ends *ends, tutti_vertex_id vertex);
void tutti_after_ends(tutti_builder *builder, tutti_vertex_id vertex, const struct ends *ends);

struct partial {
  bool commutative;
  struct range span;     /* elements for which any working place must have space, besides those received there first */
  struct place mine;     /* where the partial result is; TUTTI_INPUT as long as it is the own contribution */
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
  const struct range *combined; /* [3] what of the ranges to keep is combined, NULL: all; the rest is worth nothing */
  const struct place *into; /* place to receive into, NULL: a working place. The partial result is there then, unless
                               the operation does not commute and the peer's operand is the left one. */
};

void tutti_partial_exchange(tutti_builder *builder, struct partial *partial, const struct exchange *exchange);

/* A working place other than that of the partial result. */
struct place tutti_partial_spare(tutti_builder *builder, struct partial *partial, struct range needed);

/* ---- recursive halving among a power of two of ranks, the others' contributions folded in before ---- */

/* Pairs of neighbors among the first ranks become one virtual rank each, so that the number of virtual ranks is the
   largest power of two. They are in the order of the ranks. The even one of two continues for both, except that the
   root always continues.

       P = 6, root 0:   (0 1) (2 3) 4 5  are the virtual ranks 0 1 2 3; 0, 2, 4 and 5 act for them */
struct fold {
  const tutti_call *call;
  int power;  /* number of virtual ranks */
  int folded; /* those that are two ranks: the first */
  int v;      /* the virtual rank that the own rank belongs to */
};

struct fold tutti_fold(const tutti_call *call);

/* The rank that acts for a virtual rank. */
int tutti_fold_actor(const struct fold *fold, int v);

static inline bool tutti_fold_acts(const struct fold *fold)
{
  return tutti_fold_actor(fold, fold->v) == fold->call->rank;
}

/* Add the exchange between two neighbors, of all elements: one sends its contribution, the other combines. */
void tutti_fold_in(tutti_builder *builder, const struct fold *fold, struct partial *partial, struct range all);

/* First element of the blocks at a position, 0 to power. */
typedef uint64_t (*cut_function)(const struct fold *fold, int position);

/* The cut of reduce-scatter: the blocks of the ranks of virtual rank number `position`. */
uint64_t tutti_cut_by_rank(const struct fold *fold, int position);

static inline struct range tutti_cut_range(const struct fold *fold, cut_function cut, int first, int count)
{
  return (struct range){cut(fold, first), cut(fold, first + count)};
}

/* The steps of the halving, to be undone. */
struct halving {
  int steps;
  int position;           /* of the blocks of the virtual rank at the end */
  struct range given[32]; /* [steps] sent to the peer of the step */
};

/* Add log2(power) exchanges in which each virtual rank keeps half of its blocks. With the farthest peer first (v XOR
   power / 2) it ends with the blocks at position v; with the nearest first (v XOR 1), which keeps the order of the
   operands, at the position whose bits are those of v in reverse. The last step receives into `into` if not NULL. */
struct halving tutti_halve(tutti_builder *builder, const struct fold *fold, struct partial *partial, cut_function cut,
                           bool nearest_first, const struct place *into);

/* The end of a reduce-scatter: the partial result has the blocks of the ranks of virtual rank `held`; put the own one
   into the output and send the others to their ranks. The own one comes from virtual rank `holder`. */
void tutti_hand_out(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int held,
                    int holder);

#endif
