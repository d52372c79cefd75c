/* MPICH's collective selection as the library reads it: a tree of conditions (src/mpi/coll/src/csel.c). */
#ifndef TUTTI_DECISION_LINT_MPICH_H
#define TUTTI_DECISION_LINT_MPICH_H

#include "libraries/lint/json.h"

enum mpich_test {
  TEST_COLLECTIVE,
  TEST_COMM_TYPE,   /* value: 0 intra, 1 inter */
  TEST_RANKS,       /* comm_size<=value */
  TEST_RANKS_LESS,  /* comm_size<value */
  TEST_RANKS_POWER, /* comm_size=pow2 */
  TEST_RANKS_NODE,  /* comm_size=node_comm_size */
  TEST_PPN,         /* comm_avg_ppn<=value; comm_avg_ppn<value is value - 1 */
  TEST_HIERARCHY,   /* value: bits of kinds */
  TEST_CONSECUTIVE, /* is_...: value 1 yes, 0 no */
  TEST_THREADED,
  TEST_COMMUTATIVE,
  TEST_BUILT_IN,
  TEST_IN_PLACE,
  TEST_REGULAR,
  TEST_AVERAGE,     /* avg_msg_size<=value */
  TEST_TOTAL,       /* total_msg_size<=value */
  TEST_COUNT,       /* count<=value */
  TEST_COUNT_POWER, /* count<pow2 */
  TEST_ANY,
  TEST_LEAF,
  MPICH_TESTS
};

/* Kinds of hierarchy. */
enum { KIND_PARENT = 1, KIND_NODE_ROOTS = 2, KIND_NODE = 4, KIND_FLAT = 8, KIND_ALL = 15 };

struct mpich_node {
  enum mpich_test test;
  long value;
  const char *key;  /* without blanks; owned by the tree */
  const char *word; /* behind '=', or the algorithm without MPIR_ */
  size_t at;
  int success, failure; /* -1: none */
};

/* Begin with {0}, end with tutti_mpich_selection_free(). */
struct mpich_selection {
  struct json root;
  struct mpich_node *nodes;
  size_t count, capacity;
  int top;     /* the first collective; -1: none */
  bool broken; /* MPI_Init does not survive it */
};

void tutti_mpich_selection_free(struct mpich_selection *selection);

/* Read a file, saying what is wrong with its form. */
void tutti_mpich_read(struct lint *lint, struct mpich_selection *selection);

/* Read the condition node->key into a node. False, and said why, if MPI_Init does not survive it. */
bool tutti_mpich_read_key(struct lint *lint, struct mpich_node *node);

/* Say what is wrong with the tree. */
void tutti_mpich_check(struct lint *lint, const struct mpich_selection *selection);

/* What an algorithm needs (bits), where MPICH does not look. */
enum {
  NEEDS_POWER = 1,
  NEEDS_PARENT = 2,
  NEEDS_COMMUTATIVE = 4,
  NEEDS_BUILT_IN = 8,
  NEEDS_COUNT = 16,
  NEEDS_IN_PLACE = 32,
  NEEDS_APART = 64,
  NEEDS_REGULAR = 128,
  NEEDS_CONSECUTIVE = 256,
};
unsigned tutti_mpich_needs(const char *algorithm);

/* Does the version have the algorithm ("Bcast_intra_binomial")? *parameters receives those that it takes. */
bool tutti_mpich_knows(const tutti_library_version *version, const char *algorithm, const char **parameters);

/* Is the algorithm one of the collective ("bcast")? */
bool tutti_mpich_is_of(const char *algorithm, const char *collective);

/* Is a condition defined for the collective? */
bool tutti_mpich_defines(enum mpich_test test, const char *collective);

/* Does the library evaluate the condition once, when a communicator is made? */
bool tutti_mpich_is_pruned(const struct mpich_node *node);

/* A call. Sizes as the library calculates them. */
struct mpich_call {
  const char *collective;
  long ranks, nodes; /* nodes 0: not known, one a rank */
  long average, total, count;
  bool commutative, built_in, in_place, regular, consecutive, threaded;
  int kind; /* of hierarchy, one bit */
};

/* What a test says to a call; `pruned`: all tests before it are evaluated when a communicator is made. */
bool tutti_mpich_holds(const struct mpich_node *node, const struct mpich_call *call, bool pruned);

#endif
