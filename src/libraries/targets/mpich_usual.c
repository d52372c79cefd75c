/* What MPICH 4.0 chooses of itself: thresholds and names of its published selection
   (maint/tuning/coll/mpir/generic.json of 4.0), which a file that tunes some collectives must repeat for all others. */
#include <ctype.h>
#include <string.h>

#include "libraries/targets/mpich.h"

/* A choice: for which collective, under which conditions within a group of ranks, and what. */
struct choice {
  const char *collective;
  const char *path; /* "": always */
  const char *name; /* without the collective */
};

#define PARENT   "comm_hierarchy=parent"
#define ANY_COMM "comm_hierarchy=any"
#define POW2     "comm_size=pow2"
#define OTHER    "comm_size=any"
#define EMPTY    "avg_msg_size<=0"
#define LONG     "avg_msg_size=any"
#define LONGER   "total_msg_size=any"
#define COMMUTES "is_commutative=yes"
#define ORDERED  "is_commutative=no"
#define BUILT_IN "is_op_built_in=yes"
#define USER_OP  "is_op_built_in=no"
#define IN_PLACE "is_sendbuf_inplace=yes"
#define APART    "is_sendbuf_inplace=no"

/* The totals below which doubling, or Bruck's algorithm, is chosen: 512 KB and 80 KB. */
#define ALLGATHER(collective, kind)                                                                                    \
  {collective, POW2 "/total_msg_size<=524287", kind "recursive_doubling"}, {collective, POW2 "/" LONGER, kind "ring"}, \
      {collective, OTHER "/total_msg_size<=81919", kind "brucks"},                                                     \
  {                                                                                                                    \
    collective, OTHER "/" LONGER, kind "ring"                                                                          \
  }

#define SCATTER_COMMUTATIVE(collective, kind)                                                                          \
  {collective, COMMUTES "/total_msg_size<=524287", kind "recursive_halving"},                                          \
  {                                                                                                                    \
    collective, COMMUTES "/" LONGER, kind "pairwise"                                                                   \
  }

#define SCATTER_ORDERED(collective, path, kind)                                                                        \
  {collective, path "/" POW2, kind "noncommutative"},                                                                  \
  {                                                                                                                    \
    collective, path "/" OTHER, kind "recursive_doubling"                                                              \
  }

#define IRREGULAR_ALLTOALL(collective)                                                                                 \
  {collective, IN_PLACE, "intra_pairwise_sendrecv_replace"},                                                           \
  {                                                                                                                    \
    collective, APART, "intra_scattered"                                                                               \
  }

