/* Faults of MPICH's tree of conditions: the check remembers every condition that holds on a path through it. */
#include <limits.h>
#include <string.h>

#include "base/numbers.h"
#include <ctype.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/libraries/mpich/mpich.h"

/* Facts on the path. A condition is known to be true, false, or, where no call arrives, both. */
struct facts {
  unsigned yes, no;                        /* bits of tests */
  unsigned kinds;                          /* remaining kinds of hierarchy */
  long min[MPICH_TESTS], max[MPICH_TESTS]; /* of sizes, inclusive */
  bool pruned;
  const char *collective;
};

struct check {
  struct tuning_file *file;
  const struct mpich_selection *selection;
};

static unsigned bit(enum mpich_test test)
{
  return 1u << test;
}

/* comm_size< is a bound on the same size as comm_size<=. */
static enum mpich_test size_of(enum mpich_test test)
{
  return test == TEST_RANKS_LESS ? TEST_RANKS : test;
}

static bool is_size(enum mpich_test test)
{
  return test == TEST_RANKS || test == TEST_RANKS_LESS || test == TEST_PPN || test == TEST_AVERAGE ||
         test == TEST_TOTAL || test == TEST_COUNT;
}

static long bound_of(const struct mpich_node *node, const struct facts *facts)
{
  return node->test == TEST_RANKS_LESS && facts->pruned ? node->value - 1 : node->value;
}

static bool is_possible(const struct facts *facts)
{
  for (int t = 0; t < MPICH_TESTS; t++)
    if (facts->min[t] > facts->max[t])
      return false;
  return !(facts->yes & facts->no) && facts->kinds;
}

/* The facts after a condition with this outcome. */
static struct facts outcome(const struct facts *before, const struct mpich_node *node, bool is_true)
{
  const bool holds = is_true != node->negated;
  struct facts facts = *before;
  enum mpich_test size = size_of(node->test);
  if (node->test == TEST_ANY) {
    if (!holds)
      facts.kinds = 0; /* impossible */
  } else if (is_size(node->test)) {
    long bound = bound_of(node, before);
    if (holds && bound < facts.max[size])
      facts.max[size] = bound;
    if (!holds && bound + 1 > facts.min[size])
      facts.min[size] = bound + 1;
  } else if (node->test == TEST_HIERARCHY)
    facts.kinds &= holds ? (unsigned)node->value : ~(unsigned)node->value;
  else {
    bool positive = node->test == TEST_RANKS_POWER || node->test == TEST_RANKS_NODE || node->test == TEST_COUNT_POWER;
    bool yes = (positive || node->value) == holds;
    *(yes ? &facts.yes : &facts.no) |= bit(node->test);
  }
  facts.pruned = facts.pruned && tutti_mpich_is_pruned(node);
  return facts;
}

/* ---- leaves ---- */

static bool is_power(const struct facts *facts)
{
  long min = facts->min[TEST_RANKS], max = facts->max[TEST_RANKS];
  return facts->yes & bit(TEST_RANKS_POWER) || max <= 2 || (min == max && tutti_is_power_of_two((uint64_t)min));
}

static bool is_met(const struct mpich_restriction *restriction, const struct facts *facts)
{
  if (restriction->test == TEST_RANKS_POWER)
    return is_power(facts);
  if (restriction->test == TEST_HIERARCHY)
    return facts->kinds == KIND_PARENT;
  return (restriction->holds ? facts->yes : facts->no) & bit(restriction->test);
}

/* The hierarchy is the first condition above an algorithm, and the last that is checked. */
static void check_needs(const struct check *check, const struct mpich_node *leaf, const struct facts *facts)
{
  unsigned needs = leaf->device ? leaf->device->needs : tutti_mpich_needs(leaf->word) & ~(unsigned)NEEDS_GUARD;
  for (int i = 1; i <= MPICH_RESTRICTIONS; i++) {
    const struct mpich_restriction *restriction = &tutti_mpich_restrictions[i % MPICH_RESTRICTIONS];
    if (needs & restriction->need && !is_met(restriction, facts))
      tutti_tuning_report(check->file, LINT_MPICH_RESTRICTED, leaf->at, "%s needs %s above it",
                          strchr(leaf->key, '=') + 1, restriction->wanted ? restriction->wanted : restriction->met);
  }
}

/* Communicators of one rank need nothing: no data moves. The same between two groups, where algorithms for one group
   are never run, as in MPICH's own file. */
