/*
 * Random forests (Breiman 2001) that predict the logarithm of a time from size, ranks and method, and whose trees say
 * where they know least. Of two published autotuners:
 *
 * ACCLAiM (Wilkins, Guo, Thakur, Dinda, Hardavellas 2022, IEEE Cluster): a forest for a collective; next is the point
 * of the largest jackknife variance, which of a mean over trees is their variance over their number.
 *
 * FACT (Wilkins, Guo, Thakur, Hardavellas, Dinda, Si 2021, ExaMPI): features and outputs are scaled (logarithms),
 * points are chosen by active learning until a test set says that the model has converged, and hyperparameters are
 * tuned with what is there. The abstract says no more; here: batches of points about which the trees disagree most,
 * each fifth point a random one of the test set, and the smallest leaf and the share of features by the error there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "samplers.h"

enum { TREES = 50, BATCH = 4, TEST_EACH = 5, INPUTS = 3, MAX_VALUES = 256 };

struct node {
  int input, value; /* input < 0: a leaf; of sizes and ranks at most this value goes left, of methods this one */
  int left, right;
  double mean;
};

struct hyperparameters {
  int smallest;   /* samples of a leaf */
  int candidates; /* inputs that a node tries */
};

struct forest {
  struct sample_run *run;
  struct hyperparameters hyper;
  size_t *samples; /* of a tree, with repetitions */
  struct node *nodes;
  int count, roots[TREES];
};

static int input_of(const struct sample_map *map, size_t point, int input)
{
  const struct sampler_point *all = &map->points[point];
  return input == 0 ? map->size_index[all->cell] : input == 1 ? map->ranks_index[all->cell] : (int)all->method;
}

static double value_of(const struct sample_run *run, size_t point)
{
  return run->values[point] - run->map->base[point];
}

static bool goes_left(const struct sample_map *map, const struct node *node, size_t point)
{
  const int own = input_of(map, point, node->input);
  return node->input == 2 ? own == node->value : own <= node->value;
}

/* The division of samples by an input that leaves the least squares: the sum of squared sums over their counts. */
static double best_split(const struct forest *forest, const size_t *samples, int count, int input, int *best)
{
  int counts[MAX_VALUES] = {0}, left = 0;
  double sums[MAX_VALUES] = {0}, all = 0, sum = 0, most = -1;
  for (int i = 0; i < count; i++) {
    const int value = input_of(forest->run->map, samples[i], input) % MAX_VALUES;
    counts[value]++;
    sums[value] += value_of(forest->run, samples[i]);
    all += value_of(forest->run, samples[i]);
  }
  for (int value = 0; value < MAX_VALUES; value++) {
    if (counts[value] == 0)
      continue;
    left = counts[value] + (input == 2 ? 0 : left);
    sum = sums[value] + (input == 2 ? 0 : sum);
    if (left < forest->hyper.smallest || count - left < forest->hyper.smallest)
      continue;
    const double gain = sum * sum / left + (all - sum) * (all - sum) / (count - left);
    if (gain > most) {
      most = gain;
      *best = value;
    }
  }
  return most;
}

static void choose_split(struct forest *forest, const size_t *samples, int count, struct node *node)
{
  double most = -1;
  int inputs[INPUTS] = {0, 1, 2};
  for (int i = 0; i < INPUTS; i++) {
    int value = 0;
    const int other = i + (int)sample_random(forest->run, (size_t)(INPUTS - i)), input = inputs[other];
    inputs[other] = inputs[i];
    const double gain =
        i < forest->hyper.candidates || node->input < 0 ? best_split(forest, samples, count, input, &value) : -1;
    if (gain > most) {
      most = gain;
      node->input = input;
      node->value = value;
    }
  }
}

/* The number of the node that holds these samples. */
static int grow(struct forest *forest, size_t *samples, int count)
{
  struct node node = {.input = -1};
  double least = INFINITY, largest = -INFINITY;
  for (int i = 0; i < count; i++) {
    const double value = value_of(forest->run, samples[i]);
    node.mean += value / count;
    least = fmin(least, value);
    largest = fmax(largest, value);
  }
  if (count >= 2 * forest->hyper.smallest && largest > least)
    choose_split(forest, samples, count, &node);
  const int own = forest->count++;
  if (node.input >= 0) {
    int left = 0;
    for (int i = 0; i < count; i++)
      if (goes_left(forest->run->map, &node, samples[i])) {
        const size_t other = samples[left];
        samples[left++] = samples[i];
        samples[i] = other;
      }
    node.left = grow(forest, samples, left);
    node.right = grow(forest, samples + left, count - left);
  }
  forest->nodes[own] = node;
  return own;
}

