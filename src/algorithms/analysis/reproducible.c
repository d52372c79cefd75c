/* Proof of reproducibility classes: calls that differ in what a class must not depend on. */
#include "tutti/reproduction.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/reproduction.h"
#include "base/splitmix64.h"
#include "tutti/analysis.h"
#include "tutti/plugin.h"

/* Cases with more messages are left out: some seconds each. */
#define MOST_MESSAGES 1e6

enum { TYPE_SIZE = 8, MAX_COUNTS = 12, TWO_ELEMENTS = 2 * TYPE_SIZE, FULL_BLOCKS = 4 };

/* Up to so many ranks all cases are tried, messages of one element a rank (and of one block a rank, which are as long),
   and more than one message or root. */
enum { ALL_CASES = 64, ONE_EACH = 128, SOME_CASES = 512 };

/* Up to so many ranks long messages are tried of plug-ins: their trees may change at any size, and those of the
   catalogue do not. */
enum { LONG_MESSAGES = 9 };

static bool has_blocks(const struct proof *p)
{
  return tutti_collective_traits(p->method.algorithm->collective) & TUTTI_HAS_BLOCKS;
}

static int some_cases(const struct proof *p)
{
  return has_blocks(p) ? ONE_EACH : SOME_CASES;
}

/* Whether item number `item` of a list is tried: all up to `most` ranks and on powers of two, else one in its turn. */
static bool is_tried(const struct proof *p, int most, int item, int items)
{
  const int size = p->call.size;
  return size <= most || (size & (size - 1)) == 0 ||
         tutti_splitmix64((uint64_t)size) % (uint64_t)items == (uint64_t)item;
}

/* ---- cases ---- */

static tutti_status run(struct proof *p, const tutti_call *calls, struct operand_trees *trees, tutti_error *error)
{
  const tutti_status status = tutti_operand_trees(&p->method, calls, trees, error);
  if (status != TUTTI_OK)
    return status;
  p->result->cases++;
  p->result->ranks = p->call.size > p->result->ranks ? p->call.size : p->result->ranks;
  return TUTTI_OK;
}

/* Whether a case that only tests a class is one more: above 64 ranks not of a class that is refuted already. */
static bool is_wanted(const struct proof *p, unsigned class)
{
  return p->call.size <= ALL_CASES || p->result->sums & class;
}

/* On so many ranks most blocks are empty: else there are as many elements, and messages, as pairs of ranks. */
static bool is_sparse(const struct proof *p)
{
  return has_blocks(p) && p->call.size > SOME_CASES && !(p->method.algorithm->domain & TUTTI_NEEDS_UNIT);
}

static void fill_blocks(const struct proof *p, uint64_t *counts)
{
  const uint64_t size = (uint64_t)p->call.size;
  for (uint64_t r = 0; r < size; r++)
    counts[r] = is_sparse(p) ? 0 : (r * 7 + 1) % 4;
  for (uint64_t i = 0; i < FULL_BLOCKS && is_sparse(p); i++)
    counts[tutti_splitmix64(size * FULL_BLOCKS + i) % size] = p->call.count;
}

static tutti_status make_irregular(const struct proof *p, tutti_call *calls, tutti_arena *arena, tutti_error *error)
{
  const size_t size = (size_t)p->call.size;
  uint64_t *counts = tutti_arena_alloc(arena, size * sizeof *counts);
  uint64_t *offsets = tutti_arena_alloc(arena, (size + 1) * sizeof *offsets);
  if (!counts || !offsets)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the blocks of %d ranks", p->call.size);
  fill_blocks(p, counts);
  for (size_t r = 0; r < size; r++) {
    calls[r].count = counts[r];
    calls[r].input = tutti_layout_make(counts, p->call.size, offsets);
  }
  return TUTTI_OK;
}

static bool is_served(const struct proof *p)
{
  return tutti_method_check(&p->method, &p->call, NULL) == TUTTI_OK;
}

