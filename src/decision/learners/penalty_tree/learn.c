/* Trees that minimize the penalty: grown in several ways, cut back, and the best of them kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/learners/learn.h"
#include "decision/trees/trees.h"

static tutti_status check_cases(const tutti_cases *cases, const double *costs,
                                const tutti_penalty_tree_options *options, tutti_error *error)
{
  if (cases->count == 0 || cases->class_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there are no cases to learn from");
  if (options->weight < 1 || options->leaves < 0 || options->leaves > TUTTI_MAX_LEAVES || !(options->mean >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a tree of at most %d leaves and %zu cases a branch, mean %g",
                      options->leaves, options->weight, options->mean);
  for (size_t i = 0; i < cases->count * (size_t)cases->class_count; i++)
    if (!(costs[i] >= 0 && isfinite(costs[i])))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "case %zu costs %g with class %s", i / (size_t)cases->class_count,
                        costs[i], cases->classes[i % (size_t)cases->class_count]);
  return TUTTI_OK;
}

/* Ways to grow: by costs, and by information, as C4.5 does, with a multiple of the minimum weight of branches. */
struct way {
  bool by_cost, by_gain; /* else by gain ratio */
  int heaviness;
};

static const struct way ways[] = {{.by_cost = true},
                                  {.heaviness = 1},
                                  {.heaviness = 4},
                                  {.heaviness = 20},
                                  {.by_gain = true, .heaviness = 1},
                                  {.by_gain = true, .heaviness = 4},
                                  {.by_gain = true, .heaviness = 20}};

enum { WAYS = sizeof ways / sizeof *ways };

static tutti_status grow(const struct costed_cases *data, const struct way *way, tutti_classifier *grown,
                         tutti_error *error)
{
  if (way->by_cost) {
    tutti_penalty_grow(data, grown);
    return TUTTI_OK;
  }
  tutti_c45_options options = tutti_c45_defaults();
  options.weight = (double)data->weight * way->heaviness;
  options.gain = way->by_gain;
  options.unpruned = true;
  return tutti_c45_learn(data->cases, &options, grown, NULL, error);
}

/* The better of two trees: it costs less, or the same with fewer leaves; where a mean is good enough, the smaller one
   that reaches it. */
static bool better(const tutti_classifier *tree, double cost, const tutti_classifier *other, double other_cost,
                   double most)
{
  double reached = fmax(cost, most), other_reached = fmax(other_cost, most);
  if (fabs(reached - other_reached) > 1e-6)
    return reached < other_reached;
  return tutti_classifier_leaves(tree) < tutti_classifier_leaves(other);
}

/* Cut a classifier of the cases back to at most `leaves` leaves (0: to the fewest whose cost is at most `most`), each
   under its best class: the cheapest subtree with that many leaves. *cost receives its cost. */
static void cut(const struct costed_cases *data, const tutti_classifier *grown, int leaves, double most,
                tutti_classifier *classifier, double *cost);

static tutti_status try(const struct costed_cases *data, const struct way *way,
                        const tutti_penalty_tree_options *options, tutti_classifier *tree, double *cost,
                        tutti_error *error)
{
  tutti_classifier grown = {0};
  tutti_status status = grow(data, way, &grown, error);
  if (status == TUTTI_OK)
    cut(data, &grown, options->leaves, options->mean * (double)data->cases->count, tree, cost);
  tutti_classifier_free(&grown);
  return status;
}

tutti_status tutti_penalty_tree_learn(const tutti_cases *cases, const double *costs,
                                      const tutti_penalty_tree_options *options, tutti_classifier *classifier,
                                      double *mean, tutti_error *error)
{
  const struct costed_cases data = {.cases = cases, .costs = costs, .weight = options->weight};
  double least = INFINITY;
  *classifier = (tutti_classifier){0};
  tutti_status status = check_cases(cases, costs, options, error);
  for (int way = 0; way < WAYS && status == TUTTI_OK; way++) {
    tutti_classifier tree = {0};
    double cost = 0;
    status = try(&data, &ways[way], options, &tree, &cost, error);
    if (status == TUTTI_OK &&
        (way == 0 || better(&tree, cost, classifier, least, options->mean * (double)cases->count))) {
      tutti_classifier swap = *classifier;
      *classifier = tree;
      tree = swap;
      least = cost;
    }
    tutti_classifier_free(&tree);
  }
  if (status != TUTTI_OK)
    tutti_classifier_free(classifier);
  else if (mean)
    *mean = least / (double)cases->count;
  return status;
}

/* ---- the learner ---- */

static tutti_status learn_cases(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                                tutti_learn_report *report, tutti_error *error)
{
  (void)report;
  return tutti_penalty_tree_learn(input->cases, input->costs, settings, classifier, NULL, error);
}

static const tutti_penalty_tree_options defaults = {.weight = 2};

static const tutti_learner_option options[] = {
    TUTTI_LEARN_LEAVES(tutti_penalty_tree_options),
    TUTTI_LEARN_MEAN(tutti_penalty_tree_options),
    {.name = NULL},
};

