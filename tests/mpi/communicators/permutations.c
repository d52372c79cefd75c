/* Communicators of the same processes in another order, which keep the map of the one they are made from. */
#include "bed.h"

/* Ranks of one in the other, both ways. @param order  rank in @p parent of every rank of @p made */
static void expect_order(struct bed *bed, const tutti_comm *parent, const tutti_comm *made,
                         const struct expected *order)
{
  tutti_map_relation relation, expected = TUTTI_MAP_IDENT;
  int wrong = 0;
  for (int i = 0; i < order->size; i++) {
    int there = -1, back = -1;
    must(bed, tutti_comm_translate(made, &i, 1, parent, &there, &bed->error));
    must(bed, tutti_comm_translate(parent, &order->members[i], 1, made, &back, &bed->error));
    wrong += there != order->members[i] || back != i;
    expected = order->members[i] == i ? expected : TUTTI_MAP_SIMILAR;
  }
  must(bed, tutti_comm_compare(parent, made, &relation, &bed->error));
  check(&bed->checks, wrong == 0 && relation == expected,
        "process %d: %d ranks of a permutation are translated wrongly, relation %d in place of %d", bed->rank, wrong,
        relation, expected);
}

/* A random order, against an oracle. */
static tutti_comm *permute(struct bed *bed, tutti_comm *parent, const char *what)
{
  tutti_comm *made;
  struct expected members = members_of(parent);
  struct expected order = draw_group(bed, members.size, members.rank, members.size);
  must(bed, tutti_comm_permute(parent, order.rank, &made, &bed->error));
  expect_order(bed, parent, made, &order);
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
