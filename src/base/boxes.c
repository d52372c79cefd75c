/* A k-d tree (Bentley 1975) over the ends of intervals. One box is within another if none of its ends lies outside, so
   that the boxes around another one are those below it in all coordinates. */
#include "base/boxes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COORDINATES = 2 * TUTTI_BOX_SIDES, LEAF = 8 };

struct corner {
  uint64_t at[COORDINATES]; /* beginnings, and ends counted from above */
  size_t index;
};

/* Half of the corners of a node is below each of its branches, 2 n + 1 and 2 n + 2. */
struct node {
  uint64_t least[COORDINATES];
  size_t first; /* index */
};

struct tutti_boxes {
  size_t count;
  struct corner *corners;
  struct node *nodes;
};

static struct corner corner_of(const struct tutti_box *box, size_t index)
{
  struct corner corner = {.index = index};
  for (int s = 0; s < TUTTI_BOX_SIDES; s++) {
    corner.at[2 * s] = box->sides[s][0];
    corner.at[2 * s + 1] = UINT64_MAX - box->sides[s][1];
  }
  return corner;
}

static bool is_below(const uint64_t *left, const uint64_t *right)
{
  for (int c = 0; c < COORDINATES; c++)
    if (left[c] > right[c])
      return false;
  return true;
}

static int compare(const void *left, const void *right, void *coordinate)
{
  const uint64_t a = ((const struct corner *)left)->at[*(int *)coordinate];
  const uint64_t b = ((const struct corner *)right)->at[*(int *)coordinate];
  return (a > b) - (a < b);
}

/* The bounds of a node; returns the next coordinate after @p last in which corners differ, or -1. */
static int bound(const struct corner *corners, size_t count, struct node *node, int last)
{
  uint64_t most[COORDINATES] = {0};
  memset(node, 0xff, sizeof *node);
  for (size_t i = 0; i < count; i++) {
    node->first = corners[i].index < node->first ? corners[i].index : node->first;
    for (int c = 0; c < COORDINATES; c++) {
      node->least[c] = corners[i].at[c] < node->least[c] ? corners[i].at[c] : node->least[c];
      most[c] = corners[i].at[c] > most[c] ? corners[i].at[c] : most[c];
    }
  }
  for (int c = 1; c <= COORDINATES; c++)
    if (most[(last + c) % COORDINATES] > node->least[(last + c) % COORDINATES])
      return (last + c) % COORDINATES;
  return -1;
}

static void build(const struct tutti_boxes *tree, size_t node, size_t begin, size_t count, int last)
{
  int coordinate = bound(&tree->corners[begin], count, &tree->nodes[node], last);
  if (count <= LEAF)
    return;
  if (coordinate >= 0)
    qsort_r(&tree->corners[begin], count, sizeof *tree->corners, compare, &coordinate);
  build(tree, 2 * node + 1, begin, count / 2, coordinate);
  build(tree, 2 * node + 2, begin + count / 2, count - count / 2, coordinate);
}

/* The least index below @p first whose corner is below that. */
static size_t find(const struct tutti_boxes *tree, size_t node, size_t begin, size_t count, const uint64_t *at,
                   size_t first)
{
  if (tree->nodes[node].first >= first || !is_below(tree->nodes[node].least, at))
    return first;
  if (count > LEAF) {
    const size_t half = count / 2;
    const bool swapped = tree->nodes[2 * node + 2].first < tree->nodes[2 * node + 1].first;
    for (int turn = 0; turn < 2; turn++)
      first = (turn == 1) == swapped ? find(tree, 2 * node + 1, begin, half, at, first)
                                     : find(tree, 2 * node + 2, begin + half, count - half, at, first);
    return first;
  }
  for (size_t i = begin; i < begin + count; i++)
    if (tree->corners[i].index < first && is_below(tree->corners[i].at, at))
      first = tree->corners[i].index;
  return first;
}

struct tutti_boxes *tutti_boxes_create(const struct tutti_box *boxes, size_t count)
{
  size_t nodes = 1;
  struct tutti_boxes *tree = calloc(1, sizeof *tree);
  while (nodes * LEAF < 2 * count)
    nodes *= 2;
  if (!tree)
    return NULL;
  *tree = (struct tutti_boxes){count, calloc(count + 1, sizeof *tree->corners), calloc(2 * nodes, sizeof *tree->nodes)};
  if (!tree->corners || !tree->nodes) {
    tutti_boxes_free(tree);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    tree->corners[i] = corner_of(&boxes[i], i);
  build(tree, 0, 0, count, -1);
  return tree;
}

size_t tutti_boxes_around(const struct tutti_boxes *boxes, const struct tutti_box *box, size_t limit)
{
  return find(boxes, 0, 0, boxes->count, corner_of(box, 0).at, limit);
}

void tutti_boxes_free(struct tutti_boxes *boxes)
{
  if (boxes) {
    free(boxes->corners);
    free(boxes->nodes);
  }
  free(boxes);
}
