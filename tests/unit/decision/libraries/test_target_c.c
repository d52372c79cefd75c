/* Generated C: compiles by itself without a warning, and answers 100,000 random questions as the decision does. */
#include <dlfcn.h>

#include "tutti/decision_tree.h"
#include "unit/decision/libraries/target_fixture.h"
#include "unit/patience.h"

enum { QUESTIONS = UNLESS_WATCHED(100000, 10000), MAX_RANKS = 1500 };

/* What the generated table has. */
struct tutti_choice {
  const char *method, *collective, *algorithm;
  unsigned long long segment_bytes;
  int k;
};

struct library {
  struct scratch_file file;
  char object[160];
  void *handle;
  int (*decide)(int size, unsigned long long length);
  int (*decide_nodes)(int size, unsigned long long length, int per_node);
  const struct tutti_choice *(*choice)(int index);
};

static void *symbol(struct library *library, const char *name)
{
  void *found = dlsym(library->handle, name);
  if (!found)
    fail_msg("%s", dlerror());
  return found;
}

static struct library compile(const char *text, const char *function)
{
  struct library library = {.file = scratch_write("decision.c", text)};
  char command[512];
  snprintf(library.object, sizeof library.object, "%s.so", library.file.path);
  snprintf(command, sizeof command,
           "cc -std=c99 -Wall -Wextra -Werror -pedantic -Wmissing-prototypes -O2 -shared -fPIC -o %s %s -lm",
           library.object, library.file.path);
  if (system(command) != 0)
    fail_msg("not accepted: %s\n%.3000s", command, text);
  library.handle = dlopen(library.object, RTLD_NOW);
  if (!library.handle)
    fail_msg("%s", dlerror());
  void *found = symbol(&library, function);
  memcpy(&library.decide, &found, sizeof found);
  memcpy(&library.decide_nodes, &found, sizeof found);
  found = symbol(&library, "tutti_choice_at");
  memcpy(&library.choice, &found, sizeof found);
  return library;
}

static void discard(struct library *library)
{
  dlclose(library->handle);
  unlink(library->object);
  scratch_remove(&library->file);
}

/* The name of what is wanted, and of what is answered. */
static void compare(const struct library *library, int index, bool answered, const tutti_method *wanted)
{
  char name[TUTTI_METHOD_LENGTH];
  if (!answered) {
    assert_int_equal(index, -1);
    return;
  }
  const struct tutti_choice *choice = library->choice(index);
  assert_non_null(choice);
  assert_string_equal(choice->method, tutti_method_format(wanted, name));
  assert_string_equal(choice->collective, tutti_collective_name(wanted->algorithm->collective));
  assert_string_equal(choice->algorithm, wanted->algorithm->name);
  assert_int_equal(choice->segment_bytes, wanted->parameters.segment_bytes);
  assert_int_equal(choice->k, wanted->parameters.k);
}

static void ask_everything(const tutti_decision *decision, tutti_collective collective, int max_ranks,
                           const char *function)
{
  uint64_t seed = 7;
  tutti_range range = tutti_range_without_map(max_ranks);
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("c", decision, collective, &range);
  FREED_BY(free_memory) char *text = fixture_write("c", &part, 1);
  struct library library = compile(text, function);
  for (int i = 0; i < QUESTIONS; i++) {
    int ranks = fixture_ranks(&seed, max_ranks);
    uint64_t bytes = i == 1 ? UINT64_MAX : i % 50 ? fixture_bytes(&seed) : 0;
    /* Without data a test of log2(bytes) has no value, and a table of all sizes that are looked at answers. */
    if (bytes == 0 && ranks > TUTTI_EVERY_RANKS)
      continue;
    tutti_method wanted;
    bool answered = fixture_wanted(decision, collective, ranks, bytes, &wanted);
    compare(&library, library.decide(ranks, bytes), answered, &wanted);
  }
  assert_null(library.choice(-1));
  assert_null(library.choice(1000000));
  discard(&library);
}

TEST(test_rules)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = fixture_rules("allgather/neighbor-exchange ranks=..20 bytes=13..4097\n"
                                          "allgather/recursive-doubling ranks=8..1200 bytes=..777\n"
                                          "allgather/ring ranks=3..1111 bytes=778..123456\n"
                                          "bcast/chain/4KB/k=2 ranks=..17 bytes=5000000000..6000000001\n"
                                          "bcast/linear ranks=5..\n");
  ask_everything(&decision, TUTTI_COLL_ALLGATHER, 1024, "tutti_allgather");
  ask_everything(&decision, TUTTI_COLL_BCAST, 1024, "tutti_bcast");
}

