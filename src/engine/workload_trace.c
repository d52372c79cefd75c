/* Reading what the interposer wrote: every byte is looked at once, so that tutti_workload_next() needs no checks. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "engine/workload_read.h"
#include "results/trace_format.h"

/* Times stay below 2^60 ns, 36 years. */
#define MOST_NANOSECONDS (UINT64_C(1) << 60)

/* A communicator as its ranks define it. */
struct definition {
  const unsigned char *bytes; /* of the first definition, which all others equal */
  size_t length;
  uint32_t size, users, last_user; /* ranks that have defined it, and the last one */
  uint64_t calls;                  /* digest of the calls of the first rank */
  uint32_t next;                   /* of the same hash; WORKLOAD_UNKNOWN: none */
};

/* A communicator as the rank at hand has it. */
struct own_communicator {
  uint32_t index, rank; /* of workload.communicators; the rank there */
  uint64_t calls;       /* digest of the calls so far */
};

/* A shape of the rank at hand: its communicator, by the rank's own number, and 1; and a digest of what all ranks must
   agree on. */
struct own_shape {
  uint64_t communicator, digest;
};

enum { BUCKETS = 4096 };

struct reader {
  const char *path;
  struct workload *workload;
  tutti_error *error;
  const unsigned char *at, *end; /* of the rank */
  uint32_t rank;
  struct {
    TUTTI_VECTOR(struct definition);
  } definitions; /* as workload.communicators; 0: all ranks */
  struct {
    TUTTI_VECTOR(struct own_communicator);
  } own; /* of the rank, by its own number */
  struct {
    TUTTI_VECTOR(uint64_t);
  } vectors[2]; /* at hand */
  uint32_t buckets[BUCKETS];
  struct {
    TUTTI_VECTOR(struct own_shape);
  } shapes;      /* of the rank */
  uint64_t time; /* of the rank, since its start */
  uint64_t last; /* end of any */
};

static tutti_status fault(const struct reader *reader, const char *what)
{
  return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: byte %zu, of rank %u: %s", reader->path,
                    (size_t)((const char *)reader->at - reader->workload->text), (unsigned)reader->rank, what);
}

/* A number up to `most`; false, and a fault, if there is none. */
static bool take(struct reader *reader, uint64_t most, uint64_t *number)
{
  const size_t length = trace_read_number(reader->at, (size_t)(reader->end - reader->at), number);
  if (length == 0)
    fault(reader, reader->at == reader->end ? "cut short" : "not a number");
  else if (*number > most)
    fault(reader, "a number that is too large");
  else
    reader->at += length;
  return length > 0 && *number <= most;
}

/* ---- the line at the beginning ---- */

static bool is_word_of(const char *word, const char *key, char value[WORKLOAD_WORD])
{
  const char *found = tutti_word_value(word, key);
  if (found)
    snprintf(value, WORKLOAD_WORD, "%.*s", WORKLOAD_WORD - 1, found);
  return found;
}

static tutti_status read_head(struct reader *reader)
{
  struct workload *workload = reader->workload;
  const char *line_end = memchr(workload->text, '\n', workload->length < 1024 ? workload->length : 1024);
  char line[1024], *rest = line;
  uint64_t version = 0, ranks = 0, per_node = 0;
  if (!line_end)
    return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: the first line does not end", reader->path);
  snprintf(line, sizeof line, "%.*s", (int)(line_end - workload->text), workload->text);
  (void)strsep(&rest, " ");
  for (char *word, *value; (word = strsep(&rest, " "));) {
    if (version == 0 && !tutti_parse_integer(word, TRACE_VERSION, TRACE_VERSION, &version))
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: version %.20s of the format: known is %d",
                        reader->path, word, TRACE_VERSION);
    if ((value = strchr(word, '=')) && strncmp(word, "ranks=", 6) == 0)
      (void)tutti_parse_integer(value + 1, 1, INT_MAX, &ranks);
    else if (value && strncmp(word, "ranks_per_node=", 15) == 0)
      (void)tutti_parse_integer(value + 1, 1, INT_MAX, &per_node);
    else if (!is_word_of(word, "flavor", workload->flavor))
      (void)is_word_of(word, "library", workload->library);
  }
  reader->at = (const unsigned char *)line_end + 1;
  reader->end = (const unsigned char *)workload->text + workload->length;
  if (ranks == 0 || ranks > (uint64_t)(reader->end - reader->at))
    return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: ranks=N is expected, and N ranks behind this line",
                      reader->path);
  workload->rank_count = (uint32_t)ranks;
  workload->ranks_per_node = (int)per_node;
  workload->ranks = tutti_xcalloc(ranks, sizeof *workload->ranks);
  return TUTTI_OK;
}

