/* The way of a call through MPICH's collective selection (MPIR_Csel_prune(), MPIR_Csel_search()). */
#include <limits.h>
#include <string.h>

#include "decision/libraries/mpich/mpich.h"

/* ---- the call as MPICH sees it ---- */

/* A call. Sizes as the library calculates them. */
struct mpich_call {
  const char *collective;
  long ranks, nodes; /* nodes 0: not known, one a rank */
  long average, total, count;
  bool commutative, built_in, in_place, regular, consecutive, threaded;
  int kind; /* of hierarchy, one bit */
};

static long saturated(uint64_t left, uint64_t right)
{
  return right && left > LONG_MAX / right ? LONG_MAX : (long)(left * right);
}

/* Collectives whose sizes count elements. */
static bool counts_elements(tutti_collective collective)
{
  return collective == TUTTI_COLL_GATHER || collective == TUTTI_COLL_SCATTER;
}

/* Collectives whose counts are those of all blocks. */
static bool counts_all(tutti_collective collective)
{
  return collective == TUTTI_COLL_ALLGATHERV || collective == TUTTI_COLL_REDUCE_SCATTER;
}

static int nodes_of(int ranks, int per_node)
{
  return 1 + (ranks - 1) / per_node;
}

static struct mpich_call call_of(const tutti_explained_call *call)
{
  uint64_t ranks = (uint64_t)call->ranks, type = tutti_explain_type_bytes(call), elements = call->rank_bytes / type;
  int per_node = call->ranks_per_node ? call->ranks_per_node : 1;
  return (struct mpich_call){
      .collective = tutti_collective_name(call->collective),
      .ranks = call->ranks,
      .nodes = nodes_of(call->ranks, per_node),
      .average = saturated(call->rank_bytes, 1),
      .total = saturated(counts_elements(call->collective) ? elements : call->rank_bytes, ranks),
      .count = saturated(elements, counts_all(call->collective) ? ranks : 1),
      .commutative = !call->ordered,
      .built_in = !call->own_operation,
      .in_place = call->in_place,
      .regular = true,
      .consecutive = true,
      .kind = per_node > 1 && per_node < call->ranks ? KIND_PARENT : KIND_FLAT,
  };
}

static long power_below(long ranks)
{
  return (long)library_power_below((int)ranks);
}

/* Whether a test holds for a call; `pruned`: all previous tests are evaluated when a communicator is made. */
static bool passes(const struct mpich_node *node, const struct mpich_call *call, bool pruned)
{
  switch (node->test) {
  case TEST_COLLECTIVE:
    return node->value == 0 && strcmp(node->word, call->collective) == 0;
  case TEST_COMM_TYPE:
    return node->value == 0;
  case TEST_RANKS:
    return call->ranks <= node->value;
  case TEST_RANKS_LESS:
    return pruned ? call->ranks < node->value : call->ranks <= node->value;
  case TEST_RANKS_POWER:
    return (call->ranks & (call->ranks - 1)) == 0;
  case TEST_RANKS_NODE:
    return call->nodes == 1;
  case TEST_PPN:
    return call->ranks <= node->value * call->nodes;
  case TEST_HIERARCHY:
    return node->value & call->kind;
  case TEST_CONSECUTIVE:
    return node->value == call->consecutive;
  case TEST_THREADED:
    return node->value == call->threaded;
  case TEST_COMMUTATIVE:
    return node->value == call->commutative;
  case TEST_BUILT_IN:
    return node->value == call->built_in;
  case TEST_IN_PLACE:
    return node->value == call->in_place;
  case TEST_REGULAR:
    return node->value == call->regular;
  case TEST_AVERAGE:
    return call->average <= node->value;
  case TEST_TOTAL:
    return call->total <= node->value;
  case TEST_COUNT:
    return call->count <= node->value;
  case TEST_COUNT_POWER:
    return call->count < power_below(call->ranks);
  default:
    return true;
  }
}

static bool holds(const struct mpich_node *node, const struct mpich_call *call, bool pruned)
{
  return passes(node, call, pruned) != node->negated;
}

/* ---- the sizes with the same way ---- */

/* Up to how many bytes of a rank a test holds; false if it does not look at them. */
static bool threshold(const struct mpich_node *node, const tutti_explained_call *call, uint64_t *bytes)
{
  uint64_t type = tutti_explain_type_bytes(call), ranks = (uint64_t)call->ranks, value = (uint64_t)node->value;
  if (node->value < 0)
    return false; /* true for no size */
  switch (node->test) {
  case TEST_AVERAGE:
    *bytes = value;
    return true;
  case TEST_TOTAL:
    *bytes = counts_elements(call->collective) ? value / ranks * type + type - 1 : value / ranks;
    return true;
  case TEST_COUNT:
    *bytes = (counts_all(call->collective) ? value / ranks : value) * type + type - 1;
    return true;
  case TEST_COUNT_POWER:
    value = (uint64_t)power_below(call->ranks) - 1;
    *bytes = (counts_all(call->collective) ? value / ranks : value) * type + type - 1;
    return true;
  default:
    return false;
  }
}

