/* Decision trees: asking them, printing and reading them. */
#include "decision/cases/cases.h"
#include "unit/base/random.h"
#include "unit/decision/cases_fixture.h"
#include "unit/test.h"

static const char head[] = "@relation r\n@attribute bytes real\n@attribute ranks real\n@attribute even {yes,no}\n"
                           "@attribute collective {bcast,reduce,'a b, c'}\n@attribute class {linear,ring}\n@data\n";

static tutti_status parse(const char *text, tutti_classifier *tree, int *line, tutti_error *error)
{
  tutti_cases cases = cases_of(head);
  tutti_classifier_create(&cases, tree);
  tutti_cases_free(&cases);
  FILE *stream = fmemopen((void *)text, strlen(text), "r");
  assert_non_null(stream);
  *line = 10;
  tutti_status status = tutti_classifier_parse(stream, "x.tree", line, tree, error);
  fclose(stream);
  return status;
}

static tutti_classifier parsed(const char *text)
{
  tutti_classifier tree;
  int line;
  assert_ok(parse(text, &tree, &line, &error), error);
  return tree;
}

static const char small[] = "bytes <= 512 :\n"
                            "|   ranks <= 4 : linear (12.0/1.3)\n"
                            "|   ranks > 4 : bruck (100.0/1.4)\n"
                            "bytes > 512 :\n"
                            "|   collective in {bcast,reduce} :\n"
                            "|   |   even = yes : ring (78.0/1.4)\n"
                            "|   |   even = no : linear (5.0)\n"
                            "|   collective = a b\\, c : ring (1.0)\n";

TEST(reads_what_it_prints)
{
  FREED_BY(tutti_classifier_free) tutti_classifier tree = parsed(small);
  FREED_BY(free_memory) char *text = tree_text(&tree);
  assert_string_equal(text, small);
  assert_int_equal(tutti_classifier_leaves(&tree), 5);
  assert_int_equal(tutti_classifier_depth(&tree), 3);
  assert_int_equal(tree.class_count, 3);
  assert_true(fabs(tree.nodes[0].cases - 196) < 1e-9);
}

TEST(answers)
{
  FREED_BY(tutti_classifier_free) tutti_classifier tree = parsed(small);
  const struct {
    double values[4];
    const char *class;
  } questions[] = {
      {{512, 4, 0, 0}, "linear"},   {{512, 5, 0, 0}, "bruck"},  {{513, 5, 0, 0}, "ring"},
      {{513, 5, 1, 1}, "linear"},   {{513, 5, 1, 2}, "ring"},   {{NAN, NAN, NAN, NAN}, "bruck"},
      {{NAN, 4, 0, NAN}, "linear"}, {{513, 0, NAN, 0}, "ring"}, {{513, 0, 1, NAN}, "linear"},
      {{NAN, 1, 1, 0}, "linear"},
  };
  for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
    assert_string_equal(tree.classes[tutti_classifier_classify(&tree, questions[i].values)], questions[i].class);
}

TEST(one_leaf)
{
  FREED_BY(tutti_classifier_free) tutti_classifier tree = parsed("ring\n\nbytes <= 1 : nonsense");
  const double values[4] = {0};
  assert_int_equal(tree.node_count, 1);
  assert_int_equal(tutti_classifier_classify(&tree, values), 1);
  assert_int_equal(tutti_classifier_depth(&tree), 0);
}

/* Comments, either order of the branches, no numbers of cases; it ends at the empty line. */
TEST(lenient_forms)
{
  FREED_BY(tutti_classifier_free) tutti_classifier tree;
  int line;
  assert_ok(parse("# why\nbytes > 8.5 : ring\r\nbytes <= 8.5 : linear\n\nrest\n", &tree, &line, &error), error);
  assert_int_equal(line, 14);
  const double low[4] = {8.5}, high[4] = {8.6}, unknown[4] = {NAN};
  assert_int_equal(tutti_classifier_classify(&tree, low), 0);
  assert_int_equal(tutti_classifier_classify(&tree, high), 1);
  assert_int_equal(tutti_classifier_classify(&tree, unknown), 0);
}