/* ---- communicators ---- */

/* The runs of members at reader->at: how many members, and which of them the rank is. With `members` all of them. */
static bool read_members(struct reader *reader, uint64_t *size, uint64_t *place, uint32_t *members)
{
  const uint32_t ranks = reader->workload->rank_count;
  uint64_t runs, found = 0;
  int64_t last = 0;
  *size = 0;
  if (!take(reader, ranks, &runs))
    return false;
  for (uint64_t run = 0; run < runs; run++) {
    uint64_t first, more, folded = 0;
    if (!take(reader, UINT32_MAX, &first) || !take(reader, ranks - 1, &more) ||
        (more > 0 && !take(reader, UINT32_MAX, &folded)))
      return false;
    const int64_t begin = last + trace_unfold(first), distance = more > 0 ? trace_unfold(folded) : 1;
    last = begin + (int64_t)more * distance;
    if (begin < 0 || begin >= ranks || last < 0 || last >= ranks || distance == 0 || more + 1 > ranks - *size)
      return fault(reader, "a communicator of ranks that there are not"), false;
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
    return fault(reader, "a communicator that the rank is not in once"), false;
  return true;
}

static uint32_t find_definition(struct reader *reader, const unsigned char *bytes, size_t length, uint64_t size)
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

static bool read_communicator(struct reader *reader)
{
  const unsigned char *begin = reader->at;
  uint64_t before, size, place = 0;
  if (!take(reader, UINT32_MAX, &before) || !read_members(reader, &size, &place, NULL))
    return false;
  const uint32_t index = find_definition(reader, begin, (size_t)(reader->at - begin), size);
  struct definition *definition = &reader->definitions.items[index];
  if (definition->last_user == reader->rank)
    return fault(reader, "a communicator that the rank has already"), false;
  definition->last_user = reader->rank;
  tutti_xpush(&reader->own, (struct own_communicator){.index = index, .rank = (uint32_t)place});
  return true;
}

/* ---- shapes ---- */

static bool read_vector(struct reader *reader, int which)
{
  uint64_t count, folded, item = 0;
  reader->vectors[which].count = 0;
  if (!take(reader, reader->workload->rank_count, &count))
    return false;
  for (; count > 0; count--) {
    if (!take(reader, UINT64_MAX, &folded))
      return false;
    item += (uint64_t)trace_unfold(folded);
    tutti_xpush(&reader->vectors[which], item);
  }
  return true;
}

static bool read_method(struct reader *reader, struct workload_shape *shape)
{
  char text[TUTTI_METHOD_LENGTH];
  uint64_t length, letter;
  tutti_error reason;
  if (!take(reader, sizeof text - 1, &length))
    return false;
  for (uint64_t i = 0; i < length; i++) {
    if (!take(reader, 0x7f, &letter))
      return false;
    text[i] = (char)letter;
  }
  text[length] = '\0';
  if (tutti_method_parse(text, &shape->method, &reason) != TUTTI_OK)
    return fault(reader, reason.message), false;
  shape->collective = shape->method.algorithm->collective;
  return true;
}

static bool complete_shape(struct reader *reader, struct workload_shape *shape, uint64_t communicator)
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
    return fault(reader, "a root that is not in the communicator"), false;
  const struct workload_vector input = {reader->vectors[0].items, reader->vectors[0].count},
                               output = {reader->vectors[1].items, reader->vectors[1].count};
  const char *wrong = tutti_workload_shape_complete(shape, &input, &output);
  return wrong ? (fault(reader, wrong), false) : true;
}

