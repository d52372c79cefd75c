/* Messages to the owners of chunks, cut where that saves copies. */
#include <stdlib.h>

#include "harness/engine/search/synthesis.h"

struct splitting {
  const struct split_request *request;
  uint8_t *combined; /* [ranks][chunks] the rank has added what it received */
};

/* Where a chunk is at the two ends: a message of chunks that are in different places is copied together, or apart. */
static unsigned state_of(const struct splitting *s, const struct move *move, uint32_t chunk)
{
  const struct split_request *r = s->request;
  const int owner = r->root >= 0 ? r->root : move_owner(chunk, r->chunks, r->ranks);
  const bool here = s->combined[(size_t)move->from * r->chunks + chunk];
  const bool there = s->combined[(size_t)move->to * r->chunks + chunk];
  return here + 2 * there + 4 * (owner == move->to);
}

/* Runs of chunks in the same state, and the chunks that are copied if they are one message. */
static uint32_t count_runs(const struct splitting *s, const struct move *move, uint32_t *copies)
{
  uint32_t runs = 0, apart[2] = {0};
  for (uint32_t i = 0; i < move->count; i++) {
    const unsigned state = state_of(s, move, move->first + i);
    runs += i == 0 || state != state_of(s, move, move->first + i - 1);
    apart[0] += !(state & 1);
    apart[1] += !(state & 2);
  }
  *copies = 0;
  for (int end = 0; end < 2; end++)
    *copies += runs > 1 && apart[end] < move->count ? apart[end] : 0;
  return runs;
}

static void push_runs(const struct splitting *s, const struct move *move, struct moves *out)
{
  for (uint32_t at = 0, count; at < move->count; at += count) {
    const unsigned state = state_of(s, move, move->first + at);
    count = 1;
    while (at + count < move->count && state_of(s, move, move->first + at + count) == state)
      count++;
    tutti_xpush(out, (struct move){move->from, move->to, move->first + at, count});
  }
}

void tutti_moves_split(struct moves *moves, const struct split_request *request)
{
  struct splitting s = {request, tutti_xcalloc((size_t)request->ranks * request->chunks, sizeof *s.combined)};
  struct moves out = {0};
  for (size_t i = 0; i < moves->count; i++) {
    const struct move move = moves->items[i];
    uint32_t copies;
    const uint32_t runs = count_runs(&s, &move, &copies);
    if (copies * request->copy_s > (runs - 1) * request->message_s)
      push_runs(&s, &move, &out);
    else
      tutti_xpush(&out, move);
    for (uint32_t c = move.first; c < move.first + move.count; c++)
      s.combined[(size_t)move.to * request->chunks + c] = true;
  }
  free(s.combined);
  tutti_vector_free(moves);
  *moves = out;
}