TEST(faults_name_the_line)
{
  const struct {
    const char *text, *word;
  } faults[] = {
      {" ", "x.tree:11: there is no tree"},
      {"bytes <= 5 : ring\n", "x.tree:11: a threshold has"},
      {"bytes <= 5 : ring\nbytes > 6 : ring\n", "x.tree:12: a threshold has"},
      {"bytes <= 5 : ring\nranks > 5 : ring\n", "x.tree:12: a threshold has"},
      {"bytes <= 5 : ring\nbytes <= 5 : ring\n", "x.tree:12: a threshold has"},
      {"bytes <= 5 : ring\nbytes > 5 : ring\nbytes > 5 : ring\n", "x.tree:12: a threshold has"},
      {"bytes <= 5 :\nbytes > 5 : ring\n", "x.tree:11: neither a class nor"},
      {"bytes <= 5 : ring\nbytes > 5 :\n", "x.tree:12: neither a class nor"},
      {"bytes <= 5 : ring\n|   ranks > 5 : ring\n", "x.tree:12: this line is too deep"},
      {"|   bytes <= 5 : ring\n", "x.tree:11: this line is too deep"},
      {"even = yes : ring\n", "x.tree:11: some value has no branch"},
      {"even = yes : ring\neven = yes : ring\n", "x.tree:12: a value has two branches"},
      {"even = yes : ring\nbytes <= 5 : ring\n", "x.tree:12: this test is of another"},
      {"even = maybe : ring\n", "x.tree:11: attribute 'even' has no value 'maybe'"},
      {"even <= 5 : ring\n", "x.tree:11: attribute 'even' is discrete"},
      {"bytes = 5 : ring\n", "x.tree:11: attribute 'bytes' is a number"},
      {"bytes <= five : ring\n", "x.tree:11: 'five' is not a number"},
      {"size <= 5 : ring\n", "x.tree:11: there is no attribute 'size'"},
      {"bytes <= 5 ring\n", "x.tree:11: a test is followed by"},
      {"collective in {bcast : ring\n", "x.tree:11: a test is followed by"},
      {"bytes <= 5 : ring (1.0\n", "x.tree:11: numbers of cases"},
      {"bytes <= 5 : ring (1.0/x)\n", "x.tree:11: numbers of cases"},
      {"ring\nring\n", "x.tree:12: the tree is a leaf"},
      {"bytes <= 5 : ring\nring\n", "x.tree:12: there is no test"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    tutti_classifier tree;
    int line;
    assert_int_equal(parse(faults[i].text, &tree, &line, &error), TUTTI_ERR_ARGUMENT);
    if (strncmp(error.message, faults[i].word, strlen(faults[i].word)) != 0)
      fail_msg("'%s' gave '%s'", faults[i].text, error.message);
    assert_int_equal(tree.node_count, 0);
    tutti_classifier_free(&tree);
  }
}

/* Names that need every escape. */
static const char *const odd[] = {"plain", " lead", "trail ",     "a,b",    "{x}",    "q (1.0)",
                                  "(2.0)", "a : b", ": c",        "x <= 1", "= y",    "|bar",
                                  "#c",    "b\\",   "two\nlines", "tab\t",  "in {z}", "reduce=a:8KB"};

static tutti_cases odd_cases(void)
{
  tutti_cases cases;
  int count = (int)(sizeof odd / sizeof odd[0]);
  tutti_cases_create("odd", count, count, 0, &cases);
  for (int a = 0; a < count; a++) {
    cases.classes[a] = strdup(odd[a]);
    cases.attributes[a].name = strdup(odd[count - 1 - a]);
    cases.attributes[a].value_count = a % 3 == 0 ? 0 : a;
    cases.attributes[a].values = calloc((size_t)count, sizeof(char *));
    for (int v = 0; v < cases.attributes[a].value_count; v++)
      cases.attributes[a].values[v] = strdup(odd[v]);
  }
  return cases;
}

/* A random test with leaves below it. */
static void split(tutti_classifier *tree, int index, uint64_t *seed)
{
  tutti_node *node = &tree->nodes[index];
  node->attribute = (int)random_below(seed, (uint64_t)tree->attribute_count);
  int values = tree->attributes[node->attribute].value_count;
  node->first = tree->node_count;
  node->branch_count = values == 0 ? 2 : values;
  node->threshold = values == 0 ? (double)random_next(seed) / (double)(1 + random_below(seed, UINT64_C(1) << 60)) : 0;
  if (values > 1 && random_below(seed, 2))
    node->branch_count = 1 + (int)random_below(seed, (uint64_t)values);
  node->branch_of = values ? calloc((size_t)values, sizeof(int)) : NULL;
  for (int v = 0; v < values; v++)
    node->branch_of[v] = v < node->branch_count ? v : (int)random_below(seed, (uint64_t)node->branch_count);
  for (int b = 0; b < node->branch_count; b++)
    tree->nodes[tree->node_count++] = (tutti_node){.attribute = -1,
                                                   .label = (int)random_below(seed, (uint64_t)tree->class_count),
                                                   .cases = (double)random_below(seed, 100),
                                                   .errors = (double)random_below(seed, 100) / 10};
}

TEST(random_trees)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = odd_cases();
  for (uint64_t round = 1; round <= 300; round++) {
    uint64_t seed = round;
    tutti_classifier tree, again;
    tutti_classifier_create(&cases, &tree);
    tutti_classifier_create(&cases, &again);
    tree.nodes = calloc(4000, sizeof *tree.nodes);
    tree.node_count = 1;
    tree.nodes[0] = (tutti_node){.attribute = -1};
    for (uint64_t i = random_below(&seed, 60); i > 0; i--) {
      int at = (int)random_below(&seed, (uint64_t)tree.node_count);
      if (tree.nodes[at].branch_count == 0)
        split(&tree, at, &seed);
    }
    char *text = tree_text(&tree);
    int line = 0;
    FILE *stream = fmemopen(text, strlen(text), "r");
    if (tutti_classifier_parse(stream, "t", &line, &again, &error) != TUTTI_OK)
      fail_msg("round %d: %s\n%s", (int)round, error.message, text);
    fclose(stream);
    char *second = tree_text(&again);
    assert_string_equal(text, second);
    assert_int_equal(again.class_count, tree.class_count);
    for (int i = 0; i < 50; i++) {
      double values[sizeof odd / sizeof odd[0]];
      for (int a = 0; a < tree.attribute_count; a++)
        values[a] = tree.attributes[a].value_count
                        ? (double)random_below(&seed, (uint64_t)tree.attributes[a].value_count)
                        : tree.nodes[random_below(&seed, (uint64_t)tree.node_count)].threshold;
      assert_int_equal(tutti_classifier_classify(&tree, values), tutti_classifier_classify(&again, values));
    }
    free(text);
    free(second);
    tutti_classifier_free(&tree);
    tutti_classifier_free(&again);
  }
}