/* Of the known points, or with @p test false of all but each fifth. */
static void train(struct sample_run *run, struct hyperparameters hyper, bool test, struct forest *forest)
{
  const size_t known = run->known_count;
  *forest = (struct forest){.run = run, .hyper = hyper};
  forest->samples = tutti_xcalloc(known + 1, sizeof *forest->samples);
  forest->nodes = tutti_xcalloc(TREES * 2 * known + 1, sizeof *forest->nodes);
  for (int t = 0; t < TREES; t++) {
    int count = 0;
    for (size_t i = 0; i < known; i++) {
      const size_t drawn = sample_random(run, known);
      if (test || drawn % TEST_EACH != 0)
        forest->samples[count++] = run->known[drawn];
    }
    forest->roots[t] = grow(forest, forest->samples, count);
  }
}

static void forget(struct forest *forest)
{
  free(forest->samples);
  free(forest->nodes);
}

static double predict(const struct forest *forest, size_t point, double *variance)
{
  double sum = 0, squares = 0;
  for (int t = 0; t < TREES; t++) {
    const struct node *node = &forest->nodes[forest->roots[t]];
    while (node->input >= 0)
      node = &forest->nodes[goes_left(forest->run->map, node, point) ? node->left : node->right];
    sum += node->mean;
    squares += node->mean * node->mean;
  }
  *variance = squares / TREES - sum / TREES * (sum / TREES);
  return sum / TREES + forest->run->map->base[point];
}

/* ---- choosing ---- */

static const struct hyperparameters usual = {1, INPUTS};

/* So many unmeasured points with the largest variance go to the front of the order. */
static void put_uncertain_first(struct sample_run *run, const struct forest *forest, int wanted)
{
  const size_t count = run->map->count;
  double *variance = tutti_xcalloc(count, sizeof *variance);
  for (size_t i = 0; i < count; i++)
    (void)predict(forest, i, &variance[i]);
  for (int w = 0; w < wanted; w++) {
    size_t best = count;
    for (size_t at = run->position + (size_t)w; at < count; at++) {
      const size_t point = run->order[at];
      if (run->times[point] == 0 && (best == count || variance[point] > variance[run->order[best]]))
        best = at;
    }
    if (best == count)
      break;
    const size_t point = run->order[best];
    run->order[best] = run->order[run->position + (size_t)w];
    run->order[run->position + (size_t)w] = point;
  }
  free(variance);
}

/* @p now: a batch is chosen, if there is enough to learn from. */
static size_t next_of_forest(struct sample_run *run, bool now)
{
  if (now && run->known_count >= run->map->methods) {
    struct forest forest;
    train(run, usual, true, &forest);
    put_uncertain_first(run, &forest, BATCH);
    forget(&forest);
  }
  return next_in_order(run);
}

size_t next_of_acclaim(struct sample_run *run)
{
  return next_of_forest(run, run->known_count % BATCH == 0);
}

/* After each batch, whose points come from the forest, a random one of the test set. */
size_t next_of_fact(struct sample_run *run)
{
  const size_t left = run->map->count - run->position;
  if (run->known_count % TEST_EACH == 0 && left > 0) {
    const size_t other = run->position + sample_random(run, left), point = run->order[other];
    run->order[other] = run->order[run->position];
    run->order[run->position] = point;
    return next_in_order(run);
  }
  return next_of_forest(run, run->known_count % TEST_EACH == 1);
}

/* ---- deciding ---- */

static void predict_all(struct sample_run *run, struct hyperparameters hyper)
{
  struct forest forest;
  double variance;
  if (run->known_count == 0) {
    memcpy(run->predicted, run->map->base, run->map->count * sizeof *run->predicted);
    return;
  }
  train(run, hyper, true, &forest);
  for (size_t i = 0; i < run->map->count; i++)
    run->predicted[i] = predict(&forest, i, &variance);
  forget(&forest);
}

void predict_acclaim(struct sample_run *run)
{
  predict_all(run, usual);
}

static double test_error(struct sample_run *run, struct hyperparameters hyper)
{
  struct forest forest;
  double variance, sum = 0;
  train(run, hyper, false, &forest);
  for (size_t k = 0; k < run->known_count; k += TEST_EACH)
    sum += pow(predict(&forest, run->known[k], &variance) - run->values[run->known[k]], 2);
  forget(&forest);
  return sum;
}

void predict_fact(struct sample_run *run)
{
  static const struct hyperparameters tried[] = {{1, INPUTS}, {1, 2}, {2, INPUTS}, {2, 2}, {4, INPUTS}};
  struct hyperparameters best = usual;
  double least = INFINITY;
  for (size_t h = 0; h < sizeof tried / sizeof *tried && run->known_count >= 2 * TEST_EACH; h++) {
    const double error = test_error(run, tried[h]);
    if (error < least) {
      least = error;
      best = tried[h];
    }
  }
  predict_all(run, best);
}
