#include "algorithms/bcast/scatter.h"

struct scatter tutti_scatter(const tutti_call *call, int parts)
{
  uint64_t length = (call->count + (uint64_t)parts - 1) / (uint64_t)parts;
  int v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  return (struct scatter){call, parts, length, v};
}

int tutti_scatter_rank(const struct scatter *scatter, int v)
{
  return (int)(((int64_t)v + scatter->call->root) % scatter->call->size);
}

static uint64_t offset(const struct scatter *scatter, int block)
{
  uint64_t at = (uint64_t)block * scatter->length;
  return at < scatter->call->count ? at : scatter->call->count;
}

tutti_block tutti_scatter_blocks(const struct scatter *scatter, int first, int count)
{
  int end = count < scatter->parts - first ? first + count : scatter->parts;
  uint64_t begin = offset(scatter, first);
  return tutti_block_of(TUTTI_OUTPUT, begin, offset(scatter, end) - begin);
}

/* In the in-order binomial tree the subtree of v has as many ranks as the lowest set bit of v says (all for v = 0). */
int tutti_scatter_span(const struct scatter *scatter, int v)
{
  int rest = scatter->parts - v, lowest = v & -v;
  return v == 0 || rest < lowest ? rest : lowest;
}

static int highest_bit_below(int n)
{
  int bit = 1;
  while (bit <= (n - 1) / 2)
    bit *= 2;
  return bit;
}

tutti_vertex_id tutti_build_scatter(tutti_builder *builder, const struct scatter *scatter)
{
  int v = scatter->v, lowest = v & -v;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  tutti_block mine = tutti_scatter_blocks(scatter, v, tutti_scatter_span(scatter, v));
  if (v > 0 && mine.count > 0)
    received = tutti_add_recv(builder, tutti_scatter_rank(scatter, v - lowest), mine);
  for (int bit = v ? lowest / 2 : highest_bit_below(scatter->parts); bit >= 1; bit /= 2) {
    if (bit >= scatter->parts - v)
      continue;
    tutti_block theirs = tutti_scatter_blocks(scatter, v + bit, tutti_scatter_span(scatter, v + bit));
    if (theirs.count > 0)
      tutti_add_after(builder, tutti_add_send(builder, tutti_scatter_rank(scatter, v + bit), theirs), received);
  }
  return received;
}
