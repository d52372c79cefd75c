/* What the files of unit.groups share. */
#ifndef TUTTI_TESTS_GROUPS_TESTS_H
#define TUTTI_TESTS_GROUPS_TESTS_H

#include "unit/groups/group_fixture.h"

static const int branchings[] = {2, 3, 4, 8};
enum { BRANCHINGS = sizeof branchings / sizeof branchings[0] };

/* Properties of every group without nodes. */
void validate(const struct trial *trial, const struct built *built);

/* The process with each rank, also where nodes come first. */
void validate_ranks(const struct trial *trial, const struct built *built);

#endif
