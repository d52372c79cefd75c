#include "algorithms/bcast/pieces.h"

struct pieces tutti_pieces(const tutti_call *call, int parts)
{
  uint64_t length = (call->count + (uint64_t)parts - 1) / (uint64_t)parts;
  int v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  return (struct pieces){call, parts, length, v};
}

int tutti_pieces_rank(const struct pieces *pieces, int v)
{
  return (int)(((int64_t)v + pieces->call->root) % pieces->call->size);
}

static uint64_t offset(const struct pieces *pieces, int block)
{
  uint64_t at = (uint64_t)block * pieces->length;
  return at < pieces->call->count ? at : pieces->call->count;
}

tutti_block tutti_pieces_range(const struct pieces *pieces, int first, int count)
{
  int end = count < pieces->parts - first ? first + count : pieces->parts;
  uint64_t begin = offset(pieces, first);
  return tutti_block_of(TUTTI_OUTPUT, begin, offset(pieces, end) - begin);
}

/* In the in-order binomial tree the subtree of v has as many ranks as the lowest set bit of v says (all for v = 0). */
int tutti_pieces_span(const struct pieces *pieces, int v)
{
  int rest = pieces->parts - v, lowest = v & -v;
  return v == 0 || rest < lowest ? rest : lowest;
}

static int highest_bit_below(int n)
{
  int bit = 1;
  while (bit <= (n - 1) / 2)
    bit *= 2;
  return bit;
}

tutti_vertex_id tutti_build_pieces_scatter(tutti_builder *builder, const struct pieces *pieces)
{
  int v = pieces->v, lowest = v & -v;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  tutti_block mine = tutti_pieces_range(pieces, v, tutti_pieces_span(pieces, v));
  if (v > 0 && mine.count > 0)
    received = tutti_add_recv(builder, tutti_pieces_rank(pieces, v - lowest), mine);
  for (int bit = v ? lowest / 2 : highest_bit_below(pieces->parts); bit >= 1; bit /= 2) {
    if (bit >= pieces->parts - v)
      continue;
    tutti_block theirs = tutti_pieces_range(pieces, v + bit, tutti_pieces_span(pieces, v + bit));
    if (theirs.count > 0)
      tutti_add_after(builder, tutti_add_send(builder, tutti_pieces_rank(pieces, v + bit), theirs), received);
  }
  return received;
}
