/* The builders of groups. */
#ifndef TUTTI_GROUPS_BUILDERS_H
#define TUTTI_GROUPS_BUILDERS_H

#include "groups/group_protocol.h"

extern const tutti_group_builder tutti_centralized;
extern const tutti_group_builder tutti_balance_child, tutti_balance_leaf;
extern const tutti_group_builder tutti_hash_none, tutti_hash_child, tutti_hash_leaf;
extern const tutti_group_builder tutti_chain;

/* Shrink-and-Hash for processes with several ranks a node; not chosen by name, but by enrolment.ranks_per_node. */
extern const tutti_group_builder tutti_hash_nodes;

#endif
