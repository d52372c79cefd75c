/* Files of cases: what is written reads back the same, whatever the names are. */
#include <stdlib.h>
#include <string.h>

#include "tutti/classifier.h"

#include "unit/base/scratch_file.h"
#include "unit/test.h"

static tutti_cases read_text(const char *name, const char *content)
{
  tutti_cases cases;
  tutti_error error;
  SCRATCH_FILE(file, name, content);
  assert_ok(tutti_cases_read(file.path, &cases, &error), error);
  return cases;
}

/* The class has no name in a table; that of the written one must not be the name of an attribute. */
TEST(test_attribute_called_class)
{
  tutti_cases cases = read_text("in.arff", "@relation r\n@attribute class {x,y}\n@attribute class_ {x}\n"
                                           "@attribute last {a,b}\n@data\ny,x,b\n");
  SCRATCH_FILE(file, "back.arff", "");
  tutti_cases again;
  tutti_error error;
  assert_int_equal(tutti_cases_write_arff(&cases, file.path, &error), TUTTI_OK);
  assert_ok(tutti_cases_read_arff(file.path, &again, &error), error);
  assert_int_equal(again.attribute_count, 2);
  assert_string_equal(again.attributes[0].name, "class");
  assert_string_equal(again.classes[again.labels[0]], "b");
  tutti_cases_free(&again);
  tutti_cases_free(&cases);
}

/* The only value of an attribute may be what says elsewhere of which kind an attribute is. */
TEST(test_value_called_continuous)
{
  tutti_cases cases = read_text("in.arff", "@relation r\n@attribute a {continuous}\n@attribute b {ignore}\n"
                                           "@attribute c {'discrete 3'}\n@attribute last {a}\n@data\n"
                                           "continuous,ignore,'discrete 3',a\n");
  SCRATCH_FILE(names, "back.names", "");
  char data[160];
  tutti_cases again;
  tutti_error error;
  snprintf(data, sizeof data, "%s/back.data", names.directory);
  names.path[strlen(names.path) - strlen(".names")] = '\0';
  assert_int_equal(tutti_cases_write_c45(&cases, names.path, &error), TUTTI_OK);
  assert_ok(tutti_cases_read_c45(names.path, &again, &error), error);
  for (int a = 0; a < 3; a++) {
    assert_int_equal(again.attributes[a].value_count, 1);
    assert_string_equal(again.attributes[a].values[0], cases.attributes[a].values[0]);
    assert_false(again.attributes[a].ignored);
  }
  unlink(data);
  strcat(names.path, ".names");
  tutti_cases_free(&again);
  tutti_cases_free(&cases);
}
