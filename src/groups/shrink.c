#include "groups/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

static bool make_room(tutti_counted_memory *memory, struct forest *forest)
{
  if (forest->count < forest->capacity)
    return true;
  int capacity = forest->capacity + forest->capacity / 2 + 3;
  struct subtree *trees = tutti_counted_enlarge(memory, forest->trees, (size_t)forest->capacity * sizeof *trees,
                                                (size_t)capacity * sizeof *trees);
  if (!trees)
    return false;
  forest->trees = trees;
  forest->capacity = capacity;
  return true;
}

void tutti_forest_add(struct group_protocol *c, struct forest *forest, const struct subtree *tree)
{
  tutti_int_vector used = tree->used;
  if (tutti_actor_need(&c->actor, make_room(&c->actor.memory, forest)))
    forest->trees[forest->count++] = *tree;
  else
    tutti_int_vector_free(&c->actor.memory, &used);
}

void tutti_forest_remove(struct forest *forest, int index)
{
  forest->count--;
  memmove(forest->trees + index, forest->trees + index + 1, (size_t)(forest->count - index) * sizeof *forest->trees);
}

void tutti_forest_free(struct group_protocol *c, struct forest *forest)
{
  for (int i = 0; i < forest->count; i++)
    tutti_int_vector_free(&c->actor.memory, &forest->trees[i].used);
  tutti_counted_free(&c->actor.memory, forest->trees, (size_t)forest->capacity * sizeof *forest->trees);
  *forest = (struct forest){0};
}

int tutti_forest_size(const struct forest *forest)
{
  int size = 0;
  for (int i = 0; i < forest->count; i++)
    size += forest->trees[i].size;
  return size;
}

static int by_size(const void *a, const void *b)
{
  const struct subtree *left = a, *right = b;
  return left->size != right->size ? THREE_WAY(right->size, left->size) : THREE_WAY(left->id, right->id);
}

void tutti_forest_sort(struct forest *forest)
{
  if (forest->count > 1)
    qsort(forest->trees, (size_t)forest->count, sizeof *forest->trees, by_size);
}

enum { WRITE_ID, WRITE_RELOCATIONS, WRITE_REQUESTS, WRITE_SIZE, WRITE_DEPTH, WRITE_USED, WRITE_WORDS };

void tutti_subtree_write(struct group_protocol *c, tutti_int_vector *words, const struct subtree *tree)
{
  int head[WRITE_WORDS] = {tree->id, tree->relocations, tree->requests, tree->size, tree->depth, tree->used.count};
  tutti_counted_memory *memory = &c->actor.memory;
  tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, 1);
  tutti_actor_need(&c->actor, tutti_int_vector_append(memory, words, head, WRITE_WORDS) &&
                                  tutti_int_vector_append(memory, words, tree->used.items, tree->used.count));
}

void tutti_forest_read(struct group_protocol *c, struct forest *forest, const int *words, int count)
{
  for (int at = 0; at < count; at += WRITE_WORDS + words[at + WRITE_USED]) {
    const int *head = words + at;
    struct subtree tree = {.id = head[WRITE_ID],
                           .relocations = head[WRITE_RELOCATIONS],
                           .requests = head[WRITE_REQUESTS],
                           .size = head[WRITE_SIZE],
                           .depth = head[WRITE_DEPTH]};
    tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, 1);
    group_protocol_append(c, &tree.used, head + WRITE_WORDS, head[WRITE_USED]);
    tutti_forest_add(c, forest, &tree);
  }
}

/* ---- the upward pass ---- */

/* Message of a child in the original tree: the root and the number of its members, and candidates, the first `taken` of
   which are used. */
struct offer {
  int id, relocations, size;
  tutti_int_vector candidates; /* pairs: id, relocations so far */
  int taken;
  int entry; /* of `below` */
};

