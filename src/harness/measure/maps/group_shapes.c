/* The groups of Kamal, Mirtaheri, Wagner 2010, figure 5, evenly distributed over the world as the paper asks. It gives
 * their kind (section 8.1), not every member; the rest is chosen here.
 *
 *     decreasing    world - 1, world - 1 - s, ...: a stride s downwards                              (set A)
 *     two-runs      the upper half of 0 .. members - 1, then the lower one                           (B1)
 *     hole          0, s, 2 s, ... without the one in the place of two thirds                        (B2)
 *     ranges        ten ranges, equally far apart                                                    (B3)
 *     range-stride  the first half is 0, 1, 2, ..., the second one a stride over the rest            (set C)
 */
#include "harness/measure/maps/group_shapes.h"

const char *const tutti_shape_names[SHAPES] = {"decreasing", "two-runs", "hole", "ranges", "range-stride"};

enum { RANGES = 10 };

int tutti_shape_capacity(enum shape shape, int world)
{
  switch (shape) {
  case SHAPE_HOLE:
    return world - 1;
  case SHAPE_RANGES:
    return world / RANGES * RANGES;
  default:
    return world;
  }
}

static int strided(int at, int stride, int members)
{
  return at >= 0 && at % stride == 0 && at / stride < members ? at / stride : -1;
}

static int rank_in_two_runs(int members, int process)
{
  int half = members / 2;
  if (process >= members)
    return -1;
  return process >= half ? process - half : process + members - half;
}

static int rank_with_hole(int members, int world, int process)
{
  int hole = members / 3 * 2, place = strided(process, world / (members + 1), members + 1);
  return place == hole ? -1 : place - (place > hole);
}

static int rank_in_ranges(int members, int world, int process)
{
  int every = world / RANGES, length = members / RANGES, range = process / every, at = process % every;
  return range < RANGES && at < length ? range * length + at : -1;
}

static int rank_after_range(int members, int world, int process)
{
  int half = members / 2, rest = members - half;
  if (process < half)
    return process;
  int place = strided(process - half, (world - half) / rest, rest);
  return place < 0 ? -1 : half + place;
}

int tutti_shape_rank(enum shape shape, int members, int world, int process)
{
  switch (shape) {
  case SHAPE_DECREASING:
    return strided(world - 1 - process, world / members, members);
  case SHAPE_TWO_RUNS:
    return rank_in_two_runs(members, process);
  case SHAPE_HOLE:
    return rank_with_hole(members, world, process);
  case SHAPE_RANGES:
    return rank_in_ranges(members, world, process);
  default:
    return rank_after_range(members, world, process);
  }
}
