#include "cli/penalty/penalty.h"

#include "base/clock.h"
#include "tutti/decision_tree.h"

/* ---- how long a decision takes ---- */

enum { MAX_PASSES = 1 << 16 };

static const double long_enough = 2e-3;

/* Decide at every point; returns how many decisions there were. */
static int ask_all(const struct stored_penalty *stored)
{
  int answered = 0;
  tutti_method method;
  for (int r = 0; r < stored->map->ranks_count; r++)
    for (int s = 0; s < stored->map->size_count; s++) {
      const tutti_question question = tutti_decision_map_question(stored->map, r, s);
      answered += stored->decision->decide(stored->decision, &question, &method);
    }
  return answered;
}

/* Seconds for a decision: the fastest of several passes over all points. */
static double time_decision(const struct stored_penalty *stored)
{
  double points = (double)stored->map->ranks_count * stored->map->size_count, least = 1e9;
  double begin = tutti_clock(CLOCK_MONOTONIC), before = begin, after = begin;
  for (int pass = 0; pass < MAX_PASSES && after - begin < long_enough; pass++, before = after) {
    ask_all(stored);
    after = tutti_clock(CLOCK_MONOTONIC);
    least = after - before < least ? after - before : least;
  }
  return least / points;
}

/* ---- the tree ---- */

static const tutti_classifier *tree_of(const struct stored_penalty *stored)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(stored->decision);
  for (int i = 0; trees && i < trees->count; i++)
    if (trees->items[i].answers[stored->map->collective])
      return &trees->items[i].classifier;
  return NULL;
}

static tutti_classifier_shape find_shape(const struct stored_penalty *stored)
{
  const tutti_classifier *tree = tree_of(stored);
  if (stored->shape)
    return *stored->shape;
  return tree ? tutti_classifier_measure(tree) : (tutti_classifier_shape){.leaves = 0};
}

/* ---- the result ---- */

static void fill_in(const struct stored_penalty *stored, const tutti_classifier_shape *shape, tutti_value *values)
{
  const tutti_penalty *penalty = &stored->penalty;
  values[TUTTI_PENALTY_FIELD_ROOT].integer = (uint64_t)stored->root;
  values[TUTTI_PENALTY_FIELD_POINTS].integer = (uint64_t)penalty->points;
  values[TUTTI_PENALTY_FIELD_SERVED].integer = (uint64_t)ask_all(stored);
  values[TUTTI_PENALTY_FIELD_MINIMUM].real = penalty->min;
  values[TUTTI_PENALTY_FIELD_MEAN].real = penalty->mean;
  values[TUTTI_PENALTY_FIELD_MEDIAN].real = penalty->median;
  values[TUTTI_PENALTY_FIELD_MAXIMUM].real = penalty->max;
  values[TUTTI_PENALTY_FIELD_DECIDE].seconds = time_decision(stored);
  values[TUTTI_PENALTY_FIELD_LEAVES].integer = (uint64_t)shape->leaves;
  values[TUTTI_PENALTY_FIELD_NODES].integer = (uint64_t)shape->nodes;
  values[TUTTI_PENALTY_FIELD_DEPTH_LEAST].integer = (uint64_t)shape->min_depth;
  values[TUTTI_PENALTY_FIELD_DEPTH_MEAN].real = shape->mean_depth;
  values[TUTTI_PENALTY_FIELD_DEPTH_MOST].integer = (uint64_t)shape->max_depth;
}

void penalty_store_result(const struct selection_options *selected, int64_t environment, const tutti_result *result)
{
  if (selected->patterns.joins)
    die("--store-as: penalties over several arrival patterns or noises are not stored");
  tutti_store *store = store_open(selected->database);
  must(tutti_store_add_results(store, environment, result, 1, &failure));
  store_close(store);
}

/* One word: "occ,noise=detour/1ms/100us" of "occ, noise detour/1ms/100us". */
static void set_basis(tutti_result *result, const char *basis)
{
  char *word = result->values[TUTTI_PENALTY_FIELD_BASIS].string;
  size_t used = 0;
  for (const char *c = basis; *c; c++) {
    if (used == TUTTI_RESULT_WORD - 1)
      die("'%s' is too long to be stored", basis);
    if (*c != ' ' || c[-1] != ',')
      word[used++] = *c == ' ' ? '=' : *c;
  }
  word[used] = '\0';
}

const char *penalty_stored_name(const char *name)
{
  while (strlen(name) >= TUTTI_RESULT_WORD && strchr(name, '/'))
    name = strchr(name, '/') + 1;
  return name;
}

void penalty_store(const struct selection_options *selected, const struct stored_penalty *stored)
{
  tutti_result result = {.kind = TUTTI_RESULT_PENALTY, .ranks_per_node = stored->ranks_per_node};
  const char *name = penalty_stored_name(stored->name);
  if (strlen(name) >= TUTTI_RESULT_WORD)
    die("'%s' is too long to be stored: give it a name, --store-as=NAME", name);
  const tutti_classifier_shape shape = find_shape(stored);
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_DECISION, name);
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_COLLECTIVE, tutti_collective_name(stored->map->collective));
  set_basis(&result, stored->basis);
  fill_in(stored, &shape, result.values);
  penalty_store_result(selected, stored->environment, &result);
}

void penalty_print_stored(const char *first, const struct option_strings *others, size_t count, const char *database)
{
  tutti_say(stdout, "\n%s of %s", count == 1 ? "Penalty" : "Penalties", first ? penalty_stored_name(first) : "");
  for (size_t i = 0; others && i < others->count; i++)
    tutti_say(stdout, "%s%s", first || i > 0 ? ", " : "", penalty_stored_name(others->items[i]));
  tutti_say(stdout, ", stored in %s\n", database);
}
