/* Routes of machines that are written by hand. */
#include "harness/engine/machine/network.h"
#include "unit/test.h"

static const struct engine_network bare = {
    .backbone = ENGINE_NONE, .limiters = ENGINE_NONE, .loopbacks = ENGINE_NONE, .split_duplex = true, .kind_count = 1};

static void expect(const struct engine_network *network, uint32_t from, uint32_t to, const uint32_t *links, int count)
{
  struct engine_route route;
  assert_true(tutti_network_route(network, from, to, &route));
  assert_int_equal(route.count, count);
  for (int i = 0; i < count; i++)
    assert_int_equal(route.links[i], links[i]);
}

#define EXPECT(network, from, to, ...)                                                                                 \
  expect(network, from, to, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Cables 0 to 7, one link up and one down each; then a backbone, limiters, loopbacks. */
TEST(test_flat)
{
  struct engine_network n = bare;
  n.topology.kind = TOPOLOGY_FLAT;
  n.host_count = 4;
  EXPECT(&n, 1, 3, 2, 7);
  EXPECT(&n, 1, 1, 2, 3);
  n.backbone = 8;
  n.limiters = 9;
  EXPECT(&n, 1, 3, 10, 2, 8, 7, 12);
  EXPECT(&n, 1, 1, 10, 2, 8, 3); /* its limiter counts once */
  n.loopbacks = 13;
  EXPECT(&n, 2, 2, 15);
  n.split_duplex = false;
  EXPECT(&n, 1, 3, 10, 1, 8, 3, 12);
}

/* 5 x 4: host 5 y + x; cable 2 h + d leads to the upper neighbor in dimension d. */
TEST(test_torus)
{
  struct engine_network n = bare;
  struct engine_route route;
  n.host_count = 20;
  n.topology = (struct topology){.kind = TOPOLOGY_TORUS, .levels = 2, .sizes = {5, 4}};
  EXPECT(&n, 0, 1, 0);        /* up */
  EXPECT(&n, 1, 0, 1);        /* down, over the cable of the lower one */
  EXPECT(&n, 0, 4, 9);        /* down, with the wrap-around: the cable of 4 */
  EXPECT(&n, 4, 0, 8);        /* up */
  EXPECT(&n, 0, 7, 0, 2, 56); /* two in x, one in y */
  EXPECT(&n, 0, 10, 40, 42);  /* of two ways as long up */
  EXPECT(&n, 10, 0, 43, 41);  /* but from the middle of the ring down */
  EXPECT(&n, 5, 15, 42, 44);
  assert_false(tutti_network_route(&n, 3, 3, &route));
  n.limiters = 100;
  EXPECT(&n, 0, 2, 100, 0, 101, 2, 102);
}

/* Two levels: 2 hosts a leaf switch, 4 leaf switches below 2 roots, 2 cables between a leaf switch and a root. */
TEST(test_fat_tree)
{
  struct engine_network n = bare;
  n.host_count = 8;
  n.topology =
      (struct topology){.kind = TOPOLOGY_FAT_TREE, .levels = 2, .sizes = {2, 4}, .up = {1, 2}, .cables = {1, 2}};
  memcpy(n.nodes, (const uint32_t[]){8, 4, 2}, 3 * sizeof *n.nodes);
  memcpy(n.first_cable, (const uint32_t[]){0, 8}, 2 * sizeof *n.first_cable);
  EXPECT(&n, 0, 1, 0, 3);
  /* Host 5 lies below switch 2. Up at port 5 mod 4 = 1, to root 1 over cable 0; down over port 2 or 6 of the root. */
  EXPECT(&n, 0, 5, 0, 18, 35, 11);
}

/* 2 groups of 2 chassis of 2 routers with one host each: cables of hosts 0 to 7, green 8 to 11, black 12 to 15,
   blue 16. */
TEST(test_dragonfly)
{
  struct engine_network n = bare;
  n.host_count = 8;
  n.topology = (struct topology){.kind = TOPOLOGY_DRAGONFLY, .sizes = {2, 2, 2, 1}, .cables = {1, 1, 1}, .hosts = 8};
  EXPECT(&n, 0, 1, 0, 16, 3);              /* green */
  EXPECT(&n, 0, 2, 0, 24, 5);              /* black */
  EXPECT(&n, 0, 3, 0, 16, 26, 7);          /* green, black */
  EXPECT(&n, 0, 4, 0, 16, 32, 9);          /* green to the router with the blue cable */
  EXPECT(&n, 7, 0, 14, 23, 29, 33, 17, 1); /* all of them, down */
}

/* 3 cells of 2 leaf switches of 2 hosts: cables of hosts 0 to 11, of leaf switches 12 to 17, between cells 18 to 20;
   then a backbone for each leaf switch. */
TEST(test_dragonfly_plus)
{
  struct engine_network n = bare;
  struct engine_route route;
  n.host_count = 12;
  n.topology =
      (struct topology){.kind = TOPOLOGY_DRAGONFLY_PLUS, .levels = PLUS_LEVELS, .sizes = {2, 2, 3}, .hosts = 12};
  EXPECT(&n, 0, 1, 0, 3);              /* within the switch */
  EXPECT(&n, 0, 2, 0, 24, 27, 5);      /* within the cell */
  EXPECT(&n, 2, 8, 4, 26, 38, 33, 17); /* from cell 0 to cell 2 */
  EXPECT(&n, 11, 4, 22, 34, 41, 29, 9);
  n.backbone = 42;
  EXPECT(&n, 0, 1, 0, 42, 3);
  EXPECT(&n, 2, 8, 4, 43, 26, 38, 33, 46, 17);
  assert_true(tutti_network_route(&n, 2, 8, &route));
  assert_int_equal(route.first_between, 2);
  assert_int_equal(route.between, 3);
  assert_int_equal(tutti_topology_distance(&n.topology, 0, 1), 2);
  assert_int_equal(tutti_topology_distance(&n.topology, 0, 2), 4);
  assert_int_equal(tutti_topology_distance(&n.topology, 2, 8), 5);
}
