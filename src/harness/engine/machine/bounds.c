#include "harness/engine/machine/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "harness/engine/riders/start.h"

/* Bytes of the envelope; SimGrid handles events together that are so close, and a message has two. */
#define ENVELOPE     16.0
#define INSTANT      1e-9
#define MAX_TOGETHER (2 * INSTANT)
#define LARGEST      1e18

/* ---- sizes at which the costs of messages are least ---- */

/* The least of a cost over all sizes of messages between two sizes: costs are made of pieces, in which they rise, or
   fall, with the size. */
typedef double size_cost(const struct engine_machine *machine, double bytes, double bandwidth);

static double least_of(const struct engine_machine *m, double from, double to, double bandwidth, size_cost *cost)
{
  const struct pieces *const pieces[] = {&m->bandwidth_factor, &m->latency_factor, &m->send_overhead};
  double least = fmin(cost(m, from, bandwidth), cost(m, to, bandwidth));
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    for (size_t p = 0; p < pieces[i]->count; p++) {
      const double last = (double)pieces[i]->items[p].from - (i < 2 ? ENVELOPE : 0);
      for (int side = 0; side < 2; side++)
        if (last + side >= from && last + side <= to)
          least = fmin(least, cost(m, last + side, bandwidth));
    }
  return least;
}

static double overhead_cost(const struct engine_machine *m, double bytes, double bandwidth)
{
  (void)bandwidth;
  return tutti_pieces_overhead(&m->send_overhead, bytes);
}

static double overhead_byte(const struct engine_machine *m, double bytes, double bandwidth)
{
  return overhead_cost(m, bytes, bandwidth) / bytes;
}

static double latency_factor(const struct engine_machine *m, double bytes, double bandwidth)
{
  (void)bandwidth;
  return tutti_pieces_factor(&m->latency_factor, bytes + ENVELOPE);
}

static double wire_cost(const struct engine_machine *m, double bytes, double bandwidth)
{
  const double factor = tutti_pieces_factor(&m->bandwidth_factor, bytes + ENVELOPE);
  return factor > 0 ? (bytes + ENVELOPE) / (bandwidth * factor) : 0;
}

static double wire_byte(const struct engine_machine *m, double bytes, double bandwidth)
{
  return wire_cost(m, bytes, bandwidth) / bytes;
}

/* ---- limits ---- */

struct limiting {
  const struct machine_bounds *b;
  double from, to; /* bytes of messages */
  double per_byte; /* of a link of 1 B/s: of what any message carries */
};

static double least(const struct limiting *l, double bandwidth, size_cost *cost)
{
  return least_of(l->b->machine, l->from, l->to, bandwidth, cost);
}

static double port_byte(const struct limiting *l, struct bound_port port)
{
  return port.links > 0 ? l->per_byte / (port.bandwidth * port.links) : 0;
}

/* Seconds from one message to the next: through the widest port. */
static double gap_of(const struct limiting *l, const struct bound_port *ports)
{
  const double wire = least(l, 1, wire_cost);
  double shortest = INFINITY;
  for (int i = 0; i < l->b->nodes; i++) {
    const double gap = ports[i].links > 0 ? fmax(wire / ports[i].bandwidth - INSTANT, 0) / ports[i].links : 0;
    shortest = fmin(shortest, gap);
  }
  return isfinite(shortest) ? shortest : 0;
}

/* Between ranks anywhere: those of a node, if there are such, are nearer, or not. */
static double least_flight(const struct limiting *l, double factor)
{
  const struct machine_bounds *b = l->b;
  double flight = INFINITY;
  if (b->near_bandwidth > 0)
    flight = b->near_latency * factor + least(l, b->near_bandwidth, wire_cost);
  if (b->bandwidth > 0)
    flight = fmin(flight, b->latency * factor + least(l, b->bandwidth, wire_cost));
  return isfinite(flight) ? fmax(flight - MAX_TOGETHER, 0) : 0;
}

void tutti_bounds_hop(const struct machine_bounds *b, double *seconds, double *factor)
{
  const struct limiting l = {.b = b, .from = 0, .to = LARGEST};
  *factor = least(&l, 1, latency_factor);
  *seconds = least(&l, 1, overhead_cost) + least(&l, b->bandwidth, wire_cost) - 3 * INSTANT;
}

double tutti_bounds_message(const struct machine_bounds *b, double bytes)
{
  const struct engine_machine *m = b->machine;
  return b->bandwidth > 0
             ? overhead_cost(m, bytes, 1) + b->latency * latency_factor(m, bytes, 1) + wire_cost(m, bytes, b->bandwidth)
             : 0;
}

static double widest(const struct machine_bounds *b)
{
  return fmax(b->bandwidth, b->near_bandwidth);
}

/* Times from one event to the next may be short by an instant each: a latency that is less than that is negative, and
   takes the rest of it from the bytes after it. That is more than what the clock rounds, too, whose times are
   3.6e-12 s apart where measurements begin, and less than an instant at the last start (base/meeting.h). */
