/* Recursive doubling allgather, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.5).

   With P a power of two: in step k rank r and rank r XOR 2^k swap all their blocks, those of their groups of 2^k
   neighbors.

       step 0: (0,1) (2,3)    step 1: (0,2) (1,3)

   Otherwise, with Q the largest power of two below P: of the first 2 (P - Q) ranks each odd one is the guest of the
   even one before it, which is its host. The host takes its guest's block, takes part for both, and forwards all
   blocks to the guest as they arrive. A group is still a range of blocks, then two for some of the ranks taking part.

       size 6, Q = 4:    1 -> 0, 3 -> 2    (0,2) (4,5)    (0,4) (2,5)    0 -> 1, 2 -> 3 all the while

   Any number of ranks; the catalogue also lists the algorithm for powers of two alone. Blocks whose order in the
   output is not that of the ranks go through a temporary.
   Cost (Hockney, table 4.6), blocks of m bytes: log2(P) alpha + (P - 1) beta m if P is a power of two, else, for hosts
   that send to partner and guest at once, (floor(log2 P) + 2) alpha + (P - 1) beta m and the last forwarding,
   about P / 2 beta m. */
#include "algorithms/catalogue/allgather/packing.h"
#include "algorithms/catalogue/builders.h"

/* Ranks 0..power-1 that take part: number v represents ranks 2 v and 2 v + 1 if v < guests, else v + guests. */
struct folded {
  int power, guests;
};

/* A range of blocks. */
struct range {
  int first, count;
};

/* Blocks of the group of `width` numbers that v is in. */
static struct range group_of(const struct folded *folded, int v, int width)
{
  int group = v & ~(width - 1), first = tutti_folded_rank(group, folded->guests);
  return (struct range){first, tutti_folded_rank(group + width, folded->guests) - first};
}

static void build_guest(tutti_builder *builder, const struct folded *folded, struct packing *packing)
{
  int rank = packing->call->rank, host = rank - 1, v = host / 2;
  tutti_packing_send(builder, packing, host, rank, 1);
  tutti_packing_receive(builder, packing, host, host, 1);
  for (int width = 1; width < folded->power; width *= 2) {
    struct range theirs = group_of(folded, v ^ width, width);
    tutti_packing_receive(builder, packing, host, theirs.first, theirs.count);
  }
}

/* The partner comes before the guest: others wait for it in turn. */
static void build_host(tutti_builder *builder, const struct folded *folded, struct packing *packing)
{
  int rank = packing->call->rank, guest = rank + 1;
  bool hosts = rank < 2 * folded->guests;
  int v = hosts ? rank / 2 : rank - folded->guests;
  struct range latest = {rank, 1};
  if (hosts)
    tutti_packing_receive(builder, packing, guest, guest, 1);
  for (int width = 1; width < folded->power; width *= 2) {
    int partner = tutti_folded_rank(v ^ width, folded->guests);
    struct range ours = group_of(folded, v, width), theirs = group_of(folded, v ^ width, width);
    tutti_packing_send(builder, packing, partner, ours.first, ours.count);
    if (hosts)
      tutti_packing_send(builder, packing, guest, latest.first, latest.count);
    tutti_packing_receive(builder, packing, partner, theirs.first, theirs.count);
    latest = theirs;
  }
  if (hosts)
    tutti_packing_send(builder, packing, guest, latest.first, latest.count);
}

void tutti_build_allgather_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  struct packing packing;
  int power = tutti_power_up_to(call->size);
  struct folded folded = {power, call->size - power};
  if (!tutti_packing_begin(builder, call, 0, &packing))
    return;
  if (call->rank < 2 * folded.guests && call->rank % 2 == 1)
    build_guest(builder, &folded, &packing);
  else
    build_host(builder, &folded, &packing);
  tutti_packing_end(builder, &packing);
}
