/* C4.5 against the worked examples of Quinlan 1993, and properties on random cases. */
#include "decision/learners/c45/learner.h"
#include "unit/base/random.h"
#include "unit/decision/cases_fixture.h"
#include "unit/test.h"

#define GOLF         GOLF_HEAD GOLF_BUT_ONE "overcast,72,90,true,Play\n"
#define GOLF_UNKNOWN GOLF_HEAD GOLF_BUT_ONE "?,72,90,true,Play\n"

static tutti_c45_options with(double weight, bool unpruned)
{
  tutti_c45_options options = tutti_c45_defaults();
  options.weight = weight;
  options.unpruned = unpruned;
  return options;
}

static tutti_c45_report learn_text(const char *arff, const tutti_c45_options *options, char **text)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = cases_of(arff);
  FREED_BY(tutti_classifier_free) tutti_classifier tree;
  tutti_c45_report report;
  assert_int_equal(tutti_c45_learn(&cases, options, &tree, &report, &error), TUTTI_OK);
  *text = tree_text(&tree);
  return report;
}

static void expect_tree(const char *arff, const tutti_c45_options *options, const char *expected)
{
  FREED_BY(free_memory) char *text;
  learn_text(arff, options, &text);
  assert_string_equal(text, expected);
}

/* Figure 1-2. */
TEST(golf)
{
  tutti_c45_options options = with(2, false);
  expect_tree(GOLF, &options,
              "outlook = sunny :\n"
              "|   humidity <= 75 : Play (2.0/1.0)\n"
              "|   humidity > 75 : Don't Play (3.0/1.1)\n"
              "outlook = overcast : Play (4.0/1.2)\n"
              "outlook = rain :\n"
              "|   windy = true : Don't Play (2.0/1.0)\n"
              "|   windy = false : Play (3.0/1.1)\n");
}

/* The tree of section 3.2, where one outlook is unknown. */
TEST(golf_with_unknown_value)
{
  tutti_c45_options options = with(2, true);
  expect_tree(GOLF_UNKNOWN, &options,
              "outlook = sunny :\n"
              "|   humidity <= 75 : Play (2.0)\n"
              "|   humidity > 75 : Don't Play (3.4/0.4)\n"
              "outlook = overcast : Play (3.2)\n"
              "outlook = rain :\n"
              "|   windy = true : Don't Play (2.4/0.4)\n"
              "|   windy = false : Play (3.0)\n");
}

struct rated {
  double gain, info, threshold;
  bool possible;
};

static struct rated rate(const char *arff, int attribute, double weight)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = cases_of(arff);
  tutti_c45_options options = with(weight, true);
  FREED_BY(tutti_classifier_free) tutti_classifier tree;
  c45_test test;
  tutti_classifier_create(&cases, &tree);
  c45_learner l = {.cases = &cases, .options = &options, .tree = &tree};
  tutti_c45_open(&l);
  c45_range all = {0, cases.count};
  tutti_c45_gather(&l, all);
  if (cases.attributes[attribute].value_count > 0)
    tutti_c45_test_discrete(&l, attribute, all, (double)cases.count, &test);
  else
    tutti_c45_test_continuous(&l, attribute, all, (double)cases.count, &test);
  tutti_c45_close(&l);
  return (struct rated){test.gain, test.info, test.threshold, test.possible};
}

/* Sections 2.2 and 3.2 print three digits. */
TEST(gains)
{
  struct rated outlook = rate(GOLF, 0, 2), windy = rate(GOLF, 3, 2), unknown = rate(GOLF_UNKNOWN, 0, 2);
  assert_true(fabs(outlook.gain - 0.246) < 1e-3);
  assert_true(fabs(outlook.info - 1.577) < 1e-3);
  assert_true(fabs(windy.gain - 0.048) < 1e-3);
  assert_true(fabs(unknown.gain - 0.199) < 1e-3);
  assert_true(fabs(unknown.info - 1.809) < 1e-3);
}

#define SIX "@relation six\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,a\n3,a\n4.5,b\n5,b\n6,b\n"

/* Five cuts tried: the full bit less log2(5)/6; the threshold is a value that occurs. */
TEST(cut_pays_for_the_choice)
{
  struct rated one = rate(SIX, 0, 1), three = rate(SIX, 0, 3), four = rate(SIX, 0, 4);
  assert_true(one.possible && fabs(one.gain - (1 - log2(5) / 6)) < 1e-12);
  assert_true(one.threshold == 3);
  assert_true(fabs(one.info - 1) < 1e-12);
  assert_true(three.possible && fabs(three.gain - 1) < 1e-12);
  assert_false(four.possible);
}

