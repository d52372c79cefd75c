/* The elements that SimGrid 3.32 reads in a platform file (its simgrid.dtd, version 4.1), except those that it has
   removed since (include, storage) or that smpirun adds (actors). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "harness/platforms/platform_private.h"

static tutti_status check_version(const char *text, tutti_error *error)
{
  char *end;
  const double version = strtod(text, &end);
  if (end != text && *end == '\0' && version >= 3.995 && version < 4.105)
    return TUTTI_OK;
  if (end != text && *end == '\0' && version >= 0 && version < 3.995)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "versions 4 and 4.1 are read; simgrid_update_xml of SimGrid converts older files in place (give it a copy)");
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "versions 4 and 4.1 are read");
}

static tutti_status check_count(const char *text, tutti_error *error)
{
  char *end;
  const double count = strtod(text, &end); /* as SimGrid, which reads to the first other sign */
  if (end != text && count >= 1 && count <= 1 << 20)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a whole number of at least 1");
}

static tutti_status check_routing(const char *text, tutti_error *error)
{
  static const char *const known[] = {"Full",    "Floyd",   "Dijkstra", "DijkstraCache",
                                      "Cluster", "Vivaldi", "None",     "Wifi"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(text, known[i]) == 0)
      return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "expected one of Full Floyd Dijkstra DijkstraCache Cluster Vivaldi None Wifi");
}

/* Beyond ASCII: not what a terminal obeys (C1 controls), or shows as nothing or in another order. */
static bool is_letter(uint32_t code)
{
  return code < 0x80 ? isalnum((int)code) || (code && strchr(" ._-+@:/#()[],=~%", (int)code))
                     : code >= 0xa0 && (code < 0x2000 || code > 0x206f) && code != 0xfeff;
}

/* Letters, digits, blanks and a few signs, or nothing: safe on a terminal, in a file of names, in a shell, and no
   option of a command. A check of xml_schema.h. */
static tutti_status check_name(const char *text, tutti_error *error)
{
  uint32_t code;
  int length;
  const char *at = text;
  while ((length = tutti_utf8_decode(at, &code)) > 0 && is_letter(code))
    at += length;
  if (length == 0 && *text != '-')
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "a name has letters, digits, blanks and ._-+@:/#()[],=~%% only, and does not begin with '-'");
}

/* Between @p least and @p most numbers separated by blanks. */
static tutti_status check_numbers(const char *text, int least, int most, tutti_error *error)
{
  int count = 0;
  for (char *end; *(text += strspn(text, " ")); text = end, count++) {
    const double number = strtod(text, &end);
    if (end == text || (*end && *end != ' ') || !isfinite(number))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.40s' is not a number", text);
  }
  return count >= least && count <= most ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d numbers", count);
}

static tutti_status check_coordinates(const char *text, tutti_error *error)
{
  return *text ? check_numbers(text, 3, 3, error) : TUTTI_OK;
}

static tutti_status check_period(const char *text, tutti_error *error)
{
  return check_numbers(text, 1, 1, error);
}

static tutti_status check_state(const char *text, tutti_error *error)
{
  return text[strspn(text, "0123456789.")] == '\0' && *text && strlen(text) < 6
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "not the number of a state");
}

#define NAMED(name) XML_REQUIRED_AS(name, check_name)
#define SHARING     "SHARED SPLITDUPLEX FULLDUPLEX FATPIPE"
#define ROUTE       NAMED("src"), NAMED("dst")
#define GATEWAYS    ROUTE, NAMED("gw_src"), NAMED("gw_dst")
#define SYMMETRY    XML_ONE_OF("symmetrical", "YES NO yes no")
#define TRACES      "trace trace_connect"
#define ZONE_IN                                                                                                        \
  "prop; AS zone link backbone cluster peer " TRACES "; zoneRoute ASroute bypassASroute bypassZoneRoute " TRACES
#define ZONE_LEAF "prop; host cabinet router link backbone host_link " TRACES "; route bypassRoute " TRACES

static const xml_attribute_rule zone_attributes[] = {NAMED("id"), XML_REQUIRED_AS("routing", check_routing), XML_END};

