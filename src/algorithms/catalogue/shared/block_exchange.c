#include "algorithms/catalogue/shared/block_part.h"

#include <string.h>

#include "algorithms/catalogue/builders.h"

/* ---- one pattern on one share of the blocks ---- */

static bool create_part(tutti_builder *builder, const struct exchange_pattern *pattern, int size, struct part *part)
{
  uint64_t count = (uint64_t)size;
  tutti_block *blocks = tutti_builder_scratch(builder, 2 * count * sizeof *blocks);
  tutti_vertex_id *vertices = tutti_builder_scratch(builder, 2 * count * sizeof *vertices);
  bool *in_work = tutti_builder_scratch(builder, count * sizeof *in_work);
  if (!blocks || !vertices || !in_work)
    return false;
  memset(vertices, 0xff, 2 * count * sizeof *vertices); /* TUTTI_NO_VERTEX */
  memset(in_work, 0, count * sizeof *in_work);
  *part = (struct part){.builder = builder,
                        .pattern = pattern,
                        .size = size,
                        .given = blocks,
                        .work = blocks + size,
                        .in_work = in_work,
                        .ready = vertices,
                        .sent = vertices + size,
                        .joined = true,
                        .own = -1};
  for (int i = 0; i < 2; i++)
    part->operands[i].free = part->outgoing[i].free = TUTTI_NO_VERTEX;
  return true;
}

static bool follows(tutti_block before, tutti_block block)
{
  return before.buffer == block.buffer && before.first + before.count == block.first;
}

struct run tutti_run_at(const struct part *part, const struct positions *positions, int i)
{
  struct run run = {positions->at[i], positions->at[i] + 1};
  while (part->joined && ++i < positions->count && positions->at[i] == run.end)
    run.end++;
  return run;
}

tutti_block tutti_run_span(const tutti_block *blocks, struct run run)
{
  tutti_block first = blocks[run.first], last = blocks[run.end - 1];
  return tutti_block_of(first.buffer, first.first, last.first + last.count - first.first);
}

uint64_t tutti_run_elements(const struct part *part, struct run run)
{
  uint64_t sum = 0;
  for (int p = run.first; p < run.end; p++)
    sum += part->given[p].count;
  return sum;
}

/* The runs of positions, in their order. */
#define FOR_EACH_RUN(run, part, positions)                                                                             \
  for (struct run run = {0, 0}, next_ = {0, 0};                                                                        \
       next_.first < (positions)->count && (run = tutti_run_at((part), (positions), next_.first), true);               \
       next_.first += run.end - run.first)

bool tutti_run_is_direct(const struct part *part, struct run run)
{
  for (int p = run.first; p < run.end; p++)
    if (part->in_work[p] || (p > run.first && !follows(part->given[p - 1], part->given[p])))
      return false;
  return true;
}

bool tutti_run_is_fresh(const struct part *part, struct run run)
{
  for (int p = run.first; p < run.end; p++)
    if (part->in_work[p])
      return false;
  return true;
}

struct run tutti_run_piece(const struct part *part, struct run run)
{
  struct run piece = {run.first, run.first + 1};
  while (piece.end < run.end && !part->in_work[piece.end] &&
         follows(part->given[piece.end - 1], part->given[piece.end]))
    piece.end++;
  return piece;
}

void tutti_run_ready(struct part *part, struct run run, tutti_vertex_id vertex)
{
  for (int p = run.first; p < run.end; p++) {
    part->in_work[p] = true;
    part->ready[p] = vertex;
  }
}

void tutti_after_run(const struct part *part, tutti_vertex_id vertex, const tutti_vertex_id *vertices, struct run run)
{
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (int p = run.first; p < run.end; p++) {
    if (vertices[p] != last)
      tutti_add_after(part->builder, vertex, vertices[p]);
    last = vertices[p];
  }
}

void tutti_run_to_work(struct part *part, struct run run)
{
  for (struct run piece; run.first < run.end; run.first = piece.end) {
    piece = tutti_run_piece(part, run);
    if (part->in_work[run.first])
      piece.end = run.first + 1;
    else
      tutti_run_ready(
          part, piece,
          tutti_add_copy(part->builder, tutti_run_span(part->given, piece), tutti_run_span(part->work, piece)));
  }
}

static void send_from_work(struct part *part, int peer, struct run run)
{
  tutti_vertex_id send = tutti_add_send(part->builder, peer, tutti_run_span(part->work, run));
  tutti_after_run(part, send, part->ready, run);
  for (int p = run.first; p < run.end; p++)
    part->sent[p] = send;
}

/* ---- rounds of the reduce-scatter ---- */

