/* Optima of a broadcast by depth-first search over who holds which blocks after each round; states without a way to the
   end are remembered. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/optimum.h"

enum { RANKS = TUTTI_OPTIMUM_RANKS, ROUNDS = TUTTI_OPTIMUM_ROUNDS, MAX_ORDERS = 120 };

/* Open addressing; 0 is an empty place. */
struct failures {
  uint64_t *keys;
  size_t count, room; /* a power of two */
};

struct search {
  int ranks, blocks, all;                                /* all: the bits of all blocks */
  tutti_optimum found;                                   /* rounds and sizes are given */
  int left[ROUNDS + 1];                                  /* blocks that a rank can receive from a round on */
  uint8_t orders[MAX_ORDERS][1 << TUTTI_OPTIMUM_BLOCKS]; /* what becomes of blocks by another numbering */
  int order_count;
  struct failures failures;
  uint64_t states, limit;
  bool out_of_memory;
};

/* A round that is being made: what ranks hold before it, and what was decided. */
struct making {
  struct search *search;
  int round;
  uint8_t before[RANKS], after[RANKS];
  bool sends[RANKS], receives[RANKS];
};

static int bits(unsigned number)
{
  int count = 0;
  for (; number; number &= number - 1)
    count++;
  return count;
}

static int ceil_log2(int number)
{
  int log = 0;
  while (1 << log < number)
    log++;
  return log;
}

/* ---- numberings of blocks ---- */

static void add_order(struct search *s, const int *order)
{
  uint8_t *image = s->orders[s->order_count++];
  for (int mask = 0; mask <= s->all; mask++) {
    image[mask] = 0;
    for (int b = 0; b < s->blocks; b++)
      if (mask >> b & 1)
        image[mask] |= (uint8_t)(1 << order[b]);
  }
}

static void make_orders(struct search *s, int *order, int from)
{
  if (from == s->blocks)
    add_order(s, order);
  for (int i = from; i < s->blocks; i++) {
    const int first = order[from], other = order[i];
    order[from] = other, order[i] = first;
    make_orders(s, order, from + 1);
    order[from] = first, order[i] = other;
  }
}

/* ---- states ---- */

static void sort(uint8_t *masks, int count)
{
  for (int i = 1; i < count; i++) {
    const uint8_t mask = masks[i];
    int place = i;
    for (; place > 0 && masks[place - 1] > mask; place--)
      masks[place] = masks[place - 1];
    masks[place] = mask;
  }
}

/* The same for all states that differ by names of ranks and blocks; the root holds all. Never 0. */
static uint64_t key_of(const struct search *s, const uint8_t *holds, int round)
{
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < s->order_count; i++) {
    uint8_t masks[RANKS];
    uint64_t key = (uint64_t)round + 1;
    for (int r = 1; r < s->ranks; r++)
      masks[r - 1] = s->orders[i][holds[r]];
    sort(masks, s->ranks - 1);
    for (int r = 0; r < s->ranks - 1; r++)
      key = key << 8 | masks[r];
    least = key < least ? key : least;
  }
  return least;
}

static size_t place_of(const struct failures *f, uint64_t key)
{
  size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (f->room - 1);
  while (f->keys[place] && f->keys[place] != key)
    place = (place + 1) & (f->room - 1);
  return place;
}

static bool has_failed(const struct failures *f, uint64_t key)
{
  return f->room > 0 && f->keys[place_of(f, key)] == key;
}

static void remember(struct search *s, uint64_t key)
{
  struct failures *f = &s->failures;
  if (2 * (f->count + 1) > f->room) {
    struct failures larger = {.room = f->room ? 2 * f->room : 1024, .count = f->count};
    larger.keys = calloc(larger.room, sizeof *larger.keys);
    s->out_of_memory = s->out_of_memory || !larger.keys;
    if (!larger.keys)
      return;
    for (size_t i = 0; i < f->room; i++)
      if (f->keys[i])
        larger.keys[place_of(&larger, f->keys[i])] = f->keys[i];
    free(f->keys);
    *f = larger;
  }
  f->keys[place_of(f, key)] = key;
  f->count++;
}

