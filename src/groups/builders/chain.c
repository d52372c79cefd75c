/* Groups as chains, the neighbor to compare with (Moody, Ahn, de Supinski 2011): a process finds the nearest member on
   either side, and their numbers, by scans of the chain of all processes; members then learn the processes at distance
   1, 2, 4, ... of their own chain from each other, which gives an in-order binomial tree.

       scan, round r:      i sends i + 2^r the last member up to i, and i - 2^r the first one from i
   on doubling, round r:  rank j sends rank j + 2^r the process j - 2^r, and vice versa

   O(log n) rounds of up to 2 n messages, then O(log m) of up to 2 m. */
#include "groups/group_protocol.h"

enum { LEFT, RIGHT, SIDES };
enum { SCAN, DOUBLE };
enum { MESSAGE_PHASE, MESSAGE_ROUND, MESSAGE_SIDE, MESSAGE_ID, MESSAGE_COUNT, MESSAGE_WORDS };
enum { NOBODY = -1 };

/* Known facts about one side. */
struct outlook {
  int nearest; /* member; or NOBODY */
  int count;   /* members */
  int next;    /* in doubling: process at distance 2^round; or NOBODY */
};

struct chain {
  struct group_protocol protocol;
  struct outlook side[SIDES];
  bool doubling;
  int round;
  bool sent;              /* the messages of this round */
  tutti_int_vector early; /* of later rounds */
};

static struct chain *chain_of(struct group_protocol *c)
{
  return (struct chain *)c;
}

static void send_step(struct group_protocol *c, int to, int phase, int side, int id, int count)
{
  int words[MESSAGE_WORDS] = {phase, chain_of(c)->round, side, id, count};
  group_protocol_send(c, to, TUTTI_MESSAGE_SCAN, words, MESSAGE_WORDS);
}

/* Process at distance 2^round in the chain of all; NOBODY past its ends. */
static int at_distance(const struct group_protocol *c, int round, int side)
{
  int64_t distance = INT64_C(1) << round;
  int64_t id = c->actor.id + (side == LEFT ? -distance : distance);
  return id >= 0 && id < c->total ? (int)id : NOBODY;
}

/* ---- messages of this round ---- */

/* Whether a message is due from this side. */
static bool is_due(struct group_protocol *c, int side)
{
  struct chain *self = chain_of(c);
  return self->doubling ? self->side[side].next != NOBODY : at_distance(c, self->round, side) != NOBODY;
}

/* The message of this round from this side, if it is here. */
static const int *find(const struct group_protocol *c, int side)
{
  const struct chain *self = (const struct chain *)c;
  for (int at = 0; at < self->early.count; at += MESSAGE_WORDS) {
    const int *words = self->early.items + at;
    if (words[MESSAGE_PHASE] == (self->doubling ? DOUBLE : SCAN) && words[MESSAGE_ROUND] == self->round &&
        words[MESSAGE_SIDE] == side)
      return words;
  }
  return NULL;
}

static void drop(struct group_protocol *c, const int *words)
{
  tutti_int_vector *early = &chain_of(c)->early;
  int at = (int)(words - early->items);
  early->count -= MESSAGE_WORDS;
  for (int i = 0; i < MESSAGE_WORDS; i++)
    early->items[at + i] = early->items[early->count + i];
}

/* ---- the scan ---- */

/* The message to the right has the facts about the left, including this process, and vice versa. */
static void send_scan(struct group_protocol *c)
{
  const struct chain *self = chain_of(c);
  bool member = tutti_group_protocol_is_member(c);
  for (int side = 0; side < SIDES; side++) {
    int to = at_distance(c, self->round, !side);
    const struct outlook *known = &self->side[side];
    if (to != NOBODY)
      send_step(c, to, SCAN, side, member ? c->actor.id : known->nearest, known->count + member);
  }
}

/* A message from this side extends the known facts about it. */
static void take_scan(struct group_protocol *c, int side, const int *words)
{
  struct outlook *known = &chain_of(c)->side[side];
  if (known->nearest == NOBODY)
    known->nearest = words[MESSAGE_ID];
  known->count += words[MESSAGE_COUNT];
}

/* ---- doubling ---- */

static void send_double(struct group_protocol *c)
{
  const struct chain *self = chain_of(c);
  for (int side = 0; side < SIDES; side++)
    if (self->side[!side].next != NOBODY)
      send_step(c, self->side[!side].next, DOUBLE, side, self->side[side].next, 0);
}

