#include "algorithms/analysis/operand_trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

tutti_symbol tutti_tree_leaf(uint64_t number)
{
  const uint64_t hash = tutti_splitmix64(number + 1);
  return (tutti_symbol){hash, hash}; /* a permutation: not 0 */
}

static uint64_t not_zero(uint64_t hash)
{
  return hash ? hash : 1;
}

tutti_symbol tutti_tree_combine(tutti_symbol left, tutti_symbol right)
{
  if (left.hash == 0 || right.hash == 0)
    return (tutti_symbol){0, 0};
  const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
  return (tutti_symbol){
      not_zero(tutti_splitmix64(tutti_splitmix64(left.hash + odd) + right.hash)),
      not_zero(tutti_splitmix64(tutti_splitmix64(left.scale + odd) + tutti_splitmix64(right.scale + odd)))};
}

tutti_symbol tutti_tree_append(struct aligned_tree *row)
{
  tutti_symbol block = tutti_tree_leaf(row->count), tree;
  int level = 0;
  for (; row->count >> level & 1; level++)
    block = tutti_tree_combine(row->block[level], block);
  row->block[level] = tree = block;
  row->count++;
  for (uint64_t left = row->count >> (level + 1); left; left >>= 1)
    if (++level, left & 1)
      tree = tutti_tree_combine(row->block[level], tree);
  return tree;
}

tutti_symbol tutti_tree_aligned(uint64_t count)
{
  struct aligned_tree row = {.count = 0};
  tutti_symbol tree = {0, 0};
  while (row.count < count)
    tree = tutti_tree_append(&row);
  return tree;
}

/* ---- executed ---- */

static tutti_symbol initial(const tutti_call *call, tutti_buffer buffer, uint64_t index)
{
  if (buffer != TUTTI_INPUT)
    return (tutti_symbol){0, 0};
  return tutti_tree_leaf(call->leaves ? call->leaves[call->rank] + index / call->count : (uint64_t)call->rank);
}

/* Longer schedules are looked at on three ranks. */
enum { MOST_VERTICES = 512 };

static tutti_status find_race(const tutti_schedule *schedules, const tutti_call *call, tutti_error *race)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < call->size && status == TUTTI_OK; r++)
    if (schedules[r].vertex_count <= MOST_VERTICES || r == 0 || r == call->root || r == call->size - 1)
      status = tutti_check_races(&schedules[r], race);
  return status;
}

static tutti_status copy_outputs(const struct memory *m, struct operand_trees *trees, tutti_error *error)
{
  const size_t size = (size_t)trees->size;
  trees->first = calloc(size + 1, sizeof *trees->first);
  for (size_t r = 0; trees->first && r < size; r++)
    trees->first[r + 1] = trees->first[r] + m->extent[m->first_buffer[r] + TUTTI_OUTPUT];
  trees->tree = trees->first ? malloc((trees->first[size] + 1) * sizeof *trees->tree) : NULL;
  if (!trees->tree)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the operands of %d ranks", trees->size);
  for (size_t r = 0; r < size; r++)
    memcpy(trees->tree + trees->first[r], m->buffer[m->first_buffer[r] + TUTTI_OUTPUT],
           (trees->first[r + 1] - trees->first[r]) * sizeof *trees->tree);
  return TUTTI_OK;
}

static tutti_status execute(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                            struct operand_trees *trees, tutti_error *error)
{
  struct ensemble ensemble;
  struct memory memory = {.buffer = NULL};
  tutti_status status = tutti_ensemble_create(&ensemble, schedules, calls->size, error);
  if (status == TUTTI_OK)
    status = tutti_memory_create(&memory, &ensemble, calls, contract, error);
  memory.combine = tutti_tree_combine;
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(&ensemble, tutti_memory_visit, &memory, error);
  if (status == TUTTI_OK)
    status = copy_outputs(&memory, trees, error);
  tutti_memory_free(&memory);
  tutti_ensemble_free(&ensemble);
  return status;
}

tutti_status tutti_operand_trees(const tutti_method *method, const tutti_call *calls, struct operand_trees *trees,
                                 tutti_error *error)
{
  tutti_contract contract = *tutti_contract_of(method->algorithm->collective);
  tutti_arena arena;
  tutti_schedule *schedules;
  *trees = (struct operand_trees){.size = calls->size};
  contract.initial = initial;
  tutti_arena_init(&arena);
  tutti_status status = tutti_schedules_of(method, calls, NULL, &arena, &schedules, error);
  if (status == TUTTI_OK && find_race(schedules, calls, &trees->race) == TUTTI_ERR_MEMORY)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "%s", trees->race.message);
  if (status == TUTTI_OK)
    status = execute(schedules, calls, &contract, trees, error);
  if (status == TUTTI_ERR_FAULT)
    tutti_method_blame(method, calls, error);
  tutti_arena_release(&arena);
  return status;
}

void tutti_operand_trees_free(struct operand_trees *trees)
{
  free(trees->first);
  free(trees->tree);
  *trees = (struct operand_trees){0};
}