static const char *const definitions[] = {"ranks",       "bytes",      "total",        "log2(bytes)", "even(ranks)",
                                          "pow2(ranks)", "collective", "bytes >= 8KB", "nodes"};
enum { ATTRIBUTES = sizeof definitions / sizeof *definitions, LOG2 = 3, COLLECTIVE = 6, NODES = 8 };

static const char *const classes[] = {"linear", "pipeline/1KB",       "binomial",          "two-process",
                                      "ring",   "recursive-doubling", "neighbor-exchange", "bruck"};
enum { CLASSES = sizeof classes / sizeof *classes };

static char **copy_words(const char *const *words, int count)
{
  char **copies = calloc((size_t)count, sizeof *copies);
  for (int i = 0; i < count; i++)
    copies[i] = strdup(words[i]);
  return copies;
}

static void set_attribute(tutti_decision_tree *tree, int a)
{
  static const char *const truths[] = {"no", "yes"}, *const collectives[] = {"bcast", "allgather"};
  tutti_attribute *attribute = &tree->classifier.attributes[a];
  assert_ok(tutti_expression_parse(definitions[a], &tree->expressions[a], &error), error);
  tree->definitions[a] = strdup(definitions[a]);
  attribute->name = strdup(definitions[a]);
  tutti_expression_kind kind = tutti_expression_kind_of(tree->expressions[a]);
  if (kind == TUTTI_EXPRESSION_NUMBER)
    return;
  attribute->value_count = 2;
  attribute->values = copy_words(kind == TUTTI_EXPRESSION_BOOLEAN ? truths : collectives, 2);
}

static double random_threshold(int attribute, uint64_t *seed)
{
  if (attribute == 0 || attribute == NODES)
    return (double)random_below(seed, 64) + 0.5 * (double)random_below(seed, 2);
  return attribute == LOG2 ? (double)random_below(seed, 200) / 10
                           : (double)fixture_bytes(seed) + 0.25 * (double)random_below(seed, 4);
}

/* A tree of so many tests, each on an attribute before `attributes`. */
static void grow(tutti_classifier *classifier, int tests, int attributes, uint64_t *seed)
{
  classifier->nodes = calloc(2 * (size_t)tests + 1, sizeof *classifier->nodes);
  classifier->node_count = 1;
  for (int i = 0; i < classifier->node_count; i++) {
    tutti_node *node = &classifier->nodes[i];
    *node = (tutti_node){.attribute = -1, .label = (int)random_below(seed, CLASSES), .cases = 1};
    if (tests == 0)
      continue;
    tests--;
    node->attribute = (int)random_below(seed, (uint64_t)attributes);
    node->branch_count = 2;
    node->first = classifier->node_count;
    classifier->node_count += 2;
    if (classifier->attributes[node->attribute].value_count) {
      node->branch_of = calloc(2, sizeof *node->branch_of);
      node->branch_of[random_below(seed, 2)] = 1;
    } else
      node->threshold = random_threshold(node->attribute, seed);
  }
}

static tutti_decision random_tree(int tests, int attributes, uint64_t *seed)
{
  tutti_decision_tree *tree = calloc(1, sizeof *tree);
  tutti_decision_trees trees = {1, tree};
  tutti_decision decision;
  tree->answers[TUTTI_COLL_BCAST] = tree->answers[TUTTI_COLL_ALLGATHER] = true;
  tree->classifier.attribute_count = ATTRIBUTES;
  tree->classifier.attributes = calloc(ATTRIBUTES, sizeof *tree->classifier.attributes);
  tree->classifier.class_count = CLASSES;
  tree->classifier.classes = copy_words(classes, CLASSES);
  tree->expressions = calloc(ATTRIBUTES, sizeof *tree->expressions);
  tree->definitions = calloc(ATTRIBUTES, sizeof *tree->definitions);
  for (int a = 0; a < ATTRIBUTES; a++)
    set_attribute(tree, a);
  grow(&tree->classifier, tests, attributes, seed);
  assert_ok(tutti_decision_of_trees("tree", &trees, &decision, &error), error);
  return decision;
}

