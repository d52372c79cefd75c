/* What SimGrid would crash on or simulate wrongly is found, with its line; and how far hosts are from each other. */
#include "harness/platforms/topology.h"
#include "tutti/platform.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define HEAD                "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
#define OPTION(name, value) "<prop id=\"" name "\" value=\"" value "\"/>\n"
#define CONFIG(more)                                                                                                   \
  "<config>\n" OPTION("smpi/simulate-computation", "no") OPTION("smpi/bw-factor", "0:1")                               \
      OPTION("smpi/lat-factor", "0:1") more "</config>\n"
#define ZONE(ranks) "<zone id=\"world\" routing=\"Full\">\n<prop id=\"tutti/ranks-per-node\" value=\"" ranks "\"/>\n"
#define CLUSTER(last, more)                                                                                            \
  "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-" last "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" " more     \
  "/>\n"
#define LOOPBACK                   "loopback_bw=\"5GBps\" loopback_lat=\"1us\" "
#define TOPOLOGY(name, parameters) "topology=\"" name "\" topo_parameters=\"" parameters "\" "
#define TAIL                       "</zone></platform>"

static const struct {
  const char *text;
  int refused; /* -1: no finding */
  const char *finding;
} cases[] = {
    {HEAD CONFIG("") ZONE("1") CLUSTER("3", "") TAIL, -1, NULL},
    {HEAD CONFIG("") ZONE("4") CLUSTER("3", LOOPBACK "core=\"4\"") TAIL, -1, NULL},
    {HEAD ZONE("1") CLUSTER("3", "") TAIL, 0, ":2: no <config>: SimGrid scales times of messages"},
    {HEAD "<config>" OPTION("smpi/bw-factor", "0:1") OPTION("smpi/lat-factor", "0:1") "</config>" ZONE("1")
         CLUSTER("3", "") TAIL,
     0, ":3: smpi/simulate-computation is not \"no\""},
    {HEAD CONFIG(OPTION("smpi/simulate-computation", "yes")) ZONE("1") CLUSTER("3", "") TAIL, 0,
     ":7: smpi/simulate-computation is not \"no\""},
    {HEAD "<config>" OPTION("smpi/simulate-computation", "off") OPTION("smpi/lat-factor", "0:1") "</config>" ZONE("1")
         CLUSTER("3", "") TAIL,
     0, ":3: smpi/bw-factor is not set"},
    {HEAD CONFIG(OPTION("smpi/async-small-thresh", "70000")) ZONE("1") CLUSTER("3", "") TAIL, 1,
     ":7: smpi/async-small-thresh is 70000, more than smpi/send-is-detached-thresh, which is 65536"},
    {HEAD CONFIG(OPTION("smpi/async-small-thresh", "1000")) ZONE("1") CLUSTER("3", "") TAIL, 0,
     ":7: smpi/async-small-thresh is 1000: SimGrid 3.32 lets a smaller message overtake"},
    {HEAD CONFIG(OPTION("smpi/test", "0")) ZONE("1") CLUSTER("3", "") TAIL, 0, ":7: smpi/test is 0"},
    {HEAD CONFIG(OPTION("maxmin/concurrency-limit", "1")) ZONE("1") CLUSTER("3", "") TAIL, -1, NULL},
    {HEAD CONFIG(OPTION("maxmin/concurrency-limit", "1")) ZONE("2") CLUSTER("3", LOOPBACK "core=\"2\"") TAIL, 0,
     ":7: maxmin/concurrency-limit is 1 with 2 ranks a node"},
    {HEAD CONFIG("") ZONE("300") CLUSTER("3", LOOPBACK "core=\"300\"") TAIL, -1, NULL},
    {HEAD CONFIG("") ZONE("301") CLUSTER("3", LOOPBACK "core=\"301\"") TAIL, 0, ":8: 301 ranks a node"},
    {HEAD CONFIG("") ZONE("4") CLUSTER("3", LOOPBACK "core=\"2\"") TAIL, 0, ":10: core=\"2\" for 4 ranks a node"},
    {HEAD CONFIG("") ZONE("2") CLUSTER("3", "core=\"2\"") TAIL, 0, ":10: no loopback_bw and loopback_lat"},
    {HEAD CONFIG("") ZONE("2") CLUSTER("3", "core=\"2\" loopback_lat=\"1us\"") TAIL, 1,
     ":10: loopback_lat without loopback_bw"},
    {HEAD CONFIG("") ZONE("2") CLUSTER("3", "core=\"2\" " TOPOLOGY("TORUS", "2,2")) TAIL, 1, ":10: no loopback_bw"},
    {HEAD CONFIG("") ZONE("1") CLUSTER("9", TOPOLOGY("TORUS", "3,3")) TAIL, 0,
     ":10: radical=\"0-9\" names 10 hosts, of which the topology has the first 9"},
    {HEAD CONFIG("") ZONE("1") CLUSTER("3", "bb_lat=\"1us\"") TAIL, 1, ":10: bb_lat without bb_bw"},
    {HEAD CONFIG("") ZONE("1") CLUSTER("8", TOPOLOGY("DRAGONFLY", "3,1;1,1;3,1;1")) TAIL, -1, NULL},
    {HEAD CONFIG("") ZONE("1") CLUSTER("11", TOPOLOGY("DRAGONFLY", "4,1;1,1;3,1;1")) TAIL, 1,
     ":10: a dragonfly of 4 groups with 3 routers a chassis"},
    {HEAD CONFIG("") ZONE("1") CLUSTER("7", TOPOLOGY("DRAGONFLY", "2,1;2,1;2,1;1")) TAIL, 0,
     ":10: a dragonfly of 2 chassis a group"},
    {HEAD CONFIG("") ZONE("1") "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>\n" CLUSTER("3", "") TAIL, 1,
     ":11: <cluster> after the <link> of line 10"},
    {HEAD CONFIG("") "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1Gf\" speed_file=\"load\"/>" TAIL, 1,
     ":9: speed_file=\"load\": there is no such file beside this one"},
};

