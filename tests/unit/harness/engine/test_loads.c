/* Bytes on the links of machines that are written by hand, by level. */
#include "harness/engine/machine/loads.h"
#include "unit/test.h"

enum { BYTES = 24 };

static struct link_loads loads_of(const struct engine_machine *machine, tutti_collective collective, const char *name,
                                  int ranks)
{
  struct link_loads loads;
  tutti_method method = tutti_method_default(tutti_algorithm_find(collective, name));
  const tutti_call call = {.size = ranks, .count = BYTES, .type_size = 1, .commutative = true};
  assert_ok(tutti_link_loads(machine, &method, &call, &loads, &error), error);
  return loads;
}

static void expect(const struct link_loads *loads, int level, const char *name, uint64_t messages, uint64_t bytes,
                   uint64_t largest)
{
  assert_true(level < loads->count);
  assert_string_equal(loads->levels[level].name, name);
  assert_int_equal(loads->levels[level].messages, messages);
  assert_int_equal(loads->levels[level].bytes, bytes);
  assert_int_equal(loads->levels[level].largest, largest);
}

static struct engine_machine machine_of(enum topology_kind kind, uint32_t hosts, uint32_t links)
{
  return (struct engine_machine){.ranks_per_node = 1,
                                 .network = {.topology = {.kind = kind, .hosts = hosts},
                                             .host_count = hosts,
                                             .link_count = links,
                                             .backbone = ENGINE_NONE,
                                             .limiters = ENGINE_NONE,
                                             .loopbacks = ENGINE_NONE,
                                             .split_duplex = true,
                                             .kind_count = 1}};
}

/* 4 hosts of two ranks: a pipeline of 8 goes over four links within nodes and three between them, each two cables. */
TEST(test_flat)
{
  struct engine_machine machine = machine_of(TOPOLOGY_FLAT, 4, 9);
  machine.ranks_per_node = 2;
  machine.network.backbone = 8;
  struct link_loads loads = loads_of(&machine, TUTTI_COLL_BCAST, "pipeline", 8);
  assert_int_equal(loads.count, 3);
  expect(&loads, 0, "node", 4, 4 * BYTES, 0);
  expect(&loads, 1, "host", 3, 6 * BYTES, BYTES);
  expect(&loads, 2, "backbone", 3, 3 * BYTES, 3 * BYTES);
}

/* 4 x 2: a pipeline steps along dimension 1 six times; 3 -> 4 goes one step around dimension 1 and one along 2. */
TEST(test_torus)
{
  struct engine_machine machine = machine_of(TOPOLOGY_TORUS, 8, 32);
  machine.network.topology.levels = 2;
  machine.network.topology.sizes[0] = 4;
  machine.network.topology.sizes[1] = 2;
  struct link_loads loads = loads_of(&machine, TUTTI_COLL_BCAST, "pipeline", 8);
  assert_int_equal(loads.count, 3);
  expect(&loads, 1, "dimension 1", 7, 7 * BYTES, BYTES);
  expect(&loads, 2, "dimension 2", 1, BYTES, BYTES);
}

/* Buckets of all four directions at once: every link of a torus with equal sides has the same load. */
TEST(test_bucket_uses_all_links)
{
  struct link_loads loads;
  tutti_method method;
  struct engine_machine machine = machine_of(TOPOLOGY_TORUS, 16, 64);
  machine.network.topology.levels = 2;
  machine.network.topology.sizes[0] = machine.network.topology.sizes[1] = 4;
  assert_int_equal(tutti_method_parse("allreduce/bucket/torus=4x4", &method, &error), TUTTI_OK);
  const tutti_call call = {.size = 16, .count = 4 * 16, .type_size = 1, .commutative = true};
  assert_int_equal(tutti_link_loads(&machine, &method, &call, &loads, &error), TUTTI_OK);
  for (int d = 1; d <= 2; d++) {
    assert_int_equal(loads.levels[d].bytes, 16 * 60); /* half of 16 ranks' 2 * 15 / 16 of the message */
    assert_int_equal(loads.levels[d].largest, 30);    /* of 32 links */
  }
}

/* Trees that share no link: 2 d of them bring each link a 2 d-th of the message from any root, d of them a d-th to half
   of the links; the allreduce by d trees goes up on the other half, and by 2 d trees twice on each. */
