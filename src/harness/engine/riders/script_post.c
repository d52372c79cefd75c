/* Posting the messages of a schedule: requests in flight, and what completes them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/riders/script_rank.h"

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

static struct posting posting_of(const struct script_rider *rider, uint32_t rank)
{
  const struct script_rank *r = &rider->ranks[rank];
  const struct program_vertex *vertex = &r->program.vertices[r->vertex];
  const bool send = vertex->kind == TUTTI_SEND;
  return (struct posting){
      .ends = {.sender = send ? rank : vertex->peer,
               .receiver = send ? vertex->peer : rank,
               .channel = r->program.channels ? r->program.channels[r->vertex] : r->program.channel},
      .bytes = vertex->bytes,
      .send = send,
      .synchronous = vertex->synchronous};
}

static void match(struct script_rider *rider, const struct posting *posting, uint32_t request)
{
  uint32_t mate;
  switch (tutti_posting_match(&rider->postings, posting, request, &mate)) {
  case POSTING_BEGINS:
    script_fail(rider, tutti_posting_begin(&rider->postings, posting, request, mate, posting->bytes, rider->error));
    break;
  case POSTING_ARRIVED:
    tutti_script_arrive(rider, request, mate);
    break;
  case POSTING_WAITS:
  case POSTING_UNDER_WAY:
    break;
  }
}

static void post(struct script_rider *rider, uint32_t rank, const struct posting *posting)
{
  struct script_rank *r = &rider->ranks[rank];
  const uint32_t v = r->vertex, channel_next = r->program.vertices[v].channel_next,
                 request = tutti_request_new(&rider->matching, rank, v, r->active);
  const bool eager = posting_is_eager(&rider->postings, posting);
  if (eager)
    tutti_places_add(&r->eager, r->active);
  tutti_script_add_flight(r, eager ? SCRIPT_EAGER : request, v);
  match(rider, posting, request);
  if (channel_next != ENGINE_NONE)
    tutti_script_release(r, channel_next);
  if (r->streams)
    tutti_stream_is_free(r, v);
}

enum engine_outcome tutti_script_advance_post(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const struct posting posting = posting_of(rider, rank);
  if (r->posting == POSTING_NOW)
    post(rider, rank, &posting);
  const enum engine_outcome outcome = tutti_posting_call(&rider->postings, rank, &posting, &r->posting);
  if (r->posting == POSTING_OVER)
    r->point = AT_READY;
  return outcome;
}

/* No message meets these receives: they take time of nobody but the calls. */
enum engine_outcome tutti_script_advance_receives(struct script_rider *rider, uint32_t rank)
{
  struct script_rank *r = &rider->ranks[rank];
  const struct posting posting = {.ends = {.sender = rider->script->rank_count, .receiver = rank},
                                  .bytes = rider->script->steps[r->step].bytes};
  const enum engine_outcome outcome = tutti_posting_call(&rider->postings, rank, &posting, &r->posting);
  if (r->posting == POSTING_OVER) {
    r->left--;
    r->posting = posting_first(&rider->postings);
  }
  return outcome;
}
