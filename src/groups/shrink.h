/* A subtree of members, by its root: the knowledge of a parent about a child before the tree is final. */
#ifndef TUTTI_GROUPS_SHRINK_H
#define TUTTI_GROUPS_SHRINK_H

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

/* The upward pass of Shrink-and-Balance, and of Shrink-and-Hash with fillers (Langer, Venkataraman, Kale 2012, section
   V-A): holes of the original tree are filled, from the leaves up, so that a tree of members is left.

   Child-as-filler: the root of one of the subtrees below the hole takes its place and becomes parent of the others.
   Leaf-as-filler: a member from below takes its place that leaves no hole itself. Candidates travel upward, as many as
   there can be holes above, in the order in which they can be used; a member whose subtree is
   listed whole is a candidate after it.

   The hole itself sends upward on behalf of its filler, and tells the filler by a relocation message that runs beside
   the upward pass. A message may come before relocations that were sent earlier, so a message about a subtree has
   the number of relocations of its root, and the root waits for them. */

struct shrink {
  bool leaf; /* leaf as filler, else child as filler */
  int awaited;
  struct offer *offers; /* [children of the original tree]; NULL once sent on */

  struct forest below;      /* subtrees of this member in its present position */
  tutti_int_vector origins; /* pairs: a candidate that was offered upward, and the index in `below` of its subtree */
  int position_depth;       /* of the position that `below` belongs to */
  int received;             /* relocations */
  int expected;             /* relocations; -1: not known yet */
  bool passed;              /* upward */
  bool applied;
  bool is_root; /* of the tree of members, whose number is group_size */
  int group_size;
  tutti_int_vector used; /* members below that fill holes above */
};

/* The root of the original tree sets the number of groups to expect here. */
void tutti_shrink_begin(struct group_protocol *c, struct shrink *shrink, bool leaf);

/* A message of TUTTI_MESSAGE_UPWARD or TUTTI_MESSAGE_RELOCATION. */
void tutti_shrink_receive(struct group_protocol *c, struct shrink *shrink, const tutti_message *message);

/* The knowledge of the parent about this member: its relocations, and members below that have left. Only the first
   message counts; all have the same content. */
void tutti_shrink_told(struct group_protocol *c, struct shrink *shrink, int relocations, const int *used, int count);

/* Whether `below` is final. */
bool tutti_shrink_is_ready(struct group_protocol *c, struct shrink *shrink);

void tutti_shrink_free(struct group_protocol *c, struct shrink *shrink);

#endif
