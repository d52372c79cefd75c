#include "groups/shrink.h"

#include <stdlib.h>
#include <string.h>

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
  if (left->size != right->size)
    return left->size > right->size ? -1 : 1;
  return (left->id > right->id) - (left->id < right->id);
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
  tutti_actor_work(&c->actor, 1);
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
    tutti_actor_work(&c->actor, 1);
    tutti_actor_need(&c->actor,
                     tutti_int_vector_append(&c->actor.memory, &tree.used, head + WRITE_WORDS, head[WRITE_USED]));
    tutti_forest_add(c, forest, &tree);
  }
}
