/* The best tree of all rectangles as a classifier. */
#include <math.h>
#include <stdlib.h>

#include "decision/learners/optimal_tree/rectangles.h"

static const struct best *best_of(const struct rectangles *rectangles, const struct rectangle *r)
{
  return &rectangles->best[tutti_rectangle_index(rectangles, r)];
}

static double between(double low, double high)
{
  double mean = floor(sqrt(low * high));
  return mean >= high ? low : mean < low ? low : mean;
}

static double wrong(const tutti_cost_grid *grid, const struct rectangle *r, int label)
{
  double count = 0;
  for (int row = r->row; row < r->row_end; row++)
    for (int column = r->column; column < r->column_end; column++) {
      size_t point = (size_t)row * (size_t)grid->size_count + (size_t)column;
      count += grid->costs[point * (size_t)grid->class_count + (size_t)label] > 0;
    }
  return count;
}

static void set_node(const tutti_cost_grid *grid, const struct rectangles *rectangles, const struct rectangle *r,
                     tutti_node *node)
{
  int cut = best_of(rectangles, r)->cut, label = rectangles->labels[tutti_rectangle_index(rectangles, r)];
  *node = (tutti_node){
      .attribute = -1, .label = label, .cases = (double)(r->row_end - r->row) * (double)(r->column_end - r->column)};
  if (cut == 0) {
    node->errors = wrong(grid, r, label);
    return;
  }
  node->branch_count = 2;
  node->attribute = cut < 0;
  node->threshold = cut > 0 ? between(grid->ranks[cut - 1], grid->ranks[cut])
                            : between((double)grid->sizes[-cut - 1], (double)grid->sizes[-cut]);
}

static void divide(const struct rectangle *r, int cut, struct rectangle *halves)
{
  halves[0] = halves[1] = *r;
  if (cut > 0)
    halves[0].row_end = halves[1].row = cut;
  else
    halves[0].column_end = halves[1].column = -cut;
}

static void write_nodes(const tutti_cost_grid *grid, const struct rectangles *rectangles, struct rectangle *of,
                        tutti_classifier *classifier)
{
  of[0] = (struct rectangle){0, grid->ranks_count, 0, grid->size_count};
  classifier->node_count = 1;
  for (int n = 0; n < classifier->node_count; n++) {
    tutti_node *node = &classifier->nodes[n];
    set_node(grid, rectangles, &of[n], node);
    if (node->branch_count == 0)
      continue;
    node->first = classifier->node_count;
    divide(&of[n], best_of(rectangles, &of[n])->cut, &of[classifier->node_count]);
    classifier->node_count += 2;
  }
}

tutti_status tutti_optimal_write_down(const tutti_cost_grid *grid, const struct rectangles *rectangles, int leaves,
                                      tutti_classifier *classifier, tutti_error *error)
{
  tutti_attribute attributes[] = {{.name = (char *)"ranks"}, {.name = (char *)"bytes"}};
  const tutti_cases names = {.attribute_count = 2,
                             .attributes = attributes,
                             .class_count = grid->class_count,
                             .classes = (char **)grid->classes};
  size_t nodes = 2 * (size_t)leaves - 1;
  tutti_status status = tutti_classifier_create(&names, classifier, error);
  if (status != TUTTI_OK)
    return status;
  struct rectangle *of = calloc(nodes, sizeof *of);
  classifier->nodes = calloc(nodes, sizeof *classifier->nodes);
  if (of && classifier->nodes) {
    write_nodes(grid, rectangles, of, classifier);
  } else {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d leaves", leaves);
    tutti_classifier_free(classifier);
  }
  free(of);
  return status;
}
