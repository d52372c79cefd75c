/* Chakra as JSON: what its jsonizer writes (protobuf's mapping, objects one after the other or in a list, the first one
   about all), and an object with a list of nodes, as its feeder reads. One node is in memory at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/engine/trace/workload_chakra.h"

enum { MAX_LEVELS = 32 };

struct json_reader {
  struct chakra *chakra;
  tutti_status status;
  bool begun;  /* some object has been read */
  bool listed; /* the value has had a list of nodes */
};

static bool is(const struct json *member, const char *name)
{
  return tutti_chakra_is(member->key, strlen(member->key), name);
}

/* ---- values ---- */

/* A word's place in a list, as protobuf names the numbers of an enumeration. */
static uint64_t number_of_word(const char *word)
{
  static const char *const words[][11] = {{"INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE",
                                           "COMP_NODE", "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"},
                                          {"ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST",
                                           "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"}};
  for (size_t list = 0; list < 2; list++)
    for (uint64_t n = 0; n < 11 && words[list][n]; n++)
      if (strcmp(word, words[list][n]) == 0)
        return n;
  return UINT64_MAX;
}

/* A number, also in quotes, as protobuf writes those of 64 bits; true and false; a word of an enumeration. UINT64_MAX:
   no number that is not negative. */
static uint64_t number_of(const struct json *value)
{
  uint64_t number = UINT64_MAX;
  double real;
  if (value->kind == JSON_BOOLEAN)
    return *value->text == 't';
  if (!value->text || tutti_parse_integer(value->text, 0, UINT64_MAX, &number))
    return number;
  if (tutti_parse_real(value->text, &real))
    return real >= 0 && real < 0x1p63 ? (uint64_t)real : UINT64_MAX;
  return number_of_word(value->text);
}

/* A list, also as {"values": [...]}. */
static void set_list(struct chakra *chakra, struct chakra_node *node, const char *name, const struct json *value)
{
  const struct json *values = value->kind == JSON_OBJECT ? tutti_json_member_of(value, "values") : value;
  chakra->list.count = 0;
  for (size_t i = 0; values && values->kind == JSON_ARRAY && i < values->count; i++) {
    const uint64_t number = number_of(&values->items[i]);
    tutti_xpush(&chakra->list, number);
  }
  tutti_chakra_set_list(chakra, node, name, strlen(name));
}

static void set(struct chakra *chakra, struct chakra_node *node, const char *name, const struct json *value)
{
  if (!value->text) {
    set_list(chakra, node, name, value);
    return;
  }
  const struct chakra_value said = {number_of(value), value->text, strlen(value->text)};
  tutti_chakra_set(chakra, node, name, strlen(name), &said);
  if (node->kind == CHAKRA_METADATA || node->kind == 0)
    tutti_chakra_define_text(chakra, said.text, said.length);
}

/* ---- nodes ---- */

/* {"name": "comm_size", "int64Val": "8"}: a name, and a value under the name of its type. */
static void read_named(struct chakra *chakra, const struct json *attribute, struct chakra_node *node)
{
  const struct json *name = tutti_json_member_of(attribute, "name");
  for (size_t m = 0; name && name->kind == JSON_STRING && m < attribute->count; m++) {
    const struct json *value = &attribute->items[m];
    if (value != name && !is(value, "doc_string") && !is(value, "type"))
      set(chakra, node, name->text, value);
  }
}

/* A list of these, or an object of names and values. */
static void read_attributes(struct chakra *chakra, const struct json *attributes, struct chakra_node *node)
{
  for (size_t a = 0; a < attributes->count; a++)
    if (attributes->kind == JSON_OBJECT)
      set(chakra, node, attributes->items[a].key, &attributes->items[a]);
    else if (attributes->items[a].kind == JSON_OBJECT)
      read_named(chakra, &attributes->items[a], node);
}

static void read_waits(struct chakra *chakra, const struct json *list)
{
  for (size_t n = 0; list->kind == JSON_ARRAY && n < list->count; n++)
    tutti_chakra_wait(chakra, number_of(&list->items[n]));
}