/* What all ranks must agree on. */
static uint64_t digest_shape(const struct workload_shape *shape)
{
  char text[TUTTI_METHOD_LENGTH];
  const bool local = tutti_collective_traits(shape->collective) & TUTTI_COUNTS_ARE_LOCAL;
  const uint64_t words[] = {tutti_digest(text, strlen(tutti_method_format(&shape->method, text))),
                            local ? 0 : shape->bytes, (uint64_t)shape->call.root};
  return tutti_digest(words, sizeof words);
}

static bool read_shape(struct reader *reader)
{
  uint64_t communicator, type_size, commutes, root;
  tutti_xpush(&reader->workload->shapes, (struct workload_shape){.communicator = WORKLOAD_UNKNOWN});
  struct workload_shape *shape = &reader->workload->shapes.items[reader->workload->shapes.count - 1];
  if (!take(reader, reader->own.count, &communicator) || !read_method(reader, shape) ||
      !take(reader, UINT64_MAX, &shape->bytes) || !take(reader, INT_MAX, &type_size) || !take(reader, 1, &commutes) ||
      !take(reader, INT_MAX, &root) || !read_vector(reader, 0) || !read_vector(reader, 1))
    return false;
  shape->call = (tutti_call){.root = (int)root, .type_size = type_size, .commutative = commutes};
  tutti_xpush(&reader->shapes, (struct own_shape){communicator, digest_shape(shape)});
  return complete_shape(reader, shape, communicator);
}

/* ---- calls ---- */

static bool add_time(struct reader *reader, uint64_t *nanoseconds)
{
  if (!take(reader, MOST_NANOSECONDS, nanoseconds))
    return false;
  reader->time += *nanoseconds;
  return reader->time <= MOST_NANOSECONDS || (fault(reader, "longer than 36 years"), false);
}

static bool read_call(struct reader *reader, uint64_t number)
{
  struct workload *workload = reader->workload;
  const size_t first = workload->ranks[reader->rank].first_shape;
  uint64_t compute, duration;
  if (number >= reader->shapes.count)
    return fault(reader, "an unknown kind of record"), false;
  const struct workload_shape *shape = &workload->shapes.items[first + number];
  if (!add_time(reader, &compute) || !add_time(reader, &duration))
    return false;
  workload->compute += (double)compute * 1e-9;
  workload->recorded[shape->collective] += (double)duration * 1e-9;
  workload->calls[shape->collective]++;
  workload->unknown += shape->communicator == WORKLOAD_UNKNOWN;
  const struct own_shape *own = &reader->shapes.items[number];
  if (own->communicator > 0) {
    uint64_t *calls = &reader->own.items[own->communicator - 1].calls;
    *calls = (*calls ^ own->digest) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  }
  return true;
}

/* ---- ranks ---- */

/* One record; false at the end, and after a fault. */
static bool read_record(struct reader *reader, bool *ended)
{
  uint64_t tag, number;
  if (!take(reader, UINT64_MAX, &tag))
    return false;
  switch (tag) {
  case TRACE_END:
    if (!add_time(reader, &number))
      return false;
    reader->workload->compute += (double)number * 1e-9;
    *ended = reader->at == reader->end;
    if (!*ended)
      fault(reader, "bytes behind the end");
    return false;
  case TRACE_COMMUNICATOR:
    return read_communicator(reader);
  case TRACE_SHAPE:
    return read_shape(reader);
  default:
    return tag >= TRACE_CALL ? read_call(reader, tag - TRACE_CALL)
                             : (fault(reader, "an unknown kind of record"), false);
  }
}

/* All ranks of a communicator make the same calls there. */
static tutti_status compare_calls(struct reader *reader)
{
  for (size_t c = 0; c < reader->own.count; c++) {
    struct definition *definition = &reader->definitions.items[reader->own.items[c].index];
    if (definition->users++ == 0)
      definition->calls = reader->own.items[c].calls;
    else if (definition->calls != reader->own.items[c].calls)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT,
                        "%s: rank %u makes other calls on a communicator of %u ranks than the first of them",
                        reader->path, (unsigned)reader->rank, (unsigned)definition->size);
  }
  return TUTTI_OK;
}

