/* From a platform file to a machine of the engine. The engine refuses what it does not support, with the line. */
#include "harness/engine/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/machine/machine_read.h"
#include "harness/platforms/dragonfly_plus.h"
#include "harness/platforms/platform_private.h"

tutti_status tutti_machine_refuse(const struct machine_reading *r, const char *what)
{
  const tutti_status status = tutti_xml_fail(r->file, r->node, r->error, "the fast engine does not know %s", what);
  if (r->error && status != TUTTI_OK)
    r->error->status = TUTTI_ERR_UNSUPPORTED;
  return TUTTI_ERR_UNSUPPORTED;
}

/* Refuse a property of the current <config> whose value differs from what the engine computes. */
static tutti_status refuse_value(const struct machine_reading *r, const char *known)
{
  char *what = tutti_xprintf("%.40s=\"%.40s\", only %s", tutti_xml_attribute(r->node, "id"),
                             tutti_xml_attribute(r->node, "value"), known);
  const tutti_status status = tutti_machine_refuse(r, what);
  free(what);
  return status;
}

/* ---- options ---- */

static tutti_status read_limit(struct machine_reading *r, const char *value)
{
  r->machine->one_flow_a_link = strcmp(value, "1") == 0;
  return r->machine->one_flow_a_link || atoi(value) < 0 ? TUTTI_OK : refuse_value(r, "1 and -1 (none)");
}

/* Its value can be read: the file has been checked. */
static tutti_status read_pieces(const struct machine_reading *r, const char *value, struct pieces *pieces)
{
  tutti_pieces_free(pieces);
  return tutti_pieces_read(value, (enum pieces_kind)tutti_pieces_kind(tutti_xml_attribute(r->node, "id")), pieces,
                           r->error);
}

#define READS_PIECES(name, member)                                                                                     \
  static tutti_status name(struct machine_reading *r, const char *value)                                               \
  {                                                                                                                    \
    return read_pieces(r, value, &r->machine->member);                                                                 \
  }
#define READS_BYTES(name, member)                                                                                      \
  static tutti_status name(struct machine_reading *r, const char *value)                                               \
  {                                                                                                                    \
    r->machine->member = strtoull(value, NULL, 10);                                                                    \
    return TUTTI_OK;                                                                                                   \
  }

READS_PIECES(read_bandwidth_factor, bandwidth_factor)
READS_PIECES(read_latency_factor, latency_factor)
READS_PIECES(read_overhead, send_overhead)
READS_PIECES(read_receive_overhead, receive_overhead)
READS_BYTES(read_detached, detached)
READS_BYTES(read_small, small)

static tutti_status want_zero(struct machine_reading *r, const char *value)
{
  return strtod(value, NULL) == 0 ? TUTTI_OK : refuse_value(r, "0");
}

static tutti_status want_no(struct machine_reading *r, const char *value)
{
  return tutti_platform_says_no(value) ? TUTTI_OK : refuse_value(r, "no");
}

static tutti_status want_huge(struct machine_reading *r, const char *value)
{
  return strtod(value, NULL) >= 1e20 ? TUTTI_OK : refuse_value(r, "1e20 bytes and more");
}

static tutti_status ignore(struct machine_reading *r, const char *value)
{
  (void)r, (void)value;
  return TUTTI_OK;
}

/* Options without which SimGrid does what the engine does not. */
static const struct option {
  const char *name;
  tutti_status (*read)(struct machine_reading *r, const char *value);
  bool needed;
} options[] = {
    {"smpi/bw-factor", read_bandwidth_factor, true},
    {"smpi/lat-factor", read_latency_factor, true},
    {"smpi/ois", read_overhead, false},
    {"smpi/os", ignore, false}, /* schedules send without blocking */
    {"smpi/or", read_receive_overhead, false},
    {"smpi/send-is-detached-thresh", read_detached, true},
    {"smpi/async-small-thresh", read_small, false},
    {"smpi/simulate-computation", want_no, true},
    {"smpi/host-speed", ignore, false},
    {"smpi/cpu-threshold", ignore, false},
    {"smpi/wtime", want_zero, true},
    {"smpi/test", ignore, false},
    {"smpi/iprobe", ignore, false},
    {"smpi/grow-injected-times", ignore, false},
    {"network/weight-S", want_zero, true},
    {"network/TCP-gamma", want_huge, true},
    {"network/crosstraffic", want_no, true},
    {"maxmin/concurrency-limit", read_limit, false},
    {"contexts/stack-size", ignore, false},
    {"contexts/guard-size", ignore, false},
};

