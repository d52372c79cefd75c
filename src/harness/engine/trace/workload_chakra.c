/* Chakra execution traces (MLCommons), a file for each rank, as protobuf or JSON. Its nodes are work, messages and
   collectives, with the nodes that they wait for. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "harness/engine/trace/workload_chakra.h"

#define MAX_BYTES        (UINT64_C(1) << 50)
#define MAX_MICROSECONDS (UINT64_C(1) << 46)

/* ---- attributes ---- */

bool tutti_chakra_is(const char *name, size_t length, const char *other)
{
  const char *end = name + length;
  for (; name < end && *other; name++, other++) {
    other += *other == '_' && *name != '_';
    if (tolower((unsigned char)*name) != *other)
      return false;
  }
  return name == end && !*other;
}

static void set_group(struct chakra *chakra, struct chakra_node *node, const struct chakra_value *value)
{
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value->number);
  if (!value->text)
    node->group = tutti_chakra_group(chakra, digits, (size_t)length);
  else if (value->length > 0)
    node->group = tutti_chakra_group(chakra, value->text, value->length);
}

void tutti_chakra_set(struct chakra *chakra, struct chakra_node *node, const char *name, size_t length,
                      const struct chakra_value *value)
{
  static const struct {
    const char *name;
    size_t at;
  } numbers[] = {
      {"comm_type", offsetof(struct chakra_node, collective)}, {"comm_size", offsetof(struct chakra_node, bytes)},
      {"comm_src", offsetof(struct chakra_node, from)},        {"comm_dst", offsetof(struct chakra_node, to)},
      {"comm_tag", offsetof(struct chakra_node, tag)},         {"root", offsetof(struct chakra_node, root)},
      {"comm_root", offsetof(struct chakra_node, root)},       {"pg_size", offsetof(struct chakra_node, size)},
      {"group_size", offsetof(struct chakra_node, size)},      {"runtime", offsetof(struct chakra_node, microseconds)}};
  if (tutti_chakra_is(name, length, "is_cpu_op"))
    node->on_host = value->number != 0;
  else if (tutti_chakra_is(name, length, "pg_name") ||
           (tutti_chakra_is(name, length, "comm_group") && node->group == 0))
    set_group(chakra, node, value);
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    if (tutti_chakra_is(name, length, numbers[n].name))
      *(uint64_t *)((char *)node + numbers[n].at) = value->number;
}

void tutti_chakra_wait(struct chakra *chakra, uint64_t node)
{
  const uint32_t op = (uint32_t)chakra->workload->ranks[chakra->rank].graph.ops.count;
  tutti_xpush(&chakra->waits, ((struct workload_pair){op, node, 0}));
}

tutti_status tutti_chakra_pass(struct chakra *chakra, const char *why)
{
  return tutti_pass_over(chakra->passed, chakra->path, 0, why, chakra->error, "node %llu",
                         (unsigned long long)chakra->number++);
}

/* ---- operations ---- */

static const char *set_message(struct chakra *chakra, const struct chakra_node *node, struct workload_op *op)
{
  const uint64_t peer = node->kind == CHAKRA_SEND ? node->to : node->from;
  if (peer >= chakra->workload->rank_count)
    return "a message of a rank whose file is not there";
  if (node->bytes > MAX_BYTES)
    return "more bytes than a message can have";
  *op = (struct workload_op){.kind = node->kind == CHAKRA_SEND ? WORKLOAD_SEND : WORKLOAD_RECV,
                             .peer = (uint32_t)peer,
                             .channel = tutti_channel_of(&chakra->channels, 0, node->tag),
                             .amount = node->bytes};
  return NULL;
}

/* The communicator of a collective, or what is wrong. */
static const char *find_communicator(const struct chakra *chakra, const struct chakra_call *call, uint32_t *number)
{
  const struct chakra_group *group = call->node.group > 0 ? &chakra->groups.items[call->node.group - 1] : NULL;
  *number = 0;
  if (!group && call->node.in_part)
    return "a collective of a part of the dimensions, whose members are not in the trace";
  if (!group)
    return call->node.size > chakra->workload->rank_count ? "a collective of more ranks than there are files" : NULL;
  *number = group->communicator;
  return group->why;
}

