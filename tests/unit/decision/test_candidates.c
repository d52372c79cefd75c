/* Methods that a library is told to run beside ours: which can be best, what judges a decision, and their names in
   files of decisions and of cases. */
#include "tutti/classifier.h"
#include "tutti/learn.h"
#include "tutti/learners.h"
#include "tutti/reproducible.h"
#include "unit/base/scratch_file.h"
#include "unit/decision/map_fixture.h"

/* Ours is best by binomial; of the library linear is, and left alone it is better than either. Microseconds. */
static const struct {
  const char *method;
  double at[2]; /* by ranks 2 and 3 */
} planted[] = {
    {"bcast/linear", {6, 6}},
    {"bcast/binomial", {5, 5}},
    {"bcast/linear@openmpi", {1.5, 1.5}},
    {"bcast/binomial@openmpi", {2.23, 2.23}},
    {"bcast/native", {1, 1}},
};
enum { METHODS = sizeof planted / sizeof *planted };

/* The map of the methods from number `first` on. */
static tutti_decision_map planted_map(int first)
{
  tutti_measurement points[2 * METHODS];
  size_t count = 0;
  for (int m = first; m < METHODS; m++)
    for (int i = 0; i < 2; i++)
      points[count++] = map_point(planted[m].method, i + 2, 8, planted[m].at[i]);
  return map_make(points, count);
}

static const char *best_name(const tutti_decision_map *map, int point)
{
  static char name[TUTTI_METHOD_LENGTH];
  return map->best[point] < 0 ? "-" : tutti_method_format(&map->methods[map->best[point]], name);
}

static const tutti_candidates of_openmpi = {.implementation = TUTTI_IMPLEMENTATION_OPENMPI},
                              of_openmpi_or_native = {.implementation = TUTTI_IMPLEMENTATION_OPENMPI, .native = true},
                              of_mpich = {.implementation = TUTTI_IMPLEMENTATION_MPICH};

TEST(ours_compete_where_they_were_measured)
{
  char text[TUTTI_CANDIDATES_LENGTH];
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map map = planted_map(0), library = planted_map(2), native = planted_map(4);
  assert_string_equal(best_name(&map, 0), "bcast/binomial");
  assert_string_equal(tutti_candidates_format(&map.candidates, text), "tutti");
  assert_true(tutti_decision_map_mixes(&map));
  assert_string_equal(best_name(&library, 0), "bcast/linear@openmpi");
  assert_string_equal(tutti_candidates_format(&library.candidates, text), "openmpi");
  assert_false(tutti_decision_map_mixes(&library));
  assert_false(tutti_decision_map_has(&library, TUTTI_IMPLEMENTATION_TUTTI));
  assert_string_equal(best_name(&native, 0), "bcast/native"); /* there is nothing else */
  assert_int_equal(tutti_decision_map_native(&map), 4);
  assert_int_equal(tutti_decision_map_native(&native), 0);
}

