/* Files for a library, by the times of the library itself: what replaces methods, what the file costs, against the best
   and against the library left alone, and what it leaves to the library. */
#include "decision/libraries/libraries.h"
#include "unit/decision/libraries/target_fixture.h"
#include "unit/decision/map_fixture.h"

enum { SIZES = 3 };
static const uint64_t size_of[SIZES] = {1, 100, 10000};

/* Seconds on 4 ranks. Our binomial tree loses nothing against our other methods; by the library's code it takes 2.23
   times what the library takes when it is left alone. */
static const struct {
  const char *method;
  double seconds[SIZES];
} openmpi_times[] = {
    {"bcast/binomial", {5, 5, 5}},         {"bcast/linear", {6, 6, 6}},
    {"bcast/linear@openmpi", {0.5, 4, 4}}, {"bcast/binomial@openmpi", {2.23, 2.23, 2.23}},
    {"bcast/native", {1, 1, 1}},
};
enum { METHODS = sizeof openmpi_times / sizeof *openmpi_times };

static const tutti_candidates own_or_native = {.implementation = TUTTI_IMPLEMENTATION_OPENMPI, .native = true};

static tutti_decision_map make_map(tutti_candidates candidates)
{
  tutti_measurement points[METHODS * SIZES];
  size_t count = 0;
  for (int m = 0; m < METHODS; m++)
    for (int j = 0; j < SIZES; j++)
      points[count++] = map_point(openmpi_times[m].method, 4, size_of[j], openmpi_times[m].seconds[j]);
  tutti_decision_map map = map_make(points, count);
  tutti_decision_map_choose(&map, candidates);
  return map;
}

static tutti_export_part export_rules(const char *target, tutti_decision *decision, const tutti_decision_map *map)
{
  tutti_range range = tutti_range_of_map(map);
  return fixture_take(target, decision, TUTTI_COLL_BCAST, &range);
}

static const char *name_at(const tutti_export_part *part, uint64_t bytes)
{
  static char name[TUTTI_METHOD_LENGTH];
  int index = tutti_step_table_find(&part->table, 4, bytes);
  return index < 0 ? "-" : tutti_method_format(&part->table.methods[index], name);
}

TEST(the_library_judges)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/binomial\n");
  FREED_BY(tutti_decision_map_free)
  tutti_decision_map ours = make_map((tutti_candidates){.native = false}), own = make_map(own_or_native);
  tutti_export_part part = export_rules("openmpi", &decision, &ours);
  assert_float_equal(part.after.mean, 0, 1e-9);
  assert_int_equal(part.untuned.points, 0);
  tutti_export_part_free(&part);
  part = export_rules("openmpi", &decision, &own);
  assert_float_equal(part.before.mean, (346 + 123 + 123) / 3.0, 1e-9);
  assert_float_equal(part.after.mean, part.before.mean, 1e-9);
  assert_float_equal(part.after.max, 346, 1e-9);
  assert_float_equal(part.untuned.mean, -123, 1e-9);
  assert_float_equal(part.untuned.min, -123, 1e-9);
  assert_int_equal(part.untuned.points, 3);
  assert_int_equal(part.untuned.slower, 3);
  assert_int_equal(part.untuned.faster, 0);
  assert_int_equal(part.replaced, 0);
  tutti_export_part_free(&part);
}

/* Open MPI has no k-ary tree: what takes its place is what costs least by its own times, over the points of a step. */
TEST(replacements_cost_least_by_own_times)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = fixture_rules("bcast/k-ary/k=3 bytes=..99\nbcast/k-ary/k=4\n");
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(own_or_native);
  tutti_export_part part = export_rules("openmpi", &decision, &map);
  assert_string_equal(name_at(&part, 1), "bcast/linear");
  assert_string_equal(name_at(&part, 100), "-");
  assert_int_equal(part.replaced, 3);
  assert_float_equal(part.after.mean, 0, 1e-9);
  assert_int_equal(part.untuned.faster, 1);
  assert_int_equal(part.untuned.slower, 0);
  tutti_export_part_free(&part);
  tutti_decision_map_choose(&map, (tutti_candidates){.implementation = TUTTI_IMPLEMENTATION_OPENMPI});
  part = export_rules("openmpi", &decision, &map);
  assert_string_equal(name_at(&part, 100), "bcast/binomial");
  tutti_export_part_free(&part);
}

