/* The choice of MPICH 4.0 without a file: thresholds and names of its published selection
   (maint/tuning/coll/mpir/generic.json of 4.0), which a file that tunes some collectives must repeat for all others. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "decision/libraries/mpich/mpich.h"

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

#define DIGITS(number)    #number
#define TEXT(number)      DIGITS(number)
#define AVERAGE_TO(bytes) "avg_msg_size<=" TEXT(bytes)
#define TOTAL_TO(bytes)   "total_msg_size<=" TEXT(bytes)

/* Lists of choices that several collectives have, under the conditions of a path that ends with '/'. */
#define BCAST(collective, path, kind, small, medium)                                                                   \
  {collective, path "comm_size<=7", kind "binomial"}, {collective, path POW2 "/" small, kind "binomial"},              \
      {collective, path POW2 "/" medium, kind "scatter_recursive_doubling_allgather"},                                 \
      {collective, path POW2 "/" LONG, kind "scatter_ring_allgather"},                                                 \
      {collective, path OTHER "/" small, kind "binomial"},                                                             \
  {                                                                                                                    \
    collective, path OTHER "/" LONG, kind "scatter_ring_allgather"                                                     \
  }

#define BY_COUNT(collective, path, few, enough)                                                                        \
  {collective, path BUILT_IN "/count<pow2", few}, {collective, path BUILT_IN "/count=any", enough},                    \
  {                                                                                                                    \
    collective, path USER_OP, few                                                                                      \
  }

#define REDUCE(collective, path, kind)                                                                                 \
  {collective, path AVERAGE_TO(MPICH_REDUCE_SHORT), kind "binomial"},                                                  \
      BY_COUNT(collective, path LONG "/", kind "binomial", kind "reduce_scatter_gather")

#define ALLGATHER(collective, kind)                                                                                    \
  {collective, POW2 "/" TOTAL_TO(MPICH_ALLGATHER_MEDIUM), kind "recursive_doubling"},                                  \
      {collective, POW2 "/" LONGER, kind "ring"},                                                                      \
      {collective, OTHER "/" TOTAL_TO(MPICH_ALLGATHER_SHORT), kind "brucks"},                                          \
  {                                                                                                                    \
    collective, OTHER "/" LONGER, kind "ring"                                                                          \
  }

#define SCATTER_COMMUTATIVE(collective, kind)                                                                          \
  {collective, COMMUTES "/" TOTAL_TO(MPICH_REDUCE_SCATTER_SHORT), kind "recursive_halving"},                           \
  {                                                                                                                    \
    collective, COMMUTES "/" LONGER, kind "pairwise"                                                                   \
  }

#define SCATTER_ORDERED(collective, path, kind)                                                                        \
  {collective, path "/" POW2, kind "noncommutative"},                                                                  \
  {                                                                                                                    \
    collective, path "/" OTHER, kind "recursive_doubling"                                                              \
  }

#define ALLTOALL(collective, kind, replace, scattered, short)                                                          \
  {collective, IN_PLACE, kind replace},                                                                                \
      {collective, APART "/comm_size<=8/" AVERAGE_TO(MPICH_ALLTOALL_MEDIUM), kind scattered},                          \
      {collective, APART "/comm_size<=8/" LONG, kind "pairwise"},                                                      \
      {collective, APART "/" OTHER "/" AVERAGE_TO(short), kind "brucks"},                                              \
      {collective, APART "/" OTHER "/" AVERAGE_TO(MPICH_ALLTOALL_MEDIUM), kind scattered},                             \
  {                                                                                                                    \
    collective, APART "/" OTHER "/" LONG, kind "pairwise"                                                              \
  }

#define BY_PLACE(collective, replace, apart)                                                                           \
  {collective, IN_PLACE, replace},                                                                                     \
  {                                                                                                                    \
    collective, APART, apart                                                                                           \
  }

