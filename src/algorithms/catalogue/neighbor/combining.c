/* Message combining on a grid (include/tutti/neighbor.h). In phase d the items with the same distance in dimension d go
   in one message. An item of an alltoall is a block, with the distances that it goes; of an allgather it is a block
   with the first distances of several, which goes once for all of them. Sorted distances have these one after the
   other, and the item has the number of the first one.

   Messages of several items are packed in temporaries; one alone goes from where it is, and to its place in the output
   if that is here. Cost (Hockney), blocks of m bytes, n distances each with h that are not 0: 2 d phases of alpha at
   most, and the sum of h times m beta in an alltoall. */
#include "algorithms/catalogue/neighbor/neighbor.h"

/* Where an item is, and since when. */
struct held {
  bool here;
  tutti_block block;
  tutti_vertex_id after;
};

struct combining {
  tutti_builder *builder;
  const tutti_call *call;
  const tutti_stencil *stencil;
  bool allgather;
  struct held *held, *next; /* [count] items before and after the phase */
  int *items;               /* [count] of a message */
};

static int coordinate(const struct combining *x, int item, int dimension)
{
  return tutti_distance_at(x->stencil, item)[dimension];
}

static bool share(const struct combining *x, int item, int other, int dimensions)
{
  for (int d = 0; d < dimensions; d++)
    if (coordinate(x, item, d) != coordinate(x, other, d))
      return false;
  return true;
}

/* The distances of an item after `phases` phases end here. */
static int end_of(const struct combining *x, int item, int phases)
{
  int end = item + 1;
  while (x->allgather && end < x->stencil->count && share(x, item, end, phases))
    end++;
  return end;
}

static bool is_item(const struct combining *x, int i, int phases)
{
  return !x->allgather || i == 0 || !share(x, i - 1, i, phases);
}

/* The item before the last of `phases` phases. */
static int parent_of(const struct combining *x, int item, int phases)
{
  while (!is_item(x, item, phases - 1))
    item--;
  return item;
}

/* Whether an item of so many phases is at the rank when `done` of its distances are behind it: its first rank and some
   destination are in the grid. */
static bool comes_here(const struct combining *x, int item, int phases, int done)
{
  const tutti_grid *grid = &x->stencil->grid;
  const int from = tutti_grid_step(grid, x->call->rank, tutti_distance_at(x->stencil, item), done, -1);
  bool wanted = false;
  for (int i = item; from >= 0 && i < end_of(x, item, phases) && !wanted; i++)
    wanted = tutti_grid_at(grid, from, tutti_distance_at(x->stencil, i)) >= 0;
  return wanted;
}

/* The items that move by a distance in phase d and are at the rank before it, or after it. */
static int find_items(const struct combining *x, int d, int distance, bool after)
{
  int count = 0;
  for (int i = 0; i < x->stencil->count; i++)
    if (coordinate(x, i, d) == distance && is_item(x, i, d + 1) && comes_here(x, i, d + 1, d + after))
      x->items[count++] = i;
  return count;
}

static tutti_block slot_of(const struct combining *x, int i)
{
  return tutti_output_block(x->call, x->call->near->in_slots[i]);
}

/* The place in the output of an item that has gone so many phases, if it is at a destination; else a temporary. */
static tutti_block place_of(const struct combining *x, int item, int phases)
{
  for (int i = item; i < end_of(x, item, phases); i++) {
    bool ends = true;
    for (int d = phases; d < x->stencil->grid.dimensions; d++)
      ends = ends && coordinate(x, i, d) == 0;
    if (ends)
      return slot_of(x, i);
  }
  return tutti_block_of(tutti_builder_temporary(x->builder, x->call->count), 0, x->call->count);
}

static int peer_at(const struct combining *x, int d, int distance)
{
  int step[TUTTI_MAX_DIMENSIONS] = {0};
  step[d] = distance;
  return tutti_grid_at(&x->stencil->grid, x->call->rank, step);
}

static void receive(struct combining *x, int d, int distance)
{
  const int count = find_items(x, d, distance, true), from = peer_at(x, d, -distance);
  const uint64_t length = x->call->count;
  if (count == 0)
    return;
  const tutti_block whole = count == 1 ? place_of(x, x->items[0], d + 1)
                                       : tutti_block_of(tutti_builder_temporary(x->builder, (uint64_t)count * length),
                                                        0, (uint64_t)count * length);
  const tutti_vertex_id received = tutti_add_recv(x->builder, from, whole);
  for (int i = 0; i < count; i++)
    x->next[x->items[i]] =
        (struct held){true, tutti_block_of(whole.buffer, whole.first + (uint64_t)i * length, length), received};
}