static void send_run(struct part *part, int peer, struct run run)
{
  if (tutti_run_is_direct(part, run)) {
    tutti_add_send(part->builder, peer, tutti_run_span(part->given, run));
    return;
  }
  tutti_run_to_work(part, run);
  send_from_work(part, peer, run);
}

/* The first operand is received where the result is built. */
static void take_first(struct part *part, int peer, struct run run)
{
  tutti_vertex_id received = tutti_add_recv(part->builder, peer, tutti_run_span(part->work, run));
  for (struct run piece; run.first < run.end; run.first = piece.end) {
    piece = tutti_run_piece(part, run);
    tutti_vertex_id reduced =
        tutti_add_reduce(part->builder, tutti_run_span(part->given, piece), tutti_run_span(part->work, piece));
    tutti_add_after(part->builder, reduced, received);
    tutti_run_ready(part, piece, reduced);
  }
}

/* Elements of a room for the next message of the round. */
static tutti_block take_room(struct room *room, uint64_t count)
{
  room->used += count;
  return tutti_block_of(room->buffer, room->used - count, count);
}

static tutti_vertex_id add_operand(struct part *part, struct run run, tutti_block operand, tutti_vertex_id received)
{
  tutti_run_to_work(part, run);
  tutti_vertex_id reduced = tutti_add_reduce(part->builder, operand, tutti_run_span(part->work, run));
  tutti_add_after(part->builder, reduced, received);
  tutti_after_run(part, reduced, part->ready, run);
  tutti_run_ready(part, run, reduced);
  return reduced;
}

static tutti_vertex_id both(tutti_builder *builder, tutti_vertex_id a, tutti_vertex_id b)
{
  if (a == TUTTI_NO_VERTEX || b == TUTTI_NO_VERTEX)
    return a == TUTTI_NO_VERTEX ? b : a;
  tutti_vertex_id join = tutti_add_join(builder);
  tutti_add_after(builder, join, a);
  tutti_add_after(builder, join, b);
  return join;
}

static void take_each(struct part *part, int peer, const struct positions *positions, struct room *room)
{
  tutti_vertex_id used = TUTTI_NO_VERTEX;
  FOR_EACH_RUN(run, part, positions) {
    uint64_t elements = tutti_run_elements(part, run);
    if (elements == 0)
      continue;
    if (tutti_run_is_fresh(part, run)) {
      take_first(part, peer, run);
      continue;
    }
    tutti_block operand = take_room(room, elements);
    tutti_vertex_id received = tutti_add_recv(part->builder, peer, operand);
    tutti_add_after(part->builder, received, room->free);
    used = both(part->builder, used, add_operand(part, run, operand, received));
  }
  room->free = used != TUTTI_NO_VERTEX ? used : room->free;
}

/* ---- packed messages ---- */

static uint64_t elements_of(const struct part *part, const struct positions *positions)
{
  uint64_t sum = 0;
  for (int i = 0; i < positions->count; i++)
    sum += part->given[positions->at[i]].count;
  return sum;
}

bool tutti_positions_are_apart(const struct part *part, const struct positions *positions)
{
  struct run run = {0, 0};
  if (positions->count > 0)
    run = tutti_run_at(part, positions, 0);
  return run.end - run.first < positions->count;
}

static void send_packed(struct part *part, int peer, const struct positions *positions, struct room *room)
{
  uint64_t elements = elements_of(part, positions), at = 0;
  if (elements == 0)
    return;
  tutti_vertex_id first = tutti_builder_next(part->builder);
  FOR_EACH_RUN(run, part, positions) {
    const bool direct = tutti_run_is_direct(part, run);
    if (!direct)
      tutti_run_to_work(part, run);
    tutti_block block = tutti_run_span(direct ? part->given : part->work, run);
    tutti_vertex_id copy = tutti_add_copy(part->builder, block, tutti_block_of(room->buffer, at, block.count));
    at += block.count;
    tutti_add_after(part->builder, copy, room->free);
    if (!direct)
      tutti_after_run(part, copy, part->ready, run);
    for (int p = run.first; p < run.end && !direct; p++)
      part->sent[p] = copy;
  }
  tutti_vertex_id last = tutti_builder_next(part->builder);
  room->free = tutti_add_send(part->builder, peer, tutti_block_of(room->buffer, 0, elements));
  for (tutti_vertex_id v = first; v < last; v++)
    tutti_add_after(part->builder, room->free, v);
}

/* The work on one message is sequential, as on one processor. */
static tutti_vertex_id behind(const struct part *part, tutti_vertex_id before, tutti_vertex_id vertex)
{
  tutti_add_after(part->builder, vertex, before);
  return vertex;
}

