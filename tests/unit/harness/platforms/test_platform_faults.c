/* Platform files that are wrong: each fault has its status, its line and its sentence. */
#include "tutti/platform.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define DOCTYPE "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" /* line 1 */
#define OPEN    DOCTYPE "<platform version=\"4.1\">\n"                             /* line 2 */
#define CLOSE   "</platform>\n"
#define CLUSTER(radical, speed, bw, lat, more)                                                                         \
  "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"" radical "\" speed=\"" speed "\" bw=\"" bw "\" lat=\"" lat    \
  "\" " more "/>\n"
#define GOOD         CLUSTER("0-3", "1Gf", "1MBps", "1us", "")
#define TORUS(text)  CLUSTER("0-7", "1Gf", "1MBps", "1us", "topology=\"TORUS\" " text)
#define HOST(id)     "<host id=\"" id "\" speed=\"1Gf\"/>\n"
#define ZONE(text)   "<zone id=\"z\" routing=\"Full\">\n" text "</zone>\n"
#define WITH(more)   ZONE("<host id=\"a\" speed=\"1Gf\"><disk id=\"d\" read_bw=\"1Bps\" write_bw=\"1Bps\">\n" more)
#define DISK(id, to) OPEN WITH("<prop id=\"" id "\" value=\"" to "\"/></disk></host>\n") CLOSE
#define MOUNT(from)                                                                                                    \
  OPEN WITH("</disk></host><host id=\"b\" speed=\"1f\">\n<prop id=\"remote_disk\" value=\"" from "\"/></host>\n") CLOSE
#define SET(id, to) "<config>\n<prop id=\"" id "\" value=\"" to "\"/>\n</config>\n"
#define OPTION(id)  SET(id, "1")

#define SWITCH(link, law, hosts) ZONE("<prop id=\"tutti/" link "-contention\" value=\"" law "\"/>\n" hosts) CLOSE
#define BACKBONE(policy)                                                                                               \
  CLUSTER("0-3", "1f", "1Bps", "1us", "bb_bw=\"1Bps\" bb_lat=\"0\" bb_sharing_policy=\"" policy "\"")

/* A fault of a value, of an option or of a property: its message names both. */
#define VALUE(id, value, says)                                                                                         \
  OPEN SET(id, value)                                                                                                  \
  GOOD CLOSE, "4: " id "=\"" value "\": " says
#define PROPERTY(id, value, says)                                                                                      \
  OPEN ZONE("<prop id=\"" id "\" value=\"" value "\"/>\n") CLOSE, "4: " id "=\"" value "\": " says

