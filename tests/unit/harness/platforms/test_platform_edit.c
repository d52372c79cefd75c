/* Edits of platform files: every number that should change does, by exactly its factor, and nothing else. */
#include <dirent.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "tutti/platform.h"
#include "unit/base/scratch_file.h"
#include "unit/patience.h"
#include "unit/test.h"

#define PLATFORMS TUTTI_SOURCE_DIR "/platforms"

/* ---- both files, element by element ---- */

static bool is_dropped(const xmlNode *node)
{
  xmlChar *id = xmlGetProp(node, (const xmlChar *)"id");
  bool ours = id && (strncmp((char *)id, "tutti/published", 15) == 0 || strcmp((char *)id, "tutti/description") == 0 ||
                     strcmp((char *)id, "tutti/fit") == 0);
  xmlFree(id);
  return ours;
}

/* The next element in document order that an edit of numbers leaves where it is. */
static xmlNode *next_element(xmlNode *node)
{
  do {
    if (node->children)
      node = node->children;
    else {
      while (node && !node->next)
        node = node->parent;
      node = node ? node->next : NULL;
    }
  } while (node && (node->type != XML_ELEMENT_NODE || is_dropped(node)));
  return node;
}

/* What a word changes, said once more: "element attribute", or "prop id". */
struct target {
  const char *word;
  const char *places[8];
};

static const struct target targets[] = {
    {"latency", {"cluster lat", "cluster bb_lat", "cabinet lat", "link latency", "backbone latency", "peer lat"}},
    {"bandwidth",
     {"cluster bw", "cluster bb_bw", "cabinet bw", "link bandwidth", "backbone bandwidth", "peer bw_in",
      "peer bw_out"}},
    {"speed", {"cluster speed", "cabinet speed", "host speed", "peer speed", "prop smpi/host-speed"}},
    {"loopback-latency", {"cluster loopback_lat"}},
    {"loopback-bandwidth", {"cluster loopback_bw"}},
    {"overhead", {"prop smpi/os", "prop smpi/ois", "prop smpi/or"}},
    {"actor",
     {"prop tutti/actor-start-s", "prop tutti/actor-send-s", "prop tutti/actor-receive-s", "prop tutti/actor-byte-s",
      "prop tutti/actor-entry-s", "prop tutti/actor-candidate-s"}},
};

enum { TARGETS = sizeof targets / sizeof *targets };

static bool is_target(const struct target *target, const xmlNode *node, const char *attribute)
{
  char place[256];
  xmlChar *id = xmlGetProp(node, (const xmlChar *)"id");
  bool prop = strcmp((const char *)node->name, "prop") == 0;
  snprintf(place, sizeof place, "%s %s", (const char *)node->name, prop && id ? (const char *)id : attribute);
  xmlFree(id);
  if (prop && strcmp(attribute, "value") != 0)
    return false;
  for (int i = 0; i < 8 && target->places[i]; i++)
    if (strcmp(target->places[i], place) == 0)
      return true;
  return false;
}

/* Numbers one by one; the "from" of SMPI's pieces, which is first in each, has factor 1. */
static void assert_scaled(const char *before, const char *after, double factor, bool pieces)
{
  for (int field = 0;; field++) {
    char *end[2];
    double numbers[2] = {strtod(before, &end[0]), strtod(after, &end[1])};
    double expected = numbers[0] * (pieces && field == 0 ? 1 : factor);
    assert_true(end[0] != before && end[1] != after);
    assert_true(fabs(numbers[1] - expected) <= 1e-15 * fabs(expected));
    size_t unit = strcspn(end[0], ":;,");
    assert_int_equal(strcspn(end[1], ":;,"), unit);
    assert_int_equal(strncmp(end[0], end[1], unit + 1), 0);
    if (end[0][unit] == '\0')
      return;
    field = end[0][unit] == ';' ? -1 : field;
    before = end[0] + unit + 1;
    after = end[1] + unit + 1;
  }
}

