/* Rules of Open MPI's coll/tuned as the library reads them, from numbers or from JSON. */
#ifndef TUTTI_DECISION_LINT_OPENMPI_H
#define TUTTI_DECISION_LINT_OPENMPI_H

#include <limits.h>

#include "libraries/lint/lint.h"
#include "tutti/algorithm.h"

enum { OPENMPI_COLLECTIVES = 22, OPENMPI_MOST_IDS = 9 };

enum openmpi_field { FIELD_BYTES, FIELD_ALGORITHM, FIELD_FANOUT, FIELD_SEGMENT, FIELD_REQUESTS, OPENMPI_FIELDS };

/* A rule: what is written, and for which message sizes the look-up comes to it (least > most: for none). */
struct openmpi_rule {
  long values[OPENMPI_FIELDS];
  size_t at[OPENMPI_FIELDS];
  long least, most; /* inclusive; LONG_MAX: no end */
  bool disabled;    /* JSON with an algorithm that is not known */
};

enum openmpi_distribution { DISTRIBUTION_ANY, DISTRIBUTION_ONE_PER_NODE, DISTRIBUTION_SINGLE_NODE };

/* The rules for some communicator sizes. */
struct openmpi_block {
  size_t at;
  long ranks;       /* as written */
  long least, most; /* as looked up, inclusive */
  enum openmpi_distribution distribution;
  size_t first, count; /* rules */
};

struct openmpi_collective_rules {
  bool given;
  size_t at;
  size_t first, count; /* blocks */
};

/* Begin with {0}, end with tutti_openmpi_rules_free(). */
struct openmpi_rules {
  bool dropped; /* the library ignores the file */
  bool json;
  struct openmpi_collective_rules collectives[OPENMPI_COLLECTIVES];
  struct openmpi_block *blocks;
  size_t block_count, block_capacity;
  struct openmpi_rule *rules;
  size_t rule_count, rule_capacity;
};

void tutti_openmpi_rules_free(struct openmpi_rules *rules);

/* A further block, or rule of the last block; NULL if out of memory. */
struct openmpi_block *tutti_openmpi_add_block(struct lint *lint, struct openmpi_rules *rules);
struct openmpi_rule *tutti_openmpi_add_rule(struct lint *lint, struct openmpi_rules *rules);

/* Read a file as the version does, saying what is wrong with it. @{ */
void tutti_openmpi_read_rules(struct lint *lint, struct openmpi_rules *rules);
void tutti_openmpi_read_numbers(struct lint *lint, struct openmpi_rules *rules);
void tutti_openmpi_read_json(struct lint *lint, struct openmpi_rules *rules);
/* @} */

/* Set which communicators and messages the blocks and rules of numbers serve. */
void tutti_openmpi_set_ranges(const struct lint *lint, struct openmpi_rules *rules);

/* Say what is wrong with rules that are read as they stand. */
void tutti_openmpi_check(struct lint *lint, const struct openmpi_rules *rules);

/* "allgather" of 0 to 21; NULL beyond. */
const char *tutti_openmpi_collective_name(long id);

/* Its id, -1 if there is none. */
int tutti_openmpi_collective_id(const char *name);

/* Name of an algorithm of coll/tuned ("recursive_doubling"); NULL if the version does not have it. 0: "ignore". */
const char *tutti_openmpi_algorithm_name(const tutti_library_version *version, long collective, long id);

/* Its id, -1 if there is none of that name. */
int tutti_openmpi_algorithm_id(const tutti_library_version *version, long collective, const char *name);

/* How many algorithms does the version have? 0: the collective is none of coll/tuned. */
int tutti_openmpi_algorithm_count(const tutti_library_version *version, long collective);

/* Does the algorithm look at the field? */
bool tutti_openmpi_uses(long collective, long id, enum openmpi_field field);

/* What message sizes mean: coll_tuned_decision_dynamic.c. */
enum openmpi_size { SIZE_OF_RANK, SIZE_OF_ALL, SIZE_ZERO, SIZE_TYPE_BY_RANKS };
enum openmpi_size tutti_openmpi_size_of(long collective);

/* What a call looks up. */
struct openmpi_found {
  const struct openmpi_collective_rules *collective; /* NULL: it has no rules */
  const struct openmpi_block *block;                 /* NULL: none for the communicator */
  const struct openmpi_rule *rule;                   /* NULL: none for the message */
};
struct openmpi_found tutti_openmpi_look(const struct openmpi_rules *rules, int collective, long ranks,
                                        enum openmpi_distribution distribution, long bytes);

#endif
