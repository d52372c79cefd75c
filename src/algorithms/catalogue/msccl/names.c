/* Words of MSCCL XML. */
#include "algorithms/catalogue/msccl/msccl.h"

const char *tutti_msccl_type_name(int type)
{
  static const char *const names[MSCCL_TYPES] = {"nop", "s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re"};
  return type >= 0 && type < MSCCL_TYPES ? names[type] : NULL;
}

const char *tutti_msccl_collective_name(tutti_collective collective)
{
  static const char *const names[TUTTI_COLL_COUNT] = {
      [TUTTI_COLL_BCAST] = "broadcast",     [TUTTI_COLL_REDUCE] = "reduce",
      [TUTTI_COLL_ALLREDUCE] = "allreduce", [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = "reducescatter",
      [TUTTI_COLL_ALLGATHER] = "allgather", [TUTTI_COLL_ALLTOALL] = "alltoall",
      [TUTTI_COLL_GATHER] = "gather",       [TUTTI_COLL_SCATTER] = "scatter",
  };
  return (unsigned)collective < TUTTI_COLL_COUNT ? names[collective] : NULL;
}

/* sizeMultiplier of the parser. */
uint64_t tutti_msccl_elements(tutti_collective collective, const tutti_call *call)
{
  const bool all = collective == TUTTI_COLL_ALLGATHER || collective == TUTTI_COLL_ALLTOALL ||
                   collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
  return all ? call->count * (uint64_t)call->size : call->count;
}
