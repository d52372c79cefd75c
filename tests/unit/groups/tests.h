/* The tests of unit.groups beside those of member sets and orders of delivery, and what they share. */
#ifndef TUTTI_TESTS_GROUPS_TESTS_H
#define TUTTI_TESTS_GROUPS_TESTS_H

#include "unit/groups/group_fixture.h"

static const int branchings[] = {2, 3, 4, 8};
enum { BRANCHINGS = sizeof branchings / sizeof branchings[0] };

/* Properties of every group without nodes. */
void validate(const struct trial *trial, const struct built *built);

/* The process with each rank, also where nodes come first. */
void validate_ranks(const struct trial *trial, const struct built *built);

/* lookups.c @{ */
void test_find(void **state);
void test_answers_are_remembered(void **state);
/* @} */

/* nodes.c */
void test_nodes(void **state);

/* nested.c */
void test_nested(void **state);

/* faults.c @{ */
void test_planted_faults(void **state);
void test_refusals(void **state);
/* @} */

#endif