/* Rank r is below r less its lowest bit; its children are r + 2^j for the lower bits, the largest subtree first. */
static void take_neighbors(struct group_protocol *c)
{
  const struct chain *self = chain_of(c);
  int distance = 1 << self->round;
  if (c->rank & (distance - 1))
    return;
  if (c->rank & distance)
    c->parent = self->side[LEFT].next;
  else if (self->side[RIGHT].next != NOBODY)
    group_protocol_add(c, &c->children, self->side[RIGHT].next);
}

static void begin_doubling(struct group_protocol *c)
{
  struct chain *self = chain_of(c);
  self->doubling = true;
  self->round = 0;
  self->sent = false;
  c->rank = self->side[LEFT].count;
  c->size = c->rank + 1 + self->side[RIGHT].count;
  for (int side = 0; side < SIDES; side++)
    self->side[side].next = self->side[side].nearest;
  take_neighbors(c);
}

static void stand(struct group_protocol *c)
{
  int *children = c->children.items;
  for (int i = 0, j = c->children.count - 1; i < j; i++, j--) {
    int child = children[i];
    children[i] = children[j];
    children[j] = child;
  }
  tutti_group_protocol_stands(c);
}

/* ---- rounds ---- */

/* All that is due in this round has been sent and has come. */
static bool complete_round(struct group_protocol *c)
{
  struct chain *self = chain_of(c);
  if (!self->sent) {
    self->sent = true;
    if (self->doubling)
      send_double(c);
    else
      send_scan(c);
  }
  for (int side = 0; side < SIDES; side++)
    if (is_due(c, side) && !find(c, side))
      return false;
  int next[SIDES] = {NOBODY, NOBODY};
  for (int side = 0; side < SIDES; side++) {
    const int *words = is_due(c, side) ? find(c, side) : NULL;
    if (!words)
      continue;
    next[side] = words[MESSAGE_ID];
    if (!self->doubling)
      take_scan(c, side, words);
    drop(c, words);
  }
  for (int side = 0; side < SIDES && self->doubling; side++)
    self->side[side].next = next[side];
  self->round++;
  self->sent = false;
  return true;
}

static bool scan_is_over(const struct group_protocol *c)
{
  return (INT64_C(1) << ((const struct chain *)c)->round) >= c->total;
}

static bool doubling_is_over(const struct group_protocol *c)
{
  return (INT64_C(1) << ((const struct chain *)c)->round) >= c->size;
}

static void end_scan(struct group_protocol *c)
{
  const struct chain *self = chain_of(c);
  if (tutti_group_protocol_is_member(c))
    begin_doubling(c);
  if (c->actor.id == c->root)
    tutti_group_protocol_expect(c, tutti_group_protocol_is_member(c) || self->side[RIGHT].count > 0, 0);
  tutti_group_protocol_idle(c);
}

static void advance(struct group_protocol *c)
{
  struct chain *self = chain_of(c);
  while (!self->doubling && c->busy && c->actor.status == TUTTI_OK) {
    if (scan_is_over(c))
      end_scan(c);
    else if (!complete_round(c))
      return;
  }
  while (self->doubling && !c->standing && c->actor.status == TUTTI_OK) {
    if (doubling_is_over(c))
      stand(c);
    else if (!complete_round(c))
      return;
    else if (!doubling_is_over(c))
      take_neighbors(c);
  }
}

static void start_chain(struct group_protocol *c)
{
  struct chain *self = chain_of(c);
  c->busy = true;
  for (int side = 0; side < SIDES; side++)
    self->side[side] = (struct outlook){.nearest = NOBODY, .next = NOBODY};
  advance(c);
}

/* A message may come before this process has begun, or before its round. */
static void receive(struct group_protocol *c, const tutti_message *message)
{
  struct chain *self = chain_of(c);
  if (group_protocol_append(c, &self->early, message->words, MESSAGE_WORDS))
    advance(c);
}

static void release(struct group_protocol *c)
{
  tutti_int_vector_free(&c->actor.memory, &chain_of(c)->early);
}

const tutti_group_builder tutti_chain = {.protocol = GROUP_PROTOCOL("chain", struct chain),
                                         .whole_only = true,
                                         .begin = start_chain,
                                         .receive = receive,
                                         .free = release};
