/* Parents and children in a balanced tree of branching factor k, by rank. Two numberings of the same
   heights, equation (4):

   - level by level, equations (1) to (3): children of r are k r + 1 .. k r + k;
   - every subtree a range of ranks: r, then its subtrees, whose sizes differ by at most one. Neighbors in the tree are
     near each other in any order that keeps ranks together, such as a preorder of the original tree.

           level by level          ranges (k = 2)
                 0                       0
               1   2                   1   4
              3 4 5 6                 2 3 5 6     */
#ifndef TUTTI_GROUPS_DIRECTORY_H
#define TUTTI_GROUPS_DIRECTORY_H

#include "groups/group_protocol.h"

struct tree_place {
  int parent; /* rank, -1 at the root */
  int child_count;
  int first_child;
  int step, longer; /* child i has rank first_child + i * step + min(i, longer) */
};

/* The place of `rank` of a tree of `size` ranks. */
struct tree_place tutti_place_by_level(int size, int k, int rank);

/* Rank of child `index`. */
int tutti_place_child(const struct tree_place *place, int index);

/* Intermediaries of Shrink-and-Hash (Langer, Venkataraman, Kale 2012, section VI-C): a process that knows only a rank
   finds its process through a third one, which both can compute.

       rank r          -> H(r):  here is r, process id          m messages
       rank r          -> H(p):  r, process id, is a child of p   m - 1
       H(r)            -> r:     ids of the children             ceil((m - 1) / k), to those that have any
       H(r)            -> child: id of the parent                m - 1

   3 m - 2 + ceil((m - 1) / k) in all: the root has no parent to register with and gets no parent's id. Where all
   processes of the machine serve, H spreads the ranks over them so that no process is the intermediary of two ranks
   of a construction; inside a group that was itself built, whose members know only their neighbors, H(r) is a member
   near that of rank r, and messages travel along the tree of the group; there a rank without children also gets a
   message that it has been entered. */

struct directory_entry;

/* Facts about its group that a member has when it looks for its neighbors. */
struct seeker {
  int offset;   /* ranks of the groups of earlier colors */
  int everyone; /* members of all groups of the construction */
  bool parent_known, children_known;
  bool entered; /* its intermediary is known to know it, or the end of the construction waits for that */
};

/* One per process. */
struct directory {
  struct directory_entry *entries; /* [capacity] for which this process is the intermediary */
  int count, capacity;
  int stride;             /* intermediaries are the processes with multiples of it; 0: all */
  tutti_int_vector asked; /* lookups of ranks that have not registered yet */
  struct seeker seeker;   /* members only */
  struct answers *cache;  /* to lookups of this process; NULL before the first */
};

/* Whether one of @p entrants ranks, of all groups, is still to enter itself here with this intermediary. Not inside a
   built group. */
bool tutti_directory_is_owed(const struct group_protocol *c, const struct directory *directory, int entrants);

/* This process, with color and the seeker's numbers set, begins to look for its parent and children as rank `rank` of
   `size`. Present children stay, after those that it finds. */
void tutti_directory_seek(struct group_protocol *c, struct directory *directory, int size, int rank);

/* A message of TUTTI_MESSAGE_HASH or _LOOKUP. The construction is complete when parent and children are known. */
void tutti_directory_receive(struct group_protocol *c, struct directory *directory, const tutti_message *message);

void tutti_directory_free(struct group_protocol *c, struct directory *directory);

#endif
