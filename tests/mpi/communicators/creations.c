/* Groups that all members have: procedure 2, and nonblocking creation with many outstanding. */
#include "bed.h"

enum { ROUNDS = 12, OUTSTANDING = TUTTI_CONTEXT_TAGS / 4 };

static tutti_map *map_of(struct bed *bed, const struct expected *group, int world)
{
  tutti_map *map;
  must(bed, tutti_map_create(TUTTI_MAP_ARRAY, group->members, group->size, world, NULL, &map, &bed->error));
  return map;
}

/* From ranks of a parent to those of the context pool. */
static void translate(struct expected *group, const tutti_view *parent)
{
  for (int i = 0; i < group->size; i++)
    group->members[i] = tutti_view_base_rank(parent, group->members[i]);
}

static struct expected draw_part(struct bed *bed, const tutti_view *parent)
{
  return draw_group(bed, parent->size, parent->rank, 1 + (int)random_below(&bed->seed, (uint64_t)parent->size));
}

static tutti_comm *create(struct bed *bed, tutti_comm *parent, const char *what)
{
  const tutti_view *view = tutti_comm_view(parent);
  struct expected group = draw_part(bed, view);
  tutti_comm *made = NULL;
  if (group.rank >= 0) {
    tutti_map *map = map_of(bed, &group, view->size);
    must(bed, tutti_comm_create(parent, map, &made, &bed->error));
    tutti_map_free(map);
  }
  translate(&group, view);
  expect_members(bed, made, &group, what);
  free(group.members);
  return made;
}

void test_creations(struct bed *bed)
{
  for (int round = 0; round < ROUNDS; round++) {
    tutti_comm *comms[4] = {create(bed, bed->world, "creation"), create(bed, bed->world, "second creation")};
    uint64_t seed = bed->seed;
    if (comms[0])
      comms[2] = create(bed, comms[0], "creation in a creation");
    if (comms[2])
      comms[3] = create(bed, comms[2], "creation in that");
    bed->seed = seed + 1;
    use_all(bed, comms, 4);
    for (int i = 0; i < 4; i++)
      must(bed, tutti_comm_free(&comms[i], &bed->error));
  }
}

/* ---- nonblocking ---- */

struct batch {
  struct expected groups[OUTSTANDING];
  tutti_map *maps[OUTSTANDING];
  tutti_comm *comms[OUTSTANDING];
};

/* Not ascending, so that it is no range. */
static struct expected draw_unordered(struct bed *bed, const tutti_view *parent)
{
  struct expected group = draw_part(bed, parent);
  if (group.size < 2 || group.members[0] > group.members[1])
    return group;
  int first = group.members[0];
  group.members[0] = group.members[1];
  group.members[1] = first;
  group.rank = group.rank == 0 || group.rank == 1 ? 1 - group.rank : group.rank;
  return group;
}

static void begin(struct bed *bed, tutti_comm *parent, struct batch *batch)
{
  const tutti_view *view = tutti_comm_view(parent);
  for (int i = 0; i < OUTSTANDING; i++) {
    batch->groups[i] = draw_unordered(bed, view);
    batch->maps[i] = map_of(bed, &batch->groups[i], view->size);
    batch->comms[i] = NULL;
    /* A group of one is a range, which has the same id once more. */
    if (batch->groups[i].rank >= 0 && batch->groups[i].size > 1)
      must(bed, tutti_icomm_create_group(parent, batch->maps[i], i, &batch->comms[i], &bed->error));
  }
}

/* Some are waited for, backwards, and some asked for. */
static void complete(struct bed *bed, struct batch *batch)
{
  for (int i = OUTSTANDING - 1; i >= 0; i--) {
    bool done = i % 2 == 0;
    if (batch->comms[i] && done)
      must(bed, tutti_comm_wait(batch->comms[i], &bed->error));
    while (batch->comms[i] && !done)
      must(bed, tutti_comm_test(batch->comms[i], &done, &bed->error));
  }
}

static void end(struct bed *bed, const tutti_view *parent, struct batch *batch, int round)
{
  for (int i = 0; i < OUTSTANDING; i++) {
    translate(&batch->groups[i], parent);
    if (batch->groups[i].size > 1)
      expect_members(bed, batch->comms[i], &batch->groups[i], "nonblocking creation");
  }
  use_all(bed, batch->comms, OUTSTANDING);
  for (int i = 0; i < OUTSTANDING; i++) {
    int other = (5 * i + round) % OUTSTANDING; /* 5 and 8 have no common divisor */
    must(bed, tutti_comm_free(&batch->comms[other], &bed->error));
    tutti_map_free(batch->maps[other]);
    free(batch->groups[other].members);
  }
}

/* A communicator that is not yet created can be neither used nor freed. */
static void misuse(struct bed *bed, struct batch *batch)
{
  for (int i = 0; i < OUTSTANDING; i++)
    if (batch->comms[i] && !tutti_comm_view(batch->comms[i]))
      check(&bed->checks, tutti_comm_free(&batch->comms[i], &bed->error) == TUTTI_ERR_ARGUMENT && batch->comms[i],
            "process %d: freed what is not yet created", bed->rank);
}

static void test_batch(struct bed *bed, tutti_comm *parent, struct batch *batch, int round)
{
  begin(bed, parent, batch);
  misuse(bed, batch);
  complete(bed, batch);
  end(bed, tutti_comm_view(parent), batch, round);
}

void test_outstanding(struct bed *bed)
{
  struct batch *batch = malloc(sizeof *batch);
  tutti_comm *turned;
  must(bed, tutti_comm_split(bed->world, 0, -bed->rank, &turned, &bed->error));
  for (int round = 0; round < ROUNDS; round++)
    test_batch(bed, round % 2 ? turned : bed->world, batch, round);
  must(bed, tutti_comm_free(&turned, &bed->error));
  free(batch);
}