enum { OFFER_ID, OFFER_RELOCATIONS, OFFER_SIZE, OFFER_CANDIDATES };
enum { RELOCATE_DEPTH, RELOCATE_COUNT, RELOCATE_SIZE, RELOCATE_ORIGINS, RELOCATE_WORDS };

/* A member that takes a place. */
struct filler {
  int id, relocations;
};

/* ---- candidates ---- */

static bool has_candidate(const struct offer *offer)
{
  return 2 * offer->taken < offer->candidates.count;
}

static struct filler take_candidate(struct offer *offer)
{
  const int *pair = offer->candidates.items + 2 * offer->taken++;
  return (struct filler){pair[0], pair[1]};
}

/* From the subtree with most candidates left: that gives a more even tree. */
static struct offer *fullest(const struct group_protocol *c, const struct shrink *shrink, bool with_candidate)
{
  struct offer *best = NULL;
  for (int i = 0; i < c->request.tree->child_count; i++) {
    struct offer *offer = &shrink->offers[i];
    int left = offer->size - offer->taken;
    if (left > 0 && (!with_candidate || has_candidate(offer)) && (!best || left > best->size - best->taken))
      best = offer;
  }
  return best;
}

/* ---- one hole ---- */

static void drop_offers(struct group_protocol *c, struct shrink *shrink)
{
  int children = c->request.tree->child_count;
  for (int i = 0; shrink->offers && i < children; i++)
    tutti_int_vector_free(&c->actor.memory, &shrink->offers[i].candidates);
  tutti_counted_free(&c->actor.memory, shrink->offers, (size_t)children * sizeof *shrink->offers);
  shrink->offers = NULL;
}

/* The subtrees of the offers, but that of `except`, less what was taken of them. */
static void list_below(struct group_protocol *c, struct shrink *shrink, const struct offer *except)
{
  for (int i = 0; i < c->request.tree->child_count; i++) {
    struct offer *offer = &shrink->offers[i];
    if (offer->size - offer->taken == 0 || offer == except)
      continue;
    struct subtree tree = {
        .id = offer->id, .relocations = offer->relocations, .size = offer->size - offer->taken, .depth = c->depth};
    for (int t = 0; t < offer->taken; t++)
      group_protocol_add(c, &tree.used, offer->candidates.items[2 * t]);
    offer->entry = shrink->below.count;
    tutti_forest_add(c, &shrink->below, &tree);
  }
}

static struct filler fill(struct group_protocol *c, struct shrink *shrink)
{
  struct offer *offer = fullest(c, shrink, shrink->leaf);
  struct filler filler;
  if (shrink->leaf) {
    filler = take_candidate(offer);
    list_below(c, shrink, NULL);
  } else {
    filler = (struct filler){offer->id, offer->relocations};
    list_below(c, shrink, offer);
  }
  filler.relocations++;
  return filler;
}

/* The candidates that go upward: at most one for every level up to the root, and the root of the members last. */
static void offer_candidates(struct group_protocol *c, struct shrink *shrink, int size, struct filler root,
                             tutti_int_vector *words)
{
  tutti_counted_memory *memory = &c->actor.memory;
  struct offer *offer;
  int limit = c->depth + 1, count = 0;
  for (; count < limit && (offer = fullest(c, shrink, true)); count++) {
    struct filler one = take_candidate(offer);
    int pair[] = {one.id, one.relocations}, origin[] = {one.id, offer->entry};
    tutti_actor_need(&c->actor, tutti_int_vector_append(memory, words, pair, 2) &&
                                    tutti_int_vector_append(memory, &shrink->origins, origin, 2));
  }
  int last[] = {root.id, root.relocations};
  if (count < limit && count == size - 1)
    tutti_actor_need(&c->actor, tutti_int_vector_append(memory, words, last, 2));
  tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, words->count / 2);
}