static int compare_element(const struct target *target, double factor, xmlNode *before, xmlNode *after)
{
  int changed = 0;
  const xmlAttr *old = before->properties, *new = after->properties;
  assert_string_equal((char *)before->name, (char *)after->name);
  for (; old && new; old = old->next, new = new->next) {
    const char *name = (const char *)old->name;
    const char *was = (const char *)old->children->content, *is = (const char *)new->children->content;
    assert_string_equal(name, (char *)new->name);
    if (!is_target(target, before, name)) {
      assert_string_equal(was, is);
      continue;
    }
    assert_scaled(was, is, factor, strchr(was, ':') != NULL);
    changed++;
  }
  assert_null(old);
  assert_null(new);
  return changed;
}

/* How many values are other ones. */
static int compare_files(const struct target *target, double factor, const char *path, const char *bytes, size_t length)
{
  int changed = 0;
  xmlDoc *old = xmlReadFile(path, NULL, XML_PARSE_NONET);
  xmlDoc *new = xmlReadMemory(bytes, (int)length, "edited", NULL, XML_PARSE_NONET);
  assert_non_null(old);
  assert_non_null(new);
  xmlNode *before = xmlDocGetRootElement(old), *after = xmlDocGetRootElement(new);
  for (; before && after; before = next_element(before), after = next_element(after))
    changed += compare_element(target, factor, before, after);
  assert_true(!before && !after);
  xmlFreeDoc(old);
  xmlFreeDoc(new);
  return changed;
}

static tutti_status edit(const char *path, const char *text, tutti_edited_platform *edited, tutti_error *error)
{
  return tutti_platform_edit(path, &text, 1, edited, error);
}

/* As strict as any platform file: written, and read again. */
static tutti_platform read_back(const tutti_edited_platform *edited)
{
  tutti_platform platform;
  SCRATCH_FILE(file, "p.xml", edited->bytes);
  assert_ok(tutti_platform_read(file.path, &platform, REASON), error);
  return platform;
}

static bool changes_nothing(const tutti_error *error)
{
  return strstr(error->message, "changes nothing") || strstr(error->message, "nothing of that kind") ||
         strstr(error->message, "could be changed: set it");
}

static void scale_platform(const char *path, const struct target *target, const char *change, double factor)
{
  char text[64];
  tutti_edited_platform edited, again;
  snprintf(text, sizeof text, "%s=%s", target->word, change);
  tutti_status status = edit(path, text, &edited, REASON);
  if (status != TUTTI_OK) {
    if (!changes_nothing(&error)) /* no loopback, or an overhead of 0 */
      fail_msg("%s: %s", path, error.message);
    assert_true(strcmp(target->word, "latency") != 0 && strcmp(target->word, "speed") != 0);
    return;
  }
  assert_true(compare_files(target, factor, path, edited.bytes, edited.length) > 0);
  tutti_platform platform = read_back(&edited);
  assert_int_equal(platform.host_count, edited.host_count);
  tutti_platform_free(&platform);
  assert_int_equal(edit(path, text, &again, REASON), TUTTI_OK);
  assert_int_equal(again.length, edited.length);
  assert_memory_equal(again.bytes, edited.bytes, edited.length);
  assert_string_equal(again.name, edited.name);
  tutti_edited_platform_free(&again);
  tutti_edited_platform_free(&edited);
}

static int each_platform(void (*test)(const char *path))
{
  int count = 0;
  DIR *directory = opendir(PLATFORMS);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));) {
    char path[512];
    if (!strstr(entry->d_name, ".xml"))
      continue;
    snprintf(path, sizeof path, "%s/%s", PLATFORMS, entry->d_name);
    if (count++ % UNLESS_WATCHED(1, 8) == 0)
      test(path);
  }
  closedir(directory);
  return count;
}

static void scale_all(const char *path)
{
  for (int t = 0; t < TARGETS; t++) {
    scale_platform(path, &targets[t], "*0.5", 0.5);
    scale_platform(path, &targets[t], "*3.1", 3.1);
  }
}

TEST(test_factors_on_every_platform)
{
  assert_true(each_platform(scale_all) >= 19);
}