const tutti_learner tutti_learner_penalty = {
    .name = "penalty",
    .help = "a tree grown for a small penalty",
    .from = TUTTI_FROM_COSTS,
    .settings_size = sizeof defaults,
    .defaults = &defaults,
    .options = options,
    .learn = learn_cases,
};

tutti_penalty_tree_options tutti_penalty_tree_defaults(void)
{
  return defaults;
}

/* ---- cutting back ---- */

/* The cheapest of all subtrees with a number of leaves, by dynamic programming. */

/* The lowest cost of a node with 1, 2, ... leaves. */
struct table {
  int most;      /* leaves below it */
  double *costs; /* [most + 1], [0] unused */
  int *shares;   /* [branches][most + 1]: leaves of branch b among those of the first b + 1 branches; 0: a leaf */
  int label;     /* its best class as a leaf */
};

struct cutting {
  const struct costed_cases *data;
  const tutti_classifier *grown;
  double *sums;  /* [node_count][class_count] costs of the cases that come to each node */
  size_t *cases; /* [node_count] how many, */
  size_t *right; /* [node_count][class_count] and how many of each label */
  struct table *tables;
  int *taken; /* [node_count] leaves that a node gets; 0: cut off */
};

/* ---- cases to nodes ---- */

/* Unknown values follow the branch of most cases when the tree was grown. */
static int branch_of(const tutti_classifier *tree, const tutti_node *node, double value)
{
  int best = 0;
  if (!isnan(value))
    return classify_branch(node, value);
  for (int b = 1; b < node->branch_count; b++)
    if (tree->nodes[node->first + b].cases > tree->nodes[node->first + best].cases)
      best = b;
  return best;
}

static void count_case(struct cutting *cutting, size_t row)
{
  const tutti_cases *cases = cutting->data->cases;
  size_t classes = (size_t)cases->class_count;
  const double *costs = cutting->data->costs + row * classes;
  for (int n = 0;;) {
    const tutti_node *node = &cutting->grown->nodes[n];
    for (size_t k = 0; k < classes; k++)
      cutting->sums[(size_t)n * classes + k] += costs[k];
    cutting->cases[n]++;
    cutting->right[(size_t)n * classes + (size_t)cases->labels[row]]++;
    if (node->branch_count == 0)
      return;
    n = node->first + branch_of(cutting->grown, node, cases->values[node->attribute][row]);
  }
}

/* ---- tables ---- */

static double best_class(const double *sums, int count, int *label)
{
  *label = 0;
  for (int k = 1; k < count; k++)
    if (sums[k] < sums[*label] - 1e-6)
      *label = k;
  return sums[*label];
}

/* Maximum leaves below a node: one if it costs nothing. */
static int most_leaves(const struct cutting *cutting, const tutti_node *node, double cost)
{
  int most = 0;
  for (int b = 0; b < node->branch_count; b++)
    most += cutting->tables[node->first + b].most;
  return node->branch_count == 0 || cost <= 0 ? 1 : most;
}

/* Add branch b to the lowest costs of the previous branches with each number of leaves. */
static void add_branch(const struct table *branch, const double *before, int before_most, double *after, int *shares,
                       int most)
{
  for (int l = 0; l <= most; l++)
    after[l] = INFINITY;
  for (int a = 0; a <= before_most; a++)
    for (int b = 1; b <= branch->most && a + b <= most; b++)
      if (before[a] + branch->costs[b] < after[a + b]) {
        after[a + b] = before[a] + branch->costs[b];
        shares[a + b] = b;
      }
}

static void share_out(const struct cutting *cutting, const tutti_node *node, struct table *table, double *room)
{
  int width = table->most + 1, before_most = 0;
  double *before = room, *after = room + width;
  before[0] = 0;
  for (int b = 0; b < node->branch_count; b++) {
    const struct table *branch = &cutting->tables[node->first + b];
    add_branch(branch, before, before_most, after, table->shares + b * width, table->most);
    before_most = before_most + branch->most < table->most ? before_most + branch->most : table->most;
    double *swap = before;
    before = after;
    after = swap;
  }
  int *last = table->shares + (node->branch_count - 1) * width;
  for (int l = 1; l <= table->most; l++)
    if (before[l] < table->costs[1])
      table->costs[l] = before[l];
    else {
      table->costs[l] = table->costs[1];
      last[l] = 0;
    }
}

static void make_table(struct cutting *cutting, int n)
{
  const tutti_node *node = &cutting->grown->nodes[n];
  struct table *table = &cutting->tables[n];
  int classes = cutting->data->cases->class_count;
  double cost = best_class(cutting->sums + (size_t)n * (size_t)classes, classes, &table->label);
  table->most = most_leaves(cutting, node, cost);
  size_t width = (size_t)table->most + 1;
  table->costs = tutti_xcalloc(width, sizeof *table->costs);
  table->shares =
      tutti_xcalloc(width * (size_t)(node->branch_count > 0 ? node->branch_count : 1), sizeof *table->shares);
  double *room = tutti_xcalloc(2 * width, sizeof *room);
  table->costs[1] = cost;
  if (table->most > 1)
    share_out(cutting, node, table, room);
  free(room);
}