static void step_test(struct explaining *explaining, const struct mpich_node *node, const struct mpich_call *call,
                      bool holds)
{
  const long sizes[MPICH_TESTS] = {
      [TEST_AVERAGE] = call->average,   [TEST_TOTAL] = call->total, [TEST_COUNT] = call->count,
      [TEST_COUNT_POWER] = call->count, [TEST_RANKS] = call->ranks, [TEST_RANKS_LESS] = call->ranks,
      [TEST_RANKS_POWER] = call->ranks, [TEST_PPN] = call->ranks};
  uint64_t bytes;
  bool has_size = node->test >= TEST_RANKS && node->test != TEST_ANY && sizes[node->test];
  if (has_size)
    tutti_explain_step(explaining, node->at, "%s: %s (%ld)", node->key, holds ? "yes" : "no", sizes[node->test]);
  else
    tutti_explain_step(explaining, node->at, "%s: %s", node->key, holds ? "yes" : "no");
  if (!threshold(node, explaining->call, &bytes))
    return;
  if (holds != node->negated)
    tutti_explain_at_most(explaining, bytes);
  else
    tutti_explain_at_least(explaining, bytes + 1);
}

/* ---- the leaf ---- */

static bool unmet(const struct mpich_call *call, unsigned needs)
{
  if (call->ranks == 1)
    return false;
  return (needs & NEEDS_POWER && call->ranks & (call->ranks - 1)) ||
         (needs & NEEDS_PARENT && call->kind != KIND_PARENT) || (needs & NEEDS_COMMUTATIVE && !call->commutative) ||
         (needs & NEEDS_BUILT_IN && !call->built_in) || (needs & NEEDS_IN_PLACE && !call->in_place) ||
         (needs & NEEDS_APART && call->in_place) || (needs & NEEDS_COUNT && call->count < power_below(call->ranks));
}

/* Whether MPIR_Bcast_intra_smp ignores the nodes, and runs scatter and ring allgather among all ranks. */
static bool is_large_bcast(const tutti_explained_call *call)
{
  bool power = library_power_below(call->ranks) == (uint64_t)call->ranks;
  return call->collective == TUTTI_COLL_BCAST && call->ranks >= MPICH_BCAST_MIN_RANKS &&
         call->rank_bytes >= MPICH_BCAST_SHORT && !(power && call->rank_bytes < MPICH_BCAST_MEDIUM);
}

/* The smp algorithms call the collectives of the communicators of a node, and of the first ranks of the nodes: these
   select again. What communicators with unknown nodes do is not known: the parts stay. */
bool tutti_mpich_pick_parts(struct explaining *explaining, tutti_method *method, tutti_error *error)
{
  const tutti_algorithm *algorithm = method->algorithm;
  const tutti_explained_call *call = explaining->call;
  int per_node = call->ranks_per_node;
  bool known = true;
  if (!(algorithm->domain & TUTTI_NEEDS_NODES) || per_node == 0)
    return true;
  if (per_node == 1 || per_node >= call->ranks)
    return false;
  if (is_large_bcast(call))
    return tutti_mpich_method(TUTTI_COLL_BCAST, "scatter_ring_allgather", method);
  for (int i = 0; known && i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    const tutti_part_of *part = &algorithm->parts[i];
    bool across = strcmp(part->name, "outer") == 0 || part->collective == TUTTI_COLL_ALLREDUCE;
    tutti_explained_call asked = *call;
    asked.collective = part->collective;
    asked.ranks = across ? nodes_of(call->ranks, per_node) : per_node;
    asked.ranks_per_node = across ? 1 : per_node;
    known = tutti_explain_part(explaining, &asked, 1, i, method, error);
  }
  return known;
}

static void set_method(struct explaining *explaining, const char *name, const struct json *parameters)
{
  tutti_explanation *answer = explaining->answer;
  answer->known = tutti_mpich_method_told(explaining->call->collective, name, parameters, &answer->method) &&
                  tutti_mpich_pick_parts(explaining, &answer->method, NULL);
}

/* Whether the algorithm serves a call may hang on its size, too. */
static void narrow_by_need(struct explaining *explaining, const struct mpich_call *call, unsigned needs)
{
  uint64_t min = (uint64_t)power_below(call->ranks) * tutti_explain_type_bytes(explaining->call);
  if (!(needs & NEEDS_COUNT) || call->ranks == 1)
    return;
  if (call->count < power_below(call->ranks))
    tutti_explain_at_most(explaining, min - 1);
  else
    tutti_explain_at_least(explaining, min);
}

