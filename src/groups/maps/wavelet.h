/*
 * A permutation of 0 .. size - 1 as a wavelet tree on its runs (Barbay and Navarro 2009; Kamal, Mirtaheri, Wagner 2010,
 * section 5.5). No MPI.
 *
 * A run is a longest ascending stretch of the permutation. The leaves of a binary tree are the runs in order of place;
 * an inner node merges the values of its two children as merge sort does, and keeps one bit a value: whether it came
 * from the right child. Upwards, SELECT on these bits takes a place to its value; downwards, RANK takes a value to its
 * place.
 *
 *     places   0 1 2 3 4 5        root   values 0 1 2 3 4 5
 *     values   1 4 | 0 2 3 | 5           bits   1 0 1 1 0 1      left: places 0, 1; right: the node
 *                                 right  values 0 2 3 5
 *                                        bits   0 0 0 1          left: places 2 .. 4; right: place 5
 *
 * Shape: not Hu-Tucker's, but made in O(runs log runs): every node is split where the lengths of its two sides are
 * nearest to equal (weight-balanced; at most 2 bits a value above the entropy of the run lengths), unless halving the
 * number of runs costs fewer bits; so there are never more than size * ceil(log2 runs). 20 bytes a run for the nodes.
 */
#ifndef TUTTI_GROUPS_MAPS_WAVELET_H
#define TUTTI_GROUPS_MAPS_WAVELET_H

#include "groups/maps/bits.h"
#include "groups/maps/map_private.h"

enum { WAVELET_DEPTH = 72 }; /* more than any tree has: two levels halve the length of a node, which is below 2^31 */

struct wavelet_node {
  uint32_t split;    /* first place of the right child */
  uint32_t child[2]; /* left, right; 0: a run. Nodes are in preorder: children after their parent */
  uint32_t offset;   /* its first bit */
  uint32_t ones;     /* ones before its first bit */
};

struct wavelet {
  int size, node_count; /* runs - 1; 0 for the identity */
  struct wavelet_node *nodes;
  struct map_bits bits;
};

/* The first places of the runs. @param starts  receives [count], to be freed; @return runs, 0: more than @p limit
 * (starts is NULL), -1: no memory. Numbers need not be a permutation. */
int tutti_wavelet_runs(const int *numbers, int size, int limit, uint32_t **starts);

/* Nodes and space for bits, from run_count >= 1 runs; offsets are right, ones are not yet counted.
 * @param bits_limit  maximum bits; 0: no limit. @return TUTTI_ERR_UNSUPPORTED above it, TUTTI_ERR_MEMORY */
tutti_status tutti_wavelet_shape(struct wavelet *wavelet, const uint32_t *starts, int run_count, int size,
                                 uint64_t bits_limit, tutti_error *error);

/* Sort @p numbers by merging their runs, and keep how they were merged: then the permutation takes i to the place of
 * the former numbers[i] among the sorted. @param numbers  [wavelet->size], with the runs of the shape, each once */
tutti_status tutti_wavelet_fill(struct wavelet *wavelet, int *numbers, tutti_error *error);

void tutti_wavelet_free(struct wavelet *wavelet);
size_t tutti_wavelet_bytes(const struct wavelet *wavelet); /* memory that it points to */

/* pi(place), and where pi is value. */
int tutti_wavelet_value(const struct wavelet *wavelet, int place);
int tutti_wavelet_place(const struct wavelet *wavelet, int value);

/* pi(place), pi(place + 1), ..., which ascend: @p count of them, or fewer where a run ends. @return how many, >= 1 */
int tutti_wavelet_values(const struct wavelet *wavelet, int place, int count, uint64_t *values);

/* Runs (32 bits each the number and the starts after the first) and bits (64 bits a word). Any bytes that are read
 * without TUTTI_ERR_ARGUMENT are a permutation. */
void tutti_wavelet_write(const struct wavelet *wavelet, FILE *stream);
tutti_status tutti_wavelet_read(struct map_reader *reader, int size, struct wavelet *wavelet, tutti_error *error);

#endif