/* A tree of thousands of levels is read, asked, printed and measured without recursion. */
TEST(deep)
{
  enum { LEVELS = 3000 };
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < LEVELS; i++) {
      int level = pass ? LEVELS - 1 - i : i;
      for (int d = 0; d < level; d++)
        fputs("|   ", stream);
      fprintf(stream, pass ? "bytes > %d : ring (1.0)\n" : "bytes <= %d :", -level);
      fputs(pass ? "" : level == LEVELS - 1 ? " linear (1.0)\n" : "\n", stream);
    }
  fclose(stream);
  FREED_BY(tutti_classifier_free) tutti_classifier tree = parsed(text);
  FREED_BY(free_memory) char *again = tree_text(&tree);
  const double values[4] = {-LEVELS}, unknown[4] = {NAN};
  assert_string_equal(text, again);
  assert_int_equal(tutti_classifier_depth(&tree), LEVELS);
  assert_int_equal(tutti_classifier_classify(&tree, values), 0);
  assert_int_equal(tutti_classifier_classify(&tree, unknown), 1);
}

TEST(print_reports_a_full_disk)
{
  tutti_classifier tree = parsed(small);
  FILE *full = fopen("/dev/full", "w");
  if (!full) {
    print_message("skipped: a_full_disk: no /dev/full\n");
    skip();
  }
  setvbuf(full, NULL, _IONBF, 0);
  assert_int_equal(tutti_classifier_print(&tree, full, &error), TUTTI_ERR_IO);
  fclose(full);
  tutti_classifier_free(&tree);
}

TEST(test_named)
{
  static const char *const attributes[] = {"ranks", "bytes"}, *const classes[] = {"linear", "binomial", "chain"};
  FREED_BY(tutti_classifier_free) tutti_classifier classifier;
  tutti_classifier_create_named(attributes, 2, classes, 3, &classifier);
  assert_int_equal(classifier.attribute_count, 2);
  assert_int_equal(classifier.class_count, 3);
  assert_int_equal(classifier.node_count, 0);
  for (int a = 0; a < 2; a++) {
    assert_string_equal(classifier.attributes[a].name, attributes[a]);
    assert_ptr_not_equal(classifier.attributes[a].name, attributes[a]);
    assert_int_equal(classifier.attributes[a].value_count, 0);
  }
  for (int k = 0; k < 3; k++)
    assert_string_equal(classifier.classes[k], classes[k]);
}