static void run_leaf(struct explaining *explaining, const struct mpich_node *leaf, const struct mpich_call *call)
{
  const struct mpich_device *device = leaf->device;
  tutti_explanation *answer = explaining->answer;
  const char *kind = strstr(leaf->word, "_intra_"), *all = strstr(leaf->word, "_allcomm_");
  snprintf(answer->algorithm, sizeof answer->algorithm, "%s%s", device ? "" : "MPIR_", leaf->word);
  if (!device)
    tutti_explain_step(explaining, leaf->at, "algorithm=MPIR_%s", leaf->word);
  const unsigned needs = device ? device->needs : tutti_mpich_needs(leaf->word);
  bool foreign =
      device ? strcmp(device->collective, call->collective) != 0 : !tutti_mpich_is_of(leaf->word, call->collective);
  if (!foreign)
    narrow_by_need(explaining, call, needs);
  if (foreign || unmet(call, needs)) {
    answer->fails = true;
    tutti_explain_step(explaining, leaf->at, "it does not serve this call, and MPICH does not check: the program dies");
    return;
  }
  if (device)
    tutti_mpich_run_device(explaining, leaf);
  else if (kind || all)
    set_method(explaining, kind ? kind + strlen("_intra_") : all + strlen("_allcomm_"), leaf->parameters);
}

/* A variable chooses one algorithm for all sizes; where it does not serve a call, MPICH chooses silently, unless it is
   told to fail. */
static void run_variables(struct explaining *explaining, const struct mpich_call *call)
{
  const struct mpich_selection *selection = explaining->tuning->rules;
  const struct setting *fallback = tutti_settings_find(&selection->settings, "COLLECTIVE_FALLBACK");
  char text[MPICH_NAME_LENGTH];
  struct mpich_node leaf = {.test = TEST_LEAF};
  leaf.word = tutti_mpich_chosen(explaining, text, &leaf.at);
  if (leaf.word) {
    narrow_by_need(explaining, call, tutti_mpich_needs(leaf.word));
    const bool fails = fallback && strcmp(fallback->value, "error") == 0;
    if (!unmet(call, tutti_mpich_needs(leaf.word)) || fails)
      run_leaf(explaining, &leaf, call);
    else
      tutti_mpich_run_no_device(explaining, "it does not serve this call, and MPICH falls back silently");
  } else if (!explaining->answer->fails)
    tutti_mpich_run_no_device(explaining, "MPICH chooses");
}

tutti_status tutti_mpich_explain(struct explaining *explaining, tutti_error *error)
{
  const struct mpich_selection *selection = explaining->tuning->rules;
  struct mpich_call call = call_of(explaining->call);
  bool pruned = true;
  (void)error;
  if (selection->layer == LAYER_VARIABLES) {
    run_variables(explaining, &call);
    return TUTTI_OK;
  }
  if (selection->broken) {
    tutti_explain_step(explaining, NO_PLACE, "MPI_Init fails on the file: %s",
                       explaining->tuning->fault ? explaining->tuning->fault : "it cannot be read");
    tutti_explain_failure(explaining);
    return TUTTI_OK;
  }
  const int per_node = explaining->call->ranks_per_node;
  if (selection->layer == LAYER_POSIX && per_node && per_node < explaining->call->ranks) {
    tutti_mpich_run_no_device(explaining, "the ranks are on several nodes: the layer is not asked");
    return TUTTI_OK;
  }
  if (selection->layer == LAYER_POSIX &&
      !tutti_library_between(&explaining->tuning->file.version, MPICH_SHARED_SINCE, 0)) {
    tutti_mpich_run_no_device(explaining, "this version never opens the file (MPICH-036)");
    return TUTTI_OK;
  }
  for (int n = selection->top; n >= 0;) {
    const struct mpich_node *node = &selection->nodes.items[n];
    if (node->test == TEST_LEAF) {
      run_leaf(explaining, node, &call);
      return TUTTI_OK;
    }
    bool yes = holds(node, &call, pruned);
    if (node->test != TEST_COLLECTIVE || yes)
      step_test(explaining, node, &call, yes);
    pruned = pruned && tutti_mpich_is_pruned(node);
    n = yes ? node->success : node->failure;
  }
  if (selection->layer == LAYER_POSIX) {
    tutti_mpich_run_not_shared(explaining);
    return TUTTI_OK;
  }
  if (selection->layer != LAYER_MPIR) {
    tutti_mpich_run_no_device(explaining, "no condition is left: the layer chooses nothing");
    return TUTTI_OK;
  }
  tutti_explain_step(explaining, NO_PLACE, "no condition is left: an assertion fails and the program dies");
  tutti_explain_failure(explaining);
  return TUTTI_OK;
}
