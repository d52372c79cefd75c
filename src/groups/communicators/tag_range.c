#include "groups/communicators/tag_range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/splitmix64.h"

static int64_t leader_tag_ranges(int size)
{
  return 1 + (int64_t)size * TUTTI_LEADER_CONTEXTS;
}

tutti_status tutti_tag_range_count(int tag_ub, int size, int64_t *tag_ranges, tutti_error *error)
{
  int64_t tags = (int64_t)tag_ub + 1 - TAG_RANGE_FIRST_TAG, needed = leader_tag_ranges(size) + TAG_RANGE_MIN_HASHED;
  *tag_ranges = tags > 0 ? tags / TUTTI_CONTEXT_TAGS : 0;
  if (*tag_ranges >= needed)
    return TUTTI_OK;
  return tutti_fail(
      error, TUTTI_ERR_UNSUPPORTED,
      "MPI_TAG_UB = %d has room for %lld contexts of %d tags each; %d processes that may lead %d need %lld", tag_ub,
      (long long)*tag_ranges, TUTTI_CONTEXT_TAGS, size, TUTTI_LEADER_CONTEXTS, (long long)needed);
}

static uint64_t mix_context(const tutti_context *c)
{
  const int parts[] = {c->leader, c->index, c->first, c->last, c->count};
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    uint64_t state = sum ^ (uint32_t)parts[i];
    sum = tutti_splitmix64_next(&state);
  }
  return sum;
}

int64_t tutti_tag_range_of(const tutti_context *context, int size, int64_t tag_ranges)
{
  bool agreed = context->last < 0;
  if (agreed && context->leader == size)
    return 0;
  if (agreed && context->index < TUTTI_LEADER_CONTEXTS)
    return 1 + (int64_t)context->leader * TUTTI_LEADER_CONTEXTS + context->index;
  int64_t first = leader_tag_ranges(size);
  return first + (int64_t)(mix_context(context) % (uint64_t)(tag_ranges - first));
}

/* ---- contexts in use on a process ---- */

/* The first place with a tag range not less. */
static int place_of(const struct live_contexts *live, int64_t tag_range)
{
  return TUTTI_PARTITION_POINT(int, i, 0, live->count, live->contexts[i].tag_range < tag_range);
}

enum { ID_LENGTH = 80 };

static const char *write_id(const tutti_context *c, char *text)
{
  if (c->last < 0)
    snprintf(text, ID_LENGTH, "<%d, %d>", c->leader, c->index);
  else
    snprintf(text, ID_LENGTH, "<%d, %d, %d, %d, %d>", c->leader, c->index, c->first, c->last, c->count);
  return text;
}

static tutti_status refuse(const struct live_context *present, const tutti_context *context, int rank,
                           tutti_error *error)
{
  char old[ID_LENGTH], new[ID_LENGTH];
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                    "process %d: context %s has the same tags as context %s, which is not yet freed here", rank,
                    write_id(context, new), write_id(&present->context, old));
}

static bool reserve(struct live_contexts *live)
{
  if (live->count < live->capacity)
    return true;
  int capacity = live->capacity ? 2 * live->capacity : 4;
  struct live_context *contexts = realloc(live->contexts, (size_t)capacity * sizeof *contexts);
  if (!contexts)
    return false;
  live->contexts = contexts;
  live->capacity = capacity;
  return true;
}

tutti_status tutti_live_contexts_add(struct live_contexts *live, int64_t tag_range, const tutti_context *context,
                                     int rank, tutti_error *error)
{
  int at = place_of(live, tag_range);
  if (at < live->count && live->contexts[at].tag_range == tag_range)
    return refuse(&live->contexts[at], context, rank, error);
  if (!reserve(live))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for %d communicators", rank, live->count + 1);
  memmove(&live->contexts[at + 1], &live->contexts[at], (size_t)(live->count - at) * sizeof *live->contexts);
  live->contexts[at] = (struct live_context){tag_range, *context};
  live->count++;
  return TUTTI_OK;
}

void tutti_live_contexts_remove(struct live_contexts *live, int64_t tag_range)
{
  int at = place_of(live, tag_range);
  if (at == live->count || live->contexts[at].tag_range != tag_range)
    return;
  live->count--;
  memmove(&live->contexts[at], &live->contexts[at + 1], (size_t)(live->count - at) * sizeof *live->contexts);
}

void tutti_live_contexts_free(struct live_contexts *live)
{
  free(live->contexts);
  *live = (struct live_contexts){.count = 0};
}
