/* What neighborhood collectives promise: the k-th block that a rank sends to another one is the k-th that this has from
   it. */
#include "algorithms/analysis/neighbor.h"

#include "tutti/neighbor.h"

static const tutti_symbol nothing = {0, 0};

/* Element `index` of the k-th block of rank `from` for `to`; of an allgather all are the same. */
static tutti_symbol letter(int from, int to, int k, uint64_t index)
{
  return tutti_symbol_letter(from, (uint64_t)(to + 1) << 40 | (uint64_t)k << 28 | index);
}

static bool is_allgather(const tutti_call *call)
{
  return !call->input.offsets;
}

static uint64_t extent(const tutti_call *call, tutti_buffer buffer)
{
  if (buffer == TUTTI_OUTPUT)
    return tutti_layout_sum(&call->output, call->near->in);
  return is_allgather(call) ? call->count : tutti_layout_sum(&call->input, call->near->out);
}

static int block_of(const tutti_layout *layout, uint64_t index)
{
  int block = 0;
  while (layout->offsets[block + 1] <= index)
    block++;
  return block;
}

static tutti_symbol initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  const tutti_neighbors *near = call->near;
  int k = 0;
  if (buffer != TUTTI_INPUT)
    return nothing;
  if (is_allgather(call))
    return letter(call->rank, 0, 0, index);
  const int block = block_of(&call->input, index);
  for (int b = 0; b < block; b++)
    k += near->destinations[b] == near->destinations[block];
  return letter(call->rank, near->destinations[block], k, index - call->input.offsets[block]);
}

static tutti_symbol promised(const tutti_call *call, uint64_t index)
{
  const tutti_neighbors *near = call->near;
  const int block = block_of(&call->output, index), from = near->sources[block];
  const uint64_t within = index - call->output.offsets[block];
  int k = 0;
  if (from < 0)
    return nothing;
  if (is_allgather(call))
    return letter(from, 0, 0, within);
  for (int i = 0; (near->order ? near->order[i] : i) != block; i++)
    k += near->sources[near->order ? near->order[i] : i] == from;
  return letter(from, call->rank, k, within);
}

const tutti_contract tutti_neighbor_contract = {.extent = extent, .initial = initial, .promised = promised};