/* comm_size is what a rank sends, of scatter what it receives. */
static const char *set_collective(struct chakra *chakra, const struct chakra_call *call, struct workload_op *op)
{
  static const tutti_collective collectives[] = {TUTTI_COLL_ALLREDUCE,
                                                 TUTTI_COLL_REDUCE,
                                                 TUTTI_COLL_ALLGATHER,
                                                 TUTTI_COLL_GATHER,
                                                 TUTTI_COLL_SCATTER,
                                                 TUTTI_COLL_BCAST,
                                                 TUTTI_COLL_ALLTOALL,
                                                 TUTTI_COLL_REDUCE_SCATTER_BLOCK,
                                                 TUTTI_COLL_REDUCE_SCATTER_BLOCK,
                                                 TUTTI_COLL_BARRIER};
  static const struct workload_vector none = {.items = NULL};
  const struct chakra_node *node = &call->node;
  struct workload_shape shape = {.communicator = 0};
  if (node->collective >= sizeof collectives / sizeof *collectives)
    return "a collective that MPI does not have";
  const char *wrong = find_communicator(chakra, call, &shape.communicator);
  if (wrong)
    return wrong;
  const uint32_t size = chakra->workload->communicators.items[shape.communicator].size;
  shape.collective = collectives[node->collective];
  const uint32_t *place = tutti_pair_find(&chakra->places, node->group, call->rank);
  if (shape.communicator > 0 && !place)
    return "a collective of a group that the rank is not in";
  shape.rank = shape.communicator > 0 ? *place - 1 : call->rank;
  const bool blocks = shape.collective == TUTTI_COLL_ALLTOALL || shape.collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
  shape.bytes = shape.collective == TUTTI_COLL_BARRIER ? 0 : blocks ? node->bytes / size : node->bytes;
  shape.call.root = (int)(node->root < size ? node->root : 0);
  tutti_workload_shape_begin(chakra->workload, &shape);
  wrong = tutti_workload_shape_complete(&shape, &none, &none);
  if (wrong)
    return wrong;
  *op = (struct workload_op){.kind = WORKLOAD_COLLECTIVE,
                             .amount = tutti_workload_shape_number(chakra->workload, &shape)};
  chakra->workload->shapes.items[op->amount].calls++;
  return NULL;
}

/* Work of the host, of the accelerator, and communication run side by side. */
static const char *set_work(struct chakra *chakra, const struct chakra_node *node, struct workload_op *op)
{
  if (node->microseconds > MAX_MICROSECONDS)
    return "work of a length that none has";
  *op =
      (struct workload_op){.kind = WORKLOAD_WORK, .amount = node->microseconds * 1000, .stream = node->on_host ? 1 : 2};
  chakra->workload->streams |= op->amount > 0;
  return NULL;
}

tutti_status tutti_chakra_add(struct chakra *chakra, const struct chakra_node *node)
{
  struct workload_graph *graph = &chakra->workload->ranks[chakra->rank].graph;
  struct workload_op op = {.kind = WORKLOAD_WORK};
  const bool collective = node->kind == CHAKRA_COLLECTIVE;
  const char *why = NULL;
  if (node->kind == CHAKRA_SEND || node->kind == CHAKRA_RECV)
    why = set_message(chakra, node, &op);
  else if (node->kind >= CHAKRA_LOAD && node->kind <= CHAKRA_WORK)
    why = set_work(chakra, node, &op);
  else if (node->kind != CHAKRA_METADATA && !collective)
    why = "a node of a kind that is not known";
  const uint32_t added = tutti_graph_add(graph, op);
  *tutti_pair_number(&chakra->nodes, node->id, 0) = added + 1;
  if (collective) {
    if (chakra->last != WORKLOAD_UNKNOWN) /* a rank calls them in their order */
      tutti_graph_order(graph, chakra->last, added, false);
    chakra->last = added;
    const struct chakra_call call = {*node, chakra->number, chakra->rank, added};
    tutti_xpush(&chakra->calls, call);
    if (node->group > 0)
      tutti_chakra_use(chakra, node->group, node->size);
  }
  if (why)
    return tutti_chakra_pass(chakra, why);
  chakra->number++;
  return TUTTI_OK;
}

