/* Windowing (Quinlan 1993, chapter 6): grow a tree from a window, add cases outside it that the tree gets wrong, and so
   on until it gets none wrong. Of several trials the tree with the fewest estimated errors is kept. */
#include <stdlib.h>

#include "decision/learners/c45/window.h"
#include "decision/trees/classify.h"

/* A tree put aside: what grows again of a classifier. */
struct kept {
  tutti_node *nodes;
  double *distributions;
  int node_count, node_room;
};

static void exchange(c45_learner *l, struct kept *kept)
{
  struct kept mine = {l->tree->nodes, l->tree->distributions, l->tree->node_count, l->node_room};
  l->tree->nodes = kept->nodes;
  l->tree->distributions = kept->distributions;
  l->tree->node_count = kept->node_count;
  l->node_room = kept->node_room;
  *kept = mine;
}

static void discard(struct kept *kept)
{
  for (int i = 0; i < kept->node_count; i++)
    free(kept->nodes[i].branch_of);
  free(kept->nodes);
  free(kept->distributions);
  *kept = (struct kept){.nodes = NULL};
}

/* Misclassified cases outside the window to its end; returns how many. */
static size_t find_exceptions(c45_windows *w)
{
  const tutti_cases *cases = w->l->cases;
  size_t exceptions = 0;
  for (size_t i = w->size; i < cases->count; i++) {
    classify_row row = {.columns = cases->values, .index = w->order[i]};
    if (tutti_classify(w->l->tree, &row) != cases->labels[w->order[i]])
      tutti_c45_window_swap(w->order, w->size + exceptions++, i);
  }
  return exceptions;
}

/* Errors on the training cases that the tree was grown from. */
static size_t window_errors(const c45_learner *l)
{
  double errors = 0.0;
  for (int i = 0; i < l->tree->node_count; i++)
    errors += l->tree->nodes[i].branch_count == 0 ? l->tree->nodes[i].errors : 0.0;
  return (size_t)(errors + 0.5);
}

/* The learner's tree becomes the best tree of any window; at least half of the exceptions are added, however small the
   increment is. */
static void iterate(c45_windows *w, size_t increment)
{
  c45_learner *l = w->l;
  struct kept best = {.nodes = NULL};
  size_t least = SIZE_MAX, exceptions;
  do {
    for (size_t i = 0; i < w->size; i++)
      l->items[i] = w->order[i];
    tutti_c45_grow(l, (c45_range){0, w->size});
    if (l->out_of_memory)
      break;
    exceptions = find_exceptions(w);
    if (window_errors(l) + exceptions < least) {
      least = window_errors(l) + exceptions;
      exchange(l, &best);
    }
    size_t added = exceptions < increment ? exceptions : increment;
    w->size += added > exceptions / 2 ? added : exceptions / 2;
  } while (exceptions > 0);
  exchange(l, &best);
  discard(&best);
}

/* What was grown from a window is pruned on all cases. Returns what to judge the trial by. */
static double finish_trial(c45_learner *l, tutti_c45_report *report)
{
  c45_range all = {0, l->cases->count};
  report->grown_leaves = tutti_classifier_leaves(l->tree);
  report->grown_errors = tutti_classifier_errors(l->tree, l->cases);
  if (l->options->unpruned)
    return (double)report->grown_errors;
  for (size_t i = 0; i < l->cases->count; i++)
    l->items[i] = (uint32_t)i;
  tutti_c45_redistribute(l, 0, all);
  double predicted = tutti_c45_prune(l, all);
  l->out_of_memory = l->out_of_memory || !tutti_c45_compact(l);
  return predicted;
}

/* The learner's tree becomes the best of all trials. */
static void try_all(c45_windows *w, size_t size, tutti_c45_report *report)
{
  c45_learner *l = w->l;
  struct kept best = {.nodes = NULL};
  double least = INFINITY;
  for (int t = 0; t < l->options->trials && !l->out_of_memory; t++) {
    tutti_c45_report trial = {.leaves = 0};
    if (!tutti_c45_form_window(w)) {
      l->out_of_memory = true;
      break;
    }
    iterate(w, tutti_c45_window_increment(l->options, size));
    double errors = l->out_of_memory ? INFINITY : finish_trial(l, &trial);
    if (errors < least) {
      least = errors;
      *report = trial;
      exchange(l, &best);
    }
  }
  exchange(l, &best);
  discard(&best);
}

bool tutti_c45_learn_windowed(c45_learner *l, tutti_c45_report *report)
{
  size_t count = l->cases->count, size = tutti_c45_window_size(l->options, count);
  c45_windows windows = {.l = l, .state = l->options->seed};
  windows.targets = calloc((size_t)l->tree->class_count, sizeof *windows.targets);
  windows.order = calloc(count, sizeof *windows.order);
  for (size_t i = 0; windows.order && i < count; i++)
    windows.order[i] = (uint32_t)i;
  l->out_of_memory = !windows.targets || !windows.order || !tutti_c45_window_targets(&windows, size);
  if (!l->out_of_memory)
    try_all(&windows, size, report);
  free(windows.targets);
  free(windows.order);
  return !l->out_of_memory;
}
