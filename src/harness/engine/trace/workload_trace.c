/* Reading what the interposer wrote: every byte is looked at once, so that tutti_workload_next() needs no checks. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_trace.h"

/* Times stay below 2^59 ns, 18 years. */
#define MAX_NANOSECONDS (UINT64_C(1) << 59)

tutti_status tutti_trace_fault(const struct trace_reader *reader, const char *what)
{
  return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: byte %zu, of rank %u: %s", reader->path,
                    (size_t)((const char *)reader->at - reader->workload->text), (unsigned)reader->rank, what);
}

/* Read a number up to `most`; otherwise false, and a fault. */
bool tutti_trace_take(struct trace_reader *reader, uint64_t most, uint64_t *number)
{
  const size_t length = trace_read_number(reader->at, (size_t)(reader->end - reader->at), number);
  if (length == 0)
    tutti_trace_fault(reader, reader->at == reader->end ? "cut short" : "not a number");
  else if (*number > most)
    tutti_trace_fault(reader, "a number that is too large");
  else
    reader->at += length;
  return length > 0 && *number <= most;
}

/* ---- the line at the beginning ---- */

static bool is_number_of(const char *word, const char *key, uint64_t *number)
{
  const char *found = tutti_word_value(word, key);
  return found && (tutti_parse_integer(found, 1, INT_MAX, number), true);
}

static bool is_word_of(const char *word, const char *key, char value[WORKLOAD_WORD])
{
  const char *found = tutti_word_value(word, key);
  if (found)
    snprintf(value, WORKLOAD_WORD, "%.*s", WORKLOAD_WORD - 1, found);
  return found;
}

static tutti_status read_head(struct trace_reader *reader)
{
  struct workload *workload = reader->workload;
  const char *line_end = memchr(workload->text, '\n', workload->length < 1024 ? workload->length : 1024);
  char line[1024], *rest = line;
  uint64_t version = 0, ranks = 0, per_node = 0, cores = 0;
  if (!line_end)
    return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: the first line does not end", reader->path);
  snprintf(line, sizeof line, "%.*s", (int)(line_end - workload->text), workload->text);
  (void)strsep(&rest, " ");
  for (char *word; (word = strsep(&rest, " "));) {
    if (version == 0 && !tutti_parse_integer(word, TRACE_FIRST_VERSION, TRACE_VERSION, &version))
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: version %.20s of the format: known are %d to %d",
                        reader->path, word, TRACE_FIRST_VERSION, TRACE_VERSION);
    (void)(is_number_of(word, "ranks", &ranks) || is_number_of(word, "ranks_per_node", &per_node) ||
           is_number_of(word, "cores", &cores) || is_word_of(word, "flavor", workload->flavor) ||
           is_word_of(word, "library", workload->library));
  }
  reader->at = (const unsigned char *)line_end + 1;
  reader->end = (const unsigned char *)workload->text + workload->length;
  if (ranks == 0 || ranks > (uint64_t)(reader->end - reader->at))
    return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:1: ranks=N is expected, and N ranks after this line",
                      reader->path);
  workload->rank_count = (uint32_t)ranks;
  workload->ranks_per_node = (int)per_node;
  workload->cores = (int)cores;
  workload->ranks = tutti_xcalloc(ranks, sizeof *workload->ranks);
  return TUTTI_OK;
}

/* ---- calls ---- */

static bool add_time(struct trace_reader *reader, uint64_t *nanoseconds)
{
  if (!tutti_trace_take(reader, MAX_NANOSECONDS, nanoseconds))
    return false;
  reader->time += *nanoseconds;
  return reader->time <= MAX_NANOSECONDS || (tutti_trace_fault(reader, "longer than 18 years"), false);
}

static void add_to_digest(struct trace_reader *reader, const struct own_shape *own)
{
  if (own->communicator == 0)
    return;
  struct own_communicator *communicator = &reader->own.items[own->communicator - 1];
  uint64_t *calls = &communicator->calls;
  if (own->instance > 0)
    communicator->persistent += (own->digest ^ own->instance) * UINT64_C(0x9e3779b97f4a7c15);
  else
    *calls = (*calls ^ own->digest) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static bool read_call(struct trace_reader *reader, uint64_t number)
{
  struct workload *workload = reader->workload;
  uint64_t compute, duration;
  int part = WORKLOAD_MESSAGES;
  if (number >= reader->shapes.count)
    return tutti_trace_fault(reader, "an unknown kind of record"), false;
  const struct own_shape *own = &reader->shapes.items[number];
  if (!add_time(reader, &compute) || !add_time(reader, &duration))
    return false;
  if (own->kind == OWN_COLLECTIVE) {
    struct workload_shape *shape = &workload->shapes.items[own->index];
    shape->calls++;
    part = (int)shape->collective;
    workload->unknown += shape->communicator == WORKLOAD_UNKNOWN;
    add_to_digest(reader, own);
  }
  workload->recorded[part] += (double)duration * 1e-9;
  reader->events++;
  return !reader->has_messages || tutti_trace_add_call(reader, own, compute, duration);
}

/* ---- ranks ---- */

/* One record; false at the end, and after a fault. */
static bool read_record(struct trace_reader *reader, bool *ended)
{
  uint64_t tag, number;
  if (!tutti_trace_take(reader, UINT64_MAX, &tag))
    return false;
  switch (tag) {
  case TRACE_END:
    if (!add_time(reader, &number))
      return false;
    tutti_trace_end_messages(reader, number);
    *ended = reader->at == reader->end;
    if (!*ended)
      tutti_trace_fault(reader, "bytes after the end");
    return false;
  case TRACE_COMMUNICATOR:
    return tutti_trace_read_communicator(reader);
  case TRACE_SHAPE:
    return tutti_trace_read_shape(reader);
  case TRACE_MESSAGE:
    return tutti_trace_read_message(reader);
  case TRACE_WAIT:
    return tutti_trace_read_wait(reader);
  case TRACE_MATCH:
    return tutti_trace_read_match(reader);
  case TRACE_UNRECORDED:
    if (!tutti_trace_take(reader, (1u << TRACE_UNRECORDED_KINDS) - 1, &number))
      return false;
    reader->workload->unrecorded |= (unsigned)number;
    return true;
  default:
    return tag >= TRACE_CALL ? read_call(reader, tag - TRACE_CALL)
                             : (tutti_trace_fault(reader, "an unknown kind of record"), false);
  }
}

/* All ranks of a communicator make the same calls there. */
static tutti_status compare_calls(struct trace_reader *reader)
{
  for (size_t c = 0; c < reader->own.count; c++) {
    struct definition *definition = &reader->definitions.items[reader->own.items[c].index];
    const uint64_t calls = reader->own.items[c].calls + reader->own.items[c].persistent;
    if (definition->users++ == 0)
      definition->calls = calls;
    else if (definition->calls != calls)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT,
                        "%s: rank %u makes other calls on a communicator of %u ranks than the first of them",
                        reader->path, (unsigned)reader->rank, (unsigned)definition->size);
  }
  return TUTTI_OK;
}

