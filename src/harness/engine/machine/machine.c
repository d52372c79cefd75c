/* From a platform file to a machine of the engine. The engine refuses what it does not support, with the line. */
#include "harness/engine/machine/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "harness/engine/machine/machine_read.h"
#include "harness/engine/machine/zones.h"
#include "harness/platforms/dragonfly_plus.h"
#include "harness/platforms/platform_private.h"

tutti_status tutti_machine_refuse(const struct machine_reading *r, const char *format, ...)
{
  tutti_error what;
  va_list arguments;
  va_start(arguments, format);
  tutti_vfail(&what, TUTTI_ERR_UNSUPPORTED, format, arguments);
  va_end(arguments);
  tutti_xml_fail(r->file, r->node, r->error, "the engine does not know %s", what.message);
  if (r->error)
    r->error->status = TUTTI_ERR_UNSUPPORTED;
  return TUTTI_ERR_UNSUPPORTED;
}

/* Refuse a property of the current <config> whose value differs from what the engine computes. */
static tutti_status refuse_value(const struct machine_reading *r, const char *known)
{
  return tutti_machine_refuse(r, "%.40s=\"%.40s\", only %s", tutti_xml_attribute(r->node, "id"),
                              tutti_xml_attribute(r->node, "value"), known);
}

/* ---- options ---- */

static tutti_status read_limit(struct machine_reading *r, const char *value)
{
  r->machine->one_flow_a_link = strcmp(value, "1") == 0;
  return r->machine->one_flow_a_link || atoi(value) < 0 ? TUTTI_OK : refuse_value(r, "1 and -1 (none)");
}

/* Its value can be read: the file has been checked. */
static tutti_status read_pieces(const struct machine_reading *r, const char *value, enum pieces_kind kind,
                                struct pieces *pieces)
{
  tutti_pieces_free(pieces);
  return tutti_pieces_read(value, kind, pieces, r->error);
}

#define READS_PIECES(name, kind, member)                                                                               \
  static tutti_status name(struct machine_reading *r, const char *value)                                               \
  {                                                                                                                    \
    return read_pieces(r, value, kind, &r->machine->member);                                                           \
  }
#define READS_BYTES(name, member)                                                                                      \
  static tutti_status name(struct machine_reading *r, const char *value)                                               \
  {                                                                                                                    \
    r->machine->member = strtoull(value, NULL, 10);                                                                    \
    return TUTTI_OK;                                                                                                   \
  }

READS_PIECES(read_bandwidth_factor, PIECES_BANDWIDTH_FACTOR, bandwidth_factor)
READS_PIECES(read_latency_factor, PIECES_LATENCY_FACTOR, latency_factor)
READS_PIECES(read_overhead, PIECES_OVERHEAD, send_overhead)
READS_PIECES(read_receive_overhead, PIECES_OVERHEAD, receive_overhead)
READS_BYTES(read_detached, detached)
READS_BYTES(read_small, small)

#define READS_REAL(name, member)                                                                                       \
  static tutti_status name(struct machine_reading *r, const char *value)                                               \
  {                                                                                                                    \
    r->machine->member = strtod(value, NULL);                                                                          \
    return TUTTI_OK;                                                                                                   \
  }
READS_REAL(read_weight, network.weight_s)
READS_REAL(read_gamma, tcp_gamma)
READS_REAL(read_loopback_bandwidth, loopback_bandwidth)
READS_REAL(read_loopback_latency, loopback_latency)
READS_REAL(read_precision, precision)
READS_REAL(read_initialization, initialization)

static tutti_status read_crosstraffic(struct machine_reading *r, const char *value)
{
  r->machine->network.crosstraffic = !tutti_platform_says_no(value);
  return TUTTI_OK;
}

static tutti_status want_lazy(struct machine_reading *r, const char *value)
{
  return strcasecmp(value, "Lazy") == 0 ? TUTTI_OK : refuse_value(r, "Lazy");
}

static tutti_status want_smpi(struct machine_reading *r, const char *value)
{
  return strcasecmp(value, "SMPI") == 0 ? TUTTI_OK : refuse_value(r, "SMPI");
}

static tutti_status ignore(struct machine_reading *r, const char *value)
{
  (void)r, (void)value;
  return TUTTI_OK;
}

/* What options say, and what those say that a file leaves out: SimGrid's defaults, where they are not what an empty
   machine has. The measuring programs have no computation simulated, and look at SimGrid's own clock. */