TEST(test_torus_trees_share_no_link)
{
  static const struct {
    const char *method;
    int sides[3], dimensions;
    uint64_t largest, sum; /* of 360 bytes */
  } cases[] = {{"bcast/torus-trees/torus=4x3", {4, 3}, 2, 90, 11},
               {"bcast/torus-trees/torus=5x3x4", {5, 3, 4}, 3, 60, 59},
               {"reduce/torus-trees/7B/torus=5x3x4", {5, 3, 4}, 3, 60, 59},
               {"bcast/torus-trees/torus=5x3x4/trees=3", {5, 3, 4}, 3, 120, 59},
               {"bcast/torus-trees/torus=2x3x4", {2, 3, 4}, 3, 120, 23},
               {"allreduce/torus-trees/torus=5x3x4/trees=3", {5, 3, 4}, 3, 120, 2 * 59},
               {"allreduce/torus-trees/7B/torus=5x3x4", {5, 3, 4}, 3, 120, 2 * 59}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int *sides = cases[i].sides, ranks = sides[0] * sides[1] * (cases[i].dimensions > 2 ? sides[2] : 1);
    struct engine_machine machine =
        machine_of(TOPOLOGY_TORUS, (uint32_t)ranks, (uint32_t)(2 * cases[i].dimensions * ranks));
    struct link_loads loads;
    tutti_method method;
    uint64_t sum = 0;
    machine.network.topology.levels = cases[i].dimensions;
    for (int d = 0; d < cases[i].dimensions; d++)
      machine.network.topology.sizes[d] = (uint32_t)sides[d];
    assert_int_equal(tutti_method_parse(cases[i].method, &method, &error), TUTTI_OK);
    const tutti_call call = {.size = ranks,
                             .root = method.algorithm->collective == TUTTI_COLL_ALLREDUCE ? 0 : ranks / 2,
                             .count = 360,
                             .type_size = 1,
                             .commutative = true};
    assert_int_equal(tutti_link_loads(&machine, &method, &call, &loads, &error), TUTTI_OK);
    for (int d = 1; d <= cases[i].dimensions; d++) {
      assert_int_equal(loads.levels[d].largest, cases[i].largest);
      sum += loads.levels[d].bytes;
    }
    assert_int_equal(sum, 360 * cases[i].sum);
  }
}

/* Two levels: 2 hosts a leaf switch, 4 leaf switches, 2 roots. A flat tree of 8: 6 of 7 messages leave the switch of
   host 0, whose own cable carries all of them. */
TEST(test_fat_tree)
{
  struct engine_machine machine = machine_of(TOPOLOGY_FAT_TREE, 8, 48);
  machine.network.topology =
      (struct topology){.kind = TOPOLOGY_FAT_TREE, .levels = 2, .sizes = {2, 4}, .up = {1, 2}, .cables = {1, 2}};
  memcpy(machine.network.nodes, (const uint32_t[]){8, 4, 2}, 3 * sizeof *machine.network.nodes);
  memcpy(machine.network.first_cable, (const uint32_t[]){0, 8}, 2 * sizeof *machine.network.first_cable);
  struct link_loads loads = loads_of(&machine, TUTTI_COLL_BCAST, "linear", 8);
  assert_int_equal(loads.count, 3);
  expect(&loads, 1, "level 1", 7, 14 * BYTES, 7 * BYTES);
  assert_int_equal(loads.levels[2].messages, 6);
  assert_int_equal(loads.levels[2].bytes, 12 * BYTES);
}

/* 2 groups of 2 routers with 2 hosts: of a flat tree of 8 four messages are for the other group, over one cable. */
TEST(test_dragonfly)
{
  struct engine_machine machine = machine_of(TOPOLOGY_DRAGONFLY, 8, 2 * (8 + 2 + 1));
  memcpy(machine.network.topology.sizes, (const long[]){2, 1, 2, 2}, 4 * sizeof(long));
  struct link_loads loads = loads_of(&machine, TUTTI_COLL_BCAST, "linear", 8);
  assert_int_equal(loads.count, 5);
  expect(&loads, 1, "host", 7, 14 * BYTES, 7 * BYTES);
  expect(&loads, 4, "global", 4, 4 * BYTES, 4 * BYTES);
}

TEST(test_too_many_ranks)
{
  struct link_loads loads;
  struct engine_machine machine = machine_of(TOPOLOGY_FLAT, 4, 8);
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "linear"));
  const tutti_call call = {.size = 5, .count = 1, .type_size = 1};
  assert_int_equal(tutti_link_loads(&machine, &method, &call, &loads, NULL), TUTTI_ERR_ARGUMENT);
}

/* 2 cells of 2 leaf switches of 2 hosts. A flat tree of 8: of 7 messages 6 leave the switch of host 0, and 4 the cell.
 */
TEST(test_dragonfly_plus)
{
  struct engine_machine machine = machine_of(TOPOLOGY_DRAGONFLY_PLUS, 8, 2 * (8 + 4 + 1) + 4);
  machine.network.topology.levels = PLUS_LEVELS;
  memcpy(machine.network.topology.sizes, (const long[]){2, 2, 2}, PLUS_LEVELS * sizeof(long));
  machine.network.backbone = 26;
  struct link_loads loads = loads_of(&machine, TUTTI_COLL_BCAST, "linear", 8);
  assert_int_equal(loads.count, 4);
  expect(&loads, 1, "host", 7, 14 * BYTES, 7 * BYTES);
  expect(&loads, 2, "leaf switch", 6, 12 * BYTES, 6 * BYTES);
  expect(&loads, 3, "global", 4, 4 * BYTES, 4 * BYTES);
}
