/* Routes across zones, beside what SimGrid 3.32 takes; links are told by their bandwidths. */
#include "base/memory.h"
#include "unit/base/scratch_file.h"
#include "unit/harness/engine/machine.h"

static tutti_status try_zones(const char *content, struct engine_machine *machine, tutti_error *reason)
{
  char *text = tutti_xprintf("<?xml version=\"1.0\"?>\n"
                             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\"><config>"
                             "<prop id=\"network/crosstraffic\" value=\"no\"/></config>%s</platform>\n",
                             content);
  SCRATCH_FILE(file, "zones.xml", text);
  free(text);
  return tutti_machine_read(file.path, machine, reason);
}

static void read_zones(const char *content, struct engine_machine *machine)
{
  tutti_error reason;
  assert_ok(try_zones(content, machine, &reason), reason);
}

static void expect(const struct engine_machine *machine, uint32_t from, uint32_t to, const char *expected)
{
  struct engine_route route;
  char found[256] = "";
  assert_true(tutti_network_route(&machine->network, from, to, &route));
  for (int i = 0; i < route.count; i++) {
    const double weight = route.weights[i];
    const size_t length = strlen(found);
    snprintf(found + length, sizeof found - length, weight == 1 ? "%s%.0f" : "%s%.0f*%g", i > 0 ? " " : "",
             tutti_network_kind(&machine->network, route.links[i])->bandwidth, weight);
  }
  assert_string_equal(found, expected);
}

#define ZONE(routing, content)       "<zone id=\"z\" routing=\"" routing "\">" content "</zone>"
#define HOST(name)                   "<host id=\"" name "\" speed=\"1Gf\"/>"
#define LINK(bandwidth, more)        "<link id=\"l" bandwidth "\" bandwidth=\"" bandwidth "Bps\" latency=\"1us\" " more "/>"
#define STEP(link)                   "<link_ctn id=\"l" link "\"/>"
#define STEP_OF(link, more)          "<link_ctn id=\"" link "\" " more "/>"
#define ROUTE(from, to, more, steps) "<route src=\"" from "\" dst=\"" to "\" " more ">" steps "</route>"
#define THREE                        HOST("a") HOST("b") HOST("c")
#define LINKS                        LINK("1", "") LINK("2", "") LINK("3", "") LINK("4", "sharing_policy=\"FATPIPE\"")

/* Each way is the other one turned round, unless it is declared; a link passed twice takes twice as much. */
TEST(declared_routes)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_zones(ZONE("Full", THREE LINKS LINK("5", "sharing_policy=\"SPLITDUPLEX\"")
                              ROUTE("a", "b", "", STEP("1") STEP("2") "<link_ctn id=\"l5\" direction=\"UP\"/>")
                                  ROUTE("a", "c", "symmetrical=\"NO\"", STEP("3") STEP("1") STEP("3"))
                                      ROUTE("c", "a", "symmetrical=\"NO\"", STEP("4") STEP("4"))),
             &machine);
  expect(&machine, 0, 1, "1 2 5");
  expect(&machine, 1, 0, "5 2 1");
  expect(&machine, 0, 2, "3*2 1");
  expect(&machine, 2, 0, "4");
  expect(&machine, 1, 1, "10000000000"); /* SimGrid's own loopback */
  struct engine_route up, down;
  assert_true(tutti_network_route(&machine.network, 0, 1, &up) && tutti_network_route(&machine.network, 1, 0, &down));
  assert_int_not_equal(up.links[2], down.links[0]);
  assert_false(tutti_network_route(&machine.network, 1, 2, &up));
}

TEST(shortest_ways)
{
  static const char *const routings[] = {
      ZONE("Floyd", THREE LINKS ROUTE("a", "b", "", STEP("1") STEP("2")) ROUTE("b", "c", "", STEP("3"))),
      ZONE("Dijkstra", THREE LINKS ROUTE("a", "b", "", STEP("1") STEP("2")) ROUTE("b", "c", "", STEP("3")))};
  /* The links of one route come the other way round. */
  static const char *const there[] = {"1 2 3", "2 1 3"}, *const back[] = {"3 2 1", "3 1 2"};
  for (int i = 0; i < 2; i++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_zones(routings[i], &machine);
    expect(&machine, 0, 2, there[i]);
    expect(&machine, 2, 0, back[i]);
    expect(&machine, 1, 2, "3");
  }
}

/* Up, the backbone, down; what both have counts once. A router without links is in the middle. */
TEST(stars)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_zones(
      "<zone id=\"w\" routing=\"Full\">" ZONE(
          "Cluster", HOST("a") HOST("b") LINKS
          "<router id=\"r\"/><host_link id=\"a\" up=\"l1\" down=\"l2\"/>"
          "<host_link id=\"b\" up=\"l3\" down=\"l3\"/>"
          "<backbone id=\"bb\" bandwidth=\"9Bps\" latency=\"1us\"/>"
          "<cabinet id=\"k\" prefix=\"k\" suffix=\"\" radical=\"1-2\""
          " speed=\"1Gf\" bw=\"7Bps\" lat=\"1us\"/>") "<cluster id=\"v\" prefix=\"v\" suffix=\"\" radical=\"0-1\" "
                                                      "speed=\"2Gf\" bw=\"6Bps\" lat=\"1us\""
                                                      " core=\"3\"/>" LINK(
                                                          "8",
                                                          "") "<zoneRoute src=\"z\" dst=\"v\" gw_src=\"r\" "
                                                              "gw_dst=\"vv_router\">" STEP("8") "</zoneRoute></zone>",
      &machine);
  expect(&machine, 0, 1, "1 9 3");
  expect(&machine, 1, 0, "3 9 2");
  expect(&machine, 1, 1, "3 9");
  expect(&machine, 0, 3, "1 9 7");
  expect(&machine, 0, 4, "1 9 8 6");
  expect(&machine, 5, 1, "6 8 9 3");
  assert_int_equal(tutti_processor_of(&machine, 5).cores, 3);
  assert_float_equal(tutti_processor_of(&machine, 5).speed, 2e9, 0);
  assert_float_equal(tutti_processor_of(&machine, 0).speed, 1e9, 0);
}