/* The fastest at both points; nothing else was measured in `alone`. */
TEST(what_rounds_apart_is_asked_for)
{
  char text[TUTTI_CANDIDATES_LENGTH];
  size_t points;
  const tutti_measurement measured[] = {map_point("allreduce/ring", 16, 8, 5), map_point("allreduce/ring", 32, 8, 5),
                                        map_point("allreduce/swing-latency", 16, 8, 4),
                                        map_point("allreduce/swing-latency", 32, 8, 4)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(measured, 4), alone = map_make(measured + 2, 2);
  assert_string_equal(best_name(&map, 0), "allreduce/ring");
  assert_false(tutti_decision_map_mixes(&map));
  assert_int_equal(tutti_decision_map_faster_apart(&map, &points), 1);
  assert_int_equal(points, 2);
  tutti_decision_map_choose(&map, (tutti_candidates){.rounds_apart = true});
  assert_string_equal(best_name(&map, 1), "allreduce/swing-latency");
  assert_string_equal(tutti_candidates_format(&map.candidates, text), "tutti, rounds apart");
  assert_int_equal(tutti_decision_map_faster_apart(&map, &points), -1);
  assert_string_equal(best_name(&alone, 0), "allreduce/swing-latency");
}

/* Only reductions lose bits; what the library chooses itself has no class. */
TEST(what_is_reproducible_is_asked_for)
{
  char text[TUTTI_CANDIDATES_LENGTH];
  const tutti_measurement measured[] = {map_point("allreduce/native", 16, 8, 1), map_point("allreduce/ring", 16, 8, 2),
                                        map_point("allreduce/recursive-doubling", 16, 8, 3),
                                        map_point("allreduce/reduce-bcast", 16, 8, 4)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(measured, 4), bcast = planted_map(0);
  tutti_candidates candidates = {.native = true, .reproducible = TUTTI_REPRODUCIBLE_RANKS};
  tutti_decision_map_choose(&map, candidates);
  assert_string_equal(best_name(&map, 0), "allreduce/ring");
  candidates.reproducible = TUTTI_REPRODUCIBLE_SIZE;
  tutti_decision_map_choose(&map, candidates);
  assert_string_equal(best_name(&map, 0), "allreduce/recursive-doubling");
  candidates.reproducible = tutti_reproducible_of_choice(TUTTI_REPRODUCIBLE_SIZE);
  tutti_decision_map_choose(&map, candidates);
  assert_string_equal(best_name(&map, 0), "allreduce/reduce-bcast");
  assert_string_equal(tutti_candidates_format(&map.candidates, text), "tutti, native, reproducible by size, aligned");
  tutti_decision_map_choose(&bcast, candidates);
  assert_string_equal(best_name(&bcast, 0), "bcast/native");
}

TEST(they_are_chosen)
{
  char text[TUTTI_CANDIDATES_LENGTH];
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = planted_map(0);
  tutti_decision_map_choose(&map, of_openmpi);
  assert_string_equal(best_name(&map, 1), "bcast/linear@openmpi");
  tutti_decision_map_choose(&map, of_openmpi_or_native);
  assert_string_equal(best_name(&map, 1), "bcast/native");
  assert_string_equal(tutti_candidates_format(&map.candidates, text), "openmpi, native");
  tutti_decision_map_choose(&map, of_mpich);
  assert_string_equal(best_name(&map, 1), "-");
}

static bool knows_all(const tutti_method *method, void *context)
{
  (void)context;
  return method->algorithm;
}

/* 4.5 % faster, 20 % faster with much noise, and 10 % faster than what the library chooses itself. */
TEST(own_choices_stand_unless_clearly_beaten)
{
  tutti_measurement points[] = {
      map_point("bcast/native", 2, 8, 1),  map_point("bcast/linear@openmpi", 2, 8, 0.955),
      map_point("bcast/native", 2, 16, 1), map_point("bcast/linear@openmpi", 2, 16, 0.8),
      map_point("bcast/native", 2, 32, 1), map_point("bcast/linear@openmpi", 2, 32, 0.9),
  };
  points[2].spread = 10;
  points[3].spread = 15;
  tutti_decision_map map = map_make(points, 6), restricted, selected;
  tutti_decision_map_choose(&map, of_openmpi_or_native);
  assert_int_equal(tutti_decision_map_restrict(&map, knows_all, NULL, &restricted, &error), TUTTI_OK);
  selected = tutti_decision_map_select(&map, (int[]){0, 0, 0}, 0, true);
  tutti_decision_map *copies[] = {&map, &restricted, &selected};
  for (int i = 0; i < 3; i++) {
    for (int point = 0; point < 3; point++)
      assert_string_equal(best_name(copies[i], point), "bcast/linear@openmpi");
    tutti_decision_map_favor_native(copies[i], 5);
    assert_string_equal(best_name(copies[i], 0), "bcast/native");
    assert_string_equal(best_name(copies[i], 1), "bcast/native");
    assert_string_equal(best_name(copies[i], 2), "bcast/linear@openmpi");
    tutti_decision_map_free(copies[i]);
  }
}

TEST(maps_of_a_map_have_its_candidates)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = planted_map(0), restricted, joint;
  tutti_decision_map_choose(&map, of_openmpi);
  assert_int_equal(tutti_decision_map_restrict(&map, knows_all, NULL, &restricted, &error), TUTTI_OK);
  assert_string_equal(best_name(&restricted, 0), "bcast/linear@openmpi");
  tutti_decision_map_fill(&map, NULL);
  assert_string_equal(best_name(&map, 0), "bcast/linear@openmpi");
  assert_int_equal(tutti_decision_map_join(&map, 1, TUTTI_ROBUST_MEAN, &joint, &error), TUTTI_OK);
  assert_string_equal(best_name(&joint, 0), "bcast/linear@openmpi");
  assert_int_equal(tutti_decision_map_smooth(&map, 1e6, &error), TUTTI_OK);
  assert_string_equal(best_name(&map, 0), "bcast/linear@openmpi");
}

static tutti_penalty penalty_of(const tutti_decision_map *map, const char *rules)
{
  FREED_BY(tutti_decision_free) tutti_decision decision;
  tutti_penalty penalty;
  assert_int_equal(tutti_decision_parse_rules(rules, "rules", &decision, &error), TUTTI_OK);
  assert_ok(tutti_penalty_compute(map, &decision, &penalty, &error), error);
  return penalty;
}

/* The rule is perfect by our code, and loses 123 % against the library left alone by the library's. */
TEST(a_decision_of_ours_is_judged_by_the_library)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = planted_map(0);
  assert_float_equal(penalty_of(&map, "bcast/binomial\n").mean, 0, 1e-9);
  tutti_decision_map_choose(&map, of_openmpi_or_native);
  assert_float_equal(penalty_of(&map, "bcast/binomial\n").mean, 123, 1e-9);
  assert_float_equal(penalty_of(&map, "bcast/binomial@openmpi\n").mean, 123, 1e-9);
  assert_float_equal(penalty_of(&map, "bcast/native\n").mean, 0, 1e-9);
}

