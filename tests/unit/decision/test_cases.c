/* Files of cases as other programs read them. */
#include "base/input.h"
#include "unit/base/random.h"
#include "unit/decision/cases_fixture.h"
#include "unit/test.h"

static const char *const odd[] = {"plain", "a b",  " lead", "a,b",  "{x}",        "it's", "\"q\"",
                                  "?",     "end.", "1.5",   "a: b", "|bar",       "b\\",  "two\nl",
                                  "%c",    "t ",   "x. y",  "a  b", "r=b:8KB/k=2"};
enum { ODD = sizeof odd / sizeof odd[0], ROWS = 200 };

static tutti_cases odd_cases(void)
{
  tutti_cases cases;
  uint64_t seed = 5;
  tutti_cases_create("odd data", 3, ODD, ROWS, &cases);
  for (int a = 0; a < 3; a++) {
    cases.attributes[a].name = strdup(odd[3 * a + 1]);
    cases.attributes[a].value_count = a == 1 ? ODD : 0;
    cases.attributes[a].values = calloc(ODD, sizeof(char *));
    for (int v = 0; v < ODD; v++) {
      if (a == 1)
        cases.attributes[a].values[v] = strdup(odd[v]);
      if (a == 0)
        cases.classes[v] = strdup(odd[v]);
    }
  }
  for (int i = 0; i < ROWS; i++) {
    cases.labels[i] = (int)random_below(&seed, ODD);
    cases.values[1][i] = i % 10 == 0 ? NAN : (double)random_below(&seed, ODD);
    cases.values[0][i] = i % 7 == 0 ? NAN : (double)random_next(&seed) / (double)(1 + random_next(&seed) % 1000000007);
    cases.values[2][i] = (double)random_below(&seed, 1000) / 1000;
  }
  return cases;
}

static void expect_same(const tutti_cases *left, const tutti_cases *right)
{
  assert_int_equal(left->count, right->count);
  assert_int_equal(left->attribute_count, right->attribute_count);
  assert_int_equal(left->class_count, right->class_count);
  for (int c = 0; c < left->class_count; c++)
    assert_string_equal(left->classes[c], right->classes[c]);
  for (int a = 0; a < left->attribute_count; a++) {
    assert_string_equal(left->attributes[a].name, right->attributes[a].name);
    assert_int_equal(left->attributes[a].value_count, right->attributes[a].value_count);
    for (int v = 0; v < left->attributes[a].value_count; v++)
      assert_string_equal(left->attributes[a].values[v], right->attributes[a].values[v]);
    for (size_t i = 0; i < left->count; i++)
      assert_true(left->values[a][i] == right->values[a][i] ||
                  (isnan(left->values[a][i]) && isnan(right->values[a][i])));
  }
  assert_memory_equal(left->labels, right->labels, left->count * sizeof(int));
}

static char *written(const char *path)
{
  char *text;
  size_t length;
  assert_ok(tutti_input_read(path, TUTTI_INPUT_TEXT, &text, &length, &error), error);
  unlink(path);
  return text;
}

static char *written_arff(const tutti_cases *cases)
{
  SCRATCH_FILE(file, "t.arff", "");
  assert_ok(tutti_cases_write_arff(cases, file.path, &error), error);
  return written(file.path);
}

/* STEM.names followed by STEM.data. */
static char *written_c45(const tutti_cases *cases)
{
  char stem[160], path[170];
  SCRATCH_FILE(file, "t.names", "");
  snprintf(stem, sizeof stem, "%s/t", file.directory);
  snprintf(path, sizeof path, "%s.data", stem);
  assert_ok(tutti_cases_write_c45(cases, stem, &error), error);
  char *names = written(file.path), *data = written(path), *both = NULL;
  assert_true(asprintf(&both, "%s---\n%s", names, data) > 0);
  free(data);
  free(names);
  return both;
}

TEST(arff_reads_back)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = odd_cases();
  FREED_BY(free_memory) char *text = written_arff(&cases);
  FREED_BY(tutti_cases_free) tutti_cases again = arff_read(text);
  expect_same(&cases, &again);
  assert_string_equal(again.name, cases.name);
}

/* What a name of C4.5 may not have in it is escaped: separators, a full stop before a blank, blanks at its ends. */
TEST(c45_is_escaped)
{
  FREED_BY(tutti_cases_free)
  tutti_cases cases = cases_of("@relation r\n@attribute ' a: b' {'?','x, y','e. g.',e.g,'a|b'}\n@attribute n real\n"
                               "@attribute class {'it\\'s.','back\\\\'}\n@data\n"
                               "'?',0.1,'back\\\\'\n?,1e300,'it\\'s.'\n'x, y',?,'it\\'s.'\n");
  FREED_BY(free_memory) char *text = written_c45(&cases);
  assert_string_equal(text, "it's\\.,back\\\\.\n\n\\ a\\: b: \\?,x\\, y,e\\. g\\.,e.g,a\\|b.\nn: continuous.\n---\n"
                            "\\?,0.1,back\\\\\n?,1e+300,it's\\.\nx\\, y,?,it's\\.\n");
}

/* The class has no name in a table; that of the written one must not be the name of an attribute. */
TEST(test_attribute_called_class)
{
  FREED_BY(tutti_cases_free)
  tutti_cases cases = cases_of("@relation r\n@attribute class {x,y}\n@attribute class_ {x}\n"
                               "@attribute last {a,b}\n@data\ny,x,b\n");
  FREED_BY(free_memory) char *text = written_arff(&cases);
  assert_string_equal(text, "@relation r\n\n@attribute class {x,y}\n@attribute class_ {x}\n"
                            "@attribute class__ {a,b}\n\n@data\ny,x,b\n");
}

/* The only value of an attribute may be what says elsewhere of which kind an attribute is. */
TEST(test_value_called_continuous)
{
  FREED_BY(tutti_cases_free)
  tutti_cases cases = cases_of("@relation r\n@attribute a {continuous}\n@attribute b {ignore}\n"
                               "@attribute c {'discrete 3'}\n@attribute last {a}\n@data\n"
                               "continuous,ignore,'discrete 3',a\n");
  cases.attributes[1].ignored = true;
  FREED_BY(free_memory) char *text = written_c45(&cases);
  assert_string_equal(text, "a.\n\na: \\continuous.\nb: \\ignore.\nc: \\discrete 3.\n---\n"
                            "continuous,ignore,discrete 3,a\n");
}

TEST(cannot_be_written)
{
  FREED_BY(tutti_cases_free) tutti_cases cases = odd_cases();
  assert_int_equal(tutti_cases_write_arff(&cases, "/nonexistent/t.arff", &error), TUTTI_ERR_IO);
  assert_int_equal(tutti_cases_write_c45(&cases, "/nonexistent/t", &error), TUTTI_ERR_IO);
  if (access("/dev/full", W_OK) == 0)
    assert_int_equal(tutti_cases_write_arff(&cases, "/dev/full", &error), TUTTI_ERR_IO);
}
