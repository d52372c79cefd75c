/* Collective selection of MPICH: a tree of conditions in JSON, and MPICH's own choice. */
#ifndef TUTTI_DECISION_TARGETS_MPICH_H
#define TUTTI_DECISION_TARGETS_MPICH_H

#include "libraries/targets/targets.h"

#define MPICH_PATH_LENGTH 320

/* Write a path as printf() does. Those of trees are shorter than that. */
void tutti_mpich_path(char path[MPICH_PATH_LENGTH], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A tree on its way into a stream, leaf by leaf. Begin with {.stream = ...}. */
struct mpich_tree {
  FILE *stream;
  bool since_41;                /* names of MPICH 4.1 */
  char path[MPICH_PATH_LENGTH]; /* of the last leaf */
};

/* Add a leaf. The path has the conditions from the root on, '/' between them; leaves come in the order of the file.
   `name` is that of the algorithm: "Bcast_intra_binomial". */
void tutti_mpich_tree_add(struct mpich_tree *tree, const char *path, const char *name);

/* Add an algorithm with the conditions under which it works, and what is run otherwise: one leaf or several. */
void tutti_mpich_add_guarded(struct mpich_tree *tree, const char *path, const char *name);

/* Close everything that is open. */
void tutti_mpich_tree_end(struct mpich_tree *tree);

/* MPICH's own choices for a collective, below `path`: those between the ranks of one group, or of two. @{ */
void tutti_mpich_usual_intra(struct mpich_tree *tree, const char *collective, const char *path);
void tutti_mpich_usual_inter(struct mpich_tree *tree, const char *collective, const char *path);
/** @} */

/* Names of all collectives that MPICH selects for, blocking, nonblocking and neighborhood; NULL past the end. */
const char *tutti_mpich_collective_at(int index);

#endif
