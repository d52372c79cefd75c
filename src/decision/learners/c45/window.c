/* The first window: cases drawn at random, classes in parts as equal as they can be. */
#include "decision/learners/c45/window.h"

#include <stdlib.h>

#include "base/splitmix64.h"

size_t tutti_c45_window_size(const tutti_c45_options *options, size_t count)
{
  double size = fmax(2 * sqrt((double)count), (double)count / 5);
  size_t window = options->window > 0 ? options->window : (size_t)size;
  return window < count ? window > 0 ? window : 1 : count;
}

size_t tutti_c45_window_increment(const tutti_c45_options *options, size_t window)
{
  size_t cases = options->increment > 0 ? options->increment : window / 5;
  return cases > 0 ? cases : 1;
}

/* The rarest class that has no target yet; -1: all have one. */
static int rarest(const c45_learner *l, const size_t *frequencies, const bool *done)
{
  int class = -1;
  for (int c = 0; c < l->tree->class_count; c++)
    if (!done[c] && frequencies[c] > 0 && (class < 0 || frequencies[c] < frequencies[class]))
      class = c;
  return class;
}

/* As even as the rare classes allow: they give what they have, the others share what is left. */
bool tutti_c45_window_targets(c45_windows *w, size_t size)
{
  int classes = w->l->tree->class_count, left = 0, class;
  size_t *frequencies = calloc((size_t)classes, sizeof *frequencies);
  bool *done = calloc((size_t)classes, sizeof *done);
  for (size_t i = 0; frequencies && i < w->l->cases->count; i++)
    left += frequencies[w->l->cases->labels[i]]++ == 0;
  while (frequencies && done && (class = rarest(w->l, frequencies, done)) >= 0) {
    size_t share = (size_t)((double)size / left-- + 0.5);
    w->targets[class] = frequencies[class] < share ? frequencies[class] : share;
    size -= w->targets[class] < size ? w->targets[class] : size;
    done[class] = true;
  }
  bool good = frequencies && done;
  free(frequencies);
  free(done);
  return good;
}

void tutti_c45_window_swap(uint32_t *order, size_t i, size_t j)
{
  uint32_t item = order[i];
  order[i] = order[j];
  order[j] = item;
}

static void shuffle(c45_windows *w)
{
  for (size_t i = w->l->cases->count; i > 1; i--)
    tutti_c45_window_swap(w->order, i - 1, tutti_splitmix64_next(&w->state) % i);
}

/* The first cases of each class, as many as its target, to the front. */
bool tutti_c45_form_window(c45_windows *w)
{
  const int *labels = w->l->cases->labels;
  size_t *wanted = calloc((size_t)w->l->tree->class_count, sizeof *wanted);
  if (!wanted)
    return false;
  shuffle(w);
  w->size = 0;
  for (int c = 0; c < w->l->tree->class_count; c++)
    wanted[c] = w->targets[c];
  for (size_t i = 0; i < w->l->cases->count; i++)
    if (wanted[labels[w->order[i]]] > 0) {
      wanted[labels[w->order[i]]]--;
      tutti_c45_window_swap(w->order, w->size++, i);
    }
  free(wanted);
  return true;
}