/* A call that all ranks make. The trees are to be freed in any case; of size 0: it is no case. */
static tutti_status run_call(struct proof *p, bool irregular, struct operand_trees *trees, tutti_error *error)
{
  tutti_call *calls;
  tutti_arena arena;
  *trees = (struct operand_trees){0};
  if (!is_served(p))
    return TUTTI_OK;
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(&p->call, &arena, &calls, error);
  if (status == TUTTI_OK && irregular)
    status = make_irregular(p, calls, &arena, error);
  if (status == TUTTI_OK)
    status = run(p, calls, trees, error);
  if (status == TUTTI_OK)
    tutti_reproduction_check(p, trees);
  tutti_arena_release(&arena);
  return status;
}

/* Of a schedule that serves multiples of its chunks. */
enum { MULTIPLES = 4 };

/* Messages, or blocks, from short to long. */
static int list_counts(const struct proof *p, uint64_t counts[MAX_COUNTS])
{
  if (tutti_algorithm_unit(p->method.algorithm) > 1) {
    for (int i = 0; i < MULTIPLES; i++)
      counts[i] = tutti_algorithm_unit(p->method.algorithm) * ((uint64_t)i * i + 1);
    return MULTIPLES;
  }
  const bool blocks = has_blocks(p);
  const uint64_t size = (uint64_t)p->call.size;
  const uint64_t all[MAX_COUNTS] = {1, 2, 3, size - 1, size, size + 1, 2 * size + 3, 100, 1000, 10000, 100000},
                 few[] = {1, 5, size + 1};
  if (blocks || size <= ALL_CASES)
    memcpy(counts, all, sizeof all);
  else
    memcpy(counts, few, sizeof few);
  if (tutti_algorithm_is_plugin(p->method.algorithm) && size <= LONG_MESSAGES)
    return p->method.parameters.segment_bytes ? 9 : 11; /* not 50,000 segments */
  counts[0] = is_sparse(p) ? 3 : counts[0];
  return is_sparse(p) ? 1 : blocks ? 2 : size <= ALL_CASES ? 7 : size <= ONE_EACH ? 3 : 2;
}

static tutti_status prove_counts(struct proof *p, tutti_error *error)
{
  uint64_t counts[MAX_COUNTS];
  const int count = list_counts(p, counts);
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < count && status == TUTTI_OK; c++) {
    struct operand_trees trees = {0};
    p->call.count = counts[c];
    if (counts[c] > 0 && is_tried(p, some_cases(p), c, count))
      status = run_call(p, is_sparse(p), &trees, error);
    tutti_operand_trees_free(&trees);
  }
  return status;
}

/* Blocks of none to three elements. */
static tutti_status prove_irregular(struct proof *p, tutti_error *error)
{
  struct operand_trees trees;
  const tutti_status status = run_call(p, true, &trees, error);
  tutti_operand_trees_free(&trees);
  return status;
}

/* ---- nodes, levels, boxes of a torus ---- */

static void forget(struct proof *p)
{
  memset(p->first, 0, (size_t)p->call.size * sizeof *p->first);
}

/* The nodes, levels and box of all cases but those that compare layouts; where these are not compared, one in its turn.
 */
