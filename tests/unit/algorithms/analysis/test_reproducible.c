/* Reproducibility classes: what the catalogue says of its reductions is what their schedules have, and a deviation of
   each kind, planted, loses its class. */
#include "tutti/reproduction.h"

#include "algorithms/analysis/operand_trees.h"
#include "base/memory.h"
#include "tutti/analysis.h"
#include "unit/patience.h"
#include "unit/test.h"

static const int sample[] = {2, 3, 5, 6, 8, 9, 12, 16};
enum { SAMPLE = sizeof sample / sizeof *sample };

static tutti_reproduction prove(const tutti_method *method, const int *ranks, int count)
{
  tutti_reproduction proof = tutti_reproduction_begin(method);
  for (int i = 0; i < count; i++)
    assert_ok(tutti_reproduction_prove(method, ranks[i], &proof, REASON), error);
  return proof;
}

/* ---- trees ---- */

TEST(trees_differ_by_their_brackets)
{
  const tutti_symbol a = tutti_tree_leaf(0), b = tutti_tree_leaf(1), c = tutti_tree_leaf(2), d = tutti_tree_leaf(3);
  const tutti_symbol left = tutti_tree_combine(tutti_tree_combine(a, b), c),
                     right = tutti_tree_combine(a, tutti_tree_combine(b, c)),
                     swapped = tutti_tree_combine(c, tutti_tree_combine(b, a));
  assert_true(left.hash != right.hash && left.scale != right.scale);
  assert_true(left.hash != swapped.hash && left.scale == swapped.scale);
  assert_true(tutti_symbol_equal(tutti_tree_aligned(3), left));
  assert_true(tutti_symbol_equal(tutti_tree_aligned(4),
                                 tutti_tree_combine(tutti_tree_combine(a, b), tutti_tree_combine(c, d))));
  assert_int_equal(tutti_tree_combine(a, (tutti_symbol){0, 0}).hash, 0);
}

TEST(names_are_read)
{
  unsigned classes;
  assert_ok(tutti_reproducible_parse("size,nodes", &classes, REASON), error);
  assert_int_equal(classes, TUTTI_REPRODUCIBLE_SIZE | TUTTI_REPRODUCIBLE_NODES);
  assert_null(tutti_reproducible_name(TUTTI_REPRODUCIBLE_CLASSES));
  assert_int_equal(tutti_reproducible_parse("sizes", &classes, REASON), TUTTI_ERR_ARGUMENT);
  assert_contains(error.message, "'sizes' is no class of reproducibility: ranks, arrival, nodes, size");
  assert_int_equal(tutti_reproducible_parse("", &classes, REASON), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_reproducible_parse("size,", &classes, REASON), TUTTI_ERR_ARGUMENT);
}

/* ---- the catalogue ---- */

static void assert_claims(const tutti_method *method, const tutti_reproduction *proof, bool exactly)
{
  char name[TUTTI_METHOD_LENGTH];
  const unsigned claims = tutti_method_reproducible(method);
  for (int c = 0; c < TUTTI_REPRODUCIBLE_CLASSES; c++)
    if (claims & ~proof->sums & 1u << c || (exactly && proof->sums & ~claims & 1u << c))
      fail_msg("%s: class %s: the catalogue says %d, the proof %d: %s", tutti_method_format(method, name),
               tutti_reproducible_name(c), claims >> c & 1, proof->sums >> c & 1, proof->why[c]);
}

/* Every class of every reduction, no more and no less. */
TEST(the_catalogue_says_what_is_proven)
{
  int proven = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    if (!(tutti_collective_traits(method.algorithm->collective) & TUTTI_REDUCES))
      continue;
    const tutti_reproduction proof = prove(&method, sample, SAMPLE);
    assert_true(proof.cases > 0 && proof.ranks == 16);
    assert_claims(&method, &proof, !method.algorithm->parts[0].name); /* other parts may have other orders */
    proven++;
  }
  assert_true(proven > 90);
}