/* Receive blocks to add up, or to copy to their places. */
static void receive_packed(struct part *part, int peer, const struct positions *positions, struct room *room, bool add)
{
  uint64_t elements = elements_of(part, positions), at = 0;
  tutti_vertex_id used = TUTTI_NO_VERTEX;
  if (elements == 0)
    return;
  tutti_vertex_id received = tutti_add_recv(part->builder, peer, tutti_block_of(room->buffer, 0, elements));
  tutti_add_after(part->builder, received, room->free);
  FOR_EACH_RUN(run, part, positions) {
    tutti_block block = tutti_block_of(room->buffer, at, tutti_run_elements(part, run));
    at += block.count;
    if (block.count == 0)
      continue;
    if (add) {
      used = behind(part, used, add_operand(part, run, block, received));
      continue;
    }
    tutti_vertex_id copy = tutti_add_copy(part->builder, block, tutti_run_span(part->work, run));
    tutti_add_after(part->builder, copy, received);
    tutti_after_run(part, copy, part->sent, run);
    tutti_after_run(part, copy, part->ready, run);
    tutti_run_ready(part, run, copy);
    used = behind(part, used, copy);
  }
  room->free = used;
}

/* ---- rounds ---- */

/* Round number `index` of the allgather, backwards. */
static void reduce_round(struct part *part, int index)
{
  const struct exchange_round *round = &part->pattern->rounds[index];
  struct room *operands = &part->operands[index % 2];
  if (part->packed && tutti_positions_are_apart(part, &round->received)) {
    send_packed(part, round->from, &round->received, &part->outgoing[index % 2]);
  } else {
    FOR_EACH_RUN(run, part, &round->received) {
      if (tutti_run_elements(part, run) > 0)
        send_run(part, round->from, run);
    }
  }
  operands->used = 0;
  if (part->packed && tutti_positions_are_apart(part, &round->sent))
    receive_packed(part, round->to, &round->sent, operands, true);
  else
    take_each(part, round->to, &round->sent, operands);
}

tutti_vertex_id tutti_run_receive(struct part *part, int peer, struct run run)
{
  tutti_vertex_id received = tutti_add_recv(part->builder, peer, tutti_run_span(part->work, run));
  tutti_after_run(part, received, part->sent, run);
  tutti_after_run(part, received, part->ready, run);
  tutti_run_ready(part, run, received);
  return received;
}

static void send_each(struct part *part, int peer, const struct positions *positions)
{
  FOR_EACH_RUN(run, part, positions) {
    if (tutti_run_elements(part, run) == 0)
      continue;
    if (run.first == part->own && run.end == part->own + 1)
      tutti_add_send(part->builder, peer, part->given[run.first]);
    else
      send_from_work(part, peer, run);
  }
}

static void receive_each(struct part *part, int peer, const struct positions *positions)
{
  FOR_EACH_RUN(run, part, positions) {
    if (tutti_run_elements(part, run) > 0)
      tutti_run_receive(part, peer, run);
  }
}

static void gather_round(struct part *part, int index)
{
  const struct exchange_round *round = &part->pattern->rounds[index];
  if (part->packed && tutti_positions_are_apart(part, &round->sent))
    send_packed(part, round->to, &round->sent, &part->outgoing[index % 2]);
  else
    send_each(part, round->to, &round->sent);
  if (part->packed && tutti_positions_are_apart(part, &round->received))
    receive_packed(part, round->from, &round->received, &part->operands[index % 2], false);
  else
    receive_each(part, round->from, &round->received);
}

/* ---- all parts, round by round: their messages between two ranks then have one order at both ---- */

static int most_rounds(const struct exchange_plan *plan)
{
  int most = 0;
  for (int i = 0; i < plan->parts; i++)
    most = plan->patterns[i].count > most ? plan->patterns[i].count : most;
  return most;
}

void tutti_reduce_rounds(struct part *parts, const struct exchange_plan *plan)
{
  for (int round = 0; round < most_rounds(plan); round++)
    for (int i = 0; i < plan->parts; i++)
      if (round < plan->patterns[i].count)
        reduce_round(&parts[i], plan->patterns[i].count - 1 - round);
}

void tutti_gather_rounds(struct part *parts, const struct exchange_plan *plan)
{
  for (int round = 0; round < most_rounds(plan); round++)
    for (int i = 0; i < plan->parts; i++)
      if (round < plan->patterns[i].count)
        gather_round(&parts[i], round);
}

struct part *tutti_parts(tutti_builder *builder, const struct exchange_plan *plan, int size)
{
  struct part *parts = tutti_builder_scratch(builder, (uint64_t)plan->parts * sizeof *parts);
  for (int i = 0; parts && i < plan->parts; i++)
    if (create_part(builder, &plan->patterns[i], size, &parts[i]))
      parts[i].packed = plan->packed;
    else
      return NULL;
  return parts;
}