static void change_topology(const char *path)
{
  static const struct {
    const char *text, *parameters;
    int hosts;
  } cases[] = {{"topology=torus:8x4x2", "8,4,2", 64},
               {"topology=fat-tree:4x8x2", "3;4,8,2;1,4,8;1,1,1", 64},
               {"topology=fat-tree:512x18/4", "2;512,18;1,128;1,1", 9216},
               {"topology=FAT_TREE:2;4,8;1,2;1,3", "2;4,8;1,2;1,3", 32},
               {"topology=dragonfly:2x2x3x4", "2,1;2,1;3,1;4", 48}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_edited_platform edited;
    char attribute[128];
    if (edit(path, cases[i].text, &edited, REASON) != TUTTI_OK) { /* supermuc has that one */
      assert_true(changes_nothing(&error) && strstr(path, "supermuc"));
      continue;
    }
    snprintf(attribute, sizeof attribute, "topo_parameters=\"%s\"", cases[i].parameters);
    assert_non_null(strstr(edited.bytes, attribute));
    tutti_platform platform = read_back(&edited);
    assert_int_equal(platform.host_count, cases[i].hosts);
    assert_true(isnan(platform.published_alpha) && isnan(platform.published_beta) && isnan(platform.published_L));
    tutti_platform_free(&platform);
    tutti_edited_platform_free(&edited);
  }
}

TEST(test_topologies_on_every_platform)
{
  assert_true(each_platform(change_topology) >= 19);
}

static void change_network(const char *path)
{
  tutti_edited_platform edited;
  if (edit(path, "network=" PLATFORMS "/cisco_infiniband.xml", &edited, REASON) != TUTTI_OK) {
    assert_true(changes_nothing(&error) && strstr(path, "cisco_infiniband"));
    return;
  }
  tutti_platform before, after = read_back(&edited);
  assert_int_equal(tutti_platform_read(path, &before, REASON), TUTTI_OK);
  assert_int_equal(after.host_count, before.host_count);
  assert_int_equal(after.ranks_per_node, before.ranks_per_node);
  assert_true(isnan(after.published_alpha)); /* nobody published one there */
  assert_true(isnan(before.published_gamma) || after.published_gamma == before.published_gamma);
  assert_non_null(strstr(edited.bytes, "bw=\"902835000Bps\""));
  assert_non_null(strstr(edited.bytes, "lat=\"0.616139us\""));
  assert_non_null(strstr(edited.bytes, "\"smpi/os\" value=\"0:1.2e-6:0\""));
  assert_non_null(strstr(edited.bytes, "\"smpi/bw-factor\" value=\"0:1\""));
  tutti_platform_free(&before);
  tutti_platform_free(&after);
  tutti_edited_platform_free(&edited);
}

TEST(test_network_on_every_platform)
{
  assert_true(each_platform(change_network) >= 19);
}

/* ---- forms that no platform of ours has ---- */

static const char other[] =
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n"
    "<config><prop id=\"smpi/os\" value=\"0:1e-6:2e-9;1024:3e-6:0\"/></config>\n"
    "<zone id=\"z\" routing=\"Full\">\n"
    "<zone id=\"a\" routing=\"Cluster\">\n"
    "<cabinet id=\"k\" prefix=\"k\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"2us\"/>\n"
    "<backbone id=\"bb\" bandwidth=\"10Gbps\" latency=\"0\"/>\n"
    "</zone>\n"
    "<zone id=\"b\" routing=\"Full\">\n"
    "<host id=\"h\" speed=\"1Gf,2Gf\"/>\n"
    "<link id=\"x\" bandwidth=\"1MiBps\" latency=\"1ms\"/>\n"
    "<link id=\"y\" bandwidth=\"3MiBps\" latency=\"100us\" sharing_policy=\"SHARED\"/>\n"
    "<route src=\"h\" dst=\"h\"><link_ctn id=\"x\"/></route>\n"
    "</zone>\n"
    "</zone>\n</platform>\n";