static void lay_out_first(struct proof *p, int *nodes, bool box)
{
  const int layout = is_wanted(p, TUTTI_REPRODUCIBLE_NODES)
                         ? 0
                         : (int)(tutti_splitmix64((uint64_t)p->call.size + 1) % REPRODUCTION_LAYOUTS);
  if (p->method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
    tutti_reproduction_lay_out(p, nodes, layout);
  if (box)
    for (int l = layout; l >= 0 && p->method.parameters.k == 0; l--)
      p->method.parameters.k = tutti_reproduction_box(p->call.size, l);
}

/* @p box: the method takes the sides of a torus, and named none. */
static tutti_status prove_layouts(struct proof *p, int *nodes, bool box, tutti_error *error)
{
  struct operand_trees one = {0}, other = {0};
  p->call.count = tutti_algorithm_unit(p->method.algorithm) > 1 ? 2 * tutti_algorithm_unit(p->method.algorithm)
                  : tutti_algorithm_is_plugin(p->method.algorithm) && p->call.size <= LONG_MESSAGES ? 1000
                  : p->call.size <= ONE_EACH ? (uint64_t)p->call.size + 1
                                             : 5;
  tutti_status status = run_call(p, is_sparse(p), &one, error); /* no case, if it needs nodes */
  for (int layout = 0; layout < REPRODUCTION_LAYOUTS && status == TUTTI_OK; layout++) {
    if (layout > 0 && !is_tried(p, ALL_CASES, layout - 1, REPRODUCTION_LAYOUTS - 1))
      continue;
    tutti_reproduction_lay_out(p, nodes, layout);
    p->method.parameters.k = box ? tutti_reproduction_box(p->call.size, layout) : p->method.parameters.k;
    forget(p);
    status = run_call(p, is_sparse(p), one.size ? &other : &one, error);
    if (status == TUTTI_OK && other.size)
      tutti_reproduction_compare(p, &one, &other);
    tutti_operand_trees_free(&other);
  }
  tutti_operand_trees_free(&one);
  return status;
}

/* ---- numbers in a row ---- */

static tutti_status prove_distribution(struct proof *p, uint64_t *leaves, tutti_error *error)
{
  struct operand_trees trees = {0};
  tutti_call *calls;
  p->call.leaves = leaves;
  tutti_status status = is_served(p) ? tutti_calls_of(&p->call, &p->arena, &calls, error) : TUTTI_ERR_UNSUPPORTED;
  if (status == TUTTI_OK)
    status = run(p, calls, &trees, error);
  if (status == TUTTI_OK)
    tutti_reproduction_check_row(p, &trees, leaves[p->call.size]);
  tutti_operand_trees_free(&trees);
  p->call.leaves = NULL;
  return status == TUTTI_ERR_UNSUPPORTED ? TUTTI_OK : status;
}

static tutti_status prove_distributions(struct proof *p, tutti_error *error)
{
  const uint64_t size = (uint64_t)p->call.size, operands[] = {1, 2, 5, size, 2 * size + 1, 37, 64};
  uint64_t *leaves = tutti_arena_alloc(&p->arena, (size + 1) * sizeof *leaves);
  tutti_status status =
      leaves ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d ranks", (int)size);
  p->call.count = 2;
  const int cases = (int)(sizeof operands / sizeof *operands) * REPRODUCTION_DISTRIBUTIONS;
  for (int i = 0; i < cases && status == TUTTI_OK; i++) {
    if (!is_tried(p, ALL_CASES, i, cases))
      continue;
    for (uint64_t r = 0; r <= size; r++)
      leaves[r] =
          tutti_reproduction_leaves(i % REPRODUCTION_DISTRIBUTIONS, operands[i / REPRODUCTION_DISTRIBUTIONS], r, size);
    status = prove_distribution(p, leaves, error);
  }
  return status;
}

/* ---- all cases ---- */

static tutti_status prove_root(struct proof *p, tutti_error *error)
{
  const tutti_parameters parameters = p->method.parameters;
  const unsigned domain = p->method.algorithm->domain;
  const bool box = domain & TUTTI_NEEDS_TORUS && parameters.k == 0;
  const bool placed = box || domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS);
  int *nodes = tutti_arena_alloc(&p->arena, (size_t)p->call.size * sizeof *nodes);
  if (!nodes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the nodes of %d ranks", p->call.size);
  p->call.nodes = NULL;
  p->call.level_count = 0;
  lay_out_first(p, nodes, box);
  forget(p);
  tutti_status status = prove_counts(p, error);
  if (status == TUTTI_OK && p->method.algorithm->collective == TUTTI_COLL_REDUCE_SCATTER && p->call.size <= ONE_EACH)
    status = prove_irregular(p, error);
  p->call.nodes = NULL;
  p->call.level_count = 0;
  forget(p);
  if (status == TUTTI_OK && (placed || p->call.size <= some_cases(p)) && is_wanted(p, TUTTI_REPRODUCIBLE_NODES))
    status = prove_layouts(p, nodes, box, error);
  p->call.nodes = NULL;
  p->call.level_count = 0;
  if (status == TUTTI_OK && p->method.algorithm->distributes && is_wanted(p, TUTTI_REPRODUCIBLE_DISTRIBUTION))
    status = prove_distributions(p, error);
  p->method.parameters = parameters;
  return status;
}

static tutti_status prove_roots(struct proof *p, tutti_error *error)
{
  const bool one = p->method.algorithm->domain & TUTTI_NEEDS_ROOT;
  const int size = p->call.size, roots[] = {one ? p->method.algorithm->root : 0, size / 2, size - 1};
  const bool rooted = tutti_collective_traits(p->method.algorithm->collective) & TUTTI_HAS_ROOT;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < (rooted && !one ? 3 : 1) && status == TUTTI_OK; i++) {
    p->call.root = roots[i];
    if ((i == 0 || roots[i] != roots[i - 1]) && (!rooted || one || is_tried(p, some_cases(p), i, 3)))
      status = prove_root(p, error);
  }
  return status;
}