/* What SimGrid 3.32 runs, and what it ends at, each tried with smpirun. All have a <config> of 5 lines. */
#define FILE(more) HEAD CONFIG("") "<zone id=\"z\" routing=\"Full\">\n" more TAIL
#define HOSTS      "<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" speed=\"1Gf\"/>\n"
#define LINK(more) "<link id=\"l\" bandwidth=\"1GBps\" " more "/>\n"
#define WAY(f, t)  "<route src=\"" f "\" dst=\"" t "\"><link_ctn id=\"l\"/></route>\n"
#define PART(id, more)                                                                                                 \
  "<cluster id=\"" id "\" prefix=\"" id "\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" " more  \
  "/>\n"
#define PARTS PART("c", "") PART("d", "") LINK("latency=\"1us\"")
#define BETWEEN(gateway, other, link)                                                                                  \
  "<zoneRoute src=\"c\" dst=\"d\" gw_src=\"" gateway "\" gw_dst=\"" other "\"><link_ctn id=\"" link "\"/></"           \
  "zoneRoute>\n"
#define STAR(more) HEAD CONFIG("") "<zone id=\"z\" routing=\"Cluster\">\n" HOSTS LINK("latency=\"1us\"") more TAIL
#define GRAPH(routing, more)                                                                                           \
  HEAD CONFIG("") "<zone id=\"z\" routing=\"" routing "\">\n" HOSTS                                                    \
                  "<host id=\"c\" speed=\"1Gf\"/><router id=\"r\"/>\n" LINK("latency=\"1us\"") WAY("a", "r")           \
                      WAY("r", "b") more TAIL
#define BYPASS "<bypassZoneRoute src=\"c\" dst=\"d\" gw_src=\"a\" gw_dst=\"b\"><link_ctn id=\"l\"/></bypassZoneRoute>\n"
/* A bypass between gateways uses their routes to themselves. */
#define NEAR(routing, bypass)                                                                                          \
  "<zone id=\"c\" routing=\"" routing "\"><host id=\"a\" speed=\"1Gf\"/></zone>\n"                                     \
  "<zone id=\"d\" routing=\"Full\"><host id=\"b\" speed=\"1Gf\"/></zone>\n" LINK("latency=\"0\"")                      \
      BETWEEN("a", "b", "l") bypass
