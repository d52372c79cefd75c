/* Windowing (Quinlan 1993, chapter 6): grow a tree from a window of the cases, add cases outside it that the tree gets
 * wrong, and so on until it gets none wrong. Of several trials the tree with the fewest estimated errors is kept. The
 * first window is drawn at random, classes in parts as equal as they can be. */
#include "decision/learners/c45/learner.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "decision/trees/trees.h"

/* ---- windows ---- */

typedef struct c45_windows {
  c45_learner *l;
  uint64_t state;  /* of the random numbers */
  size_t *targets; /* [classes] cases of the first window */
  uint32_t *order; /* [cases] the window first */
  size_t size;     /* of the window */
} c45_windows;

/* Cases of the first window for @p count cases. */
static size_t window_size(const tutti_c45_options *options, size_t count)
{
  double size = fmax(2 * sqrt((double)count), (double)count / 5);
  size_t window = options->window > 0 ? options->window : (size_t)size;
  return window < count ? window > 0 ? window : 1 : count;
}

/* Maximum number of cases added at a time. */
static size_t window_increment(const tutti_c45_options *options, size_t window)
{
  size_t cases = options->increment > 0 ? options->increment : window / 5;
  return cases > 0 ? cases : 1;
}

/* The rarest class that has no target yet, or -1. */
static int rarest(const c45_learner *l, const size_t *frequencies, const bool *done)
{
  int class = -1;
  for (int c = 0; c < l->tree->class_count; c++)
    if (!done[c] && frequencies[c] > 0 && (class < 0 || frequencies[c] < frequencies[class]))
      class = c;
  return class;
}

/* Targets as even as the rare classes allow: those take all their cases, the others share the rest. */
static void set_targets(c45_windows *w, size_t size)
{
  int classes = w->l->tree->class_count, left = 0, class;
  size_t *frequencies = tutti_xcalloc((size_t)classes, sizeof *frequencies);
  bool *done = tutti_xcalloc((size_t)classes, sizeof *done);
  for (size_t i = 0; i < w->l->cases->count; i++)
    left += frequencies[w->l->cases->labels[i]]++ == 0;
  while ((class = rarest(w->l, frequencies, done)) >= 0) {
    size_t share = (size_t)((double)size / left-- + 0.5);
    w->targets[class] = frequencies[class] < share ? frequencies[class] : share;
    size -= w->targets[class] < size ? w->targets[class] : size;
    done[class] = true;
  }
  free(frequencies);
  free(done);
}

static void swap(uint32_t *order, size_t i, size_t j)
{
  uint32_t item = order[i];
  order[i] = order[j];
  order[j] = item;
}

static void shuffle(c45_windows *w)
{
  for (size_t i = w->l->cases->count; i > 1; i--)
    swap(w->order, i - 1, tutti_splitmix64_next(&w->state) % i);
}

/* Move the first cases of each class, as many as its target, to the front. */
static void form_window(c45_windows *w)
{
  const int *labels = w->l->cases->labels;
  size_t *wanted = tutti_xmemdup(w->targets, (size_t)w->l->tree->class_count * sizeof *wanted);
  shuffle(w);
  w->size = 0;
  for (size_t i = 0; i < w->l->cases->count; i++)
    if (wanted[labels[w->order[i]]] > 0) {
      wanted[labels[w->order[i]]]--;
      swap(w->order, w->size++, i);
    }
  free(wanted);
}

/* ---- trials ---- */

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
      swap(w->order, w->size + exceptions++, i);
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

/* The learner's tree becomes the best tree of any window; at least half of the exceptions are added in any case. */
static void iterate(c45_windows *w, size_t increment)
{
  c45_learner *l = w->l;
  struct kept best = {.nodes = NULL};
  size_t least = SIZE_MAX, exceptions;
  do {
    for (size_t i = 0; i < w->size; i++)
      l->items[i] = w->order[i];
    tutti_c45_grow(l, (c45_range){0, w->size});
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

/* A tree grown from a window is pruned on all cases. Returns the value that judges the trial. */
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
  tutti_c45_compact(l);
  return predicted;
}

/* The learner's tree becomes the best of all trials. */
static void try_all(c45_windows *w, size_t size, tutti_c45_report *report)
{
  c45_learner *l = w->l;
  struct kept best = {.nodes = NULL};
  double least = INFINITY;
  for (int t = 0; t < l->options->trials; t++) {
    tutti_c45_report trial = {.leaves = 0};
    form_window(w);
    iterate(w, window_increment(l->options, size));
    double errors = finish_trial(l, &trial);
    if (errors < least) {
      least = errors;
      *report = trial;
      exchange(l, &best);
    }
  }
  exchange(l, &best);
  discard(&best);
}

void tutti_c45_learn_windowed(c45_learner *l, tutti_c45_report *report)
{
  size_t count = l->cases->count, size = window_size(l->options, count);
  c45_windows windows = {.l = l, .state = l->options->seed};
  windows.targets = tutti_xcalloc((size_t)l->tree->class_count, sizeof *windows.targets);
  windows.order = tutti_xmemdup(l->items, count * sizeof *windows.order);
  set_targets(&windows, size);
  try_all(&windows, size, report);
  free(windows.targets);
  free(windows.order);
}
