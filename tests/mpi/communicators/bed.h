/* Common parts of the tests of communicators: every process draws all random values for all. */
#ifndef TUTTI_TESTS_COMMUNICATORS_BED_H
#define TUTTI_TESTS_COMMUNICATORS_BED_H

#include "../check.h"
#include "tutti/communicator.h"
#include "unit/base/random.h"

struct bed {
  struct checks checks;
  tutti_error error;
  tutti_context_pool *contexts;
  tutti_comm *world;
  tutti_sharing sharing;
  int size, rank;
  uint64_t seed;
};

/* The members of a group in order, as ranks of the context pool, and the own rank; -1 if it is not a member. */
struct expected {
  int *members; /* [size] */
  int size, rank;
};

static inline void must(struct bed *bed, tutti_status status)
{
  if (status == TUTTI_OK)
    return;
  fprintf(stderr, "process %d: %s\n", bed->rank, bed->error.message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline tutti_method method_of(struct bed *bed, const char *text)
{
  tutti_method method;
  must(bed, tutti_method_parse(text, &method, &bed->error));
  return method;
}

/* Waits until all processes have come here. */
void meet(struct bed *bed, tutti_comm *comm);

/* Compare a communicator with what is expected, member by member both ways. */
void expect_members(struct bed *bed, tutti_comm *comm, const struct expected *expected, const char *what);

/* The members of a communicator. */
struct expected members_of(tutti_comm *comm);

/* @p size of 0 .. parent - 1 in random order, the process's rank in which is filled in by its rank in the parent. */
struct expected draw_group(struct bed *bed, int parent, int rank, int size);

/* Everything at once on @p count communicators, at most 24, NULL among them; wrong if any disturbs another. */
void use_all(struct bed *bed, tutti_comm **comms, int count);

void test_splits(struct bed *bed);
void test_creations(struct bed *bed);
void test_ids(struct bed *bed);
void test_sharing(struct bed *bed);
void test_ranges(struct bed *bed);
void test_relations(struct bed *bed);
void test_permutations(struct bed *bed);
void test_outstanding(struct bed *bed);

/* Contexts of many processes, at least 200. */
void test_contexts(struct bed *bed);

#endif