static const struct choice choices[] = {
    {"bcast", PARENT "/" EMPTY, "intra_smp"},
    {"bcast", PARENT "/comm_size<=7", "intra_binomial"},
    {"bcast", PARENT "/" POW2 "/avg_msg_size<=12288", "intra_binomial"},
    {"bcast", PARENT "/" POW2 "/avg_msg_size<=524288", "intra_scatter_recursive_doubling_allgather"},
    {"bcast", PARENT "/" POW2 "/" LONG, "intra_scatter_ring_allgather"},
    {"bcast", PARENT "/" OTHER "/avg_msg_size<=12288", "intra_binomial"},
    {"bcast", PARENT "/" OTHER "/" LONG, "intra_scatter_ring_allgather"},
    {"bcast", ANY_COMM "/comm_size<=7", "intra_binomial"},
    {"bcast", ANY_COMM "/" POW2 "/avg_msg_size<=12288", "intra_binomial"},
    {"bcast", ANY_COMM "/" POW2 "/avg_msg_size<=524288", "intra_scatter_recursive_doubling_allgather"},
    {"bcast", ANY_COMM "/" POW2 "/" LONG, "intra_scatter_ring_allgather"},
    {"bcast", ANY_COMM "/" OTHER "/avg_msg_size<=12288", "intra_binomial"},
    {"bcast", ANY_COMM "/" OTHER "/" LONG, "intra_scatter_ring_allgather"},

    {"allreduce", EMPTY "/" COMMUTES, "intra_smp"},
    {"allreduce", EMPTY "/" ORDERED, "intra_recursive_doubling"},
    {"allreduce", "avg_msg_size<=8", "intra_recursive_doubling"},
    {"allreduce", LONG "/" BUILT_IN "/count<pow2", "intra_recursive_doubling"},
    {"allreduce", LONG "/" BUILT_IN "/count=any", "intra_reduce_scatter_allgather"},
    {"allreduce", LONG "/" USER_OP, "intra_recursive_doubling"},

    ALLGATHER("allgather", "intra_"),
    ALLGATHER("allgatherv", "intra_"),

    {"reduce", PARENT "/" EMPTY "/" COMMUTES, "intra_smp"},
    {"reduce", PARENT "/" EMPTY "/" ORDERED, "intra_binomial"},
    {"reduce", PARENT "/avg_msg_size<=2048", "intra_binomial"},
    {"reduce", PARENT "/" LONG "/" BUILT_IN "/count<pow2", "intra_binomial"},
    {"reduce", PARENT "/" LONG "/" BUILT_IN "/count=any", "intra_reduce_scatter_gather"},
    {"reduce", PARENT "/" LONG "/" USER_OP, "intra_binomial"},
    {"reduce", ANY_COMM "/avg_msg_size<=2048", "intra_binomial"},
    {"reduce", ANY_COMM "/" LONG "/" BUILT_IN "/count<pow2", "intra_binomial"},
    {"reduce", ANY_COMM "/" LONG "/" BUILT_IN "/count=any", "intra_reduce_scatter_gather"},
    {"reduce", ANY_COMM "/" LONG "/" USER_OP, "intra_binomial"},

    SCATTER_COMMUTATIVE("reduce_scatter", "intra_"),
    SCATTER_ORDERED("reduce_scatter", ORDERED "/is_block_regular=yes", "intra_"),
    {"reduce_scatter", ORDERED "/is_block_regular=no", "intra_recursive_doubling"},
    SCATTER_COMMUTATIVE("reduce_scatter_block", "intra_"),
    SCATTER_ORDERED("reduce_scatter_block", ORDERED, "intra_"),

    {"gather", "", "intra_binomial"},
    {"scatter", "", "intra_binomial"},
    {"gatherv", "", "allcomm_linear"},
    {"scatterv", "", "allcomm_linear"},
    {"scan", "is_node_consecutive=yes", "intra_smp"},
    {"scan", "is_node_consecutive=no", "intra_recursive_doubling"},
    {"exscan", "", "intra_recursive_doubling"},
    {"barrier", PARENT, "intra_smp"},
    {"barrier", ANY_COMM, "intra_dissemination"},

    {"alltoall", IN_PLACE, "intra_pairwise_sendrecv_replace"},
    {"alltoall", APART "/comm_size<=8/avg_msg_size<=32768", "intra_scattered"},
    {"alltoall", APART "/comm_size<=8/" LONG, "intra_pairwise"},
    {"alltoall", APART "/" OTHER "/avg_msg_size<=256", "intra_brucks"},
    {"alltoall", APART "/" OTHER "/avg_msg_size<=32768", "intra_scattered"},
    {"alltoall", APART "/" OTHER "/" LONG, "intra_pairwise"},
    IRREGULAR_ALLTOALL("alltoallv"),
    IRREGULAR_ALLTOALL("alltoallw"),

    {"neighbor_allgather", "", "allcomm_nb"},
    {"neighbor_allgatherv", "", "allcomm_nb"},
    {"neighbor_alltoall", "", "allcomm_nb"},
    {"neighbor_alltoallv", "", "allcomm_nb"},
    {"neighbor_alltoallw", "", "allcomm_nb"},

    {"ibarrier", "", "intra_sched_recursive_doubling"},
    {"ibcast", PARENT, "intra_sched_smp"},
    {"ibcast", ANY_COMM "/comm_size<=7", "intra_sched_binomial"},
    {"ibcast", ANY_COMM "/" POW2 "/avg_msg_size<=12287", "intra_sched_binomial"},
    {"ibcast", ANY_COMM "/" POW2 "/avg_msg_size<=524287", "intra_sched_scatter_recursive_doubling_allgather"},
    {"ibcast", ANY_COMM "/" POW2 "/" LONG, "intra_sched_scatter_ring_allgather"},
    {"ibcast", ANY_COMM "/" OTHER "/avg_msg_size<=12287", "intra_sched_binomial"},
    {"ibcast", ANY_COMM "/" OTHER "/" LONG, "intra_sched_scatter_ring_allgather"},
    {"iallreduce", "avg_msg_size<=2048", "intra_sched_recursive_doubling"},
    {"iallreduce", LONG "/" BUILT_IN "/count<pow2", "intra_sched_recursive_doubling"},
    {"iallreduce", LONG "/" BUILT_IN "/count=any", "intra_sched_reduce_scatter_allgather"},
    {"iallreduce", LONG "/" USER_OP, "intra_sched_recursive_doubling"},
    ALLGATHER("iallgather", "intra_sched_"),
    ALLGATHER("iallgatherv", "intra_sched_"),
    {"ireduce", PARENT "/" COMMUTES, "intra_sched_smp"},
    {"ireduce", PARENT "/" ORDERED, "intra_sched_binomial"},
    {"ireduce", ANY_COMM "/avg_msg_size<=2048", "intra_sched_binomial"},
    {"ireduce", ANY_COMM "/" LONG "/" BUILT_IN "/count<pow2", "intra_sched_binomial"},
    {"ireduce", ANY_COMM "/" LONG "/" BUILT_IN "/count=any", "intra_sched_reduce_scatter_gather"},
    {"ireduce", ANY_COMM "/" LONG "/" USER_OP, "intra_sched_binomial"},
    SCATTER_COMMUTATIVE("ireduce_scatter", "intra_sched_"),
    SCATTER_ORDERED("ireduce_scatter", ORDERED "/is_block_regular=yes", "intra_sched_"),
    {"ireduce_scatter", ORDERED "/is_block_regular=no", "intra_sched_recursive_doubling"},
    SCATTER_COMMUTATIVE("ireduce_scatter_block", "intra_sched_"),
    SCATTER_ORDERED("ireduce_scatter_block", ORDERED, "intra_sched_"),
    {"igather", "", "intra_sched_binomial"},
    {"iscatter", "", "intra_sched_binomial"},
    {"igatherv", "", "allcomm_sched_linear"},
    {"iscatterv", "", "allcomm_sched_linear"},
    {"iscan", PARENT, "intra_sched_smp"},
    {"iscan", ANY_COMM, "intra_sched_recursive_doubling"},
    {"iexscan", "", "intra_sched_recursive_doubling"},
    {"ialltoall", IN_PLACE, "intra_sched_inplace"},
    {"ialltoall", APART "/comm_size<=8/avg_msg_size<=32768", "intra_sched_permuted_sendrecv"},
    {"ialltoall", APART "/comm_size<=8/" LONG, "intra_sched_pairwise"},
    {"ialltoall", APART "/" OTHER "/avg_msg_size<=2048", "intra_sched_brucks"},
    {"ialltoall", APART "/" OTHER "/avg_msg_size<=32768", "intra_sched_permuted_sendrecv"},
    {"ialltoall", APART "/" OTHER "/" LONG, "intra_sched_pairwise"},
    {"ialltoallv", IN_PLACE, "intra_sched_inplace"},
    {"ialltoallv", APART, "intra_sched_blocked"},
    {"ialltoallw", IN_PLACE, "intra_sched_inplace"},
    {"ialltoallw", APART, "intra_sched_blocked"},
    {"ineighbor_allgather", "", "allcomm_sched_linear"},
    {"ineighbor_allgatherv", "", "allcomm_sched_linear"},
    {"ineighbor_alltoall", "", "allcomm_sched_linear"},
    {"ineighbor_alltoallv", "", "allcomm_sched_linear"},
    {"ineighbor_alltoallw", "", "allcomm_sched_linear"},
};

