/* Who is parent and child of whom in a balanced tree of branching factor k, by rank. Two numberings of the same
   heights, equation (4):

   - level by level, equations (1) to (3): children of r are k r + 1 .. k r + k;
   - every subtree a range of ranks: r, then its subtrees, whose sizes differ by at most one. Neighbors in the tree are
     near each other in any order that keeps ranks together, such as a preorder of the original tree.

           level by level          ranges (k = 2)
                 0                       0
               1   2                   1   4
              3 4 5 6                 2 3 5 6     */
#ifndef TUTTI_GROUPS_NUMBERING_H
#define TUTTI_GROUPS_NUMBERING_H

struct place {
  int parent; /* rank, -1 at the root */
  int child_count;
  int first_child;
  int step, longer; /* child i has rank first_child + i * step + min(i, longer) */
};

/* The place of `rank` of a tree of `size` ranks. */
struct place tutti_place_by_level(int size, int k, int rank);
struct place tutti_place_by_range(int size, int k, int rank);

/* Rank of child `index`. */
int tutti_place_child(const struct place *place, int index);

/* Index of the child with rank `rank`, which is one. */
int tutti_place_child_index(const struct place *place, int rank);

#endif
