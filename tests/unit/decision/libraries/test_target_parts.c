/* Methods made of others, whose parts the library picks itself: what an export keeps is what the library runs by the
   file at every measured point, and what it counts as replaced is what it does not run. */
#include "decision/libraries/libraries.h"
#include "unit/algorithms/catalogue/method_fixture.h"
#include "unit/decision/libraries/target_fixture.h"

enum { SEEDS = 20, MAX_METHODS = 12, MAX_RANKS = 6, MAX_SIZES = 8, COMPOSITES = 5 };

/* Each serves all calls, and all libraries here that have it run it as it is. */
static const char *const plain[] = {
    "bcast/in-order-binomial",
    "bcast/linear",
    "bcast/pipeline/8KB",
    "bcast/binary/32KB",
    "bcast/binomial",
    "reduce/in-order-binomial",
    "reduce/linear",
    "reduce/binomial",
    "reduce/pipeline/1KB",
    "reduce/in-order-binary",
    "gather/linear",
    "gather/binomial",
    "scatter/linear",
    "scatter/binomial",
    "allgather/bruck",
    "allgather/ring",
    "allgatherv/bruck",
    "allgatherv/ring",
    "allreduce/recursive-doubling",
    "reduce_scatter/butterfly",
    "reduce_scatter/recursive-doubling",
    "reduce_scatter_block/butterfly",
    "reduce_scatter_block/recursive-doubling",
};
enum { PLAIN = sizeof plain / sizeof *plain };

static const char *const composites[COMPOSITES] = {"allgather/gather-bcast", "allgatherv/gather-bcast",
                                                   "reduce_scatter/reduce-scatter",
                                                   "reduce_scatter_block/reduce-scatter", "allreduce/reduce-bcast"};

static const char *const targets[] = {"openmpi-4.1", "openmpi-5", "openmpi-6", "mpich-4.0", "mpich-4.1", "tutti"};
enum { TARGETS = sizeof targets / sizeof *targets };

struct points {
  int ranks[MAX_RANKS], ranks_count, size_count;
  uint64_t sizes[MAX_SIZES];
};

/* Ascending. */
static struct points random_points(uint64_t *state)
{
  struct points points = {.ranks_count = 2 + (int)random_below(state, MAX_RANKS - 1),
                          .size_count = 3 + (int)random_below(state, MAX_SIZES - 2)};
  for (int i = 0; i < points.ranks_count; i++)
    points.ranks[i] = (i ? points.ranks[i - 1] : 1) + 1 + (int)random_below(state, 14);
  for (int i = 0; i < points.size_count; i++)
    points.sizes[i] =
        (i ? points.sizes[i - 1] : 0) + 1 + random_below(state, 8) * (UINT64_C(1) << random_below(state, 17));
  return points;
}

static tutti_decision_map make_map(const struct points *points, const tutti_method *methods, int count, uint64_t *state)
{
  static tutti_measurement measurements[MAX_METHODS * MAX_RANKS * MAX_SIZES];
  tutti_decision_map map;
  size_t measured = 0;
  memset(measurements, 0, sizeof measurements);
  for (int m = 0; m < count; m++)
    for (int i = 0; i < points->ranks_count; i++)
      for (int j = 0; j < points->size_count; j++) {
        tutti_measurement *measurement = &measurements[measured++];
        measurement->method = methods[m];
        measurement->ranks = points->ranks[i];
        measurement->ranks_per_node = 1;
        measurement->count = measurement->rank_bytes = points->sizes[j];
        measurement->type_size = 1;
        measurement->minimum = measurement->median = measurement->mean = measurement->maximum =
            1 + (double)random_below(state, 1000);
      }
  assert_ok(tutti_decision_map_create(measurements, measured, &map, &error), error);
  return map;
}

/* The best at each point, as rules. */
static tutti_decision best_of(const tutti_decision_map *map)
{
  char text[20000], name[TUTTI_METHOD_LENGTH];
  size_t length = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      length += (size_t)snprintf(text + length, sizeof text - length, "%s ranks=%d bytes=%llu\n",
                                 tutti_method_format(&map->methods[tutti_decision_map_best_at(map, i, j)], name),
                                 map->ranks[i], (unsigned long long)map->sizes[j]);
  assert_true(length < sizeof text);
  return fixture_rules(text);
}