static const struct choice choices[] = {
    {"bcast", PARENT "/" EMPTY, "intra_smp"},
    BCAST("bcast", PARENT "/", "intra_", AVERAGE_TO(MPICH_BCAST_SHORT), AVERAGE_TO(MPICH_BCAST_MEDIUM)),
    BCAST("bcast", ANY_COMM "/", "intra_", AVERAGE_TO(MPICH_BCAST_SHORT), AVERAGE_TO(MPICH_BCAST_MEDIUM)),

    {"allreduce", EMPTY "/" COMMUTES, "intra_smp"},
    {"allreduce", EMPTY "/" ORDERED, "intra_recursive_doubling"},
    {"allreduce", AVERAGE_TO(MPICH_ALLREDUCE_SHORT), "intra_recursive_doubling"},
    BY_COUNT("allreduce", LONG "/", "intra_recursive_doubling", "intra_reduce_scatter_allgather"),

    ALLGATHER("allgather", "intra_"),
    ALLGATHER("allgatherv", "intra_"),

    {"reduce", PARENT "/" EMPTY "/" COMMUTES, "intra_smp"},
    {"reduce", PARENT "/" EMPTY "/" ORDERED, "intra_binomial"},
    REDUCE("reduce", PARENT "/", "intra_"),
    REDUCE("reduce", ANY_COMM "/", "intra_"),

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

    ALLTOALL("alltoall", "intra_", "pairwise_sendrecv_replace", "scattered", MPICH_ALLTOALL_SHORT),
    BY_PLACE("alltoallv", "intra_pairwise_sendrecv_replace", "intra_scattered"),
    BY_PLACE("alltoallw", "intra_pairwise_sendrecv_replace", "intra_scattered"),

    {"neighbor_allgather", "", "allcomm_nb"},
    {"neighbor_allgatherv", "", "allcomm_nb"},
    {"neighbor_alltoall", "", "allcomm_nb"},
    {"neighbor_alltoallv", "", "allcomm_nb"},
    {"neighbor_alltoallw", "", "allcomm_nb"},

    {"ibarrier", "", "intra_sched_recursive_doubling"},
    {"ibcast", PARENT, "intra_sched_smp"},
    BCAST("ibcast", ANY_COMM "/", "intra_sched_", AVERAGE_TO(12287), AVERAGE_TO(524287)),
    {"iallreduce", "avg_msg_size<=2048", "intra_sched_recursive_doubling"},
    BY_COUNT("iallreduce", LONG "/", "intra_sched_recursive_doubling", "intra_sched_reduce_scatter_allgather"),
    ALLGATHER("iallgather", "intra_sched_"),
    ALLGATHER("iallgatherv", "intra_sched_"),
    {"ireduce", PARENT "/" COMMUTES, "intra_sched_smp"},
    {"ireduce", PARENT "/" ORDERED, "intra_sched_binomial"},
    REDUCE("ireduce", ANY_COMM "/", "intra_sched_"),
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
    ALLTOALL("ialltoall", "intra_sched_", "inplace", "permuted_sendrecv", 2048),
    BY_PLACE("ialltoallv", "intra_sched_inplace", "intra_sched_blocked"),
    BY_PLACE("ialltoallw", "intra_sched_inplace", "intra_sched_blocked"),
    {"ineighbor_allgather", "", "allcomm_sched_linear"},
    {"ineighbor_allgatherv", "", "allcomm_sched_linear"},
    {"ineighbor_alltoall", "", "allcomm_sched_linear"},
    {"ineighbor_alltoallv", "", "allcomm_sched_linear"},
    {"ineighbor_alltoallw", "", "allcomm_sched_linear"},
};

/* Compositions of CH4, as 4.0.2 and 4.2.1 have them built in; alltoall and allgather from 4.1 on have another. */
static const struct choice compositions[] = {
    {"bcast", PARENT "/comm_size<=7", "intra_composition_alpha"},
    {"bcast", PARENT "/" POW2 "/" AVERAGE_TO(12287), "intra_composition_alpha"},
    {"bcast", PARENT "/" POW2 "/" AVERAGE_TO(524287), "intra_composition_beta"},
    {"bcast", PARENT "/" POW2 "/" LONG, "intra_composition_gamma"},
    {"bcast", PARENT "/" OTHER "/" AVERAGE_TO(12287), "intra_composition_alpha"},
    {"bcast", PARENT "/" OTHER "/" LONG, "intra_composition_gamma"},
    {"bcast", ANY_COMM, "intra_composition_gamma"},
    {"allreduce", "comm_size=node_comm_size", "intra_composition_gamma"},
    {"allreduce", OTHER "/" PARENT "/" COMMUTES, "intra_composition_alpha"},
    {"allreduce", OTHER "/" PARENT "/" ORDERED, "intra_composition_beta"},
    {"allreduce", OTHER "/" ANY_COMM, "intra_composition_beta"},
    {"reduce", PARENT "/" COMMUTES "/" AVERAGE_TO(MPICH_REDUCE_SHORT), "intra_composition_beta"},
    {"reduce", PARENT "/" COMMUTES "/" LONG, "intra_composition_alpha"},
    {"reduce", PARENT "/" ORDERED, "intra_composition_gamma"},
    {"reduce", ANY_COMM, "intra_composition_gamma"},
    {"barrier", PARENT, "intra_composition_alpha"},
    {"barrier", ANY_COMM, "intra_composition_beta"},
    {"gather", "", "intra_composition_alpha"},
    {"gatherv", "", "intra_composition_alpha"},
    {"scatter", "", "intra_composition_alpha"},
    {"scatterv", "", "intra_composition_alpha"},
    {"alltoallv", "", "intra_composition_alpha"},
    {"alltoallw", "", "intra_composition_alpha"},
    {"allgatherv", "", "intra_composition_alpha"},
    {"reduce_scatter", "", "intra_composition_alpha"},
    {"reduce_scatter_block", "", "intra_composition_alpha"},
    {"scan", "is_node_consecutive=yes", "intra_composition_alpha"},
    {"scan", "is_node_consecutive=no", "intra_composition_beta"},
    {"exscan", "", "intra_composition_alpha"},
};

