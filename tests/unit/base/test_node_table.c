/* Tables of nodes and their levels, and numbers of nodes from their names. */
#include "base/node_table.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static tutti_status read_text(const char *text, struct node_table *table, tutti_error *error)
{
  SCRATCH_FILE(file, "levels", text);
  return tutti_node_table_read(file.path, table, error);
}

TEST(nodes_have_their_levels)
{
  struct node_table table;
  assert_ok(
      read_text(
          "# racks are left alone\ngroup\track\tfirst_node\tlast_node\tswitch\n\n7\tA\t20\t29\t4\n3\t9\t5\t9\t1\n",
          &table, REASON),
      error);
  assert_int_equal(table.level_count, 2);
  assert_string_equal(table.level_names[0], "switch");
  assert_string_equal(table.level_names[1], "group");
  assert_null(tutti_node_table_find(&table, 4));
  assert_null(tutti_node_table_find(&table, 10));
  assert_null(tutti_node_table_find(&table, 30));
  for (int node = 5; node <= 9; node++)
    assert_ptr_equal(tutti_node_table_find(&table, node), &table.items[0]);
  for (int node = 20; node <= 29; node++)
    assert_ptr_equal(tutti_node_table_find(&table, node), &table.items[1]);
  assert_int_equal(table.items[0].parts[0], 1);
  assert_int_equal(table.items[0].parts[1], 3);
  assert_int_equal(table.items[1].parts[0], 4);
  assert_int_equal(table.items[1].parts[1], 7);
  tutti_vector_free(&table);
}

TEST(faults_name_file_and_line)
{
  static const struct {
    const char *text, *message;
  } faults[] = {
      {"", "levels: no nodes"},
      {"first_node\tlast_node\n", "levels:1: headings"},
      {"switch\tfirst_node\n", "levels:1: headings"},
      {"first_node\tlast_node\tswitch\n1\t2\n", "levels:2: 2 fields"},
      {"first_node\tlast_node\tswitch\n1\t2\tthree\n", "levels:2: switch: not a whole number: 'three'"},
      {"first_node\tlast_node\tswitch\n9\t8\t1\n", "levels:2: last_node 8 is below first_node 9"},
      {"first_node\tlast_node\tswitch\n5\t8\t1\n1\t5\t2\n", "levels:2: node 5 is in line 3, too"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct node_table table;
    assert_fails(read_text(faults[i].text, &table, REASON), TUTTI_ERR_ARGUMENT, error, faults[i].message);
    tutti_vector_free(&table);
  }
  struct node_table table;
  assert_fails(tutti_node_table_read("/nonexistent/levels", &table, REASON), TUTTI_ERR_IO, error,
               "/nonexistent/levels");
  tutti_vector_free(&table);
}

TEST(names_have_numbers)
{
  static const struct {
    const char *name;
    int number; /* -1: none */
  } names[] = {
      {"lrdn0089", 89},
      {"as01r3b02", 1302},
      {"nid001000.cluster7", 1000},
      {"n5:0", 5},
      {"n2147483647", INT_MAX},
      {"n2147483648", -1},
      {"n99999999999999", -1},
      {"login", -1},
      {"", -1},
      {"10.0.0.7", -1},
      {"login.cluster7", -1},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int number = -2;
    assert_int_equal(tutti_node_number(names[i].name, &number), names[i].number >= 0);
    if (names[i].number >= 0)
      assert_int_equal(number, names[i].number);
  }
}
