/* Allgather, reduce-scatter and allreduce from the rounds of an exchange. */
#include <string.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_part.h"

/* ---- places of blocks ---- */

static int block_at(const struct exchange_plan *plan, int position)
{
  return plan->block_at ? plan->block_at[position] : position;
}

/* Successive places in a buffer for the positions from `first` to before `end`, of the lengths of `given`; the others'
   are never used. Returns the number of elements. */
static uint64_t place_work(struct part *part, tutti_buffer buffer, int first, int end)
{
  uint64_t at = 0;
  for (int p = 0; p < part->size; p++) {
    part->work[p] = tutti_block_of(buffer, at, part->given[p].count);
    at += p >= first && p < end ? part->given[p].count : 0;
  }
  return at;
}

/* ---- what the rounds need ---- */

/* Positions from first to before end, and elements of the temporaries of even and of odd rounds. */
struct needs {
  int first, end;
  uint64_t operands[2], outgoing[2];
};

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void need(struct part *part, struct needs *needs, struct run run)
{
  needs->first = run.first < needs->first ? run.first : needs->first;
  needs->end = run.end > needs->end ? run.end : needs->end;
  for (int p = run.first; p < run.end; p++)
    part->in_work[p] = true;
}

/* Blocks to send must be in work only if they are not sent, or packed, as they are. */
static void need_given(struct part *part, const struct positions *positions, int slot, struct needs *needs)
{
  uint64_t elements = 0;
  for (int i = 0; i < positions->count;) {
    struct run run = tutti_run_at(part, positions, i);
    i += run.end - run.first;
    elements += tutti_run_elements(part, run);
    if (!tutti_run_is_direct(part, run))
      need(part, needs, run);
  }
  if (part->packed && tutti_positions_are_apart(part, positions))
    needs->outgoing[slot] = larger(needs->outgoing[slot], elements);
}

static void need_taken(struct part *part, const struct positions *positions, int slot, struct needs *needs)
{
  const bool packed = part->packed && tutti_positions_are_apart(part, positions);
  uint64_t operands = 0;
  for (int i = 0; i < positions->count;) {
    struct run run = tutti_run_at(part, positions, i);
    i += run.end - run.first;
    operands += tutti_run_is_fresh(part, run) && !packed ? 0 : tutti_run_elements(part, run);
    need(part, needs, run);
  }
  needs->operands[slot] = larger(needs->operands[slot], operands);
}

/* The needs of the rounds of the reduce-scatter, of the allgather or of both. Adds no vertex. */
static struct needs find_needs(struct part *part, bool reduces, bool gathers)
{
  struct needs needs = {.first = part->size};
  for (int i = part->pattern->count - 1; i >= 0 && reduces; i--) {
    need_given(part, &part->pattern->rounds[i].received, i % 2, &needs);
    need_taken(part, &part->pattern->rounds[i].sent, i % 2, &needs);
  }
  for (int i = 0; i < part->pattern->count && gathers; i++) {
    const struct exchange_round *round = &part->pattern->rounds[i];
    need_given(part, &round->sent, i % 2, &needs);
    if (part->packed)
      need_taken(part, &round->received, i % 2, &needs);
  }
  memset(part->in_work, 0, (size_t)part->size * sizeof *part->in_work);
  return needs;
}

static void create_rooms(struct part *part, const struct needs *needs)
{
  for (int i = 0; i < 2; i++) {
    if (needs->operands[i] > 0)
      part->operands[i].buffer = tutti_builder_temporary(part->builder, needs->operands[i]);
    if (needs->outgoing[i] > 0)
      part->outgoing[i].buffer = tutti_builder_temporary(part->builder, needs->outgoing[i]);
  }
}

/* ---- allgather ---- */

/* The block of the position that the rank begins with: its own one, or another, for which it gives its own away. */
static void begin_gathering(struct part *part, const struct exchange_plan *plan, tutti_block input, int rank)
{
  struct run own = {plan->own, plan->own + 1};
  int from = block_at(plan, plan->own);
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  if (from == rank) {
    part->own = plan->own;
    part->given[plan->own] = input;
    if (input.count > 0)
      ready = tutti_add_copy(part->builder, input, part->work[plan->own]);
  } else {
    if (input.count > 0)
      tutti_add_send(part->builder, plan->holder, input);
    if (part->work[plan->own].count > 0)
      ready = tutti_add_recv(part->builder, from, part->work[plan->own]);
  }
  tutti_run_ready(part, own, ready);
}

/* From the temporary to the output, where the blocks may be in another order than the positions. */
static void unpack(struct part *part)
{
  tutti_vertex_id complete = tutti_add_join(part->builder);
  struct run all = {0, part->size};
  tutti_after_run(part, complete, part->ready, all);
  memset(part->in_work, 0, (size_t)part->size * sizeof *part->in_work);
  for (struct run piece; all.first < all.end; all.first = piece.end) {
    piece = tutti_run_piece(part, all);
    if (tutti_run_span(part->given, piece).count == 0)
      continue;
    tutti_vertex_id copy =
        tutti_add_copy(part->builder, tutti_run_span(part->work, piece), tutti_run_span(part->given, piece));
    tutti_add_after(part->builder, copy, complete);
  }
}