static void relocate(struct group_protocol *c, struct shrink *shrink, int size, struct filler filler)
{
  tutti_int_vector words = {0};
  int head[RELOCATE_WORDS] = {c->depth, filler.relocations, size, shrink->origins.count};
  tutti_actor_need(&c->actor,
                   tutti_int_vector_append(&c->actor.memory, &words, head, RELOCATE_WORDS) &&
                       tutti_int_vector_append(&c->actor.memory, &words, shrink->origins.items, shrink->origins.count));
  tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, shrink->origins.count / 2);
  for (int i = 0; i < shrink->below.count; i++)
    tutti_subtree_write(c, &words, &shrink->below.trees[i]);
  group_protocol_send(c, filler.id, TUTTI_MESSAGE_RELOCATION, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
  tutti_forest_free(c, &shrink->below);
  tutti_int_vector_free(&c->actor.memory, &shrink->origins);
}

static void tell_parent(struct group_protocol *c, int size, struct filler root, const tutti_int_vector *candidates)
{
  tutti_int_vector words = {0};
  int head[OFFER_CANDIDATES] = {root.id, root.relocations, size};
  tutti_actor_need(&c->actor,
                   tutti_int_vector_append(&c->actor.memory, &words, head, OFFER_CANDIDATES) &&
                       tutti_int_vector_append(&c->actor.memory, &words, candidates->items, candidates->count));
  group_protocol_send(c, c->request.tree->parent, TUTTI_MESSAGE_UPWARD, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
}

/* All children have sent their part. Upward first: that is the longest way. */
static void pass_up(struct group_protocol *c, struct shrink *shrink)
{
  bool member = tutti_group_protocol_is_member(c);
  int size = member;
  tutti_int_vector candidates = {0};
  struct filler root = {c->actor.id, 0};
  for (int i = 0; i < c->request.tree->child_count; i++)
    size += shrink->offers[i].size;
  if (member)
    list_below(c, shrink, NULL);
  else if (size > 0)
    root = fill(c, shrink);
  if (shrink->leaf && size > 0)
    offer_candidates(c, shrink, size, root, &candidates);
  drop_offers(c, shrink);
  if (c->request.tree->parent >= 0)
    tell_parent(c, size, root, &candidates);
  tutti_int_vector_free(&c->actor.memory, &candidates);
  if (!member && size > 0)
    relocate(c, shrink, size, root);
  shrink->passed = true;
  shrink->position_depth = c->depth;
  if (c->request.tree->parent < 0) {
    shrink->is_root = member;
    shrink->group_size = size;
    shrink->expected = 0;
    tutti_group_protocol_expect(c, size > 0, size);
  }
}

void tutti_shrink_begin(struct group_protocol *c, struct shrink *shrink, bool leaf)
{
  int children = c->request.tree->child_count;
  shrink->leaf = leaf;
  shrink->expected = -1;
  shrink->awaited = children;
  if (children > 0) {
    shrink->offers = tutti_counted_alloc(&c->actor.memory, (size_t)children * sizeof *shrink->offers);
    if (!tutti_actor_need(&c->actor, shrink->offers))
      return;
    for (int i = 0; i < children; i++)
      shrink->offers[i] = (struct offer){0};
  } else {
    pass_up(c, shrink);
  }
}

/* ---- messages ---- */

static void receive_offer(struct group_protocol *c, struct shrink *shrink, const tutti_message *message)
{
  struct offer *offer = &shrink->offers[tutti_group_protocol_child_index(c, message->from)];
  const int *words = message->words;
  *offer = (struct offer){.id = words[OFFER_ID], .relocations = words[OFFER_RELOCATIONS], .size = words[OFFER_SIZE]};
  if (!group_protocol_append(c, &offer->candidates, words + OFFER_CANDIDATES, message->count - OFFER_CANDIDATES))
    return;
  tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, offer->candidates.count / 2);
  tutti_actor_work(&c->actor, TUTTI_WORK_CANDIDATE, offer->candidates.count / 2);
  if (--shrink->awaited == 0)
    pass_up(c, shrink);
}