/* SimGrid's Dijkstra takes a way from a router that is not reached for a short one. */
#define ONE_WAY(routing)                                                                                               \
  HEAD CONFIG("") "<zone id=\"z\" routing=\"" routing "\">\n" HOSTS "<router id=\"r\"/>\n" LINK("latency=\"0\"")       \
      WAY("a", "b") "<route src=\"r\" dst=\"b\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>\n" TAIL
#define PEER(id, at) "<peer id=\"" id "\" speed=\"1Gf\" bw_in=\"1GBps\" bw_out=\"1GBps\" " at "/>\n"

static const struct {
  const char *text, *finding; /* NULL: none */
} networks[] = {
    {FILE(HOSTS LINK("latency=\"1us\"") WAY("a", "b")), NULL},
    {FILE(HOSTS LINK("latency=\"0\"") WAY("a", "b")), NULL},
    {FILE(HOSTS LINK("latency=\"0.5\"") WAY("a", "b")), ":11: latency=\"0.5\" has no unit: SimGrid takes seconds"},
    {"\n<!-- a -- b -->\n<?xml version=\"1.0\"?>\n" FILE(HOSTS LINK("latency=\"0\"") WAY("a", "b")), NULL},
    {FILE("<host id=\"a 1\" speed=\"1Gf,0f\" coordinates=\"\"/><host id=\"b#(2)\" core=\"2.0\" speed=\"1f\"/>\n" LINK(
         "latency=\"0\"") WAY("a 1", "b#(2)")),
     NULL},
    {HEAD CONFIG(OPTION("network/model", "CM02")) ZONE("1") CLUSTER("3", "bb_bw=\"\"") TAIL,
     ":7: option network/model has no effect: smpirun sets it"},
    {HEAD CONFIG(OPTION("tracing/filename", "x")) ZONE("1") CLUSTER("3", "") TAIL,
     ":7: option tracing/filename has no effect: Tutti turns traces of SimGrid off"},
    {FILE(HOSTS WAY("a", "b")), ":11: <link_ctn> id=\"l\": there is no link of that name before it"},
    {FILE(HOSTS LINK("latency=\"1us\"") WAY("a", "x")), ":12: <route> dst=\"x\": there is no host, router or zone"},
    {FILE(HOSTS LINK("latency=\"1us\"")),
     ":8: SimGrid ends with the first message from host 'a' to host 'b': there is no "
     "route from 'a' to 'b'"},
    {FILE(HOSTS LINK("latency=\"1us\"") "<route src=\"a\" dst=\"b\"/>\n"), ":12: a <route> without a link"},
    {FILE(HOSTS LINK("latency=\"1us\"") WAY("a", "b") WAY("b", "a")), ":13: a second route from 'b' to 'a'"},
    {FILE(HOSTS LINK("latency=\"1us\"") LINK("latency=\"1us\"") WAY("a", "b")), ":12: link 'l' is there already"},
    {FILE(HOSTS LINK("latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"") WAY("a", "b")),
     ":12: <link_ctn> id=\"l\": there is no link of that name before it"},
    {FILE("<host id=\"a\" speed=\"1f,2f\" pstate=\"2\"/>\n"), ":9: <host> pstate=\"2\": there is no such state"},
    {FILE(PARTS BETWEEN("cc_router", "dd_router", "l")), NULL},
    {FILE(PARTS BETWEEN("c3", "d0", "l")), NULL},
    {FILE(PARTS BETWEEN("cc_router", "dd_router", "c_link_0_UP")), NULL},
    {FILE(PARTS BETWEEN("cc_router", "dd_router", "c_link_0")), ":12: <link_ctn> id=\"c_link_0\": there is no link"},
    {FILE(PARTS BETWEEN("c4", "d0", "l")), ":12: <zoneRoute> gw_src=\"c4\": there is no host"},
    {FILE(PARTS BETWEEN("d0", "c0", "l")), ":12: <zoneRoute> gw_src=\"d0\" is no host or router of zone 'c'"},
    {FILE(PARTS BETWEEN("c0", "c0", "l")), ":12: <zoneRoute> gw_dst=\"c0\" is no host or router of zone 'd'"},
    {FILE(PARTS),
     ":9: SimGrid ends with the first message from host 'c0' to host 'd0': there is no route from 'c' to 'd'"},
    {FILE(PART("c", TOPOLOGY("TORUS", "2,2")) PART("d", "") LINK("latency=\"0\"") BETWEEN("cc_router", "d0", "l")),
     ":12: <zoneRoute> gw_src=\"cc_router\": there is no host"},
    {FILE("<zone id=\"y\" routing=\"Full\">\n" PARTS "</zone>\n" PART("e", "") LINK("latency=\"0\"")
              BETWEEN("c0", "e0", "l")),
     ":15: link 'l' is there already"},
    {STAR("<host_link id=\"a\" up=\"l\" down=\"l\"/>\n<host_link id=\"b\" up=\"l\" down=\"l\"/>\n"), NULL},
    {STAR("<host_link id=\"a\" up=\"l\" down=\"m\"/>\n"), ":12: <host_link> down=\"m\": there is no link"},
    {STAR(""), ":8: SimGrid ends with the first message from host 'a' to host 'b'"},
    {HEAD CONFIG("") "<zone id=\"z\" routing=\"None\">\n" HOSTS TAIL,
     ":8: SimGrid ends with the first message from host 'a' to host 'b': zone 'z' has routing=\"None\""},
    {HEAD CONFIG("") "<zone id=\"z\" routing=\"Wifi\">\n" HOSTS LINK("latency=\"0\"") TAIL,
     ":8: SimGrid ends with the first message from host 'a' to host 'b': the route from 'a' to 'b' uses Wifi"},
    {GRAPH("Floyd", WAY("c", "r")), NULL},
    {GRAPH("Dijkstra", WAY("c", "r")), NULL},
    {GRAPH("Floyd", ""), ":8: SimGrid ends with the first message from host 'a' to host 'c'"},
    {GRAPH("DijkstraCache", ""), ":8: SimGrid ends with the first message from host 'a' to host 'c'"},
    {HEAD CONFIG("") "<zone id=\"z\" routing=\"Vivaldi\">\n" PEER("a", "coordinates=\"0 0 0\"")
         PEER("b", "coordinates=\"0 0 0\"") TAIL,
     NULL},
    {HEAD CONFIG("") "<zone id=\"z\" routing=\"Vivaldi\">\n" PEER("a", "coordinates=\"0 0 0\"") PEER("b", "") TAIL,
     ":8: SimGrid ends with the first message from host 'a' to host 'b': 'b' has no coordinates"},
    {FILE(PEER("a", "")), ":9: <peer>: only a zone with routing=\"Vivaldi\" has peers"},
    {FILE(HOSTS LINK("latency=\"1us\"") "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></bypassRoute>\n"
                                        "<bypassRoute src=\"b\" dst=\"a\"><link_ctn id=\"l\"/></bypassRoute>\n"),
     NULL},
    {FILE(NEAR("Dijkstra", "")), NULL},
    {FILE(NEAR("Dijkstra", BYPASS)), ":9: SimGrid ends with the first message from host 'a' to host 'b'"},
    {FILE(NEAR("Full", BYPASS)), NULL},
    {ONE_WAY("Floyd"), NULL},
    {ONE_WAY("Dijkstra"), ":8: SimGrid ends with the first message from host 'a' to host 'b'"},
    {FILE(HOSTS LINK("latency=\"1us\"") WAY("a", "b") "<trace_connect trace=\"t\" element=\"a\"/>\n"),
     ":13: <trace_connect> trace=\"t\": there is no <trace>"},
};

/* Those that concern a rank a host. */
static void read_for_hosts(const char *path, tutti_platform *platform, size_t number)
{
  int kept = 0;
  if (tutti_platform_read(path, platform, REASON) != TUTTI_OK)
    fail_msg("%zu: %s", number, error.message);
  for (int i = 0; i < platform->finding_count; i++)
    if (tutti_platform_concerns(platform, &platform->findings[i], 0))
      platform->findings[kept++] = platform->findings[i];
    else
      free(platform->findings[i].message);
  platform->finding_count = kept;
}

TEST(networks_are_those_that_simgrid_runs)
{
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    tutti_platform platform;
    SCRATCH_FILE(file, "machine.xml", networks[i].text);
    read_for_hosts(file.path, &platform, i);
    const char *found = platform.finding_count ? platform.findings[0].message + strlen(file.path) : NULL;
    if (networks[i].finding ? !found || strncmp(found, networks[i].finding, strlen(networks[i].finding)) != 0 : !!found)
      fail_msg("network %zu: %s", i, found ? found : "nothing is found");
    tutti_platform_free(&platform);
  }
}

/* Of 3 hosts the last one has no route. */
TEST(ranks_use_the_first_hosts)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  SCRATCH_FILE(file, "machine.xml", GRAPH("Floyd", ""));
  assert_int_equal(tutti_platform_read(file.path, &platform, REASON), TUTTI_OK);
  assert_int_equal(platform.finding_count, 1);
  assert_false(tutti_platform_refuses(&platform, platform.findings, 2));
  assert_true(tutti_platform_refuses(&platform, platform.findings, 3));
  assert_true(tutti_platform_refuses(&platform, platform.findings, 0));
}

