/* Broadcast, reduction and allreduce on a torus by trees that share no link: one for each direction in which a rank has
   neighbors, each for its share of the message, in segments. The collectives "Trinaryx3" of the K computer do the same
   (Adachi, Shida, Miura and others 2013, "The design of ultra scalable MPI collective communication on the K
   computer"); the public part of the paper does not define those trees. The ones here are our own.

   Coordinates are relative to the root. A rank has d neighbors below it, around the torus, one in each dimension, and
   is the child of each of them in one of d trees. In tree t the parent is the neighbor below

       in dimension t, if the own coordinate there is 0;
       else in the next dimension after t, in a circle, whose coordinate is not 0; that is t itself if no other is left.

   This is a tree: coordinates other than that of dimension t fall to 0, then that one; and a rank with 0 there is the
   child of one with side - 1, which is not one of those. At one rank the trees take each dimension once (those with
   coordinate 0 their own, the others each the next one of the others), so no two trees share a link. Up to d children,
   at most 1 + the sum of (side - 1) steps down.

       3 x 3, tree 0:   0 -> 1 -> 2      1 -> 4 -> 7      2 -> 5 -> 8      5 -> 3      8 -> 6
              tree 1:   0 -> 3 -> 6      3 -> 4 -> 5      6 -> 7 -> 8      7 -> 1      8 -> 2

   Trees d to 2 d - 1 are the same mirrored, with neighbors above, on the links of the other direction. With a side of 2
   both neighbors of that dimension are one rank, by one link: then there are only d. Sides of 1 are no dimensions.

   Any sides, any root; reductions that commute. Cost (Hockney) with k trees, all links at once, n segments of m_s bytes
   a share of m / k: broadcast and reduction about (n + depth) (alpha + beta m_s); the allreduce the sum of both where
   trees have links for either way (k > d), and hardly more than one of them where the upward messages use links without
   downward ones. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/torus.h"

enum { MAX_TREES = 2 * TUTTI_MAX_SIDES };

/* A rank in one of the trees, and the segments of its share. */
struct place {
  int parent; /* -1: the root */
  int children[TUTTI_MAX_SIDES], child_count;
  tutti_segmentation share;
};

/* Common data of the trees. */
struct grove {
  struct torus torus; /* without sides of 1 */
  int trees;
  int root;
};

static struct grove grove_of(const tutti_call *call)
{
  struct grove grove = {.torus = {.size = call->size}, .root = call->root};
  const struct torus all = tutti_torus(call);
  bool narrow = false;
  for (int d = 0; d < all.dimensions; d++) {
    narrow |= all.sides[d] == 2;
    if (all.sides[d] > 1) {
      grove.torus.strides[grove.torus.dimensions] = all.strides[d];
      grove.torus.sides[grove.torus.dimensions++] = all.sides[d];
    }
  }
  const int most = grove.torus.dimensions * (narrow ? 1 : 2);
  grove.trees = call->parameters.outstanding < most ? call->parameters.outstanding : most;
  return grove;
}

/* The dimension in which a rank has its parent in a tree; place: its coordinates seen from the root. */
static int dimension_up(const struct torus *torus, const int *place, int tree)
{
  const int first = tree % torus->dimensions;
  int d = first;
  if (place[first] != 0)
    do
      d = (d + 1) % torus->dimensions;
    while (place[d] == 0);
  return d;
}

/* Coordinates seen from the root, upside down in the mirrored trees. */
static void coordinates_of(const struct grove *grove, int tree, int rank, int place[TUTTI_MAX_SIDES])
{
  for (int d = 0; d < grove->torus.dimensions; d++) {
    const int side = grove->torus.sides[d];
    const int away =
        tutti_torus_coordinate(&grove->torus, rank, d) - tutti_torus_coordinate(&grove->torus, grove->root, d);
    place[d] = (side + (tree < grove->torus.dimensions ? away : -away)) % side;
  }
}

/* The neighbor by one step away from the root, or towards it, as the tree goes. */
static int neighbor_of(const struct grove *grove, int tree, int rank, int dimension, int step)
{
  const int side = grove->torus.sides[dimension], own = tutti_torus_coordinate(&grove->torus, rank, dimension);
  const int way = tree < grove->torus.dimensions ? step : -step;
  return tutti_torus_with(&grove->torus, rank, dimension, (own + way + side) % side);
}

static struct place place_in(const struct grove *grove, const tutti_call *call, int tree)
{
  const tutti_block message = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  const tutti_block share = tutti_block_share(message, tree, grove->trees);
  struct place place = {.parent = -1, .share = tutti_segments(call, share.first, share.count)};
  int own[TUTTI_MAX_SIDES];
  coordinates_of(grove, tree, call->rank, own);
  if (call->rank != grove->root)
    place.parent = neighbor_of(grove, tree, call->rank, dimension_up(&grove->torus, own, tree), -1);
  for (int d = 0; d < grove->torus.dimensions; d++) {
    const int child = neighbor_of(grove, tree, call->rank, d, 1);
    int seen[TUTTI_MAX_SIDES];
    coordinates_of(grove, tree, child, seen);
    if (child != grove->root && dimension_up(&grove->torus, seen, tree) == d)
      place.children[place.child_count++] = child;
  }
  return place;
}

