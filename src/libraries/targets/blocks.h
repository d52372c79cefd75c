/* Step tables in the units of a target, with as few blocks as there can be. */
#ifndef TUTTI_DECISION_TARGETS_BLOCKS_H
#define TUTTI_DECISION_TARGETS_BLOCKS_H

#include "tutti/target.h"

/* A step. It may begin at any key from least to most, because no call of these communicators has a key between. */
struct target_rule {
  uint64_t least, most;
  int method;
};

/* The rules of the communicators from `ranks` up to those of the next block. */
struct target_block {
  int ranks, count;
  struct target_rule *rules;
};

struct target_blocks {
  int count;
  struct target_block *items;
};

/* Blocks of a table, equal neighbors joined; rules whose key is above `largest` are left out. Two blocks are equal if
   keys can be found that serve both: thus one block stands for a decision about the total of all ranks. Beyond the
   communicator sizes that are all looked at, a total is that of the smallest communicator of its block. */
tutti_status tutti_target_blocks_create(const tutti_step_table *table, tutti_size_unit unit, uint64_t largest,
                                        struct target_blocks *blocks, tutti_error *error);

void tutti_target_blocks_free(struct target_blocks *blocks);

#endif
