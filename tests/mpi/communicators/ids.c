/* Context ids: used again, and exhausted. */
#include "bed.h"

enum { TIMES = 1000 };

/* More than all bits of a small world. */
static void test_recycling(struct bed *bed)
{
  int greatest = 0;
  for (int i = 0; i < TIMES; i++) {
    tutti_comm *made;
    must(bed, tutti_comm_split(bed->world, 0, i % 3 ? bed->rank : -bed->rank, &made, &bed->error));
    tutti_context context = tutti_comm_context(made);
    greatest = context.index > greatest ? context.index : greatest;
    must(bed, tutti_comm_free(&made, &bed->error));
  }
  check(&bed->checks, greatest == 0, "process %d: index %d, though all before were freed", bed->rank, greatest);
}

static int compare(const void *left, const void *right)
{
  return memcmp(left, right, 2 * sizeof(int));
}

/* No two of the contexts of a group are the same. */
static void expect_distinct(struct bed *bed, tutti_comm **comms, int count)
{
  int(*ids)[2] = malloc((size_t)count * sizeof *ids), same = 0;
  for (int i = 0; i < count; i++) {
    tutti_context context = tutti_comm_context(comms[i]);
    ids[i][0] = context.leader;
    ids[i][1] = context.index;
  }
  qsort(ids, (size_t)count, sizeof *ids, compare);
  for (int i = 1; i < count; i++)
    same += compare(ids[i - 1], ids[i]) == 0;
  check(&bed->checks, same == 0, "process %d: %d context ids twice", bed->rank, same);
  free(ids);
}

/* Members 0 .. size - 1 until nobody can lead another; then one is freed, and one more is possible. */
static void exhaust(struct bed *bed, int size)
{
  int most = size * TUTTI_LEADER_CONTEXTS, color = bed->rank < size ? 1 : MPI_UNDEFINED;
  tutti_comm **comms = calloc((size_t)most + 1, sizeof *comms);
  for (int i = 0; i < most; i++)
    must(bed, tutti_comm_split(bed->world, color, 0, &comms[i], &bed->error));
  tutti_status status = tutti_comm_split(bed->world, color, 0, &comms[most], &bed->error);
  if (bed->rank < size) {
    check(&bed->checks, status == TUTTI_ERR_UNSUPPORTED && !comms[most] && strstr(bed->error.message, "64 contexts"),
          "process %d: communicator %d of %d processes: %s", bed->rank, most, size, bed->error.message);
    expect_distinct(bed, comms, most);
    must(bed, tutti_comm_free(&comms[most / 2], &bed->error));
  } else {
    check(&bed->checks, status == TUTTI_OK, "process %d: %s", bed->rank, bed->error.message);
  }
  must(bed, tutti_comm_split(bed->world, color, 0, &comms[most / 2], &bed->error));
  use_all(bed, &comms[most / 2], 1);
  for (int i = 0; i < most; i++)
    must(bed, tutti_comm_free(&comms[(i * 37) % most], &bed->error));
  free(comms);
}

void test_ids(struct bed *bed)
{
  test_recycling(bed);
  for (int size = 2; size <= 3 && size <= bed->size; size++)
    exhaust(bed, size);
}
