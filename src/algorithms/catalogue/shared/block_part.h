/* One pattern of an exchange on one share of the blocks, for the collectives that are made of its rounds. */
#ifndef TUTTI_ALGORITHMS_BLOCK_PART_H
#define TUTTI_ALGORITHMS_BLOCK_PART_H

#include "algorithms/catalogue/shared/block_exchange.h"

struct part {
  tutti_builder *builder;
  const struct exchange_pattern *pattern;
  int size;
  tutti_block *given;     /* [size] the own contribution to each position; of an allgather only the own block */
  tutti_block *work;      /* [size] where the position is received and added up */
  bool *in_work;          /* [size] it is there; else the contribution is all there is */
  tutti_vertex_id *ready; /* [size] completes it there */
  tutti_vertex_id *sent;  /* [size] has sent it from there */
  bool joined;            /* work has successive positions one after the other */
  int own;                /* of an allgather: the position that may be sent from given; else -1 */
  bool packed;            /* a round is one message */
  struct room {
    tutti_buffer buffer;
    tutti_vertex_id free;     /* completes the last use */
    uint64_t used;            /* elements, by the round under way */
  } operands[2], outgoing[2]; /* of even and of odd rounds: received to be added up or unpacked; packed */
};

/* Positions that are one message. */
struct run {
  int first, end;
};

/* All parts of a plan, their places still to be filled in. NULL, and a fault, without memory. */
struct part *tutti_parts(tutti_builder *builder, const struct exchange_plan *plan, int size);

/* The rounds of all parts, one after the other; messages between two ranks then have one order at both. @{ */
void tutti_reduce_rounds(struct part *parts, const struct exchange_plan *plan);
void tutti_gather_rounds(struct part *parts, const struct exchange_plan *plan);
/* @} */

/* The reduce-scatter of a message in as many segments as ranks, added up in `work`. NULL, and a fault, without memory.
 */
struct part *tutti_reduce_segments(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan,
                                   tutti_buffer work);

/* Whether a round has positions for more than one message. */
bool tutti_positions_are_apart(const struct part *part, const struct positions *positions);

/* The message at index `i` of positions. */
struct run tutti_run_at(const struct part *part, const struct positions *positions, int i);

/* The elements of a run in given or work. */
tutti_block tutti_run_span(const tutti_block *blocks, struct run run);

uint64_t tutti_run_elements(const struct part *part, struct run run);

/* Whether the run has only contributions, one after the other, so that they can be sent as they are. */
bool tutti_run_is_direct(const struct part *part, struct run run);

/* Whether no position has been received. */
bool tutti_run_is_fresh(const struct part *part, struct run run);

/* The longest piece of a run from its first position on whose contributions are contiguous, not in work. */
struct run tutti_run_piece(const struct part *part, struct run run);

/* Contributions that are not in work are copied there. */
void tutti_run_to_work(struct part *part, struct run run);

/* Receive a run into work, when what is there has been sent. */
tutti_vertex_id tutti_run_receive(struct part *part, int peer, struct run run);

/* `vertex` completes the positions of a run in work. */
void tutti_run_ready(struct part *part, struct run run, tutti_vertex_id vertex);

/* `vertex` waits for those of a run. */
void tutti_after_run(const struct part *part, tutti_vertex_id vertex, const tutti_vertex_id *vertices, struct run run);

#endif
