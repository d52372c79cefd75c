/* Files of cases: what is read, what is refused, and that what is written reads back the same. */
#include <math.h>
#include <stdint.h>

#include "unit/base/random.h"
#include "unit/decision/cases_fixture.h"
#include "unit/test.h"

/* A directory with NAME.names and NAME.data. */
static tutti_status read_pair(const char *names, const char *data, tutti_cases *cases, tutti_error *error)
{
  SCRATCH_FILE(file, "t.names", names);
  char path[160];
  snprintf(path, sizeof path, "%s/t.data", file.directory);
  write_file(path, data);
  tutti_status status = tutti_cases_read(file.path, cases, error);
  unlink(path);
  return status;
}

static const char golf_names[] = "| the weather\nPlay, Don't Play.\n\n"
                                 "outlook: sunny, overcast,\n  rain.   | three\n"
                                 "temperature: continuous.\nday: ignore.\n"
                                 "windy: discrete 2.\nspecial\\: kind: a\\,b, \\?, c.d, x  y.\n";

TEST(c45_files)
{
  tutti_cases cases;
  tutti_error error;
  assert_ok(read_pair(golf_names,
                      "sunny, 75, monday, true, a\\,b, Play\n\n"
                      "overcast,-1.5e3,tuesday,false,\\?,Don't Play.\n"
                      "?,?,?,?,?,Play | the end\nrain,0,x,true,c.d,\n  Play\nrain,0,x,true,x y,Play",
                      &cases, &error),
            error);
  assert_int_equal(cases.count, 5);
  assert_int_equal(cases.attribute_count, 5);
  assert_int_equal(cases.class_count, 2);
  assert_string_equal(cases.classes[1], "Don't Play");
  assert_string_equal(cases.attributes[4].name, "special: kind");
  assert_string_equal(cases.attributes[4].values[0], "a,b");
  assert_string_equal(cases.attributes[3].values[1], "false");
  assert_true(cases.attributes[2].ignored);
  assert_true(cases.values[1][1] == -1500);
  assert_true(isnan(cases.values[0][2]) && isnan(cases.values[4][2]) && isnan(cases.values[2][0]));
  assert_true(cases.values[4][1] == 1 && cases.values[4][3] == 2 && cases.values[4][4] == 3);
  assert_int_equal(cases.labels[1], 1);
  tutti_cases_free(&cases);
}

TEST(c45_faults)
{
  const struct {
    const char *names, *data, *word;
  } faults[] = {
      {"a, b.\nx continuous.\n", "", "t.names:2: attribute 'x continuous' is not followed by ':'"},
      {"a, b.\nx: discrete.\n", "", "t.names:2: attribute 'x': 'discrete'"},
      {"a, b.\nx: p,,q.\n", "", "t.names:2: value without a name"},
      {"a, b.\nx: p,p.\n", "", "t.names:2: value 'p' stands there twice"},
      {"a, a.\n", "", "t.names:1: class 'a' stands there twice"},
      {"a, b.\nx: continuous.\nx: continuous.\n", "", "t.names:3: attribute 'x' stands there twice"},
      {"", "", "t.names:1: class without a name"},
      {"a, b.\nx: continuous.\n", "1,a\n2x,b\n", "t.data:2: attribute 'x': '2x' is not a number"},
      {"a, b.\nx: continuous.\n", "1,a\nnan,b\n", "t.data:2: attribute 'x': 'nan' is not a number"},
      {"a, b.\nx: continuous.\n", "1,a\n1e999,b\n", "t.data:2: attribute 'x': '1e999' is not a number"},
      {"a, b.\nx: p, q.\n", "p,a\n\nr,b\n", "t.data:3: attribute 'x' has no value 'r'"},
      {"a, b.\nx: p, q.\n", "p,a\np,c\n", "t.data:2: there is no class 'c'"},
      {"a, b.\nx: p, q.\n", "p,a\np\n", "t.data:2: attribute 'x' is not followed by ','"},
      {"a, b.\nx: p, q.\n", "p,a,b\n", "t.data:1: something follows the class"},
      {"a, b.\nx: discrete 2.\n", "p,a\nq,a\nr,a\n", "t.data:3: attribute 'x': 'r' is one value more"},
      {"a, b.\nx: p, q.\n", "p,?\n", "t.data:1: there is no class '?'"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    tutti_cases cases;
    tutti_error error;
    assert_int_equal(read_pair(faults[i].names, faults[i].data, &cases, &error), TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, faults[i].word))
      fail_msg("'%s', not '%s'", error.message, faults[i].word);
    assert_null(cases.attributes);
  }
}

