/* Symbolic elements, and what each collective promises of them. */
#include "base/splitmix64.h"
#include "tutti/analysis.h"

/* Words are hashed as polynomials modulo the Mersenne prime 2^61 - 1 (Karp and Rabin 1987): concatenation shifts the
   left word by the length of the right one. */
#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE  UINT64_C(0x1d8af066f0a5d3b7)

static uint64_t reduce(unsigned __int128 value)
{
  uint64_t folded = (uint64_t)(value & PRIME) + (uint64_t)(value >> 61);
  return folded >= PRIME ? folded - PRIME : folded;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
  return reduce((unsigned __int128)a * b);
}

tutti_symbol tutti_symbol_letter(int rank, uint64_t index)
{
  uint64_t hash = reduce(tutti_splitmix64(tutti_splitmix64((uint64_t)rank + 1) + index));
  return (tutti_symbol){hash ? hash : 1, BASE};
}

tutti_symbol tutti_symbol_commutative_letter(int rank, uint64_t index)
{
  return (tutti_symbol){tutti_symbol_letter(rank, index).hash, 1};
}

tutti_symbol tutti_symbol_concatenate(tutti_symbol left, tutti_symbol right)
{
  if (left.hash == 0 || right.hash == 0)
    return (tutti_symbol){0, 0};
  uint64_t hash = reduce((unsigned __int128)multiply(left.hash, right.scale) + right.hash);
  return (tutti_symbol){hash ? hash : 1, multiply(left.scale, right.scale)};
}

bool tutti_symbol_equal(tutti_symbol a, tutti_symbol b)
{
  return a.hash == b.hash && a.scale == b.scale;
}

/* ---- what each collective promises, element by element ---- */

static const tutti_symbol nothing = {0, 0};

/* ---- blocks ---- */

/* Letters of what one rank sends to another, or to itself: each block is numbered from its own beginning. */
static tutti_symbol block_letter(int from, int to, uint64_t index)
{
  return tutti_symbol_letter(from, (uint64_t)(to + 1) << 40 | index);
}

/* An element of no block: no algorithm may change it. */
static tutti_symbol untouched(const tutti_call *call, uint64_t index)
{
  return tutti_symbol_letter(call->rank, UINT64_C(1) << 60 | index);
}

static tutti_block block_of(const tutti_call *call, tutti_buffer buffer, int rank)
{
  return buffer == TUTTI_INPUT ? tutti_input_block(call, rank) : tutti_output_block(call, rank);
}

static uint64_t blocks_extent(const tutti_call *call, tutti_buffer buffer)
{
  const tutti_block last = block_of(call, buffer, call->size - 1);
  return last.first + last.count;
}

/* The rank whose block an element belongs to; *index becomes its index in the block. */
static int owner_of(const tutti_call *call, tutti_buffer buffer, uint64_t *index)
{
  const tutti_layout *layout = buffer == TUTTI_INPUT ? &call->input : &call->output;
  int owner = 0;
  if (!layout->offsets) {
    owner = (int)(*index / call->count);
    *index %= call->count;
    return owner;
  }
  while (*index >= layout->offsets[owner + 1])
    owner++;
  *index -= layout->offsets[owner];
  return owner;
}

/* Elements of a buffer, what one has at the beginning, and what one of the output is to have at the end; ranks whose
   contributions are combined. @{ */
#define EXTENT(name, ...)                                                                                              \
  static uint64_t name(const tutti_call *call, tutti_buffer buffer)                                                    \
  {                                                                                                                    \
    (void)call, (void)buffer;                                                                                          \
    return __VA_ARGS__;                                                                                                \
  }
#define INITIAL(name, ...)                                                                                             \
  static tutti_symbol name(const tutti_call *call, tutti_buffer buffer, uint64_t index)                                \
  {                                                                                                                    \
    (void)call, (void)buffer, (void)index;                                                                             \
    return __VA_ARGS__;                                                                                                \
  }