/* A leaf that fills a hole leaves all its subtrees; it stays in the highest hole that it fills. A child that fills a
   hole takes its subtrees along. */
static void receive_relocation(struct group_protocol *c, struct shrink *shrink, const tutti_message *message)
{
  const int *words = message->words;
  int origins = words[RELOCATE_ORIGINS];
  shrink->received++;
  if (words[RELOCATE_DEPTH] == 0) {
    shrink->is_root = true;
    shrink->group_size = words[RELOCATE_SIZE];
    shrink->expected = words[RELOCATE_COUNT];
  }
  if (shrink->leaf && words[RELOCATE_DEPTH] > shrink->position_depth)
    return;
  if (shrink->leaf) {
    tutti_forest_free(c, &shrink->below);
    tutti_int_vector_free(&c->actor.memory, &shrink->origins);
    shrink->position_depth = words[RELOCATE_DEPTH];
    tutti_actor_work(&c->actor, TUTTI_WORK_ENTRY, origins / 2);
    group_protocol_append(c, &shrink->origins, words + RELOCATE_WORDS, origins);
  }
  tutti_forest_read(c, &shrink->below, words + RELOCATE_WORDS + origins, message->count - RELOCATE_WORDS - origins);
}

void tutti_shrink_receive(struct group_protocol *c, struct shrink *shrink, const tutti_message *message)
{
  if (message->kind == TUTTI_MESSAGE_UPWARD)
    receive_offer(c, shrink, message);
  else
    receive_relocation(c, shrink, message);
}

void tutti_shrink_told(struct group_protocol *c, struct shrink *shrink, int relocations, const int *used, int count)
{
  if (shrink->expected >= 0)
    return;
  shrink->expected = relocations;
  group_protocol_append(c, &shrink->used, used, count);
}

/* ---- at the end ---- */

/* From the lowest position to the highest, independent of the order of relocations. */
static void sort_by_depth(struct forest *forest)
{
  for (int i = 1; i < forest->count; i++) {
    struct subtree tree = forest->trees[i];
    int j = i;
    for (; j > 0 && forest->trees[j - 1].depth < tree.depth; j--)
      forest->trees[j] = forest->trees[j - 1];
    forest->trees[j] = tree;
  }
}

static void leave_subtree(struct group_protocol *c, struct shrink *shrink, int member)
{
  for (int o = 0; o < shrink->origins.count; o += 2)
    if (shrink->origins.items[o] == member) {
      struct subtree *tree = &shrink->below.trees[shrink->origins.items[o + 1]];
      tree->size--;
      group_protocol_add(c, &tree->used, member);
      return;
    }
  tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: %d was taken from below it, which it never offered",
                   c->actor.id, member);
}

static void apply(struct group_protocol *c, struct shrink *shrink)
{
  shrink->applied = true;
  for (int u = 0; u < shrink->used.count; u++)
    leave_subtree(c, shrink, shrink->used.items[u]);
  tutti_int_vector_free(&c->actor.memory, &shrink->used);
  tutti_int_vector_free(&c->actor.memory, &shrink->origins);
  for (int i = shrink->below.count - 1; i >= 0; i--)
    if (shrink->below.trees[i].size == 0) {
      tutti_int_vector_free(&c->actor.memory, &shrink->below.trees[i].used);
      tutti_forest_remove(&shrink->below, i);
    }
  sort_by_depth(&shrink->below);
}

bool tutti_shrink_is_ready(struct group_protocol *c, struct shrink *shrink)
{
  if (!shrink->passed || shrink->expected != shrink->received)
    return false;
  if (!shrink->applied)
    apply(c, shrink);
  return true;
}

void tutti_shrink_free(struct group_protocol *c, struct shrink *shrink)
{
  drop_offers(c, shrink);
  tutti_forest_free(c, &shrink->below);
  tutti_int_vector_free(&c->actor.memory, &shrink->origins);
  tutti_int_vector_free(&c->actor.memory, &shrink->used);
}