/* Whether what is left of the rounds can be enough: for each rank, for each block, for all together. */
static bool can_end(const struct search *s, const uint8_t *holds, int round)
{
  const int rounds = s->found.rounds - round;
  int missing = 0, have = 0, most = 0;
  for (int r = 0; r < s->ranks; r++) {
    const int lacks = s->blocks - bits(holds[r]);
    if (lacks > s->left[round])
      return false;
    missing += lacks;
    have += holds[r] != 0;
  }
  for (int b = 0; b < s->blocks; b++) {
    int holders = 0;
    for (int r = 0; r < s->ranks; r++)
      holders += holds[r] >> b & 1;
    if (holders << rounds < s->ranks)
      return false;
  }
  for (int i = round; i < s->found.rounds; i++) {
    most += (have < s->ranks - 1 ? have : s->ranks - 1) * s->found.sizes[i];
    have *= have < s->ranks ? 2 : 1;
  }
  return missing <= most;
}

/* ---- a round ---- */

static bool search_from(struct search *s, const uint8_t *holds, int round);

/* Nobody idle could have sent something new to somebody idle. */
static bool is_full(const struct making *m)
{
  const struct search *s = m->search;
  for (int r = 1; r < s->ranks; r++)
    for (int q = 0; q < s->ranks && !m->receives[r]; q++)
      if (!m->sends[q] && (m->before[q] & ~m->before[r]))
        return false;
  return true;
}

static bool make_from(struct making *m, int receiver);

static bool receive(struct making *m, int receiver, int sender, uint8_t what)
{
  tutti_optimum *found = &m->search->found;
  m->after[receiver] = m->before[receiver] | what;
  if (m->search->blocks - bits(m->after[receiver]) > m->search->left[m->round + 1])
    return false;
  found->from[m->round][receiver] = (int8_t)sender;
  found->what[m->round][receiver] = what;
  m->receives[receiver] = what != 0;
  if (sender >= 0)
    m->sends[sender] = true;
  const bool done = make_from(m, receiver + 1);
  if (sender >= 0)
    m->sends[sender] = false;
  m->receives[receiver] = false;
  return done;
}

/* All choices of as many new blocks as a message takes. */
static bool receive_some(struct making *m, int receiver, int sender)
{
  const unsigned fresh = m->before[sender] & ~(unsigned)m->before[receiver];
  const int size = m->search->found.sizes[m->round], most = bits(fresh) < size ? bits(fresh) : size;
  for (unsigned what = fresh; what; what = (what - 1) & fresh)
    if (bits(what) == most && receive(m, receiver, sender, (uint8_t)what))
      return true;
  return false;
}

/* Of senders that hold the same only the first one that is idle is tried. */
static bool is_tried(const struct making *m, int sender)
{
  bool tried = m->sends[sender];
  for (int q = 0; q < sender && !tried; q++)
    tried = !m->sends[q] && m->before[q] == m->before[sender];
  return tried;
}

static bool make_from(struct making *m, int receiver)
{
  struct search *s = m->search;
  if (s->out_of_memory || ++s->states > s->limit)
    return false;
  if (receiver == s->ranks)
    return is_full(m) && search_from(s, m->after, m->round + 1);
  for (int sender = 0; sender < s->ranks; sender++)
    if (sender != receiver && !is_tried(m, sender) && receive_some(m, receiver, sender))
      return true;
  return receive(m, receiver, -1, 0);
}

static bool search_from(struct search *s, const uint8_t *holds, int round)
{
  if (!can_end(s, holds, round))
    return false;
  if (round == s->found.rounds)
    return true;
  const uint64_t key = key_of(s, holds, round);
  if (has_failed(&s->failures, key))
    return false;
  struct making making = {.search = s, .round = round};
  memcpy(making.before, holds, sizeof making.before);
  memcpy(making.after, holds, sizeof making.after);
  memset(s->found.from[round], -1, sizeof s->found.from[round]);
  if (make_from(&making, 1))
    return true;
  remember(s, key);
  return false;
}

/* ---- sizes of rounds ---- */

