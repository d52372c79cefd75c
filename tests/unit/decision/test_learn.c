/* Learning from decision maps: cases, combined trees, holes, and what each learner promises. */
#include "tutti/learn.h"
#include "tutti/learners.h"
#include "unit/test.h"

static const int rank_counts[] = {2, 3, 4, 5, 6, 7, 8, 9};
static const uint64_t byte_counts[] = {8, 64, 512, 4096, 32768};

enum { RANKS = sizeof rank_counts / sizeof *rank_counts, SIZES = sizeof byte_counts / sizeof *byte_counts };

/* Times of the two or three methods of a collective. */
typedef double time_of(int method, int ranks, uint64_t bytes);

static tutti_decision_map make_map(const char *const *methods, int count, time_of *time, int left_out_ranks)
{
  tutti_measurement measurements[RANKS * SIZES * 4];
  size_t filled = 0;
  for (int r = 0; r < RANKS; r++)
    for (int s = 0; s < SIZES; s++)
      for (int m = 0; m < count; m++) {
        tutti_measurement *next = &measurements[filled];
        *next = (tutti_measurement){.ranks = rank_counts[r],
                                    .ranks_per_node = 1,
                                    .count = byte_counts[s],
                                    .type_size = 1,
                                    .rank_bytes = byte_counts[s],
                                    .repetitions = 1,
                                    .median = time(m, rank_counts[r], byte_counts[s])};
        assert_int_equal(tutti_method_parse(methods[m], &next->method, NULL), TUTTI_OK);
        filled += !isnan(next->median) && rank_counts[r] != left_out_ranks;
      }
  tutti_decision_map map;
  assert_int_equal(tutti_decision_map_create(measurements, filled, &map, NULL), TUTTI_OK);
  return map;
}

/* Linear to 64 B, split-binary beyond; binomial in between costs little everywhere. */
static double bcast_time(int method, int ranks, uint64_t bytes)
{
  bool small = bytes <= 64;
  return method == 0 ? (small ? 1 : 3) : method == 1 ? (small ? 1.1 : 1.1) : (small ? 5 : 1) + 0 * ranks;
}

/* The same border; reduce has no split-binary. */
static double reduce_time(int method, int ranks, uint64_t bytes)
{
  (void)ranks;
  return (bytes <= 64) == (method == 0) ? 1 : 2;
}

/* Recursive doubling wherever it applies, ring elsewhere. */
static double allgather_time(int method, int ranks, uint64_t bytes)
{
  (void)bytes;
  bool power = (ranks & (ranks - 1)) == 0;
  return method == 0 ? (power ? 1 : NAN) : method == 1 ? 3 : 4;
}

static const char *const bcasts[] = {"bcast/linear", "bcast/binomial", "bcast/split-binary/1KB"};
static const char *const reduces[] = {"reduce/linear", "reduce/binary/1KB"};
static const char *const allgathers[] = {"allgather/recursive-doubling", "allgather/ring", "allgather/bruck"};

static tutti_decision learn(const tutti_decision_map *maps, int count, const char *learner, const void *settings,
                            const tutti_learn_options *options, tutti_learn_report *report)
{
  tutti_decision_trees trees = {.count = 1, .items = calloc(1, sizeof *trees.items)};
  tutti_decision decision;
  const tutti_learn_options none = {0};
  assert_ok(tutti_learn(tutti_learner_find(learner, NULL), settings, options ? options : &none, maps, count,
                        &trees.items[0], report, &error),
            error);
  assert_int_equal(tutti_decision_of_trees("learnt", &trees, &decision, NULL), TUTTI_OK);
  return decision;
}

static double mean_penalty(const tutti_decision_map *map, const tutti_decision *decision)
{
  tutti_penalty penalty;
  assert_int_equal(tutti_penalty_compute(map, decision, &penalty, NULL), TUTTI_OK);
  assert_int_equal(penalty.missing, 0);
  return penalty.mean;
}

static const char *ask(const tutti_decision *decision, tutti_collective collective, int ranks, uint64_t bytes)
{
  static char name[TUTTI_METHOD_LENGTH];
  const tutti_question question = {collective, ranks, 1, bytes};
  tutti_method method;
  return decision->decide(decision, &question, &method) ? tutti_method_format(&method, name) : "nothing";
}

