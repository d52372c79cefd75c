/* Algorithms and collectives of MPICH's selection. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "libraries/lint/mpich.h"

static const struct name {
  const char *algorithm;
  int since, until;
  const char *parameters;
} names[] = {
#define NAME(algorithm, since, until, parameters) {algorithm, since, until, parameters},
#include "libraries/lint/mpich_names.def"
#undef NAME
};

bool tutti_mpich_knows(const tutti_library_version *version, const char *algorithm, const char **parameters)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].algorithm, algorithm) == 0 && tutti_lint_between(version, names[i].since, names[i].until)) {
      *parameters = names[i].parameters;
      return true;
    }
  return false;
}

/* ---- what is not checked (restrictions of coll_algorithms.txt) ---- */

static const struct restriction {
  const char *algorithm;
  unsigned needs;
} restrictions[] = {
    {"Allgather_intra_recursive_doubling", NEEDS_POWER},
    {"Allgatherv_intra_recursive_doubling", NEEDS_POWER},
    {"Iallgather_intra_sched_recursive_doubling", NEEDS_POWER},
    {"Iallgatherv_intra_sched_recursive_doubling", NEEDS_POWER},
    {"Bcast_intra_scatter_recursive_doubling_allgather", NEEDS_POWER},
    {"Ibcast_intra_sched_scatter_recursive_doubling_allgather", NEEDS_POWER},
    {"Barrier_intra_smp", NEEDS_PARENT},
    {"Bcast_intra_smp", NEEDS_PARENT},
    {"Ibcast_intra_sched_smp", NEEDS_PARENT},
    {"Reduce_intra_smp", NEEDS_PARENT | NEEDS_COMMUTATIVE},
    {"Ireduce_intra_sched_smp", NEEDS_PARENT | NEEDS_COMMUTATIVE},
    {"Allreduce_intra_smp", NEEDS_COMMUTATIVE},
    {"Iallreduce_intra_sched_smp", NEEDS_COMMUTATIVE},
    {"Scan_intra_smp", NEEDS_CONSECUTIVE},
    {"Reduce_intra_reduce_scatter_gather", NEEDS_COUNT | NEEDS_BUILT_IN},
    {"Ireduce_intra_sched_reduce_scatter_gather", NEEDS_COUNT | NEEDS_BUILT_IN},
    {"Allreduce_intra_reduce_scatter_allgather", NEEDS_COUNT | NEEDS_BUILT_IN},
    {"Iallreduce_intra_sched_reduce_scatter_allgather", NEEDS_COUNT | NEEDS_BUILT_IN},
    {"Ireduce_intra_tsp_tree", NEEDS_COMMUTATIVE},
    {"Iallreduce_intra_tsp_ring", NEEDS_COMMUTATIVE},
    {"Iallreduce_intra_tsp_recexch_reduce_scatter_recexch_allgatherv", NEEDS_COMMUTATIVE},
    {"Reduce_scatter_intra_pairwise", NEEDS_COMMUTATIVE},
    {"Reduce_scatter_intra_recursive_halving", NEEDS_COMMUTATIVE},
    {"Reduce_scatter_intra_noncommutative", NEEDS_POWER | NEEDS_REGULAR},
    {"Reduce_scatter_block_intra_pairwise", NEEDS_COMMUTATIVE},
    {"Reduce_scatter_block_intra_recursive_halving", NEEDS_COMMUTATIVE},
    {"Reduce_scatter_block_intra_noncommutative", NEEDS_POWER},
    {"Ireduce_scatter_intra_sched_pairwise", NEEDS_COMMUTATIVE},
    {"Ireduce_scatter_intra_sched_recursive_halving", NEEDS_COMMUTATIVE},
    {"Ireduce_scatter_intra_sched_noncommutative", NEEDS_POWER | NEEDS_REGULAR},
    {"Ireduce_scatter_intra_tsp_recexch", NEEDS_COMMUTATIVE},
    {"Ireduce_scatter_block_intra_sched_pairwise", NEEDS_COMMUTATIVE},
    {"Ireduce_scatter_block_intra_sched_recursive_halving", NEEDS_COMMUTATIVE},
    {"Ireduce_scatter_block_intra_sched_noncommutative", NEEDS_POWER},
    {"Ireduce_scatter_block_intra_tsp_recexch", NEEDS_COMMUTATIVE},
    {"Alltoall_intra_brucks", NEEDS_APART},
    {"Alltoall_intra_pairwise", NEEDS_APART},
    {"Alltoall_intra_scattered", NEEDS_APART},
    {"Alltoall_intra_k_brucks", NEEDS_APART},
    {"Alltoall_intra_pairwise_sendrecv_replace", NEEDS_IN_PLACE},
    {"Alltoallv_intra_scattered", NEEDS_APART},
    {"Alltoallv_intra_pairwise_sendrecv_replace", NEEDS_IN_PLACE},
    {"Alltoallw_intra_scattered", NEEDS_APART},
    {"Alltoallw_intra_pairwise_sendrecv_replace", NEEDS_IN_PLACE},
    {"Ialltoall_intra_sched_brucks", NEEDS_APART},
    {"Ialltoall_intra_sched_pairwise", NEEDS_APART},
    {"Ialltoall_intra_sched_permuted_sendrecv", NEEDS_APART},
    {"Ialltoall_intra_sched_inplace", NEEDS_IN_PLACE},
    {"Ialltoallv_intra_sched_blocked", NEEDS_APART},
    {"Ialltoallv_intra_tsp_blocked", NEEDS_APART},
    {"Ialltoallv_intra_tsp_scattered", NEEDS_APART},
    {"Ialltoallv_intra_sched_inplace", NEEDS_IN_PLACE},
    {"Ialltoallv_intra_tsp_inplace", NEEDS_IN_PLACE},
    {"Ialltoallw_intra_sched_blocked", NEEDS_APART},
    {"Ialltoallw_intra_tsp_blocked", NEEDS_APART},
    {"Ialltoallw_intra_sched_inplace", NEEDS_IN_PLACE},
    {"Ialltoallw_intra_tsp_inplace", NEEDS_IN_PLACE},
};

