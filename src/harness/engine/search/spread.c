#include "harness/engine/search/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"

/* A hop looks at so many chunks for the one that the fewest ranks have, within so many entries of the log. */
enum { CHOICES = 8, LOOKED_AT = 64 };

/* Something to do: a hop that is to be matched, or, from `hops` on, a move that arrives. */
struct event {
  double time;
  uint64_t order; /* of events at the same time */
  uint32_t what;
};

struct log {
  TUTTI_VECTOR(uint32_t); /* chunks of a rank as they came */
};

struct spreading {
  const struct spread_request *request;
  const struct fabric *fabric;
  struct moves *moves;
  uint32_t words;         /* of a set of chunks */
  uint64_t *has, *coming; /* [ranks][words]: what a rank has; what it has or is being sent */
  uint64_t *host_coming;  /* [hosts][words]: the same of the ranks of a host together */
  uint32_t *copies;       /* [chunks] ranks that have it, or are being sent it */
  struct log *logs;       /* [ranks] */
  uint32_t *cursors;      /* [hops] entries of the log that are there already */
  bool *idle;             /* [hops] waits for a chunk */
  double *free_at;        /* [links] */
  double *rank_free;      /* [ranks] its processor */
  struct {
    TUTTI_VECTOR(struct event); /* a heap */
  } events;
  uint64_t serial;
  uint64_t arrived; /* chunks */
  double now, end;
};

/* ---- events ---- */