/* ---- what is left to the library ---- */

static const char *const leaving[] = {"openmpi-4.1", "openmpi-5", "openmpi-6", "mpich-4.0", "mpich-4.1"};

static tutti_tuning *read_back(const char *target, const tutti_export_part *part)
{
  tutti_tuning *tuning;
  assert_ok(tutti_tuning_of_parts(fixture_target(target), part, 1, &tuning, &error), error);
  return tuning;
}

/* What MPICH chooses for 100 bytes on 4 ranks is its binomial tree; its file has the conditions of that choice. */
TEST(native_is_the_own_choice)
{
  for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++) {
    bool openmpi = strncmp(leaving[i], "openmpi", 7) == 0;
    tutti_decision decision = fixture_rules(openmpi ? "bcast/native bytes=100\nbcast/linear@openmpi\n"
                                                    : "bcast/native bytes=100\nbcast/scatter-ring@mpich\n");
    tutti_decision_map map = make_map(own_or_native);
    tutti_export_part part = export_rules(leaving[i], &decision, &map);
    tutti_tuning *tuning = read_back(leaving[i], &part);
    assert_string_equal(name_at(&part, 1), openmpi ? "bcast/linear" : "bcast/scatter-ring");
    assert_string_equal(name_at(&part, 100), "-");
    for (int j = 0; j < SIZES; j++) {
      const tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = 4, .rank_bytes = size_of[j]};
      tutti_explanation explanation;
      assert_int_equal(tutti_explain(tuning, &call, &explanation, &error), TUTTI_OK);
      assert_int_equal(explanation.own_choice, openmpi && j == 1);
      if (!openmpi)
        assert_string_equal(explanation.algorithm,
                            j == 1 ? "MPIR_Bcast_intra_binomial" : "MPIR_Bcast_intra_scatter_ring_allgather");
      tutti_explanation_free(&explanation);
    }
    assert_int_equal(part.replaced, 0);
    assert_int_equal(part.points, 3);
    /* By its own times: 0.5, the library's choice 1, and 4 seconds. */
    assert_int_equal(part.untuned.points, openmpi ? 3 : 1);
    assert_int_equal(part.untuned.faster, openmpi ? 1 : 0);
    assert_int_equal(part.untuned.slower, openmpi ? 1 : 0);
    tutti_tuning_close(tuning);
    tutti_export_part_free(&part);
    tutti_decision_map_free(&map);
    tutti_decision_free(&decision);
  }
}

/* ---- what is the library's own choice by another name ---- */

/* On 4 ranks Open MPI 4.1 runs its binomial tree for 64 to 127 and 2048 to 8191 bytes, and a linear broadcast for
 * 10000. */
TEST(other_names_of_native_have_its_time)
{
  static const struct {
    const char *version;
    double binomial, linear;
    int own;
  } expected[] = {{"openmpi-4.1.4", 1, 1, 1}, {"openmpi-5.0", 2.23, 4, 0}, {"mpich-4.0.2", 2.23, 4, 0}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    tutti_decision_map map = make_map(own_or_native);
    tutti_decision decision = fixture_rules("bcast/binomial\n"), native = fixture_rules("bcast/native\n");
    tutti_library_version version;
    tutti_penalty penalty;
    assert_int_equal(tutti_library_version_parse(expected[i].version, &version, &error), TUTTI_OK);
    assert_int_equal(tutti_untuned_mark(&version, &map, &error), TUTTI_OK);
    assert_float_equal(map_time(&map, "bcast/binomial@openmpi", 4, 100), expected[i].binomial, 0);
    assert_float_equal(map_time(&map, "bcast/linear@openmpi", 4, 10000), expected[i].linear, 0);
    assert_float_equal(map_time(&map, "bcast/binomial@openmpi", 4, 1), 2.23, 0);
    assert_float_equal(map_time(&map, "bcast/binomial", 4, 100), 5, 0);
    assert_int_equal(tutti_penalty_compute(&map, &decision, &penalty, &error), TUTTI_OK);
    assert_int_equal(penalty.own_choice, expected[i].own);
    assert_int_equal(tutti_penalty_compute(&map, &native, &penalty, &error), TUTTI_OK);
    assert_int_equal(penalty.own_choice, 3);
    tutti_decision_map_free(&map);
    tutti_decision_free(&decision);
    tutti_decision_free(&native);
  }
}

