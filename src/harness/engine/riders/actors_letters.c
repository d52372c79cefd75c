/* Letters between actors, and the requests that carry them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/riders/actors_cast.h"

/* ---- letters ---- */

struct actors_letter *tutti_letter_new(struct actors_cast *cast, const tutti_message *message)
{
  const size_t bytes = (size_t)message->count * sizeof *message->words;
  struct actors_letter *letter = tutti_xmalloc(sizeof *letter + bytes);
  *letter = (struct actors_letter){.older = cast->newest,
                                   .from = message->from,
                                   .to = message->to,
                                   .kind = message->kind,
                                   .depth = message->depth,
                                   .count = message->count};
  if (bytes > 0)
    memcpy(letter->words, message->words, bytes);
  if (cast->newest)
    cast->newest->newer = letter;
  cast->newest = letter;
  return letter;
}

void tutti_letter_free(struct actors_cast *cast, struct actors_letter *letter)
{
  *(letter->newer ? &letter->newer->older : &cast->newest) = letter->older;
  if (letter->older)
    letter->older->newer = letter->newer;
  free(letter);
}

void tutti_letters_put(struct actors_letters *queue, struct actors_letter *letter)
{
  letter->next = NULL;
  *(queue->first ? &queue->last->next : &queue->first) = letter;
  queue->last = letter;
}

struct actors_letter *tutti_letters_take(struct actors_letters *queue)
{
  struct actors_letter *letter = queue->first;
  queue->first = letter->next;
  return letter;
}

uint64_t tutti_letter_bytes(const struct actors_letter *letter, bool rest)
{
  const int words = rest ? letter->count : actors_is_long(letter) ? ANNOUNCEMENT : WIRE_HEADER_WORDS + letter->count;
  return (uint64_t)words * sizeof *letter->words;
}

/* ---- requests in flight ---- */

static void add_flight(struct actors_member *m, struct actors_flight flight)
{
  if (m->active == m->capacity) {
    m->capacity = m->capacity ? 2 * m->capacity : 2 * WIRE_POOL;
    m->flights = tutti_xrealloc(m->flights, m->capacity * sizeof *m->flights);
  }
  m->flights[m->active++] = flight;
}

struct actors_letter *tutti_flight_land(struct actors_cast *cast, struct actors_member *m, uint32_t place)
{
  struct actors_letter *letter = m->flights[place].letter;
  m->active--;
  for (uint32_t i = place; i < m->active; i++) {
    m->flights[i] = m->flights[i + 1];
    if (m->flights[i].request != ENGINE_NONE)
      cast->matching.requests.items[m->flights[i].request].place = i;
  }
  return letter;
}

static struct actors_flight *flight_of(const struct actors_cast *cast, uint32_t request)
{
  const struct engine_request *r = &cast->matching.requests.items[request];
  return &cast->members[r->rank].flights[r->place];
}

static void begin_transfer(struct actors_cast *cast, uint32_t request, uint32_t mate, uint32_t to, bool rest)
{
  const uint32_t send = flight_of(cast, request)->role == WIRE_OUT ? request : mate;
  const uint32_t from = cast->matching.requests.items[send].rank;
  if (tutti_engine_transfer(&cast->engine, from, to, tutti_letter_bytes(flight_of(cast, send)->letter, rest),
                            (uint64_t)request << 32 | mate) == ENGINE_NONE)
    actors_fail(cast, tutti_fail(cast->error, TUTTI_ERR_UNSUPPORTED, "ranks %u and %u: no route between their hosts",
                                 (unsigned)from, (unsigned)to));
}

void tutti_flight_post(struct actors_cast *cast, uint32_t rank, struct actors_flight flight, uint32_t from, uint32_t to,
                       bool rest)
{
  struct actors_member *m = &cast->members[rank];
  const uint32_t anybody = cast->actors->rank_count;
  flight.request = tutti_request_new(&cast->matching, rank, 0, m->active);
  add_flight(m, flight);
  const uint32_t mate =
      tutti_matching_post(&cast->matching, (struct matching_ends){.sender = rest ? from : anybody, .receiver = to},
                          flight.request, flight.role == WIRE_OUT);
  if (mate != ENGINE_NONE)
    begin_transfer(cast, flight.request, mate, to, rest);
}

void tutti_flight_receive(struct actors_cast *cast, uint32_t rank)
{
  tutti_flight_post(cast, rank, (struct actors_flight){.role = WIRE_IN}, 0, rank, false);
}

void tutti_flight_send(struct actors_cast *cast, uint32_t rank, struct actors_letter *letter, bool rest)
{
  tutti_flight_post(cast, rank, (struct actors_flight){.role = WIRE_OUT, .letter = letter}, rank, (uint32_t)letter->to,
                    rest);
}

/* ---- waiting ---- */

static uint32_t first_done(const struct actors_cast *cast, const struct actors_member *m)
{
  uint32_t place = 0;
  while (m->flights[place].request == ENGINE_NONE || !cast->matching.requests.items[m->flights[place].request].done)
    place++;
  return place;
}

enum engine_outcome tutti_flight_wait(struct actors_cast *cast, uint32_t rank)
{
  struct engine_waiter *waiter = &cast->waiting.waiters[rank];
  if (waiter->done == 0) {
    waiting_begin(&cast->waiting, rank);
    return ENGINE_BLOCKS;
  }
  waiter->answer = first_done(cast, &cast->members[rank]);
  return ENGINE_ANSWERED;
}

void tutti_flight_arrived(void *context, uint64_t tag)
{
  struct actors_cast *cast = context;
  const uint32_t a = (uint32_t)(tag >> 32), b = (uint32_t)tag;
  struct actors_flight *of_a = flight_of(cast, a), *of_b = flight_of(cast, b);
  if (of_a->role == WIRE_OUT)
    of_b->letter = of_a->letter;
  else
    of_a->letter = of_b->letter;
  tutti_waiting_complete(&cast->waiting, &cast->matching, &cast->engine, a, b);
}
