/* Chakra execution traces (MLCommons), a file for each rank: messages of protobuf, each behind its length. The first
   one is about all, the others are nodes: work, messages and collectives, with the nodes that they wait for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

#define MAX_BYTES        (UINT64_C(1) << 50)
#define MAX_MICROSECONDS (UINT64_C(1) << 46)

/* ---- protobuf ---- */

struct wire {
  const unsigned char *at, *end;
  bool broken;
};

struct field {
  uint32_t number;
  uint64_t value;    /* of a number */
  struct wire bytes; /* of a text or a message; empty: a number */
};

static uint64_t take_number(struct wire *wire)
{
  uint64_t number = 0;
  for (int shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
    number |= (uint64_t)(*wire->at & 127) << shift;
    if (!(*wire->at++ & 128))
      return number;
  }
  wire->broken = true;
  return 0;
}

static struct wire take_bytes(struct wire *wire, uint64_t length)
{
  const struct wire bytes = {wire->at, wire->at + length, false};
  if (length > (uint64_t)(wire->end - wire->at)) {
    wire->broken = true;
    return (struct wire){wire->end, wire->end, true};
  }
  wire->at += length;
  return bytes;
}

/* The next field; false at the end. */
static bool next_field(struct wire *wire, struct field *field)
{
  if (wire->at == wire->end || wire->broken)
    return false;
  const uint64_t key = take_number(wire);
  *field = (struct field){.number = (uint32_t)(key >> 3)};
  switch (key & 7) {
  case 0:
    field->value = take_number(wire);
    break;
  case 1:
    (void)take_bytes(wire, 8);
    break;
  case 2:
    field->bytes = take_bytes(wire, take_number(wire));
    break;
  case 5:
    (void)take_bytes(wire, 4);
    break;
  default:
    wire->broken = true;
  }
  return !wire->broken && field->number > 0;
}

static bool is_text(const struct wire *bytes, const char *text)
{
  const size_t length = (size_t)(bytes->end - bytes->at);
  return length == strlen(text) && memcmp(bytes->at, text, length) == 0;
}

/* ---- nodes ---- */

enum node_kind { NODE_METADATA = 1, NODE_LOAD, NODE_STORE, NODE_WORK, NODE_SEND, NODE_RECV, NODE_COLLECTIVE };

struct node {
  uint64_t id, kind, microseconds;
  uint64_t collective, bytes, from, to, tag, root;
  bool on_host, in_group;
};

struct chakra {
  const char *path;
  struct workload *workload;
  tutti_passed *passed;
  tutti_error *error;
  struct workload_called *called;
  struct workload_pairs channels;
  struct workload_pairs nodes; /* of the rank: by number, the operation and 1 */
  uint32_t rank, last;         /* collective so far; WORKLOAD_UNKNOWN: none */
  struct {
    TUTTI_VECTOR(struct workload_pair);
  } waits; /* of the rank: operation, and the node that it waits for */
};

/* "name" and a number of any type, or a text. */
static void read_attribute(struct wire message, struct node *node)
{
  static const struct {
    const char *name;
    size_t at;
  } numbers[] = {{"comm_type", offsetof(struct node, collective)}, {"comm_size", offsetof(struct node, bytes)},
                 {"comm_src", offsetof(struct node, from)},        {"comm_dst", offsetof(struct node, to)},
                 {"comm_tag", offsetof(struct node, tag)},         {"root", offsetof(struct node, root)},
                 {"comm_root", offsetof(struct node, root)},       {"runtime", offsetof(struct node, microseconds)}};
  struct field field;
  struct wire name = {NULL, NULL, false};
  while (next_field(&message, &field))
    if (field.number == 1)
      name = field.bytes;
    else if (is_text(&name, "is_cpu_op"))
      node->on_host = field.value != 0;
    else if (is_text(&name, "pg_name"))
      node->in_group = field.bytes.at != field.bytes.end;
    else
      for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (is_text(&name, numbers[n].name))
          *(uint64_t *)((char *)node + numbers[n].at) = field.value;
}