/* ---- choosing ---- */

/* The fewest leaves with the lowest cost within the limits. */
static int choose(const struct table *root, int leaves, double most)
{
  int limit = leaves > 0 && leaves < root->most ? leaves : root->most, best = 1;
  for (int l = 2; l <= limit; l++) {
    if (root->costs[best] <= most)
      break;
    if (root->costs[l] < root->costs[best] - 1e-6)
      best = l;
  }
  return best;
}

static void assign_leaves(struct cutting *cutting, int n)
{
  const tutti_node *node = &cutting->grown->nodes[n];
  const struct table *table = &cutting->tables[n];
  int left = cutting->taken[n], width = table->most + 1;
  if (left <= 1 || table->shares[(node->branch_count - 1) * width + left] == 0) {
    cutting->taken[n] = left > 0;
    return;
  }
  for (int b = node->branch_count - 1; b >= 0; b--) {
    cutting->taken[node->first + b] = table->shares[b * width + left];
    left -= cutting->taken[node->first + b];
  }
}

/* ---- what remains ---- */

static void set_node(const struct cutting *cutting, int n, tutti_node *node)
{
  const tutti_node *from = &cutting->grown->nodes[n];
  size_t classes = (size_t)cutting->data->cases->class_count;
  int label = cutting->tables[n].label;
  *node = (tutti_node){.attribute = -1, .label = label, .cases = (double)cutting->cases[n]};
  if (cutting->taken[n] == 1) {
    node->errors = (double)(cutting->cases[n] - cutting->right[(size_t)n * classes + (size_t)label]);
    return;
  }
  node->attribute = from->attribute;
  node->threshold = from->threshold;
  node->branch_count = from->branch_count;
  size_t values = (size_t)cutting->grown->attributes[from->attribute].value_count;
  if (from->branch_of)
    node->branch_of = tutti_xmemdup(from->branch_of, values * sizeof *node->branch_of);
}

/* The remaining nodes, level by level; of[n] is where node n comes from. */
static void write_nodes(const struct cutting *cutting, int *of, tutti_classifier *classifier)
{
  classifier->node_count = 1;
  for (int n = 0; n < classifier->node_count; n++) {
    tutti_node *node = &classifier->nodes[n];
    set_node(cutting, of[n], node);
    node->first = node->branch_count ? classifier->node_count : 0;
    for (int b = 0; b < node->branch_count; b++)
      of[classifier->node_count++] = cutting->grown->nodes[of[n]].first + b;
  }
}

static void write_down(const struct cutting *cutting, tutti_classifier *classifier)
{
  size_t count = (size_t)cutting->grown->node_count;
  int *of = tutti_xcalloc(count, sizeof *of);
  tutti_classifier_create(cutting->data->cases, classifier);
  classifier->nodes = tutti_xcalloc(count, sizeof *classifier->nodes);
  write_nodes(cutting, of, classifier);
  free(of);
}

/* ---- the learner ---- */

static void prepare(struct cutting *cutting)
{
  size_t nodes = (size_t)cutting->grown->node_count, classes = (size_t)cutting->data->cases->class_count;
  cutting->sums = tutti_xcalloc(nodes * classes, sizeof *cutting->sums);
  cutting->right = tutti_xcalloc(nodes * classes, sizeof *cutting->right);
  cutting->cases = tutti_xcalloc(nodes, sizeof *cutting->cases);
  cutting->tables = tutti_xcalloc(nodes, sizeof *cutting->tables);
  cutting->taken = tutti_xcalloc(nodes, sizeof *cutting->taken);
  for (size_t i = 0; i < cutting->data->cases->count; i++)
    count_case(cutting, i);
  for (int n = (int)nodes - 1; n >= 0; n--)
    make_table(cutting, n);
}

static void clean_up(struct cutting *cutting)
{
  for (int n = 0; n < cutting->grown->node_count; n++) {
    free(cutting->tables[n].costs);
    free(cutting->tables[n].shares);
  }
  free(cutting->sums);
  free(cutting->right);
  free(cutting->cases);
  free(cutting->tables);
  free(cutting->taken);
}

static void cut(const struct costed_cases *data, const tutti_classifier *grown, int leaves, double most,
                tutti_classifier *classifier, double *cost)
{
  struct cutting cutting = {.data = data, .grown = grown};
  prepare(&cutting);
  cutting.taken[0] = choose(&cutting.tables[0], leaves, most);
  *cost = cutting.tables[0].costs[cutting.taken[0]];
  for (int n = 0; n < grown->node_count; n++)
    assign_leaves(&cutting, n);
  write_down(&cutting, classifier);
  clean_up(&cutting);
}
