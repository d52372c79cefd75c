/* What stands in front of an algorithm of MPICH. */
#include <string.h>

#include "libraries/targets/mpich.h"

/* The selection checks no restriction: conditions under which the algorithm is run, and what is run otherwise. */
static const struct guard {
  const char *name; /* "Reduce_intra_smp" */
  struct {
    const char *path, *name; /* NULL: the algorithm itself */
  } cases[3];
} guards[] = {
    {"Bcast_intra_smp", {{"comm_hierarchy=parent", NULL}, {"comm_hierarchy=any", "Bcast_intra_binomial"}}},
    {"Bcast_intra_scatter_recursive_doubling_allgather",
     {{"comm_size=pow2", NULL}, {"comm_size=any", "Bcast_intra_scatter_ring_allgather"}}},
    {"Allgather_intra_recursive_doubling", {{"comm_size=pow2", NULL}, {"comm_size=any", "Allgather_intra_brucks"}}},
    {"Allgatherv_intra_recursive_doubling", {{"comm_size=pow2", NULL}, {"comm_size=any", "Allgatherv_intra_brucks"}}},
    {"Barrier_intra_smp", {{"comm_hierarchy=parent", NULL}, {"comm_hierarchy=any", "Barrier_intra_dissemination"}}},
    {"Reduce_intra_smp",
     {{"comm_hierarchy=parent/is_commutative=yes", NULL},
      {"comm_hierarchy=parent/is_commutative=no", "Reduce_intra_binomial"},
      {"comm_hierarchy=any", "Reduce_intra_binomial"}}},
    {"Allreduce_intra_smp",
     {{"comm_hierarchy=parent/is_commutative=yes", NULL},
      {"comm_hierarchy=parent/is_commutative=no", "Allreduce_intra_recursive_doubling"},
      {"comm_hierarchy=any", "Allreduce_intra_recursive_doubling"}}},
    {"Reduce_intra_reduce_scatter_gather",
     {{"is_op_built_in=yes/count<pow2", "Reduce_intra_binomial"},
      {"is_op_built_in=yes/count=any", NULL},
      {"is_op_built_in=no", "Reduce_intra_binomial"}}},
    {"Allreduce_intra_reduce_scatter_allgather",
     {{"is_op_built_in=yes/count<pow2", "Allreduce_intra_recursive_doubling"},
      {"is_op_built_in=yes/count=any", NULL},
      {"is_op_built_in=no", "Allreduce_intra_recursive_doubling"}}},
    {"Reduce_scatter_intra_pairwise",
     {{"is_commutative=yes", NULL}, {"is_commutative=no", "Reduce_scatter_intra_recursive_doubling"}}},
    {"Reduce_scatter_intra_recursive_halving",
     {{"is_commutative=yes", NULL}, {"is_commutative=no", "Reduce_scatter_intra_recursive_doubling"}}},
    {"Reduce_scatter_intra_noncommutative",
     {{"is_block_regular=yes/comm_size=pow2", NULL},
      {"is_block_regular=yes/comm_size=any", "Reduce_scatter_intra_recursive_doubling"},
      {"is_block_regular=no", "Reduce_scatter_intra_recursive_doubling"}}},
    {"Reduce_scatter_block_intra_noncommutative",
     {{"comm_size=pow2", NULL}, {"comm_size=any", "Reduce_scatter_block_intra_recursive_doubling"}}},
    {"Reduce_scatter_block_intra_pairwise",
     {{"is_commutative=yes", NULL}, {"is_commutative=no", "Reduce_scatter_block_intra_recursive_doubling"}}},
    {"Reduce_scatter_block_intra_recursive_halving",
     {{"is_commutative=yes", NULL}, {"is_commutative=no", "Reduce_scatter_block_intra_recursive_doubling"}}},
    {"Alltoall_intra_brucks",
     {{"is_sendbuf_inplace=yes", "Alltoall_intra_pairwise_sendrecv_replace"}, {"is_sendbuf_inplace=no", NULL}}},
    {"Alltoall_intra_pairwise",
     {{"is_sendbuf_inplace=yes", "Alltoall_intra_pairwise_sendrecv_replace"}, {"is_sendbuf_inplace=no", NULL}}},
    {"Alltoall_intra_scattered",
     {{"is_sendbuf_inplace=yes", "Alltoall_intra_pairwise_sendrecv_replace"}, {"is_sendbuf_inplace=no", NULL}}},
    {"Alltoallv_intra_scattered",
     {{"is_sendbuf_inplace=yes", "Alltoallv_intra_pairwise_sendrecv_replace"}, {"is_sendbuf_inplace=no", NULL}}},
    {"Alltoallw_intra_scattered",
     {{"is_sendbuf_inplace=yes", "Alltoallw_intra_pairwise_sendrecv_replace"}, {"is_sendbuf_inplace=no", NULL}}},
};

static const struct guard *find_guard(const char *name)
{
  for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
    if (strcmp(guards[i].name, name) == 0)
      return &guards[i];
  return NULL;
}

void tutti_mpich_add_guarded(struct mpich_tree *tree, const char *path, const char *name)
{
  char whole[MPICH_PATH_LENGTH];
  const struct guard *guard = find_guard(name);
  if (!guard) {
    tutti_mpich_tree_add(tree, path, name);
    return;
  }
  for (int i = 0; i < 3 && guard->cases[i].path; i++) {
    tutti_mpich_path(whole, "%s/%s", path, guard->cases[i].path);
    tutti_mpich_tree_add(tree, whole, guard->cases[i].name ? guard->cases[i].name : name);
  }
}