/* When the members of all groups are known. */
static tutti_status add_collectives(struct chakra *chakra, const struct workload_files *files)
{
  tutti_status status = TUTTI_OK;
  for (size_t c = 0; c < chakra->calls.count && status == TUTTI_OK; c++) {
    const struct chakra_call *call = &chakra->calls.items[c];
    struct workload_rank *rank = &chakra->workload->ranks[call->rank];
    const char *why = set_collective(chakra, call, &rank->graph.ops.items[call->op]);
    const struct chakra_group *group = call->node.group > 0 ? &chakra->groups.items[call->node.group - 1] : NULL;
    const uint32_t communicator = group && !group->why ? group->communicator : 0;
    if (!why || !group || !group->why) /* on a group without members it is not in the order of any */
      tutti_called_add(&chakra->called[call->rank], communicator, call->op, (double)call->node.microseconds * 1e-6,
                       !why);
    if (why)
      status = tutti_pass_over(chakra->passed, files->items[call->rank], 0, why, chakra->error, "node %llu%s%s",
                               (unsigned long long)call->number, group ? " of group " : "", group ? group->name : "");
  }
  return status;
}

/* ---- files ---- */

static tutti_status order_nodes(struct chakra *chakra)
{
  struct workload_graph *graph = &chakra->workload->ranks[chakra->rank].graph;
  tutti_status status = TUTTI_OK;
  for (size_t w = 0; w < chakra->waits.count && status == TUTTI_OK; w++) {
    const struct workload_pair *wait = &chakra->waits.items[w];
    const uint32_t *before = tutti_pair_find(&chakra->nodes, wait->second, 0);
    if (before && *before - 1 != wait->first)
      tutti_graph_order(graph, *before - 1, (uint32_t)wait->first, false);
    else
      status = tutti_pass_over(chakra->passed, chakra->path, 0, "a node that waits for one that is not there",
                               chakra->error, "%llu", (unsigned long long)wait->second);
  }
  tutti_graph_end_segment(graph);
  if (status == TUTTI_OK && !tutti_graph_is_acyclic(graph))
    status = tutti_fail(chakra->error, TUTTI_ERR_ARGUMENT, "%s: nodes wait for each other in a circle", chakra->path);
  return status;
}

static tutti_status read_rank(struct chakra *chakra, const char *path, bool json)
{
  char *bytes = NULL;
  size_t length = 0;
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_RECORDS, &bytes, &length, chakra->error);
  chakra->path = path;
  chakra->last = WORKLOAD_UNKNOWN;
  chakra->waits.count = 0;
  chakra->number = 0;
  if (status == TUTTI_OK)
    status = (json ? tutti_chakra_read_json : tutti_chakra_read_protobuf)(chakra, bytes, length);
  if (status == TUTTI_OK)
    status = order_nodes(chakra);
  tutti_pairs_free(&chakra->nodes);
  free(bytes);
  return status;
}

tutti_status tutti_workload_read_chakra(const struct workload_files *files, bool json, struct workload *workload,
                                        tutti_passed *passed, tutti_error *error)
{
  struct chakra chakra = {.workload = workload, .passed = passed, .error = error};
  const uint64_t before = passed ? passed->count : 0;
  tutti_status status = TUTTI_OK;
  workload->rank_count = (uint32_t)files->count;
  workload->ranks = tutti_xcalloc(files->count, sizeof *workload->ranks);
  workload->seconds = NAN;
  tutti_xpush(&workload->communicators, (struct workload_communicator){.size = workload->rank_count});
  chakra.called = tutti_xcalloc(files->count, sizeof *chakra.called);
  for (; chakra.rank < files->count && status == TUTTI_OK; chakra.rank++)
    status = read_rank(&chakra, files->items[chakra.rank], json);
  tutti_chakra_resolve(&chakra);
  if (status == TUTTI_OK)
    status = add_collectives(&chakra, files);
  if (status == TUTTI_OK)
    status = tutti_workload_align(files->items[0], workload, chakra.called, passed, error);
  if (status == TUTTI_OK && passed && passed->count > before)
    tutti_workload_match(workload);
  tutti_workload_number_channels(workload, chakra.channels.used);
  for (uint32_t r = 0; r < workload->rank_count; r++)
    tutti_vector_free(&chakra.called[r]);
  free(chakra.called);
  tutti_pairs_free(&chakra.channels);
  tutti_vector_free(&chakra.waits);
  tutti_vector_free(&chakra.calls);
  tutti_chakra_free_groups(&chakra);
  return status;
}
