/* The terms of a lower bound: what any method must do, under the limits of a machine. */
#include "tutti/certificate.h"

#include <math.h>
#include <stdlib.h>

const char *tutti_term_name(tutti_term term)
{
  static const char *const names[TUTTI_TERMS] = {"rounds",   "distance",  "processor",  "injection",
                                                 "ejection", "bisection", "computation"};
  return (unsigned)term < TUTTI_TERMS ? names[term] : NULL;
}

/* ---- terms ---- */

/* Whether all data go to the root. */
static bool is_inward(tutti_collective collective)
{
  return collective == TUTTI_COLL_GATHER || collective == TUTTI_COLL_GATHERV || collective == TUTTI_COLL_REDUCE;
}

static double message_of(tutti_spread spread)
{
  return spread.base + spread.gap;
}

static double rounds(const tutti_demand *d, const tutti_limits *l)
{
  const int nodes = tutti_demand_nodes(d);
  if (is_inward(d->collective))
    return fmax(tutti_spread_time(l->into, nodes),
                fmax(nodes > 1 ? message_of(l->processor) : 0, message_of(l->within)));
  return fmax(fmax(tutti_spread_time(l->wire, nodes), tutti_spread_time(l->processor, nodes)),
              tutti_spread_time(l->within, d->ranks));
}

/* The busiest of ranks that differ. */
static double processor(const tutti_demand *d, const tutti_limits *l)
{
  const int ranks[] = {0, d->root, (d->root + 1) % d->ranks, d->ranks - 1};
  double most = 0;
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    most = fmax(most, tutti_demand_out(d, ranks[i], 1));
  return most > 0 && l->sending > 0 ? l->within.base + most * l->sending : 0;
}

/* All nodes together, and each alone. A node without a limit: nothing is known of all together. */
static double through_ports(const tutti_demand *d, const tutti_limits *l, const double *by_node, double alike,
                            double (*volume)(const tutti_demand *, int, int))
{
  const int nodes = tutti_demand_nodes(d);
  double longest = 0, rate = 0;
  for (int node = 0; node < nodes; node++) {
    const double byte = by_node ? by_node[node] : alike;
    longest = fmax(longest, byte * volume(d, node * d->ranks_per_node, tutti_demand_ranks_of(d, node)));
    rate += byte > 0 ? 1 / byte : INFINITY;
  }
  longest = fmax(longest, tutti_demand_between(d) / rate);
  return longest > 0 ? l->first + longest : 0;
}

/* All nodes get the vector, from nodes that something has reached, or, backwards, send it to nodes from which something
   reaches the root afterwards: by the time t after the first byte, the i-th node has sent for t - times[i] at most. */
static double through_reached(const tutti_demand *d, const tutti_limits *l, const double *by_node, double alike,
                              tutti_spread wire, tutti_spread processor)
{
  const int nodes = tutti_demand_nodes(d);
  double *times = malloc(2 * (size_t)nodes * sizeof *times), byte = by_node ? INFINITY : alike, least = INFINITY,
         sum = 0;
  if (!times)
    return 0;
  for (int node = 0; node < nodes && by_node; node++)
    byte = fmin(byte, by_node[node]);
  tutti_spread_times(wire, nodes, times);
  tutti_spread_times(processor, nodes, times + nodes);
  for (int i = 0; i < nodes; i++) {
    sum += fmax(times[i], times[nodes + i]);
    least = fmin(least, (tutti_demand_between(d) * byte + sum) / (i + 1));
  }
  free(times);
  return byte > 0 && nodes > 1 ? l->first + least : 0;
}

static double injection(const tutti_demand *d, const tutti_limits *l)
{
  const double longest = through_ports(d, l, l->outs, l->out, tutti_demand_out);
  return d->collective == TUTTI_COLL_BCAST
             ? fmax(longest, through_reached(d, l, l->outs, l->out, l->wire, l->processor))
             : longest;
}

static double ejection(const tutti_demand *d, const tutti_limits *l)
{
  const double longest = through_ports(d, l, l->ins, l->in, tutti_demand_in);
  return d->collective == TUTTI_COLL_REDUCE ? fmax(longest, through_reached(d, l, l->ins, l->in, l->into, l->into))
                                            : longest;
}

/* Bytes times links that they cross. What is sent to another rank alone crosses all links between the two, also where
   it is relayed; of other data only the least is known. */
static double crossing(const tutti_demand *d, const tutti_limit_level *level)
{
  const double all = tutti_demand_between(d) * level->least;
  switch (d->collective) {
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return fmax(all, (double)d->bytes * level->pairs);
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    return fmax(all, (double)d->bytes * level->root);
  default:
    return all;
  }
}

static double bisection(const tutti_demand *d, const tutti_limits *l)
{
  double longest = 0;
  for (int i = 0; i < l->level_count; i++)
    longest = fmax(longest, crossing(d, &l->levels[i]) * l->levels[i].byte);
  return longest > 0 ? l->first + longest : 0;
}

/* The first operation needs an operand of another rank. */
static double computation(const tutti_demand *d, const tutti_limits *l)
{
  const double work = tutti_demand_work(d) * l->combining;
  return work > 0 ? message_of(l->within) + work : 0;
}

tutti_certificate tutti_certify(const tutti_demand *d, const tutti_limits *l)
{
  tutti_certificate certificate = {.terms = {0}};
  if (d->ranks < 2 || tutti_demand_rounds(d, 1) == 0)
    return certificate;
  double *terms = certificate.terms;
  terms[TUTTI_TERM_ROUNDS] = rounds(d, l);
  terms[TUTTI_TERM_DISTANCE] = l->farthest;
  terms[TUTTI_TERM_PROCESSOR] = processor(d, l);
  terms[TUTTI_TERM_INJECTION] = injection(d, l);
  terms[TUTTI_TERM_EJECTION] = ejection(d, l);
  terms[TUTTI_TERM_BISECTION] = bisection(d, l);
  terms[TUTTI_TERM_COMPUTATION] = computation(d, l);
  for (int i = 1; i < TUTTI_TERMS; i++)
    certificate.binding = terms[i] > terms[certificate.binding] ? (tutti_term)i : certificate.binding;
  certificate.seconds = terms[certificate.binding];
  return certificate;
}
