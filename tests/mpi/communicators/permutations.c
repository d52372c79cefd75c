/* Communicators of the same processes in another order, which keep the map of the one they are made from. */
#include "bed.h"

/* A random order, against an oracle. */
static tutti_comm *permute(struct bed *bed, tutti_comm *parent, const char *what)
{
  tutti_comm *made;
  struct expected members = members_of(parent);
  struct expected order = draw_group(bed, members.size, members.rank, members.size);
  must(bed, tutti_comm_permute(parent, order.rank, &made, &bed->error));
  for (int i = 0; i < order.size; i++)
    order.members[i] = members.members[order.members[i]];
  expect_members(bed, made, &order, what);
  free(order.members);
  free(members.members);
  return made;
}

static void refuse(struct bed *bed, tutti_comm *parent, int rank, const char *what)
{
  tutti_comm *made;
  check(&bed->checks, tutti_comm_permute(parent, rank, &made, &bed->error) == TUTTI_ERR_ARGUMENT && !made,
        "process %d: %s is taken for a permutation", bed->rank, what);
}

/* Every other process backwards: twice permuted, used after the parents are gone. */
static void permute_part(struct bed *bed)
{
  tutti_comm *comms[4];
  must(bed, tutti_comm_split(bed->world, bed->rank % 2, -bed->rank, &comms[0], &bed->error));
  int size = tutti_comm_view(comms[0])->size;
  comms[1] = permute(bed, comms[0], "permutation of a part");
  comms[2] = permute(bed, comms[1], "permutation of a permutation");
  must(bed, tutti_comm_range(comms[2], 0, size - 1, &comms[3], &bed->error));
  check(&bed->checks, tutti_map_world(tutti_comm_map(comms[2])) == size,
        "process %d: a permutation of %d has ranks below %d", bed->rank, size,
        tutti_map_world(tutti_comm_map(comms[2])));
  refuse(bed, comms[2], size, "a rank outside");
  if (size > 1)
    refuse(bed, comms[1], 0, "one rank for all");
  use_all(bed, comms, 4);
  for (int i = 0; i < 2; i++)
    must(bed, tutti_comm_free(&comms[i], &bed->error));
  use_all(bed, comms + 2, 2);
  must(bed, tutti_comm_free(&comms[2], &bed->error));
  use_all(bed, comms + 3, 1);
  must(bed, tutti_comm_free(&comms[3], &bed->error));
}

void test_permutations(struct bed *bed)
{
  uint64_t seed = bed->seed; /* two parts may draw differently */
  permute_part(bed);
  bed->seed = seed;
  tutti_comm *all = permute(bed, bed->world, "permutation of all"), *again = permute(bed, all, "another of all");
  refuse(bed, bed->world, -1, "a rank below 0");
  use_all(bed, &all, 1);
  must(bed, tutti_comm_free(&all, &bed->error));
  use_all(bed, &again, 1);
  must(bed, tutti_comm_free(&again, &bed->error));
}
