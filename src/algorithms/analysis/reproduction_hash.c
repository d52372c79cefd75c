/* The tree of operands of a method on one number of ranks, as one number. */
#include <stdlib.h>

#include "algorithms/analysis/operand_trees.h"
#include "base/splitmix64.h"
#include "tutti/analysis.h"
#include "tutti/reproduction.h"

/* Calls with more of them take more than a second. */
#define MOST_MESSAGES 2e5
#define MOST_ELEMENTS 1e6

/* The shortest message that the method serves: one element, or one for each rank. */
static tutti_status choose_count(const tutti_method *method, tutti_call *call, tutti_error *error)
{
  const bool blocks = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_BLOCKS;
  const double size = call->size;
  double messages = 2 * MOST_MESSAGES;
  call->count = 1;
  if (tutti_method_check(method, call, NULL) != TUTTI_OK)
    call->count = (uint64_t)call->size;
  tutti_status status = tutti_method_check(method, call, error);
  if (status == TUTTI_OK && (double)call->count * size * (blocks ? size : 1) <= MOST_ELEMENTS)
    status = tutti_estimate_messages(method, call, &messages, error);
  if (status == TUTTI_OK && messages > MOST_MESSAGES)
    status = tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "too many messages on %d ranks", call->size);
  return status;
}

static tutti_status add_root(const tutti_method *method, const tutti_call *call, uint64_t *hash, tutti_error *error)
{
  struct operand_trees trees = {0};
  tutti_arena arena;
  tutti_call *calls;
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(call, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = tutti_operand_trees(method, calls, &trees, error);
  for (int r = 0; r < trees.size && status == TUTTI_OK; r++)
    *hash = tutti_splitmix64(*hash + (trees.first[r] < trees.first[r + 1] ? trees.tree[trees.first[r]].scale : 0));
  tutti_operand_trees_free(&trees);
  tutti_arena_release(&arena);
  return status;
}

static tutti_status add_roots(const tutti_method *method, tutti_call *call, uint64_t *hash, tutti_error *error)
{
  const bool rooted = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_ROOT;
  const int roots[] = {0, call->size / 2, call->size - 1};
  tutti_status status = choose_count(method, call, error);
  for (int i = 0; i < (rooted ? 3 : 1) && status == TUTTI_OK; i++) {
    call->root = roots[i];
    status = add_root(method, call, hash, error);
  }
  return status;
}

tutti_status tutti_reproduction_hash(const tutti_method *method, int ranks, int ranks_per_node, uint64_t *hash,
                                     tutti_error *error)
{
  const tutti_method ours = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  int *nodes = ranks <= MOST_ELEMENTS ? malloc((size_t)ranks * sizeof *nodes) : NULL;
  tutti_call call = {.size = ranks, .type_size = 8, .commutative = true, .nodes = nodes};
  *hash = 0;
  if (!nodes)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "too many ranks: %d", ranks);
  for (int r = 0; r < ranks; r++)
    nodes[r] = r / ranks_per_node;
  const tutti_status status = add_roots(&ours, &call, hash, error);
  free(nodes);
  return status;
}
