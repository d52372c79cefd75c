/* Orders in which points are measured: random, coarse to fine, and a quadtree's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "samplers.h"

size_t sample_random(struct sample_run *run, size_t below)
{
  return (size_t)(tutti_splitmix64_next(&run->random) % below);
}

/* Fisher and Yates. */
void order_random(struct sample_run *run)
{
  for (size_t i = 0; i < run->map->count; i++) {
    const size_t other = sample_random(run, i + 1);
    run->order[i] = run->order[other];
    run->order[other] = i;
  }
}

size_t next_in_order(struct sample_run *run)
{
  return run->position < run->map->count ? run->order[run->position++] : run->map->count;
}

/* ---- coarse to fine ---- */

/* In which bisection of [0, count) index @p at is the middle of a part; its ends are of the first one. */
static int level_of(int at, int count)
{
  int low = 0, high = count - 1, level = 1;
  if (at == low || at == high)
    return 0;
  for (int middle = (low + high) / 2; middle != at; level++, middle = (low + high) / 2)
    *(at < middle ? &high : &low) = middle;
  return level;
}

void order_coarse(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  size_t *cells = tutti_xcalloc(map->cells, sizeof *cells), at = 0;
  for (size_t i = 0; i < map->cells; i++) {
    const size_t other = sample_random(run, i + 1);
    cells[i] = cells[other];
    cells[other] = i;
  }
  for (int level = 0; at < map->count; level++)
    for (size_t c = 0; c < map->cells; c++) {
      const int size = level_of(map->size_index[cells[c]], map->sizes),
                ranks = level_of(map->ranks_index[cells[c]], map->ranks);
      for (size_t i = map->first[cells[c]]; i < map->first[cells[c] + 1] && (size > ranks ? size : ranks) == level; i++)
        run->order[at++] = i;
    }
  free(cells);
}

/* ---- quadtree ---- */

/*
 * A decision map as a quadtree of limited depth (Pjesivac-Grbovic, Fagg, Angskun, Bosilca, Dongarra 2006, MPI
 * collective algorithm selection and quadtree encoding), which takes a complete map: here it says what to measure. All
 * methods at the corners of a part; a part whose corners decide differently is divided first, breadth first; those
 * where they agree follow when no other is left. A cell decides as the nearest one that was measured.
 */
enum { DEEPEST = 5 };

struct part {
  int size[2], ranks[2]; /* indices of its corners */
  int depth;
};

struct quadtree {
  size_t *cell_at;             /* [ranks][sizes]; cells: none */
  bool *complete;              /* [cells] all methods were measured */
  struct part *parts, current; /* waiting */
  int count, corner;           /* the next one of the current part */
  size_t at, last;             /* points of the cell that is measured */
};

void begin_quadtree(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  const size_t places = (size_t)map->sizes * (size_t)map->ranks;
  struct quadtree *tree = run->own =
      tutti_xcalloc(1, sizeof *tree + (places + map->cells + 1) * sizeof(size_t) + 4 * places * sizeof(struct part));
  tree->cell_at = (size_t *)(tree + 1);
  tree->parts = (struct part *)(tree->cell_at + places);
  tree->complete = (bool *)(tree->parts + 4 * places);
  for (size_t p = 0; p < places; p++)
    tree->cell_at[p] = map->cells;
  for (size_t c = 0; c < map->cells; c++)
    tree->cell_at[map->ranks_index[c] * map->sizes + map->size_index[c]] = c;
  tree->parts[tree->count++] = (struct part){.size = {0, map->sizes - 1}, .ranks = {0, map->ranks - 1}};
  tree->corner = 4;
}

static size_t corner_of(const struct sample_run *run, const struct part *part, int corner)
{
  const struct quadtree *tree = run->own;
  return tree->cell_at[part->ranks[corner / 2] * run->map->sizes + part->size[corner % 2]];
}