/* Whether the output has the blocks in another order than the positions, or their shares apart. */
static bool uses_temporary(const struct exchange_plan *plan)
{
  return (plan->block_at || plan->parts > 1) && !plan->in_place;
}

static void place_gathered(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan,
                           struct part *part, int index)
{
  for (int p = 0; p < call->size; p++)
    part->given[p] = tutti_block_share(tutti_output_block(call, block_at(plan, p)), index, plan->parts);
  part->joined = uses_temporary(plan) || plan->parts == 1;
  if (uses_temporary(plan)) {
    tutti_buffer buffer = tutti_builder_temporary(builder, tutti_run_elements(part, (struct run){0, call->size}));
    place_work(part, buffer, 0, call->size);
  } else {
    memcpy(part->work, part->given, (size_t)call->size * sizeof *part->work);
  }
  if (plan->packed) {
    struct needs needs = find_needs(part, false, true);
    create_rooms(part, &needs);
  }
}

void tutti_build_allgather_by_exchange(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan)
{
  struct part *parts = tutti_parts(builder, plan, call->size);
  if (!parts)
    return;
  for (int i = 0; i < plan->parts; i++) {
    place_gathered(builder, call, plan, &parts[i], i);
    uint64_t count = tutti_output_block(call, call->rank).count;
    begin_gathering(&parts[i], plan, tutti_block_share(tutti_block_of(TUTTI_INPUT, 0, count), i, plan->parts),
                    call->rank);
  }
  tutti_gather_rounds(parts, plan);
  for (int i = 0; i < plan->parts && uses_temporary(plan); i++) {
    parts[i].given[plan->own] = tutti_block_share(tutti_output_block(call, block_at(plan, plan->own)), i, plan->parts);
    unpack(&parts[i]);
  }
}

/* ---- reduce-scatter ---- */

static void place_reduced(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan,
                          struct part *part, int index)
{
  for (int p = 0; p < call->size; p++)
    part->given[p] = tutti_block_share(tutti_input_block(call, block_at(plan, p)), index, plan->parts);
  struct needs needs = find_needs(part, true, false);
  tutti_buffer buffer = TUTTI_OUTPUT;
  uint64_t elements = place_work(part, TUTTI_OUTPUT, needs.first, needs.end);
  if (elements > 0)
    buffer = tutti_builder_temporary(builder, elements);
  place_work(part, buffer, needs.first, needs.end);
  create_rooms(part, &needs);
}

/* The result of the own position to the output, or to its rank. */
static void deliver(struct part *part, const struct exchange_plan *plan, int rank, tutti_block output)
{
  int to = block_at(plan, plan->own);
  struct run own = {plan->own, plan->own + 1};
  tutti_block result = part->in_work[plan->own] ? part->work[plan->own] : part->given[plan->own];
  if (result.count > 0) {
    tutti_vertex_id vertex =
        to == rank ? tutti_add_copy(part->builder, result, output) : tutti_add_send(part->builder, to, result);
    tutti_after_run(part, vertex, part->ready, own);
  }
  if (to != rank && output.count > 0)
    tutti_add_recv(part->builder, plan->holder, output);
}

void tutti_build_reduce_scatter_by_exchange(tutti_builder *builder, const tutti_call *call,
                                            const struct exchange_plan *plan)
{
  struct part *parts = tutti_parts(builder, plan, call->size);
  if (!parts)
    return;
  for (int i = 0; i < plan->parts; i++)
    place_reduced(builder, call, plan, &parts[i], i);
  tutti_reduce_rounds(parts, plan);
  for (int i = 0; i < plan->parts; i++)
    deliver(&parts[i], plan, call->rank,
            tutti_block_share(tutti_block_of(TUTTI_OUTPUT, 0, call->count), i, plan->parts));
}

/* ---- allreduce ---- */

static void place_segments(const tutti_call *call, const struct exchange_plan *plan, struct part *part, int index,
                           tutti_buffer work)
{
  tutti_block message = tutti_block_share(tutti_block_of(TUTTI_INPUT, 0, call->count), index, plan->parts);
  for (int p = 0; p < call->size; p++) {
    part->given[p] = part->work[p] = tutti_block_share(message, p, call->size);
    part->work[p].buffer = work;
  }
  struct needs needs = find_needs(part, true, true);
  create_rooms(part, &needs);
}

struct part *tutti_reduce_segments(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan,
                                   tutti_buffer work)
{
  struct part *parts = tutti_parts(builder, plan, call->size);
  if (!parts)
    return NULL;
  for (int i = 0; i < plan->parts; i++)
    place_segments(call, plan, &parts[i], i, work);
  tutti_reduce_rounds(parts, plan);
  for (int i = 0; i < plan->parts && call->size == 1; i++)
    tutti_run_to_work(&parts[i], (struct run){0, 1});
  return parts;
}

void tutti_build_allreduce_by_exchange(tutti_builder *builder, const tutti_call *call, const struct exchange_plan *plan)
{
  if (call->count == 0)
    return;
  struct part *parts = tutti_reduce_segments(builder, call, plan, TUTTI_OUTPUT);
  if (parts)
    tutti_gather_rounds(parts, plan);
}