enum { OPTIONS = sizeof options / sizeof *options };

static tutti_status read_option(struct machine_reading *r, bool given[OPTIONS])
{
  const char *name = tutti_xml_attribute(r->node, "id");
  for (size_t i = 0; i < OPTIONS; i++)
    if (strcmp(name, options[i].name) == 0) {
      given[i] = true;
      return options[i].read(r, tutti_xml_attribute(r->node, "value"));
    }
  return tutti_machine_refuse(r, name);
}

static tutti_status check_given(struct machine_reading *r, const bool given[OPTIONS])
{
  r->node = tutti_xml_root(r->file);
  for (size_t i = 0; i < OPTIONS; i++)
    if (options[i].needed && !given[i]) {
      char *what = tutti_xprintf("SimGrid's default of %s: set it in <config>", options[i].name);
      const tutti_status status = tutti_machine_refuse(r, what);
      free(what);
      return status;
    }
  return TUTTI_OK;
}

/* ---- the file ---- */

/* The content of the outermost zone of a dragonfly+ is read together. */
static tutti_status read_node(struct machine_reading *r, bool given[OPTIONS], bool *cluster)
{
  const xmlNode *node = r->node;
  if (node->type != XML_ELEMENT_NODE || tutti_xml_is(node, "platform") || tutti_xml_is(node, "config"))
    return TUTTI_OK;
  if (tutti_xml_is(node, "prop"))
    return tutti_xml_is(node->parent, "config") ? read_option(r, given) : TUTTI_OK;
  if (r->machine->network.topology.kind == TOPOLOGY_DRAGONFLY_PLUS || tutti_xml_is(node, "zone") ||
      tutti_xml_is(node, "AS"))
    return TUTTI_OK;
  if (!tutti_xml_is(node, "cluster") || *cluster)
    return tutti_machine_refuse(r, "more than one <cluster>, or other hosts");
  *cluster = true;
  if (!tutti_dragonfly_plus_begins(r->file))
    return tutti_machine_read_cluster(r);
  const tutti_status status = tutti_machine_read_dragonfly_plus(r);
  r->node = status == TUTTI_OK ? node : r->node;
  return status;
}

static tutti_status read_all(struct machine_reading *r)
{
  const xmlNode *root = tutti_xml_root(r->file);
  bool given[OPTIONS] = {false}, cluster = false;
  tutti_status status = TUTTI_OK;
  for (r->node = root; r->node && status == TUTTI_OK;
       r->node = status == TUTTI_OK ? tutti_xml_next(r->node, root) : r->node)
    status = read_node(r, given, &cluster);
  if (status == TUTTI_OK)
    status = check_given(r, given);
  if (status == TUTTI_OK && r->machine->one_flow_a_link && r->machine->ranks_per_node > 1)
    return tutti_machine_refuse(
        r, "several ranks a node with a limit of concurrency, which SimGrid applies to processors, too");
  return status;
}

tutti_status tutti_machine_read(const char *path, struct engine_machine *machine, tutti_error *error)
{
  tutti_platform platform;
  xml_file file;
  *machine = (struct engine_machine){0};
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  snprintf(machine->platform, sizeof machine->platform, "%.63s", platform.name);
  machine->network.host_count = (uint32_t)platform.host_count;
  machine->ranks_per_node = platform.ranks_per_node;
  machine->actor_cost = platform.actor_cost;
  machine->copy_cost = platform.copy_cost;
  machine->network.backbone_contention = platform.backbone_contention;
  machine->network.port_contention = platform.port_contention;
  machine->one_message_a_cable = platform.messages_a_cable == 1;
  tutti_platform_free(&platform);
  status = tutti_xml_file_read(path, &file, error);
  if (status != TUTTI_OK)
    return status;
  struct machine_reading reading = {.file = &file, .machine = machine, .error = error};
  status = read_all(&reading);
  tutti_xml_file_free(&file);
  if (status != TUTTI_OK)
    tutti_machine_free(machine);
  return status;
}

void tutti_machine_free(struct engine_machine *machine)
{
  tutti_pieces_free(&machine->bandwidth_factor);
  tutti_pieces_free(&machine->latency_factor);
  tutti_pieces_free(&machine->send_overhead);
  tutti_pieces_free(&machine->receive_overhead);
  *machine = (struct engine_machine){0};
}