static tutti_status read_rank(struct trace_reader *reader)
{
  struct workload_rank *rank = &reader->workload->ranks[reader->rank];
  const unsigned char *end = reader->end;
  uint64_t length, tag;
  bool ended = false;
  if (!tutti_trace_take(reader, UINT64_MAX, &length))
    return TUTTI_ERR_ARGUMENT;
  if (length > (uint64_t)(end - reader->at))
    return tutti_trace_fault(reader, "cut short");
  *rank = (struct workload_rank){
      .bytes = reader->at, .length = (size_t)length, .first_shape = reader->workload->shapes.count};
  reader->end = reader->at + length;
  reader->own.count = reader->shapes.count = 0;
  reader->time = 0;
  tutti_xpush(&reader->own, (struct own_communicator){.index = 0, .rank = reader->rank});
  if (!tutti_trace_take(reader, TRACE_START, &tag) || tag != TRACE_START)
    return tutti_trace_fault(reader, "no start");
  if (!tutti_trace_take(reader, UINT64_MAX / 2, &rank->start))
    return TUTTI_ERR_ARGUMENT;
  while (read_record(reader, &ended))
    continue;
  reader->end = end;
  reader->last = rank->start + reader->time > reader->last ? rank->start + reader->time : reader->last;
  return ended ? compare_calls(reader) : TUTTI_ERR_ARGUMENT;
}

/* ---- all of it ---- */

/* Starts count from the first. */
static tutti_status shift_starts(struct trace_reader *reader)
{
  struct workload *workload = reader->workload;
  uint64_t first = UINT64_MAX;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    first = workload->ranks[r].start < first ? workload->ranks[r].start : first;
  for (uint32_t r = 0; r < workload->rank_count; r++) {
    workload->ranks[r].start -= first;
    if (workload->ranks[r].start > MAX_NANOSECONDS)
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s: rank %u starts 18 years behind another", reader->path,
                        (unsigned)r);
  }
  workload->seconds = (double)(reader->last - first) * 1e-9;
  return TUTTI_OK;
}

static tutti_status read_ranks(struct trace_reader *reader)
{
  tutti_status status = TUTTI_OK;
  tutti_xpush(&reader->definitions,
              (struct definition){.size = reader->workload->rank_count, .next = WORKLOAD_UNKNOWN});
  for (; reader->rank < reader->workload->rank_count && status == TUTTI_OK; reader->rank++)
    status = read_rank(reader);
  if (status == TUTTI_OK && reader->at != reader->end) {
    reader->rank--;
    status = tutti_trace_fault(reader, "bytes after the last rank");
  }
  if (status == TUTTI_OK)
    status = shift_starts(reader);
  if (status == TUTTI_OK)
    status = tutti_trace_expand_communicators(reader);
  if (status == TUTTI_OK)
    tutti_trace_match_messages(reader);
  return status;
}

tutti_status tutti_workload_read_trace(const char *path, struct workload *workload, tutti_error *error)
{
  tutti_error reason;
  struct trace_reader *reader = tutti_xcalloc(1, sizeof *reader);
  *reader = (struct trace_reader){.path = path, .workload = workload, .error = error ? error : &reason};
  memset(reader->buckets, 0xff, sizeof reader->buckets);
  tutti_status status = read_head(reader);
  if (status == TUTTI_OK)
    status = read_ranks(reader);
  for (int v = 0; v < 2; v++)
    tutti_vector_free(&reader->vectors[v]);
  tutti_vector_free(&reader->definitions);
  tutti_vector_free(&reader->own);
  tutti_vector_free(&reader->shapes);
  tutti_vector_free(&reader->ages);
  tutti_vector_free(&reader->writer.requests);
  tutti_vector_free(&reader->places);
  tutti_pairs_free(&reader->channels);
  free(reader);
  return status;
}
