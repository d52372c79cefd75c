/* A subtree of members, by its root: what a parent knows of a child before the tree is final. */
#ifndef TUTTI_GROUPS_SUBTREE_H
#define TUTTI_GROUPS_SUBTREE_H

#include "groups/group_protocol.h"

struct subtree {
  int id;                /* of its root */
  int relocations;       /* messages that the root gets from holes that it fills */
  int requests;          /* for vertices, which the root gets from its earlier parents */
  int size;              /* members, once those requested have left */
  int depth;             /* in the original tree, of the position whose child it became */
  tutti_int_vector used; /* members of it that now fill holes above, which its root does not know yet */
};

/* An array of them. Zero-initialize. */
struct forest {
  struct subtree *trees; /* [count] */
  int count, capacity;
};

/* All owned by the heap of the actor; failures are failures of the actor. What the tree holds belongs to the forest
   once it is added; if it cannot be, it is freed. */
void tutti_forest_add(struct group_protocol *c, struct forest *forest, const struct subtree *tree);
void tutti_forest_remove(struct forest *forest, int index); /* forgets the tree without freeing it; keeps the order */
void tutti_forest_free(struct group_protocol *c, struct forest *forest);
int tutti_forest_size(const struct forest *forest);

/* Largest first, equal ones by id. */
void tutti_forest_sort(struct forest *forest);

/* As words of a message, and back; the reader adds all trees up to the end. */
void tutti_subtree_write(struct group_protocol *c, tutti_int_vector *words, const struct subtree *tree);
void tutti_forest_read(struct group_protocol *c, struct forest *forest, const int *words, int count);

#endif
