/* Neighbor exchange allgather, also of irregular blocks (Chen, Zhang, Zhang, Yuan 2005; Pjesivac-Grbovic 2007, section
   4.1.2 and figure 4.6): a ring in half the steps, because neighbors swap two blocks at a time.

   In step 0 the ranks of each pair (0,1), (2,3), ... swap their blocks. From then on every rank turns to its other
   neighbor in each step and sends it the pair of blocks that it got last, in step 1 that of its own pair.

       size 6:   step 0: (0 1) (2 3) (4 5)    step 1: (1 2) (3 4) (5 0)    step 2: (0 1) (2 3) (4 5)
       rank 0:   block 1 from 1               4 5 from 5                   2 3 from 1

   Needs an even number of ranks. The two blocks of a pair are one message.
   Cost (Hockney, table 4.6): alpha + beta m + (P / 2 - 1) (alpha + 2 beta m) for blocks of m bytes.
 */
#include "algorithms/catalogue/builders.h"

enum { PAIR = 2 };

/* The blocks of a pair, and the vertices that brought them. */
struct pair {
  tutti_block blocks;
  tutti_vertex_id brought[PAIR];
};

static struct pair pair_number(const tutti_call *call, int number)
{
  tutti_block blocks = tutti_output_block(call, PAIR * number);
  blocks.count += tutti_output_block(call, PAIR * number + 1).count;
  return (struct pair){blocks, {TUTTI_NO_VERTEX, TUTTI_NO_VERTEX}};
}

static void send_pair(tutti_builder *builder, int peer, const struct pair *pair)
{
  if (pair->blocks.count == 0)
    return;
  tutti_vertex_id send = tutti_add_send(builder, peer, pair->blocks);
  for (int j = 0; j < PAIR; j++)
    tutti_add_after(builder, send, pair->brought[j]);
}

static void receive_pair(tutti_builder *builder, int peer, struct pair *pair)
{
  if (pair->blocks.count > 0)
    pair->brought[0] = tutti_add_recv(builder, peer, pair->blocks);
}

/* Step 0. Returns the own pair. */
static struct pair swap_blocks(tutti_builder *builder, const tutti_call *call, int peer)
{
  struct pair pair = pair_number(call, call->rank / PAIR);
  tutti_block own = tutti_output_block(call, call->rank), other = tutti_output_block(call, peer);
  tutti_block input = tutti_block_of(TUTTI_INPUT, 0, own.count);
  if (own.count > 0) {
    tutti_add_send(builder, peer, input);
    pair.brought[0] = tutti_add_copy(builder, input, own);
  }
  if (other.count > 0)
    pair.brought[1] = tutti_add_recv(builder, peer, other);
  return pair;
}

/* The right neighbors are the even ranks' partners in steps 0, 2, ..., and those of the odd ones in steps 1, 3, ... In
   step k the pair (k + 1) / 2 to the right arrives from the right, and the same from the left. */
void tutti_build_allgather_neighbor_exchange(tutti_builder *builder, const tutti_call *call)
{
  int size = call->size, rank = call->rank, pairs = size / PAIR;
  int right = rank == size - 1 ? 0 : rank + 1, left = rank == 0 ? size - 1 : rank - 1;
  tutti_builder_reserve(builder, 2 * (uint64_t)size, 2 * (uint64_t)size);
  struct pair latest = swap_blocks(builder, call, rank % 2 == 0 ? right : left);
  for (int k = 1; k < pairs; k++) {
    bool rightward = rank % 2 == k % 2;
    int distance = (k + 1) / 2, number = (rank / PAIR + (rightward ? distance : pairs - distance)) % pairs;
    struct pair incoming = pair_number(call, number);
    send_pair(builder, rightward ? right : left, &latest);
    receive_pair(builder, rightward ? right : left, &incoming);
    latest = incoming;
  }
}