/* Values closer than 10^-5 are not cut apart. */
TEST(neighbors_are_not_cut)
{
  assert_false(rate("@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n"
                    "1,a\n1,a\n1.000009,b\n1.000009,b\n",
                    0, 1)
                   .possible);
  assert_true(rate("@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n"
                   "1,a\n1,a\n1.000011,b\n1.000011,b\n",
                   0, 1)
                  .possible);
}

static double limit(tutti_c45_limit kind, double percent, double n, double e)
{
  tutti_c45_options options = tutti_c45_defaults();
  options.limit = kind;
  options.confidence = percent;
  c45_learner l = {.options = &options, .deviate = tutti_c45_deviate(&options)};
  return (e + tutti_c45_add_errors(&l, n, e)) / n;
}

/* Section 4.2: U25%(0,6) = 0.206, U25%(0,9) = 0.143, U25%(0,1) = 0.750, U25%(1,16) = 0.157. */
TEST(limits)
{
  for (int kind = TUTTI_LIMIT_RELEASE8; kind <= TUTTI_LIMIT_NORMAL; kind++) {
    tutti_c45_limit k = (tutti_c45_limit)kind;
    assert_true(fabs(limit(k, 25, 6, 0) - 0.206) < 1e-3);
    assert_true(fabs(limit(k, 25, 9, 0) - 0.143) < 1e-3);
    assert_true(fabs(limit(k, 25, 1, 0) - 0.750) < 1e-3);
    double middle = (limit(k, 25, 9, 0) + limit(k, 25, 9, 1)) / 2;
    assert_true(fabs(limit(k, 25, 9, 0.5) - middle) < 1e-12);
  }
  assert_true(fabs(limit(TUTTI_LIMIT_RELEASE8, 25, 16, 1) - 0.157) < 1e-3);
  assert_true(fabs(limit(TUTTI_LIMIT_RELEASE8, 25, 4, 4) - 1) < 1e-12);
  assert_true(fabs(limit(TUTTI_LIMIT_RELEASE8, 25, 4, 3.75) - (3.75 + 0.67 * 0.25) / 4) < 1e-12);
  assert_true(fabs(limit(TUTTI_LIMIT_NORMAL, 25, 4, 3.75) - 1) < 1e-12);
  assert_true(limit(TUTTI_LIMIT_NORMAL, 51, 10, 1) == 0.1);
}

TEST(deviates)
{
  tutti_c45_options options = tutti_c45_defaults();
  assert_true(fabs(tutti_c45_deviate(&options) - 0.6925) < 1e-12);
  options.limit = TUTTI_LIMIT_NORMAL;
  assert_true(fabs(tutti_c45_deviate(&options) - 0.6744897501960817) < 1e-12);
  options.confidence = 0.1;
  assert_true(fabs(tutti_c45_deviate(&options) - 3.090232306167813) < 1e-10);
}

#define VOTES                                                                                                          \
  "@relation votes\n@attribute education {n,y,u}\n@attribute class {democrat,republican}\n@data\n"                     \
  "n,democrat\nn,democrat\nn,democrat\nn,democrat\nn,democrat\nn,democrat\n"                                           \
  "y,democrat\ny,democrat\ny,democrat\ny,democrat\ny,democrat\ny,democrat\ny,democrat\ny,democrat\ny,democrat\n"       \
  "u,republican\n"

/* Section 4.2: 3.273 errors expected of the test, 2.512 of the leaf. */
TEST(test_gives_way_to_leaf)
{
  tutti_c45_options options = with(1, false);
  char *text;
  tutti_c45_report report = learn_text(VOTES, &options, &text);
  assert_string_equal(text, "democrat (16.0/2.5)\n");
  free(text);
  assert_int_equal(report.grown_leaves, 3);
  assert_int_equal(report.grown_errors, 0);
  assert_int_equal(report.leaves, 1);
  assert_int_equal(report.errors, 1);
  assert_true(fabs(report.predicted - 2.512) < 0.01);
}

TEST(values_are_grouped)
{
  tutti_c45_options options = with(1, true);
  options.grouping = true;
  expect_tree(VOTES, &options, "education in {n,y} : democrat (15.0)\neducation = u : republican (1.0)\n");
}