TEST(test_every_learner_finds_a_border)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  static const char *const learners[] = {"c45", "quadtree", "penalty", "optimal"};
  for (int i = 0; i < 4; i++) {
    tutti_learn_report report;
    tutti_decision decision = learn(&map, 1, learners[i], NULL, NULL, &report);
    assert_true(mean_penalty(&map, &decision) == 0);
    assert_int_equal(report.leaves, 2);
    assert_int_equal(report.errors, 0);
    assert_int_equal(report.classes, 2);
    assert_int_equal(report.cases, RANKS * SIZES);
    assert_true(report.shape.leaves >= 2 && report.shape.max_depth >= 1);
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 100, 1), "bcast/linear");
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 2, 1 << 20), "bcast/split-binary/1KB");
    tutti_decision_free(&decision);
  }
}

/* With one leaf C4.5 takes the most frequent class, the others the one that costs least: best nowhere, good everywhere.
 */
TEST(test_least_penalty_is_not_most_frequent)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  const tutti_penalty_tree_options penalty = {.leaves = 1, .weight = 2};
  const tutti_optimal_tree_options optimal = {.leaves = 1};
  for (int i = 0; i < 2; i++) {
    tutti_decision decision =
        learn(&map, 1, i ? "optimal" : "penalty", i ? (const void *)&optimal : &penalty, NULL, NULL);
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 8), "bcast/binomial");
    assert_true(fabs(mean_penalty(&map, &decision) - 10) < 1e-9);
    tutti_decision_free(&decision);
  }
}

/* One tree for both; where its leaf says split-binary, reduce gets the best of its own. */
TEST(test_combined_trees_are_lawful)
{
  tutti_decision_map maps[] = {make_map(bcasts, 3, bcast_time, 0), make_map(reduces, 2, reduce_time, 0)};
  tutti_c45_options c45 = tutti_c45_defaults();
  c45.weight = 30; /* no branch may be as light as one collective beyond the border */
  tutti_decision decision = learn(maps, 2, "c45", &c45, NULL, NULL);
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 4096), "bcast/split-binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 4, 4096), "reduce/binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 4, 8), "reduce/linear");
  assert_true(mean_penalty(&maps[1], &decision) == 0);
  tutti_decision_free(&decision);
  tutti_penalty_tree_options penalty = tutti_penalty_tree_defaults();
  for (penalty.leaves = 1; penalty.leaves < 6; penalty.leaves++) {
    decision = learn(maps, 2, "penalty", &penalty, NULL, NULL);
    mean_penalty(&maps[0], &decision); /* answers everywhere, or this fails */
    mean_penalty(&maps[1], &decision);
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}

/* A power of two is seen at once by an attribute of its own. */
TEST(test_composite_attributes)
{
  static const char *const attributes[] = {"ranks", "bytes", "pow2 = pow2(ranks)"};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(allgathers, 3, allgather_time, 0);
  const tutti_learn_options options = {.attribute_count = 3, .attributes = attributes};
  tutti_learn_report plain, composite;
  tutti_decision decision = learn(&map, 1, "c45", NULL, NULL, &plain);
  tutti_decision_free(&decision);
  decision = learn(&map, 1, "c45", NULL, &options, &composite);
  assert_int_equal(composite.leaves, 2);
  assert_true(plain.leaves > 2);
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 64, 8), "allgather/recursive-doubling");
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 65, 8), "allgather/ring");
  tutti_decision_free(&decision);
}

/* Outside its domain recursive doubling runs as its substitute, Bruck's algorithm, and costs what that costs. */
TEST(test_substitutes_count)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(allgathers, 3, allgather_time, 0);
  FREED_BY(tutti_decision_free) tutti_decision decision;
  tutti_method method;
  assert_int_equal(tutti_method_parse(allgathers[0], &method, NULL), TUTTI_OK);
  decision = tutti_decision_single(&method);
  double powers = 3, others = RANKS - powers; /* 2, 4, 8 */
  assert_true(fabs(mean_penalty(&map, &decision) - others / RANKS * 100 / 3) < 1e-9);
}

/* A communicator size without points takes the labels of its neighbors, not those of the far end. */
static double striped_time(int method, int ranks, uint64_t bytes)
{
  (void)bytes;
  return method == (ranks <= 4 ? 0 : ranks <= 7 ? 1 : 2) ? 1 : 2;
}

TEST(test_holes_take_the_nearest_label)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(bcasts, 3, striped_time, 0), holed;
  int folds[RANKS * SIZES];
  tutti_decision_map_deal_ranks(&map, folds);
  holed = tutti_decision_map_select(&map, folds, 4, false); /* 6 ranks */
  tutti_learn_report report;
  FREED_BY(tutti_decision_free) tutti_decision decision = learn(&holed, 1, "quadtree", NULL, NULL, &report);
  assert_int_equal(report.figure_count, 7);
  assert_string_equal(report.figures[0].key, "quadtree_leaves");
  assert_true(report.figures[0].value == report.shape.leaves && report.shape.bytes > 0);
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 6, 8), "bcast/binomial");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 8), "bcast/linear");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 9, 8), "bcast/split-binary/1KB");
}