/* Where hosts are taken again there must be a way from each to itself: of a torus that is its loopback. */
TEST(ranks_that_share_hosts_have_a_way)
{
#define TORUS(more)     FILE(PART("c", TOPOLOGY("TORUS", "2,2") more))
#define SINGLE(routing) HEAD CONFIG("") "<zone id=\"z\" routing=\"" routing "\">\n<host id=\"a\" speed=\"1Gf\"/>" TAIL
  static const struct {
    const char *text;
    int ranks; /* the fewest that are refused; 0: none */
  } files[] = {{TORUS(""), 5},
               {TORUS(" loopback_bw=\"1GBps\" loopback_lat=\"1us\""), 0},
               {FILE(PART("c", TOPOLOGY("FAT_TREE", "2;2,2;1,1;1,1"))), 0},
               {FILE(PART("c", "")), 0},
               {SINGLE("Dijkstra"), 2},
               {SINGLE("Floyd"), 0},
               {SINGLE("Full"), 0}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FREED_BY(tutti_platform_free) tutti_platform platform;
    SCRATCH_FILE(file, "machine.xml", files[i].text);
    assert_int_equal(tutti_platform_read(file.path, &platform, REASON), TUTTI_OK);
    if (platform.finding_count != (files[i].ranks > 0))
      fail_msg("file %zu: %s", i, platform.finding_count ? platform.findings[0].message : "nothing is found");
    for (int ranks = 0; ranks < 9 && files[i].ranks > 0; ranks++)
      assert_int_equal(tutti_platform_refuses(&platform, platform.findings, ranks), ranks >= files[i].ranks);
  }
}