static void check_leaf(const struct check *check, const struct mpich_node *leaf, const struct facts *facts)
{
  const bool device = check->selection->layer != LAYER_MPIR;
  if (device ? !leaf->device : leaf->word == strchr(leaf->key, '=') + 1)
    return; /* unknown, as reported before */
  if (facts->collective && !(device ? strcmp(leaf->device->collective, facts->collective) == 0
                                    : tutti_mpich_is_of(leaf->word, facts->collective)))
    tutti_tuning_report(check->file, LINT_MPICH_FOREIGN, leaf->at, "%s under %s", strchr(leaf->key, '=') + 1,
                        facts->collective);
  if (facts->max[TEST_RANKS] > 1 && !(facts->yes & bit(TEST_COMM_TYPE)))
    check_needs(check, leaf, facts);
}

/* ---- conditions ---- */

static bool starts_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

/* MPICH's own limit of ireduce_scatter_block is accepted, as files for other collectives repeat it. */
static void check_elements(const struct check *check, const struct mpich_node *node, const struct facts *facts)
{
  const char *name = facts->collective + (*facts->collective == 'i');
  bool inter = facts->yes & bit(TEST_COMM_TYPE);
  if (node->test != TEST_TOTAL)
    return;
  if ((strcmp(name, "gather") == 0 || strcmp(name, "scatter") == 0) && !inter)
    tutti_tuning_report(check->file, LINT_MPICH_ELEMENTS, node->at, "'%s' of %s is %ld elements", node->key,
                        facts->collective, node->value);
  if (!check->selection->renamed && strcmp(facts->collective, "ireduce_scatter_block") == 0 &&
      node->value != MPICH_REDUCE_SCATTER_SHORT)
    tutti_tuning_report(check->file, LINT_MPICH_ELEMENTS_NOTE, node->at, "'%s' is %ld elements", node->key,
                        node->value);
}

/* What it says, in the form that MPICH compares so. */
static void edit_less(struct tuning_file *file, const struct mpich_node *node)
{
  char text[MPICH_NAME_LENGTH];
  const char *key = strstr(file->text + node->at, node->key);
  snprintf(text, sizeof text, "comm_size<=%ld", node->value - 1);
  if (key && key - (file->text + node->at) <= 1 && node->value > 1)
    tutti_tuning_edit(file, LINT_MPICH_LESS, (size_t)(key - file->text), strlen(node->key), text);
}

static void check_condition(const struct check *check, const struct mpich_node *node, const struct facts *facts)
{
  struct facts held = outcome(facts, node, true);
  if (node->test == TEST_COLLECTIVE) {
    tutti_tuning_report(check->file, LINT_MPICH_ROOT, node->at, "'%s' below another condition", node->key);
    return;
  }
  if (!tutti_mpich_defines(node->test, facts->collective))
    tutti_tuning_report(check->file, LINT_MPICH_NOT_HERE, node->at, "'%s' under %s", node->key, facts->collective);
  if (node->test == TEST_RANKS_LESS && !facts->pruned) {
    tutti_tuning_report(check->file, LINT_MPICH_LESS, node->at, "'%s' holds for %ld ranks, too", node->key,
                        node->value);
    edit_less(check->file, node);
  }
  const bool open = check->selection->layer == LAYER_POSIX && node->test == TEST_COMM_TYPE && node->failure < 0;
  if (node->test != TEST_ANY && !starts_with(node->key, "comm_hierarchy=any") && !is_possible(&held) && !open)
    tutti_tuning_report(check->file, LINT_MPICH_HIDDEN, node->at, "'%s' is never true here", node->key);
  check_elements(check, node, facts);
}

static bool wants_any(enum mpich_test test)
{
  return is_size(test) || test == TEST_RANKS_POWER || test == TEST_RANKS_NODE || test == TEST_COUNT_POWER;
}

/* The last condition of an object has failed, too. A selection of the shared memory ends so with a comm_type that is
   never true where it chooses nothing. */
static void check_end(const struct check *check, const struct mpich_node *node, const struct facts *left)
{
  if (wants_any(node->test) && !check->selection->renamed)
    tutti_tuning_report(check->file, LINT_MPICH_CHAIN, node->at, "nothing follows '%s'", node->key);
  else if (!is_possible(left) || check->selection->layer != LAYER_MPIR)
    return; /* a device layer may choose nothing */
  else if (node->test == TEST_COMM_TYPE && node->value == 0)
    tutti_tuning_report(check->file, LINT_MPICH_INTER, node->at, "%s has only comm_type=intra", left->collective);
  else
    tutti_tuning_report(check->file, LINT_MPICH_DEAD_END, node->at,
                        "there is no choice for calls on which '%s' is false", node->key);
}

static void check_chain(const struct check *check, int index, struct facts facts)
{
  while (index >= 0) {
    const struct mpich_node *node = &check->selection->nodes.items[index];
    if (node->test == TEST_LEAF) {
      if (is_possible(&facts))
        check_leaf(check, node, &facts);
      return;
    }
    if (is_possible(&facts))
      check_condition(check, node, &facts);
    if (node->test == TEST_ANY && node->failure >= 0)
      tutti_tuning_report(check->file, LINT_MPICH_AFTER_ANY, check->selection->nodes.items[node->failure].at,
                          "'%s' stands after '%s'", check->selection->nodes.items[node->failure].key, node->key);
    check_chain(check, node->success, outcome(&facts, node, true));
    facts = outcome(&facts, node, false);
    if (node->failure < 0)
      check_end(check, node, &facts);
    index = node->failure;
  }
}

