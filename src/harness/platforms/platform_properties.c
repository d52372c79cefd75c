/* <prop> elements: SimGrid's options in <config>, and Tutti's properties, in the outermost element. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "harness/platforms/pieces.h"
#include "harness/platforms/platform_private.h"

static tutti_status check_option(const xml_file *file, const xmlNode *node, tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  if (tutti_platform_is_overridden(name, value))
    return TUTTI_OK;
  return tutti_platform_check_option(name, value, &reason) == TUTTI_OK
             ? TUTTI_OK
             : tutti_xml_fail(file, node, error, "%s", reason.message);
}

/* ---- overheads ---- */

/* The first piece, which is one number if it is the only one and has no slope. */
static bool parse_overhead(const char *value, tutti_overhead *overhead)
{
  struct pieces pieces;
  tutti_error ignored;
  const bool good = tutti_pieces_read(value, PIECES_OVERHEAD, &pieces, &ignored) == TUTTI_OK;
  if (good) {
    overhead->from = (long)pieces.items[0].from;
    overhead->seconds = pieces.items[0].value;
    overhead->even = pieces.count == 1 && pieces.items[0].slope == 0;
  }
  tutti_pieces_free(&pieces);
  return good;
}

/* check_option() refuses an invalid value. */
static void note_overhead(const xmlNode *node, tutti_platform *platform)
{
  static const char *const options[TUTTI_OVERHEADS] = {"smpi/os", "smpi/ois", "smpi/or"};
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  for (int i = 0; i < TUTTI_OVERHEADS; i++)
    if (strcmp(name, options[i]) == 0)
      platform->overheads[i].option = parse_overhead(value, &platform->overheads[i]) ? options[i] : NULL;
}

/* Note the library whose collectives SMPI runs, and whether it has eager messages. */
static void note_library(const xmlNode *node, tutti_platform *platform)
{
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  if (strcmp(name, "smpi/coll-selector") == 0)
    snprintf(platform->selector, sizeof platform->selector, "%s", value);
  if (strcmp(name, "smpi/send-is-detached-thresh") == 0)
    platform->eager = strtol(value, NULL, 10) > 0;
  platform->traces |= strncmp(name, "tracing", strlen("tracing")) == 0;
}

tutti_platform_options tutti_platform_options_for(const tutti_platform *platform, const char *version)
{
  enum { OLD = 3, OLD_MINOR = 32 };
  tutti_platform_options options = {.count = 0};
  if (platform->traces)
    snprintf(options.items[options.count++], sizeof *options.items, "--cfg=tracing:no");
  int major = 0, minor = 0;
  sscanf(version, "%d.%d", &major, &minor);
  if (major < OLD || (major == OLD && minor <= OLD_MINOR))
    return options;
  for (const tutti_overhead *o = platform->overheads; o < platform->overheads + TUTTI_OVERHEADS; o++)
    if (o->option && o->seconds > 0 && o->even)
      snprintf(options.items[options.count++], sizeof *options.items, "--cfg=%s:%.17g", o->option, o->seconds);
    else if (o->option && o->seconds > 0)
      options.lost = o;
  return options;
}

/* ---- setters: of a member, from the value of its property ---- */

static tutti_status set_text(void *member, const char *value, tutti_error *error)
{
  char **text = member;
  (void)error;
  free(*text);
  *text = tutti_xstrdup(value);
  return TUTTI_OK;
}

static tutti_status set_count(void *member, const char *value, tutti_error *error)
{
  char *end;
  long count = strtol(value, &end, 10);
  if (end == value || *end != '\0' || count < 1 || count > 1 << 20)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a whole number of at least 1");
  *(int *)member = (int)count;
  return TUTTI_OK;
}

/* Hosts of a group of each level, each a multiple of the one before. */
static tutti_status set_levels(void *member, const char *value, tutti_error *error)
{
  long below = 1;
  char *end;
  for (const char *at = value; *at; at = end + (*end == ',')) {
    const long hosts = strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || hosts < below || hosts > PLATFORM_MAX_HOSTS || hosts % below != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not numbers of hosts, each a multiple of the one before: 20,100");
    below = hosts;
  }
  return set_text(member, value, error);
}