enum { MAX_PARTS = 5 };

struct file {
  const tutti_target *target;
  struct points points;
  int count;
  tutti_decision_map maps[MAX_PARTS];
  tutti_decision decisions[MAX_PARTS];
  tutti_export_part parts[MAX_PARTS];
};

static int plain_of(tutti_collective collective, tutti_method *methods)
{
  int count = 0;
  for (int i = 0; i < PLAIN; i++) {
    tutti_method method = parsed(plain[i]);
    if (method.algorithm->collective == collective)
      methods[count++] = method;
  }
  return count;
}

static void add(struct file *file, tutti_collective collective, const tutti_method *methods, int count, uint64_t *state)
{
  int i = file->count;
  file->maps[i] = make_map(&file->points, methods, count, state);
  file->decisions[i] = best_of(&file->maps[i]);
  tutti_range range = tutti_range_of_map(&file->maps[i]);
  range.extend = random_below(state, 2);
  assert_ok(tutti_export_part_create(file->target, &file->decisions[i], collective, &range, file->parts, i,
                                     &file->parts[i], &error),
            error);
  file->count++;
}

/* Parts by chance, or what the library picks at a point by what the file has so far. */
static tutti_method random_composite(const struct file *file, const char *name, uint64_t *state)
{
  tutti_method method = parsed(name), parts[PLAIN];
  tutti_explained_call call = {.collective = method.algorithm->collective, .ranks_per_node = 1};
  tutti_explanation answer = {.max = UINT64_MAX};
  struct explaining explaining = {.call = &call, .answer = &answer, .silent = true};
  tutti_tuning *tuning;
  for (int p = 0; p < TUTTI_MAX_PARTS && method.algorithm->parts[p].name; p++) {
    int count = plain_of(method.algorithm->parts[p].collective, parts);
    if (count > 0)
      library_set_part(&method, p, &parts[random_below(state, (uint64_t)count)]);
  }
  if (random_below(state, 3) == 0)
    return method;
  assert_int_equal(tutti_tuning_of_parts(file->target, file->parts, file->count, &tuning, NULL), TUTTI_OK);
  explaining.tuning = tuning;
  call.ranks = file->points.ranks[random_below(state, (uint64_t)file->points.ranks_count)];
  call.rank_bytes = file->points.sizes[random_below(state, (uint64_t)file->points.size_count)];
  if (tuning && tuning->file.version.library->pick_parts)
    assert_true(tuning->file.version.library->pick_parts(&explaining, &method, NULL));
  tutti_tuning_close(tuning);
  return method;
}

static bool is_there(const tutti_method *methods, int count, const tutti_method *method)
{
  for (int i = 0; i < count; i++)
    if (tutti_method_compare(&methods[i], method) == 0)
      return true;
  return false;
}

/* A file about some of the collectives that are parts, and one that is made of them. */
/* In place: its parts point to its maps and decisions. */
static void make_file(struct file *file, const char *target, const char *composite, uint64_t *state)
{
  *file = (struct file){.target = fixture_target(target), .points = random_points(state)};
  const tutti_algorithm *algorithm = parsed(composite).algorithm;
  tutti_method methods[MAX_METHODS];
  for (int p = 0; p < TUTTI_MAX_PARTS && algorithm->parts[p].name; p++) {
    int count = plain_of(algorithm->parts[p].collective, methods);
    if (count > 0 && random_below(state, 3))
      add(file, algorithm->parts[p].collective, methods, count, state);
  }
  int count = plain_of(algorithm->collective, methods);
  while (count < MAX_METHODS) {
    tutti_method method = random_composite(file, composite, state);
    if (!is_there(methods, count, &method))
      methods[count++] = method;
    else if (random_below(state, 4) == 0)
      break;
  }
  add(file, algorithm->collective, methods, count, state);
}

static void free_file(struct file *file)
{
  for (int i = 0; i < file->count; i++) {
    tutti_export_part_free(&file->parts[i]);
    tutti_decision_free(&file->decisions[i]);
    tutti_decision_map_free(&file->maps[i]);
  }
}

