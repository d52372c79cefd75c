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

/* Bytes that the busiest rank sends: of ranks that differ, or the mean of all. */
static double busiest(const tutti_demand *d)
{
  const tutti_demand spread = {d->collective, d->ranks, 1, d->root, d->bytes};
  const int ranks[] = {0, d->root, (d->root + 1) % d->ranks, d->ranks - 1};
  double most = tutti_demand_between(&spread) / d->ranks;
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    most = fmax(most, tutti_demand_out(d, ranks[i], 1));
  return most;
}

/* Messages of a rank may move at the same time, each at the speed of the widest route, but the i-th begins i gaps after
   the start: with k of them bytes take the least t of bytes * moving <= (t - gap) + ... + (t - k gap). */
static double one_by_one(const tutti_limits *l, double bytes)
{
  const double gap = l->within.gap, moving = bytes * l->moving;
  if (!(gap > 0) || !(moving > 0))
    return 0;
  const double few = fmax(floor(sqrt(2 * moving / gap)), 1);
  return l->apart + fmin(moving / few + gap * (few + 1) / 2, moving / (few + 1) + gap * (few + 2) / 2);
}

static double processor(const tutti_demand *d, const tutti_limits *l)
{
  const double most = busiest(d);
  return fmax(most > 0 && l->sending > 0 ? l->within.base + most * l->sending : 0, one_by_one(l, most));
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

/* What one node has must reach all others in a vector each, which is sent by nodes that it has reached; or, backwards,
   what all send must reach one node: by the time t after the first byte, the i-th node has sent for t - times[i] at
   most. */
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
    least = fmin(least, ((nodes - 1) * (double)d->bytes * byte + sum) / (i + 1));
  }
  free(times);
  return byte > 0 && nodes > 1 ? l->first + least : 0;
}

/* Whether all need something that one rank has, each in a vector: the first one where there is no root. */
static bool spreads(tutti_collective collective)
{
  return collective == TUTTI_COLL_BCAST || collective == TUTTI_COLL_ALLREDUCE || collective == TUTTI_COLL_SCAN ||
         collective == TUTTI_COLL_EXSCAN;
}

/* Whether one rank needs something of all, in a vector: the last one where there is no root. */
static bool collects(tutti_collective collective)
{
  return collective == TUTTI_COLL_REDUCE || (spreads(collective) && collective != TUTTI_COLL_BCAST);
}

/* What leaves the root of a broadcast last, or enters that of a reduce first, must go on to the other nodes, or come
   from them. */
static double beyond_root(const tutti_demand *d, const double *by_node, double alike, const tutti_limits *l,
                          tutti_spread spread)
{
  const double byte = by_node ? by_node[d->root / d->ranks_per_node] : alike;
  const int nodes = tutti_demand_nodes(d);
  return byte > 0 && nodes > 1
             ? l->first + (double)d->bytes * byte + tutti_spread_time(spread, nodes) - message_of(spread)
             : 0;
}

static double injection(const tutti_demand *d, const tutti_limits *l)
{
  double longest = through_ports(d, l, l->outs, l->out, tutti_demand_out);
  if (spreads(d->collective))
    longest = fmax(longest, through_reached(d, l, l->outs, l->out, l->wire, l->processor));
  if (d->collective == TUTTI_COLL_BCAST)
    longest = fmax(longest, beyond_root(d, l->outs, l->out, l, l->wire));
  return longest;
}

static double ejection(const tutti_demand *d, const tutti_limits *l)
{
  double longest = through_ports(d, l, l->ins, l->in, tutti_demand_in);
  if (collects(d->collective))
    longest = fmax(longest, through_reached(d, l, l->ins, l->in, l->into, l->into));
  if (d->collective == TUTTI_COLL_REDUCE)
    longest = fmax(longest, beyond_root(d, l->ins, l->in, l, l->into));
  return longest;
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