/* A route may take the links that a <cluster> has made, by SimGrid's names. */
TEST(links_of_clusters)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
#define PART(id, more)                                                                                                 \
  "<cluster id=\"" id "\" prefix=\"" id "\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" lat=\"1us\" " more "/>"
  read_zones(
      "<zone id=\"w\" routing=\"Full\">" PART(
          "c", "bw=\"1Bps\" bb_bw=\"2Bps\" bb_lat=\"0\" limiter_link=\"3Bps\" loopback_bw=\"4Bps\" loopback_lat=\"0\"")
          PART("d", "bw=\"5Bps\" sharing_policy=\"SHARED\"") "<zoneRoute src=\"c\" dst=\"d\" gw_src=\"c1\" "
                                                             "gw_dst=\"dd_router\">" STEP_OF("c_backbone", "")
                                                                 STEP_OF("c_link_2_limiter", "") STEP_OF(
                                                                     "c_link_2_loopback", "") STEP_OF("d_link_3", "")
                                                                     STEP_OF("c_link_2", "direction=\"DOWN\"") STEP_OF(
                                                                         "c_link_0_UP", "") "</zoneRoute></zone>",
      &machine);
  expect(&machine, 1, 4, "2 3 4 5 1 1 5");
  struct engine_route up, over;
  assert_true(tutti_network_route(&machine.network, 0, 1, &up) && tutti_network_route(&machine.network, 1, 4, &over));
  assert_int_equal(up.links[1], over.links[5]);
}

/* Of a torus the radical may name more hosts than there are; its links are not known here. */
TEST(refused_zones)
{
  static const struct {
    const char *gateway, *link, *said;
    tutti_status status;
  } cases[] = {{"d4", "c_backbone", ":3: <zoneRoute> gw_dst=\"d4\": there is no host", TUTTI_ERR_ARGUMENT},
               {"d3", "c_backbone", ":3: <link_ctn> id=\"c_backbone\": there is no link", TUTTI_ERR_ARGUMENT},
               {"d3", "d_link_from_0_to_1_0", ":3: the engine does not know a route over", TUTTI_ERR_UNSUPPORTED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct engine_machine machine;
    tutti_error reason;
    char *text = tutti_xprintf(
        "<zone id=\"w\" routing=\"Full\">" PART(
            "c", "bw=\"1Bps\"") "<cluster id=\"d\" prefix=\"d\" suffix=\"\" radical=\"0-5\" speed=\"1Gf\" lat=\"1us\" "
                                "bw=\"5Bps\" topology=\"TORUS\" topo_parameters=\"2,2\"/>"
                                "<zoneRoute src=\"c\" dst=\"d\" gw_src=\"c1\" gw_dst=\"%s\"><link_ctn "
                                "id=\"%s\"/></zoneRoute></zone>",
        cases[i].gateway, cases[i].link);
    assert_int_equal(try_zones(text, &machine, &reason), cases[i].status);
    free(text);
    if (!strstr(reason.message, cases[i].said))
      fail_msg("%s", reason.message);
  }
}

/* By gateways, and by a bypass that is nearer. */
TEST(zones_in_zones)
{
#define PAIR(id, bandwidth)                                                                                            \
  "<zone id=\"" id "\" routing=\"Full\">" HOST(id "a") HOST(id "b") LINK(bandwidth, "")                                \
      ROUTE(id "a", id "b", "", STEP(bandwidth)) "</zone>"
  static const char inner[] = "<zone id=\"o\" routing=\"Floyd\">" PAIR("p", "1") PAIR("q", "2") PAIR("r", "3")
      LINK("4", "") LINK("5", "") LINK("6", "") "<zoneRoute src=\"p\" dst=\"q\" gw_src=\"pb\" gw_dst=\"qa\">" STEP(
          "4") "</zoneRoute><zoneRoute src=\"q\" dst=\"r\" gw_src=\"qb\" gw_dst=\"ra\">" STEP("5") "</zoneRoute>%s</"
                                                                                                   "zone>";
  for (int bypass = 0; bypass < 2; bypass++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    char *text = tutti_xprintf(inner, bypass ? "<bypassZoneRoute src=\"p\" dst=\"r\" gw_src=\"pa\" gw_dst=\"rb\">" STEP(
                                                   "6") "</bypassZoneRoute>"
                                             : "");
    read_zones(text, &machine);
    free(text);
    expect(&machine, 0, 3, "1 4 2");
    expect(&machine, 0, 5, bypass ? "10000000000 6" : "1 4 2 5 3"); /* from a host to itself, too */
    expect(&machine, 1, 4, bypass ? "1 6 3" : "4 2 5");
    expect(&machine, 4, 1, "5 2 4"); /* a bypass leads one way */
  }
}