/* A class that is refuted needs no other case, and of many blocks a few have elements. */
TEST(many_ranks_have_fewer_cases)
{
  tutti_method method;
  assert_ok(tutti_method_parse("allreduce/two-level", &method, REASON), error);
  const int ranks[] = {5, 65};
  const tutti_reproduction few = prove(&method, ranks, 1), both = prove(&method, ranks, 2),
                           many = prove(&method, ranks + 1, 1);
  assert_true(!(few.sums & TUTTI_REPRODUCIBLE_NODES) && both.cases - few.cases < many.cases && both.cases > few.cases);
  static const char *const scatters[] = {"reduce_scatter/ring", "reduce_scatter_block/circulant"};
  for (int i = 0; i < 2; i++) {
    assert_ok(tutti_method_parse(scatters[i], &method, REASON), error);
    const tutti_reproduction proof = prove(&method, (const int[]){1021}, 1);
    assert_true(proof.cases > 0 && (proof.sums & TUTTI_REPRODUCIBLE_SIZE) == (i == 0 ? TUTTI_REPRODUCIBLE_SIZE : 0));
  }
}

/* Other parameters lose no class. */
TEST(the_catalogue_is_right_for_any_parameters)
{
  static const int ranks[] = {5, 7, 16};
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (int k = 2; k <= 5; k += 3) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      const tutti_algorithm *algorithm = method.algorithm;
      if (!(tutti_collective_traits(algorithm->collective) & TUTTI_REDUCES) || algorithm->domain & TUTTI_NEEDS_TORUS ||
          algorithm->parameters & TUTTI_K_IS_SIDES || k < algorithm->min_k)
        continue;
      if (algorithm->parameters & TUTTI_TAKES_K)
        method.parameters.k = k;
      for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++)
        if (algorithm->parts[i].collective == TUTTI_COLL_REDUCE && k == 5)
          method.parameters.parts[i].algorithm = tutti_algorithm_find(TUTTI_COLL_REDUCE, "rabenseifner");
      const tutti_reproduction proof = prove(&method, ranks, 3);
      assert_claims(&method, &proof, false);
    }
}

/* The usual forms of a method that has parameters: ranks of a node or groups of a level, leaders, segments. */
static int list_forms(const tutti_algorithm *algorithm, tutti_method forms[4])
{
  const bool placed = algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS);
  const bool named = algorithm->outstanding_name != NULL;
  int count = 0;
  for (int form = 0; form < 4; form++) {
    tutti_method method = tutti_method_default(algorithm);
    if (form == 0 ? !placed : form < 3 ? !named : !(algorithm->parameters & TUTTI_TAKES_SEGMENT))
      continue;
    method.parameters.k =
        placed ? algorithm->parameters & TUTTI_K_IS_SIDES ? tutti_sides_pack((int[]){2}, 1) : 2 : method.parameters.k;
    method.parameters.outstanding = form == 1 || form == 2 ? form + 1 : method.parameters.outstanding;
    method.parameters.segment_bytes = form == 3 ? 16 : 0;
    forms[count++] = method;
  }
  return count;
}

/* Whether the claims are the proof, no less either. Not of `aligned`, which a part can have on nodes of some size. */
static void assert_exactly(const tutti_method *method)
{
  const unsigned but = TUTTI_REPRODUCIBLE_ALL & ~(unsigned)TUTTI_REPRODUCIBLE_ALIGNED;
  tutti_reproduction proof = prove(method, sample, SAMPLE);
  assert_true(proof.cases > 0);
  assert_claims(method, &proof, false);
  proof.sums &= but | tutti_method_reproducible(method);
  assert_claims(method, &proof, true);
}

TEST(the_catalogue_says_what_is_proven_of_usual_parameters)
{
  tutti_method forms[4];
  int proven = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a += UNLESS_WATCHED(1, 3)) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(a);
    if (!(tutti_collective_traits(algorithm->collective) & TUTTI_REDUCES))
      continue;
    const int count = list_forms(algorithm, forms);
    for (int i = 0; i < count; i++)
      assert_exactly(&forms[i]);
    if (algorithm->parts[0].name) {
      forms[0] = tutti_method_default(algorithm);
      assert_exactly(&forms[0]);
    }
    proven += count;
  }
  assert_true(proven > UNLESS_WATCHED(50, 8));
}

