/**
 * @file group_sample.h
 * @ingroup groups
 * A draw: which processes are in a group that is drawn at random. Each process finds out for itself and for any other,
 * in constant time and memory and without a message, so the members are the same whoever builds the group and whatever
 * carries the messages.
 */
#ifndef TUTTI_GROUP_SAMPLE_H
#define TUTTI_GROUP_SAMPLE_H

#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How members, and the colors of many groups, are drawn. */
typedef struct tutti_group_sample {
  int size;        /**< processes, >= 1 */
  double fraction; /**< 0 .. 1: the probability of each process to be a member, whatever the others are, as in the
                        paper; not read if members >= 0 */
  int members;     /**< 0 .. size: exactly so many, the first ones of a seeded permutation; -1: as fraction says */
  int colors;      /**< >= 1: each member is in one of so many groups, all equally probable */
  uint64_t seed;
} tutti_group_sample;

/** TUTTI_ERR_ARGUMENT says which number is out of range. */
tutti_status tutti_group_sample_check(const tutti_group_sample *sample, tutti_error *error);

/** The color of @p process (0 <= process < size) of a draw that was checked: 0 .. colors - 1, or -1: in no group. */
int tutti_group_sample_color(const tutti_group_sample *sample, int process);

/** What one member contributes to the fingerprint of groups, the sum over all members modulo 2^64. */
uint64_t tutti_group_sample_mark(int process, int color);

/** Longest text of tutti_group_sample_format(), terminating zero included. */
#define TUTTI_GROUP_SAMPLE_LENGTH 40

/** "fraction=0.3" or "members=600", the shortest that reads as the same number. Returns @p text. */
char *tutti_group_sample_format(const tutti_group_sample *sample, char *text);

#ifdef __cplusplus
}
#endif
#endif
