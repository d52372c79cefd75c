/* From an optimum of an allreduce to schedules: a rank keeps what it receives, and combines what it sends from that. */
#include "algorithms/analysis/optimum.h"

/* The own operand, what is received, and what is combined to be sent in a round. */
enum { MAX_HELD = 2 + 2 * TUTTI_OPTIMUM_ROUNDS };

struct held {
  unsigned part; /* the set of ranks whose operands are summed up */
  tutti_block block;
  tutti_vertex_id ready;
};

/* What a rank has of a block. */
struct shelf {
  struct held held[MAX_HELD];
  int count;
};

/* The fewest that sum up to a part. */
static unsigned choose(const struct shelf *shelf, unsigned part)
{
  unsigned best = 0;
  for (unsigned chosen = 1; chosen < 1u << shelf->count; chosen++) {
    unsigned sum = 0;
    bool apart = !best || __builtin_popcount(chosen) < __builtin_popcount(best);
    for (int i = 0; i < shelf->count && apart; i++)
      if (chosen >> i & 1) {
        apart = !(sum & shelf->held[i].part);
        sum |= shelf->held[i].part;
      }
    if (apart && sum == part)
      best = chosen;
  }
  return best;
}

static struct held *keep(struct shelf *shelf, unsigned part, tutti_block block, tutti_vertex_id ready)
{
  shelf->held[shelf->count] = (struct held){part, block, ready};
  return &shelf->held[shelf->count++];
}

/* Combined in @p target. */
static tutti_vertex_id combine(struct shelf *shelf, unsigned chosen, tutti_block target, tutti_builder *builder)
{
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (int i = 0; i < shelf->count; i++)
    if (chosen >> i & 1) {
      const struct held *held = &shelf->held[i];
      const tutti_vertex_id vertex = last == TUTTI_NO_VERTEX ? tutti_add_copy(builder, held->block, target)
                                                             : tutti_add_reduce(builder, held->block, target);
      tutti_add_after(builder, vertex, held->ready);
      tutti_add_after(builder, vertex, last);
      last = vertex;
    }
  return last;
}

static tutti_block temporary(tutti_builder *builder, uint64_t count)
{
  return tutti_block_of(tutti_builder_temporary(builder, count), 0, count);
}

static void send(struct shelf *shelf, int receiver, unsigned part, tutti_builder *builder)
{
  const uint64_t count = shelf->held[0].block.count;
  const unsigned chosen = choose(shelf, part);
  const struct held *held = NULL;
  for (int i = 0; i < shelf->count; i++)
    held = chosen == 1u << i ? &shelf->held[i] : held;
  if (!held) {
    const tutti_block target = temporary(builder, count);
    const tutti_vertex_id ready = combine(shelf, chosen, target, builder);
    held = keep(shelf, part, target, ready);
  }
  tutti_add_after(builder, tutti_add_send(builder, receiver, held->block), held->ready);
}

void tutti_allreduce_optimum_build(const tutti_optimum *o, const tutti_call *call, tutti_builder *builder)
{
  const int own = call->rank;
  for (int block = 0; block < o->blocks; block++) {
    struct shelf shelf = {.count = 0};
    keep(&shelf, 1u << own, tutti_optimum_block(o, call, block, TUTTI_INPUT), TUTTI_NO_VERTEX);
    for (int t = 0; t < o->rounds; t++) {
      for (int r = 0; r < o->ranks; r++)
        if (o->from[t][r] == own && o->what[t][r] >> block & 1)
          send(&shelf, r, o->parts[t][r][block], builder);
      if (o->what[t][own] >> block & 1) {
        const tutti_block received = temporary(builder, shelf.held[0].block.count);
        keep(&shelf, o->parts[t][own][block], received, tutti_add_recv(builder, o->from[t][own], received));
      }
    }
    const unsigned all = (1u << o->ranks) - 1;
    combine(&shelf, choose(&shelf, all), tutti_optimum_block(o, call, block, TUTTI_OUTPUT), builder);
  }
}