/* ---- down ---- */

/* One segment down a tree, at the root after `ready`. */
static void forward(tutti_builder *builder, const tutti_call *call, const struct place *place, uint64_t s,
                    uint32_t stride, tutti_vertex_id ready)
{
  const tutti_block block = tutti_segment(&place->share, s);
  if (place->parent >= 0) {
    ready = tutti_add_recv(builder, place->parent, block);
    tutti_keep_window(builder, call, ready, s, stride);
  }
  for (int c = 0; c < place->child_count; c++) {
    const tutti_vertex_id sent = tutti_add_send(builder, place->children[c], block);
    tutti_add_after(builder, sent, ready);
    tutti_keep_window(builder, call, sent, s, stride);
  }
}

/* The trees take turns, so that the vertices of a segment and its successor are as far apart as all trees have. Shares
   get no longer from one tree to the next. results: at the root, of each tree the vertex that has segment 0 of its
   share, and `steps` vertices later that of the next segment; NULL: it is there from the beginning. */
static void go_down(tutti_builder *builder, const tutti_call *call, const struct place *places, int trees,
                    const tutti_vertex_id *results, uint32_t steps)
{
  uint32_t stride = 0;
  for (int t = 0; t < trees; t++)
    stride += (uint32_t)(places[t].parent >= 0) + (uint32_t)places[t].child_count;
  if (!tutti_reserve_segments(builder, &places[0].share, stride))
    return;
  for (uint64_t s = 0; s < places[0].share.count; s++)
    for (int t = 0; t < trees && s < places[t].share.count; t++)
      forward(builder, call, &places[t], s, stride,
              results ? (tutti_vertex_id)(results[t] + s * steps) : TUTTI_NO_VERTEX);
}

/* ---- up ---- */

/* Returns the vertex that has segment 0 of the share at the root; those of the next ones follow by twice the number of
   the root's children, as in reduce/tree.c. */
static tutti_vertex_id go_up(tutti_builder *builder, const tutti_call *call, const struct place *place)
{
  tutti_tree tree;
  tutti_tree_init_explicit(&tree, call->size, call->root, call->rank, place->parent, place->children,
                           place->child_count);
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_call own = *call;
  own.count = place->share.total;
  scope.input.first += place->share.first;
  scope.output.first += place->share.first;
  tutti_builder_enter(builder, &scope);
  const tutti_vertex_id first = tutti_builder_next(builder);
  if (own.count > 0)
    tutti_build_reduce_on_tree(builder, &own, &tree);
  tutti_builder_leave(builder);
  return (tutti_vertex_id)(first + 2 * (uint32_t)place->child_count - 1);
}

/* ---- collectives ---- */

/* The parameter `trees` gives their number, so the window of a channel is the default. */
static int plan(const tutti_call *call, tutti_call *own, struct place places[MAX_TREES])
{
  const struct grove grove = grove_of(call);
  *own = *call;
  own->parameters.outstanding = TUTTI_DEFAULT_OUTSTANDING;
  for (int t = 0; t < grove.trees; t++)
    places[t] = place_in(&grove, own, t);
  return grove.trees;
}

void tutti_build_bcast_torus_trees(tutti_builder *builder, const tutti_call *call)
{
  struct place places[MAX_TREES];
  tutti_call own;
  const int trees = plan(call, &own, places);
  if (trees > 0)
    go_down(builder, &own, places, trees, NULL, 0);
}

void tutti_build_reduce_torus_trees(tutti_builder *builder, const tutti_call *call)
{
  struct place places[MAX_TREES];
  tutti_call own;
  if (tutti_build_trivial(builder, call))
    return;
  const int trees = plan(call, &own, places);
  for (int t = 0; t < trees; t++)
    go_up(builder, &own, &places[t]);
}

/* The root is rank 0. Messages of two ranks go in the order of the vertices, all of them up before any down: only
   trees and mirrored ones share a link, and both ways together do not need more than either has. */
void tutti_build_allreduce_torus_trees(tutti_builder *builder, const tutti_call *call)
{
  struct place places[MAX_TREES];
  tutti_vertex_id results[MAX_TREES];
  tutti_call own;
  if (tutti_build_trivial(builder, call))
    return;
  const int trees = plan(call, &own, places);
  for (int t = 0; t < trees; t++)
    results[t] = go_up(builder, &own, &places[t]);
  go_down(builder, &own, places, trees, call->rank == own.root ? results : NULL, 2 * (uint32_t)places[0].child_count);
}