TEST(findings_name_line_and_cause)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_platform platform;
    SCRATCH_FILE(file, "machine.xml", cases[i].text);
    read_for_hosts(file.path, &platform, i);
    if (platform.finding_count != (cases[i].refused >= 0))
      fail_msg("case %zu: %d findings, the first is %s", i, platform.finding_count,
               platform.finding_count ? platform.findings[0].message : "none");
    if (platform.finding_count > 0) {
      const char *message = platform.findings[0].message;
      if (strncmp(message, file.path, strlen(file.path)) != 0 ||
          strncmp(message + strlen(file.path), cases[i].finding, strlen(cases[i].finding)) != 0)
        fail_msg("case %zu: %s", i, message);
      assert_int_equal(platform.findings[0].refused, cases[i].refused);
    }
    tutti_platform_free(&platform);
  }
}

TEST(refused_platforms_are_not_accepted)
{
  FREED_BY(free_memory) char *said = NULL;
  size_t length;
  tutti_platform_finding findings[] = {{false, 0, "a:1: odd"}, {true, 5, "a:2: broken"}};
  tutti_platform platform = {.finding_count = 1, .findings = findings, .ranks_per_node = 2};
  FILE *stream = open_memstream(&said, &length);
  assert_non_null(stream);
  assert_int_equal(tutti_platform_accept(&platform, 0, stream, REASON), TUTTI_OK);
  fflush(stream);
  assert_string_equal(said, "tutti: warning: a:1: odd\n");
  platform.finding_count = 2;
  assert_int_equal(tutti_platform_accept(&platform, 9, stream, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "a:2: broken");
  fclose(stream);
  assert_string_equal(said, "tutti: warning: a:1: odd\n");
}

/* Expected: half round trips of SimGrid 3.32 with links of 1 us, in us. */
TEST(distances_are_those_of_simgrid)
{
  static const struct {
    const char *topology, *parameters;
    int from, to, links;
  } routes[] = {{"TORUS", "4,3", 0, 3, 1},
                {"TORUS", "4,3", 0, 6, 3},
                {"FAT_TREE", "2;4,2;1,2;1,1", 0, 3, 2},
                {"FAT_TREE", "2;4,2;1,2;1,1", 3, 4, 4},
                {"FAT_TREE", "1;8;1;2", 0, 7, 2},
                {"DRAGONFLY", "3,1;1,1;3,1;1", 0, 1, 3},
                {"DRAGONFLY", "3,1;1,1;3,1;1", 0, 3, 4},
                {"DRAGONFLY", "3,1;1,1;3,1;1", 0, 4, 5},
                {"DRAGONFLY", "3,1;1,1;3,1;2", 0, 1, 2},
                {"DRAGONFLY", "2,1;3,1;3,1;1", 0, 3, 3},
                {"DRAGONFLY", "2,1;3,1;3,1;1", 3, 4, 4}, /* one too many: 3.32 is in the wrong chassis */
                {"DRAGONFLY", "2,1;3,1;3,1;1", 4, 0, 3},
                {"DRAGONFLY", "2,1;3,1;3,1;1", 0, 4, 4},
                {"DRAGONFLY", "2,1;3,1;3,1;1", 4, 13, 6},
                {NULL, NULL, 0, 5, 2}};
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
    struct topology topology;
    assert_int_equal(tutti_topology_parse(routes[i].topology, routes[i].parameters, &topology, &error), TUTTI_OK);
    if (tutti_topology_distance(&topology, routes[i].from, routes[i].to) != routes[i].links)
      fail_msg("route %zu has %d links", i, tutti_topology_distance(&topology, routes[i].from, routes[i].to));
    assert_int_equal(tutti_topology_distance(&topology, routes[i].to, routes[i].to), 0);
  }
}

