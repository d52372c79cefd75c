#include "harness/engine/riders/posting.h"

#include <stdlib.h>

#include "base/memory.h"

void tutti_postings_init(struct postings *p, struct engine *engine, struct matching *matching)
{
  *p = (struct postings){.engine = engine, .matching = matching};
  if (engine->machine->small == 0)
    return;
  p->mailboxes = tutti_xmalloc(engine->rank_count * sizeof *p->mailboxes);
  for (uint32_t r = 0; r < engine->rank_count; r++)
    p->mailboxes[r] = (struct posting_mailbox){.first = ENGINE_NONE};
}

void tutti_postings_free(struct postings *p)
{
  free(p->mailboxes);
}

/* ---- mailboxes ---- */

static bool is_small(const struct postings *p, const struct posting *posting)
{
  return posting->bytes < p->engine->machine->small;
}

static enum engine_outcome lock(struct postings *p, uint32_t rank, uint32_t receiver)
{
  struct posting_mailbox *mailbox = &p->mailboxes[receiver];
  if (!mailbox->locked) {
    mailbox->locked = true;
    return ENGINE_ANSWERED;
  }
  *(mailbox->first == ENGINE_NONE ? &mailbox->first : &p->mailboxes[mailbox->last].next) = rank;
  p->mailboxes[rank].next = ENGINE_NONE;
  mailbox->last = rank;
  return ENGINE_BLOCKS;
}

static void unlock(struct postings *p, uint32_t receiver)
{
  struct posting_mailbox *mailbox = &p->mailboxes[receiver];
  const uint32_t next = mailbox->first;
  if (next == ENGINE_NONE) {
    mailbox->locked = false;
    return;
  }
  mailbox->first = p->mailboxes[next].next;
  tutti_engine_wake(p->engine, next);
}

/* Whether a send waits in the mailbox of small messages, which it leaves at once. */
static enum matching_end end_of(const struct postings *p, const struct posting *posting)
{
  return !posting->send                                  ? MATCHING_RECEIVE
         : is_small(p, posting) && !posting->synchronous ? MATCHING_SMALL_SEND
                                                         : MATCHING_SEND;
}

/* A small message is not in the mailbox of large ones, unless it is synchronous. So its send looks into both, and so
   does a receive that finds no small one. */
static bool looks_twice(const struct postings *p, const struct posting *posting)
{
  return is_small(p, posting) &&
         (posting->send ? posting->synchronous : !tutti_matching_has_small(p->matching, posting->ends));
}

enum engine_outcome tutti_posting_call(struct postings *p, uint32_t rank, const struct posting *posting,
                                       enum posting_point *point)
{
  switch (*point) {
  case POSTING_LOCK: /* a large send does not look */
    *point = posting->send && !is_small(p, posting) ? POSTING_NOW : POSTING_PROBE;
    return lock(p, rank, posting->ends.receiver);
  case POSTING_PROBE:
    *point = looks_twice(p, posting) ? POSTING_PROBE_OTHER : POSTING_NOW;
    break;
  case POSTING_PROBE_OTHER:
    *point = POSTING_NOW;
    break;
  case POSTING_NOW:
    *point = p->mailboxes ? POSTING_UNLOCK : POSTING_OVER;
    break;
  default:
    unlock(p, posting->ends.receiver);
    *point = POSTING_OVER;
  }
  return ENGINE_ANSWERED;
}

/* ---- the two ends ---- */

enum posting_outcome tutti_posting_match(struct postings *p, const struct posting *posting, uint32_t request,
                                         uint32_t *mate)
{
  struct engine_request *own = &p->matching->requests.items[request];
  own->eager = posting_is_eager(p, posting);
  const enum matching_end end = end_of(p, posting);
  *mate = tutti_matching_post(p->matching, posting->ends, request, end);
  if (*mate == ENGINE_NONE)
    return end == MATCHING_SMALL_SEND ? POSTING_BEGINS : POSTING_WAITS;
  struct engine_request *other = &p->matching->requests.items[*mate];
  own->of_eager = other->eager;
  other->of_eager = own->eager;
  if (other->flow == ENGINE_NONE)
    return POSTING_BEGINS;
  if (other->done)
    return POSTING_ARRIVED;
  tutti_engine_meet(p->engine, other->flow, (uint64_t)request << 32 | *mate);
  return POSTING_UNDER_WAY;
}

tutti_status tutti_posting_begin(struct postings *p, const struct posting *posting, uint32_t request, uint32_t mate,
                                 uint64_t bytes, tutti_error *error)
{
  struct engine_request *requests = p->matching->requests.items;
  const uint32_t sender = requests[posting->send ? request : mate].rank;
  const uint32_t flow =
      tutti_engine_transfer(p->engine, sender, posting->ends.receiver, bytes, (uint64_t)request << 32 | mate);
  if (flow == ENGINE_NONE)
    return tutti_machine_no_route(p->engine->machine, engine_host_of(p->engine, sender),
                                  engine_host_of(p->engine, posting->ends.receiver), error);
  if (mate == ENGINE_NONE)
    requests[request].flow = flow;
  return TUTTI_OK;
}
