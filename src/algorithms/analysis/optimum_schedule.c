/* From an optimum of the round model to schedules: a message of several blocks is a send of each. */
#include <stdlib.h>

#include "algorithms/analysis/optimum.h"
#include "tutti/analysis.h"

struct building {
  const tutti_optimum *optimum;
  const tutti_call *call;
  tutti_builder *builder;
  tutti_vertex_id ready[TUTTI_OPTIMUM_BLOCKS]; /* after which the rank has the block, or its partial result */
  tutti_buffer own, received;                  /* of a reduce: partial results; what has arrived */
};

tutti_block tutti_optimum_block(const tutti_optimum *optimum, const tutti_call *call, int block, tutti_buffer buffer)
{
  const uint64_t blocks = (uint64_t)optimum->blocks, first = call->count * (uint64_t)block / blocks;
  return tutti_block_of(buffer, first, call->count * (uint64_t)(block + 1) / blocks - first);
}

static tutti_block block_of(const struct building *b, int block, tutti_buffer buffer)
{
  return tutti_optimum_block(b->optimum, b->call, block, buffer);
}

/* ---- broadcast ---- */

static void pass_on(struct building *b, int round)
{
  const tutti_optimum *o = b->optimum;
  tutti_vertex_id arrived[TUTTI_OPTIMUM_BLOCKS];
  const int own = b->call->rank;
  for (int block = 0; block < o->blocks; block++) {
    arrived[block] = TUTTI_NO_VERTEX;
    for (int r = 0; r < o->ranks; r++)
      if (o->from[round][r] == own && o->what[round][r] >> block & 1)
        tutti_add_after(b->builder, tutti_add_send(b->builder, r, block_of(b, block, TUTTI_OUTPUT)), b->ready[block]);
    if (o->what[round][own] >> block & 1)
      arrived[block] = tutti_add_recv(b->builder, o->from[round][own], block_of(b, block, TUTTI_OUTPUT));
  }
  for (int block = 0; block < o->blocks; block++)
    b->ready[block] = arrived[block] != TUTTI_NO_VERTEX ? arrived[block] : b->ready[block];
}

static void bcast(struct building *b)
{
  for (int block = 0; block < b->optimum->blocks; block++)
    b->ready[block] = TUTTI_NO_VERTEX;
  for (int round = 0; round < b->optimum->rounds; round++)
    pass_on(b, round);
}

/* ---- reduce: rounds backwards; who received sends ---- */

/* What arrives is combined before the next one takes its place. */
static void combine(struct building *b, int sender, int block)
{
  const tutti_vertex_id arrived = tutti_add_recv(b->builder, sender, block_of(b, block, b->received));
  tutti_add_after(b->builder, arrived, b->ready[block]);
  b->ready[block] = tutti_add_reduce(b->builder, block_of(b, block, b->received), block_of(b, block, b->own));
  tutti_add_after(b->builder, b->ready[block], arrived);
}

static void collect(struct building *b, int round)
{
  const tutti_optimum *o = b->optimum;
  const int own = b->call->rank;
  for (int block = 0; block < o->blocks; block++) {
    if (o->what[round][own] >> block & 1)
      tutti_add_after(b->builder, tutti_add_send(b->builder, o->from[round][own], block_of(b, block, b->own)),
                      b->ready[block]);
    for (int r = 0; r < o->ranks; r++)
      if (o->from[round][r] == own && o->what[round][r] >> block & 1)
        combine(b, r, block);
  }
}

static void reduce(struct building *b)
{
  b->own = b->call->rank == 0 ? TUTTI_OUTPUT : tutti_builder_temporary(b->builder, b->call->count);
  b->received = tutti_builder_temporary(b->builder, b->call->count);
  for (int block = 0; block < b->optimum->blocks; block++)
    b->ready[block] = tutti_add_copy(b->builder, block_of(b, block, TUTTI_INPUT), block_of(b, block, b->own));
  for (int round = b->optimum->rounds; round-- > 0;)
    collect(b, round);
}

tutti_status tutti_optimum_schedule(const tutti_optimum *o, tutti_collective collective, const tutti_call *call,
                                    tutti_arena *arena, tutti_schedule *schedule, tutti_error *error)
{
  struct building b = {.optimum = o, .call = call, .builder = tutti_builder_create(call->size, call->rank)};
  if (!b.builder)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a schedule");
  switch (collective) {
  case TUTTI_COLL_BCAST:
    bcast(&b);
    break;
  case TUTTI_COLL_REDUCE:
    reduce(&b);
    break;
  case TUTTI_COLL_ALLREDUCE:
    tutti_allreduce_optimum_build(o, call, b.builder);
    break;
  default:
    tutti_alltoall_optimum_build(o, call, b.builder);
  }
  const tutti_status status = tutti_schedule_seal(b.builder, arena, schedule, error);
  tutti_builder_free(b.builder);
  return status;
}

struct proving {
  tutti_schedule schedules[TUTTI_OPTIMUM_RANKS];
  tutti_call calls[TUTTI_OPTIMUM_RANKS];
};

tutti_status tutti_optimum_prove(const tutti_optimum *o, tutti_collective collective, uint64_t count,
                                 tutti_error *error)
{
  struct proving *p = calloc(1, sizeof *p);
  tutti_arena arena;
  tutti_status status = p ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a proof");
  tutti_arena_init(&arena);
  for (int r = 0; r < o->ranks && status == TUTTI_OK; r++) {
    p->calls[r] = (tutti_call){.size = o->ranks, .rank = r, .count = count, .type_size = 1, .commutative = true};
    status = tutti_optimum_schedule(o, collective, &p->calls[r], &arena, &p->schedules[r], error);
  }
  if (status == TUTTI_OK)
    status = tutti_verify(p->schedules, p->calls, tutti_contract_of(collective), error);
  tutti_arena_release(&arena);
  free(p);
  return status;
}