/* The value of an attribute after an edit: what stands after NAME=" in the element with @p id. */
static void assert_becomes(const char *text, const char *id, const char *attribute, const char *expected)
{
  FREED_BY(tutti_edited_platform_free) tutti_edited_platform edited;
  char start[64], name[64], value[64] = "";
  SCRATCH_FILE(file, "other.xml", other);
  if (edit(file.path, text, &edited, REASON) != TUTTI_OK)
    fail_msg("%s: %s", text, error.message);
  snprintf(start, sizeof start, "id=\"%s\"", id);
  snprintf(name, sizeof name, " %s=\"", attribute);
  const char *found = strstr(edited.bytes, start);
  assert_non_null(found);
  found = strstr(found, name);
  assert_non_null(found);
  found += strlen(name);
  snprintf(value, sizeof value, "%.*s", (int)strcspn(found, "\""), found);
  assert_string_equal(value, expected);
}

TEST(test_units)
{
  assert_becomes("latency=*0.5", "k", "lat", "1us");
  assert_becomes("latency=+1us", "x", "latency", "1.001ms");
  assert_becomes("latency=+1us", "bb", "latency", "1e-06s");
  assert_becomes("//link/@latency=-50us", "y", "latency", "50us");
  assert_becomes("latency=5us", "y", "latency", "5us");
  assert_becomes("bandwidth=*2", "bb", "bandwidth", "20Gbps");
  assert_becomes("bandwidth=+1MiBps", "x", "bandwidth", "2MiBps");
  assert_becomes("bandwidth=100Mbps", "k", "bw", "100Mbps");
  assert_becomes("speed=/2", "h", "speed", "0.5Gf,1Gf");
  assert_becomes("overhead=*2", "smpi/os", "value", "0:2e-06:4e-09;1024:6e-06:0");
  assert_becomes("overhead=+1us", "smpi/os", "value", "0:2e-06:2e-9;1024:4e-06:0");
  assert_becomes("overhead=7us", "smpi/os", "value", "0:7e-06:2e-9;1024:7e-06:0");
  assert_becomes("//prop[@id=\"smpi/os\"]=0:1:1", "smpi/os", "value", "0:1:1");
  assert_becomes("//link[@id=\"x\"]/@latency=/2", "x", "latency", "0.5ms");
  assert_becomes("//link[@id=\"x\"]/@latency=/2", "y", "latency", "100us");
  assert_becomes("//link[@id='y']/@sharing_policy=FATPIPE", "y", "sharing_policy", "FATPIPE");
  assert_becomes("(//link)[2]/@latency=*2", "y", "latency", "200us");
  assert_becomes("(//link)[2]/@latency=*1.1", "y", "latency", "110us"); /* not 110.00000000000001 */
}

TEST(test_several)
{
  static const char *const edits[] = {"//prop[@id=\"tutti/published-alpha\"]=50us",
                                      "latency=*0.5",
                                      "loopback-latency=0.1us",
                                      "loopback-bandwidth=2GBps",
                                      "ranks_per_node=4",
                                      "hosts=*2"};
  FREED_BY(tutti_edited_platform_free) tutti_edited_platform edited;
  assert_ok(tutti_platform_edit(PLATFORMS "/grig_fast_ethernet.xml", edits, 6, &edited, REASON), error);
  FREED_BY(tutti_platform_free) tutti_platform platform = read_back(&edited);
  assert_int_equal(platform.host_count, 128);
  assert_int_equal(platform.ranks_per_node, 4);
  assert_true(fabs(platform.published_alpha - 50e-6) < 1e-12); /* said by an edit, so not dropped by the next */
  assert_true(isnan(platform.published_L));
  assert_true(platform.published_beta == 0.0851e-6);
  assert_non_null(strstr(platform.description, "grig_fast_ethernet; edited: //prop"));
  assert_null(strstr(edited.bytes, "maxmin/concurrency-limit"));
  assert_non_null(strstr(edited.bytes, "core=\"4\""));
}

/* What was said of the machine before is not said of the edited one. */
TEST(test_descriptions)
{
  static const char *const edits[] = {"topology=flat", "//prop[@id=\"tutti/description\"]=all on one switch"};
  for (int count = 1; count <= 2; count++) {
    tutti_edited_platform edited;
    assert_int_equal(tutti_platform_edit(PLATFORMS "/supermuc.xml", edits, count, &edited, REASON), TUTTI_OK);
    tutti_platform platform = read_back(&edited);
    assert_string_equal(platform.description, count == 1 ? "supermuc; edited: topology=flat" : "all on one switch");
    assert_null(strstr(edited.bytes, "18 islands"));
    tutti_platform_free(&platform);
    tutti_edited_platform_free(&edited);
  }
}

