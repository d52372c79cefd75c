/* Communicators and shapes of calls in a trace of the interposer. */
#include <limits.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_trace.h"

/* ---- communicators ---- */

/* The runs of members at reader->at: how many members, and which of them the rank is. With `members` all of them. */
static bool read_members(struct trace_reader *reader, uint64_t *size, uint64_t *place, uint32_t *members)
{
  const uint32_t ranks = reader->workload->rank_count;
  uint64_t runs, found = 0;
  int64_t last = 0;
  *size = 0;
  if (!tutti_trace_take(reader, ranks, &runs))
    return false;
  for (uint64_t run = 0; run < runs; run++) {
    uint64_t first, more, folded = 0;
    if (!tutti_trace_take(reader, UINT32_MAX, &first) || !tutti_trace_take(reader, ranks - 1, &more) ||
        (more > 0 && !tutti_trace_take(reader, UINT32_MAX, &folded)))
      return false;
    const int64_t begin = last + trace_unfold(first), distance = more > 0 ? trace_unfold(folded) : 1;
    last = begin + (int64_t)more * distance;
    if (begin < 0 || begin >= ranks || last < 0 || last >= ranks || distance == 0 || more + 1 > ranks - *size)
      return tutti_trace_fault(reader, "a communicator of ranks that there are not"), false;
    const int64_t steps = (reader->rank - begin) / distance;
    if (begin + steps * distance == reader->rank && steps >= 0 && steps <= (int64_t)more) {
      *place = *size + (uint64_t)steps;
      found++;
    }
    for (uint64_t i = 0; members && i <= more; i++)
      members[*size + i] = (uint32_t)(begin + (int64_t)i * distance);
    *size += more + 1;
  }
  if (found != 1 && !members)
    return tutti_trace_fault(reader, "a communicator that the rank is not in once"), false;
  return true;
}

static uint32_t find_definition(struct trace_reader *reader, const unsigned char *bytes, size_t length, uint64_t size)
{
  uint32_t *link = &reader->buckets[tutti_digest(bytes, length) % BUCKETS];
  for (; *link != WORKLOAD_UNKNOWN; link = &reader->definitions.items[*link].next) {
    const struct definition *known = &reader->definitions.items[*link];
    if (known->length == length && memcmp(known->bytes, bytes, length) == 0)
      return *link;
  }
  const uint32_t index = *link = (uint32_t)reader->definitions.count;
  tutti_xpush(&reader->definitions, (struct definition){.bytes = bytes,
                                                        .length = length,
                                                        .size = (uint32_t)size,
                                                        .last_user = WORKLOAD_UNKNOWN,
                                                        .next = WORKLOAD_UNKNOWN});
  return index;
}

bool tutti_trace_read_communicator(struct trace_reader *reader)
{
  const unsigned char *begin = reader->at;
  uint64_t before, size, place = 0;
  if (!tutti_trace_take(reader, UINT32_MAX, &before) || !read_members(reader, &size, &place, NULL))
    return false;
  const uint32_t index = find_definition(reader, begin, (size_t)(reader->at - begin), size);
  struct definition *definition = &reader->definitions.items[index];
  if (definition->last_user == reader->rank)
    return tutti_trace_fault(reader, "a communicator that the rank has already"), false;
  definition->last_user = reader->rank;
  tutti_xpush(&reader->own, (struct own_communicator){.index = index, .rank = (uint32_t)place});
  return true;
}

/* ---- shapes ---- */

static bool read_vector(struct trace_reader *reader, int which)
{
  uint64_t count, folded, item = 0;
  reader->vectors[which].count = 0;
  if (!tutti_trace_take(reader, reader->workload->rank_count, &count))
    return false;
  for (; count > 0; count--) {
    if (!tutti_trace_take(reader, UINT64_MAX, &folded))
      return false;
    item += (uint64_t)trace_unfold(folded);
    tutti_xpush(&reader->vectors[which], item);
  }
  return true;
}