/* Pieces that are combined at several ranks of a node have one tree if the part has. */
TEST(the_part_within_a_node_decides_about_pieces)
{
  static const struct {
    const char *method;
    bool size;
  } known[] = {
      {"allreduce/multi-leader/ranks_per_node=4/leaders=3", true},
      {"allreduce/multi-leader/ranks_per_node=4/leaders=3/reduce=rabenseifner", true},
      {"allreduce/multi-leader/ranks_per_node=4/leaders=3/reduce=binomial", false},
      {"allreduce/multi-leader/ranks_per_node=2/leaders=2/reduce=binomial", true},
      {"allreduce/multi-leader/ranks_per_node=2/leaders=2/allreduce=ring", false},
      {"allreduce/full-lane/ranks_per_node=4/reduce_scatter=butterfly/lane=recursive-doubling", true},
      {"allreduce/full-lane/ranks_per_node=4/lane=recursive-doubling", false},
      {"allreduce/full-lane/ranks_per_node=2/lane=recursive-doubling", true},
      {"reduce/full-lane/ranks_per_node=4", false},
      {"reduce/full-lane/ranks_per_node=4/reduce_scatter=recursive-halving", true},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    tutti_method method;
    assert_ok(tutti_method_parse(known[i].method, &method, REASON), error);
    assert_int_equal(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_SIZE ? 1 : 0, known[i].size);
    assert_exactly(&method);
  }
}

/* With each part that combines the operands of a node, on nodes of four ranks. */
TEST(each_part_within_a_node_is_proven)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a += UNLESS_WATCHED(1, 3)) {
    const tutti_algorithm *part = tutti_algorithm_at(a);
    const bool reduce = part->collective == TUTTI_COLL_REDUCE;
    tutti_method method;
    if (!(reduce || part->collective == TUTTI_COLL_REDUCE_SCATTER) ||
        part->domain & ~(unsigned)TUTTI_NEEDS_COMMUTATIVE || part->parts[0].name)
      continue;
    char *name = tutti_xprintf("allreduce/%s=%s",
                               reduce ? "multi-leader/ranks_per_node=4/leaders=3/reduce"
                                      : "full-lane/ranks_per_node=4/lane=recursive-doubling/reduce_scatter",
                               part->name);
    assert_ok(tutti_method_parse(name, &method, REASON), error);
    free(name);
    assert_exactly(&method);
  }
}

TEST(a_method_has_the_classes_of_its_parts)
{
  tutti_method method;
  assert_ok(tutti_method_parse("allreduce/reduce-bcast", &method, REASON), error);
  assert_true(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_ALIGNED);
  assert_ok(tutti_method_parse("allreduce/reduce-bcast/reduce=two-tree", &method, REASON), error);
  assert_false(tutti_method_reproducible(&method) & (TUTTI_REPRODUCIBLE_ALIGNED | TUTTI_REPRODUCIBLE_SIZE));
  assert_ok(tutti_method_parse("allreduce/two-level", &method, REASON), error);
  assert_false(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_NODES);
  assert_ok(tutti_method_parse("allreduce/two-level/ranks_per_node=4", &method, REASON), error);
  assert_true(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_NODES);
  assert_ok(tutti_method_parse("bcast/two-tree", &method, REASON), error);
  assert_int_equal(tutti_method_reproducible(&method), TUTTI_REPRODUCIBLE_ALL);
  assert_ok(tutti_method_parse("allreduce/rabenseifner", &method, REASON), error);
  assert_true(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_SIZE);
  method.implementation = TUTTI_IMPLEMENTATION_OPENMPI; /* which takes another one for few elements */
  assert_false(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_SIZE);
  assert_ok(tutti_method_parse("reduce/k-nomial@openmpi", &method, REASON), error);
  assert_false(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_SIZE);
  assert_ok(tutti_method_parse("allreduce/allgather-reduce@openmpi", &method, REASON), error);
  assert_false(tutti_method_reproducible(&method) & TUTTI_REPRODUCIBLE_SIZE);
  assert_ok(tutti_method_parse("allreduce/native", &method, REASON), error);
  assert_int_equal(tutti_method_reproducible(&method), 0);
}

static void assert_served(const char *wanted, unsigned classes, const char *served)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method method;
  assert_ok(tutti_method_parse(wanted, &method, REASON), error);
  method = tutti_method_reproducing(&method, classes);
  assert_string_equal(tutti_method_format(&method, name), served);
}