static tutti_status read_rank(struct reader *reader)
{
  struct workload_rank *rank = &reader->workload->ranks[reader->rank];
  const unsigned char *end = reader->end;
  uint64_t length, tag;
  bool ended = false;
  if (!take(reader, UINT64_MAX, &length))
    return TUTTI_ERR_ARGUMENT;
  if (length > (uint64_t)(end - reader->at))
    return fault(reader, "cut short");
  *rank = (struct workload_rank){
      .bytes = reader->at, .length = (size_t)length, .first_shape = reader->workload->shapes.count};
  reader->end = reader->at + length;
  reader->own.count = reader->shapes.count = 0;
  reader->time = 0;
  tutti_xpush(&reader->own, (struct own_communicator){.index = 0, .rank = reader->rank});
  if (!take(reader, TRACE_START, &tag) || tag != TRACE_START)
    return fault(reader, "no start");
  if (!take(reader, UINT64_MAX / 2, &rank->start))
    return TUTTI_ERR_ARGUMENT;
  while (read_record(reader, &ended))
    continue;
  reader->end = end;
  reader->last = rank->start + reader->time > reader->last ? rank->start + reader->time : reader->last;
  return ended ? compare_calls(reader) : TUTTI_ERR_ARGUMENT;
}

/* ---- all of it ---- */

/* Starts count from the first. */
static tutti_status shift_starts(struct reader *reader)
{
  struct workload *workload = reader->workload;
  uint64_t first = UINT64_MAX;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    first = workload->ranks[r].start < first ? workload->ranks[r].start : first;
  for (uint32_t r = 0; r < workload->rank_count; r++) {
    workload->ranks[r].start -= first;
    if (workload->ranks[r].start > MOST_NANOSECONDS)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: rank %u starts 36 years behind another", reader->path,
                        (unsigned)r);
  }
  workload->seconds = (double)(reader->last - first) * 1e-9;
  return TUTTI_OK;
}

/* Every member of a communicator has it, so that their lists take no more memory than their definitions. */
static tutti_status expand_communicators(struct reader *reader)
{
  struct workload *workload = reader->workload;
  for (size_t c = 0; c < reader->definitions.count; c++) {
    const struct definition *definition = &reader->definitions.items[c];
    uint64_t size, place;
    if (definition->users != definition->size)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: of a communicator of %u ranks %u have it", reader->path,
                        (unsigned)definition->size, (unsigned)definition->users);
    struct workload_communicator made = {.size = definition->size};
    if (c > 0) {
      made.members = tutti_xcalloc(definition->size, sizeof *made.members);
      reader->at = definition->bytes;
      reader->end = definition->bytes + definition->length;
      (void)take(reader, UINT32_MAX, &size);
      (void)read_members(reader, &size, &place, made.members);
    }
    tutti_xpush(&workload->communicators, made);
  }
  return TUTTI_OK;
}

static tutti_status read_ranks(struct reader *reader)
{
  tutti_status status = TUTTI_OK;
  tutti_xpush(&reader->definitions,
              (struct definition){.size = reader->workload->rank_count, .next = WORKLOAD_UNKNOWN});
  for (; reader->rank < reader->workload->rank_count && status == TUTTI_OK; reader->rank++)
    status = read_rank(reader);
  if (status == TUTTI_OK && reader->at != reader->end) {
    reader->rank--;
    status = fault(reader, "bytes behind the last rank");
  }
  if (status == TUTTI_OK)
    status = shift_starts(reader);
  return status == TUTTI_OK ? expand_communicators(reader) : status;
}

tutti_status tutti_workload_read_trace(const char *path, struct workload *workload, tutti_error *error)
{
  tutti_error reason;
  struct reader *reader = tutti_xcalloc(1, sizeof *reader);
  *reader = (struct reader){.path = path, .workload = workload, .error = error ? error : &reason};
  memset(reader->buckets, 0xff, sizeof reader->buckets);
  tutti_status status = read_head(reader);
  if (status == TUTTI_OK)
    status = read_ranks(reader);
  for (int v = 0; v < 2; v++)
    tutti_vector_free(&reader->vectors[v]);
  tutti_vector_free(&reader->definitions);
  tutti_vector_free(&reader->own);
  tutti_vector_free(&reader->shapes);
  free(reader);
  return status;
}