/* With another border for each number of ranks per node: an octree, and C4.5 by the attribute. */
TEST(test_ranks_per_node)
{
  tutti_decision_map maps[] = {make_map(bcasts, 3, bcast_time, 0), make_map(bcasts, 3, striped_time, 0)};
  maps[1].ranks_per_node = 4;
  static const char *const learners[] = {"c45", "quadtree", "penalty"};
  for (int i = 0; i < 3; i++) {
    tutti_decision decision = learn(maps, 2, learners[i], NULL, NULL, NULL);
    assert_true(mean_penalty(&maps[0], &decision) == 0);
    assert_true(mean_penalty(&maps[1], &decision) == 0);
    tutti_decision_free(&decision);
  }
  tutti_decision_map_free(&maps[0]);
  tutti_decision_map_free(&maps[1]);
}

TEST(test_faults)
{
  static const char *const unknown[] = {"colour"};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(bcasts, 3, bcast_time, 0);
  tutti_decision_map twice[] = {map, map};
  const tutti_learner *c45 = tutti_learner_find("c45", NULL), *quadtree = tutti_learner_find("quadtree", NULL);
  tutti_learn_options options = {0};
  tutti_decision_tree tree;
  assert_fails(tutti_learn(c45, NULL, &options, twice, 2, &tree, NULL, &error), TUTTI_ERR_ARGUMENT, error, "bcast");
  options.attributes = unknown;
  options.attribute_count = 1;
  assert_fails(tutti_learn(c45, NULL, &options, &map, 1, &tree, NULL, &error), TUTTI_ERR_ARGUMENT, error, "colour");
  assert_fails(tutti_learn(quadtree, NULL, &options, &map, 1, &tree, NULL, &error), TUTTI_ERR_ARGUMENT, error,
               " take several");
}

/* ---- the table of learners ---- */

/* Whatever stands in the table can be shown, set and learnt by. */
TEST(test_descriptors)
{
  assert_true(tutti_learner_count() >= 4);
  assert_null(tutti_learner_at(tutti_learner_count()));
  for (int i = 0; i < tutti_learner_count(); i++) {
    const tutti_learner *learner = tutti_learner_at(i);
    assert_ptr_equal(tutti_learner_find(learner->name, NULL), learner);
    assert_true(learner->help && *learner->help && learner->learn);
    for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
      assert_ptr_equal(tutti_learner_option_find(learner, option->name), option);
      assert_true(option->help && option->offset + option->width <= learner->settings_size);
      assert_true((option->kind == TUTTI_OPTION_FLAG) == !option->argument || option->kind == TUTTI_OPTION_WORD);
      assert_true((option->kind == TUTTI_OPTION_WORD) == (option->words != NULL));
      assert_true(option->kind != TUTTI_OPTION_REAL || option->width == sizeof(double));
      assert_true(option->kind != TUTTI_OPTION_FLAG || option->width == sizeof(bool));
    }
    assert_null(tutti_learner_option_find(learner, "no such option"));
  }
}

/* The command line has options of the same name once, for all learners. */
TEST(test_shared_options_are_alike)
{
  for (int i = 0; i < tutti_learner_count(); i++)
    for (const tutti_learner_option *option = tutti_learner_at(i)->options; option && option->name; option++)
      for (int j = 0; j < i; j++) {
        const tutti_learner_option *other = tutti_learner_option_find(tutti_learner_at(j), option->name);
        if (other && (other->kind != option->kind || other->width != option->width || other->letter != option->letter ||
                      other->min != option->min || other->max != option->max || strcmp(other->help, option->help) != 0))
          fail_msg("option --%s of learner %s has another kind, size, letter, bounds or help than that of %s",
                   option->name, tutti_learner_at(i)->name, tutti_learner_at(j)->name);
      }
}

TEST(test_unknown_learner)
{
  assert_null(tutti_learner_find("forest", &error));
  assert_non_null(strstr(error.message, "unknown learner 'forest': known are c45, quadtree, penalty, optimal"));
}

