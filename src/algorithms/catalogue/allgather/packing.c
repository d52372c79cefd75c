#include "algorithms/catalogue/allgather/packing.h"

#include <string.h>

/* The output block of the rank that has number `index` in the turned order. */
static tutti_block place_of(const struct packing *packing, int index)
{
  return tutti_output_block(packing->call, (int)(((int64_t)packing->turn + index) % packing->call->size));
}

/* Blocks of the turned order from number `first` on that are contiguous in the output, too: one run up to the last rank
   and one from the first, or only one if the other has no data. Returns the number of the block after them. */
static int next_run(const struct packing *packing, int first, tutti_block *run)
{
  int size = packing->call->size, middle = size - packing->turn, end = first < middle ? middle : size;
  bool empty = tutti_packed(packing, first, end - first).count == 0;
  *run = place_of(packing, empty && end < size ? end : first);
  if (empty || tutti_packed(packing, end, size - end).count == 0)
    end = size;
  run->count = tutti_packed(packing, first, end - first).count;
  return end;
}

/* Where the blocks begin in the turned order. */
static const uint64_t *find_offsets(tutti_builder *builder, const struct packing *packing)
{
  int size = packing->call->size;
  uint64_t *offsets = tutti_builder_scratch(builder, ((uint64_t)size + 1) * sizeof *offsets), sum = 0;
  for (int i = 0; offsets && i <= size; i++) {
    offsets[i] = sum;
    sum += i < size ? place_of(packing, i).count : 0;
  }
  return offsets;
}

bool tutti_packing_plan(tutti_builder *builder, const tutti_call *call, int turn, struct packing *packing)
{
  tutti_block run;
  *packing = (struct packing){.builder = builder, .call = call, .turn = turn, .buffer = TUTTI_OUTPUT};
  packing->offsets = call->output.offsets;
  if (call->output.offsets && turn > 0 && !(packing->offsets = find_offsets(builder, packing)))
    return false;
  uint64_t total = tutti_packed(packing, 0, call->size).count;
  if (next_run(packing, 0, &run) == call->size || total == 0)
    packing->base = run.first;
  else
    packing->buffer = tutti_builder_temporary(builder, total);
  return true;
}

static int own_index(const struct packing *packing)
{
  int rank = packing->call->rank;
  return rank >= packing->turn ? rank - packing->turn : rank + (packing->call->size - packing->turn);
}

bool tutti_packing_begin(tutti_builder *builder, const tutti_call *call, int turn, struct packing *packing)
{
  if (!tutti_packing_plan(builder, call, turn, packing))
    return false;
  int index = own_index(packing);
  tutti_block own = tutti_packed(packing, index, 1), input = tutti_block_of(TUTTI_INPUT, 0, own.count);
  if (own.count > 0)
    tutti_packing_arrived(packing, tutti_add_copy(builder, input, own), index, 1);
  return true;
}

tutti_block tutti_packed(const struct packing *packing, int first, int count)
{
  uint64_t size = packing->call->count;
  if (!packing->offsets)
    return tutti_block_of(packing->buffer, packing->base + (uint64_t)first * size, (uint64_t)count * size);
  uint64_t begin = packing->offsets[first], end = packing->offsets[first + count];
  return tutti_block_of(packing->buffer, packing->base + begin, end - begin);
}

/* Fails without memory, which the builder reports. */
static bool make_room(struct packing *packing)
{
  int room = packing->room > 0 ? 2 * packing->room : 64;
  struct arrival *arrived = tutti_builder_scratch(packing->builder, (uint64_t)room * sizeof *arrived);
  if (!arrived)
    return false;
  if (packing->arrivals > 0)
    memcpy(arrived, packing->arrived, (size_t)packing->arrivals * sizeof *arrived);
  packing->arrived = arrived;
  packing->room = room;
  return true;
}

void tutti_packing_arrived(struct packing *packing, tutti_vertex_id vertex, int first, int count)
{
  if (vertex != TUTTI_NO_VERTEX && (packing->arrivals < packing->room || make_room(packing)))
    packing->arrived[packing->arrivals++] = (struct arrival){vertex, first, count};
}

static void after_arrivals(tutti_builder *builder, const struct packing *packing, tutti_vertex_id vertex, int first,
                           int count)
{
  for (int i = 0; i < packing->arrivals; i++) {
    const struct arrival *arrival = &packing->arrived[i];
    if (arrival->first < first + count && first < arrival->first + arrival->count)
      tutti_add_after(builder, vertex, arrival->vertex);
  }
}

void tutti_packing_send(tutti_builder *builder, const struct packing *packing, int peer, int first, int count)
{
  tutti_block blocks = tutti_packed(packing, first, count);
  if (blocks.count == 0)
    return;
  if (count == 1 && first == own_index(packing))
    tutti_add_send(builder, peer, tutti_block_of(TUTTI_INPUT, 0, blocks.count));
  else
    after_arrivals(builder, packing, tutti_add_send(builder, peer, blocks), first, count);
}

void tutti_packing_receive(tutti_builder *builder, struct packing *packing, int peer, int first, int count)
{
  tutti_block blocks = tutti_packed(packing, first, count);
  if (blocks.count > 0)
    tutti_packing_arrived(packing, tutti_add_recv(builder, peer, blocks), first, count);
}

void tutti_packing_end(tutti_builder *builder, const struct packing *packing)
{
  tutti_block run;
  if (packing->buffer == TUTTI_OUTPUT)
    return;
  tutti_vertex_id complete = tutti_add_join(builder);
  after_arrivals(builder, packing, complete, 0, packing->call->size);
  for (int first = 0, end; first < packing->call->size; first = end) {
    end = next_run(packing, first, &run);
    if (run.count > 0)
      tutti_add_after(builder, tutti_add_copy(builder, tutti_packed(packing, first, end - first), run), complete);
  }
}
