/* Optima of an alltoall: blocks on shortest ways. In r rounds a rank reaches by h messages, one after the other, no
   more ranks than there are choices of h rounds, so its blocks take at least what the shortest choices take together.
   Ranks that all send to the rank so far behind them in a round, as in the index algorithms of Bruck et al. 1997, meet
   that. */
#include <stdlib.h>

#include "algorithms/analysis/optimum.h"

enum { RANKS = TUTTI_OPTIMUM_RANKS };

/* Messages that the blocks of a rank take at least. */
static int least_messages(int ranks, int rounds)
{
  int left = ranks - 1, messages = 0, choices = 1;
  for (int hops = 1; left > 0; hops++) {
    choices = choices * (rounds - hops + 1) / hops;
    const int reached = choices < left ? choices : left;
    messages += hops * reached;
    left -= reached;
  }
  return messages;
}

/* The fewest of the @p rounds, by distance, whose shifts sum up to it; 0: none do. */
static void find_ways(int ranks, const int *shifts, int rounds, unsigned *ways)
{
  for (int distance = 0; distance < ranks; distance++)
    ways[distance] = 0;
  for (unsigned way = 1; way < 1u << rounds; way++) {
    int distance = 0;
    for (int t = 0; t < rounds; t++)
      distance += way >> t & 1 ? shifts[t] : 0;
    distance %= ranks;
    if (distance > 0 && (!ways[distance] || __builtin_popcount(way) < __builtin_popcount(ways[distance])))
      ways[distance] = way;
  }
}

static void record(const int *shifts, const unsigned *ways, tutti_optimum *o)
{
  for (int t = 0; t < o->rounds; t++) {
    uint8_t what = 0;
    for (int distance = 1; distance < o->ranks; distance++)
      what |= (uint8_t)((ways[distance] >> t & 1) << distance);
    o->sizes[t] = __builtin_popcount(what) * o->blocks;
    for (int r = 0; r < o->ranks; r++) {
      o->from[t][r] = (int8_t)((r - shifts[t] + o->ranks) % o->ranks);
      o->what[t][r] = what;
    }
  }
}

/* By shifts that grow from round to round. */
static bool find(tutti_optimum *o)
{
  for (unsigned chosen = 0; chosen < 1u << (o->ranks - 1); chosen++) {
    int shifts[RANKS], count = 0, messages = 0, reached = 0;
    unsigned ways[RANKS];
    if (__builtin_popcount(chosen) != o->rounds)
      continue;
    for (int shift = 1; shift < o->ranks; shift++)
      if (chosen >> (shift - 1) & 1)
        shifts[count++] = shift;
    find_ways(o->ranks, shifts, count, ways);
    for (int distance = 1; distance < o->ranks; distance++) {
      messages += __builtin_popcount(ways[distance]);
      reached += ways[distance] != 0;
    }
    if (reached == o->ranks - 1 && messages * o->blocks == o->volume) {
      record(shifts, ways, o);
      return true;
    }
  }
  return false;
}

void tutti_alltoall_optima_find(int ranks, int blocks, tutti_optima *optima)
{
  optima->proven = true;
  for (int rounds = 1; rounds < ranks; rounds++) {
    tutti_optimum *o = &optima->items[optima->count];
    if (1 << rounds < ranks)
      continue;
    *o = (tutti_optimum){
        .ranks = ranks, .blocks = blocks, .rounds = rounds, .volume = blocks * least_messages(ranks, rounds)};
    const bool found = find(o);
    optima->count += found;
    optima->proven = optima->proven && found;
  }
}

/* Each rank has one block of each distance between source and destination at a time. */
void tutti_alltoall_optimum_build(const tutti_optimum *o, const tutti_call *call, tutti_builder *builder)
{
  tutti_block at[RANKS];
  tutti_vertex_id ready[RANKS];
  const int own = call->rank;
  for (int distance = 0; distance < o->ranks; distance++) {
    at[distance] = tutti_input_block(call, (own + distance) % o->ranks);
    ready[distance] = TUTTI_NO_VERTEX;
  }
  tutti_add_copy(builder, at[0], tutti_output_block(call, own));
  for (int t = 0; t < o->rounds; t++) {
    const int from = o->from[t][own], to = (2 * own - from + o->ranks) % o->ranks;
    for (int distance = 1; distance < o->ranks; distance++) {
      if (!(o->what[t][own] >> distance & 1))
        continue;
      bool last = true;
      for (int later = t + 1; later < o->rounds; later++)
        last = last && !(o->what[later][own] >> distance & 1);
      tutti_add_after(builder, tutti_add_send(builder, to, at[distance]), ready[distance]);
      at[distance] = last ? tutti_output_block(call, (own - distance + o->ranks) % o->ranks)
                          : tutti_block_of(tutti_builder_temporary(builder, call->count), 0, call->count);
      ready[distance] = tutti_add_recv(builder, from, at[distance]);
    }
  }
}