static const struct option {
  const char *name;
  tutti_status (*read)(struct machine_reading *r, const char *value);
  const char *otherwise;
} options[] = {
    {"smpi/bw-factor", read_bandwidth_factor,
     "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;732:0.341987;257:0.338112;"
     "0:0.812084"},
    {"smpi/lat-factor", read_latency_factor,
     "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;257:1.95341;"
     "0:2.01467"},
    {"smpi/ois", read_overhead, NULL},
    {"smpi/os", ignore, NULL}, /* schedules send without blocking */
    {"smpi/or", read_receive_overhead, NULL},
    {"smpi/send-is-detached-thresh", read_detached, "65536"},
    {"smpi/async-small-thresh", read_small, NULL},
    {"smpi/simulate-computation", ignore, NULL},
    {"smpi/host-speed", ignore, NULL},
    {"smpi/cpu-threshold", ignore, NULL},
    {"smpi/init", read_initialization, NULL},
    {"smpi/wtime", ignore, NULL},
    {"smpi/test", ignore, NULL},
    {"smpi/iprobe", ignore, NULL},
    {"smpi/grow-injected-times", ignore, NULL},
    {"network/weight-S", read_weight, "8775"},
    {"network/TCP-gamma", read_gamma, "4194304"},
    {"network/crosstraffic", read_crosstraffic, "yes"},
    {"network/loopback-bw", read_loopback_bandwidth, "10e9"},
    {"network/loopback-lat", read_loopback_latency, "0"},
    {"maxmin/concurrency-limit", read_limit, NULL},
    {"maxmin/precision", read_precision, "1e-5"},
    {"network/optim", want_lazy, NULL},
    {"cpu/optim", want_lazy, NULL},
    {"network/model", want_smpi, NULL},
    {"contexts/", ignore, NULL},
    {"debug/", ignore, NULL},
    {"exception/", ignore, NULL},
    {"tracing", ignore, NULL},
    {"tracing/", ignore, NULL},
    {"smpi/display-", ignore, NULL},
    {"smpi/trace-call-", ignore, NULL},
    {"smpi/coll-selector", ignore, NULL},
    {"smpi/errors-are-fatal", ignore, NULL},
    {"smpi/finalization-barrier", ignore, NULL},
    {"smpi/keep-temps", ignore, NULL},
    {"smpi/list-leaks", ignore, NULL},
    {"smpi/pedantic", ignore, NULL},
};

enum { OPTIONS = sizeof options / sizeof *options };

/* A name that ends in '/' or '-' stands for all that begin so. */
static bool names(const char *option, const char *name)
{
  const size_t length = strlen(option);
  const bool begins = strchr("/-", option[length - 1]) != NULL;
  return begins ? strncmp(name, option, length) == 0 : strcmp(name, option) == 0;
}

static tutti_status read_option(struct machine_reading *r, bool given[OPTIONS])
{
  const char *name = tutti_xml_attribute(r->node, "id");
  for (size_t i = 0; i < OPTIONS; i++)
    if (names(options[i].name, name)) {
      given[i] = true;
      return options[i].read(r, tutti_xml_attribute(r->node, "value"));
    }
  return tutti_machine_refuse(r, "%s", name);
}

static tutti_status read_defaults(struct machine_reading *r, const bool given[OPTIONS])
{
  tutti_status status = TUTTI_OK;
  r->node = tutti_xml_root(r->file);
  for (size_t i = 0; i < OPTIONS && status == TUTTI_OK; i++)
    if (options[i].otherwise && !given[i])
      status = options[i].read(r, options[i].otherwise);
  return status;
}

/* ---- the file ---- */

/* Whether all hosts are those of one <cluster>, whose routes are computed by the numbers of the hosts. */
static bool is_one_cluster(const xml_file *file)
{
  static const char *const around[] = {"platform", "config", "prop", "zone", "AS"};
  const xmlNode *root = tutti_xml_root(file);
  int clusters = 0;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    bool known = node->type != XML_ELEMENT_NODE || tutti_xml_is(node, "cluster");
    clusters += tutti_xml_is(node, "cluster");
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
      known |= tutti_xml_is(node, around[i]);
    if (!known)
      return false;
  }
  return clusters == 1;
}

static tutti_status read_zones(struct machine_reading *r)
{
  struct engine_network *n = &r->machine->network;
  n->backbone = n->limiters = n->loopbacks = ENGINE_NONE;
  if (r->machine->one_message_a_cable || n->backbone_contention.messages > 0 || n->port_contention.messages > 0)
    return tutti_machine_refuse(r, "several clusters whose links lose throughput or carry one message at a time");
  const tutti_status status = tutti_zones_read(r, &n->zones);
  n->link_count = status == TUTTI_OK ? (uint32_t)n->zones->network.links.count : 0;
  if (status == TUTTI_OK) /* what traces count by */
    r->machine->processor = n->zones->processors[0];
  return status;
}

