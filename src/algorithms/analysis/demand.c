/* What any method of a collective must do, without a machine: rounds, bytes out of and into groups of ranks, work. */
#include <math.h>

#include "tutti/certificate.h"

int tutti_demand_nodes(const tutti_demand *d)
{
  return (d->ranks - 1) / d->ranks_per_node + 1;
}

int tutti_demand_ranks_of(const tutti_demand *d, int node)
{
  const int left = d->ranks - node * d->ranks_per_node;
  return left < d->ranks_per_node ? left : d->ranks_per_node;
}

static bool does_nothing(const tutti_demand *d)
{
  return d->bytes == 0 && d->collective != TUTTI_COLL_BARRIER;
}

int tutti_demand_rounds(const tutti_demand *d, int ports)
{
  int rounds = 0;
  for (uint64_t reached = 1; reached < (uint64_t)d->ranks && !does_nothing(d); reached *= (uint64_t)ports + 1)
    rounds++;
  return rounds;
}

double tutti_demand_out(const tutti_demand *d, int first, int count)
{
  const double bytes = (double)d->bytes, inside = count, outside = d->ranks - count;
  const bool root = d->root >= first && d->root < first + count;
  if (count <= 0 || count >= d->ranks)
    return 0;
  switch (d->collective) {
  case TUTTI_COLL_BCAST:
    return root ? bytes : 0;
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    return root ? outside * bytes : 0;
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    return root ? 0 : inside * bytes;
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return inside * bytes;
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return inside * outside * bytes;
  case TUTTI_COLL_REDUCE:
    return root ? 0 : bytes;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK: /* a partial result, at least, for each block of the others */
  case TUTTI_COLL_REDUCE_SCATTER:
    return outside * bytes;
  case TUTTI_COLL_ALLREDUCE:
    return bytes;
  case TUTTI_COLL_SCAN: /* for the last rank */
  case TUTTI_COLL_EXSCAN:
    return first + count < d->ranks ? bytes : 0;
  case TUTTI_COLL_BARRIER:
  case TUTTI_COLL_COUNT:
    break;
  }
  return 0;
}

/* The collective whose messages go the other way, backwards in time. */
static tutti_collective backwards(tutti_collective collective)
{
  switch (collective) {
  case TUTTI_COLL_BCAST:
    return TUTTI_COLL_REDUCE;
  case TUTTI_COLL_REDUCE:
    return TUTTI_COLL_BCAST;
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    return TUTTI_COLL_GATHER;
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    return TUTTI_COLL_SCATTER;
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return TUTTI_COLL_REDUCE_SCATTER;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
  case TUTTI_COLL_REDUCE_SCATTER:
    return TUTTI_COLL_ALLGATHER;
  default:
    return collective;
  }
}

double tutti_demand_in(const tutti_demand *d, int first, int count)
{
  const bool scan = d->collective == TUTTI_COLL_SCAN || d->collective == TUTTI_COLL_EXSCAN; /* from the last rank on */
  tutti_demand reversed = *d;
  reversed.collective = backwards(d->collective);
  return tutti_demand_out(&reversed, scan ? d->ranks - first - count : first, count);
}

double tutti_demand_between(const tutti_demand *d)
{
  const int nodes = tutti_demand_nodes(d);
  double out = 0, in = 0;
  if (d->collective == TUTTI_COLL_ALLREDUCE)
    return 2.0 * (nodes - 1) * (double)d->bytes;
  for (int node = 0; node < nodes; node++) {
    out += tutti_demand_out(d, node * d->ranks_per_node, tutti_demand_ranks_of(d, node));
    in += tutti_demand_in(d, node * d->ranks_per_node, tutti_demand_ranks_of(d, node));
  }
  return fmax(out, in);
}

double tutti_demand_work(const tutti_demand *d)
{
  const double bytes = (double)d->bytes, others = d->ranks - 1;
  switch (d->collective) {
  case TUTTI_COLL_REDUCE:
  case TUTTI_COLL_ALLREDUCE:
  case TUTTI_COLL_SCAN: /* each prefix is another sum */
    return others * bytes;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
  case TUTTI_COLL_REDUCE_SCATTER:
    return others * d->ranks * bytes;
  case TUTTI_COLL_EXSCAN:
    return fmax(others - 1, 0) * bytes;
  default:
    return 0;
  }
}
