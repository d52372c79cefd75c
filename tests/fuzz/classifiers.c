/* Printed trees: what was read is sound, classifies, and prints the same once printed. */
#include "kinds.h"
#include "tutti/classifier.h"

enum { ATTRIBUTES = 5 };

static void begin(tutti_classifier *classifier)
{
  static char *weather[] = {"sunny", "overcast", "rain"}, *truths[] = {"no", "yes"}, *classes[] = {"play", "stay"};
  static tutti_attribute attributes[ATTRIBUTES] = {{"outlook", 3, weather, false},
                                                   {"temperature", 0, NULL, false},
                                                   {"windy", 2, truths, false},
                                                   {"bytes", 0, NULL, false},
                                                   {"ranks", 0, NULL, false}};
  tutti_cases cases = {.attribute_count = ATTRIBUTES, .attributes = attributes, .class_count = 2, .classes = classes};
  tutti_classifier_create(&cases, classifier);
}

static bool is_sound(const tutti_classifier *tree, int i)
{
  const tutti_node *node = &tree->nodes[i];
  if (node->branch_count == 0)
    return node->attribute == -1 && node->label >= 0 && node->label < tree->class_count;
  if (node->attribute < 0 || node->attribute >= tree->attribute_count || node->first <= i ||
      node->first + node->branch_count > tree->node_count)
    return false;
  for (int v = 0; node->branch_of && v < tree->attributes[node->attribute].value_count; v++)
    if (node->branch_of[v] < 0 || node->branch_of[v] >= node->branch_count)
      return false;
  return node->branch_of ? true : node->branch_count == 2 && isfinite(node->threshold);
}

static void check(const fuzz_trial *trial, const tutti_classifier *tree)
{
  if (tree->node_count < 1 || tutti_classifier_leaves(tree) < 1 || tutti_classifier_depth(tree) < 0)
    fuzz_fail(trial, "a tree without nodes, leaves or depth");
  for (int i = 0; i < tree->node_count; i++)
    if (!is_sound(tree, i))
      fuzz_fail(trial, "node %d of %d is not sound", i, tree->node_count);
}

static void ask(const fuzz_trial *trial, const tutti_classifier *tree)
{
  static const double questions[][ATTRIBUTES] = {{0, 70, 1, 8, 2},
                                                 {2, -1e300, 0, 1e18, 131072},
                                                 {NAN, 75, NAN, NAN, 4},
                                                 {NAN, NAN, NAN, NAN, NAN},
                                                 {7, INFINITY, -1, -INFINITY, 0}};
  for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
    int label = tutti_classifier_classify(tree, questions[q]);
    if (label < 0 || label >= tree->class_count)
      fuzz_fail(trial, "label %d of %d", label, tree->class_count);
  }
}

static char *print(const fuzz_trial *trial, const tutti_classifier *tree)
{
  tutti_error error = {0};
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    abort();
  fuzz_good(trial, "printing", tutti_classifier_print(tree, stream, &error), &error);
  fclose(stream);
  return text;
}

static bool parse(const fuzz_trial *trial, const char *text, size_t length, tutti_classifier *tree)
{
  tutti_error error = {0};
  int line = 0;
  begin(tree);
  FILE *stream = fmemopen((void *)text, length, "r");
  if (!stream)
    abort();
  bool taken = fuzz_taken(trial, tutti_classifier_parse(stream, "a tree", &line, tree, &error), &error, "a tree:");
  fclose(stream);
  return taken;
}

bool fuzz_feed_classifier(const fuzz_trial *trial)
{
  tutti_classifier tree, again;
  bool taken = parse(trial, trial->text->bytes, trial->text->length, &tree);
  if (taken) {
    check(trial, &tree);
    ask(trial, &tree);
    char *once = print(trial, &tree);
    if (!parse(trial, once, strlen(once), &again))
      fuzz_fail(trial, "what was printed does not read");
    char *twice = print(trial, &again);
    if (strcmp(once, twice) != 0)
      fuzz_fail(trial, "printed, read and printed, the tree differs");
    free(once);
    free(twice);
    tutti_classifier_free(&again);
  }
  tutti_classifier_free(&tree);
  return taken;
}