static bool read_method(struct trace_reader *reader, struct workload_shape *shape)
{
  char text[TUTTI_METHOD_LENGTH];
  uint64_t length, letter;
  tutti_error reason;
  if (!tutti_trace_take(reader, sizeof text - 1, &length))
    return false;
  for (uint64_t i = 0; i < length; i++) {
    if (!tutti_trace_take(reader, 0x7f, &letter))
      return false;
    text[i] = (char)letter;
  }
  text[length] = '\0';
  if (tutti_method_parse(text, &shape->method, &reason) != TUTTI_OK)
    return tutti_trace_fault(reader, reason.message), false;
  shape->collective = shape->method.algorithm->collective;
  return true;
}

static bool complete_shape(struct trace_reader *reader, struct workload_shape *shape, uint64_t communicator)
{
  if (communicator == 0) {
    shape->communicator = WORKLOAD_UNKNOWN;
    return true;
  }
  const struct own_communicator *own = &reader->own.items[communicator - 1];
  shape->communicator = own->index;
  shape->rank = own->rank;
  shape->call.size = (int)reader->definitions.items[own->index].size;
  shape->call.rank = (int)own->rank;
  if (shape->call.root < 0 || shape->call.root >= shape->call.size)
    return tutti_trace_fault(reader, "a root that is not in the communicator"), false;
  const struct workload_vector input = {reader->vectors[0].items, reader->vectors[0].count},
                               output = {reader->vectors[1].items, reader->vectors[1].count};
  const char *wrong = tutti_workload_shape_complete(shape, &input, &output);
  return wrong ? (tutti_trace_fault(reader, wrong), false) : true;
}

/* Digest of the members that all ranks must agree on. */
static uint64_t digest_shape(const struct workload_shape *shape)
{
  char text[TUTTI_METHOD_LENGTH];
  const bool local = tutti_collective_traits(shape->collective) & TUTTI_COUNTS_ARE_LOCAL;
  const uint64_t words[] = {tutti_digest(text, strlen(tutti_method_format(&shape->method, text))),
                            local ? 0 : shape->bytes, (uint64_t)shape->call.root};
  return tutti_digest(words, sizeof words);
}

bool tutti_trace_read_shape(struct trace_reader *reader)
{
  uint64_t communicator, type_size, commutes, root;
  tutti_xpush(&reader->workload->shapes, (struct workload_shape){.communicator = WORKLOAD_UNKNOWN});
  struct workload_shape *shape = &reader->workload->shapes.items[reader->workload->shapes.count - 1];
  if (!tutti_trace_take(reader, reader->own.count, &communicator) || !read_method(reader, shape) ||
      !tutti_trace_take(reader, UINT64_MAX, &shape->bytes) || !tutti_trace_take(reader, INT_MAX, &type_size) ||
      !tutti_trace_take(reader, 1, &commutes) || !tutti_trace_take(reader, INT_MAX, &root) || !read_vector(reader, 0) ||
      !read_vector(reader, 1))
    return false;
  shape->call = (tutti_call){.root = (int)root, .type_size = type_size, .commutative = commutes};
  tutti_xpush(&reader->shapes, (struct own_shape){.kind = OWN_COLLECTIVE,
                                                  .index = reader->workload->shapes.count - 1,
                                                  .communicator = communicator,
                                                  .digest = digest_shape(shape)});
  return complete_shape(reader, shape, communicator);
}

/* ---- all communicators ---- */

tutti_status tutti_trace_expand_communicators(struct trace_reader *reader)
{
  struct workload *workload = reader->workload;
  for (size_t c = 0; c < reader->definitions.count; c++) {
    const struct definition *definition = &reader->definitions.items[c];
    uint64_t size, place;
    if (definition->users != definition->size && definition->calls != 0)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: of a communicator of %u ranks %u have it", reader->path,
                        (unsigned)definition->size, (unsigned)definition->users);
    struct workload_communicator made = {.size = definition->size};
    if (c > 0) {
      made.members = tutti_xcalloc(definition->size, sizeof *made.members);
      reader->at = definition->bytes;
      reader->end = definition->bytes + definition->length;
      (void)tutti_trace_take(reader, UINT32_MAX, &size);
      (void)read_members(reader, &size, &place, made.members);
    }
    tutti_xpush(&workload->communicators, made);
  }
  workload->channel_count = (uint32_t)workload->communicators.count;
  return TUTTI_OK;
}
