/* Tables written as C: compiled as strictly as C99 can be, loaded, and asked the same as the quadtree. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdlib.h>

#include "label_map.h"
#include "scratch_file.h"
#include "tutti/code_table.h"

static struct labels labels;
static const char *const class_names[] = {"a", "b", "c", "d", "e"};

static tutti_quadtree *encode(int depth)
{
  tutti_label_map map = labels_map(&labels);
  tutti_quadtree *tree;
  assert_int_equal(tutti_quadtree_create(&map, &(tutti_quadtree_limits){.depth = depth}, &tree, NULL), TUTTI_OK);
  return tree;
}

static void discard(tutti_classifier *classifier)
{
  for (int i = 0; i < classifier->attribute_count; i++)
    free(classifier->attributes[i].name);
  for (int i = 0; i < classifier->class_count; i++)
    free(classifier->classes[i]);
  free(classifier->attributes);
  free(classifier->classes);
  free(classifier->nodes);
}

/* The table of a tree as a text, to be freed. */
static char *write_table(const tutti_quadtree *tree, size_t *table_bytes)
{
  tutti_classifier classifier;
  tutti_error error = {0};
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  assert_int_equal(tutti_quadtree_classifier(tree, class_names, 5, &classifier, NULL), TUTTI_OK);
  if (tutti_code_table_write(&classifier, "pick", stream, table_bytes, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  fclose(stream);
  discard(&classifier);
  return text;
}

union function {
  void *address;
  int (*two)(int ranks, unsigned long long bytes);
  int (*three)(int ranks, unsigned long long bytes, int ranks_per_node);
};

/* The library stays loaded, its file does not stay. */
static union function compile(const char *text)
{
  struct scratch_file source = scratch_write("pick.c", text);
  char library[160], command[512];
  union function found = {0};
  snprintf(library, sizeof library, "%s/pick.so", source.directory);
  snprintf(command, sizeof command,
           "${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -O1 -shared -fPIC -o %s %s", library,
           source.path);
  if (system(command) != 0)
    fail_msg("this does not compile:\n%s", text);
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  found.address = handle ? dlsym(handle, "pick") : NULL;
  unlink(library);
  scratch_remove(&source);
  assert_non_null(found.address);
  return found;
}

static void check_tree(int depth, uint64_t *seed)
{
  tutti_quadtree *tree = encode(depth);
  size_t bytes;
  char *text = write_table(tree, &bytes);
  union function pick = compile(text);
  assert_true(bytes > 0);
  for (int i = 0; i < 2000; i++) {
    int ranks = (int)random_below(seed, 40) - 1, nodes = (int)random_below(seed, 40) - 1;
    uint64_t size = i == 0 ? UINT64_MAX : random_below(seed, random_below(seed, 2) ? 30 : 12000);
    int label = labels.counts[2] > 1 ? pick.three(ranks, size, nodes) : pick.two(ranks, size);
    assert_int_equal(label, tutti_quadtree_label(tree, ranks, size, nodes));
  }
  free(text);
  tutti_quadtree_free(tree);
}

static void test_answers_as_the_tree_does(void **state)
{
  (void)state;
  uint64_t seed = 17;
  static const int shapes[][3] = {{1, 1, 1}, {1, 12, 1}, {12, 1, 1}, {12, 12, 1}, {25, 30, 1}, {7, 9, 4}, {1, 1, 5}};
  for (int i = 0; i < 7; i++) {
    labels_init(&labels, shapes[i][0], shapes[i][1], shapes[i][2], 5);
    labels_draw(&labels, &seed);
    check_tree(i % 2 ? 2 : -1, &seed);
  }
}

/* Two labels at one threshold: what is written is known. */
static void test_text(void **state)
{
  (void)state;
  labels_init(&labels, 1, 2, 1, 2);
  labels.axes[1][0] = 100;
  labels.axes[1][1] = 10000;
  labels.labels[1] = 1;
  tutti_quadtree *tree = encode(-1);
  size_t bytes;
  char *text = write_table(tree, &bytes);
  assert_int_equal(bytes, 8 + 2);
  assert_non_null(strstr(text, "pick_bytes[1] = {1000ull};"));
  assert_non_null(strstr(text, "pick_labels[2] = {\n  0, 1};"));
  assert_null(strstr(text, "ranks_per_node"));
  free(text);
  tutti_quadtree_free(tree);
}

static void test_refuses_other_attributes(void **state)
{
  (void)state;
  tutti_attribute attributes[] = {{.name = "ranks"}, {.name = "even"}};
  tutti_node nodes[] = {{.attribute = 1, .first = 1, .branch_count = 2}, {.attribute = -1}, {.attribute = -1}};
  tutti_classifier classifier = {
      .attribute_count = 2, .attributes = attributes, .class_count = 1, .node_count = 3, .nodes = nodes};
  tutti_error error = {0};
  assert_int_equal(tutti_code_table_write(&classifier, "pick", stderr, NULL, &error), TUTTI_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "even"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers_as_the_tree_does),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_refuses_other_attributes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
