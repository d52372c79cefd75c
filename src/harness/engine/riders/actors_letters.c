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
    if (m->flights[i].request != ENGINE_NONE && m->flights[i].request != ACTORS_EAGER)
      cast->matching.requests.items[m->flights[i].request].place = i;
  }
  return letter;
}

/* ---- posting ---- */

static void prepare(struct actors_cast *cast, uint32_t rank, struct actors_flight flight, struct posting end,
                    enum actors_point after)
{
  struct actors_member *m = &cast->members[rank];
  m->flight = flight;
  m->end = end;
  m->posting = posting_first(&cast->postings);
  m->point = AT_POST;
  m->after = after;
}

void tutti_flight_receive(struct actors_cast *cast, uint32_t rank, enum actors_point after)
{
  const uint32_t anybody = cast->actors->rank_count;
  prepare(cast, rank, (struct actors_flight){.role = WIRE_IN},
          (struct posting){.ends = {.sender = anybody, .receiver = rank}, .bytes = WIRE_SHORT_BYTES}, after);
}

void tutti_flight_receive_rest(struct actors_cast *cast, uint32_t rank, const struct actors_letter *announced,
                               enum actors_point after)
{
  prepare(cast, rank, (struct actors_flight){.role = WIRE_REST},
          (struct posting){.ends = {.sender = (uint32_t)announced->from, .receiver = rank},
                           .bytes = tutti_letter_bytes(announced, true)},
          after);
}

void tutti_flight_send(struct actors_cast *cast, uint32_t rank, struct actors_letter *letter, bool rest,
                       enum actors_point after)
{
  const uint32_t anybody = cast->actors->rank_count;
  prepare(cast, rank, (struct actors_flight){.role = WIRE_OUT, .letter = letter},
          (struct posting){.ends = {.sender = rest ? rank : anybody, .receiver = (uint32_t)letter->to},
                           .bytes = tutti_letter_bytes(letter, rest),
                           .send = true},
          after);
}

/* The receiver gets the letter. */
static void arrive(struct actors_cast *cast, uint32_t a, uint32_t b)
{
  struct actors_letter *const *carried = cast->carried.items;
  const uint32_t receive = carried[a] ? b : a;
  const struct engine_request *r = &cast->matching.requests.items[receive];
  cast->members[r->rank].flights[r->place].letter = carried[a] ? carried[a] : carried[b];
  tutti_waiting_complete(&cast->waiting, &cast->matching, &cast->engine, a, b);
}

static void match(struct actors_cast *cast, const struct posting *end, uint32_t request)
{
  uint32_t mate;
  switch (tutti_posting_match(&cast->postings, end, request, &mate)) {
  case POSTING_BEGINS: {
    const struct actors_letter *letter = cast->carried.items[end->send ? request : mate];
    const bool rest = end->ends.sender != cast->actors->rank_count;
    const tutti_status status =
        tutti_posting_begin(&cast->postings, end, request, mate, tutti_letter_bytes(letter, rest), cast->error);
    if (status != TUTTI_OK)
      actors_fail(cast, status);
    break;
  }
  case POSTING_ARRIVED:
    arrive(cast, request, mate);
    break;
  case POSTING_WAITS:
  case POSTING_UNDER_WAY:
    break;
  }
}

void tutti_flight_post(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  struct actors_flight flight = m->flight;
  const uint32_t request = tutti_request_new(&cast->matching, rank, 0, m->active);
  const bool eager = posting_is_eager(&cast->postings, &m->end);
  while (cast->carried.count <= request)
    tutti_xpush(&cast->carried, NULL);
  cast->carried.items[request] = m->end.send ? flight.letter : NULL;
  flight.request = eager ? ACTORS_EAGER : request;
  m->eager += eager;
  add_flight(m, flight);
  match(cast, &m->end, request);
}

enum engine_outcome tutti_flight_advance_post(struct actors_cast *cast, uint32_t rank)
{
  struct actors_member *m = &cast->members[rank];
  if (m->posting == POSTING_NOW)
    tutti_flight_post(cast, rank);
  const enum engine_outcome outcome = tutti_posting_call(&cast->postings, rank, &m->end, &m->posting);
  if (m->posting == POSTING_OVER)
    m->point = m->after;
  return outcome;
}

/* ---- waiting ---- */

static bool is_done(const struct actors_cast *cast, uint32_t request)
{
  return request != ENGINE_NONE && request != ACTORS_EAGER && cast->matching.requests.items[request].done;
}

enum engine_outcome tutti_flight_wait(struct actors_cast *cast, uint32_t rank)
{
  struct engine_waiter *waiter = &cast->waiting.waiters[rank];
  const struct actors_member *m = &cast->members[rank];
  uint32_t place = 0;
  if (m->eager > 0) {
    while (m->flights[place].request != ACTORS_EAGER)
      place++;
    waiter->answer = place;
    return ENGINE_GOES_ON;
  }
  if (waiter->done == 0) {
    waiting_begin(&cast->waiting, rank);
    return ENGINE_BLOCKS;
  }
  while (!is_done(cast, m->flights[place].request))
    place++;
  waiter->answer = place;
  return ENGINE_ANSWERED;
}

void tutti_flight_arrived(void *context, uint64_t tag)
{
  struct actors_cast *cast = context;
  const uint32_t request = (uint32_t)(tag >> 32), mate = (uint32_t)tag;
  if (mate == ENGINE_NONE) /* a small message, for which nobody waits yet */
    cast->matching.requests.items[request].done = true;
  else
    arrive(cast, request, mate);
}
