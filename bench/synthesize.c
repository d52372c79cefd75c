/* bench-synthesize PLATFORM.xml RANKS BYTES: what finding one schedule takes on one core, without timing it: the hops
   of the machine; an allgather of blocks of so many bytes, each a chunk; an alltoall of them. The time of the allgather
   by the matching is beside the least that the slowest rank needs to receive all blocks over all its hops. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "harness/engine/search/exchange.h"

static double now(void)
{
  return tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Bytes a second into a rank over links that no two of its hops share: of each link the bandwidth, once. */
static double receive_rate(const struct fabric *fabric, uint32_t rank)
{
  double rate = 0;
  struct engine_numbers seen = {0};
  for (size_t h = 0; h < fabric->count; h++) {
    const struct hop *hop = &fabric->items[h];
    if (hop->to != rank || hop->count == 0)
      continue;
    const uint32_t last = fabric->links.items[hop->first + hop->count - 1];
    bool known = false;
    for (size_t i = 0; i < seen.count; i++)
      known = known || seen.items[i] == last;
    rate += known ? 0 : hop->bandwidth;
    tutti_xpush(&seen, last);
  }
  tutti_vector_free(&seen);
  return rate;
}

static double least_time(const struct fabric *fabric, uint64_t bytes)
{
  double least = 0;
  for (uint32_t r = 0; r < (uint32_t)fabric->ranks; r++) {
    const double time = (double)(fabric->ranks - 1) * (double)bytes / receive_rate(fabric, r);
    least = time > least ? time : least;
  }
  return least;
}

int main(int argc, char **argv)
{
  struct engine_machine machine;
  struct fabric fabric;
  struct moves moves = {0};
  tutti_error error;
  double seconds = 0;
  const struct broken_links none = {.count = 0};
  if (argc != 4) {
    fprintf(stderr, "usage: bench-synthesize PLATFORM.xml RANKS BYTES\n");
    return 2;
  }
  const int ranks = atoi(argv[2]);
  const uint64_t bytes = strtoull(argv[3], NULL, 10);
  if (tutti_machine_read(argv[1], &machine, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-synthesize: %s\n", error.message);
    return 2;
  }
  double begun = now();
  if (tutti_fabric_make(&machine, &none, ranks, FABRIC_NEAR, false, &fabric, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-synthesize: %s\n", error.message);
    return 2;
  }
  printf("hops %zu in %.4f s", fabric.count, now() - begun);
  begun = now();
  const struct spread_request spread = {
      .fabric = &fabric, .chunks = (uint32_t)ranks, .root = -1, .chunk_bytes = bytes, .batch = 1};
  const bool whole = tutti_search_spread(&spread, &moves, &seconds);
  printf("; allgather %s %zu moves in %.4f s, takes %.1f us, at least %.1f us", whole ? "of" : "fails after",
         moves.count, now() - begun, 1e6 * seconds, 1e6 * least_time(&fabric, bytes));
  begun = now();
  struct ways ways;
  const bool routed = tutti_ways_find(&machine, &none, ranks, &ways);
  if (routed)
    tutti_search_exchange(&(struct exchange_request){.ways = &ways, .bytes = bytes}, &moves, &seconds);
  printf("; alltoall %s %zu in %.4f s, takes %.1f us\n", routed ? "of" : "fails after", moves.count, now() - begun,
         1e6 * seconds);
  tutti_ways_free(&ways);
  tutti_vector_free(&moves);
  tutti_fabric_free(&fabric);
  tutti_machine_free(&machine);
  return 0;
}