/* The message must be "PATH:" and then begin with @c begin. */
static const struct fault {
  const char *text, *begin;
} faults[] = {
    /* XML */
    {"", "1: malformed XML: Document is empty"},
    {OPEN "<zone id=\"z\">\n</platform>\n", "4: malformed XML: Opening and ending tag mismatch: zone line 3"},
    {OPEN "<cluster id=\"c\" id=\"d\"/>\n", "3: malformed XML: Attribute id redefined"},
    {"<!DOCTYPE platform [<!ENTITY a SYSTEM \"/etc/passwd\">]>\n<platform/>\n",
     "1: entity 'a' declared: entities are not accepted"},
    /* structure */
    {DOCTYPE "<experiment/>\n", "2: root element is <experiment>, not <platform>"},
    {"<platform version=\"4.1\">\n" GOOD CLOSE, "1: SimGrid needs <!DOCTYPE platform SYSTEM"},
    {DOCTYPE "<platform>\n" GOOD CLOSE, "2: <platform> lacks its attribute 'version'"},
    {DOCTYPE "<platform version=\"3\">\n" GOOD CLOSE,
     "2: <platform> version=\"3\": versions 4 and 4.1 are read; simgrid_update_xml of SimGrid converts "},
    {OPEN CLOSE, "2: <platform> holds no <zone> and no <cluster>"},
    {OPEN GOOD GOOD CLOSE, "4: second outermost <cluster>: put them into one <zone>"},
    {OPEN ZONE("") CLOSE, "2: <platform> has no host"},
    {OPEN GOOD "<machine/>\n" CLOSE, "4: unknown element <machine>"},
    {OPEN "<include file=\"x.xml\"/>\n" CLOSE, "3: unknown element <include>"},
    {OPEN GOOD "<config/>\n" CLOSE, "4: <config> cannot stand here in <platform>"},
    {OPEN HOST("a") CLOSE, "3: <host> cannot stand here in <platform>"},
    {OPEN ZONE(HOST("a") "<prop id=\"a\" value=\"\"/>\n") CLOSE, "5: <prop> cannot stand here in <zone>"},
    {OPEN ZONE(HOST("a") GOOD) CLOSE, "5: <cluster> cannot stand here in <zone>"},
    {OPEN "hello\n" GOOD CLOSE, "2: <platform> holds text: 'hello"},
    {DOCTYPE "<platform version=\"4.1\" xmlns=\"u\">\n" GOOD CLOSE, "2: <platform> declares a namespace"},
    /* attributes */
    {OPEN CLUSTER("0", "1Gf", "1MBps", "1us", "speeed=\"1f\"") CLOSE, "3: <cluster> has no attribute 'speeed'"},
    {OPEN "<zone id=\"z\"/>\n" CLOSE, "3: <zone> lacks its attribute 'routing'"},
    {OPEN "<zone id=\"z\" routing=\"Fast\"/>\n" CLOSE, "3: <zone> routing=\"Fast\": expected one of Full"},
    {OPEN CLUSTER("0", "1Gf", "1MBps", "1us", "core=\"0\"") CLOSE, "3: <cluster> core=\"0\": not a whole number"},
    {OPEN CLUSTER("0", "1Gf", "1MBps", "1us", "sharing_policy=\"BOTH\"") CLOSE,
     "3: <cluster> sharing_policy=\"BOTH\": expected one of SHARED SPLITDUPLEX"},
    /* units */
    {OPEN CLUSTER("0", "1GF", "1MBps", "1us", "") CLOSE, "3: <cluster> speed=\"1GF\": unknown unit 'GF'"},
    {OPEN CLUSTER("0", "-1f", "1MBps", "1us", "") CLOSE, "3: <cluster> speed=\"-1f\": a speed is not negative"},
    {OPEN CLUSTER("0", "1f", "1KBps", "1us", "") CLOSE, "3: <cluster> bw=\"1KBps\": unknown unit 'KBps'"},
    {OPEN CLUSTER("0", "1f", "infBps", "1us", "") CLOSE, "3: <cluster> bw=\"infBps\": not a number with a unit"},
    {OPEN CLUSTER("0", "1f", "-1Bps", "1us", "") CLOSE, "3: <cluster> bw=\"-1Bps\": a bandwidth is above 0"},
    {OPEN CLUSTER("0", "1f", "1Bps", "fast", "") CLOSE, "3: <cluster> lat=\"fast\": not a number with a unit"},
    {OPEN CLUSTER("0", "1f", "1Bps", "-1us", "") CLOSE, "3: <cluster> lat=\"-1us\": a time is not negative"},
    /* hosts */
    {OPEN CLUSTER("", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"\": numbers and ascending ranges are expected"},
    {OPEN CLUSTER("3-1", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"3-1\": numbers and ascending ranges"},
    {OPEN CLUSTER("1,,2", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"1,,2\": numbers and ascending ranges"},
    {OPEN CLUSTER("0-3,", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"0-3,\": numbers and ascending ranges"},
    {OPEN CLUSTER("-3", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"-3\": numbers and ascending ranges"},
    {OPEN CLUSTER("0-99999999999", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"0-99999999999\": numbers and"},
    {OPEN CLUSTER("0-2000000000", "1f", "1Bps", "0", "") CLOSE, "3: radical=\"0-2000000000\": more than 1048576 hosts"},
    {OPEN CLUSTER("0-3,2", "1f", "1Bps", "0", "") CLOSE, "3: host 'n2' is there already, from line 3"},
    {OPEN ZONE(HOST("a") HOST("b") HOST("a")) CLOSE, "6: host 'a' is there already, from line 4"},
    {OPEN ZONE(HOST("a:b")) CLOSE, "4: 'a:b' cannot be the name of a host"},
    {OPEN ZONE(HOST("")) CLOSE, "4: '' cannot be the name of a host"},
    /* names */
    {OPEN ZONE(HOST("$(x)")) CLOSE, "4: <host> id=\"$(x)\": a name has letters, digits"},
    {OPEN ZONE(HOST("`x`")) CLOSE, "4: <host> id=\"`x`\": a name has letters"},
    {OPEN ZONE(HOST("a;b")) CLOSE, "4: <host> id=\"a;b\": a name has letters"},
    {OPEN ZONE(HOST("a&#10;b")) CLOSE, "4: <host> id=\"a\nb\": a name has letters"},
    {OPEN ZONE(HOST("a&#x9b;b")) CLOSE, "4: <host> id="},
    {OPEN ZONE(HOST("--cfg")) CLOSE, "4: <host> id=\"--cfg\": a name has letters"},
    {OPEN "<cluster id=\"c\" prefix=\"\" suffix=\"$(x)\" radical=\"0\" speed=\"1f\" bw=\"1Bps\" lat=\"0\"/>\n" CLOSE,
     "3: <cluster> suffix=\"$(x)\": a name has letters"},
    {OPEN "<zone id=\"'\" routing=\"Full\">\n" HOST("a") "</zone>\n" CLOSE, "3: <zone> id=\"'\": a name has letters"},
    {OPEN ZONE(HOST("a") "<link id=\"|\" bandwidth=\"1Bps\" latency=\"0\"/>\n") CLOSE,
     "5: <link> id=\"|\": a name has"},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\" coordinates=\"0 0 x\"/>\n") CLOSE,
     "4: <host> coordinates=\"0 0 x\": 'x' is not"},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\" pstate=\"x\"/>\n") CLOSE,
     "4: <host> pstate=\"x\": not the number of a state"},
    /* what SimGrid's parser takes otherwise */
    {"<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?>\n" OPEN GOOD CLOSE, "3: SimGrid reads UTF-8: convert the file"},
    {OPEN ZONE("<host xml:id=\"b\" id=\"a\" speed=\"1f\"/>\n") CLOSE, "4: <host> has no attribute 'id'"},
    /* files: the test is in a folder that holds nothing else */
    {OPEN ZONE("<host id=\"a\" speed=\"1f\" speed_file=\"/etc/passwd\"/>\n") CLOSE,
     "4: speed_file=\"/etc/passwd\": not the path of a file beside this one"},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\" state_file=\"../x\"/>\n") CLOSE, "4: state_file=\"../x\": not the path"},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\" state_file=\"a b\"/>\n") CLOSE, "4: state_file=\"a b\": not the path"},
    /* disks: SimGrid's file system reads their properties */
    {DISK("content", "../../etc/passwd"), "5: content=\"../../etc/passwd\": not the path of a file beside this one"},
    {DISK("content", "/dev/zero"), "5: content=\"/dev/zero\": not the path"},
    {DISK("size", "zz"), "5: size=\"zz\": not a number with a unit (B kB"},
    {DISK("size", "1Q"), "5: size=\"1Q\": unknown unit 'Q'"},
    {DISK("size", "-1B"), "5: size=\"-1B\": a size is not negative"},
    {MOUNT("a:b"), "6: remote_disk=\"a:b\": not MOUNT:DISK:HOST"},
    {MOUNT("/:d:x"), "6: remote_disk=\"/:d:x\": not MOUNT:DISK:HOST"},
    {MOUNT("/:e:a"), "6: remote_disk=\"/:e:a\": not MOUNT:DISK:HOST"},
    {OPEN ZONE(HOST("a") "<trace id=\"t\" periodicity=\"1\">0 1\nroot:x:0\n</trace>\n") CLOSE,
     "5: <trace>: its line 2 has more than numbers"},
    {OPEN ZONE(HOST("a") "<trace id=\"t\" periodicity=\"1\">0 1\n2 1</trace>\n") CLOSE,
     "5: <trace>: its line 2 is later than the period"},
    {OPEN ZONE(HOST("a") "<trace id=\"t\" periodicity=\"0\">3 1\n2 1</trace>\n") CLOSE,
     "5: <trace>: its line 2 has a date before the one above it"},
    {OPEN ZONE(HOST("a") "<trace id=\"t\" periodicity=\"0\">3</trace>\n") CLOSE,
     "5: <trace>: its line 1 is no date with a value"},
    {"\xef\xbb\xbf" OPEN GOOD CLOSE, "2: SimGrid reads no byte order mark"},
    {DOCTYPE "<!-- a --->\n<platform version=\"4.1\">\n" GOOD CLOSE, "6: malformed XML: Comment not terminated"},
    /* topologies */
    {OPEN TORUS("topo_parameters=\"2,2,3\"") CLOSE,
     "3: topo_parameters=\"2,2,3\" call for 12 hosts, radical=\"0-7\" names 8"},
    {OPEN TORUS("") CLOSE, "3: topo_parameters=\"\" does not describe a TORUS"},
    {OPEN TORUS("topo_parameters=\"2,0,4\"") CLOSE, "3: topo_parameters=\"2,0,4\" does not describe a TORUS"},
    {OPEN TORUS("topo_parameters=\"2x4\"") CLOSE, "3: topo_parameters=\"2x4\" does not describe a TORUS"},
    /* options */
    {OPEN SET("tracing/filename", "a b") GOOD CLOSE, "4: option tracing/filename lets SimGrid write files"},
    {OPEN OPTION("viva/categorized") GOOD CLOSE, "4: option viva/categorized lets SimGrid write files"},
    {OPEN OPTION("model-check/dot-output") GOOD CLOSE, "4: option model-check/dot-output lets SimGrid write files"},
    {OPEN OPTION("smpi/oiss") GOOD CLOSE, "4: SimGrid 3.32 has no option 'smpi/oiss' (did you mean 'smpi/ois'?)"},
    {OPEN OPTION("network/cross-traffic") GOOD CLOSE,
     "4: SimGrid 3.32 has no option 'network/cross-traffic' (did you mean 'network/crosstraffic'?)"},
    {OPEN OPTION("maxmin/concurency-limit") GOOD CLOSE,
     "4: SimGrid 3.32 has no option 'maxmin/concurency-limit' (did you mean 'maxmin/concurrency-limit'?)"},
    {OPEN OPTION("cpu/throughput") GOOD CLOSE, "4: SimGrid 3.32 has no option 'cpu/throughput'"},
    {OPEN OPTION("tutti/copy-cost") GOOD CLOSE, "4: tutti/copy-cost belongs into the outermost <zone> or <cluster>"},
    {OPEN OPTION("smpi/replay") GOOD CLOSE, "4: option smpi/replay lets SimGrid read any file"},
    {OPEN OPTION("smpi/comp-adjustment-file") GOOD CLOSE, "4: option smpi/comp-adjustment-file lets SimGrid read any"},
    {OPEN OPTION("smpi/privatize-libs") GOOD CLOSE, "4: option smpi/privatize-libs lets SimGrid copy and load any"},
    {OPEN OPTION("smpi/shared-malloc-hugepage") GOOD CLOSE, "4: option smpi/shared-malloc-hugepage lets SimGrid write"},
    {OPEN SET("tracing", "no,smpi/replay:x") GOOD CLOSE, "4: option tracing lets SimGrid write files"},
    {OPEN OPTION("cmonkey/time") GOOD CLOSE, "4: option cmonkey/time breaks the machine"},
    {OPEN OPTION("contexts/stack_size") GOOD CLOSE,
     "4: SimGrid 3.32 has no option 'contexts/stack_size' (did you mean 'contexts/stack-size'?)"},
    {OPEN OPTION("help-nostop") GOOD CLOSE, "4: 'help-nostop' is not the name of an option"},
    {VALUE("maxmin/precision", "0", "not a number from 1e-15 to 0.1")}, /* shares them out without end */
    {VALUE("maxmin/precision", "1", "not a number from 1e-15 to 0.1")}, /* and aborts */
    {VALUE("smpi/wtime", "1us", "not a number of seconds from 0 to 1e+09")},
    {VALUE("smpi/simulate-computation", "No", "expected one of yes")},
    {VALUE("contexts/stack-size", "0", "not a whole number from 1 to 1048576")},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\"><prop id=\"smpi/ois\" value=\"zzz\"/></host>\n") CLOSE,
     "4: smpi/ois=\"zzz\": 'zzz' is not BYTES:SECONDS"},
    {VALUE("smpi/keep-temps", "yes", "expected one of no off false 0")},
    {VALUE("plugin", "cmonkey", "expected one of host_dvfs")},
    {VALUE("smpi/bcast", "a:b", "not the name of an algorithm")},
    {VALUE("smpi/lat-factor", "0: 1", "a blank, a comma")},
    {OPEN OPTION("latency") GOOD CLOSE, "4: 'latency' is not the name of an option: expected CATEGORY/NAME"},
    {OPEN "<config>\n<prop id=\"smpi/os\"/>\n</config>" GOOD CLOSE, "4: <prop> lacks its attribute 'value'"},
    {OPEN "<config>\n<prop id=\"smpi/os\" value=\"\"/>\n</config>" GOOD CLOSE, "4: option smpi/os has an empty value"},
    {VALUE("smpi/ois", "0:1e-6", "'0:1e-6' is not BYTES:SECONDS:SECONDS_PER_BYTE")},
    {VALUE("smpi/os", "0:1e-6:0:0", "'0:1e-6:0:0' is not BYTES:SECONDS")},
    {VALUE("smpi/ois", "1KB:1e-6:0", "'1KB' is not a whole number of bytes")},
    {VALUE("smpi/ois", "-1:1e-6:0", "'-1' is not a whole number of bytes")},
    {VALUE("smpi/ois", "0:1MBps:0", "unknown unit 'MBps'")},
    {VALUE("smpi/ois", "0:nan:0", "'nan' is not a number")},
    {VALUE("smpi/ois", "0:-1e-6:0", "less than nothing for messages of 0 bytes")},
    {VALUE("smpi/or", "0:1e-6:0;1024:1e-6:-1e-9", "less than nothing for messages of 1024 bytes")},
    {OPEN SET("smpi/or", "1024:1e-6:-1e-12;0:1e-6:0") GOOD CLOSE, "4: smpi/or=\"1024:1e-6:-1e-12;0:1e-6:0\": less than "
                                                                  "nothing for large messages"},
    {VALUE("smpi/ois", "0:1e-6:0;0:2e-6:0", "two values from 0 bytes on")},
    {VALUE("smpi/bw-factor", "0:0", "a factor of a bandwidth is above 0")},
    {VALUE("smpi/bw-factor", "0:1:0", "'0:1:0' is not BYTES:FACTOR")},
    {VALUE("smpi/lat-factor", "0:1;65536:-2", "a factor of a latency is not negative")},
    {VALUE("smpi/lat-factor", "0:1us", "'1us' is not a number")},
    {VALUE("smpi/lat-factor", "0:1; 65536:2", "' 65536' is not a whole number of bytes")},
    {VALUE("smpi/send-is-detached-thresh", "16KB", "not a whole number of bytes")},
    {VALUE("smpi/async-small-thresh", "-1", "not a whole number of bytes")},
    /* properties of our own */
    {PROPERTY("tutti/colour", "x", "unknown property: known are")},
    {PROPERTY("tutti/copy-costs", "1", "unknown property (did you mean 'tutti/copy-cost'?): known are")},
    {PROPERTY("tutti/ranks-per-node", "0", "not a whole")},
    {PROPERTY("tutti/published-alpha", "soon", "not a")},
    {PROPERTY("tutti/published-beta", "-1", "not a time")},
    {OPEN ZONE("<prop id=\"tutti/published-L\" value=\"106.6 microseconds\"/>\n") CLOSE,
     "4: tutti/published-L=\"106.6"},
    {PROPERTY("tutti/published-o", "", "not a")},
    {PROPERTY("tutti/published-g", "0", "not a time")},
    {PROPERTY("tutti/published-G", "1MBps", "unknown unit")},
    {PROPERTY("tutti/published-gamma", "inf", "not a time")},
    {PROPERTY("tutti/published-l", "1us", "unknown property (did you mean 'tutti/published-L'?): known are")},
    {PROPERTY("tutti/actor-send-s", "1us", "not a number of seconds")},
    {PROPERTY("tutti/actor-entry-s", "-1", "not a number of seconds")},
    {PROPERTY("tutti/copy-cost", "0", "not a number above 0")},
    {PROPERTY("tutti/receive-gap-s", "1us", "not a number of seconds from 0 to 1")},
    {OPEN SWITCH("backbone", "12", GOOD), "4: tutti/backbone-contention=\"12\": expected K/FLOOR, such as 12/0.25"},
    {OPEN SWITCH("port", "0/0.5", GOOD), "4: tutti/port-contention=\"0/0.5\": expected K/FLOOR"},
    {OPEN SWITCH("port", "8/1.5", GOOD), "4: tutti/port-contention=\"8/1.5\": expected K/FLOOR"},
    {OPEN SWITCH("backbone", "8/0.5", GOOD), "4: tutti/backbone-contention: the <cluster> has no backbone: bb_bw"},
    {OPEN SWITCH("backbone", "8/0.5", BACKBONE("FATPIPE")),
     "4: tutti/backbone-contention: nothing is shared on a link that is a FATPIPE"},
    {OPEN SWITCH("port", "8/0.5", CLUSTER("0-3", "1f", "1Bps", "1us", "sharing_policy=\"FATPIPE\"")),
     "4: tutti/port-contention: nothing is shared on a link that is a FATPIPE"},
    {OPEN SWITCH("port", "8/0.5", TORUS("topo_parameters=\"2,2,2\"")),
     "4: tutti/port-contention is for a machine of one flat <cluster>"},
    {OPEN SWITCH("port", "8/0.5", HOST("a")), "4: tutti/port-contention is for a machine of one flat <cluster>"},
    {OPEN ZONE("<prop id=\"tutti/messages-a-cable\" value=\"2\"/>\n" GOOD) CLOSE,
     "4: tutti/messages-a-cable=\"2\": expected 1"},
    {OPEN ZONE("<prop id=\"tutti/messages-a-cable\" value=\"1\"/>\n" TORUS("topo_parameters=\"2,2,2\"")) CLOSE,
     "4: tutti/messages-a-cable is for a machine of one flat <cluster>"},
    {OPEN ZONE("<prop id=\"tutti/messages-a-cable\" value=\"1\"/>\n<prop id=\"tutti/port-contention\" "
               "value=\"8/0.5\"/>\n" GOOD) CLOSE,
     "5: tutti/port-contention has no effect with tutti/messages-a-cable"},
    {OPEN "<config>\n<prop id=\"maxmin/concurrency-limit\" value=\"1\"/>\n</config>\n" SWITCH("backbone", "8/0.5",
                                                                                              BACKBONE("SHARED")),
     "7: tutti/backbone-contention has no effect with the maxmin/concurrency-limit of line 4, which keeps messages"},
    {OPEN ZONE("<prop id=\"tutti/source\" value=\"a\"/>\n<prop id=\"tutti/source\" value=\"b\"/>\n") CLOSE,
     "5: tutti/source is given twice"},
    {OPEN ZONE("<host id=\"a\" speed=\"1f\">\n<prop id=\"tutti/source\" value=\"a\"/>\n</host>\n") CLOSE,
     "5: tutti/source belongs into the outermost <zone> or <cluster>"},
};