#define PROMISED(name, ...)                                                                                            \
  static tutti_symbol name(const tutti_call *call, uint64_t index)                                                     \
  {                                                                                                                    \
    (void)call, (void)index;                                                                                           \
    return __VA_ARGS__;                                                                                                \
  }
#define COMBINES(name, ...)                                                                                            \
  static int name(const tutti_call *call, uint64_t *index)                                                             \
  {                                                                                                                    \
    (void)index;                                                                                                       \
    return __VA_ARGS__;                                                                                                \
  }
/* @} */

EXTENT(no_extent, 0)
INITIAL(no_initial, nothing)
PROMISED(no_promise, nothing)

/* ---- bcast: the output of every rank becomes that of the root ---- */

EXTENT(bcast_extent, buffer == TUTTI_OUTPUT ? call->count : 0)
INITIAL(bcast_initial, call->rank == call->root ? tutti_symbol_letter(call->root, index) : nothing)
PROMISED(bcast_promised, tutti_symbol_letter(call->root, index))

/* ---- scatter(v): block r of the root's input becomes the output of rank r ---- */

EXTENT(scatter_extent, buffer == TUTTI_OUTPUT     ? call->count
                       : call->rank == call->root ? blocks_extent(call, TUTTI_INPUT)
                                                  : 0)

static tutti_symbol blocks_initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  uint64_t within = index;
  if (buffer == TUTTI_OUTPUT)
    return nothing;
  int to = owner_of(call, TUTTI_INPUT, &within);
  return block_letter(call->rank, to, within);
}

PROMISED(scatter_promised, block_letter(call->root, call->rank, index))

/* ---- gather(v), allgather(v): the input of rank r becomes block r of the output, at the root or everywhere ---- */

EXTENT(gather_extent, buffer == TUTTI_INPUT      ? call->count
                      : call->rank == call->root ? blocks_extent(call, TUTTI_OUTPUT)
                                                 : 0)
EXTENT(allgather_extent, buffer == TUTTI_INPUT ? call->count : blocks_extent(call, TUTTI_OUTPUT))
INITIAL(gather_initial, buffer == TUTTI_INPUT ? tutti_symbol_letter(call->rank, index) : nothing)

static tutti_symbol gather_promised(const tutti_call *call, uint64_t index)
{
  uint64_t within = index;
  int from = owner_of(call, TUTTI_OUTPUT, &within);
  return tutti_symbol_letter(from, within);
}

/* ---- alltoall(v,w): block r of the input of rank s becomes block s of the output of rank r ---- */

EXTENT(alltoall_extent, blocks_extent(call, buffer))

static tutti_symbol alltoall_promised(const tutti_call *call, uint64_t index)
{
  uint64_t within = index;
  int from = owner_of(call, TUTTI_OUTPUT, &within);
  return block_letter(from, call->rank, within);
}

/* ---- reductions: contributions combined in the order of the ranks ---- */

static tutti_symbol contribution(const tutti_call *call, int number, uint64_t index)
{
  return call->commutative ? tutti_symbol_commutative_letter(number, index) : tutti_symbol_letter(number, index);
}

/* An element of the operands that a rank has: one, or some of a row. */
static tutti_symbol own_contribution(const tutti_call *call, uint64_t index)
{
  return call->leaves ? contribution(call, (int)(call->leaves[call->rank] + index / call->count), index % call->count)
                      : contribution(call, call->rank, index);
}

static uint64_t own_extent(const tutti_call *call)
{
  return call->leaves ? (call->leaves[call->rank + 1] - call->leaves[call->rank]) * call->count : call->count;
}

static int operands_of(const tutti_call *call)
{
  return call->leaves ? (int)call->leaves[call->size] : call->size;
}