static tutti_status read_network(struct machine_reading *r)
{
  const xmlNode *root = tutti_xml_root(r->file);
  r->node = root;
  if (tutti_dragonfly_plus_begins(r->file))
    return tutti_machine_read_dragonfly_plus(r);
  if (!is_one_cluster(r->file))
    return read_zones(r);
  while (!tutti_xml_is(r->node, "cluster"))
    r->node = tutti_xml_next(r->node, root);
  return tutti_machine_read_cluster(r);
}

static tutti_status check_limit(struct machine_reading *r)
{
  if (r->machine->one_flow_a_link && r->machine->ranks_per_node > 1)
    return tutti_machine_refuse(
        r, "several ranks a node with a limit of concurrency, which SimGrid applies to processors, too");
  return TUTTI_OK;
}

static tutti_status read_options(struct machine_reading *r)
{
  const xmlNode *root = tutti_xml_root(r->file);
  bool given[OPTIONS] = {false};
  tutti_status status = TUTTI_OK;
  for (r->node = root; r->node && status == TUTTI_OK; r->node = tutti_xml_next(r->node, root))
    if (tutti_xml_is(r->node, "prop") && tutti_xml_is(r->node->parent, "config"))
      status = read_option(r, given);
  return status == TUTTI_OK ? read_defaults(r, given) : status;
}

static tutti_status read_all(struct machine_reading *r)
{
  tutti_status status = read_options(r);
  if (status == TUTTI_OK)
    status = read_network(r);
  return status == TUTTI_OK ? check_limit(r) : status;
}

tutti_status tutti_machine_read(const char *path, struct engine_machine *machine, tutti_error *error)
{
  tutti_platform platform;
  xml_file file;
  *machine = (struct engine_machine){0};
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status == TUTTI_OK && (status = tutti_platform_accept(&platform, 1, NULL, error)) != TUTTI_OK)
    tutti_platform_free(&platform);
  if (status != TUTTI_OK)
    return status;
  snprintf(machine->platform, sizeof machine->platform, "%.63s", platform.name);
  machine->path = tutti_xprintf("%s", path);
  machine->network.host_count = (uint32_t)platform.host_count;
  machine->ranks_per_node = platform.ranks_per_node;
  machine->actor_cost = platform.actor_cost;
  machine->copy_cost = platform.copy_cost;
  machine->receive_gap = platform.receive_gap;
  machine->first_touch = platform.first_touch;
  machine->network.backbone_contention = platform.backbone_contention;
  machine->network.port_contention = platform.port_contention;
  machine->one_message_a_cable = platform.messages_a_cable == 1;
  status = tutti_xml_file_read(path, &file, error);
  struct machine_reading reading = {.file = &file, .machine = machine, .platform = &platform, .error = error};
  if (status == TUTTI_OK) {
    status = read_all(&reading);
    tutti_xml_file_free(&file);
  }
  tutti_platform_free(&platform);
  if (status != TUTTI_OK)
    tutti_machine_free(machine);
  return status;
}

tutti_status tutti_machine_read_or_smpi(const char *path, struct engine_machine *machine, tutti_error *error)
{
  tutti_error reason;
  const tutti_status status = tutti_machine_read(path, machine, &reason);
  if (status == TUTTI_OK)
    return TUTTI_OK;
  return tutti_fail(error, status, "%s%s", reason.message,
                    status == TUTTI_ERR_UNSUPPORTED ? "; --engine smpi simulates it" : "");
}

tutti_status tutti_machine_no_route(const struct engine_machine *machine, uint32_t from, uint32_t to,
                                    tutti_error *error)
{
  tutti_platform platform;
  const tutti_status status = tutti_platform_read(machine->path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  tutti_fail(
      error, TUTTI_ERR_UNSUPPORTED,
      "%s: SimGrid ends with the first message from host '%.80s' to host '%.80s': there is no route between them",
      machine->path, platform.hosts[from], platform.hosts[to]);
  tutti_platform_free(&platform);
  return TUTTI_ERR_UNSUPPORTED;
}

tutti_status tutti_machine_speed(const struct engine_machine *machine, double *speed, tutti_error *error)
{
  *speed = machine->processor.speed;
  return *speed > 0
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                          "platform %s: computation is counted by its first host, whose speed is 0", machine->platform);
}

struct engine_processor tutti_processor_of(const struct engine_machine *machine, uint32_t host)
{
  return machine->network.zones ? machine->network.zones->processors[host] : machine->processor;
}

void tutti_machine_free(struct engine_machine *machine)
{
  tutti_zones_free(machine->network.zones);
  tutti_pieces_free(&machine->bandwidth_factor);
  tutti_pieces_free(&machine->latency_factor);
  tutti_pieces_free(&machine->send_overhead);
  tutti_pieces_free(&machine->receive_overhead);
  free(machine->path);
  *machine = (struct engine_machine){0};
}
