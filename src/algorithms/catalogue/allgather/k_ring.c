/* Allgather by rings of k ranks, also of irregular blocks (Wilkins et al., Generalized Collective Algorithms for the
   Exascale Era, CLUSTER 2023; the order of the rounds is ours): the ranks form g groups of k consecutive ones. The
   blocks of one group after the other go around the ring of each group; in between, each rank passes the block that
   it had first of them on to its counterpart in the next group. With k the ranks of a node only g - 1 of the P - 1
   rounds leave the nodes.

       P = 6, k = 3:   0 -> 1 -> 2 -> 0, 3 -> 4 -> 5 -> 3 twice;   0 -> 3 -> 0, 1 -> 4 -> 1, 2 -> 5 -> 2 once;
                       then the rings again with what arrived

   If k does not divide P, the largest smaller divisor is used instead: on a prime number of ranks this is the ring.
   Needs no temporary: blocks arrive where they belong. Cost (Hockney): (P - 1) (alpha + beta m) for blocks of m bytes.
 */
#include "algorithms/catalogue/builders.h"

struct rings {
  tutti_builder *builder;
  const tutti_call *call;
  int k, groups, group, member;
  tutti_vertex_id *brought; /* [P] what brought a block: none, it is the own one */
};

static int wrap(int64_t number, int size)
{
  return (int)((number % size + size) % size);
}

/* The rank of a member of a group, both counted around. */
static int rank_of(const struct rings *r, int64_t group, int64_t member)
{
  return wrap(group, r->groups) * r->k + wrap(member, r->k);
}

static void pass(struct rings *r, int block, int to, int got, int from)
{
  tutti_block outgoing = tutti_output_block(r->call, block), incoming = tutti_output_block(r->call, got);
  if (block == r->call->rank)
    outgoing = tutti_block_of(TUTTI_INPUT, 0, outgoing.count);
  if (outgoing.count > 0)
    tutti_add_after(r->builder, tutti_add_send(r->builder, to, outgoing), r->brought[block]);
  if (incoming.count > 0)
    r->brought[got] = tutti_add_recv(r->builder, from, incoming);
}

/* The blocks of the group `back` groups before the own one. */
static void build_phase(struct rings *r, int back)
{
  int64_t a = r->group, j = r->member;
  if (back > 0)
    pass(r, rank_of(r, a - back + 1, j), rank_of(r, a + 1, j), rank_of(r, a - back, j), rank_of(r, a - 1, j));
  for (int u = 0; u < r->k - 1; u++)
    pass(r, rank_of(r, a - back, j - u), rank_of(r, a, j + 1), rank_of(r, a - back, j - 1 - u), rank_of(r, a, j - 1));
}

void tutti_build_allgather_k_ring(tutti_builder *builder, const tutti_call *call)
{
  struct rings r = {.builder = builder, .call = call, .k = call->parameters.k};
  tutti_block own = tutti_output_block(call, call->rank);
  if (r.k > call->size)
    r.k = call->size;
  while (call->size % r.k)
    r.k--;
  r.groups = call->size / r.k;
  r.group = call->rank / r.k;
  r.member = call->rank % r.k;
  if (own.count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, own.count), own);
  r.brought = tutti_builder_scratch(builder, (size_t)call->size * sizeof *r.brought);
  for (int i = 0; r.brought && i < call->size; i++)
    r.brought[i] = TUTTI_NO_VERTEX;
  for (int back = 0; r.brought && back < r.groups; back++)
    build_phase(&r, back);
}
