/* Inputs of a megabyte or so that are all of one thing end within seconds, read or refused. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tutti/decision_tree.h"
#include "tutti/experiment.h"
#include "tutti/platform.h"

#include "unit/base/scratch_file.h"

/* Limit of processor time, with a margin for sanitizers: work that grows with the square of the input takes minutes. */
enum { MOST_SECONDS = 10, MANY = 100000 };

/* What is read from a file, and the freeing of it. */
typedef tutti_status reader(const char *path, tutti_error *error);

static tutti_status read_cases(const char *path, tutti_error *error)
{
  tutti_cases cases;
  tutti_status status = tutti_cases_read(path, &cases, error);
  if (status == TUTTI_OK)
    tutti_cases_free(&cases);
  return status;
}

static tutti_status read_decision(const char *path, tutti_error *error)
{
  tutti_decision decision;
  tutti_status status = tutti_decision_read(path, &decision, error);
  if (status == TUTTI_OK)
    tutti_decision_free(&decision);
  return status;
}

static tutti_status read_experiment(const char *path, tutti_error *error)
{
  tutti_experiment experiment;
  tutti_status status = tutti_experiment_read(path, &experiment, error);
  if (status == TUTTI_OK)
    tutti_experiment_free(&experiment);
  return status;
}

static tutti_status read_platform(const char *path, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status == TUTTI_OK)
    tutti_platform_free(&platform);
  return status;
}

/* ---- texts ---- */

/* A text that grows; "%d" in a piece that is repeated is its number. */
struct text {
  FILE *stream;
  char *bytes;
  size_t length;
};

static void begin(struct text *text)
{
  text->stream = open_memstream(&text->bytes, &text->length);
  assert_non_null(text->stream);
}

static void add(struct text *text, const char *piece)
{
  fputs(piece, text->stream);
}

static void repeat(struct text *text, int times, const char *before, const char *after)
{
  for (int i = 0; i < times; i++)
    if (after)
      fprintf(text->stream, "%s%d%s", before, i, after);
    else
      fputs(before, text->stream);
}

/* Read it in time; NULL: it is taken, else what the message says. Frees the text. */
static void expect(struct text *text, const char *name, reader *read, const char *fault)
{
  tutti_error error = {0};
  fclose(text->stream);
  struct scratch_file file = scratch_write(name, text->bytes);
  clock_t start = clock();
  tutti_status status = read(file.path, &error);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  scratch_remove(&file);
  free(text->bytes);
  printf("%s: %.2f s: %s\n", name, seconds, status == TUTTI_OK ? "read" : error.message);
  assert_true(seconds < MOST_SECONDS);
  if (!fault)
    assert_int_equal(status, TUTTI_OK);
  else if (status == TUTTI_OK || !strstr(error.message, fault))
    fail_msg("'%s' instead of '%s'", status == TUTTI_OK ? "read" : error.message, fault);
}

/* ---- cases ---- */

static void test_arff_attributes(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "@relation r\n");
  repeat(&text, MANY, "@attribute a", " real\n");
  add(&text, "@attribute class {a,b}\n@data\n");
  repeat(&text, MANY, "1,", NULL);
  add(&text, "b\n");
  expect(&text, "attributes.arff", read_cases, NULL);
}

static void test_arff_values(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "@relation r\n@attribute a {");
  repeat(&text, MANY, "v", ",");
  add(&text, "last}\n@attribute class {a}\n@data\n");
  repeat(&text, MANY, "v", ",a\n");
  expect(&text, "values.arff", read_cases, NULL);
}

static void test_arff_sparse_rows(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "@relation r\n");
  repeat(&text, 30000, "@attribute a", " real\n");
  add(&text, "@attribute class {a,b}\n@data\n");
  repeat(&text, MANY, "{}\n", NULL);
  expect(&text, "sparse.arff", read_cases, "more than");
}

static void test_arff_line(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "@relation '");
  repeat(&text, 10 * MANY, "\\'", NULL);
  add(&text, "'\n@attribute class {a}\n@data\n");
  expect(&text, "line.arff", read_cases, NULL);
}

static void test_names(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  repeat(&text, MANY, "c", ",");
  add(&text, "last.\n");
  repeat(&text, MANY, "a", ": x, y.\n");
  expect(&text, "many.names", read_cases, "many.data");
}

/* ---- decisions ---- */

static const char head[] = "tutti-decision 1\ntree bcast\nattribute ranks\n";

static void test_classes(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, head);
  for (int i = 1; i <= 30000; i++)
    fprintf(text.stream, "ranks <= 7 : chain/k=%d\n", i);
  expect(&text, "classes.decision", read_decision, "one branch");
}

/* A line per level and as many bars as levels: 1,400 are a megabyte. */
static void test_deep_tree(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, head);
  for (int depth = 0; depth < 1400; depth++) {
    repeat(&text, depth, "|", NULL);
    fprintf(text.stream, "ranks <= %d :\n", depth);
  }
  repeat(&text, 1399, "|", NULL);
  add(&text, "|ranks <= 0 : linear\n");
  for (int depth = 1400; depth >= 0; depth--) {
    repeat(&text, depth, "|", NULL);
    fprintf(text.stream, "ranks > %d : chain/k=%d\n", depth == 1400 ? 0 : depth, depth + 1);
  }
  expect(&text, "deep.decision", read_decision, NULL);
}

