/* 4,100 contexts at once (Kamal, Mirtaheri, Wagner 2010, section 8.1: 41 splits into 100 communicators each). */
#include "bed.h"

enum { SPLITS = 41, GROUPS = 100, CONTEXTS = SPLITS * GROUPS };

static int compare(const void *left, const void *right)
{
  return memcmp(left, right, 2 * sizeof(int));
}

/* The ids that first members name, -1 by all others, are as many as there are groups, and no two are the same. */
static void expect_all_distinct(struct bed *bed, const int (*own)[2])
{
  const size_t bytes = SPLITS * sizeof *own, all = (size_t)bed->size * SPLITS;
  tutti_method gather = method_of(bed, "gather/binomial");
  int(*ids)[2] = malloc(all * sizeof *ids);
  must(bed,
       tutti_gather(&gather, own, bytes, MPI_BYTE, ids, bytes, MPI_BYTE, 0, tutti_comm_view(bed->world), &bed->error));
  size_t distinct = 0;
  qsort(ids, bed->rank == 0 ? all : 0, sizeof *ids, compare);
  for (size_t i = 0; i < all && bed->rank == 0; i++)
    distinct += ids[i][0] >= 0 && (i == 0 || compare(ids[i - 1], ids[i]) != 0);
  check(&bed->checks, bed->rank > 0 || distinct == CONTEXTS, "%zu distinct contexts, not %d", distinct, CONTEXTS);
  free(ids);
}

void test_contexts(struct bed *bed)
{
  tutti_comm **comms = calloc(SPLITS, sizeof *comms);
  int(*ids)[2] = malloc(SPLITS * sizeof *ids);
  for (int i = 0; i < SPLITS; i++) { /* each process with another one each time */
    must(bed, tutti_comm_split(bed->world, (bed->rank + bed->rank / GROUPS * i) % GROUPS, 0, &comms[i], &bed->error));
    tutti_context context = tutti_comm_context(comms[i]);
    bool first = tutti_comm_view(comms[i])->rank == 0;
    ids[i][0] = first ? context.leader : -1;
    ids[i][1] = first ? context.index : -1;
  }
  expect_all_distinct(bed, ids);
  use_all(bed, comms, SPLITS / 2); /* as many as use_all() takes */
  use_all(bed, comms + SPLITS / 2, SPLITS - SPLITS / 2);
  for (int i = 0; i < SPLITS; i++)
    must(bed, tutti_comm_free(&comms[i], &bed->error));
  free(ids);
  free(comms);
}