TEST(test_trees)
{
  uint64_t seed = 11;
  for (int tests = 1; tests < 400; tests = 3 * tests + 1) {
    tutti_decision decision = random_tree(tests, NODES, &seed);
    ask_everything(&decision, TUTTI_COLL_BCAST, MAX_RANKS, "tutti_bcast");
    ask_everything(&decision, TUTTI_COLL_ALLGATHER, MAX_RANKS, "tutti_allgather");
    tutti_decision_free(&decision);
  }
}

/* Tests of ranks and bytes only: with few of them a table, in which places are counted or, among more, searched. */
TEST(test_plain_trees)
{
  uint64_t seed = 14;
  int searched = 0;
  for (int tests = 5; tests < 400; tests *= 2) {
    tutti_decision decision = random_tree(tests, 2, &seed);
    tutti_range range = tutti_range_without_map(64);
    tutti_export_part part = fixture_take("c", &decision, TUTTI_COLL_BCAST, &range);
    char *text = fixture_write("c", &part, 1);
    assert_non_null(strstr(text, "return choices[row][column];"));
    bool many = part.table.row_count - 1 > 4;
    assert_int_equal(strstr(text, "  const unsigned rows = ") != NULL, many);
    searched += many;
    free(text);
    tutti_export_part_free(&part);
    ask_everything(&decision, TUTTI_COLL_BCAST, MAX_RANKS, "tutti_bcast");
    tutti_decision_free(&decision);
  }
  assert_true(searched > 0);
}

TEST(test_trees_over_nodes)
{
  uint64_t seed = 12;
  FREED_BY(tutti_decision_free) tutti_decision decision = random_tree(100, ATTRIBUTES, &seed);
  tutti_range range = tutti_range_without_map(64);
  range.ranks_per_node = 4;
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("c", &decision, TUTTI_COLL_BCAST, &range);
  FREED_BY(free_memory) char *text = fixture_write("c", &part, 1);
  assert_non_null(strstr(text, "int per_node)"));
  struct library library = compile(text, "tutti_bcast");
  for (int i = 0; i < QUESTIONS; i++) {
    tutti_question question = {TUTTI_COLL_BCAST, fixture_ranks(&seed, 5000), 1 + (int)random_below(&seed, 16),
                               1 + fixture_bytes(&seed)};
    tutti_method wanted;
    bool answered = decision.decide(&decision, &question, &wanted);
    compare(&library, library.decide_nodes(question.ranks, question.rank_bytes, question.ranks_per_node), answered,
            &wanted);
  }
  assert_int_equal(library.decide_nodes(4, 1, 0), -1);
  discard(&library);
}

/* Step tables find the changes of trees to the byte, too. */
TEST(test_tables_of_trees)
{
  uint64_t seed = 13;
  for (int tests = 1; tests < 400; tests = 3 * tests + 1) {
    tutti_decision decision = random_tree(tests, NODES, &seed);
    tutti_range range = tutti_range_without_map(64);
    tutti_step_table table;
    assert_int_equal(tutti_step_table_create(&decision, TUTTI_COLL_ALLGATHER, &range, &table, &error), TUTTI_OK);
    for (int i = 0; i < QUESTIONS; i++) {
      int ranks = fixture_ranks(&seed, 64);
      uint64_t bytes = fixture_bytes(&seed);
      tutti_method wanted;
      int index = tutti_step_table_find(&table, ranks, bytes);
      assert_int_equal(fixture_wanted(&decision, TUTTI_COLL_ALLGATHER, ranks, bytes, &wanted), index >= 0);
      if (index >= 0)
        assert_int_equal(tutti_method_compare(&wanted, &table.methods[index]), 0);
    }
    tutti_step_table_free(&table);
    tutti_decision_free(&decision);
  }
}

/* What stands in a comment cannot end it. */
TEST(test_comments)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/linear\n");
  tutti_range range = tutti_range_without_map(4);
  FREED_BY(tutti_export_part_free) tutti_export_part part = fixture_take("c", &decision, TUTTI_COLL_BCAST, &range);
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_int_equal(fixture_target("c")->write(&part, 1, "/* a */ int b; \\\n#error c\n", stream, &error), TUTTI_OK);
  fclose(stream);
  struct library library = compile(text, "tutti_bcast");
  assert_int_equal(library.decide(4, 1), 0);
  discard(&library);
}