static void test_bars(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, head);
  repeat(&text, 10 * MANY, "|", NULL);
  expect(&text, "bars.decision", read_decision, "bars.decision:4:");
}

static void test_trees(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "tutti-decision 1\n");
  repeat(&text, 30000, "tree bcast\nattribute ranks\nlinear\n\n", NULL);
  expect(&text, "trees.decision", read_decision, NULL);
}

static void test_rules(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  repeat(&text, MANY, "bcast/linear ranks=", "..\n");
  expect(&text, "many.rules", read_decision, NULL);
}

/* ---- experiments ---- */

static const char experiment[] = "<experiment name=\"x\"><platform kind=\"real\" name=\"m\" flavor=\"mpich\"/>\n";

static void test_sweeps(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  repeat(&text, 20000, "<sweep collective=\"barrier\"><ranks>2</ranks></sweep>", NULL);
  add(&text, "</experiment>");
  expect(&text, "sweeps.xml", read_experiment, NULL);
}

static void test_segments(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  add(&text, "<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes><method algorithm=\"chain\" segments=\"");
  repeat(&text, 2 * MANY, "1KB ", NULL);
  add(&text, "\"/></sweep></experiment>");
  expect(&text, "segments.xml", read_experiment, "more than");
}

/* 500 x 500 x 500 combinations, all the same. */
static void test_combinations(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  add(&text, "<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes><method algorithm=\"chain\" segments=\"");
  repeat(&text, 500, "1KB ", NULL);
  add(&text, "\" k=\"");
  repeat(&text, 500, "2 ", NULL);
  add(&text, "\" outstanding=\"");
  repeat(&text, 500, "2 ", NULL);
  add(&text, "\"/></sweep></experiment>");
  expect(&text, "combinations.xml", read_experiment, "more than");
}

static void test_methods(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  add(&text, "<sweep collective=\"bcast\"><ranks>2</ranks><sizes>1</sizes>");
  for (int i = 1; i <= 30000; i++)
    fprintf(text.stream, "<method name=\"bcast/chain/k=%d\"/>\n", i);
  add(&text, "</sweep></experiment>");
  expect(&text, "methods.xml", read_experiment, "more than");
}

static void test_points(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  add(&text, "<sweep collective=\"bcast\"><ranks>1..1000000</ranks><sizes>1..1000000</sizes>"
             "<decision name=\"library:openmpi-4.1\"/></sweep></experiment>");
  expect(&text, "points.xml", read_experiment, "more than");
}

static void test_rank_lists(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  repeat(&text, 10000, "<sweep collective=\"barrier\"><ranks>1..1000000</ranks></sweep>\n", NULL);
  add(&text, "</experiment>");
  expect(&text, "ranks.xml", read_experiment, "more than");
}

/* The product of the axes does not fit a size_t. */
static void test_groups(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, experiment);
  add(&text, "<group branching=\"2..1048577\" seed=\"0..1048575\" colours=\"1..1048576\"><ranks>2</ranks>"
             "<members>0..1048575</members></group></experiment>");
  expect(&text, "groups.xml", read_experiment, "more than");
}

/* ---- platforms ---- */

static const char platform[] = "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
                               "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n";

static void test_hosts(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, platform);
  add(&text,
      "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-10000000\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1us\"/>"
      "</platform>\n");
  expect(&text, "hosts.xml", read_platform, "more than");
}

static void test_clusters(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, platform);
  add(&text, "<zone id=\"z\" routing=\"Full\">\n");
  for (int i = 0; i < 5000; i++)
    fprintf(text.stream,
            "<cluster id=\"c%d\" prefix=\"c%d-\" suffix=\"\" radical=\"0-1000000\" speed=\"1Gf\" bw=\"1Gbps\" "
            "lat=\"1us\"/>\n",
            i, i);
  add(&text, "</zone></platform>\n");
  expect(&text, "clusters.xml", read_platform, "more than");
}

static void test_long_prefix(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, platform);
  add(&text, "<cluster id=\"c\" prefix=\"");
  repeat(&text, 5 * MANY, "p", NULL);
  add(&text, "\" suffix=\"\" radical=\"0-100000\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1us\"/></platform>\n");
  expect(&text, "prefix.xml", read_platform, "characters");
}

static void test_nesting(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, platform);
  repeat(&text, MANY, "<zone id=\"z\" routing=\"Full\">", NULL);
  expect(&text, "nesting.xml", read_platform, "nesting.xml:");
}

static void test_xml_attributes(void **state)
{
  struct text text;
  (void)state;
  begin(&text);
  add(&text, "<experiment ");
  repeat(&text, MANY, "a", "=\"\" ");
  add(&text, "/>");
  expect(&text, "attributes.xml", read_experiment, "attributes.xml:");
}

int main(int argc, char **argv)
{
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arff_attributes),
      cmocka_unit_test(test_arff_values),
      cmocka_unit_test(test_arff_sparse_rows),
      cmocka_unit_test(test_arff_line),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_classes),
      cmocka_unit_test(test_deep_tree),
      cmocka_unit_test(test_bars),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_sweeps),
      cmocka_unit_test(test_segments),
      cmocka_unit_test(test_combinations),
      cmocka_unit_test(test_methods),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_rank_lists),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_hosts),
      cmocka_unit_test(test_clusters),
      cmocka_unit_test(test_long_prefix),
      cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_xml_attributes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