TEST(another_method_serves_in_its_place)
{
  assert_served("allreduce/ring", TUTTI_REPRODUCIBLE_RANKS, "allreduce/ring");
  assert_served("allreduce/ring", TUTTI_REPRODUCIBLE_SIZE, "allreduce/recursive-doubling");
  assert_served("allreduce/swing", TUTTI_REPRODUCIBLE_SIZE, "allreduce/rabenseifner");
  assert_served("reduce/rabenseifner", TUTTI_REPRODUCIBLE_ALIGNED, "reduce/fixed-tree");
  assert_served("allreduce/recursive-doubling", TUTTI_REPRODUCIBLE_ALIGNED, "allreduce/reduce-bcast");
  assert_served("scan/linear", TUTTI_REPRODUCIBLE_ALIGNED | TUTTI_REPRODUCIBLE_NODES, "scan/binomial");
  assert_served("scan/binary", TUTTI_REPRODUCIBLE_ALIGNED | TUTTI_REPRODUCIBLE_NODES, "scan/binomial");
  assert_served("scan/native", TUTTI_REPRODUCIBLE_NODES, "scan/binomial");
  assert_served("allreduce/ring@openmpi", TUTTI_REPRODUCIBLE_SIZE, "allreduce/recursive-doubling@openmpi");
}

/* ---- planted ---- */

/* All ranks have all operands, and combine elements `first` to `first + count - 1` from the left or from the right. */
struct planted {
  tutti_builder *builder;
  const tutti_call *call;
  tutti_buffer operands; /* [size][count] */
  tutti_vertex_id gathered;
};

static tutti_block operand(const struct planted *p, int rank, uint64_t first, uint64_t count)
{
  return tutti_block_of(p->operands, (uint64_t)rank * p->call->count + first, count);
}

static struct planted gather(tutti_builder *builder, const tutti_call *call)
{
  struct planted p = {builder, call, tutti_builder_temporary(builder, call->count * (uint64_t)call->size), 0};
  const tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count);
  tutti_vertex_id last[64];
  for (int r = 0; r < call->size; r++)
    last[r] = r == call->rank ? tutti_add_copy(builder, input, operand(&p, r, 0, call->count))
                              : tutti_add_recv(builder, r, operand(&p, r, 0, call->count));
  for (int r = 0; r < call->size; r++)
    if (r != call->rank)
      tutti_add_send(builder, r, input);
  p.gathered = tutti_add_join(builder);
  for (int r = 0; r < call->size; r++)
    tutti_add_after(builder, p.gathered, last[r]);
  return p;
}

static void fold(const struct planted *p, uint64_t first, uint64_t count, bool from_left)
{
  const int size = p->call->size;
  tutti_vertex_id done = p->gathered;
  for (int i = 1; i < size; i++) {
    const int at = from_left ? i - 1 : size - 1 - i, other = from_left ? i : size - 1;
    const tutti_vertex_id reduced =
        tutti_add_reduce(p->builder, operand(p, at, first, count), operand(p, other, first, count));
    tutti_add_after(p->builder, reduced, done);
    done = reduced;
  }
  tutti_add_after(
      p->builder,
      tutti_add_copy(p->builder, operand(p, size - 1, first, count), tutti_block_of(TUTTI_OUTPUT, first, count)), done);
}

static void fold_all(tutti_builder *builder, const tutti_call *call, bool from_left)
{
  const struct planted p = gather(builder, call);
  fold(&p, 0, call->count, from_left);
}

static void build_right(tutti_builder *builder, const tutti_call *call)
{
  fold_all(builder, call, true);
}

static void build_rank_1_apart(tutti_builder *builder, const tutti_call *call)
{
  fold_all(builder, call, call->rank != 1);
}

static void build_by_nodes(tutti_builder *builder, const tutti_call *call)
{
  fold_all(builder, call, !call->nodes || call->nodes[0] != call->nodes[1]);
}

static void build_by_length(tutti_builder *builder, const tutti_call *call)
{
  fold_all(builder, call, call->count < 4);
}

static void build_by_place(tutti_builder *builder, const tutti_call *call)
{
  const struct planted p = gather(builder, call);
  fold(&p, 0, 1, true);
  if (call->count > 1)
    fold(&p, 1, call->count - 1, false);
}

/* Two operands are received at the same place, and whichever is there is combined. */
static void build_race(tutti_builder *builder, const tutti_call *call)
{
  const tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count),
                    output = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  const tutti_block place = tutti_block_of(tutti_builder_temporary(builder, call->count), 0, call->count);
  tutti_vertex_id done = tutti_add_copy(builder, input, output);
  for (int r = 0; r < call->size; r++)
    if (r != call->rank) {
      tutti_vertex_id reduced;
      tutti_add_send(builder, r, input);
      tutti_vertex_id received = tutti_add_recv(builder, r, place);
      reduced = tutti_add_reduce(builder, place, output);
      tutti_add_after(builder, reduced, received);
      tutti_add_after(builder, reduced, done);
      done = reduced;
    }
}

