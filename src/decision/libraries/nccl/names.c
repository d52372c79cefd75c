/* Words of NCCL, and what they are here. */
#include <string.h>

#include "decision/libraries/nccl/nccl.h"

static const struct collective {
  tutti_collective collective;
  const char *word;
} collectives[] = {
    {TUTTI_COLL_BCAST, "broadcast"},     {TUTTI_COLL_REDUCE, "reduce"},
    {TUTTI_COLL_ALLGATHER, "allgather"}, {TUTTI_COLL_REDUCE_SCATTER_BLOCK, "reducescatter"},
    {TUTTI_COLL_ALLREDUCE, "allreduce"},
};

static const char *const algorithms[] = {"tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
static const char *const protocols[] = {"ll", "ll128", "simple"};

/* NCCL's rings of a broadcast and a reduce are pipelines; its tree is two trees for halves of the message. */
static const struct same {
  tutti_collective collective;
  const char *theirs, *ours;
} same[] = {
    {TUTTI_COLL_BCAST, "ring", "pipeline"},
    {TUTTI_COLL_REDUCE, "ring", "pipeline"},
    {TUTTI_COLL_ALLGATHER, "ring", "ring"},
    {TUTTI_COLL_ALLGATHER, "pat", "pat"},
    {TUTTI_COLL_REDUCE_SCATTER_BLOCK, "ring", "ring"},
    {TUTTI_COLL_REDUCE_SCATTER_BLOCK, "pat", "pat"},
    {TUTTI_COLL_ALLREDUCE, "ring", "ring"},
    {TUTTI_COLL_ALLREDUCE, "tree", "two-tree"},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static int find(const char *const *words, int count, const char *word, size_t length)
{
  for (int i = 0; i < count; i++)
    if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0)
      return i;
  return -1;
}

int tutti_nccl_collective_index(const char *word, size_t length)
{
  for (int i = 0; i < COUNT(collectives); i++)
    if (find(&collectives[i].word, 1, word, length) == 0)
      return (int)collectives[i].collective;
  return -1;
}

int tutti_nccl_algorithm_index(const char *word, size_t length)
{
  return find(algorithms, COUNT(algorithms), word, length);
}

int tutti_nccl_protocol_index(const char *word, size_t length)
{
  return find(protocols, COUNT(protocols), word, length);
}

const char *tutti_nccl_collective_word(tutti_collective collective)
{
  for (int i = 0; i < COUNT(collectives); i++)
    if (collectives[i].collective == collective)
      return collectives[i].word;
  return NULL;
}

const char *tutti_nccl_algorithm_word(int algorithm)
{
  return algorithms[algorithm];
}

const char *tutti_nccl_protocol_word(int protocol)
{
  return protocols[protocol];
}

bool tutti_nccl_counts_all(tutti_collective collective)
{
  return collective == TUTTI_COLL_ALLGATHER || collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
}

const tutti_algorithm *tutti_nccl_ours(tutti_collective collective, int algorithm)
{
  for (int i = 0; i < COUNT(same); i++)
    if (same[i].collective == collective && strcmp(same[i].theirs, algorithms[algorithm]) == 0)
      return tutti_algorithm_find(collective, same[i].ours);
  return NULL;
}

int tutti_nccl_theirs(const tutti_algorithm *algorithm)
{
  for (int i = 0; i < COUNT(same); i++)
    if (same[i].collective == algorithm->collective && strcmp(same[i].ours, algorithm->name) == 0)
      return tutti_nccl_algorithm_index(same[i].theirs, strlen(same[i].theirs));
  return -1;
}

/* ---- sizes ---- */

/* What bytes are multiplied with. */
static int factor_of(const tutti_explained_call *call)
{
  return tutti_nccl_counts_all(call->collective) ? call->ranks : 1;
}

/* NCCLX divides what NCCL counts by the nodes times the ranks of one, rounded down: by fewer than there are where nodes
   are not full. */
static int divisor_of(const struct nccl_rules *rules, const tutti_explained_call *call)
{
  const int nodes = tutti_nccl_nodes(call);
  return !rules->per_rank ? 1 : nodes > 0 ? nodes * (call->ranks / nodes) : call->ranks;
}

int tutti_nccl_nodes(const tutti_explained_call *call)
{
  const int per_node = call->ranks_per_node;
  return per_node > 0 ? call->ranks / per_node + (call->ranks % per_node > 0) : 0;
}

uint64_t tutti_nccl_key(const struct nccl_rules *rules, const tutti_explained_call *call)
{
  return library_product(call->rank_bytes, factor_of(call)) / (uint64_t)divisor_of(rules, call);
}

uint64_t tutti_nccl_least(const struct nccl_rules *rules, const tutti_explained_call *call, uint64_t key)
{
  const uint64_t total = library_product(key, divisor_of(rules, call)), factor = (uint64_t)factor_of(call);
  return total / factor + (total % factor > 0);
}

uint64_t tutti_nccl_most(const struct nccl_rules *rules, const tutti_explained_call *call, uint64_t key)
{
  const uint64_t end = key == UINT64_MAX ? key : library_product(key + 1, divisor_of(rules, call));
  return end == UINT64_MAX ? end : (end - 1) / (uint64_t)factor_of(call);
}