TEST(missing_files)
{
  tutti_cases cases;
  tutti_error error;
  assert_int_equal(tutti_cases_read("/nonexistent/t", &cases, &error), TUTTI_ERR_IO);
  assert_non_null(strstr(error.message, "/nonexistent/t.names"));
  assert_int_equal(tutti_cases_read("/nonexistent/t.arff", &cases, &error), TUTTI_ERR_IO);
  assert_int_equal(tutti_cases_read("/", &cases, &error), TUTTI_ERR_IO);
}

TEST(test_file)
{
  tutti_cases names =
      cases_of("@relation r\n@attribute x {p,q}\n@attribute y real\n@attribute c {a,b}\n@data\np,1,a\n");
  SCRATCH_FILE(file, "t.test", "q,?,b\np,2,a\n");
  tutti_cases cases;
  tutti_error error;
  assert_int_equal(tutti_cases_read_data(file.path, &names, &cases, &error), TUTTI_OK);
  assert_int_equal(cases.count, 2);
  assert_true(cases.values[0][0] == 1 && isnan(cases.values[1][0]) && cases.labels[0] == 1);
  tutti_cases_free(&cases);
  tutti_cases_free(&names);
}

TEST(arff_files)
{
  tutti_cases cases = cases_of("% comment\n@RELATION 'my data'\n\n@Attribute \"a b\" REAL % real\n"
                               "@attribute x {p, 'q r',\"it\\'s\"  , '?'}\n@attribute class {y,n}\n@DATA\n"
                               "1.5, p, y\r\n % nothing\n?,?,n\n-2e1 'q r' y\n3,'it\\'s',n % end\n4,'?',n\n"
                               "{0 7, 2 n}\n{}\n{1 ?}\n");
  assert_string_equal(cases.name, "my data");
  assert_int_equal(cases.count, 8);
  assert_string_equal(cases.attributes[0].name, "a b");
  assert_string_equal(cases.attributes[1].values[2], "it's");
  assert_true(isnan(cases.values[0][1]) && isnan(cases.values[1][1]));
  assert_true(cases.values[0][2] == -20 && cases.values[1][2] == 1 && cases.values[1][4] == 3);
  assert_true(cases.values[0][5] == 7 && cases.values[1][5] == 0 && cases.labels[5] == 1);
  assert_true(cases.values[0][6] == 0 && cases.labels[6] == 0);
  assert_true(isnan(cases.values[1][7]));
  tutti_cases_free(&cases);
}

#define HEAD "@relation r\n@attribute x real\n@attribute w {p,q}\n@attribute c {a,b}\n@data\n"