/* ---- collectives ---- */

static bool is_given(const struct mpich_selection *selection, const char *name)
{
  for (int n = selection->top; n >= 0; n = selection->nodes.items[n].failure) {
    const struct mpich_node *node = &selection->nodes.items[n];
    if (node->test == TEST_COLLECTIVE && strcmp(node->word, name) == 0)
      return true;
  }
  return false;
}

/* MPICH's own choice of these collectives, before the brace that ends the file. */
static void edit_missing(const struct check *check, int code, const char *const *missing)
{
  const struct tuning_file *file = check->file;
  const char *brace = memrchr(file->text, '}', file->length);
  const tutti_library_version earlier = {file->version.library, 5, 0, 0};
  const bool old = !check->selection->renamed && tutti_library_between(&file->version, MPICH_RENAMED, 0);
  char *members = tutti_mpich_own_members(old ? &earlier : &file->version, missing);
  char *text = tutti_xprintf("%s%s\n", check->selection->top >= 0 ? ",\n" : "\n", members);
  size_t at = brace ? (size_t)(brace - file->text) : 0;
  while (at > 0 && isspace((unsigned char)file->text[at - 1]))
    at--;
  if (brace && !check->selection->broken)
    tutti_tuning_edit(check->file, code, at, (size_t)(brace - file->text) - at, text);
  free(members);
  free(text);
}

static void check_missing(const struct check *check, bool blocking)
{
  enum { MAX_COLLECTIVES = 128 };
  const int code = blocking ? LINT_MPICH_MISSING : LINT_MPICH_MISSING_OTHER;
  const char *name, *missing[MAX_COLLECTIVES + 1] = {NULL};
  char names[400] = "";
  size_t length = 0;
  int count = 0;
  for (int i = 0; (name = tutti_mpich_collective_at(i)) && count < MAX_COLLECTIVES; i++) {
    if (is_given(check->selection, name) || blocking != (*name != 'i' && !starts_with(name, "neighbor")))
      continue;
    missing[count++] = name;
    if (length < sizeof names - 40)
      length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", name);
  }
  if (count == 0)
    return;
  tutti_tuning_report(check->file, code, 0, "%s", names);
  edit_missing(check, code, missing);
}

static struct facts no_facts(const char *collective)
{
  struct facts facts = {.kinds = KIND_ALL, .pruned = true, .collective = collective};
  for (int t = 0; t < MPICH_TESTS; t++)
    facts.max[t] = LONG_MAX - 1;
  facts.min[TEST_RANKS] = 1;
  return facts;
}

static void check_selection(struct tuning_file *file, const struct mpich_selection *selection)
{
  struct check check = {file, selection};
  if (selection->top < 0 && selection->root.kind != JSON_OBJECT)
    return;
  for (int n = selection->top; n >= 0; n = selection->nodes.items[n].failure) {
    const struct mpich_node *node = &selection->nodes.items[n];
    if (node->test != TEST_COLLECTIVE)
      tutti_tuning_report(file, LINT_MPICH_ROOT, node->at, "'%s' is no collective", node->key);
    else {
      struct facts facts = no_facts(node->word);
      facts.yes |= node->value ? bit(TEST_COMM_TYPE) : 0;
      check_chain(&check, node->success, facts);
    }
  }
  if (selection->layer == LAYER_MPIR) {
    check_missing(&check, true);
    check_missing(&check, false);
  }
}

void tutti_mpich_lint(struct tuning_file *file)
{
  struct mpich_selection selection = {.top = -1};
  if (file->marked) {
    tutti_tuning_report(file, LINT_MPICH_MARK, 0, "three bytes of UTF-8");
    tutti_tuning_edit_mark(file, LINT_MPICH_MARK);
  }
  tutti_mpich_read(file, &selection);
  if (selection.layer == LAYER_POSIX)
    tutti_tuning_report(
        file, tutti_library_between(&file->version, MPICH_SHARED_SINCE, 0) ? LINT_MPICH_POSIX : LINT_MPICH_OTHER_FILE,
        0, "algorithms of MPIDI_POSIX");
  if (selection.layer == LAYER_VARIABLES)
    tutti_mpich_lint_variables(file, &selection.settings);
  else if (selection.root.kind == JSON_OBJECT && !(selection.broken && selection.top < 0))
    check_selection(file, &selection);
  tutti_mpich_selection_free(&selection);
}
