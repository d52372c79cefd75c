/* The words that records, points files and experiments of sorts take are those that tutti_sort() and tutti-sort know.
 */
#include "decision/results/row.h"
#include "harness/measure/sort/sort_input.h"
#include "unit/test.h"

static const char *algorithm(int i)
{
  return tutti_sort_algorithm_name((tutti_sort_algorithm)i);
}

static const char *layer(int i)
{
  return tutti_sort_layer_name((tutti_sort_layer)i);
}

static const char *order(int i)
{
  return tutti_sort_order_name((tutti_sort_order)i);
}

static const char *assignment(int i)
{
  return tutti_sort_assignment_name((tutti_sort_assignment)i);
}

static const struct {
  int field;
  const char *(*name)(int index);
  const char *none; /* the word of what does not apply */
} words[] = {
    {TUTTI_SORT_FIELD_ALGORITHM, algorithm, ""},
    {TUTTI_SORT_FIELD_LAYER, layer, " -"},
    {TUTTI_SORT_FIELD_ORDER, order, " -"},
    {TUTTI_SORT_FIELD_ASSIGNMENT, assignment, " -"},
    {TUTTI_SORT_FIELD_DISTRIBUTION, sort_distribution_name, ""},
    {TUTTI_SORT_FIELD_TYPE, sort_kind_name, ""},
};

TEST(test_words_are_the_names)
{
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    char expected[256] = "";
    for (int i = 0; words[w].name(i); i++) {
      strcat(expected, i ? " " : "");
      strcat(expected, words[w].name(i));
    }
    strcat(expected, words[w].none);
    assert_string_equal(tutti_result_column(TUTTI_RESULT_SORT, words[w].field)->words, expected);
  }
}