unsigned tutti_mpich_needs(const char *algorithm)
{
  for (size_t i = 0; i < sizeof restrictions / sizeof *restrictions; i++)
    if (strcmp(restrictions[i].algorithm, algorithm) == 0)
      return restrictions[i].needs;
  return 0;
}

static bool starts_kind(const char *text)
{
  return strncmp(text, "_intra_", 7) == 0 || strncmp(text, "_inter_", 7) == 0 || strncmp(text, "_allcomm_", 9) == 0;
}

bool tutti_mpich_is_of(const char *algorithm, const char *collective)
{
  size_t length = strlen(collective);
  return strncasecmp(algorithm, collective, length) == 0 && isupper((unsigned char)*algorithm) &&
         starts_kind(algorithm + length);
}

/* ---- which conditions are defined for which collectives ---- */

static bool is_in(const char *const *list, const char *name)
{
  for (; *list; list++)
    if (strcmp(*list, name) == 0)
      return true;
  return false;
}

bool tutti_mpich_defines(enum mpich_test test, const char *collective)
{
  static const char *const whole[] = {"allreduce", "bcast", "reduce", "alltoall", NULL};
  static const char *const total[] = {"allreduce", "bcast",     "reduce",         "alltoall",
                                      "alltoallv", "alltoallw", "allgather",      "allgatherv",
                                      "gather",    "scatter",   "reduce_scatter", "reduce_scatter_block",
                                      NULL};
  static const char *const count[] = {
      "allreduce", "bcast", "reduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block", NULL};
  static const char *const operations[] = {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block", NULL};
  static const char *const built_in[] = {"allreduce", "reduce", NULL};
  static const char *const in_place[] = {"alltoall", "alltoallv", "alltoallw", NULL};
  static const char *const regular[] = {"reduce_scatter", NULL};
  static const char *const *const lists[MPICH_TESTS] = {
      [TEST_AVERAGE] = whole,     [TEST_TOTAL] = total,       [TEST_COUNT] = count,
      [TEST_COUNT_POWER] = count, [TEST_BUILT_IN] = built_in, [TEST_COMMUTATIVE] = operations,
      [TEST_IN_PLACE] = in_place, [TEST_REGULAR] = regular,
  };
  if (!lists[test])
    return true;
  bool nonblocking = *collective == 'i';
  if (nonblocking && strcmp(collective, "ibcast") == 0 && (test == TEST_COUNT || test == TEST_COUNT_POWER))
    return false;
  return is_in(lists[test], collective + nonblocking);
}

bool tutti_mpich_is_pruned(const struct mpich_node *node)
{
  return node->test == TEST_COLLECTIVE || (node->test >= TEST_COMM_TYPE && node->test <= TEST_CONSECUTIVE) ||
         (node->test == TEST_ANY && strncmp(node->key, "comm_", 5) == 0);
}