/* Seconds, as a bare number or with a unit of time. */
static tutti_status set_seconds(void *member, const char *value, tutti_error *error)
{
  double *seconds = member;
  char *end;
  *seconds = strtod(value, &end);
  tutti_status status = TUTTI_OK;
  if (end == value || *end != '\0')
    status = tutti_platform_parse_time(value, seconds, error);
  if (status == TUTTI_OK && (!isfinite(*seconds) || *seconds <= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a time above 0");
  return status;
}

/* As simulation.c reads it. */
static tutti_status set_ratio(void *member, const char *value, tutti_error *error)
{
  double *ratio = member;
  char *end;
  *ratio = strtod(value, &end);
  if (end == value || *end != '\0' || !(*ratio > 0 && *ratio <= 1000))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a number above 0, at most 1000");
  return TUTTI_OK;
}

/* Without a unit, as the runtime reads it in simulation. */
static tutti_status set_cost(void *member, const char *value, tutti_error *error)
{
  double *seconds = member;
  char *end;
  *seconds = strtod(value, &end);
  if (end == value || *end != '\0' || !(*seconds >= 0 && *seconds < 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a number of seconds from 0 to 1");
  return TUTTI_OK;
}

static tutti_status set_contention(void *member, const char *value, tutti_error *error)
{
  return tutti_contention_parse(value, member, error);
}

static tutti_status set_one(void *member, const char *value, tutti_error *error)
{
  if (strcmp(value, "1") != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected 1: SimGrid and the engine know that or no limit");
  *(int *)member = 1;
  return TUTTI_OK;
}

/* ---- properties ---- */

#define PROPERTY(name, set, member)                                                                                    \
  {                                                                                                                    \
    "tutti/" name, set, offsetof(tutti_platform, member)                                                               \
  }

static const struct property {
  const char *name;
  tutti_status (*set)(void *member, const char *value, tutti_error *error);
  size_t offset; /* of the member in tutti_platform */
} properties[] = {
    PROPERTY("description", set_text, description),
    PROPERTY("source", set_text, source),
    PROPERTY("fit", set_text, fit),
    PROPERTY("nodes", set_text, nodes),
    PROPERTY("levels", set_levels, level_hosts),
    PROPERTY("ranks-per-node", set_count, ranks_per_node),
    PROPERTY("hosts-per-node", set_count, hosts_per_node),
    PROPERTY("published-alpha", set_seconds, published_alpha),
    PROPERTY("published-beta", set_seconds, published_beta),
    PROPERTY("published-L", set_seconds, published_L),
    PROPERTY("published-o", set_seconds, published_o),
    PROPERTY("published-g", set_seconds, published_g),
    PROPERTY("published-G", set_seconds, published_G),
    PROPERTY("published-gamma", set_seconds, published_gamma),
    PROPERTY("copy-cost", set_ratio, copy_cost),
    PROPERTY("receive-gap-s", set_cost, receive_gap),
    PROPERTY("first-touch-s", set_cost, first_touch),
    PROPERTY("backbone-contention", set_contention, backbone_contention),
    PROPERTY("port-contention", set_contention, port_contention),
    PROPERTY("messages-a-cable", set_one, messages_a_cable),
    PROPERTY("actor-start-s", set_cost, actor_cost.start),
    PROPERTY("actor-send-s", set_cost, actor_cost.send),
    PROPERTY("actor-receive-s", set_cost, actor_cost.receive),
    PROPERTY("actor-byte-s", set_cost, actor_cost.byte),
    PROPERTY("actor-entry-s", set_cost, actor_cost.entry),
    PROPERTY("actor-candidate-s", set_cost, actor_cost.candidate),
};

enum { PROPERTIES = sizeof properties / sizeof *properties };

static tutti_status set_property(const char *name, const char *value, tutti_platform *platform, tutti_error *error)
{
  char all[PROPERTIES * 28] = "", near[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (size_t i = 0; i < PROPERTIES; i++)
    if (strcmp(properties[i].name, name) == 0)
      return properties[i].set((char *)platform + properties[i].offset, value, error);
  for (size_t i = 0, length = 0; i < PROPERTIES; i++) {
    tutti_guess_try(&guess, properties[i].name);
    length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", properties[i].name);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown property%s: known are %s", tutti_guess_text(&guess, near), all);
}

static bool repeats_sibling(const xmlNode *node, const char *name)
{
  for (const xmlNode *before = node->prev; before; before = before->prev)
    if (tutti_xml_is(before, "prop") && strcmp(tutti_xml_attribute(before, "id"), name) == 0)
      return true;
  return false;
}

static tutti_status read_property(const xml_file *file, const xmlNode *node, tutti_platform *platform,
                                  tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "id"), *value = tutti_xml_attribute(node, "value");
  if (node->parent != tutti_platform_outermost(file))
    return tutti_xml_fail(file, node, error, "%s belongs into the outermost <zone> or <cluster>", name);
  if (repeats_sibling(node, name))
    return tutti_xml_fail(file, node, error, "%s is given twice", name);
  tutti_status status = set_property(name, value, platform, &reason);
  if (status == TUTTI_ERR_ARGUMENT)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": %s", name, value, reason.message);
  return status == TUTTI_OK ? status : tutti_fail(error, status, "%s: %s", file->path, reason.message);
}

tutti_status tutti_platform_read_properties(const xml_file *file, tutti_platform *platform, tutti_error *error)
{
  const xmlNode *root = tutti_xml_root(file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    if (!tutti_xml_is(node, "prop"))
      continue;
    const bool ours = strncmp(tutti_xml_attribute(node, "id"), "tutti/", strlen("tutti/")) == 0;
    if (tutti_xml_is(node->parent, "config") && !ours) {
      note_overhead(node, platform);
      note_library(node, platform);
      status = check_option(file, node, error);
    } else if (ours)
      status = read_property(file, node, platform, error);
    else if (tutti_pieces_kind(tutti_xml_attribute(node, "id")) == PIECES_OVERHEAD)
      status = check_option(file, node, error); /* SMPI reads those of each host, too */
  }
  return status == TUTTI_OK ? tutti_platform_check_contention(file, error) : status;
}
