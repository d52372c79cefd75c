#include "harness/engine/search/exchange.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"

/* A rank looks at so many of its receivers for one whose route is free. */
enum { RECEIVERS = 16, RELAYS = 32 };

struct task {
  uint32_t to, chunk; /* chunk: of which pair it is */
  uint32_t links;
  uint64_t mixed;
};

struct sender {
  double time; /* when it tries next */
  struct task *tasks;
  uint32_t first, count;
};

struct exchanging {
  const struct exchange_request *request;
  uint32_t ranks;
  struct sender *senders;  /* [ranks] */
  uint32_t *heap, waiting; /* [ranks] senders with something to send, the earliest first */
  double *free_at;         /* [links] */
  uint32_t *relays;        /* [ranks][ranks] by which a pair without a route goes; its receiver: there is a route */
  double end;
};

/* ---- ways of pairs ---- */

static bool find_route(const struct exchanging *e, uint32_t from, uint32_t to, struct engine_route *route)
{
  return tutti_fabric_route(e->request->machine, e->request->broken, from, to, route);
}

/* A rank, of numbers near that of the receiver, over which the way is the shortest; ENGINE_NONE: there is none. */
static uint32_t find_relay(const struct exchanging *e, uint32_t from, uint32_t to)
{
  uint32_t best = ENGINE_NONE, seen = 0;
  int least = 0;
  for (uint32_t i = 1; i < e->ranks && seen < RELAYS; i++) {
    const uint32_t relay = (to + (i % 2 ? (i + 1) / 2 : e->ranks - i / 2)) % e->ranks;
    struct engine_route one, other;
    if (relay == from || relay == to || !find_route(e, from, relay, &one) || !find_route(e, relay, to, &other))
      continue;
    seen++;
    if (best == ENGINE_NONE || one.forth + other.forth < least) {
      best = relay;
      least = one.forth + other.forth;
    }
  }
  return best;
}

/* *relayed: some pair has no route. False: nor is there a way over one other rank. */
static bool find_ways(struct exchanging *e, bool *relayed)
{
  struct engine_route route;
  *relayed = false;
  for (uint32_t from = 0; from < e->ranks; from++)
    for (uint32_t to = 0; to < e->ranks; to++) {
      uint32_t *relay = &e->relays[(size_t)from * e->ranks + to];
      *relay = to;
      if (from == to || find_route(e, from, to, &route))
        continue;
      *relay = find_relay(e, from, to);
      *relayed = true;
      if (*relay == ENGINE_NONE)
        return false;
    }
  return true;
}

/* ---- what a rank sends ---- */

static int compare_tasks(const void *left, const void *right)
{
  const struct task *a = left, *b = right;
  if (a->links != b->links)
    return a->links > b->links ? -1 : 1;
  return a->mixed < b->mixed ? -1 : a->mixed > b->mixed;
}

static void add_task(const struct exchanging *e, uint32_t from, uint32_t to, uint32_t chunk)
{
  const struct exchange_request *r = e->request;
  struct sender *sender = &e->senders[from];
  struct engine_route route = {.forth = 0};
  if (r->far_first)
    find_route(e, from, to, &route);
  sender->tasks = tutti_xroom(sender->tasks, sender->count, sizeof *sender->tasks);
  sender->tasks[sender->count] =
      (struct task){to, chunk, (uint32_t)route.forth, r->seed ? tutti_splitmix64(r->seed + chunk) : sender->count};
  sender->count++;
}

/* The first part of the way of each pair, or the second one of those that have two. */
static void list_tasks(struct exchanging *e, bool second)
{
  for (uint32_t r = 0; r < e->ranks; r++)
    e->senders[r] = (struct sender){.time = e->senders[r].time};
  for (uint32_t from = 0; from < e->ranks; from++)
    for (uint32_t i = 1; i < e->ranks; i++) {
      const uint32_t to = (from + i) % e->ranks, relay = e->relays[(size_t)from * e->ranks + to];
      if (!second)
        add_task(e, from, relay, from * e->ranks + to);
      else if (relay != to)
        add_task(e, relay, to, from * e->ranks + to);
    }
  e->waiting = 0;
  for (uint32_t r = 0; r < e->ranks; r++)
    if (e->senders[r].count > 0) {
      qsort(e->senders[r].tasks, e->senders[r].count, sizeof(struct task), compare_tasks);
      e->heap[e->waiting++] = r;
    }
}