/* On two ranks 0 op 1 and 1 op 0: the same sum. */
static void build_swapped(tutti_builder *builder, const tutti_call *call)
{
  const tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count),
                    output = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  tutti_add_send(builder, 1 - call->rank, input);
  const tutti_vertex_id received = tutti_add_recv(builder, 1 - call->rank, output);
  tutti_add_after(builder, tutti_add_reduce(builder, input, output), received);
}

/* Every rank combines its own numbers from the left, and then the sums of all ranks: a tree of its own for each
   distribution. */
static void build_by_rank(tutti_builder *builder, const tutti_call *call)
{
  const uint64_t count = call->count;
  const tutti_buffer sums = tutti_builder_temporary(builder, count * (uint64_t)call->size);
  tutti_vertex_id done = TUTTI_NO_VERTEX, last[64];
  const tutti_block own = tutti_block_of(sums, (uint64_t)call->rank * count, count);
  tutti_block sum = {0};
  for (int r = 0; r < call->size; r++) {
    const uint64_t numbers = call->leaves ? call->leaves[r + 1] - call->leaves[r] : 1;
    last[r] = TUTTI_NO_VERTEX;
    if (numbers > 0 && r != call->rank)
      last[r] = tutti_add_recv(builder, r, tutti_block_of(sums, (uint64_t)r * count, count));
    for (uint64_t i = 0; i < numbers && r == call->rank; i++) {
      const tutti_block number = tutti_block_of(TUTTI_INPUT, (numbers - 1 - i) * count, count);
      done = i == 0 ? tutti_add_copy(builder, number, own) : tutti_add_reduce(builder, number, own);
      tutti_add_after(builder, done, last[r]);
      last[r] = done;
    }
  }
  for (int r = 0; r < call->size && last[call->rank] != TUTTI_NO_VERTEX; r++)
    if (r != call->rank)
      tutti_add_after(builder, tutti_add_send(builder, r, own), last[call->rank]);
  done = TUTTI_NO_VERTEX;
  for (int r = 0; r < call->size; r++)
    if (last[r] != TUTTI_NO_VERTEX) {
      const tutti_block next = tutti_block_of(TUTTI_OUTPUT, 0, count);
      const tutti_block theirs = tutti_block_of(sums, (uint64_t)r * count, count);
      const tutti_vertex_id combined =
          sum.count == 0 ? tutti_add_copy(builder, theirs, next) : tutti_add_reduce(builder, theirs, next);
      tutti_add_after(builder, combined, last[r]);
      tutti_add_after(builder, combined, done);
      done = combined;
      sum = next;
    }
}

static tutti_reproduction prove_planted(tutti_build_function build, int ranks)
{
  const tutti_algorithm algorithm = {
      .collective = TUTTI_COLL_ALLREDUCE, .name = "planted", .build = build, .distributes = build == build_by_rank};
  const tutti_method method = tutti_method_default(&algorithm);
  return prove(&method, &ranks, 1);
}

static void assert_refuted(tutti_build_function build, unsigned lost, int class, const char *why)
{
  const unsigned most =
      TUTTI_REPRODUCIBLE_RANKS | TUTTI_REPRODUCIBLE_ARRIVAL | TUTTI_REPRODUCIBLE_NODES | TUTTI_REPRODUCIBLE_SIZE;
  const tutti_reproduction proof = prove_planted(build, 5);
  assert_int_equal(proof.sums & most, most & ~lost);
  assert_contains(proof.why[class], why);
}

TEST(each_class_is_refuted_by_a_planted_fault)
{
  assert_refuted(build_right, 0, 4,
                 "5 ranks: element 0 of 1 of rank 0, root 0, is combined in another order than the aligned tree");
  assert_refuted(build_rank_1_apart, TUTTI_REPRODUCIBLE_RANKS, 0,
                 "5 ranks: element 0 of 1 of rank 1, root 0, is combined in another order than that of rank 0");
  assert_refuted(build_race, TUTTI_REPRODUCIBLE_RANKS | TUTTI_REPRODUCIBLE_ARRIVAL, 1,
                 "touch the same element and neither waits");
  assert_refuted(build_by_nodes, TUTTI_REPRODUCIBLE_NODES, 2, "than with the ranks on other nodes");
  assert_refuted(build_by_length, TUTTI_REPRODUCIBLE_SIZE, 3,
                 "element 0 of 4 of rank 0, root 0, is combined in another order than element 0 of a shorter");
  assert_refuted(build_by_place, TUTTI_REPRODUCIBLE_SIZE, 3, "element 1 of 2 of rank 0");
}