static const xml_attribute_rule cluster_attributes[] = {
    NAMED("id"),
    NAMED("prefix"),
    NAMED("suffix"),
    XML_REQUIRED("radical"),
    XML_REQUIRED_AS("speed", tutti_platform_check_speeds),
    XML_OPTIONAL_AS("core", check_count),
    XML_REQUIRED_AS("bw", tutti_platform_check_bandwidth),
    XML_REQUIRED_AS("lat", tutti_platform_check_time),
    XML_ONE_OF("sharing_policy", SHARING),
    XML_ONE_OF("topology", "FLAT TORUS FAT_TREE DRAGONFLY"),
    XML_OPTIONAL("topo_parameters"),
    XML_OPTIONAL_AS("bb_bw", tutti_platform_check_bandwidth),
    XML_OPTIONAL_AS("bb_lat", tutti_platform_check_time),
    XML_ONE_OF("bb_sharing_policy", "SHARED FATPIPE"),
    XML_OPTIONAL_AS("router_id", check_name),
    XML_OPTIONAL_AS("limiter_link", tutti_platform_check_bandwidth),
    XML_OPTIONAL_AS("loopback_bw", tutti_platform_check_bandwidth),
    XML_OPTIONAL_AS("loopback_lat", tutti_platform_check_time),
    XML_END,
};

static const xml_attribute_rule host_attributes[] = {
    NAMED("id"),
    XML_REQUIRED_AS("speed", tutti_platform_check_speeds),
    XML_OPTIONAL_AS("core", check_count),
    XML_OPTIONAL("speed_file"),
    XML_OPTIONAL("availability_file"),
    XML_OPTIONAL("state_file"),
    XML_OPTIONAL_AS("coordinates", check_coordinates),
    XML_OPTIONAL_AS("pstate", check_state),
    XML_END,
};

static const xml_attribute_rule peer_attributes[] = {
    NAMED("id"),
    XML_REQUIRED_AS("speed", tutti_platform_check_speeds),
    XML_REQUIRED_AS("bw_in", tutti_platform_check_bandwidth),
    XML_REQUIRED_AS("bw_out", tutti_platform_check_bandwidth),
    XML_OPTIONAL_AS("lat", tutti_platform_check_time),
    XML_OPTIONAL_AS("coordinates", check_coordinates),
    XML_OPTIONAL("speed_file"),
    XML_OPTIONAL("availability_file"),
    XML_OPTIONAL("state_file"),
    XML_END,
};

/* SimGrid's DTD calls the latency optional, but 3.32 cannot read a link without one. */
static const xml_attribute_rule link_attributes[] = {
    NAMED("id"),
    XML_REQUIRED_AS("bandwidth", tutti_platform_check_bandwidths),
    XML_OPTIONAL("bandwidth_file"),
    XML_REQUIRED_AS("latency", tutti_platform_check_time),
    XML_OPTIONAL("latency_file"),
    XML_OPTIONAL("state_file"),
    XML_ONE_OF("sharing_policy", SHARING " WIFI"),
    XML_END,
};

static const xml_element_rule elements[] = {
    {"platform",
     XML_ATTRIBUTES(XML_REQUIRED_AS("version", check_version)),
     {"config random; cluster AS zone " TRACES},
     false},
    {"config", XML_ATTRIBUTES(XML_OPTIONAL("id")), {"prop"}, false},
    {"prop", XML_ATTRIBUTES(XML_REQUIRED("id"), XML_REQUIRED("value")), {NULL}, false},
    {"random", /* SimGrid passes over it */
     XML_ATTRIBUTES(XML_REQUIRED("id"), XML_REQUIRED("min"), XML_REQUIRED("max"), XML_REQUIRED("mean"),
                    XML_REQUIRED("std_deviation"), XML_OPTIONAL("seed"), XML_OPTIONAL("radical"),
                    XML_ONE_OF("generator", "DRAND48 RAND RNGSTREAM NONE")),
     {NULL},
     false},
    {"zone", zone_attributes, {ZONE_IN, ZONE_LEAF}, false},
    {"AS", zone_attributes, {ZONE_IN, ZONE_LEAF}, false},
    {"cluster", cluster_attributes, {"prop"}, false},
    {"cabinet",
     XML_ATTRIBUTES(NAMED("id"), NAMED("prefix"), NAMED("suffix"), XML_REQUIRED("radical"),
                    XML_REQUIRED_AS("speed", tutti_platform_check_speeds),
                    XML_REQUIRED_AS("bw", tutti_platform_check_bandwidth),
                    XML_REQUIRED_AS("lat", tutti_platform_check_time)),
     {NULL},
     false},
    {"host", host_attributes, {"prop disk"}, false},
    {"disk",
     XML_ATTRIBUTES(XML_OPTIONAL_AS("id", check_name), XML_REQUIRED_AS("read_bw", tutti_platform_check_bandwidth),
                    XML_REQUIRED_AS("write_bw", tutti_platform_check_bandwidth)),
     {"prop"},
     false},
    {"peer", peer_attributes, {NULL}, false},
    {"router", XML_ATTRIBUTES(NAMED("id"), XML_OPTIONAL_AS("coordinates", check_coordinates)), {NULL}, false},
    {"backbone",
     XML_ATTRIBUTES(NAMED("id"), XML_REQUIRED_AS("bandwidth", tutti_platform_check_bandwidth),
                    XML_REQUIRED_AS("latency", tutti_platform_check_time)),
     {NULL},
     false},
    {"link", link_attributes, {"prop"}, false},
    {"host_link", XML_ATTRIBUTES(NAMED("id"), NAMED("up"), NAMED("down")), {NULL}, false},
    {"route", XML_ATTRIBUTES(ROUTE, SYMMETRY), {"link_ctn"}, false},
    {"bypassRoute", XML_ATTRIBUTES(ROUTE), {"link_ctn"}, false},
    {"zoneRoute", XML_ATTRIBUTES(GATEWAYS, SYMMETRY), {"link_ctn"}, false},
    {"ASroute", XML_ATTRIBUTES(GATEWAYS, SYMMETRY), {"link_ctn"}, false},
    {"bypassZoneRoute", XML_ATTRIBUTES(GATEWAYS), {"link_ctn"}, false},
    {"bypassASroute", XML_ATTRIBUTES(GATEWAYS), {"link_ctn"}, false},
    {"link_ctn", XML_ATTRIBUTES(NAMED("id"), XML_ONE_OF("direction", "UP DOWN NONE")), {NULL}, false},
    {"trace",
     XML_ATTRIBUTES(NAMED("id"), XML_OPTIONAL("file"), XML_REQUIRED_AS("periodicity", check_period)),
     {NULL},
     true},
    {"trace_connect",
     XML_ATTRIBUTES(XML_ONE_OF("kind", "HOST_AVAIL SPEED LINK_AVAIL BANDWIDTH LATENCY"), NAMED("trace"),
                    NAMED("element")),
     {NULL},
     false},
    {NULL, NULL, {NULL}, false},
};

