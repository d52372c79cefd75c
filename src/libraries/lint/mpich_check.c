/* What is wrong with MPICH's tree of conditions: everything that holds on a way through it is kept in mind. */
#include <limits.h>
#include <string.h>

#include "libraries/lint/mpich.h"
#include "libraries/targets/mpich.h"

/* What is known on the way. A truth is known to be yes, no, or, where nothing gets there, both. */
struct facts {
  unsigned yes, no;                           /* bits of tests */
  unsigned kinds;                             /* of hierarchy that are left */
  long least[MPICH_TESTS], most[MPICH_TESTS]; /* of sizes, inclusive */
  bool pruned;
  const char *collective;
};

struct check {
  struct lint *lint;
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
    if (facts->least[t] > facts->most[t])
      return false;
  return !(facts->yes & facts->no) && facts->kinds;
}

/* What holds if a test comes out so. */
static struct facts outcome(const struct facts *before, const struct mpich_node *node, bool holds)
{
  struct facts facts = *before;
  enum mpich_test size = size_of(node->test);
  if (node->test == TEST_ANY) {
    if (!holds)
      facts.kinds = 0; /* never */
  } else if (is_size(node->test)) {
    long bound = bound_of(node, before);
    if (holds && bound < facts.most[size])
      facts.most[size] = bound;
    if (!holds && bound + 1 > facts.least[size])
      facts.least[size] = bound + 1;
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
  long least = facts->least[TEST_RANKS], most = facts->most[TEST_RANKS];
  return facts->yes & bit(TEST_RANKS_POWER) || most <= 2 || (least == most && (least & (least - 1)) == 0);
}

static const struct need {
  unsigned need;
  enum mpich_test test;
  bool yes;
  const char *guard;
} needs[] = {
    {NEEDS_COMMUTATIVE, TEST_COMMUTATIVE, true, "is_commutative=yes"},
    {NEEDS_BUILT_IN, TEST_BUILT_IN, true, "is_op_built_in=yes"},
    {NEEDS_COUNT, TEST_COUNT_POWER, false, "count=any behind count<pow2"},
    {NEEDS_IN_PLACE, TEST_IN_PLACE, true, "is_sendbuf_inplace=yes"},
    {NEEDS_APART, TEST_IN_PLACE, false, "is_sendbuf_inplace=no"},
    {NEEDS_REGULAR, TEST_REGULAR, true, "is_block_regular=yes"},
    {NEEDS_CONSECUTIVE, TEST_CONSECUTIVE, true, "is_node_consecutive=yes"},
};

static void check_need(const struct check *check, const struct mpich_node *leaf, bool met, const char *guard)
{
  if (!met)
    tutti_lint_say(check->lint, LINT_MPICH_RESTRICTED, leaf->at, "MPIR_%s wants %s above it", leaf->word, guard);
}

/* Of communicators of one rank nothing is wanted: nothing is done. Nor between two groups, where algorithms for one
   stand only to be read, as in MPICH's own file. */
static void check_leaf(const struct check *check, const struct mpich_node *leaf, const struct facts *facts)
{
  unsigned wanted = tutti_mpich_needs(leaf->word);
  if (facts->collective && !tutti_mpich_is_of(leaf->word, facts->collective))
    tutti_lint_say(check->lint, LINT_MPICH_FOREIGN, leaf->at, "MPIR_%s under %s", leaf->word, facts->collective);
  if (facts->most[TEST_RANKS] <= 1 || facts->yes & bit(TEST_COMM_TYPE))
    return;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (wanted & needs[i].need)
      check_need(check, leaf, (needs[i].yes ? facts->yes : facts->no) & bit(needs[i].test), needs[i].guard);
  if (wanted & NEEDS_POWER)
    check_need(check, leaf, is_power(facts), "comm_size=pow2");
  if (wanted & NEEDS_PARENT)
    check_need(check, leaf, facts->kinds == KIND_PARENT, "comm_hierarchy=parent");
}

/* ---- conditions ---- */

static bool starts_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

static void check_elements(const struct check *check, const struct mpich_node *node, const struct facts *facts)
{
  const char *name = facts->collective + (*facts->collective == 'i');
  bool inter = facts->yes & bit(TEST_COMM_TYPE);
  if (node->test != TEST_TOTAL)
    return;
  if ((strcmp(name, "gather") == 0 || strcmp(name, "scatter") == 0) && !inter)
    tutti_lint_say(check->lint, LINT_MPICH_ELEMENTS, node->at, "'%s' of %s is %ld elements", node->key,
                   facts->collective, node->value);
  if (strcmp(facts->collective, "ireduce_scatter_block") == 0)
    tutti_lint_say(check->lint, LINT_MPICH_ELEMENTS_NOTE, node->at, "'%s' is %ld elements", node->key, node->value);
}

static void check_condition(const struct check *check, const struct mpich_node *node, const struct facts *facts)
{
  struct facts held = outcome(facts, node, true);
  if (node->test == TEST_COLLECTIVE) {
    tutti_lint_say(check->lint, LINT_MPICH_ROOT, node->at, "'%s' below another condition", node->key);
    return;
  }
  if (!tutti_mpich_defines(node->test, facts->collective))
    tutti_lint_say(check->lint, LINT_MPICH_NOT_HERE, node->at, "'%s' under %s", node->key, facts->collective);
  if (node->test == TEST_RANKS_LESS && !facts->pruned)
    tutti_lint_say(check->lint, LINT_MPICH_LESS, node->at, "'%s' holds for %ld ranks, too", node->key, node->value);
  if (node->test != TEST_ANY && !starts_with(node->key, "comm_hierarchy=any") && !is_possible(&held))
    tutti_lint_say(check->lint, LINT_MPICH_HIDDEN, node->at, "'%s' is never true here", node->key);
  check_elements(check, node, facts);
}

static bool wants_any(enum mpich_test test)
{
  return is_size(test) || test == TEST_RANKS_POWER || test == TEST_RANKS_NODE || test == TEST_COUNT_POWER;
}

/* The last condition of an object has failed, too. */
static void check_end(const struct check *check, const struct mpich_node *node, const struct facts *left)
{
  if (wants_any(node->test))
    tutti_lint_say(check->lint, LINT_MPICH_CHAIN, node->at, "behind '%s' is nothing", node->key);
  else if (!is_possible(left))
    return;
  else if (node->test == TEST_COMM_TYPE && node->value == 0)
    tutti_lint_say(check->lint, LINT_MPICH_INTER, node->at, "%s has only comm_type=intra", left->collective);
  else
    tutti_lint_say(check->lint, LINT_MPICH_DEAD_END, node->at, "there is nothing for calls on which '%s' is false",
                   node->key);
}

static void check_chain(const struct check *check, int index, struct facts facts)
{
  while (index >= 0) {
    const struct mpich_node *node = &check->selection->nodes[index];
    if (node->test == TEST_LEAF) {
      if (is_possible(&facts))
        check_leaf(check, node, &facts);
      return;
    }
    if (is_possible(&facts))
      check_condition(check, node, &facts);
    if (node->test == TEST_ANY && node->failure >= 0)
      tutti_lint_say(check->lint, LINT_MPICH_AFTER_ANY, check->selection->nodes[node->failure].at,
                     "'%s' stands behind '%s'", check->selection->nodes[node->failure].key, node->key);
    check_chain(check, node->success, outcome(&facts, node, true));
    facts = outcome(&facts, node, false);
    if (node->failure < 0)
      check_end(check, node, &facts);
    index = node->failure;
  }
}

/* ---- collectives ---- */

static void check_missing(const struct check *check, bool blocking)
{
  char names[400] = "";
  size_t length = 0;
  const char *name;
  for (int i = 0; (name = tutti_mpich_collective_at(i)); i++) {
    bool given = false;
    for (int n = check->selection->top; n >= 0; n = check->selection->nodes[n].failure) {
      const struct mpich_node *node = &check->selection->nodes[n];
      given = given || (node->test == TEST_COLLECTIVE && strcmp(node->word, name) == 0);
    }
    if (!given && blocking == (*name != 'i' && !starts_with(name, "neighbor")) && length < sizeof names - 40)
      length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", name);
  }
  if (length)
    tutti_lint_say(check->lint, blocking ? LINT_MPICH_MISSING : LINT_MPICH_MISSING_OTHER, 0, "%s", names);
}

static struct facts no_facts(const char *collective)
{
  struct facts facts = {.kinds = KIND_ALL, .pruned = true, .collective = collective};
  for (int t = 0; t < MPICH_TESTS; t++)
    facts.most[t] = LONG_MAX - 1;
  facts.least[TEST_RANKS] = 1;
  return facts;
}

void tutti_mpich_check(struct lint *lint, const struct mpich_selection *selection)
{
  struct check check = {lint, selection};
  if (selection->top < 0 && selection->root.kind != JSON_OBJECT)
    return;
  for (int n = selection->top; n >= 0; n = selection->nodes[n].failure) {
    const struct mpich_node *node = &selection->nodes[n];
    if (node->test != TEST_COLLECTIVE)
      tutti_lint_say(lint, LINT_MPICH_ROOT, node->at, "'%s' is no collective", node->key);
    else
      check_chain(&check, node->success, no_facts(node->word));
  }
  check_missing(&check, true);
  check_missing(&check, false);
}

void tutti_lint_mpich(struct lint *lint)
{
  struct mpich_selection selection = {.top = -1};
  tutti_mpich_read(lint, &selection);
  if (selection.root.kind == JSON_OBJECT && !(selection.broken && selection.top < 0))
    tutti_mpich_check(lint, &selection);
  tutti_mpich_selection_free(&selection);
}
