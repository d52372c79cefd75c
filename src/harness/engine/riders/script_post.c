/* Posting the ends of messages. A message below smpi/send-is-detached-thresh is eager: its send is complete at once.
   One below smpi/async-small-thresh does not wait for its receiver either, but goes to a mailbox of small messages;
   with such messages SMPI locks the mailboxes of the receiver for every send and receive, and looks into them before,
   calls that take a turn each. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

/* ---- mailboxes ---- */

struct script_mailbox *tutti_mailboxes_new(uint32_t count)
{
  struct script_mailbox *mailboxes = tutti_xmalloc(count * sizeof *mailboxes);
  for (uint32_t r = 0; r < count; r++)
    mailboxes[r] = (struct script_mailbox){.first = ENGINE_NONE};
  return mailboxes;
}

static const struct program_vertex *vertex_of(const struct script_rider *rider, uint32_t rank)
{
  const struct script_rank *r = &rider->ranks[rank];
  return &r->program.vertices[r->vertex];
}

/* Ends of the message of the current vertex. */
static struct matching_ends ends_of(const struct script_rider *rider, uint32_t rank)
{
  const struct script_rank *r = &rider->ranks[rank];
  const struct program_vertex *vertex = vertex_of(rider, rank);
  const bool send = vertex->kind == TUTTI_SEND;
  return (struct matching_ends){.sender = send ? rank : vertex->peer,
                                .receiver = send ? vertex->peer : rank,
                                .channel = r->program.channels ? r->program.channels[r->vertex] : r->program.channel};
}

static struct script_mailbox *mailbox_of(struct script_rider *rider, uint32_t rank)
{
  const struct program_vertex *vertex = vertex_of(rider, rank);
  return &rider->mailboxes[vertex->kind == TUTTI_SEND ? vertex->peer : rank];
}

static bool is_small(const struct script_rider *rider, const struct program_vertex *vertex)
{
  return vertex->bytes < rider->script->machine->small;
}

/* A large send does not look. */
static bool lock(struct script_rider *rider, uint32_t rank)
{
  const struct program_vertex *vertex = vertex_of(rider, rank);
  struct script_mailbox *mailbox = mailbox_of(rider, rank);
  rider->ranks[rank].point = vertex->kind == TUTTI_RECV || is_small(rider, vertex) ? AT_PROBE : AT_POST;
  if (!mailbox->locked) {
    mailbox->locked = true;
    return false;
  }
  *(mailbox->first == ENGINE_NONE ? &mailbox->first : &rider->mailboxes[mailbox->last].next) = rank;
  rider->mailboxes[rank].next = ENGINE_NONE;
  mailbox->last = rank;
  return true;
}

/* Whether a small message is absent from the mailbox of small ones. */
static bool is_elsewhere(const struct script_rider *rider, uint32_t sent)
{
  return sent == ENGINE_NONE || rider->matching.requests.items[sent].flow == ENGINE_NONE;
}

/* A small message is not in the mailbox of large ones, unless it is synchronous. So its send looks into both, and so
   does a receive that finds no small one. */
static void probe(struct script_rider *rider, uint32_t rank)
{
  const struct program_vertex *vertex = vertex_of(rider, rank);
  const uint32_t sent = tutti_matching_sent(&rider->matching, ends_of(rider, rank));
  const bool both =
      is_small(rider, vertex) && (vertex->kind == TUTTI_RECV ? is_elsewhere(rider, sent) : vertex->synchronous);
  rider->ranks[rank].point = both ? AT_PROBE_OTHER : AT_POST;
}

static void unlock(struct script_rider *rider, uint32_t rank)
{
  struct script_mailbox *mailbox = mailbox_of(rider, rank);
  const uint32_t next = mailbox->first;
  if (next == ENGINE_NONE) {
    mailbox->locked = false;
    return;
  }
  mailbox->first = rider->mailboxes[next].next;
  tutti_engine_wake(&rider->engine, next);
}

/* ---- requests ---- */

void tutti_script_add_flight(struct script_rank *r, uint32_t request, uint32_t vertex)
{
  if (r->active == r->capacity) {
    struct script_flight *larger = tutti_xmalloc(2 * (size_t)r->capacity * sizeof *larger);
    memcpy(larger, r->flights, r->active * sizeof *larger);
    if (r->flights != r->few)
      free(r->flights);
    r->flights = larger;
    r->capacity *= 2;
  }
  r->flights[r->active++] = (struct script_flight){request, vertex};
}