enum { RANDOM_CASES = 400 };

/* Two numbers, a word of four, one in @p unknown values unknown; a rule with noise. */
static tutti_cases random_cases(uint64_t seed, int unknown, bool shuffled)
{
  char text[160 + 8 * RANDOM_CASES] = "@relation r\n@attribute x real\n@attribute y real\n@attribute w {a,b,c,d}\n"
                                      "@attribute class {p,q,r}\n@data\n";
  for (int i = 0; i < RANDOM_CASES; i++)
    strcat(text, "?,?,?,p\n");
  tutti_cases filled = cases_of(text);
  for (size_t i = 0; i < RANDOM_CASES; i++) {
    size_t at = shuffled ? i * 147 % RANDOM_CASES : i; /* 147 and 400 have no common factor */
    double x = (double)random_below(&seed, 50), y = (double)random_below(&seed, 1000) / 7,
           w = (double)random_below(&seed, 4);
    int label = x > 20 ? y < 60 : w > 1 ? 2 : y > 100;
    filled.labels[at] = random_below(&seed, 10) == 0 ? (int)random_below(&seed, 3) : label;
    double values[] = {x, y, w};
    for (int a = 0; a < 3; a++)
      filled.values[a][at] = unknown && random_below(&seed, (uint64_t)unknown) == 0 ? NAN : values[a];
  }
  return filled;
}

static char *learn_random(uint64_t seed, int unknown, bool shuffled, const tutti_c45_options *options,
                          tutti_c45_report *report)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = random_cases(seed, unknown, shuffled);
  FREED_BY(tutti_classifier_free) tutti_classifier tree;
  assert_int_equal(tutti_c45_learn(&cases, options, &tree, report, &error), TUTTI_OK);
  double weight = 0.0;
  for (int i = 0; i < tree.node_count; i++)
    weight += tree.nodes[i].branch_count == 0 ? tree.nodes[i].cases : 0;
  if (options->trials == 0)
    assert_true(fabs(weight - RANDOM_CASES) < 1e-6);
  return tree_text(&tree);
}

TEST(order_of_cases_does_not_matter)
{
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int unknown = 0; unknown <= 10; unknown += 10) {
      tutti_c45_options options = with(2, seed % 2);
      tutti_c45_report report;
      char *left = learn_random(seed, unknown, false, &options, &report);
      char *right = learn_random(seed, unknown, true, &options, &report);
      assert_string_equal(left, right);
      assert_true(report.leaves > 1 && report.leaves <= report.grown_leaves);
      assert_true(report.errors >= report.grown_errors || unknown);
      free(left);
      free(right);
    }
}

TEST(windows_agree_with_themselves)
{
  tutti_c45_options options = with(2, false);
  tutti_c45_report report, again;
  options.trials = 3;
  options.seed = 7;
  FREED_BY(free_memory)
  char *left = learn_random(3, 10, false, &options, &report), *right = learn_random(3, 10, false, &options, &again);
  assert_string_equal(left, right);
  assert_true(report.errors < RANDOM_CASES / 4);
}

/* A window that begins with nearly nothing grows until no case is misclassified. */
TEST(window_grows_to_no_error)
{
  tutti_c45_options options = with(2, true);
  char *text;
  options.trials = 1;
  options.window = 4;
  tutti_c45_report report = learn_text(GOLF, &options, &text);
  free(text);
  assert_int_equal(report.errors, 0);
}

static void expect_refusal(const tutti_c45_options *options, const char *word)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = cases_of(GOLF);
  tutti_classifier tree;
  assert_fails(tutti_c45_learn(&cases, options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT, error, word);
}

TEST(options_out_of_range)
{
  tutti_c45_options options = with(0, false);
  expect_refusal(&options, "-m");
  options = with(2, false);
  options.confidence = 0;
  expect_refusal(&options, "-c");
  options.confidence = 100.5;
  expect_refusal(&options, "-c");
  options.confidence = 25;
  options.trials = -1;
  expect_refusal(&options, "-t");
}

TEST(no_cases)
{
  FREED_BY(tutti_cases_free)
  tutti_cases cases = cases_of("@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n");
  tutti_c45_options options = tutti_c45_defaults();
  tutti_classifier tree;
  assert_int_equal(tutti_c45_learn(&cases, &options, &tree, NULL, &error), TUTTI_ERR_ARGUMENT);
}
