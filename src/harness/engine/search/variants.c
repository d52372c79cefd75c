#include "harness/engine/search/variants.h"

#include <stdlib.h>

#include "base/clock.h"
#include "harness/engine/search/exchange.h"

enum {
  MAX_CHUNKS = 32767,  /* of MSCCL */
  MAX_MOVES = 4 << 20, /* of a phase */
  MIN_CHUNK = 256,     /* bytes, where a message is cut */
};

/* Matching a move is a part of simulating a message. */
static const double MATCHING = 0.05;

/* ---- a variant as a schedule ---- */

static uint64_t bytes_of(const struct search_request *request)
{
  const bool blocks = tutti_collective_traits(request->collective) & TUTTI_HAS_BLOCKS;
  return request->count * request->type_size * (blocks ? (uint64_t)request->ranks : 1);
}

bool tutti_variants_exchange(const struct search_request *request)
{
  return request->collective == TUTTI_COLL_ALLTOALL;
}

bool tutti_variants_need(const struct search_request *request, int way)
{
  const bool reduces = tutti_collective_traits(request->collective) & TUTTI_REDUCES;
  return way == 0 ? !reduces || request->collective == TUTTI_COLL_ALLREDUCE : reduces;
}

/* Seconds a byte that a rank combines. */
static double combining_of(const struct engine_machine *machine)
{
  const double speed = tutti_processor_of(machine, 0).speed;
  return speed > 0 ? 1 / speed : 0;
}

/* The owner of all chunks; -1: they are spread evenly. */
static int root_of(const struct search_request *request, const struct variant *v)
{
  return tutti_collective_traits(request->collective) & TUTTI_HAS_ROOT && !v->gathered ? request->root : -1;
}

static bool match_way(const struct searching *s, const struct variant *v, int way, struct moves *moves, double *seconds)
{
  const struct search_request *request = s->search->request;
  const uint64_t bytes = bytes_of(request) / v->chunks;
  const struct spread_request spread = {.fabric = &s->fabrics.ways[way][v->reach],
                                        .chunks = v->chunks,
                                        .root = root_of(request, v),
                                        .chunk_bytes = bytes > 0 ? bytes : 1,
                                        .batch = v->batch,
                                        .longest = v->longest,
                                        .once = v->once,
                                        .serial = v->window == 1,
                                        .seed = v->seed,
                                        .combining = way == 1 ? combining_of(request->machine) : 0,
                                        .delays = s->delays[way]};
  const bool whole = tutti_search_spread(&spread, moves, seconds);
  s->search->work += MATCHING * (double)moves->count;
  return whole;
}

/* Messages of the way back that cost more in copies than two messages are two. */
static void split_moves(const struct search_request *request, const struct variant *v, struct moves *moves)
{
  const struct engine_machine *machine = request->machine;
  const double bytes = (double)(bytes_of(request) / v->chunks);
  const struct split_request split = {.ranks = request->ranks,
                                      .root = root_of(request, v),
                                      .chunks = v->chunks,
                                      .copy_s = bytes * machine->copy_cost * combining_of(machine),
                                      .message_s = tutti_pieces_overhead(&machine->send_overhead, bytes)};
  tutti_moves_split(moves, &split);
}

static bool match_exchange(const struct searching *s, const struct variant *v, struct moves *moves, double *seconds)
{
  const struct search_request *request = s->search->request;
  const struct exchange_request exchange = {.ways = &s->ways,
                                            .balanced = v->balanced,
                                            .bytes = request->count * request->type_size,
                                            .far_first = v->reach == FABRIC_FAR,
                                            .seed = v->seed};
  tutti_search_exchange(&exchange, moves, seconds);
  s->search->work += MATCHING * (double)moves->count;
  return true;
}

/* False: ranks could not be reached. *seconds by the matching. */
bool tutti_variant_match(const struct searching *s, const struct variant *v, struct synthesis *synthesis,
                         double *seconds)
{
  const struct search_request *request = s->search->request;
  const double begun = tutti_clock(CLOCK_THREAD_CPUTIME_ID);
  struct moves moves[2] = {{0}};
  bool whole = true;
  *seconds = 0;
  for (int way = 0; way < 2 && whole; way++) {
    double part = 0;
    if (tutti_variants_need(request, way))
      whole = (tutti_variants_exchange(request) ? match_exchange(s, v, &moves[way], &part)
                                                : match_way(s, v, way, &moves[way], &part));
    *seconds += part;
  }
  tutti_moves_reverse(&moves[1]);
  if (v->batch > 1)
    split_moves(request, v, &moves[1]);
  tutti_synthesis_make(synthesis, request->collective, request->ranks, request->root, v->chunks, v->gathered, &moves[1],
                       &moves[0]);
  synthesis->window = v->window;
  synthesis->outstanding = v->outstanding;
  const double spent = tutti_clock(CLOCK_THREAD_CPUTIME_ID) - begun;
  if (s->search->result->matched++ == 0)
    s->search->result->match_s = spent;
  s->search->result->matching_s += spent;
  return whole;
}

/* ---- which variants ---- */