static const struct choice early[] = {{"alltoall", "", "intra_composition_alpha"},
                                      {"allgather", "", "intra_composition_alpha"}},
                           late[] = {{"alltoall", "", "intra_composition_beta"},
                                     {"allgather", "", "intra_composition_beta"}};

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

enum {
  CHOICE_COUNT = sizeof choices / sizeof *choices,
  BETWEEN_COUNT = sizeof between / sizeof *between,
  COMPOSITION_COUNT = sizeof compositions / sizeof *compositions
};

/* Whether a condition of the form NAME<=NUMBER is never true, because the one with the larger @p failed was false. */
static bool is_below(const char *key, const char *name, long failed)
{
  size_t length = strlen(name);
  return strncmp(key, name, length) == 0 && strncmp(key + length, "<=", 2) == 0 && atol(key + length + 2) <= failed;
}

static bool is_never_true(const struct mpich_failed *failed, const char *path)
{
  for (const char *key = path; key; key = strchr(key, '/')) {
    key += *key == '/';
    if (is_below(key, "comm_size", failed->ranks) || (failed->size && is_below(key, failed->size, failed->bytes)))
      return true;
  }
  return false;
}

/* What the selection of 5.1 has for a choice of earlier versions; false: nothing. It does not look at nodes, and bounds
   that were below a size are at it. */
static bool revise(const struct choice *old, struct choice *choice, char path[MPICH_PATH_LENGTH])
{
  static const char *const dropped[] = {PARENT, EMPTY, "is_node_consecutive=yes"};
  static const char *const begins[] = {ANY_COMM "/", ANY_COMM, "is_node_consecutive=no"};
  static const char *const bounds[][2] = {
      {"<=7", "<=8"}, {"<=2047", "<=2048"}, {"<=12287", "<=12288"}, {"<=81919", "<=81920"}, {"<=524287", "<=524288"}};
  *choice = *old;
  for (int i = 0; i < 3; i++)
    if (strncmp(old->path, dropped[i], strlen(dropped[i])) == 0)
      return false;
  for (int i = 0; i < 3 && choice->path == old->path; i++)
    if (strncmp(old->path, begins[i], strlen(begins[i])) == 0)
      choice->path += strlen(begins[i]);
  if (strcmp(choice->name, "allcomm_nb") == 0)
    choice->name = "nb";
  tutti_mpich_path(path, "%s", choice->path);
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    char *at = strstr(path, bounds[i][0]);
    const size_t length = strlen(bounds[i][0]);
    if (at && (!at[length] || at[length] == '/'))
      memcpy(at, bounds[i][1], length);
  }
  choice->path = path;
  return true;
}

static int add_all(struct mpich_tree *tree, const struct choice *items, int count, const char *collective,
                   const char *path)
{
  const bool revised =
      tree->layer == LAYER_MPIR && tutti_library_since(&tree->version, MPICH_RENAMED / 100, MPICH_RENAMED % 100, 0);
  char whole[MPICH_PATH_LENGTH], name[96], changed[MPICH_PATH_LENGTH];
  int added = 0;
  for (int i = 0; i < count; i++) {
    struct choice choice = items[i];
    if (strcmp(items[i].collective, collective) != 0 || (revised && !revise(&items[i], &choice, changed)) ||
        is_never_true(&tree->failed, choice.path))
      continue;
    tutti_mpich_path(whole, "%s%s%s", path, *choice.path ? "/" : "", choice.path);
    const char *owner = strcmp(choice.name, "nb") == 0 ? "coll" : collective;
    snprintf(name, sizeof name, "%c%s_%s", toupper((unsigned char)*owner), owner + 1, choice.name);
    tutti_mpich_tree_add(tree, whole, name);
    added++;
  }
  return added;
}

void tutti_mpich_default_intra(struct mpich_tree *tree, const char *collective, const char *path)
{
  if (tree->layer == LAYER_MPIR) {
    add_all(tree, choices, CHOICE_COUNT, collective, path);
    return;
  }
  add_all(tree, compositions, COMPOSITION_COUNT, collective, path);
  add_all(tree, tutti_library_since(&tree->version, 4, 1, 0) ? late : early, 2, collective, path);
}

/* Choices without a form for two groups serve both: MPICH lets them fail, or uses them. */
void tutti_mpich_default_inter(struct mpich_tree *tree, const char *collective, const char *path)
{
  if (add_all(tree, between, BETWEEN_COUNT, collective, path) == 0)
    tutti_mpich_default_intra(tree, collective, path);
}