/* Between two groups; collectives that are not here have one choice for both, or none. */
static const struct choice between[] = {
    {"bcast", "", "inter_remote_send_local_bcast"},
    {"allreduce", "", "inter_reduce_exchange_bcast"},
    {"allgather", "", "inter_local_gather_remote_bcast"},
    {"allgatherv", "", "inter_remote_gather_local_bcast"},
    {"reduce", "", "inter_local_reduce_remote_send"},
    {"reduce_scatter", "", "inter_remote_reduce_local_scatter"},
    {"reduce_scatter_block", "", "inter_remote_reduce_local_scatter"},
    {"gather", "total_msg_size<=2047", "inter_local_gather_remote_send"},
    {"gather", LONGER, "inter_linear"},
    {"scatter", "total_msg_size<=2047", "inter_remote_send_local_scatter"},
    {"scatter", LONGER, "inter_linear"},
    {"scan", "", "intra_recursive_doubling"}, /* never called, but its conditions would be evaluated */
    {"barrier", "", "inter_bcast"},
    {"alltoall", "", "inter_pairwise_exchange"},
    {"alltoallv", "", "inter_pairwise_exchange"},
    {"alltoallw", "", "inter_pairwise_exchange"},
    {"ibarrier", "", "inter_sched_bcast"},
    {"ibcast", "", "inter_sched_flat"},
    {"iallreduce", "", "inter_sched_remote_reduce_local_bcast"},
    {"iallgather", "", "inter_sched_local_gather_remote_bcast"},
    {"iallgatherv", "", "inter_sched_remote_gather_local_bcast"},
    {"ireduce", "", "inter_sched_local_reduce_remote_send"},
    {"ireduce_scatter", "", "inter_sched_remote_reduce_local_scatterv"},
    {"ireduce_scatter_block", "", "inter_sched_remote_reduce_local_scatterv"},
    {"igather", "total_msg_size<=2047", "inter_sched_short"},
    {"igather", LONGER, "inter_sched_long"},
    {"iscatter", "total_msg_size<=2047", "inter_sched_remote_send_local_scatter"},
    {"iscatter", LONGER, "inter_sched_linear"},
    {"ialltoall", "", "inter_sched_pairwise_exchange"},
    {"ialltoallv", "", "inter_sched_pairwise_exchange"},
    {"ialltoallw", "", "inter_sched_pairwise_exchange"},
};