TEST(test_changes)
{
  tutti_edited_platform edited;
  assert_int_equal(edit(PLATFORMS "/bgp.xml", "latency=*0.5", &edited, REASON), TUTTI_OK);
  assert_string_equal(edited.name, "bgp+latency=x0.5");
  assert_int_equal(edited.change_count, 1);
  assert_string_equal(edited.changes[0].where, "cluster torus lat");
  assert_string_equal(edited.changes[0].before, "100ns");
  assert_string_equal(edited.changes[0].after, "50ns");
  tutti_edited_platform_free(&edited);
  assert_int_equal(edit(PLATFORMS "/bgp.xml", "//cluster[@id=\"torus\"]/@lat=*0.5", &edited, REASON), TUTTI_OK);
  assert_true(strncmp(edited.name, "bgp+%%cluster-@id=-torus--%@lat=x0.5-", 37) == 0);
  assert_int_equal(strlen(edited.name), 37 + 8);
  tutti_edited_platform_free(&edited);
}

TEST(test_faults)
{
  static const struct {
    const char *text, *message;
  } faults[] = {
      {"latency=5", "edit 'latency=5': <cluster> lat: has no unit: units are ps ns us"},
      {"latency=5GBps", "unknown unit 'GBps'"},
      {"latency=*x", "a number is expected after '*'"},
      {"latency=*2us", "'2us' is not a factor"},
      {"latency=/0", "'0' is not a factor"},
      {"latency=-1s", "a time is not negative"},
      {"latency=+5", "has no unit"},
      {"latency=", "there is no value after '='"},
      {"latency=*1", "changes nothing"},
      {"bandwidth=*0", "would become 0Bps: a bandwidth is above 0"},
      {"speed=*nan", "is not a factor"},
      {"overhead=*2", "changes nothing"},
      {"overhead=-1us", "not below 0"},
      {"overhead=fast", "not a number with a unit"},
      {"colour=red", "unknown word 'colour'"},
      {"latency", "expected WORD=VALUE or XPATH=VALUE"},
      {"", "expected WORD=VALUE or XPATH=VALUE"},
      {"//nothing/@lat=*2", "the XPath //nothing/@lat matches nothing in"},
      {"//cluster=*2", "selects the element <cluster>, which has no value"},
      {"//cluster/text()=x", "matches nothing"},
      {"//cluster/@@lat=*2", "not an XPath of version 1.0"},
      {"//unknown:a/@b=2", "not an XPath of version 1.0"},
      {"//cluster/@id=*2", "'*2' changes numbers, not \"cluster\""},
      {"//cluster/@radical=abc", "after the edits, the last of which is '//cluster/@radical=abc'"},
      {"//cluster/@lat=abc", "not a number with a unit"},
      {"/platform/@version=3", "versions 4 and 4.1 are read"},
      {"hosts=0", "'0' is not a whole number from 1"},
      {"hosts=*0.3", "is not a whole number"},
      {"hosts=2000000", "is not a whole number from 1 to 1048576"},
      {"ranks_per_node=4", "loopback-latency= and loopback-bandwidth= before it"},
      {"loopback-latency=*2", "no loopback_lat that could be changed: set it"},
      {"loopback-latency=2", "has no unit"},
      {"topology=ring:4", "unknown topology 'ring'"},
      {"topology=torus", "expected torus:"},
      {"topology=torus:8x", "'8x' does not describe a torus"},
      {"topology=torus:8x4/2", "does not describe a torus"},
      {"topology=torus:0x4", "does not describe a torus"},
      {"topology=torus:65536x65536", "'65536x65536' describes a torus of more than 1048576 nodes"},
      {"topology=fat-tree:8x8/3", "does not describe a fat-tree"},
      {"topology=fat-tree:2;4,4;1,2;1", "does not describe a fat-tree"},
      {"topology=fat-tree:3;4,4;1,2;1,1", "does not describe a fat-tree"},
      {"topology=dragonfly:3x4x2x4", "at most as many groups as a chassis has routers"},
      {"topology=dragonfly:5x2x2", "does not describe a dragonfly"},
      {"topology=flat:8", "expected flat"},
      {"//cluster/@id=M\xfcnster", "is not text that XML can hold"},
      {"//cluster/@id=a\001", "is not text that XML can hold"},
      {"latency=*2|\"//a\xc3\"", "is not text that XML can hold"},
      {"network=no_such_platform", "platform 'no_such_platform' not found"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_edited_platform edited;
    assert_int_equal(edit(PLATFORMS "/grig_fast_ethernet.xml", faults[i].text, &edited, REASON), TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, faults[i].message))
      fail_msg("%s: '%s' does not say '%s'", faults[i].text, error.message, faults[i].message);
    assert_null(edited.bytes);
  }
}

