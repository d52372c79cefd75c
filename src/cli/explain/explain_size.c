/* tutti explain: whether messages of all sizes on as many ranks have one tree of operands, though several methods serve
   them. */
#include "cli/command.h"
#include "cli/explain/explain.h"
#include "decision/libraries/libraries.h"
#include "tutti/reproduction.h"

enum { MAX_METHODS = 64 };

/* The methods that serve messages on as many ranks, each once. */
struct served {
  const struct decider *decider;
  int count;
  tutti_method methods[MAX_METHODS];
  bool aligned, sized; /* all have the class `aligned`, `size` */
  bool all;            /* there is place for all */
};

static void add(struct served *served, const tutti_explanation *there)
{
  const unsigned classes = explain_classes(served->decider, there);
  int i = 0;
  served->aligned = served->aligned && classes & TUTTI_REPRODUCIBLE_ALIGNED;
  served->sized = served->sized && classes & TUTTI_REPRODUCIBLE_SIZE;
  while (served->sized && i < served->count && tutti_method_compare(&served->methods[i], &there->method) != 0)
    i++;
  served->all = served->all && i < MAX_METHODS;
  if (served->sized && served->all && i == served->count)
    served->methods[served->count++] = there->method;
}

/* From the call on to the shortest or longest message, until one lacks the class. */
static void add_sizes(struct served *served, tutti_explained_call call, bool larger)
{
  bool found = true;
  for (int steps = 0; found && served->sized && steps < TUTTI_MAX_STEPS; steps++) {
    tutti_explanation next;
    must(tutti_explain_next(served->decider->tuning, &call, larger, &found, &call.rank_bytes, &next, &failure));
    if (found)
      add(served, &next);
    tutti_explanation_free(&next);
  }
}

/* Whether all have the tree of the first one. @p known: it could be found. */
static bool have_one_tree(const struct served *served, const tutti_explained_call *call, bool *known)
{
  const int ranks_per_node = call->ranks_per_node > 0 ? call->ranks_per_node : 1;
  uint64_t first = 0, hash = 0;
  *known = served->all;
  for (int i = 0; i < served->count && *known && hash == first; i++) {
    *known = tutti_reproduction_hash(&served->methods[i], call->ranks, ranks_per_node, &hash, NULL) == TUTTI_OK;
    first = i == 0 ? hash : first;
  }
  return *known && hash == first;
}

bool explain_size_class(const struct decider *decider, struct explained *explained)
{
  struct served served = {.decider = decider, .aligned = true, .sized = true, .all = true};
  tutti_explained_call call = explained->call;
  bool known = true;
  call.type_bytes = tutti_explain_type_bytes(&call);
  add(&served, &explained->here);
  add_sizes(&served, call, false);
  add_sizes(&served, call, true);
  if (served.sized && (served.aligned || served.count == 1))
    return true;
  const bool one = served.sized && have_one_tree(&served, &explained->call, &known);
  explained->size = one     ? "all methods that it chooses by size have one tree"
                    : known ? "not, as the decision chooses by size"
                            : "not known, as the decision chooses by size and the trees are too large to compare";
  return one;
}