/* Nodes that it waits for: a list, or one after the other. */
static void read_waits(struct chakra *chakra, const struct field *field)
{
  const uint32_t op = (uint32_t)chakra->workload->ranks[chakra->rank].graph.ops.count;
  struct wire list = field->bytes;
  if (!list.at)
    tutti_xpush(&chakra->waits, ((struct workload_pair){op, field->value, 0}));
  while (list.at && list.at < list.end && !list.broken)
    tutti_xpush(&chakra->waits, ((struct workload_pair){op, take_number(&list), 0}));
}

static bool read_node(struct chakra *chakra, struct wire message, struct node *node)
{
  struct field field;
  *node = (struct node){.on_host = true};
  while (next_field(&message, &field))
    switch (field.number) {
    case 1:
      node->id = field.value;
      break;
    case 3:
      node->kind = field.value;
      break;
    case 4:
    case 5:
      read_waits(chakra, &field);
      break;
    case 7:
      node->microseconds = field.value;
      break;
    case 10:
      read_attribute(field.bytes, node);
      break;
    default:
      break;
    }
  return !message.broken;
}

/* ---- operations ---- */

static const char *set_message(struct chakra *chakra, const struct node *node, struct workload_op *op)
{
  const uint64_t peer = node->kind == NODE_SEND ? node->to : node->from;
  if (peer >= chakra->workload->rank_count)
    return "a message of a rank whose file is not there";
  if (node->bytes > MAX_BYTES)
    return "more bytes than a message can have";
  *op = (struct workload_op){.kind = node->kind == NODE_SEND ? WORKLOAD_SEND : WORKLOAD_RECV,
                             .peer = (uint32_t)peer,
                             .channel = tutti_channel_of(&chakra->channels, 0, node->tag),
                             .amount = node->bytes};
  return NULL;
}

/* comm_size is what a rank sends, of scatter what it receives. */
static const char *set_collective(struct chakra *chakra, const struct node *node, struct workload_op *op)
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
  const uint64_t ranks = chakra->workload->rank_count;
  if (node->collective >= sizeof collectives / sizeof *collectives)
    return "a collective that MPI does not have";
  if (node->in_group)
    return "a collective of a group, whose members are not in the trace";
  struct workload_shape shape = {.collective = collectives[node->collective], .rank = chakra->rank};
  const bool blocks = shape.collective == TUTTI_COLL_ALLTOALL || shape.collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK;
  shape.bytes = shape.collective == TUTTI_COLL_BARRIER ? 0 : blocks ? node->bytes / ranks : node->bytes;
  shape.method = tutti_method_default(tutti_algorithm_find(shape.collective, "native"));
  shape.call = (tutti_call){.size = (int)ranks,
                            .rank = (int)chakra->rank,
                            .root = (int)(node->root < ranks ? node->root : 0),
                            .type_size = 1,
                            .commutative = true};
  const char *wrong = tutti_workload_shape_complete(&shape, &none, &none);
  if (wrong)
    return wrong;
  *op = (struct workload_op){.kind = WORKLOAD_COLLECTIVE,
                             .amount = tutti_workload_shape_number(
                                 chakra->workload, chakra->workload->ranks[chakra->rank].first_shape, &shape)};
  chakra->workload->shapes.items[op->amount].calls++;
  return NULL;
}

/* Work of the host, of the accelerator, and communication run side by side. */
static const char *set_work(struct chakra *chakra, const struct node *node, struct workload_op *op)
{
  if (node->microseconds > MAX_MICROSECONDS)
    return "work of a length that none has";
  *op =
      (struct workload_op){.kind = WORKLOAD_WORK, .amount = node->microseconds * 1000, .stream = node->on_host ? 1 : 2};
  chakra->workload->streams |= op->amount > 0;
  return NULL;
}