static bool try_sizes(struct search *s)
{
  uint8_t holds[RANKS] = {(uint8_t)s->all};
  s->left[s->found.rounds] = 0;
  for (int round = s->found.rounds; round-- > 0;)
    s->left[round] = s->left[round + 1] + s->found.sizes[round];
  for (size_t i = 0; i < s->failures.room; i++)
    s->failures.keys[i] = 0;
  s->failures.count = 0;
  return search_from(s, holds, 0);
}

/* All ways to make a volume of rounds of at least one block, and at most all. */
static bool cut(struct search *s, int round, int volume)
{
  const int after = s->found.rounds - round - 1;
  if (after < 0)
    return volume == 0 && try_sizes(s);
  for (int size = 1; size <= s->blocks && size <= volume - after; size++) {
    s->found.sizes[round] = size;
    if (cut(s, round + 1, volume - size))
      return true;
  }
  return false;
}

static tutti_status find_of_bcast(int ranks, int blocks, uint64_t limit, tutti_optima *optima, tutti_error *error)
{
  const int few = ceil_log2(ranks), least = blocks - 1 + few;
  int order[TUTTI_OPTIMUM_BLOCKS] = {0, 1, 2, 3, 4};
  struct search *s = calloc(1, sizeof *s);
  if (!s)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a search");
  *s = (struct search){.ranks = ranks, .blocks = blocks, .all = (1 << blocks) - 1, .limit = limit};
  make_orders(s, order, 0);
  int volume = blocks * few + 1;
  for (int rounds = few; rounds <= least && volume > least; rounds++)
    for (int try = least > rounds ? least : rounds; try < volume; try++) {
      s->found = (tutti_optimum){.ranks = ranks, .blocks = blocks, .rounds = rounds, .volume = try};
      if (cut(s, 0, try)) {
        optima->items[optima->count++] = s->found;
        volume = try;
      }
    }
  optima->states = s->states;
  optima->proven = s->states <= limit;
  const bool out_of_memory = s->out_of_memory;
  free(s->failures.keys);
  free(s);
  return out_of_memory ? tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a search") : TUTTI_OK;
}

tutti_optima_kind tutti_optima_kind_of(tutti_collective collective)
{
  switch (collective) {
  case TUTTI_COLL_BCAST:
  case TUTTI_COLL_REDUCE:
  case TUTTI_COLL_ALLREDUCE:
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return TUTTI_OPTIMA_SEARCHED;
  case TUTTI_COLL_SCAN:
  case TUTTI_COLL_EXSCAN:
  case TUTTI_COLL_COUNT:
    return TUTTI_OPTIMA_UNKNOWN;
  default:
    return TUTTI_OPTIMA_BOUNDED;
  }
}

tutti_status tutti_optima_find(tutti_collective collective, int ranks, int blocks, uint64_t limit, tutti_optima *optima,
                               tutti_error *error)
{
  const char *name = tutti_collective_name(collective);
  *optima = (tutti_optima){.count = 0};
  if (ranks < 2 || ranks > RANKS || blocks < 1 || blocks > TUTTI_OPTIMUM_BLOCKS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "optima are searched for 2 to %d ranks and 1 to %d blocks, not %d and %d", RANKS,
                      TUTTI_OPTIMUM_BLOCKS, ranks, blocks);
  switch (collective) {
  case TUTTI_COLL_BCAST:
  case TUTTI_COLL_REDUCE:
    return find_of_bcast(ranks, blocks, limit, optima, error);
  case TUTTI_COLL_ALLREDUCE:
    if (ranks > TUTTI_OPTIMUM_ALLREDUCE_RANKS && blocks > 1)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "optima of an allreduce are searched for 2 to %d ranks, or one block, not %d ranks and %d "
                        "blocks",
                        TUTTI_OPTIMUM_ALLREDUCE_RANKS, ranks, blocks);
    return tutti_allreduce_optima_find(ranks, blocks, limit, optima, error);
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    tutti_alltoall_optima_find(ranks, blocks, optima);
    return TUTTI_OK;
  default:
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "optima of %s are not searched", name ? name : "this");
  }
}