TEST(test_names_and_usage)
{
  const tutti_learner *c45 = tutti_learner_find("c45", NULL), *quadtree = tutti_learner_find("quadtree", NULL);
  const tutti_learner *optimal = tutti_learner_find("optimal", NULL);
  const tutti_quadtree_limits limits = {.depth = 3, .accuracy = 0.8};
  const tutti_optimal_tree_options sized = {.leaves = 8, .mean = 2.5};
  char text[80];
  assert_string_equal(tutti_learner_format_name(c45, c45->defaults, text, sizeof text), "c45/m=2/c=25");
  assert_string_equal(tutti_learner_format_usage(c45, c45->defaults, text, sizeof text), "-m 2 -c 25");
  assert_string_equal(tutti_learner_format_name(quadtree, quadtree->defaults, text, sizeof text), "quadtree");
  assert_string_equal(tutti_learner_format_usage(quadtree, quadtree->defaults, text, sizeof text), "--accuracy 100");
  assert_string_equal(tutti_learner_format_name(quadtree, &limits, text, sizeof text), "quadtree/depth=3/accuracy=80");
  assert_string_equal(tutti_learner_format_usage(quadtree, &limits, text, sizeof text), "--depth 3 --accuracy 80");
  assert_string_equal(tutti_learner_format_name(optimal, &sized, text, sizeof text), "optimal/leaves=8/mean=2.5");
  assert_string_equal(tutti_learner_format_usage(optimal, &sized, text, sizeof text), "--leaves 8 --mean 2.5");
  assert_string_equal(tutti_learner_format_usage(optimal, optimal->defaults, text, sizeof text), "");
}

/* The names of the table, in its order. */
static const char *const names[] = {
#define LEARNER(name) #name,
#include "decision/learners/learners.def"
#undef LEARNER
};

enum { LEARNERS = sizeof names / sizeof *names };

/* "A, B and C" of the learners that learn from one of first .. last. */
static const char *list_names(tutti_learns_from first, tutti_learns_from last, char *text)
{
  const char *found[LEARNERS];
  int count = 0;
  for (int i = 0; i < LEARNERS; i++) {
    const tutti_learner *learner = tutti_learner_find(names[i], NULL);
    assert_non_null(learner);
    if (learner->from >= first && learner->from <= last)
      found[count++] = names[i];
  }
  *text = '\0';
  for (int i = 0; i < count; i++)
    strcat(strcat(text, i == 0 ? "" : i < count - 1 ? ", " : " and "), found[i]);
  return text;
}

TEST(test_lists)
{
  char text[200], expected[200];
  assert_int_equal(tutti_learner_count(), LEARNERS);
  for (int i = 0; i < LEARNERS; i++)
    assert_string_equal(tutti_learner_at(i)->name, names[i]);
  for (int first = TUTTI_FROM_CASES; first <= TUTTI_FROM_MAP; first++)
    for (int last = first; last <= TUTTI_FROM_MAP; last++)
      assert_string_equal(tutti_learner_list(first, last, text, sizeof text), list_names(first, last, expected));
  assert_non_null(strstr(tutti_learner_list(TUTTI_FROM_MAP, TUTTI_FROM_MAP, text, sizeof text), "optimal"));
  tutti_learner_list(TUTTI_FROM_MAPS, TUTTI_FROM_MAP, text, sizeof text);
  assert_true(strncmp(text, "quadtree", 8) == 0 && strstr(text, " and ") && strstr(text, "optimal"));
  tutti_learner_list(TUTTI_FROM_CASES, TUTTI_FROM_MAP, text, sizeof text);
  assert_true(strncmp(text, "c45, quadtree, penalty", 22) == 0 && strstr(text, " and "));
}

/* The library's own broadcast is the fastest: no learner advises it, and each finds the border of the others. */
static double native_time(int method, int ranks, uint64_t bytes)
{
  return method == 3 ? 0.5 : bcast_time(method, ranks, bytes);
}

TEST(test_natives_are_never_advised)
{
  static const char *const methods[] = {"bcast/linear", "bcast/binomial", "bcast/split-binary/1KB", "bcast/native"};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(methods, 4, native_time, 0);
  for (int i = 0; i < tutti_learner_count(); i++) {
    tutti_learn_report report;
    tutti_decision decision = learn(&map, 1, tutti_learner_at(i)->name, NULL, NULL, &report);
    for (int r = 0; r < RANKS; r++)
      for (int s = 0; s < SIZES; s++)
        assert_string_not_equal(ask(&decision, TUTTI_COLL_BCAST, rank_counts[r], byte_counts[s]), "bcast/native");
    tutti_decision_free(&decision);
  }
  static const char *const borders[] = {"c45", "quadtree", "penalty", "optimal"};
  for (int i = 0; i < 4; i++) {
    tutti_decision decision = learn(&map, 1, borders[i], NULL, NULL, NULL);
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 8), "bcast/linear");
    assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 4096), "bcast/split-binary/1KB");
    tutti_decision_free(&decision);
  }
}