static tutti_limits limits_of(const struct limiting *l)
{
  const struct machine_bounds *b = l->b;
  const double overhead = fmax(least(l, 1, overhead_cost) - INSTANT, 0), factor = least(l, 1, latency_factor);
  tutti_limits limits = {.combining = b->speed > 0 ? 1 / b->speed : 0, .outs = b->outs, .ins = b->ins};
  limits.within = (tutti_spread){least_flight(l, factor), overhead};
  limits.sending = l->from > 0 ? least(l, 1, overhead_byte) : 0;
  limits.apart =
      fmin(b->near_bandwidth > 0 ? b->near_latency : INFINITY, b->bandwidth > 0 ? b->latency : INFINITY) * factor -
      MAX_TOGETHER;
  limits.moving = l->per_byte / widest(b);
  if (b->bandwidth <= 0)
    return limits;
  const double latency = overhead + b->latency * factor - MAX_TOGETHER, out = gap_of(l, b->out), in = gap_of(l, b->in),
               flight = fmax(b->latency * factor + least(l, b->bandwidth, wire_cost) - MAX_TOGETHER, 0);
  limits.first = latency;
  limits.wire = (tutti_spread){fmax(latency, -out), out};
  limits.into = (tutti_spread){fmax(latency, -in), in};
  limits.processor = (tutti_spread){flight, overhead / b->machine->ranks_per_node};
  return limits;
}

static void add_levels(const struct limiting *l, tutti_limits *limits)
{
  const struct machine_bounds *b = l->b;
  for (int i = 0; i < b->level_count; i++) {
    const struct bound_level *level = &b->levels[i];
    limits->levels[limits->level_count++] =
        (tutti_limit_level){.byte = port_byte(l, level->links), level->least, level->pairs, level->root};
  }
}

/* ---- the scheme occ ---- */

static int count_bits(unsigned number)
{
  int bits = 0;
  for (; number; number &= number - 1)
    bits++;
  return bits;
}

/* Messages of Bruck's barrier, in whose round k a rank sends to the rank 2^k further, that come one after the other
   once the last rank has begun it. Messages that wait for their receiver are those of all its own rounds; others have
   been sent to it, and it is those on the shortest way from it to the farthest rank. */
static int barrier_hops(unsigned ranks, bool eager)
{
  unsigned all = 1;
  int most = 0, rounds = 0;
  for (; all < ranks; all *= 2)
    rounds++;
  for (unsigned distance = 1; distance < ranks; distance++) {
    const int bits = count_bits(distance), around = distance + ranks < all ? count_bits(distance + ranks) : bits,
              hops = bits < around ? bits : around;
    most = hops > most ? hops : most;
  }
  return eager ? most : rounds;
}

tutti_status tutti_machine_bounds_occ(struct machine_bounds *b, int launch, tutti_error *error)
{
  struct engine_start start = {0};
  const struct start_key key = {.kind = START_BEHIND_BARRIER, .rank_count = (uint32_t)b->ranks, .launch = launch};
  const tutti_status status = tutti_start_find(b->machine, key, &start, error);
  if (status == TUTTI_OK) {
    const struct limiting l = {.b = b, .from = 0, .to = 0};
    const tutti_limits limits = limits_of(&l);
    b->barrier = fmax(start.barrier - barrier_hops((unsigned)b->ranks, b->machine->detached > 0) *
                                          (limits.within.base + limits.within.gap),
                      0);
  }
  tutti_start_free(&start);
  return status;
}

static tutti_certificate lower(tutti_certificate certificate, double seconds)
{
  for (int i = 0; i < TUTTI_TERMS; i++)
    certificate.terms[i] = fmax(certificate.terms[i] - seconds, 0);
  certificate.seconds = certificate.terms[certificate.binding];
  return certificate;
}

/* Of all data of the collective, which no message has more of. */
static double most_blocks(tutti_collective collective, double ranks)
{
  switch (collective) {
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return ranks * ranks;
  case TUTTI_COLL_BCAST:
  case TUTTI_COLL_REDUCE:
  case TUTTI_COLL_ALLREDUCE:
  case TUTTI_COLL_SCAN:
  case TUTTI_COLL_EXSCAN:
    return 1;
  default:
    return ranks;
  }
}

tutti_certificate tutti_machine_certify(struct machine_bounds *b, tutti_collective collective, uint64_t bytes)
{
  const bool inward =
      collective == TUTTI_COLL_GATHER || collective == TUTTI_COLL_GATHERV || collective == TUTTI_COLL_REDUCE;
  const tutti_demand demand = {collective, b->ranks, b->machine->ranks_per_node, b->root, bytes};
  struct limiting l = {.b = b, .from = collective == TUTTI_COLL_BARRIER ? 0 : 1};
  l.to = fmax((double)bytes * most_blocks(collective, b->ranks), l.from);
  l.per_byte = l.from > 0 ? least(&l, 1, wire_byte) * (1 - b->machine->tolerance) : 0;
  for (int node = 0; node < b->nodes; node++) {
    b->outs[node] = port_byte(&l, b->out[node]);
    b->ins[node] = port_byte(&l, b->in[node]);
  }
  tutti_limits limits = limits_of(&l);
  limits.farthest = inward ? b->farthest_from : b->farthest_to;
  add_levels(&l, &limits);
  return lower(tutti_certify(&demand, &limits), b->barrier);
}