static size_t best_measured(const struct sample_run *run, size_t cell)
{
  size_t best = run->map->first[cell];
  for (size_t i = best; i < run->map->first[cell + 1]; i++)
    best = run->values[i] < run->values[best] ? i : best;
  return run->map->points[best].method;
}

static bool corners_agree(const struct sample_run *run, const struct part *part)
{
  size_t method = run->map->methods;
  for (int c = 0; c < 4; c++) {
    const size_t cell = corner_of(run, part, c);
    if (cell == run->map->cells)
      continue;
    const size_t own = best_measured(run, cell);
    if (method != run->map->methods && own != method)
      return false;
    method = own;
  }
  return true;
}

/* Its quarters wait; a quarter that agrees waits for all that do not, as its depth says. */
static void divide(struct sample_run *run, const struct part *part)
{
  struct quadtree *tree = run->own;
  const int size = (part->size[0] + part->size[1]) / 2, ranks = (part->ranks[0] + part->ranks[1]) / 2;
  const int sizes[3] = {part->size[0], size, part->size[1]}, all[3] = {part->ranks[0], ranks, part->ranks[1]};
  const bool by_size = part->size[1] - part->size[0] > 1, by_ranks = part->ranks[1] - part->ranks[0] > 1;
  const int later = corners_agree(run, part) ? DEEPEST + 1 : 0;
  for (int r = by_ranks ? 0 : 1; r < 2 && (by_size || by_ranks) && part->depth % (DEEPEST + 1) < DEEPEST; r++)
    for (int s = by_size ? 0 : 1; s < 2; s++)
      tree->parts[tree->count++] = (struct part){.size = {sizes[by_size ? s : 0], sizes[s + 1]},
                                                 .ranks = {all[by_ranks ? r : 0], all[r + 1]},
                                                 .depth = part->depth % (DEEPEST + 1) + 1 + later};
}

static bool take_part(struct quadtree *tree)
{
  int best = 0;
  for (int p = 1; p < tree->count; p++)
    best = tree->parts[p].depth < tree->parts[best].depth ? p : best;
  if (tree->count == 0)
    return false;
  tree->current = tree->parts[best];
  memmove(&tree->parts[best], &tree->parts[best + 1], (size_t)(--tree->count - best) * sizeof *tree->parts);
  tree->corner = 0;
  return true;
}

size_t next_of_quadtree(struct sample_run *run)
{
  struct quadtree *tree = run->own;
  for (bool first = run->known_count == 0;; first = false) {
    if (tree->at < tree->last)
      return tree->at++;
    if (tree->corner < 4) {
      const size_t cell = corner_of(run, &tree->current, tree->corner++);
      if (cell == run->map->cells || tree->complete[cell])
        continue;
      tree->complete[cell] = true;
      tree->at = run->map->first[cell];
      tree->last = run->map->first[cell + 1];
      continue;
    }
    if (!first)
      divide(run, &tree->current);
    if (!take_part(tree))
      return run->map->count;
  }
}

void predict_quadtree(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  const struct quadtree *tree = run->own;
  for (size_t c = 0; c < map->cells; c++) {
    size_t nearest = map->cells;
    int least = 0;
    for (size_t o = 0; o < map->cells; o++) {
      const int distance =
          abs(map->size_index[c] - map->size_index[o]) + 2 * abs(map->ranks_index[c] - map->ranks_index[o]);
      const bool measured = tree->complete[o] && run->times[map->first[o + 1] - 1] > 0;
      if (measured && (nearest == map->cells || distance < least)) {
        nearest = o;
        least = distance;
      }
    }
    for (size_t i = map->first[c]; i < map->first[c + 1]; i++) {
      run->predicted[i] = nearest == map->cells ? map->base[i] : INFINITY;
      for (size_t o = nearest < map->cells ? map->first[nearest] : 0;
           nearest < map->cells && o < map->first[nearest + 1]; o++)
        if (map->points[o].method == map->points[i].method)
          run->predicted[i] = run->values[o] - map->base[o] + map->base[i];
    }
  }
}
