#include "harness/engine/search/exchange.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"

/* A rank looks at so many of its receivers for one whose route is free. */
enum { RECEIVERS = 16 };

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
  const struct ways *ways;
  uint32_t ranks;
  struct sender *senders;  /* [ranks] */
  uint32_t *heap, waiting; /* [ranks] senders with something to send, the earliest first */
  double *free_at;         /* [links] */
  const uint32_t *relays;  /* [ranks][ranks] */
  double size;             /* bytes of a message, as the wire has them */
  double end;
};

/* ---- what a rank sends ---- */

static int compare_tasks(const void *left, const void *right)
{
  const struct task *a = left, *b = right;
  if (a->links != b->links)
    return a->links > b->links ? -1 : 1;
  return a->mixed < b->mixed ? -1 : a->mixed > b->mixed;
}

/* @p first: what others are to pass on, at the beginning. */
static void add_task(const struct exchanging *e, uint32_t from, uint32_t to, uint32_t chunk, bool first)
{
  const struct exchange_request *r = e->request;
  struct sender *sender = &e->senders[from];
  const uint32_t links = r->far_first ? e->ways->lengths[way_index(e->ways, from, to)] : 0;
  sender->tasks = tutti_xroom(sender->tasks, sender->count, sizeof *sender->tasks);
  sender->tasks[sender->count] =
      (struct task){to, chunk, first ? UINT32_MAX : links, r->seed ? tutti_splitmix64(r->seed + chunk) : sender->count};
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
        add_task(e, from, relay, from * e->ranks + to, relay != to);
      else if (relay != to)
        add_task(e, relay, to, from * e->ranks + to, false);
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

static double free_time(const struct exchanging *e, size_t way)
{
  const struct ways *ways = e->ways;
  double time = 0;
  for (uint64_t i = ways->first[way]; i < ways->first[way + 1]; i++)
    time = fmax(time, e->free_at[ways->links.items[i]]);
  return time;
}

static void start(struct exchanging *e, struct sender *sender, size_t way)
{
  const struct ways *ways = e->ways;
  const double begin = sender->time + tutti_pieces_overhead(&ways->machine->send_overhead, (double)e->request->bytes);
  for (uint64_t i = ways->first[way]; i < ways->first[way + 1]; i++) {
    const double end = begin + e->size * ways->byte_s[ways->links.items[i]];
    e->free_at[ways->links.items[i]] = end;
    e->end = fmax(e->end, end + ways->latencies[way]);
  }
  sender->time = begin;
}

/* Send to the receiver whose route is free first, of those that a rank looks at; those before it stay in their order.
 */
static void send_next(struct exchanging *e, uint32_t rank, struct moves *moves)
{
  struct sender *sender = &e->senders[rank];
  struct task *tasks = sender->tasks + sender->first;
  double earliest = INFINITY;
  uint32_t best = 0;
  for (uint32_t i = 0; i < sender->count && i < RECEIVERS && earliest > sender->time; i++) {
    const double time = free_time(e, way_index(e->ways, rank, tasks[i].to));
    if (time < earliest) {
      earliest = time;
      best = i;
    }
  }
  const struct task task = tasks[best];
  for (uint32_t i = best; i > 0; i--)
    tasks[i] = tasks[i - 1];
  sender->first++;
  sender->count--;
  sender->time = fmax(sender->time, earliest);
  tutti_xpush(moves, (struct move){.from = (int32_t)rank, .to = (int32_t)task.to, .first = task.chunk, .count = 1});
  start(e, sender, way_index(e->ways, rank, task.to));
}

static void send_all(struct exchanging *e, bool second, struct moves *moves)
{
  list_tasks(e, second);
  while (e->waiting > 0) {
    send_next(e, e->heap[0], moves);
    sink(e);
  }
  for (uint32_t r = 0; r < e->ranks; r++)
    free(e->senders[r].tasks);
}

void tutti_search_exchange(const struct exchange_request *request, struct moves *moves, double *seconds)
{
  static const double envelope = 16;
  const struct ways *ways = request->ways;
  const struct engine_machine *machine = ways->machine;
  const size_t ranks = ways->ranks;
  const double size = (double)request->bytes + envelope;
  struct exchanging e = {.request = request,
                         .ways = ways,
                         .ranks = ways->ranks,
                         .senders = tutti_xcalloc(ranks, sizeof *e.senders),
                         .heap = tutti_xcalloc(ranks, sizeof *e.heap),
                         .free_at = tutti_xcalloc((size_t)machine->network.link_count + 1, sizeof *e.free_at),
                         .relays = ways->relays[request->balanced],
                         .size = size / tutti_pieces_factor(&machine->bandwidth_factor, size)};
  moves->count = 0;
  send_all(&e, false, moves);
  send_all(&e, true, moves);
  *seconds = e.end;
  free(e.senders);
  free(e.heap);
  free(e.free_at);
}