/* A segment as large as the message is none. */
TEST(idle_segments_change_nothing)
{
  const tutti_measurement points[] = {map_point("bcast/binomial/1KB@openmpi", 4, 100, 3),
                                      map_point("bcast/binomial/1KB@openmpi", 4, 4096, 3),
                                      map_point("bcast/native", 4, 100, 2), map_point("bcast/native", 4, 4096, 2)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 4);
  tutti_library_version version;
  assert_int_equal(tutti_library_version_parse("openmpi", &version, &error), TUTTI_OK);
  assert_int_equal(tutti_untuned_mark(&version, &map, &error), TUTTI_OK);
  assert_float_equal(map_time(&map, "bcast/binomial/1KB@openmpi", 4, 100), 2, 0);
  assert_float_equal(map_time(&map, "bcast/binomial/1KB@openmpi", 4, 4096), 3, 0);
}

/* ---- rules that change nothing ---- */

static bool decide_own_between(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_decision *own = decision->data;
  bool between = question->rank_bytes >= 100 && question->rank_bytes < 100000;
  if (between || !own[1].decide)
    return own->decide(own, question, method);
  return own[1].decide(&own[1], question, method);
}

/* The library, told what its decision says for 100 to 99999 bytes, and around that something else. */
static tutti_export_part export_own_between(const char *target, const char *library, const char *around,
                                            const tutti_decision_map *map)
{
  tutti_decision own[2] = {{.name = NULL}};
  tutti_decision decision = {.name = (char *)"own", .collective = TUTTI_COLL_BCAST, .decide = decide_own_between};
  decision.data = own;
  assert_ok(tutti_decision_library(library, TUTTI_COLL_BCAST, &own[0], &error), error);
  if (around)
    own[1] = fixture_rules(around);
  tutti_range range = tutti_range_of_map(map);
  tutti_export_part part = fixture_take(target, &decision, TUTTI_COLL_BCAST, &range);
  tutti_decision_free(&own[0]);
  if (around)
    tutti_decision_free(&own[1]);
  return part;
}

static const char *const libraries[][3] = {{"openmpi-4.1", "library:openmpi-4.1", "bcast/chain/8KB/k=2\n"},
                                           {"mpich-4.0", "library:mpich-4.0", "bcast/scatter-ring\n"},
                                           {"mpich-4.1", "library:mpich-4.0", "bcast/scatter-ring\n"}};

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static tutti_decision_map make_wide_map(void)
{
  const tutti_measurement points[] = {map_point("bcast/linear", 2, 1, 1), map_point("bcast/linear", 13, 1 << 20, 1)};
  return map_make(points, 2);
}

TEST(nothing_is_written_where_nothing_changes)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_wide_map();
  for (int i = 0; i < LIBRARIES; i++) {
    tutti_export_part part = export_own_between(libraries[i][0], libraries[i][1], NULL, &map);
    assert_false(tutti_step_table_answers(&part.table));
    char *text = fixture_write(libraries[i][0], &part, 1), *none = fixture_write(libraries[i][0], NULL, 0);
    assert_string_equal(text, none);
    free(text);
    free(none);
    tutti_export_part_free(&part);
  }
}

/* What is left out must not be taken by the rules beside it. */
TEST(neighbors_do_not_spread)
{
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_wide_map();
  for (int i = 0; i < LIBRARIES; i++) {
    tutti_export_part part = export_own_between(libraries[i][0], libraries[i][1], libraries[i][2], &map);
    tutti_tuning *file = read_back(libraries[i][0], &part), *none;
    int left = 0;
    assert_int_equal(tutti_tuning_of_parts(fixture_target(libraries[i][0]), NULL, 0, &none, &error), TUTTI_OK);
    for (int ranks = 2; ranks < 14; ranks++)
      for (uint64_t bytes = 1; bytes < 1 << 20; bytes = bytes < 4 ? bytes + 1 : bytes * 5 / 4) {
        const tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = ranks, .rank_bytes = bytes};
        tutti_explanation told, alone;
        bool own = bytes >= 100 && bytes < 100000;
        assert_int_equal(tutti_explain_answer(file, &call, &told, &error), TUTTI_OK);
        assert_int_equal(tutti_explain_answer(none, &call, &alone, &error), TUTTI_OK);
        if (own && !tutti_untuned_same(&told, &alone, bytes))
          fail_msg("%s, %d ranks, %llu bytes: %s instead of %s", libraries[i][0], ranks, (unsigned long long)bytes,
                   told.algorithm, alone.algorithm);
        assert_true(own || strstr(told.algorithm, i == 0 ? "chain" : "scatter_ring"));
        left += own && tutti_step_table_find(&part.table, ranks, bytes) < 0;
      }
    assert_true(i > 0 || left > 100); /* the conditions of MPICH are longer than the one rule */
    tutti_tuning_close(file);
    tutti_tuning_close(none);
    tutti_export_part_free(&part);
  }
}

