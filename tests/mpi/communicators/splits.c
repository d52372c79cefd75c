/* Splits of communicators against an oracle. */
#include "bed.h"
#include "tutti/collectives.h"

enum { ROUNDS = 24 };

struct wish {
  int color, key, rank;
};

static int compare(const void *left, const void *right)
{
  const struct wish *a = left, *b = right;
  return a->key != b->key ? (a->key < b->key ? -1 : 1) : a->rank - b->rank;
}

/* Wishes of all @p size ranks of a parent; some want none. */
static struct wish *draw_wishes(struct bed *bed, int size)
{
  struct wish *wishes = malloc((size_t)size * sizeof *wishes);
  int colors = 1 + (int)random_below(&bed->seed, 5);
  for (int r = 0; r < size; r++) {
    int color = (int)random_below(&bed->seed, (uint64_t)colors + 1);
    wishes[r] = (struct wish){color == colors ? MPI_UNDEFINED : 3 * color, (int)random_below(&bed->seed, 7) - 3, r};
  }
  return wishes;
}

/* Ranks of the parent. */
static struct expected expect(struct wish *wishes, int size, const struct expected *parent)
{
  struct wish own = wishes[parent->rank];
  struct expected group = {malloc((size_t)size * sizeof(int)), 0, -1};
  qsort(wishes, (size_t)size, sizeof *wishes, compare);
  for (int i = 0; i < size && own.color != MPI_UNDEFINED; i++)
    if (wishes[i].color == own.color) {
      if (wishes[i].rank == own.rank)
        group.rank = group.size;
      group.members[group.size++] = parent->members[wishes[i].rank];
    }
  return group;
}

static tutti_comm *split(struct bed *bed, tutti_comm *parent, const char *what)
{
  tutti_comm *made;
  struct expected members = members_of(parent);
  struct wish *wishes = draw_wishes(bed, members.size);
  struct wish own = wishes[members.rank];
  must(bed, tutti_comm_split(parent, own.color, own.key, &made, &bed->error));
  struct expected group = expect(wishes, members.size, &members);
  expect_members(bed, made, &group, what);
  free(wishes);
  free(group.members);
  free(members.members);
  return made;
}

/* Draw as much as the others do, who may be in a parent of another size. */
static void split_child(struct bed *bed, tutti_comm *parent, tutti_comm **made)
{
  uint64_t seed = bed->seed;
  tutti_context context = tutti_comm_context(parent);
  bed->seed ^= (uint64_t)context.leader << 32 ^ (uint64_t)context.index; /* the same for all members */
  *made = split(bed, parent, "split of a split");
  bed->seed = seed;
}

/* ---- a split whose messages do not arrive ---- */

static bool gathers_fail;

__typeof__(tutti_gather) __real_tutti_gather, __wrap_tutti_gather;

tutti_status __wrap_tutti_gather(const tutti_method *method, const void *input, uint64_t input_count,
                                 MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                                 int root, const tutti_view *view, tutti_error *error)
{
  if (gathers_fail)
    return tutti_fail(error, TUTTI_ERR_MPI, "no gather");
  return __real_tutti_gather(method, input, input_count, input_type, output, output_count, output_type, root, view,
                             error);
}

static void test_failure(struct bed *bed)
{
  tutti_comm *made = NULL;
  meet(bed, bed->world); /* simulated processes have one variable */
  gathers_fail = true;
  tutti_status status = tutti_comm_split(bed->world, 0, 0, &made, &bed->error);
  meet(bed, bed->world);
  gathers_fail = false;
  check(&bed->checks, status == TUTTI_ERR_MPI && !made, "process %d: a split without its messages: status %d",
        bed->rank, (int)status);
}

void test_splits(struct bed *bed)
{
  test_failure(bed);
  for (int round = 0; round < ROUNDS; round++) {
    tutti_comm *comms[4] = {split(bed, bed->world, "split"), NULL, split(bed, bed->world, "second split"), NULL};
    if (comms[0])
      split_child(bed, comms[0], &comms[1]);
    if (comms[2])
      split_child(bed, comms[2], &comms[3]);
    use_all(bed, comms, 4);
    for (int i = 0; i < 4; i++) {
      int other = round % 2 ? i : 3 - i;
      must(bed, tutti_comm_free(&comms[other], &bed->error));
    }
  }
}
