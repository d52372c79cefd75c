#include "harness/engine/search/building.h"

/* Messages come in the order of the moves, so all can be expected at once; what is for others waits in a temporary. */
void tutti_building_exchange(struct building *b)
{
  const struct phase *phase = &b->synthesis->spread;
  const uint32_t rank = (uint32_t)b->call->rank, ranks = (uint32_t)b->synthesis->ranks;
  struct relayed {
    tutti_vertex_id received;
    tutti_buffer buffer;
    uint32_t chunk;
  } *relayed = tutti_builder_scratch(b->builder, (phase->first[rank + 1] - phase->first[rank] + 1) * sizeof *relayed);
  uint32_t count = 0;
  tutti_add_copy(b->builder, tutti_input_block(b->call, (int)rank), tutti_output_block(b->call, (int)rank));
  for (uint32_t i = phase->first[rank]; i < phase->first[rank + 1] && relayed; i++) {
    const struct move *move = &phase->moves.items[phase->own[i]];
    const uint32_t to = move->first % ranks;
    if (move->to == (int)rank && to == rank)
      tutti_add_recv(b->builder, move->from, tutti_output_block(b->call, (int)(move->first / ranks)));
    else if (move->to == (int)rank) {
      const tutti_buffer buffer = tutti_builder_temporary(b->builder, b->call->count);
      const tutti_block block = tutti_block_of(buffer, 0, b->call->count);
      relayed[count++] = (struct relayed){tutti_add_recv(b->builder, move->from, block), buffer, move->first};
    }
  }
  for (uint32_t i = phase->first[rank]; i < phase->first[rank + 1] && relayed; i++) {
    const struct move *move = &phase->moves.items[phase->own[i]];
    if (move->from != (int)rank)
      continue;
    uint32_t at = 0;
    while (move->first / ranks != rank && at < count && relayed[at].chunk != move->first)
      at++;
    if (move->first / ranks == rank)
      tutti_building_send(b, move->to, tutti_input_block(b->call, (int)(move->first % ranks)));
    else if (at < count)
      tutti_add_after(b->builder,
                      tutti_building_send(b, move->to, tutti_block_of(relayed[at].buffer, 0, b->call->count)),
                      relayed[at].received);
  }
}