/* An algorithm that MPICH has for any number of ranks. */
static const tutti_algorithm *find_plain(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective == collective && !algorithm->parts[0].name &&
        tutti_target_supports(fixture_target("mpich"), &method, 7) &&
        tutti_target_supports(fixture_target("mpich"), &method, 8))
      return algorithm;
  }
  return NULL;
}

/* Fail unless a file, where its table says nothing, does what MPICH does without it; returns at how many points. */
static int compare_own_choices(const tutti_export_part *part, const tutti_tuning *file, const tutti_tuning *none)
{
  int compared = 0;
  for (int ranks = 2; ranks < 40; ranks++)
    for (uint64_t bytes = 0; bytes < 1 << 22; bytes = bytes < 2 ? bytes + 1 : bytes * 3 / 2) {
      const tutti_explained_call call = {.collective = part->table.collective, .ranks = ranks, .rank_bytes = bytes};
      tutti_explanation told, alone;
      if (tutti_step_table_find(&part->table, ranks, bytes) >= 0)
        continue;
      assert_int_equal(tutti_explain(file, &call, &told, &error), TUTTI_OK);
      assert_int_equal(tutti_explain(none, &call, &alone, &error), TUTTI_OK);
      if (strcmp(told.algorithm, alone.algorithm) != 0 || told.fails != alone.fails)
        fail_msg("%s, %d ranks, %llu bytes: %s instead of %s", tutti_collective_name(call.collective), ranks,
                 (unsigned long long)bytes, told.algorithm, alone.algorithm);
      tutti_explanation_free(&told);
      tutti_explanation_free(&alone);
      compared++;
    }
  return compared;
}

/* Below other conditions some of MPICH's own are never true, and left out. */
TEST(own_choices_are_those_without_a_file)
{
  int collectives = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const tutti_algorithm *algorithm = find_plain((tutti_collective)c);
    const char *name = tutti_collective_name((tutti_collective)c);
    bool sized = algorithm && fixture_target("mpich")->unit((tutti_collective)c) != TUTTI_UNIT_NONE;
    char rules[400];
    if (!algorithm)
      continue;
    snprintf(rules, sizeof rules,
             sized ? "%s/native ranks=..5 bytes=..600\n%s/native ranks=5..12 bytes=100..60000\n%s/native ranks=20..25\n"
                     "%s/%s\n"
                   : "%s/native ranks=..4\n%s/native ranks=9..12\n%s/native ranks=20..25\n%s/%s\n",
             name, name, name, name, algorithm->name);
    tutti_decision decision = fixture_rules(rules);
    tutti_range range = tutti_range_without_map(64);
    tutti_export_part part = fixture_take("mpich", &decision, (tutti_collective)c, &range);
    tutti_tuning *file = read_back("mpich", &part), *none;
    assert_int_equal(tutti_tuning_of_parts(fixture_target("mpich"), NULL, 0, &none, &error), TUTTI_OK);
    assert_true(compare_own_choices(&part, file, none) > 100);
    collectives++;
    tutti_tuning_close(file);
    tutti_tuning_close(none);
    tutti_export_part_free(&part);
    tutti_decision_free(&decision);
  }
  assert_true(collectives > 8);
}

/* Targets that do not look at the message: the method, or the own choice, that costs least at all sizes. */
TEST(one_choice_for_all_sizes)
{
  const tutti_measurement points[] = {map_point("scan/linear@openmpi", 4, 8, 1),
                                      map_point("scan/linear@openmpi", 4, 800, 9), map_point("scan/native", 4, 8, 2),
                                      map_point("scan/native", 4, 800, 2)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 4);
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("scan/linear bytes=..8\nscan/native\n");
  tutti_decision_map_choose(&map, own_or_native);
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_SCAN, &range);
  assert_int_equal(tutti_step_table_find(&part.table, 4, 8), -1);
  assert_int_equal(part.replaced, 1);
  assert_int_equal(part.untuned.slower, 0);
}