/* ---- the file read back ---- */

static tutti_decision read_back(const struct file *file)
{
  char path[] = "/tmp/tutti-parts.XXXXXX", *text = fixture_write(file->target->name, file->parts, file->count);
  tutti_library_version version = tutti_library_version_of_target(file->target);
  tutti_decision decision;
  int number = mkstemp(path);
  assert_true(number >= 0 && write(number, text, strlen(text)) == (ssize_t)strlen(text));
  close(number);
  assert_ok(tutti_decision_tuning(path, &version, &decision, &error), error);
  unlink(path);
  free(text);
  return decision;
}

/* Returns at how many points of the part a method made of others is kept. */
static int check_part(const struct file *file, const tutti_export_part *part, const tutti_decision *read)
{
  int replaced = 0, kept = 0;
  tutti_penalty penalty = {0};
  for (int i = 0; i < part->map->ranks_count; i++)
    for (int j = 0; j < part->map->size_count; j++) {
      tutti_question question = {part->table.collective, part->map->ranks[i], 1, part->map->sizes[j]};
      tutti_method wanted, run = {0};
      char name[TUTTI_METHOD_LENGTH], other[TUTTI_METHOD_LENGTH];
      int index = tutti_step_table_find(&part->table, question.ranks, question.rank_bytes);
      assert_true(part->decision->decide(part->decision, &question, &wanted));
      bool answered = read->decide(read, &question, &run), same = tutti_method_compare(&wanted, &run) == 0;
      bool replaceable = wanted.algorithm->parts[0].name || !file->target->supports(&wanted, question.ranks);
      bool left = index < 0 && (same || replaceable); /* what shall run is the library's own choice */
      if (!answered || (!left && (index < 0 || tutti_method_compare(&part->table.methods[index], &run) != 0)))
        fail_msg("%s, %d ranks, %llu bytes: %s was written, %s runs", file->target->name, question.ranks,
                 (unsigned long long)question.rank_bytes,
                 index < 0 ? "nothing" : tutti_method_format(&part->table.methods[index], name),
                 answered ? tutti_method_format(&run, other) : "nothing");
      replaced += !same;
      kept += same && run.algorithm->parts[0].name;
    }
  assert_int_equal(part->replaced, replaced);
  assert_int_equal(part->points, part->map->ranks_count * part->map->size_count);
  assert_int_equal(tutti_penalty_compute(part->map, read, &penalty, NULL), TUTTI_OK);
  assert_int_equal(penalty.missing, 0);
  assert_int_equal(penalty.points, part->points);
  assert_float_equal(penalty.mean, part->after.mean, 0);
  assert_float_equal(penalty.max, part->after.max, 0);
  return kept;
}

TEST(test_files_run_what_was_exported)
{
  for (int t = 0; t < TARGETS; t++) {
    int kept = 0, replaced = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      uint64_t random = seed * TARGETS + (uint64_t)t;
      struct file file;
      make_file(&file, targets[t], composites[seed % COMPOSITES], &random);
      tutti_decision read = read_back(&file);
      for (int i = 0; i < file.count; i++)
        kept += check_part(&file, &file.parts[i], &read);
      replaced += file.parts[file.count - 1].replaced;
      tutti_decision_free(&read);
      free_file(&file);
    }
    /* Both cases occur; MPICH has no such algorithms, and Tutti's own files say everything. */
    assert_int_equal(kept > 0, strncmp(targets[t], "mpich", 5) != 0);
    assert_int_equal(replaced > 0, strcmp(targets[t], "tutti") != 0);
  }
}

/* Rabenseifner's algorithm wants an element a rank of the power of two, else Open MPI runs two linear parts. */
TEST(test_what_does_not_serve_a_call_is_replaced)
{
  const tutti_method methods[] = {parsed("allreduce/rabenseifner")};
  const struct points points = {.ranks = {8}, .ranks_count = 1, .sizes = {8, 8192}, .size_count = 2};
  uint64_t random = 1;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(&points, methods, 1, &random);
  FREED_BY(tutti_decision_free) tutti_decision decision = best_of(&map);
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_ALLREDUCE, &range);
  assert_int_equal(part.points, 2);
  assert_int_equal(part.replaced, 1);
  assert_int_equal(part.before.missing, 0);
  assert_int_equal(part.after.missing, 1);
}