/* ---- senders, the earliest first ---- */

static bool is_earlier(const struct exchanging *e, uint32_t a, uint32_t b)
{
  const double one = e->senders[a].time, other = e->senders[b].time;
  return one != other ? one < other : a < b;
}

/* The first of the heap tries later than before, or has nothing more to send. */
static void sink(struct exchanging *e)
{
  uint32_t *heap = e->heap, at = 0;
  if (e->senders[heap[0]].count == 0)
    heap[0] = heap[--e->waiting];
  for (uint32_t child = 1; child < e->waiting; child = 2 * at + 1) {
    child += child + 1 < e->waiting && is_earlier(e, heap[child + 1], heap[child]);
    if (!is_earlier(e, heap[child], heap[at]))
      return;
    const uint32_t moved = heap[at];
    heap[at] = heap[child];
    heap[child] = moved;
    at = child;
  }
}

/* ---- messages ---- */

static double free_time(const struct exchanging *e, const struct engine_route *route)
{
  double time = 0;
  for (int i = 0; i < route->forth; i++)
    if (!tutti_network_kind(&e->request->machine->network, route->links[i])->fat_pipe)
      time = fmax(time, e->free_at[route->links[i]]);
  return time;
}

static void start(struct exchanging *e, struct sender *sender, const struct engine_route *route)
{
  static const double envelope = 16;
  const struct engine_machine *m = e->request->machine;
  const double size = (double)e->request->bytes + envelope, factor = tutti_pieces_factor(&m->bandwidth_factor, size);
  const double begin = sender->time + tutti_pieces_overhead(&m->send_overhead, (double)e->request->bytes);
  for (int i = 0; i < route->forth; i++) {
    const double end = begin + size / (tutti_network_kind(&m->network, route->links[i])->bandwidth * factor);
    e->free_at[route->links[i]] = end;
    e->end = fmax(e->end, end + route->latency);
  }
  sender->time = begin;
}

/* Send to the first receiver whose route is free, of those that a rank looks at, else wait for the first one. */
static void try_sender(struct exchanging *e, uint32_t rank, struct moves *moves)
{
  struct sender *sender = &e->senders[rank];
  struct task *tasks = sender->tasks + sender->first;
  double earliest = INFINITY;
  for (uint32_t i = 0; i < sender->count && i < RECEIVERS; i++) {
    struct engine_route route;
    const struct task task = tasks[i];
    if (!find_route(e, rank, task.to, &route))
      continue;
    const double time = free_time(e, &route);
    earliest = fmin(earliest, time);
    if (time > sender->time)
      continue;
    for (; i > 0; i--) /* those before it stay in their order */
      tasks[i] = tasks[i - 1];
    sender->first++;
    sender->count--;
    tutti_xpush(moves, (struct move){.from = (int32_t)rank, .to = (int32_t)task.to, .first = task.chunk, .count = 1});
    start(e, sender, &route);
    return;
  }
  sender->time = earliest;
}

static void send_all(struct exchanging *e, bool second, struct moves *moves)
{
  list_tasks(e, second);
  while (e->waiting > 0) {
    try_sender(e, e->heap[0], moves);
    sink(e);
  }
  for (uint32_t r = 0; r < e->ranks; r++)
    free(e->senders[r].tasks);
}

bool tutti_search_exchange(const struct exchange_request *request, struct moves *moves, double *seconds)
{
  const size_t ranks = (size_t)request->ranks, links = request->machine->network.link_count;
  struct exchanging e = {.request = request,
                         .ranks = (uint32_t)request->ranks,
                         .senders = tutti_xcalloc(ranks, sizeof *e.senders),
                         .heap = tutti_xcalloc(ranks, sizeof *e.heap),
                         .free_at = tutti_xcalloc(links + 1, sizeof *e.free_at),
                         .relays = tutti_xcalloc(ranks * ranks, sizeof *e.relays)};
  bool relayed;
  moves->count = 0;
  const bool routed = find_ways(&e, &relayed);
  if (routed)
    send_all(&e, false, moves);
  if (routed && relayed)
    send_all(&e, true, moves);
  *seconds = e.end;
  free(e.senders);
  free(e.heap);
  free(e.free_at);
  free(e.relays);
  return routed;
}
