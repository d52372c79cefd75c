#include "harness/engine/core/matching.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 1024 };

void tutti_matching_init(struct matching *m)
{
  *m = (struct matching){.unused = ENGINE_NONE, .capacity = FIRST_CAPACITY};
  m->pairs = tutti_xcalloc(m->capacity, sizeof *m->pairs);
}

void tutti_matching_free(struct matching *m)
{
  tutti_vector_free(&m->requests);
  free(m->pairs);
}

uint32_t tutti_request_new(struct matching *m, uint32_t rank, uint32_t vertex, uint32_t place)
{
  uint32_t request = m->unused;
  if (request == ENGINE_NONE) {
    tutti_xpush(&m->requests, (struct engine_request){0});
    request = (uint32_t)m->requests.count - 1;
  } else
    m->unused = m->requests.items[request].link;
  m->requests.items[request] =
      (struct engine_request){.rank = rank, .vertex = vertex, .place = place, .link = ENGINE_NONE, .flow = ENGINE_NONE};
  return request;
}

void tutti_request_free(struct matching *m, uint32_t request)
{
  m->requests.items[request].link = m->unused;
  m->unused = request;
}

/* ---- the table of pairs ---- */

/* The lowest two bits are the kind of the waiting end, and no key is 0. */
static uint64_t key_of(struct matching_ends ends, enum matching_end end)
{
  return (uint64_t)ends.channel << 46 | (uint64_t)ends.sender << 24 | (uint64_t)ends.receiver << 2 | end;
}

static bool is_small(uint64_t key)
{
  return (key & 3) == MATCHING_SMALL_SEND;
}

static uint32_t place_of(const struct matching *m, uint64_t key)
{
  return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (m->capacity - 1);
}

/* The slot of the pair, or the free slot for it. */
static struct matching_pair *find(const struct matching *m, uint64_t key)
{
  uint32_t place = place_of(m, key);
  while (m->pairs[place].key && m->pairs[place].key != key)
    place = (place + 1) & (m->capacity - 1);
  return &m->pairs[place];
}

static void grow(struct matching *m)
{
  struct matching_pair *old = m->pairs;
  const uint32_t capacity = m->capacity;
  m->capacity *= 2;
  m->pairs = tutti_xcalloc(m->capacity, sizeof *m->pairs);
  for (uint32_t i = 0; i < capacity; i++)
    if (old[i].key)
      *find(m, old[i].key) = old[i];
  free(old);
}

/* Close the gap that a pair leaves. */
static void take_out(struct matching *m, struct matching_pair *pair)
{
  const uint32_t mask = m->capacity - 1;
  m->small_count -= is_small(pair->key);
  uint32_t gap = (uint32_t)(pair - m->pairs);
  for (uint32_t next = (gap + 1) & mask; m->pairs[next].key; next = (next + 1) & mask) {
    const uint32_t home = place_of(m, m->pairs[next].key);
    if (((next - home) & mask) < ((next - gap) & mask))
      continue; /* it is between its home and the gap */
    m->pairs[gap] = m->pairs[next];
    gap = next;
  }
  m->pairs[gap].key = 0;
  m->count--;
}

static void wait(struct matching *m, uint64_t key, uint32_t request)
{
  if (2 * (m->count + 1) > m->capacity)
    grow(m);
  struct matching_pair *pair = find(m, key);
  if (pair->key)
    m->requests.items[pair->last].link = request;
  else {
    *pair = (struct matching_pair){.key = key, .first = request};
    m->count++;
    m->small_count += is_small(key);
  }
  pair->last = request;
}

bool tutti_matching_has_small(const struct matching *m, struct matching_ends ends)
{
  return m->small_count > 0 && find(m, key_of(ends, MATCHING_SMALL_SEND))->key;
}

uint32_t tutti_matching_post(struct matching *m, struct matching_ends ends, uint32_t request, enum matching_end end)
{
  const enum matching_end sought = end != MATCHING_RECEIVE             ? MATCHING_RECEIVE
                                   : tutti_matching_has_small(m, ends) ? MATCHING_SMALL_SEND
                                                                       : MATCHING_SEND;
  struct matching_pair *other = find(m, key_of(ends, sought));
  if (!other->key) {
    wait(m, key_of(ends, end), request);
    return ENGINE_NONE;
  }
  const uint32_t mate = other->first;
  if (other->first == other->last)
    take_out(m, other);
  else
    other->first = m->requests.items[mate].link;
  m->requests.items[mate].link = request;
  m->requests.items[request].link = mate;
  return mate;
}