TEST(arff_faults)
{
  const struct {
    const char *text, *word;
  } faults[] = {
      {"", ":0: the file ends before @data"},
      {"@relation r\n@attribute x string\n", ":2: attribute 'x' is neither"},
      {"@relation r\n@attribute x date\n", ":2: attribute 'x' is neither"},
      {"@relation r\n@attribute x {}\n", ":2: attribute 'x' has no values"},
      {"@relation r\n@attribute x {a,b\n", ":2: the values of 'x' do not end"},
      {"@relation r\n@attribute x {a,a}\n", ":2: value 'a' stands there twice"},
      {"@relation r\n@attribute x {a} 5\n", ":2: there is something left"},
      {"@relation r\n@attribute\n", ":2: the name of the attribute is missing"},
      {"@relation r\n@attribute x real\n@attribute x real\n", ":3: attribute 'x' stands there twice"},
      {"@relation r\n@attribute x real\n@data\n", ":3: the last attribute is the class"},
      {"@relation r\n@nothing\n", ":2: neither @relation"},
      {"@relation 'r\n", ":1: a quotation that does not end"},
      {HEAD "1,p\n", ":6: 2 values instead of 3"},
      {HEAD "1,p,a,b\n", ":6: there are only 3 attributes"},
      {HEAD "1,,a\n", ":6: a value is missing between two commas"},
      {HEAD "1,p,a\none,p,a\n", ":7: attribute 'x': 'one' is not a number"},
      {HEAD "inf,p,a\n", ":6: attribute 'x': 'inf' is not a number"},
      {HEAD "1,r,a\n", ":6: attribute 'w' has no value 'r'"},
      {HEAD "1,p,d\n", ":6: there is no class 'd'"},
      {HEAD "1,p,?\n", ":6: the class is unknown"},
      {HEAD "{0 1, 0 2}\n", ":6: '0' is no index that ascends"},
      {HEAD "{7 1}\n", ":6: there are only 3"},
      {HEAD "{0 1\n", ":6: a sparse row does not end"},
      {HEAD "{0}\n", ":6: a value is missing"},
      {HEAD "{-1 5}\n", ":6: '-1' is no index"},
      {HEAD "1,p,a}\n", ":6: '}' in the middle"},
      {HEAD ",1,p,a\n", ":6: a value is missing before"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    SCRATCH_FILE(file, "t.arff", faults[i].text);
    tutti_cases cases;
    tutti_error error;
    tutti_status status = tutti_cases_read(file.path, &cases, &error);
    if (status != TUTTI_ERR_ARGUMENT || !strstr(error.message, faults[i].word))
      fail_msg("'%s', not '%s'", status ? error.message : "ok", faults[i].word);
    assert_null(cases.attributes);
  }
}

/* ---- what is written reads back the same ---- */

static const char *const odd[] = {"plain", "a b",  " lead", "a,b",  "{x}",        "it's", "\"q\"",
                                  "?",     "end.", "1.5",   "a: b", "|bar",       "b\\",  "two\nl",
                                  "%c",    "t ",   "x. y",  "a  b", "r=b:8KB/k=2"};
enum { ODD = sizeof odd / sizeof odd[0], ROWS = 200 };

static tutti_cases odd_cases(void)
{
  tutti_cases cases;
  tutti_error error;
  uint64_t seed = 5;
  assert_int_equal(tutti_cases_create("odd data", 3, ODD, ROWS, &cases, &error), TUTTI_OK);
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

TEST(written_reads_back)
{
  tutti_cases cases = odd_cases(), again;
  tutti_error error;
  SCRATCH_FILE(file, "t.arff", "");
  char stem[160], path[170];
  snprintf(stem, sizeof stem, "%s/u", file.directory);
  assert_int_equal(tutti_cases_write_arff(&cases, file.path, &error), TUTTI_OK);
  assert_ok(tutti_cases_read(file.path, &again, &error), error);
  expect_same(&cases, &again);
  assert_string_equal(again.name, cases.name);
  tutti_cases_free(&again);
  assert_int_equal(tutti_cases_write_c45(&cases, stem, &error), TUTTI_OK);
  assert_ok(tutti_cases_read(stem, &again, &error), error);
  expect_same(&cases, &again);
  tutti_cases_free(&again);
  tutti_cases_free(&cases);
  snprintf(path, sizeof path, "%s.names", stem);
  unlink(path);
  snprintf(path, sizeof path, "%s.data", stem);
  unlink(path);
}

TEST(cannot_be_written)
{
  tutti_cases cases = odd_cases();
  tutti_error error;
  assert_int_equal(tutti_cases_write_arff(&cases, "/nonexistent/t.arff", &error), TUTTI_ERR_IO);
  assert_int_equal(tutti_cases_write_c45(&cases, "/nonexistent/t", &error), TUTTI_ERR_IO);
  if (access("/dev/full", W_OK) == 0)
    assert_int_equal(tutti_cases_write_arff(&cases, "/dev/full", &error), TUTTI_ERR_IO);
  tutti_cases_free(&cases);
}

TEST(selected_rows)
{
  tutti_cases cases = odd_cases(), some;
  tutti_error error;
  const size_t rows[] = {7, 3, 3};
  assert_int_equal(tutti_cases_select(&cases, rows, 3, &some, &error), TUTTI_OK);
  assert_int_equal(some.count, 3);
  assert_true(some.values[2][0] == cases.values[2][7] && some.values[2][2] == cases.values[2][3]);
  assert_int_equal(some.labels[1], cases.labels[3]);
  assert_string_equal(some.attributes[1].values[2], odd[2]);
  tutti_cases_free(&some);
  tutti_cases_free(&cases);
}