TEST(test_more_than_a_cluster)
{
  tutti_edited_platform edited;
  SCRATCH_FILE(file, "other.xml", other);
  assert_fails(edit(file.path, "topology=torus:2x2", &edited, REASON), TUTTI_ERR_ARGUMENT, error,
               "for machines of one <cluster>");
  assert_fails(edit(PLATFORMS "/bgp.xml", "hosts=64", &edited, REASON), TUTTI_ERR_ARGUMENT, error,
               "is a TORUS: say topology=");
  assert_int_equal(edit("/no/such/file.xml", "latency=*2", &edited, REASON), TUTTI_ERR_IO);
}

/* Links that lose throughput: with the edit the limit goes that would keep messages from meeting; with the backbone,
   another network or topology they go. */
TEST(test_contention)
{
  SCRATCH_FILE(file, "switch.xml", "");
  static const char *const words[] = {"backbone-bandwidth=1GBps", "backbone-latency=0us", "backbone-contention=12/0.25",
                                      "port-contention=4/1"};
  char network[sizeof file.path + 10];
  snprintf(network, sizeof network, "network=%s", file.path);
  const struct {
    const char *path, *edit;
    int backbone, port, cable;
  } cases[] = {{file.path, "latency=*2", 12, 4, 0},
               {file.path, "backbone-contention=", 0, 4, 0},
               {file.path, "topology=torus:4x4x4", 0, 0, 0},
               {file.path, "topology=flat", 0, 4, 0},
               {file.path, "network=" PLATFORMS "/grig_fast_ethernet.xml", 0, 0, 0},
               {PLATFORMS "/boba_gige.xml", network, 12, 4, 0},
               {PLATFORMS "/boba_gige.xml", words[3], 0, 4, 0},
               {PLATFORMS "/boba_gige.xml", "network=" PLATFORMS "/boba_gige_switch.xml", 15, 0, 1},
               {PLATFORMS "/boba_gige_switch.xml", "backbone-contention=12/0.25", 12, 0, 1},
               {PLATFORMS "/boba_gige_switch.xml", "port-contention=4/0.25", 15, 4, 0},
               {PLATFORMS "/boba_gige_switch.xml", "topology=torus:4x8", 0, 0, 0}};
  tutti_edited_platform edited;
  assert_int_equal(tutti_platform_edit(PLATFORMS "/grig_mx.xml", words, 4, &edited, REASON), TUTTI_OK);
  FILE *stream = fopen(file.path, "w");
  fwrite(edited.bytes, 1, edited.length, stream);
  fclose(stream);
  tutti_edited_platform_free(&edited);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (edit(cases[i].path, cases[i].edit, &edited, REASON) != TUTTI_OK)
      fail_msg("%s: %s", cases[i].edit, error.message);
    tutti_platform after = read_back(&edited);
    assert_int_equal(after.backbone_contention.messages, cases[i].backbone);
    assert_int_equal(after.port_contention.messages, cases[i].port);
    assert_int_equal(after.messages_a_cable, cases[i].cable);
    tutti_platform_free(&after);
    tutti_edited_platform_free(&edited);
  }
  assert_fails(edit(file.path, "backbone-contention=12", &edited, REASON), TUTTI_ERR_ARGUMENT, error,
               "expected K/FLOOR");
}