/* ---- has a platform file the structure that SimGrid reads? ---- */

/* SimGrid identifies its files by the exact identifier; the second is that of its former host. */
static bool has_doctype(const xml_file *file)
{
  const xmlDtd *doctype = file->document->intSubset;
  const char *identifier = doctype ? (const char *)doctype->SystemID : NULL;
  return identifier && !doctype->children && strcmp((const char *)doctype->name, "platform") == 0 &&
         (strcmp(identifier, "https://simgrid.org/simgrid.dtd") == 0 ||
          strcmp(identifier, "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd") == 0);
}

/* SimGrid's parser reads bytes. In an encoding in which an ASCII byte can be part of another character, or with two
   bytes a character, it would read a comment as elements. */
static bool has_plain_encoding(const xml_file *file)
{
  static const char *const plain[] = {"UTF-8", "US-ASCII", "ASCII", "ISO-8859-1", "ISO-8859-15", "ISO8859-1", "LATIN1"};
  const char *encoding = (const char *)file->document->encoding;
  bool found = !encoding;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    found = found || strcasecmp(encoding, plain[i]) == 0;
  return found && (!file->bytes || memchr(file->bytes, '\0', file->length) == NULL);
}

static bool is_zone(const xmlNode *node)
{
  return tutti_xml_is(node, "zone") || tutti_xml_is(node, "AS") || tutti_xml_is(node, "cluster");
}

const xmlNode *tutti_platform_outermost(const xml_file *file)
{
  const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children);
  while (node && !is_zone(node))
    node = tutti_xml_element_from(node->next);
  return node;
}

tutti_status tutti_platform_check_structure(const xml_file *file, tutti_error *error)
{
  if (file->bytes && strncmp(file->bytes, "\xef\xbb\xbf", 3) == 0)
    return tutti_xml_fail(file, tutti_xml_root(file), error, "SimGrid reads no byte order mark: leave it out");
  if (!has_plain_encoding(file))
    return tutti_xml_fail(file, tutti_xml_root(file), error, "SimGrid reads UTF-8: convert the file");
  tutti_status status = tutti_xml_check(file, "platform", elements, error);
  if (status != TUTTI_OK)
    return status;
  if (!has_doctype(file))
    return tutti_xml_fail(
        file, tutti_xml_root(file), error,
        "SimGrid needs <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"> before <platform>");
  const xmlNode *outermost = tutti_platform_outermost(file);
  if (!outermost)
    return tutti_xml_fail(file, tutti_xml_root(file), error, "<platform> holds no <zone> and no <cluster>");
  for (const xmlNode *node = tutti_xml_element_from(outermost->next); node; node = tutti_xml_element_from(node->next))
    if (is_zone(node))
      return tutti_xml_fail(file, node, error, "second outermost <%s>: put them into one <zone>",
                            (const char *)node->name);
  return TUTTI_OK;
}