static bool comes_before(const struct event *a, const struct event *b)
{
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void push_event(struct spreading *s, double time, uint32_t what)
{
  const uint64_t number = s->serial++, seed = s->request->seed;
  const struct event event = {time, seed == 0 ? number : tutti_splitmix64(seed + number), what};
  tutti_xpush(&s->events, event);
  size_t at = s->events.count - 1;
  for (struct event *heap = s->events.items; at > 0 && comes_before(&event, &heap[(at - 1) / 2]); at = (at - 1) / 2) {
    heap[at] = heap[(at - 1) / 2];
    heap[(at - 1) / 2] = event;
  }
}

static struct event pop_event(struct spreading *s)
{
  struct event *heap = s->events.items;
  const struct event first = heap[0], last = heap[--s->events.count];
  const size_t count = s->events.count;
  size_t at = 0;
  for (size_t child = 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && comes_before(&heap[child + 1], &heap[child]);
    if (!comes_before(&heap[child], &last))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return first;
}

/* ---- chunks ---- */

static bool is_in(const struct spreading *s, const uint64_t *sets, uint32_t rank, uint32_t chunk)
{
  return sets[(size_t)rank * s->words + chunk / 64] >> chunk % 64 & 1;
}

static void put_in(const struct spreading *s, uint64_t *sets, uint32_t rank, uint32_t chunk)
{
  sets[(size_t)rank * s->words + chunk / 64] |= UINT64_C(1) << chunk % 64;
}

static uint32_t host_of(const struct spreading *s, uint32_t rank)
{
  return rank / (uint32_t)s->fabric->machine->ranks_per_node;
}

/* Whether the other end of a hop is to get it from elsewhere. */
static bool is_served(const struct spreading *s, const struct hop *hop, uint32_t chunk)
{
  const uint32_t host = host_of(s, hop->to);
  return s->request->once && host != host_of(s, hop->from) ? is_in(s, s->host_coming, host, chunk)
                                                           : is_in(s, s->coming, hop->to, chunk);
}

static bool can_move(const struct spreading *s, const struct hop *hop, uint32_t chunk)
{
  return chunk < s->request->chunks && is_in(s, s->has, hop->from, chunk) && !is_served(s, hop, chunk);
}

static void set_coming(const struct spreading *s, uint32_t rank, uint32_t chunk)
{
  put_in(s, s->coming, rank, chunk);
  put_in(s, s->host_coming, host_of(s, rank), chunk);
  s->copies[chunk]++;
}

/* The message with a chunk and those beside it that the other end lacks, too. */
static struct move extend(const struct spreading *s, const struct hop *hop, uint32_t chunk)
{
  struct move move = {(int32_t)hop->from, (int32_t)hop->to, chunk, 1};
  while (move.count < s->request->batch && can_move(s, hop, move.first + move.count))
    move.count++;
  while (move.count < s->request->batch && move.first > 0 && can_move(s, hop, move.first - 1)) {
    move.first--;
    move.count++;
  }
  return move;
}

/* Of the first chunks that came and the other end lacks: the rarest, or the longest message, of those the rarest. No
   chunks: it lacks none. */
static struct move pick_move(struct spreading *s, uint32_t number)
{
  const struct hop *hop = &s->fabric->items[number];
  const struct log *log = &s->logs[hop->from];
  uint32_t *cursor = &s->cursors[number], best = ENGINE_NONE;
  struct move picked = {.count = 0};
  while (*cursor < log->count && is_served(s, hop, log->items[*cursor]))
    ++*cursor;
  int seen = 0;
  for (uint32_t i = *cursor; i < log->count && i < *cursor + LOOKED_AT && seen < CHOICES; i++) {
    const uint32_t chunk = log->items[i];
    if (is_served(s, hop, chunk))
      continue;
    seen++;
    const struct move move = s->request->longest ? extend(s, hop, chunk) : picked;
    if (best == ENGINE_NONE || move.count > picked.count ||
        (move.count == picked.count && s->copies[chunk] < s->copies[best])) {
      best = chunk;
      picked = move;
    }
  }
  return best == ENGINE_NONE || s->request->longest ? picked : extend(s, hop, best);
}

/* ---- hops ---- */

/* When its rank and all its links are free. */
static double free_time(const struct spreading *s, const struct hop *hop)
{
  double time = s->rank_free[hop->from];
  for (uint32_t i = 0; i < hop->count; i++)
    time = fmax(time, s->free_at[s->fabric->links.items[hop->first + i]]);
  return time;
}

/* As the engine has it: overhead of the sender, latency, the bytes at the rate of the slowest link. Turned round, the
   processor of the sender combines, and the overhead is that of the other end. */
static void start_move(struct spreading *s, uint32_t number, struct move move)
{
  static const double envelope = 16;
  const struct engine_machine *m = s->fabric->machine;
  const struct hop *hop = &s->fabric->items[number];
  const uint64_t bytes = move.count * s->request->chunk_bytes;
  const double size = (double)bytes + envelope, factor = tutti_pieces_factor(&m->bandwidth_factor, size);
  const double overhead = tutti_pieces_overhead(&m->send_overhead, (double)bytes);
  const bool reversed = s->request->combining > 0;
  const double start = s->now + (reversed ? s->request->combining * (double)bytes : overhead);
  const double latency = hop->latency * tutti_pieces_factor(&m->latency_factor, size);
  double arrival = start + latency + size / (hop->bandwidth * factor);
  if (bytes < m->detached)
    arrival += tutti_pieces_overhead(&m->receive_overhead, (double)bytes);
  if (reversed) {
    arrival += overhead;
    s->rank_free[hop->to] = fmax(s->rank_free[hop->to], s->now) + overhead;
  }
  for (uint32_t i = 0; i < hop->count; i++) {
    const uint32_t link = s->fabric->links.items[hop->first + i];
    s->free_at[link] = start + size / (tutti_network_kind(&m->network, link)->bandwidth * factor);
  }
  s->rank_free[hop->from] = start;
  for (uint32_t i = 0; i < move.count; i++)
    set_coming(s, hop->to, move.first + i);
  push_event(s, arrival, (uint32_t)(s->fabric->count + s->moves->count));
  tutti_xpush(s->moves, move);
  push_event(s, s->request->serial ? arrival : free_time(s, hop), number);
}

static void try_hop(struct spreading *s, uint32_t number)
{
  const double time = free_time(s, &s->fabric->items[number]);
  if (time > s->now) {
    push_event(s, time, number);
    return;
  }
  const struct move move = pick_move(s, number);
  if (move.count > 0)
    start_move(s, number, move);
  else
    s->idle[number] = true;
}

static void add_chunk(struct spreading *s, uint32_t rank, uint32_t chunk)
{
  put_in(s, s->has, rank, chunk);
  tutti_xpush(&s->logs[rank], chunk);
}

/* Hops that waited for a chunk go on, those that come late later. */
static void wake_hops(struct spreading *s, uint32_t rank)
{
  for (uint32_t h = s->fabric->first[rank]; h < s->fabric->first[rank + 1]; h++)
    if (s->idle[h]) {
      s->idle[h] = false;
      push_event(s, s->now + (s->request->delays ? (double)s->request->delays[h] : 0), h);
    }
}

static void arrive(struct spreading *s, const struct move *move)
{
  for (uint32_t i = 0; i < move->count; i++)
    add_chunk(s, (uint32_t)move->to, move->first + i);
  s->arrived += move->count;
  s->end = s->now;
  wake_hops(s, (uint32_t)move->to);
}

/* ---- all ---- */

static void begin(struct spreading *s)
{
  const size_t ranks = (size_t)s->fabric->ranks, hops = s->fabric->count;
  s->has = tutti_xcalloc(ranks * s->words, sizeof *s->has);
  s->coming = tutti_xcalloc(ranks * s->words, sizeof *s->coming);
  s->host_coming = tutti_xcalloc(ranks * s->words, sizeof *s->host_coming);
  s->copies = tutti_xcalloc(s->request->chunks, sizeof *s->copies);
  s->logs = tutti_xcalloc(ranks, sizeof *s->logs);
  s->cursors = tutti_xcalloc(hops + 1, sizeof *s->cursors);
  s->idle = tutti_xcalloc(hops + 1, sizeof *s->idle);
  s->free_at = tutti_xcalloc((size_t)s->fabric->machine->network.link_count + 1, sizeof *s->free_at);
  s->rank_free = tutti_xcalloc(ranks, sizeof *s->rank_free);
  for (uint32_t c = 0; c < s->request->chunks; c++) {
    const int root = s->request->root;
    const uint32_t owner = (uint32_t)(root >= 0 ? root : move_owner(c, s->request->chunks, s->fabric->ranks));
    set_coming(s, owner, c);
    add_chunk(s, owner, c);
  }
  for (size_t h = 0; h < hops; h++)
    s->idle[h] = true;
  for (uint32_t r = 0; r < ranks; r++)
    wake_hops(s, r);
}

static void end(struct spreading *s)
{
  for (int r = 0; r < s->fabric->ranks; r++)
    tutti_vector_free(&s->logs[r]);
  free(s->has);
  free(s->coming);
  free(s->host_coming);
  free(s->copies);
  free(s->logs);
  free(s->cursors);
  free(s->idle);
  free(s->free_at);
  free(s->rank_free);
  tutti_vector_free(&s->events);
}

bool tutti_search_spread(const struct spread_request *request, struct moves *moves, double *seconds)
{
  struct spreading s = {
      .request = request, .fabric = request->fabric, .moves = moves, .words = (request->chunks + 63) / 64};
  const uint64_t wanted = (uint64_t)request->chunks * (uint64_t)(request->fabric->ranks - 1);
  moves->count = 0;
  begin(&s);
  while (s.events.count > 0 && s.arrived < wanted) {
    const struct event event = pop_event(&s);
    s.now = event.time;
    if (event.what < s.fabric->count)
      try_hop(&s, event.what);
    else
      arrive(&s, &moves->items[event.what - s.fabric->count]);
  }
  *seconds = s.end;
  end(&s);
  return s.arrived == wanted;
}

void tutti_moves_reverse(struct moves *moves)
{
  for (size_t i = 0, j = moves->count; i < j--; i++) {
    const struct move first = moves->items[i], last = moves->items[j];
    moves->items[i] = (struct move){last.to, last.from, last.first, last.count};
    moves->items[j] = (struct move){first.to, first.from, first.first, first.count};
  }
}