static void check_partners(const char *text, const char *expected)
{
  FREED_BY(tutti_platform_free) tutti_platform platform;
  tutti_platform_partner partners[TUTTI_PLATFORM_MAX_PARTNERS];
  char found[512] = "";
  int count;
  SCRATCH_FILE(file, "machine.xml", text);
  assert_int_equal(tutti_platform_read(file.path, &platform, REASON), TUTTI_OK);
  assert_int_equal(tutti_platform_partners(&platform, partners, &count, REASON), TUTTI_OK);
  for (int i = 0; i < count && i < 8; i++)
    snprintf(found + strlen(found), sizeof found - strlen(found), "%d:%d ", partners[i].host, partners[i].links);
  assert_string_equal(found, expected);
  assert_true(count <= TUTTI_PLATFORM_MAX_PARTNERS);
}

TEST(partners_are_at_every_distance)
{
  check_partners(HEAD ZONE("1") CLUSTER("3", "") TAIL, "1:2 ");
  check_partners(HEAD ZONE("1") CLUSTER("0", "") TAIL, "");
  check_partners(HEAD ZONE("4") CLUSTER("3", LOOPBACK) TAIL, "0:0 1:2 ");
  check_partners(HEAD ZONE("1") CLUSTER("11", TOPOLOGY("TORUS", "4,3")) TAIL, "1:1 2:2 6:3 ");
  check_partners(HEAD ZONE("1") CLUSTER("7", TOPOLOGY("FAT_TREE", "3;2,2,2;1,1,1;1,1,1")) TAIL, "1:2 2:4 4:6 ");
  check_partners(HEAD ZONE("1") CLUSTER("8", TOPOLOGY("DRAGONFLY", "3,1;1,1;3,1;1")) TAIL, "1:3 3:4 4:5 ");
  check_partners(HEAD ZONE("1") CLUSTER("999", TOPOLOGY("TORUS", "1000")) TAIL,
                 "1:1 8:8 16:16 24:24 32:32 40:40 48:48 56:56 ");
  check_partners(
      HEAD ZONE("1") "<zone id=\"in\" routing=\"Full\"><cluster id=\"a\" prefix=\"a\" suffix=\"\" "
                     "radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/><cluster id=\"b\" prefix=\"b\" "
                     "suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></zone>" CLUSTER("2", "")
                         TAIL,
      "1:2 2:-1 4:-1 ");
}