static void read_member(struct chakra *chakra, const struct json *member, struct chakra_node *node)
{
  if (is(member, "id"))
    node->id = number_of(member);
  else if (is(member, "type") || is(member, "node_type"))
    node->kind = number_of(member);
  else if (is(member, "ctrl_deps") || is(member, "data_deps"))
    read_waits(chakra, member);
  else if (is(member, "duration_micros") || is(member, "duration_us"))
    node->microseconds = number_of(member);
  else if (is(member, "attr") || is(member, "attrs") || is(member, "attribute"))
    read_attributes(chakra, member, node);
  else
    set(chakra, node, member->key, member);
}

static bool has_kind(const struct json *object)
{
  bool has = false;
  for (size_t m = 0; m < object->count && !has; m++)
    has = is(&object->items[m], "type") || is(&object->items[m], "node_type");
  return has;
}

/* Process groups of the object about all: a member that lists them, or a text of one. */
static void read_head(struct chakra *chakra, const struct json *head)
{
  struct chakra_node none = {.on_host = true};
  for (size_t m = 0; m < head->count; m++) {
    if (is(&head->items[m], "process_groups") || is(&head->items[m], "comm_groups") || is(&head->items[m], "pg_config"))
      tutti_chakra_define(chakra, &head->items[m]);
    else
      read_member(chakra, &head->items[m], &none);
  }
}

/* The first object without a kind is about all. Protobuf leaves out what is 0. */
static void read_object(struct json_reader *reader, const struct json *object)
{
  const bool first = !reader->begun;
  reader->begun = true;
  if (reader->status != TUTTI_OK)
    return;
  if (!has_kind(object)) {
    read_head(reader->chakra, object);
    if (!first)
      reader->status = tutti_chakra_pass(reader->chakra, "a node without a kind");
    return;
  }
  struct chakra_node node = {.on_host = true};
  for (size_t m = 0; m < object->count; m++)
    read_member(reader->chakra, &object->items[m], &node);
  reader->status = tutti_chakra_add(reader->chakra, &node);
}

/* ---- the file ---- */

static bool take(void *context, const char *key, const struct json *item)
{
  struct json_reader *reader = context;
  if (key && strcmp(key, "nodes") != 0 && strcmp(key, "workload_graph") != 0)
    return false;
  reader->listed = true;
  read_object(reader, item);
  return true;
}

static uint64_t line_of(const char *text, size_t at)
{
  uint64_t line = 1;
  for (const char *next = text; (next = memchr(next, '\n', at - (size_t)(next - text))); next++)
    line++;
  return line;
}

tutti_status tutti_chakra_read_json(struct chakra *chakra, const char *text, size_t length)
{
  struct json_reader reader = {.chakra = chakra};
  const struct json_style style = {.levels = MAX_LEVELS, .take = take, .context = &reader};
  struct json_fault fault = {.after = true};
  struct json_liberty liberty;
  for (size_t at = 0; fault.after && reader.status == TUTTI_OK; at += fault.at) {
    struct json root;
    reader.listed = false;
    const bool all = tutti_json_parse(text + at, length - at, &style, &root, &fault, &liberty);
    if ((all || fault.after) && root.kind == JSON_OBJECT && !reader.listed)
      read_object(&reader, &root);
    else if (all && root.kind == JSON_OBJECT)
      read_head(chakra, &root);
    else if (!all && !fault.after && reader.status == TUTTI_OK)
      reader.status = tutti_pass_over(chakra->passed, chakra->path, line_of(text, at + fault.at),
                                      "no JSON from here on", chakra->error, "%s", fault.reason);
    tutti_json_free(&root);
  }
  return reader.status;
}

bool tutti_workload_is_chakra_json(const char *text, size_t length)
{
  static const char *const words[] = {"\"METADATA_NODE\"",  "\"MEM_LOAD_NODE\"",  "\"MEM_STORE_NODE\"",
                                      "\"COMP_NODE\"",      "\"COMM_SEND_NODE\"", "\"COMM_RECV_NODE\"",
                                      "\"COMM_COLL_NODE\"", "\"workload_graph\"", "\"comm_type\"",
                                      "\"dataDeps\"",       "\"data_deps\"",      "\"ctrlDeps\""};
  const size_t begin = length < WORKLOAD_BEGINNING ? length : WORKLOAD_BEGINNING;
  bool known = false;
  if (length == 0 || (*text != '{' && *text != '[') || memmem(text, begin, "\"schema\"", 8))
    return false;
  for (size_t w = 0; w < sizeof words / sizeof *words && !known; w++)
    known = memmem(text, begin, words[w], strlen(words[w]));
  return known;
}
