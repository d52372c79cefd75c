/* Shapes of k-nomial trees, as trees.c has a row of functions for each: v is a virtual rank, the root being 0. */
#ifndef TUTTI_ALGORITHMS_KNOMIAL_H
#define TUTTI_ALGORITHMS_KNOMIAL_H

/* Children in one piece of ranks each, the largest and farthest first; k = 2 is the in-order binomial tree. @{ */
int tutti_knomial_parent(int v, int size, int k);
int tutti_knomial_child_count(int v, int size, int k);
int tutti_knomial_child(int v, int index, int size, int k);
/* @} */

/* The same, but every node is numbered before its subtree: the largest child is the nearest. @{ */
int tutti_knomial_1_parent(int v, int size, int k);
int tutti_knomial_1_child_count(int v, int size, int k);
int tutti_knomial_1_child(int v, int index, int size, int k);
/* @} */

#endif