/* Element index of operands 0 to last. */
static tutti_symbol combined(const tutti_call *call, int last, uint64_t index)
{
  tutti_symbol word = contribution(call, 0, index);
  for (int r = 1; r <= last; r++)
    word = tutti_symbol_concatenate(word, contribution(call, r, index));
  return word;
}

EXTENT(reduce_extent, buffer == TUTTI_INPUT ? own_extent(call) : call->rank == call->root ? call->count : 0)
EXTENT(message_extent, buffer == TUTTI_INPUT ? own_extent(call) : call->count)
EXTENT(reduce_scatter_extent, buffer == TUTTI_INPUT ? blocks_extent(call, TUTTI_INPUT) : call->count)
INITIAL(reduce_initial, buffer == TUTTI_INPUT ? own_contribution(call, index) : nothing)
PROMISED(reduce_promised, combined(call, operands_of(call) - 1, index))
PROMISED(reduce_scatter_promised, combined(call, call->size - 1, tutti_input_block(call, call->rank).first + index))
PROMISED(scan_promised, combined(call, call->rank, index))

/* Rank 0 keeps what it had. */
INITIAL(exscan_initial,
        buffer == TUTTI_OUTPUT && call->rank == 0 ? untouched(call, index) : reduce_initial(call, buffer, index))

PROMISED(exscan_promised, call->rank == 0 ? untouched(call, index) : combined(call, call->rank - 1, index))
COMBINES(combines_all, call->leaves ? 0 : call->size)

static int reduce_scatter_combines(const tutti_call *call, uint64_t *index)
{
  *index += tutti_input_block(call, call->rank).first;
  return call->size;
}

COMBINES(scan_combines, call->rank + 1)
COMBINES(exscan_combines, call->rank)

static const tutti_contract contracts[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = {bcast_extent, bcast_initial, bcast_promised, false, NULL},
    [TUTTI_COLL_BARRIER] = {no_extent, no_initial, no_promise, true, NULL},
    [TUTTI_COLL_SCATTER] = {scatter_extent, blocks_initial, scatter_promised, false, NULL},
    [TUTTI_COLL_SCATTERV] = {scatter_extent, blocks_initial, scatter_promised, false, NULL},
    [TUTTI_COLL_GATHER] = {gather_extent, gather_initial, gather_promised, false, NULL},
    [TUTTI_COLL_GATHERV] = {gather_extent, gather_initial, gather_promised, false, NULL},
    [TUTTI_COLL_ALLGATHER] = {allgather_extent, gather_initial, gather_promised, false, NULL},
    [TUTTI_COLL_ALLGATHERV] = {allgather_extent, gather_initial, gather_promised, false, NULL},
    [TUTTI_COLL_ALLTOALL] = {alltoall_extent, blocks_initial, alltoall_promised, false, NULL},
    [TUTTI_COLL_ALLTOALLV] = {alltoall_extent, blocks_initial, alltoall_promised, false, NULL},
    [TUTTI_COLL_ALLTOALLW] = {alltoall_extent, blocks_initial, alltoall_promised, false, NULL},
    [TUTTI_COLL_REDUCE] = {reduce_extent, reduce_initial, reduce_promised, false, combines_all},
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = {reduce_scatter_extent, reduce_initial, reduce_scatter_promised, false,
                                         reduce_scatter_combines},
    [TUTTI_COLL_REDUCE_SCATTER] = {reduce_scatter_extent, reduce_initial, reduce_scatter_promised, false,
                                   reduce_scatter_combines},
    [TUTTI_COLL_ALLREDUCE] = {message_extent, reduce_initial, reduce_promised, false, combines_all},
    [TUTTI_COLL_SCAN] = {message_extent, reduce_initial, scan_promised, false, scan_combines},
    [TUTTI_COLL_EXSCAN] = {message_extent, exscan_initial, exscan_promised, false, exscan_combines},
};

const tutti_contract *tutti_contract_of(tutti_collective collective)
{
  return &contracts[collective];
}
