/* Ranks of one communicator in another, and whether two have the same members. */
#include "bed.h"

static tutti_map_relation relation_of(struct bed *bed, const tutti_comm *a, const tutti_comm *b)
{
  tutti_map_relation relation = TUTTI_MAP_UNEQUAL;
  must(bed, tutti_comm_compare(a, b, &relation, &bed->error));
  return relation;
}

/* All in order, all backwards, and every other process. */
void test_relations(struct bed *bed)
{
  tutti_comm *same, *backwards, *half;
  must(bed, tutti_comm_split(bed->world, 0, bed->rank, &same, &bed->error));
  must(bed, tutti_comm_split(bed->world, 0, -bed->rank, &backwards, &bed->error));
  must(bed, tutti_comm_split(bed->world, bed->rank % 2, bed->rank, &half, &bed->error));
  check(&bed->checks, relation_of(bed, bed->world, same) == TUTTI_MAP_IDENT, "process %d: not the same", bed->rank);
  check(&bed->checks,
        relation_of(bed, same, backwards) == (bed->size > 1 ? TUTTI_MAP_SIMILAR : TUTTI_MAP_IDENT) &&
            relation_of(bed, backwards, half) == (bed->size > 1 ? TUTTI_MAP_UNEQUAL : TUTTI_MAP_IDENT),
        "process %d: all, all backwards and a half are not told apart", bed->rank);

  int wrong = 0;
  for (int r = 0; r < bed->size; r++) {
    int ranks[] = {r, -1}, in_half[2] = {0}, back[2] = {0};
    int mirrored = bed->size - 1 - r; /* the process with rank r of all backwards */
    must(bed, tutti_comm_translate(backwards, ranks, 2, half, in_half, &bed->error));
    must(bed, tutti_comm_translate(backwards, ranks, 2, bed->world, back, &bed->error));
    wrong += in_half[0] != (mirrored % 2 == bed->rank % 2 ? mirrored / 2 : -1) || in_half[1] != -1;
    wrong += back[0] != mirrored || back[1] != -1;
  }
  check(&bed->checks, wrong == 0, "process %d: %d ranks are translated wrongly", bed->rank, wrong);
  int outside = bed->size, nothing;
  check(&bed->checks, tutti_comm_translate(same, &outside, 1, half, &nothing, &bed->error) == TUTTI_ERR_ARGUMENT,
        "process %d: a rank that is none is translated", bed->rank);
  must(bed, tutti_comm_free(&half, &bed->error));
  must(bed, tutti_comm_free(&backwards, &bed->error));
  must(bed, tutti_comm_free(&same, &bed->error));
}