/* Whether there are more messages than fit. Sparse blocks are few, and so are their messages. */
static bool is_too_large(const struct proof *p)
{
  tutti_call call = p->call;
  double messages = 0;
  call.count = 5;
  return p->call.size > SOME_CASES && !is_sparse(p) &&
         tutti_estimate_messages(&p->method, &call, &messages, NULL) == TUTTI_OK && messages > MOST_MESSAGES;
}

static bool allocate(struct proof *p)
{
  const size_t size = (size_t)p->call.size;
  p->aligned = tutti_arena_alloc(&p->arena, (size + 1) * sizeof *p->aligned);
  p->first = tutti_arena_alloc(&p->arena, size * sizeof *p->first);
  struct aligned_tree tree = {.count = 0};
  for (size_t r = 0; p->aligned && r <= size; r++)
    p->aligned[r] = r == 0 ? (tutti_symbol){0, 0} : tutti_tree_append(&tree);
  return p->aligned && p->first;
}

tutti_reproduction tutti_reproduction_begin(const tutti_method *method)
{
  const unsigned classes =
      TUTTI_REPRODUCIBLE_ALL & ~(method->algorithm->distributes ? 0u : TUTTI_REPRODUCIBLE_DISTRIBUTION);
  return (tutti_reproduction){.sums = classes, .any = classes};
}

tutti_status tutti_reproduction_prove(const tutti_method *method, int ranks, tutti_reproduction *proof,
                                      tutti_error *error)
{
  struct proof p = {
      .result = proof, .method = *method, .call = {.size = ranks, .type_size = TYPE_SIZE, .commutative = true}};
  const bool cut = method->algorithm->parameters & TUTTI_TAKES_SEGMENT && method->parameters.segment_bytes == 0;
  const bool whole = !cut || is_tried(&p, some_cases(&p), 0, 2);
  if (is_too_large(&p)) {
    proof->left_out++;
    return TUTTI_OK;
  }
  tutti_arena_init(&p.arena);
  tutti_status status =
      allocate(&p) ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d ranks", ranks);
  if (status == TUTTI_OK && whole)
    status = prove_roots(&p, error);
  p.method.parameters.segment_bytes = TWO_ELEMENTS;
  if (status == TUTTI_OK && cut && is_tried(&p, some_cases(&p), 1, 2))
    status = prove_roots(&p, error);
  tutti_arena_release(&p.arena);
  return status;
}