static bool can_cut(const struct search_request *request, uint64_t chunks)
{
  const bool blocks = tutti_collective_traits(request->collective) & TUTTI_HAS_BLOCKS;
  const uint64_t ranks = (uint64_t)request->ranks, bytes = bytes_of(request);
  const bool whole = blocks ? request->count % (chunks / ranks) == 0 : request->count % chunks == 0;
  return whole && chunks <= MAX_CHUNKS && chunks * ranks <= MAX_MOVES &&
         (bytes / chunks >= MIN_CHUNK || chunks == (blocks ? ranks : 1));
}

/* Numbers of chunks from few to many. */
static int list_chunks(const struct search_request *request, uint32_t chunks[])
{
  const bool blocks = tutti_collective_traits(request->collective) & TUTTI_HAS_BLOCKS;
  const uint64_t ranks = (uint64_t)request->ranks;
  int count = 0;
  for (uint64_t c = blocks ? ranks : 1; c <= MAX_CHUNKS && count < 6; c *= blocks || c >= ranks ? 2 : 4) {
    const uint64_t tried = !blocks && c < ranks && 4 * c > ranks && can_cut(request, ranks) ? ranks : c;
    if (can_cut(request, tried))
      chunks[count++] = (uint32_t)tried;
    c = tried;
  }
  return count;
}

/* With messages of up to so many chunks: windows, chunks once to a host, long messages first, gathered. */
static void add_batch(struct searching *s, struct variant v)
{
  const struct search_request *request = s->search->request;
  const bool hosts = request->machine->ranks_per_node > 1 && request->ranks > request->machine->ranks_per_node;
  for (int gathered = request->collective == TUTTI_COLL_REDUCE; gathered >= 0; gathered--)
    for (int longest = v.batch > 1; longest >= 0; longest--)
      for (int once = 0; once <= hosts; once++)
        for (v.window = 0; v.window < 3; v.window++) {
          v.gathered = gathered;
          v.longest = longest;
          v.once = once;
          tutti_xpush(&s->variants, (struct matched){.variant = v});
        }
}

static void add_variants(struct searching *s, uint32_t chunks)
{
  static const uint32_t batches[] = {1, 4, 16, 71}; /* a step of MSCCL has 71 chunks */
  for (int reach = 0; reach < FABRIC_REACHES; reach++)
    for (size_t b = 0; b < sizeof batches / sizeof *batches && (b == 0 || batches[b - 1] < chunks); b++)
      add_batch(s, (struct variant){.chunks = chunks,
                                    .batch = batches[b],
                                    .reach = (enum fabric_reach)reach,
                                    .seed = s->search->request->seed});
}

/* A relay is worth its message where the link with the most to carry gets less by more than this. */
static const double WORTH_A_RELAY = 0.99;

/* Of an alltoall: how many messages of a rank are under way. */
static void add_exchanges(struct searching *s)
{
  static const uint32_t outstanding[] = {0, 1, 2, 4, 8, 16, 32};
  const uint32_t ranks = (uint32_t)s->search->request->ranks;
  const int balanced = tutti_ways_load(&s->ways, 1) < WORTH_A_RELAY * tutti_ways_load(&s->ways, 0);
  for (int relays = balanced; relays >= 0; relays--)
    for (int reach = 0; reach < FABRIC_REACHES; reach++)
      for (size_t i = 0; i < sizeof outstanding / sizeof *outstanding && outstanding[i] < ranks; i++)
        tutti_xpush(&s->variants, (struct matched){.variant = {.chunks = ranks,
                                                               .batch = 1,
                                                               .reach = (enum fabric_reach)reach,
                                                               .outstanding = outstanding[i],
                                                               .balanced = relays,
                                                               .seed = s->search->request->seed}});
}

static int compare_matched(const void *left, const void *right)
{
  const struct matched *a = left, *b = right;
  return a->seconds < b->seconds ? -1 : a->seconds > b->seconds;
}

/* Match all variants, as far as work is left, the fastest first. */
void tutti_variants_match(struct searching *s, double limit)
{
  size_t matched = 0;
  for (size_t i = 0; i < s->variants.count && (i == 0 || s->search->work < limit); i++) {
    struct synthesis synthesis;
    struct matched *m = &s->variants.items[i];
    s->search->request->progress("matching", (double)i / (double)s->variants.count);
    if (tutti_variant_match(s, &m->variant, &synthesis, &m->seconds))
      s->variants.items[matched++] = *m;
    tutti_synthesis_free(&synthesis);
  }
  s->variants.count = matched;
  tutti_vector_sort(&s->variants, compare_matched);
}

tutti_status tutti_variants_list(struct searching *s)
{
  const struct search_request *request = s->search->request;
  uint32_t chunks[8];
  if (tutti_variants_exchange(request)) {
    add_exchanges(s);
    return TUTTI_OK;
  }
  const int count = list_chunks(request, chunks);
  for (int i = 0; i < count; i++)
    add_variants(s, chunks[i]);
  return count > 0 ? TUTTI_OK
                   : tutti_fail(s->search->error, TUTTI_ERR_ARGUMENT,
                                "%llu elements for %d ranks cannot be cut into at most %d chunks",
                                (unsigned long long)request->count, request->ranks, MAX_CHUNKS);
}