/* A file of Open MPI as a decision: its own choice is a method by name, or native if that is asked for. */
TEST(own_choices_are_native_if_asked)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/native\n"), read;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(own_or_native);
  FREED_BY(tutti_export_part_free) tutti_export_part part = export_rules("openmpi", &decision, &map);
  FREED_BY(close_tuning) tutti_tuning *tuning = read_back("openmpi", &part);
  const tutti_question question = {TUTTI_COLL_BCAST, 4, 1, 100};
  tutti_method method;
  read = tutti_tuning_decision(tuning, "read");
  assert_int_equal(read.implementation, TUTTI_IMPLEMENTATION_OPENMPI);
  assert_true(read.decide(&read, &question, &method));
  assert_false(tutti_method_is_native(&method));
  read.own_choice_is_native = true;
  assert_true(read.decide(&read, &question, &method));
  assert_true(tutti_method_is_native(&method));
}

/* ---- whose names a target takes ---- */

TEST(only_the_own_library_is_told)
{
  static const struct {
    const char *target, *rules;
  } cases[] = {
      {"mpich", "bcast/binomial@openmpi\n"},
      {"openmpi", "bcast/in-order-binomial@mpich\n"},
      {"openmpi", "bcast/linear bytes=..8\nbcast/linear@smpi\n"},
      {"smpi", "bcast/binomial@openmpi\n"},
      {"tutti", "bcast/linear bytes=..8\nbcast/binomial@openmpi\n"},
      {"c", "bcast/binomial@openmpi\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_decision decision = fixture_rules(cases[i].rules);
    tutti_range range = tutti_range_without_map(8);
    tutti_export_part part;
    assert_int_equal(tutti_export_part_create(fixture_target(cases[i].target), &decision, TUTTI_COLL_BCAST, &range,
                                              NULL, 0, &part, &error),
                     TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, "only files for"))
      fail_msg("%s: '%s'", cases[i].target, error.message);
    tutti_decision_free(&decision);
  }
}

TEST(supported_methods)
{
  static const struct {
    const char *target, *method;
    bool supported;
  } cases[] = {
      {"openmpi", "bcast/binomial/8KB@openmpi", true},
      {"openmpi", "bcast/binomial/8KB", true},
      {"openmpi", "bcast/in-order-binomial@mpich", false},
      {"openmpi", "bcast/native", true},
      {"openmpi", "bcast/native/selector=ompi", false},
      {"mpich", "bcast/native", true},
      {"mpich", "bcast/native/selector=alpha", false},
      {"mpich-ch4-4.0", "bcast/native/selector=gamma", true},
      {"mpich-ch4-4.0", "barrier/native/selector=gamma", false},
      {"mpich-posix-4.2", "barrier/native/selector=mpir", true},
      {"mpich-posix-4.2", "gather/native/selector=mpir", false},
      {"mpich-posix-4.2", "bcast/native/selector=alpha", false},
      {"openmpi-han-5", "bcast/native/selector=alpha", false},
      {"mpich", "bcast/in-order-binomial@mpich", true},
      {"smpi", "bcast/native", false},
      {"smpi", "bcast/linear@smpi", true},
      {"tutti", "bcast/native", true},
      {"tutti", "bcast/linear@openmpi", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_method method = parsed(cases[i].method);
    if (tutti_target_supports(fixture_target(cases[i].target), &method, 4) != cases[i].supported)
      fail_msg("%s and %s", cases[i].target, cases[i].method);
  }
}

/* The library picks the parts: the file says the algorithm, and nothing was replaced. */
TEST(parts_are_the_librarys)
{
  const tutti_measurement points[] = {map_point("allreduce/reduce-bcast@openmpi", 4, 8, 1),
                                      map_point("allreduce/recursive-doubling@openmpi", 4, 8, 2),
                                      map_point("allreduce/native", 4, 8, 2)};
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 3);
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("allreduce/reduce-bcast@openmpi\n");
  tutti_decision_map_choose(&map, own_or_native);
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_ALLREDUCE, &range);
  assert_int_equal(part.replaced, 0);
  assert_float_equal(part.after.mean, 0, 0);
  assert_int_equal(part.untuned.faster, 1);
}
