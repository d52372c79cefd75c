/* Ranges: made without a message, in one another, many times. */
#include "bed.h"

enum { TIMES = 10000, DEPTH = 8 };

static void test_many(struct bed *bed)
{
  const tutti_view *world = tutti_comm_view(bed->world);
  int wrong = 0;
  for (int i = 0; i < TIMES; i++) {
    int first = (int)random_below(&bed->seed, (uint64_t)bed->rank + 1);
    int last = bed->rank + (int)random_below(&bed->seed, (uint64_t)(bed->size - bed->rank));
    tutti_comm *range;
    must(bed, tutti_comm_range(bed->world, first, last, &range, &bed->error));
    const tutti_view *view = tutti_comm_view(range);
    wrong += view->size != last - first + 1 || view->rank != bed->rank - first ||
             tutti_view_base_rank(view, 0) != tutti_view_base_rank(world, first);
    const tutti_context id = tutti_comm_context(range);
    wrong += id.first != first || id.last != last || id.count != 1;
    must(bed, tutti_comm_free(&range, &bed->error));
  }
  check(&bed->checks, wrong == 0, "process %d: %d ranges are wrong", bed->rank, wrong);
}

/* The halves that the process is in, each in the one before; the whole once more at each step. */
static void test_nested(struct bed *bed, tutti_comm *parent)
{
  tutti_comm *comms[2 * DEPTH] = {NULL}, *outer = parent;
  int count = 0;
  for (int d = 0; d < DEPTH; d++) {
    const tutti_view *view = tutti_comm_view(outer);
    int half = view->size / 2;
    bool low = view->rank < half || half == 0;
    int first = low ? 0 : half, last = low && half ? half - 1 : view->size - 1;
    must(bed, tutti_comm_range(outer, first, last, &comms[count], &bed->error));
    const tutti_view *part = tutti_comm_view(comms[count]);
    check(&bed->checks,
          part->size == last - first + 1 && tutti_view_base_rank(part, part->rank) == bed->rank &&
              tutti_view_base_rank(part, 0) == tutti_view_base_rank(view, first),
          "process %d: a range of a range is wrong", bed->rank);
    outer = comms[count++];
    must(bed, tutti_comm_range(outer, 0, tutti_comm_view(outer)->size - 1, &comms[count], &bed->error));
    outer = comms[count++];
  }
  use_all(bed, comms, count);
  for (int i = 0; i < count; i++) /* outer ones first */
    must(bed, tutti_comm_free(&comms[i], &bed->error));
}

static void test_same(struct bed *bed)
{
  tutti_comm *range, *again = NULL;
  must(bed, tutti_comm_range(bed->world, 0, bed->size - 1, &range, &bed->error));
  check(&bed->checks,
        tutti_comm_range(bed->world, 0, bed->size - 1, &again, &bed->error) == TUTTI_ERR_UNSUPPORTED &&
            strstr(bed->error.message, "same tags") && !again,
        "process %d: one range twice at a time: %s", bed->rank, bed->error.message);
  check(&bed->checks, tutti_comm_range(bed->world, 1, 0, &again, &bed->error) == TUTTI_ERR_ARGUMENT,
        "process %d: an empty range", bed->rank);
  check(&bed->checks, tutti_context_pool_close(bed->contexts, &bed->error) == TUTTI_ERR_ARGUMENT,
        "process %d: closed while a communicator lives", bed->rank);
  must(bed, tutti_comm_free(&range, &bed->error));
  check(&bed->checks, tutti_comm_free(&bed->world, &bed->error) == TUTTI_ERR_ARGUMENT && bed->world,
        "process %d: freed the communicator of the context pool", bed->rank);
}

/* A range of a map keeps it alive. */
static void test_orphan(struct bed *bed)
{
  tutti_comm *turned, *range;
  must(bed, tutti_comm_split(bed->world, 0, bed->rank ^ 1, &turned, &bed->error));
  struct expected members = members_of(turned);
  must(bed, tutti_comm_range(turned, 0, bed->size - 1, &range, &bed->error));
  must(bed, tutti_comm_free(&turned, &bed->error));
  expect_members(bed, range, &members, "a range whose parent is freed");
  use_all(bed, &range, 1);
  free(members.members);
  must(bed, tutti_comm_free(&range, &bed->error));
}

void test_ranges(struct bed *bed)
{
  tutti_comm *turned;
  uint64_t seed = bed->seed;
  test_many(bed);
  bed->seed = seed;
  test_nested(bed, bed->world);
  must(bed, tutti_comm_split(bed->world, 0, -bed->rank, &turned, &bed->error));
  test_nested(bed, turned);
  must(bed, tutti_comm_free(&turned, &bed->error));
  test_same(bed);
  test_orphan(bed);
}