enum { CHOICE_COUNT = sizeof choices / sizeof *choices, BETWEEN_COUNT = sizeof between / sizeof *between };

static int add_all(struct mpich_tree *tree, const struct choice *items, int count, const char *collective,
                   const char *path)
{
  char whole[MPICH_PATH_LENGTH], name[96];
  int added = 0;
  for (int i = 0; i < count; i++) {
    if (strcmp(items[i].collective, collective) != 0)
      continue;
    tutti_mpich_path(whole, "%s%s%s", path, *items[i].path ? "/" : "", items[i].path);
    snprintf(name, sizeof name, "%c%s_%s", toupper((unsigned char)*collective), collective + 1, items[i].name);
    tutti_mpich_tree_add(tree, whole, name);
    added++;
  }
  return added;
}

void tutti_mpich_usual_intra(struct mpich_tree *tree, const char *collective, const char *path)
{
  add_all(tree, choices, CHOICE_COUNT, collective, path);
}

/* Choices that have no form for two groups stand for both: MPICH lets them fail, or uses them. */
void tutti_mpich_usual_inter(struct mpich_tree *tree, const char *collective, const char *path)
{
  if (add_all(tree, between, BETWEEN_COUNT, collective, path) == 0)
    tutti_mpich_usual_intra(tree, collective, path);
}

const char *tutti_mpich_collective_at(int index)
{
  for (int i = 0; i < CHOICE_COUNT; i++)
    if ((i == 0 || strcmp(choices[i].collective, choices[i - 1].collective) != 0) && index-- == 0)
      return choices[i].collective;
  return NULL;
}