static void send(const struct combining *x, int d, int distance)
{
  const int count = find_items(x, d, distance, false), to = peer_at(x, d, distance);
  const uint64_t length = x->call->count;
  if (count == 0)
    return;
  if (count == 1) {
    const struct held *held = &x->held[parent_of(x, x->items[0], d + 1)];
    tutti_add_after(x->builder, tutti_add_send(x->builder, to, held->block), held->after);
    return;
  }
  const tutti_buffer packed = tutti_builder_temporary(x->builder, (uint64_t)count * length);
  const tutti_vertex_id first = tutti_builder_next(x->builder);
  for (int i = 0; i < count; i++) {
    const struct held *held = &x->held[parent_of(x, x->items[i], d + 1)];
    tutti_add_after(x->builder,
                    tutti_add_copy(x->builder, held->block, tutti_block_of(packed, (uint64_t)i * length, length)),
                    held->after);
  }
  const tutti_vertex_id sent = tutti_add_send(x->builder, to, tutti_block_of(packed, 0, (uint64_t)count * length));
  for (tutti_vertex_id v = first; v < sent; v++)
    tutti_add_after(x->builder, sent, v);
}

/* Whether no distance before is the same in the dimension. */
static bool is_first(const struct combining *x, int i, int d)
{
  for (int before = 0; before < i; before++)
    if (coordinate(x, before, d) == coordinate(x, i, d))
      return false;
  return true;
}

static void add_phase(struct combining *x, int d)
{
  for (int i = 0; i < x->stencil->count; i++) {
    const bool stays = coordinate(x, i, d) == 0 && is_item(x, i, d + 1) && comes_here(x, i, d + 1, d);
    x->next[i] = stays ? x->held[parent_of(x, i, d + 1)] : (struct held){.here = false};
  }
  for (int i = 0; i < x->stencil->count; i++)
    if (coordinate(x, i, d) != 0 && is_first(x, i, d))
      receive(x, d, coordinate(x, i, d));
  for (int i = 0; i < x->stencil->count; i++)
    if (coordinate(x, i, d) != 0 && is_first(x, i, d))
      send(x, d, coordinate(x, i, d));
  struct held *held = x->held;
  x->held = x->next;
  x->next = held;
}

static void begin(struct combining *x)
{
  for (int i = 0; i < x->stencil->count; i++) {
    const int slot = x->allgather ? 0 : x->call->near->out_slots[i];
    x->held[i] = (struct held){.here = slot >= 0, .after = TUTTI_NO_VERTEX};
    if (slot >= 0)
      x->held[i].block = tutti_block_to(x->call, slot);
  }
}

/* Blocks that are not in their places in the output are copied there. */
static void end(const struct combining *x)
{
  for (int i = 0; i < x->stencil->count; i++)
    if (x->held[i].here && x->held[i].block.buffer != TUTTI_OUTPUT)
      tutti_add_after(x->builder, tutti_add_copy(x->builder, x->held[i].block, slot_of(x, i)), x->held[i].after);
}

void tutti_build_neighbor_combining(tutti_builder *builder, const tutti_call *call)
{
  const tutti_stencil *stencil = call->near->stencil;
  tutti_error fault;
  struct combining x = {.builder = builder, .call = call, .stencil = stencil, .allgather = tutti_is_allgather(call)};
  if (!stencil) {
    tutti_fail(&fault, TUTTI_ERR_UNSUPPORTED, "message combining needs the same neighbors of all ranks on a grid");
    tutti_builder_fault(builder, &fault);
    return;
  }
  const size_t count = (size_t)stencil->count + 1;
  x.held = tutti_builder_scratch(builder, count * sizeof *x.held);
  x.next = tutti_builder_scratch(builder, count * sizeof *x.next);
  x.items = tutti_builder_scratch(builder, count * sizeof *x.items);
  if (!x.held || !x.next || !x.items)
    return;
  begin(&x);
  for (int d = 0; d < stencil->grid.dimensions; d++)
    add_phase(&x, d);
  end(&x);
}
