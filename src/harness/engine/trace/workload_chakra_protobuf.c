/* Chakra as protobuf: messages, each behind its length. The first one is about all, the others are nodes. */
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_chakra.h"

/* ---- messages ---- */

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

/* ---- nodes ---- */

/* {1: numbers}, which are packed or not. Fields of lists have even numbers, from 4 on. */
static void read_list(struct chakra *chakra, struct wire message)
{
  struct field field;
  chakra->list.count = 0;
  while (next_field(&message, &field)) {
    if (!field.bytes.at)
      tutti_xpush(&chakra->list, field.value);
    while (field.bytes.at && field.bytes.at < field.bytes.end && !field.bytes.broken) {
      const uint64_t number = take_number(&field.bytes);
      tutti_xpush(&chakra->list, number);
    }
  }
}

enum { DOC_STRING = 2, STRING_VALUE = 29 };

static void set(struct chakra *chakra, struct chakra_node *node, const struct wire *name, const struct field *field)
{
  const char *key = (const char *)name->at, *text = (const char *)field->bytes.at;
  const size_t length = (size_t)(name->end - name->at), bytes = (size_t)(field->bytes.end - field->bytes.at);
  const struct chakra_value value = {text ? bytes > 0 : field->value, text, bytes};
  if (text && field->number != STRING_VALUE && field->number % 2 == 0) {
    read_list(chakra, field->bytes);
    tutti_chakra_set_list(chakra, node, key, length);
    return;
  }
  tutti_chakra_set(chakra, node, key, length, &value);
  if (text && (node->kind == CHAKRA_METADATA || node->kind == 0))
    tutti_chakra_define_text(chakra, text, bytes);
}

/* "name" and a number of any type, a text or a list. */
static void read_attribute(struct chakra *chakra, struct wire message, struct chakra_node *node)
{
  struct field field;
  struct wire name = {NULL, NULL, false};
  while (next_field(&message, &field))
    if (field.number == 1)
      name = field.bytes;
    else if (name.at && field.number != DOC_STRING)
      set(chakra, node, &name, &field);
}

/* Nodes that it waits for: a list, or one after the other. */
static void read_waits(struct chakra *chakra, const struct field *field)
{
  struct wire list = field->bytes;
  if (!list.at)
    tutti_chakra_wait(chakra, field->value);
  while (list.at && list.at < list.end && !list.broken)
    tutti_chakra_wait(chakra, take_number(&list));
}

static bool read_node(struct chakra *chakra, struct wire message, struct chakra_node *node)
{
  struct field field;
  *node = (struct chakra_node){.on_host = true};
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
      read_attribute(chakra, field.bytes, node);
      break;
    default:
      break;
    }
  return !message.broken;
}

/* About all: attributes behind the version. */
static void read_head(struct chakra *chakra, struct wire head)
{
  struct chakra_node none = {.on_host = true};
  struct field field;
  while (next_field(&head, &field))
    if (field.number == 2 && field.bytes.at)
      read_attribute(chakra, field.bytes, &none);
}

tutti_status tutti_chakra_read_protobuf(struct chakra *chakra, const char *bytes, size_t length)
{
  struct wire file = {(const unsigned char *)bytes, (const unsigned char *)bytes + length, false};
  tutti_status status = TUTTI_OK;
  struct chakra_node node;
  read_head(chakra, take_bytes(&file, take_number(&file)));
  while (file.at < file.end && !file.broken && status == TUTTI_OK) {
    const struct wire message = take_bytes(&file, take_number(&file));
    if (!file.broken && read_node(chakra, message, &node))
      status = tutti_chakra_add(chakra, &node);
    else
      status = tutti_chakra_pass(chakra, "a node that is cut short or damaged");
  }
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