TEST(a_tree_of_the_ranks_is_no_tree_of_the_numbers)
{
  const tutti_reproduction proof = prove_planted(build_by_rank, 2);
  assert_false(proof.sums & TUTTI_REPRODUCIBLE_DISTRIBUTION);
  assert_true(proof.sums & TUTTI_REPRODUCIBLE_ALIGNED);
  assert_contains(proof.why[5], "2 ranks: 5 numbers in a row: not the aligned tree at rank 0");
}

/* Any part of the numbers, none included, at any rank: verified, and the aligned tree. */
TEST(numbers_in_a_row_are_combined)
{
  for (int size = 1; size <= 33; size++)
    for (uint64_t numbers = 1; numbers < 100; numbers += 7) {
      tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "fixed-tree"));
      uint64_t leaves[34] = {0};
      tutti_call call = {.size = size, .root = size / 2, .count = 3, .type_size = 8, .leaves = leaves};
      for (int r = 1; r <= size; r++)
        leaves[r] = r == size ? numbers : leaves[r - 1] + (numbers - leaves[r - 1]) * (uint64_t)(r * r % 5) / 7;
      assert_ok(tutti_verify_method(&method, &call, REASON), error); /* in order */
      method.algorithm = tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "fixed-tree");
      method = tutti_method_default(method.algorithm);
      call.root = 0;
      assert_ok(tutti_verify_method(&method, &call, REASON), error);
    }
}

TEST(other_algorithms_take_one_number_of_each_rank)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  const uint64_t leaves[] = {0, 2, 4};
  const tutti_call call = {.size = 2, .count = 1, .type_size = 8, .commutative = true, .leaves = leaves};
  assert_int_equal(tutti_method_check(&method, &call, REASON), TUTTI_ERR_UNSUPPORTED);
  assert_contains(error.message, "combines one operand of each rank");
}

static uint64_t hash_of(const char *name, int ranks)
{
  tutti_method method;
  uint64_t hash;
  assert_ok(tutti_method_parse(name, &method, REASON), error);
  assert_ok(tutti_reproduction_hash(&method, ranks, 2, &hash, REASON), error);
  return hash;
}

/* By operand trees of whole messages: recursive doubling and Rabenseifner's algorithm have one, a binomial tree
 * another. */
TEST(methods_of_one_tree_have_one_hash)
{
  for (int ranks = 2; ranks <= 17; ranks += 3)
    assert_true(hash_of("allreduce/recursive-doubling", ranks) == hash_of("allreduce/rabenseifner@mpich", ranks));
  assert_true(hash_of("allreduce/recursive-doubling", 5) != hash_of("allreduce/reduce-bcast", 5));
  assert_true(hash_of("reduce/linear", 7) != hash_of("reduce/chain", 7));
  assert_true(hash_of("allreduce/two-level", 8) == hash_of("allreduce/two-level/ranks_per_node=2", 8));
  assert_true(hash_of("allreduce/two-level", 12) != hash_of("allreduce/two-level/ranks_per_node=4", 12));
  const tutti_method linear = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "linear")),
                     torus = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "torus-trees"));
  uint64_t hash;
  assert_int_equal(tutti_reproduction_hash(&linear, 1 << 24, 1, &hash, REASON), TUTTI_ERR_UNSUPPORTED);
  assert_int_equal(tutti_reproduction_hash(&linear, 900000, 1, &hash, REASON), TUTTI_ERR_UNSUPPORTED);
  assert_int_equal(tutti_reproduction_hash(&torus, 8, 1, &hash, REASON), TUTTI_ERR_UNSUPPORTED);
}

TEST(an_exchange_of_operands_is_told_apart)
{
  const tutti_reproduction proof = prove_planted(build_swapped, 2);
  assert_true(proof.sums & TUTTI_REPRODUCIBLE_RANKS);
  assert_false(proof.any & TUTTI_REPRODUCIBLE_RANKS);
  assert_contains(proof.why[0], "rank 1");
}
