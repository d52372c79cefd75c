/* What each collective promises, element by element. */
#include "tutti/verify.h"

static const tutti_symbol nothing = {0, 0};

/* ---- bcast: the output of every rank becomes that of the root ---- */

static uint64_t bcast_extent(const tutti_call *call, tutti_buffer buffer)
{
  return buffer == TUTTI_OUTPUT ? call->count : 0;
}

static tutti_symbol bcast_initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  (void)buffer;
  return call->rank == call->root ? tutti_symbol_letter(call->root, index) : nothing;
}

static tutti_symbol bcast_promised(const tutti_call *call, uint64_t index)
{
  return tutti_symbol_letter(call->root, index);
}

/* ---- barrier: no data ---- */

static uint64_t barrier_extent(const tutti_call *call, tutti_buffer buffer)
{
  (void)call, (void)buffer;
  return 0;
}

static tutti_symbol barrier_initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  (void)call, (void)buffer, (void)index;
  return nothing;
}

static tutti_symbol barrier_promised(const tutti_call *call, uint64_t index)
{
  (void)call, (void)index;
  return nothing;
}

/* ---- reduce: the root's output is the contributions of all ranks combined in the order of the ranks ---- */

static tutti_symbol contribution(const tutti_call *call, int rank, uint64_t index)
{
  return call->commutative ? tutti_symbol_commutative_letter(rank, index) : tutti_symbol_letter(rank, index);
}

static uint64_t reduce_extent(const tutti_call *call, tutti_buffer buffer)
{
  return buffer == TUTTI_INPUT || call->rank == call->root ? call->count : 0;
}

static tutti_symbol reduce_initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  return buffer == TUTTI_INPUT ? contribution(call, call->rank, index) : nothing;
}

static tutti_symbol reduce_promised(const tutti_call *call, uint64_t index)
{
  tutti_symbol word = contribution(call, 0, index);
  for (int r = 1; r < call->size; r++)
    word = tutti_symbol_concatenate(word, contribution(call, r, index));
  return word;
}

static const tutti_contract contracts[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = {bcast_extent, bcast_initial, bcast_promised, false},
    [TUTTI_COLL_BARRIER] = {barrier_extent, barrier_initial, barrier_promised, true},
    [TUTTI_COLL_REDUCE] = {reduce_extent, reduce_initial, reduce_promised, false},
};

const tutti_contract *tutti_contract_of(tutti_collective collective)
{
  return &contracts[collective];
}
