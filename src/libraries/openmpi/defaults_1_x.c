/* The fixed decisions of Open MPI 1.2 and 1.3, of the dissertation's time (ompi/mca/coll/tuned/
   coll_tuned_decision_fixed.c of 2007 and 2008): made from MX measurements on Grig with up to 64 nodes. */
#include "libraries/openmpi/openmpi.h"

enum { KB = 1024 };

/* A straight line over the message size, in ranks. */
static bool below_line(int ranks, uint64_t bytes, double per_byte, double constant)
{
  return ranks < per_byte * (double)bytes + constant;
}

static bool above_line(int ranks, uint64_t bytes, double per_kilobyte, double constant)
{
  return ranks > per_kilobyte / KB * (double)bytes + constant;
}

static int choose(int id, int segment, int *chosen)
{
  *chosen = segment;
  return id;
}

/* From 370,728 bytes on: the more ranks, the smaller the segments of a pipeline. */
static int bcast_large(int ranks, uint64_t bytes, int *segment)
{
  if (below_line(ranks, bytes, 1.6134e-6, 2.1102))
    return choose(3, 128 * KB, segment);
  if (ranks < 13)
    return choose(4, 8 * KB, segment);
  if (below_line(ranks, bytes, 2.3679e-6, 1.1787))
    return choose(3, 64 * KB, segment);
  if (below_line(ranks, bytes, 3.2118e-6, 8.7936))
    return choose(3, 16 * KB, segment);
  return choose(3, 8 * KB, segment);
}

int tutti_openmpi1x_bcast(int ranks, uint64_t bytes, int *segment)
{
  if (bytes < 2048)
    return choose(6, 0, segment);
  if (bytes < 370728)
    return choose(4, 1 * KB, segment);
  return bcast_large(ranks, bytes, segment);
}

/* The third step was to be a binary tree by its comment, but called the pipeline. */
static int reduce_large(int ranks, uint64_t bytes, int *segment)
{
  if (above_line(ranks, bytes, 0.6016, 1.3496))
    return choose(4, 1 * KB, segment);
  if (above_line(ranks, bytes, 0.0410, 9.7128))
    return choose(3, 1 * KB, segment);
  if (above_line(ranks, bytes, 0.0422, 1.1614) || above_line(ranks, bytes, 0.0033, 1.6761))
    return choose(3, 32 * KB, segment);
  return choose(3, 64 * KB, segment);
}

int tutti_openmpi1x_reduce(int ranks, uint64_t bytes, int *segment)
{
  if (ranks < 8 && bytes < 512)
    return choose(1, 0, segment);
  if (ranks < 8 && bytes < 20480)
    return choose(5, 0, segment);
  if (bytes < 2048)
    return choose(4, 0, segment);
  return reduce_large(ranks, bytes, segment);
}

int tutti_openmpi1x_allreduce(int ranks, uint64_t bytes, int *segment)
{
  if (bytes < 10000)
    return choose(3, 0, segment);
  if (library_elements(bytes) <= (uint64_t)ranks)
    return choose(2, 0, segment);
  return (uint64_t)ranks * KB * KB >= bytes ? choose(4, 0, segment) : choose(5, KB * KB, segment);
}

int tutti_openmpi1x_allgather(int ranks, uint64_t bytes, int *segment)
{
  *segment = 0;
  if (ranks == 2)
    return 6;
  if (bytes * (uint64_t)ranks < 50000)
    return library_power_below(ranks) == (uint64_t)ranks ? 3 : 2;
  return ranks % 2 ? 4 : 5;
}

int tutti_openmpi1x_alltoall(int ranks, uint64_t bytes, int *segment)
{
  *segment = 0;
  if (ranks == 2)
    return 5;
  if (bytes < 200 && ranks > 12)
    return 3;
  return bytes < 3000 ? 1 : 2;
}

int tutti_openmpi1x_barrier(int ranks, uint64_t bytes, int *segment)
{
  (void)bytes;
  *segment = 0;
  if (ranks == 2)
    return 5;
  return library_power_below(ranks) == (uint64_t)ranks ? 3 : 4;
}

int tutti_openmpi1x_reduce_scatter(int ranks, uint64_t bytes, int *segment)
{
  bool power = library_power_below(ranks) == (uint64_t)ranks;
  bool halving = bytes <= 12 * KB || (bytes <= 256 * KB && power) || ranks >= 0.0012 * (double)bytes + 8.0;
  return choose(halving ? 2 : 3, 0, segment);
}

static int linear(int ranks, uint64_t bytes, int *segment)
{
  (void)ranks, (void)bytes;
  return choose(1, 0, segment);
}

static int (*const rules[TUTTI_COLL_COUNT])(int, uint64_t, int *) = {
    [TUTTI_COLL_BCAST] = tutti_openmpi1x_bcast,
    [TUTTI_COLL_REDUCE] = tutti_openmpi1x_reduce,
    [TUTTI_COLL_ALLREDUCE] = tutti_openmpi1x_allreduce,
    [TUTTI_COLL_ALLGATHER] = tutti_openmpi1x_allgather,
    [TUTTI_COLL_ALLTOALL] = tutti_openmpi1x_alltoall,
    [TUTTI_COLL_BARRIER] = tutti_openmpi1x_barrier,
    [TUTTI_COLL_REDUCE_SCATTER] = tutti_openmpi1x_reduce_scatter,
    [TUTTI_COLL_GATHER] = linear,
    [TUTTI_COLL_SCATTER] = linear,
};

static struct openmpi_pick decision(tutti_collective collective, int ranks, uint64_t bytes)
{
  struct openmpi_pick pick = {0};
  if (rules[collective])
    pick.id = rules[collective](ranks, bytes, &pick.segment);
  return pick;
}

bool tutti_openmpi_decide_1_x(const tutti_question *question, tutti_method *method)
{
  return tutti_openmpi_method(decision, question, method);
}