static tutti_status add_node(struct chakra *chakra, const struct node *node, uint64_t number)
{
  struct workload_graph *graph = &chakra->workload->ranks[chakra->rank].graph;
  struct workload_op op = {.kind = WORKLOAD_WORK};
  const bool collective = node->kind == NODE_COLLECTIVE;
  const char *why = NULL;
  if (node->kind == NODE_SEND || node->kind == NODE_RECV)
    why = set_message(chakra, node, &op);
  else if (collective)
    why = set_collective(chakra, node, &op);
  else if (node->kind >= NODE_LOAD && node->kind <= NODE_WORK)
    why = set_work(chakra, node, &op);
  else if (node->kind != NODE_METADATA)
    why = "a node of a kind that is not known";
  const uint32_t added = tutti_graph_add(graph, op);
  *tutti_pair_number(&chakra->nodes, node->id, 0) = added + 1;
  if (collective) {
    if (chakra->last != WORKLOAD_UNKNOWN) /* a rank calls them in their order */
      tutti_graph_order(graph, chakra->last, added, false);
    chakra->last = added;
    tutti_called_add(&chakra->called[chakra->rank], added, (double)node->microseconds * 1e-6, !why);
  }
  return why ? tutti_pass_over(chakra->passed, chakra->path, 0, why, chakra->error, "node %llu",
                               (unsigned long long)number)
             : TUTTI_OK;
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

static tutti_status read_nodes(struct chakra *chakra, struct wire file)
{
  tutti_status status = TUTTI_OK;
  struct node node;
  chakra->last = WORKLOAD_UNKNOWN;
  chakra->waits.count = 0;
  chakra->workload->ranks[chakra->rank].first_shape = chakra->workload->shapes.count;
  (void)take_bytes(&file, take_number(&file)); /* about all */
  for (uint64_t number = 0; file.at < file.end && !file.broken && status == TUTTI_OK; number++) {
    const struct wire message = take_bytes(&file, take_number(&file));
    if (!file.broken && read_node(chakra, message, &node))
      status = add_node(chakra, &node, number);
    else
      status = tutti_pass_over(chakra->passed, chakra->path, 0, "a node that is cut short or damaged", chakra->error,
                               "node %llu", (unsigned long long)number);
  }
  if (status == TUTTI_OK)
    status = order_nodes(chakra);
  tutti_pairs_free(&chakra->nodes);
  return status;
}

static tutti_status read_rank(struct chakra *chakra, const char *path)
{
  char *bytes = NULL;
  size_t length = 0;
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_RECORDS, &bytes, &length, chakra->error);
  chakra->path = path;
  if (status == TUTTI_OK)
    status = read_nodes(chakra, (struct wire){(unsigned char *)bytes, (unsigned char *)bytes + length, false});
  free(bytes);
  return status;
}

bool tutti_workload_is_chakra(const char *text, size_t length)
{
  struct wire file = {(const unsigned char *)text, (const unsigned char *)text + length, false};
  const uint64_t head = take_number(&file);
  struct wire about = take_bytes(&file, head);
  struct field field;
  bool known = length > 2 && !file.broken && head < 1 << 14;
  while (known && next_field(&about, &field))
    known = field.bytes.at && field.number <= 2;
  known = known && !about.broken;
  const uint64_t first = known ? take_number(&file) : 0;
  struct wire node = {file.at, file.at + (first <= (uint64_t)(file.end - file.at) ? first : 0), false};
  known = known && first > 0 && !file.broken && node.at < node.end;
  while (known && next_field(&node, &field))
    known = field.number <= 11;
  return known && !node.broken;
}

tutti_status tutti_workload_read_chakra(const struct workload_files *files, struct workload *workload,
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
    status = read_rank(&chakra, files->items[chakra.rank]);
  if (status == TUTTI_OK)
    status = tutti_workload_align(files->items[0], workload, chakra.called, passed, error);
  if (status == TUTTI_OK && passed && passed->count > before)
    tutti_workload_match(workload);
  workload->channel_count = chakra.channels.used + 1;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    tutti_vector_free(&chakra.called[r]);
  free(chakra.called);
  tutti_pairs_free(&chakra.channels);
  tutti_vector_free(&chakra.waits);
  return status;
}