/* Returns its flow. */
static uint32_t begin_transfer(struct script_rider *rider, uint32_t sender, uint32_t receiver, uint64_t bytes,
                               uint64_t tag)
{
  const uint32_t flow = tutti_engine_transfer(&rider->engine, sender, receiver, bytes, tag);
  if (flow == ENGINE_NONE)
    script_fail(rider, tutti_fail(rider->error, TUTTI_ERR_UNSUPPORTED, "ranks %u and %u: no route between their hosts",
                                  (unsigned)sender, (unsigned)receiver));
  return flow;
}

static void mark_done(struct script_rider *rider, uint32_t request)
{
  const struct engine_request *end = &rider->matching.requests.items[request];
  if (!end->eager)
    tutti_places_add(&rider->ranks[end->rank].done, end->place);
}

void tutti_script_arrive(struct script_rider *rider, uint32_t request, uint32_t mate)
{
  mark_done(rider, request);
  mark_done(rider, mate);
  tutti_waiting_complete(&rider->waiting, &rider->matching, &rider->engine, request, mate);
}

void tutti_script_ring(struct script_rider *rider, uint32_t request)
{
  mark_done(rider, request);
  tutti_waiting_complete_alone(&rider->waiting, &rider->matching, &rider->engine, request);
}

/* A receive meets an eager message that is under way, or there. */
static void meet(struct script_rider *rider, uint32_t request, uint32_t mate)
{
  const struct engine_request *eager = &rider->matching.requests.items[mate];
  if (eager->done)
    tutti_script_arrive(rider, request, mate);
  else
    tutti_engine_meet(&rider->engine, eager->flow, (uint64_t)request << 32 | mate);
}

/* The transfer begins when both ends are posted, or before. */
static void match(struct script_rider *rider, uint32_t rank, const struct program_vertex *vertex, uint32_t request)
{
  const bool send = vertex->kind == TUTTI_SEND;
  const struct matching_ends ends = ends_of(rider, rank);
  const uint32_t mate = tutti_matching_post(&rider->matching, ends, request, send);
  if (mate != ENGINE_NONE) {
    struct engine_request *requests = rider->matching.requests.items;
    requests[send ? mate : request].of_eager = requests[send ? request : mate].eager;
  }
  if (mate != ENGINE_NONE && rider->matching.requests.items[mate].flow != ENGINE_NONE)
    meet(rider, request, mate);
  else if (mate != ENGINE_NONE || (send && !vertex->synchronous && is_small(rider, vertex))) {
    const uint32_t flow =
        begin_transfer(rider, ends.sender, ends.receiver, vertex->bytes, (uint64_t)request << 32 | mate);
    if (mate == ENGINE_NONE)
      rider->matching.requests.items[request].flow = flow;
  }
}

static void post(struct script_rider *rider, uint32_t rank, uint32_t v)
{
  struct script_rank *r = &rider->ranks[rank];
  const struct program_vertex vertex = r->program.vertices[v];
  const uint32_t request = tutti_request_new(&rider->matching, rank, v, r->active);
  const bool eager =
      vertex.kind == TUTTI_SEND && !vertex.synchronous && vertex.bytes < rider->script->machine->detached;
  rider->matching.requests.items[request].eager = eager;
  if (eager)
    tutti_places_add(&r->eager, r->active);
  tutti_script_add_flight(r, eager ? SCRIPT_EAGER : request, v);
  match(rider, rank, &vertex, request);
  if (vertex.channel_next != ENGINE_NONE)
    tutti_script_release(r, vertex.channel_next);
  if (r->streams)
    tutti_stream_is_free(r, v);
}

/* All of them are answered. */
enum engine_outcome tutti_script_advance_post(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  switch (r->point) {
  case AT_LOCK:
    return lock(rider, rank) ? ENGINE_BLOCKS : ENGINE_ANSWERED;
  case AT_PROBE:
    probe(rider, rank);
    break;
  case AT_PROBE_OTHER:
    r->point = AT_POST;
    break;
  case AT_POST:
    post(rider, rank, r->vertex);
    r->point = rider->mailboxes ? AT_UNLOCK : AT_READY;
    break;
  default:
    unlock(rider, rank);
    r->point = AT_READY;
  }
  return ENGINE_ANSWERED;
}