/* Recursive doubling needs a power of two: the library's own substitute counts, and is what the worst point names. */
TEST(substitutes_are_of_the_same_code)
{
  const tutti_measurement points[] = {
      map_point("allgather/bruck", 3, 8, 9), map_point("allgather/bruck@openmpi", 3, 8, 3),
      map_point("allgather/ring@openmpi", 3, 8, 2), map_point("allgather/recursive-doubling@openmpi", 4, 8, 1)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 4);
  FREED_BY(tutti_decision_free) tutti_decision decision;
  tutti_penalty_point worst;
  char name[TUTTI_METHOD_LENGTH];
  int count;
  tutti_method picked = parsed("allgather/recursive-doubling");
  tutti_decision_map_choose(&map, of_openmpi);
  decision = tutti_decision_single(&picked);
  assert_float_equal(tutti_decision_map_serving_time(&map, 0, 0, &picked), 3, 0);
  assert_float_equal(tutti_decision_map_serving_time(&map, 1, 0, &picked), 1, 0);
  count = tutti_penalty_worst(&map, &decision, &worst, 1);
  assert_int_equal(count, 1);
  assert_float_equal(worst.percent, 50, 1e-9);
  assert_string_equal(tutti_method_format(&worst.picked, name), "allgather/bruck@openmpi");
}

/* A method that needs sides, and says none, is the one of the sides that were measured on as many ranks; nothing is
   known where these are several, its substitute runs where there are none. */
TEST(sides_that_are_not_said_are_those_measured)
{
  const tutti_measurement points[] = {map_point("allreduce/rabenseifner", 7, 8, 4),
                                      map_point("allreduce/rabenseifner", 8, 8, 4),
                                      map_point("allreduce/bucket/torus=4x2", 8, 8, 2),
                                      map_point("allreduce/rabenseifner", 16, 8, 1),
                                      map_point("allreduce/bucket/torus=4x4", 16, 8, 3),
                                      map_point("allreduce/torus-trees/torus=4x4/trees=1", 16, 8, 9),
                                      map_point("allreduce/two-level/ranks_per_node=2", 16, 8, 5),
                                      map_point("allreduce/rabenseifner", 32, 8, 4),
                                      map_point("allreduce/bucket/torus=8x4", 32, 8, 2),
                                      map_point("allreduce/bucket/torus=4x8", 32, 8, 2)};
  static const struct {
    const char *name;
    double seconds[4]; /* 0: not known */
  } picks[] = {{"allreduce/bucket", {4, 2, 3, 0}},
               {"allreduce/swing-torus", {4, 0, 0, 0}},
               {"allreduce/torus-trees", {4, 0, 0, 0}},
               {"allreduce/two-level", {0, 0, 5, 0}}};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, sizeof points / sizeof *points);
  for (size_t p = 0; p < sizeof picks / sizeof *picks; p++) {
    const tutti_method picked = parsed(picks[p].name);
    for (int i = 0; i < 4; i++) {
      const double seconds = tutti_decision_map_serving_time(&map, i, 0, &picked);
      assert_true(isnan(seconds) ? picks[p].seconds[i] == 0 : seconds == picks[p].seconds[i]);
    }
  }
  const tutti_penalty penalty = penalty_of(&map, "allreduce/bucket\n");
  assert_float_equal(penalty.max, 200, 1e-9);
  assert_int_equal(penalty.points, 3);
  assert_int_equal(penalty.substituted, 1);
  assert_int_equal(penalty.missing, 1);
}