/* MPICH selects again within a node and among the nodes, and leaves the nodes alone where a broadcast is long. */
TEST(test_nodes_of_mpich)
{
  const tutti_method methods[] = {parsed("bcast/two-level/outer=in-order-binomial/inner=in-order-binomial"),
                                  parsed("bcast/in-order-binomial")};
  const struct points points = {.ranks = {16, 20}, .ranks_count = 2, .sizes = {8, 100000, 1000000}, .size_count = 3};
  uint64_t random = 1;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(&points, methods, 2, &random);
  map.ranks_per_node = 4;
  FREED_BY(tutti_decision_free)
  tutti_decision decision = fixture_rules("bcast/two-level/outer=in-order-binomial/inner=in-order-binomial\n");
  tutti_range range = tutti_range_of_map(&map);
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("mpich", &decision, TUTTI_COLL_BCAST, &range);
  static const bool kept[2][3] = {{true, true, false}, {true, false, false}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) {
      int index = tutti_step_table_find(&part.table, points.ranks[i], points.sizes[j]);
      assert_true(index >= 0);
      assert_int_equal(tutti_method_compare(&part.table.methods[index], &methods[kept[i][j] ? 0 : 1]), 0);
    }
  assert_int_equal(part.replaced, 3);
  assert_int_equal(part.after.missing, 0);
}

/* Without measurements nothing can stand for parts that are not picked; two linear ones have an algorithm of their own.
 */
TEST(test_without_measurements)
{
  tutti_decision decision = fixture_rules("allreduce/reduce-bcast/reduce=binomial/bcast=linear\n");
  tutti_range range = tutti_range_without_map(16);
  FREED_BY(tutti_export_part_free) tutti_export_part part;
  assert_fails(tutti_export_part_create(fixture_target("openmpi"), &decision, TUTTI_COLL_ALLREDUCE, &range, NULL, 0,
                                        &part, REASON),
               TUTTI_ERR_ARGUMENT, error, "has other parts than those of openmpi-4.1");
  tutti_decision_free(&decision);
  decision = fixture_rules("allreduce/reduce-bcast/reduce=linear/bcast=linear\n");
  part = fixture_take("openmpi", &decision, TUTTI_COLL_ALLREDUCE, &range);
  FREED_BY(free_memory) char *text = fixture_write("openmpi", &part, 1);
  assert_non_null(strstr(text, "\n0 1 0 0  # allreduce/reduce-bcast/reduce=linear/bcast=linear"));
  tutti_decision_free(&decision);
}

/* Times of what MPICH does not pick within a node and among the nodes are forgotten, and no others. */
TEST(test_times_of_other_parts_are_forgotten)
{
  const tutti_method methods[] = {parsed("bcast/two-level/outer=in-order-binomial/inner=in-order-binomial"),
                                  parsed("bcast/in-order-binomial")};
  const struct points points = {.ranks = {16, 20}, .ranks_count = 2, .sizes = {8, 100000, 1000000}, .size_count = 3};
  static const bool kept[2][3] = {{true, true, false}, {true, false, false}};
  uint64_t random = 1;
  FREED_BY(tutti_decision_map_free) tutti_decision_map map = make_map(&points, methods, 2, &random);
  map.ranks_per_node = 4;
  int composite = map.methods[0].algorithm->parts[0].name ? 0 : 1;
  for (int i = 0; i < 2; i++) /* the best everywhere, so that what is best changes */
    for (int j = 0; j < 3; j++)
      map.times[tutti_decision_map_cell(&map, i, j, composite)] = 0.5;
  tutti_target_forget_parts(fixture_target("mpich-4.0"), &map);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) {
      assert_int_equal(isnan(tutti_decision_map_time(&map, i, j, composite)), !kept[i][j]);
      assert_false(isnan(tutti_decision_map_time(&map, i, j, !composite)));
      assert_int_equal(tutti_decision_map_best_at(&map, i, j), kept[i][j] ? composite : !composite);
    }
}