TEST(every_fault_is_named)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_platform platform;
    char expected[512];
    SCRATCH_FILE(file, "machine.xml", faults[i].text);
    snprintf(expected, sizeof expected, "%s:%s", file.path, faults[i].begin);
    tutti_status status = tutti_platform_read(file.path, &platform, REASON);
    if (status != TUTTI_ERR_ARGUMENT || error.status != status || strstr(error.message, expected) != error.message)
      fail_msg("case %zu: status %d\n  expected %s\n  got      %s\n", i, status, expected, error.message);
    assert_null(platform.hosts);
  }
}

TEST(unreadable_files_are_named)
{
  tutti_platform platform;
  assert_int_equal(tutti_platform_read("/nowhere/machine.xml", &platform, &error), TUTTI_ERR_IO);
  assert_string_equal(error.message, "/nowhere/machine.xml: No such file or directory");
  assert_int_equal(tutti_platform_read("/", &platform, &error), TUTTI_ERR_IO);
  assert_string_equal(error.message, "/: Is a directory");
  assert_int_equal(tutti_platform_read("/dev/zero", &platform, NULL), TUTTI_ERR_IO);
}

/* The name of a file as that of a platform. */
static void refuse_name(const char *name, const char *reason)
{
  tutti_platform platform;
  SCRATCH_FILE(file, "short.xml", OPEN GOOD CLOSE);
  char path[256];
  snprintf(path, sizeof path, "%s/%s", file.directory, name);
  assert_int_equal(rename(file.path, path), 0);
  tutti_status status = tutti_platform_read(path, &platform, &error);
  remove(path);
  assert_int_equal(status, TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, reason));
}

TEST(a_long_name_is_refused)
{
  char name[160];
  memset(name, 'x', sizeof name);
  memcpy(name + sizeof name - 5, ".xml", 5);
  refuse_name(name, "the name of a platform has at most 127 characters");
}

TEST(a_name_that_is_not_utf8_is_refused)
{
  refuse_name("M\xfcnster.xml", "the name of a platform is not UTF-8");
}