TEST(notable_differences_are_counted)
{
  static const double times[] = {94, 96, 104, 106, 200}, reference[] = {100, 100, 100, 100, 100};
  tutti_improvement improvement = tutti_improvement_over(times, reference, 5);
  assert_int_equal(improvement.faster, 1);
  assert_int_equal(improvement.slower, 2);
}

/* What is best is learnt, native included; what is no candidate is not even a class. */
TEST(learners_pick_candidates)
{
  static const struct {
    const tutti_candidates *candidates;
    const char *picked;
  } cases[] = {{&of_openmpi, "bcast/linear@openmpi"}, {&of_openmpi_or_native, "bcast/native"}};
  for (int i = 0; i < 2; i++)
    for (int l = 0; l < tutti_learner_count(); l++) {
      tutti_decision_map map = planted_map(0);
      tutti_decision_trees trees = {.items = calloc(1, sizeof *trees.items), .count = 1};
      const tutti_learn_options options = {.seed = 1};
      const tutti_question question = {TUTTI_COLL_BCAST, 2, 1, 8};
      tutti_decision decision;
      tutti_method method;
      char name[TUTTI_METHOD_LENGTH];
      tutti_decision_map_choose(&map, *cases[i].candidates);
      if (tutti_learn(tutti_learner_at(l), NULL, &options, &map, 1, trees.items, NULL, &error) != TUTTI_OK ||
          tutti_decision_of_trees("learnt", &trees, &decision, &error) != TUTTI_OK)
        fail_msg("%s: %s", tutti_learner_at(l)->name, error.message);
      assert_true(decision.decide(&decision, &question, &method));
      assert_string_equal(tutti_method_format(&method, name), cases[i].picked);
      tutti_decision_free(&decision);
      tutti_decision_trees_free(&trees);
      tutti_decision_map_free(&map);
    }
}

static tutti_decision decision_of(const char *content)
{
  SCRATCH_FILE(file, "decision", content);
  tutti_decision decision;
  assert_ok(tutti_decision_read(file.path, &decision, &error), error);
  return decision;
}

TEST(a_decision_knows_whose_code_it_names)
{
  static const struct {
    const char *content;
    tutti_implementation implementation;
  } cases[] = {
      {"bcast/linear\n", TUTTI_IMPLEMENTATION_TUTTI},
      {"bcast/native\n", TUTTI_IMPLEMENTATION_TUTTI},
      {"bcast/linear bytes=..8\nbcast/binomial/8KB@openmpi\n", TUTTI_IMPLEMENTATION_OPENMPI},
      {"tutti-decision 1\ntree bcast\nattribute bytes\nbytes <= 8 : native\nbytes > 8 : in-order-binomial@mpich\n",
       TUTTI_IMPLEMENTATION_MPICH},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_decision decision = decision_of(cases[i].content);
    assert_int_equal(decision.implementation, cases[i].implementation);
    tutti_decision_free(&decision);
  }
}

TEST(trees_are_written_and_read_back)
{
  static const char tree[] =
      "tutti-decision 1\ntree bcast\nattribute bytes\nbytes <= 8 : native (0.0)\nbytes > 8 :\n"
      "|   bytes <= 64 : chain/8KB/k=2@openmpi (0.0)\n|   bytes > 64 : split-binary/1KB@openmpi (0.0)\n";
  FREED_BY(tutti_decision_free) tutti_decision decision = decision_of(tree);
  FREED_BY(free_memory) char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_int_equal(tutti_decision_trees_write(tutti_decision_get_trees(&decision), NULL, stream, &error), TUTTI_OK);
  fclose(stream);
  assert_string_equal(text, tree);
}

/* The owner of a method is a part of its class. */
TEST(cases_name_the_owner)
{
  const tutti_measurement points[] = {map_point("bcast/chain/8KB/k=2@openmpi", 2, 8, 1),
                                      map_point("bcast/split-binary/1KB@openmpi", 4, 8, 1)};
  const tutti_learn_options options = {.seed = 1};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 2);
  FREED_BY(tutti_decision_tree_free) tutti_decision_tree tree;
  FREED_BY(tutti_cases_free) tutti_cases cases;
  assert_int_equal(tutti_learn_cases(&map, 1, &options, &tree, &cases, NULL, &error), TUTTI_OK);
  assert_int_equal(cases.count, 2);
  for (size_t i = 0; i < cases.count; i++)
    assert_string_equal(cases.classes[cases.labels[i]], i ? "split-binary/1KB@openmpi" : "chain/8KB/k=2@openmpi");
}
