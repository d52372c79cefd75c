/* Centralized (Langer, Venkataraman, Kale 2012, section IV): gather the ids of all members up the original tree, and
   split the roster on the way down the new one. O(m + log n) time, O(m) memory.

       up:    each process sends the ids of the members of its subtree, its own first
       down:  [5 9 2 7 8 1 4] arrives at 5, which keeps [9 2] [7 8] [1 4] for its children 9, 7 and 1 (k = 3)

   Messages: n - 1 up and m - 1 down, and one more if the root of the original tree is not a member. */
#include "groups/group_protocol.h"

struct centralized {
  struct group_protocol protocol;
  int awaited;               /* children that have not sent their part of the roster */
  tutti_int_vector *rosters; /* [children] by child; freed when sent on */
};

static struct centralized *centralized_of(struct group_protocol *c)
{
  return (struct centralized *)c;
}

static size_t rosters_bytes(const struct group_protocol *c)
{
  return (size_t)c->request.tree->child_count * sizeof(tutti_int_vector);
}

static void drop_rosters(struct group_protocol *c)
{
  struct centralized *self = centralized_of(c);
  for (int i = 0; self->rosters && i < c->request.tree->child_count; i++)
    tutti_int_vector_free(&c->actor.memory, &self->rosters[i]);
  tutti_counted_free(&c->actor.memory, self->rosters, rosters_bytes(c));
  self->rosters = NULL;
}

/* ---- downward ---- */

enum { DOWN_SIZE, DOWN_RANK, DOWN_PARENT, DOWN_IS_SHARED_OUT, DOWN_ROSTER };

static void send_down(struct group_protocol *c, int to, const int *head, const int *roster, int count)
{
  tutti_int_vector words = {0};
  if (tutti_actor_need(&c->actor, tutti_int_vector_append(&c->actor.memory, &words, head, DOWN_ROSTER) &&
                                      tutti_int_vector_append(&c->actor.memory, &words, roster, count)))
    group_protocol_send(c, to, TUTTI_MESSAGE_DOWNWARD, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
}

/* The descendants of `parent`, which has that rank, to its children, each with its part of the others. */
static void share_out(struct group_protocol *c, int size, int parent, int rank, const int *roster, int count)
{
  int k = c->request.branching;
  for (int i = 0; i < k && i < count; i++) {
    int part = count / k + (i < count % k);
    int head[DOWN_ROSTER] = {size, ++rank, parent, false};
    send_down(c, roster[0], head, roster, part);
    roster += part;
    rank += part - 1;
  }
}

/* roster[count] are the descendants of a vertex: the first of every part is a child. */
static bool list_children(struct group_protocol *c, const int *roster, int count, tutti_int_vector *children)
{
  int k = c->request.branching;
  bool good = true;
  for (int i = 0; good && i < k && i < count; i++) {
    good = tutti_int_vector_add(&c->actor.memory, children, *roster);
    roster += count / k + (i < count % k);
  }
  return good;
}

/* roster[0] is this process; the others are its descendants. */
static void set_position(struct group_protocol *c, int size, int rank, const int *roster, int count)
{
  c->size = size;
  c->rank = rank;
  if (!tutti_actor_need(&c->actor, list_children(c, roster + 1, count - 1, &c->children)))
    return;
  share_out(c, size, c->actor.id, rank, roster + 1, count - 1);
  tutti_group_protocol_stands(c);
}

/* The new root receives its children only, and they receive their parts from here: else all would be sent twice. */
static void hand_over(struct group_protocol *c, const tutti_int_vector *roster)
{
  tutti_int_vector children = {0};
  int root = roster->items[0], head[DOWN_ROSTER] = {roster->count, 0, TUTTI_NO_PROCESS, true};
  if (tutti_actor_need(&c->actor, list_children(c, roster->items + 1, roster->count - 1, &children)))
    send_down(c, root, head, children.items, children.count);
  tutti_int_vector_free(&c->actor.memory, &children);
  share_out(c, roster->count, root, 0, roster->items + 1, roster->count - 1);
}

static void receive_place(struct group_protocol *c, const tutti_message *message)
{
  const int *words = message->words;
  int count = message->count - DOWN_ROSTER;
  c->parent = words[DOWN_PARENT];
  if (!words[DOWN_IS_SHARED_OUT]) {
    set_position(c, words[DOWN_SIZE], words[DOWN_RANK], words + DOWN_ROSTER, count);
    return;
  }
  c->size = words[DOWN_SIZE];
  c->rank = words[DOWN_RANK];
  if (group_protocol_append(c, &c->children, words + DOWN_ROSTER, count))
    tutti_group_protocol_stands(c);
}

static void root_has(struct group_protocol *c, const tutti_int_vector *roster)
{
  tutti_group_protocol_expect(c, roster->count > 0, 0);
  if (roster->count == 0)
    return;
  if (roster->items[0] == c->actor.id)
    set_position(c, roster->count, 0, roster->items, roster->count);
  else
    hand_over(c, roster);
}

/* ---- upward ---- */

static bool join_rosters(struct group_protocol *c, tutti_int_vector *roster)
{
  tutti_counted_memory *memory = &c->actor.memory;
  bool good = !tutti_group_protocol_is_member(c) || tutti_int_vector_add(memory, roster, c->actor.id);
  for (int i = 0; good && i < c->request.tree->child_count; i++) {
    const tutti_int_vector *part = &centralized_of(c)->rosters[i];
    good = tutti_int_vector_append(memory, roster, part->items, part->count);
  }
  drop_rosters(c);
  return good;
}

static void pass_up(struct group_protocol *c)
{
  tutti_int_vector roster = {0};
  if (tutti_actor_need(&c->actor, join_rosters(c, &roster))) {
    if (c->request.tree->parent < 0)
      root_has(c, &roster);
    else
      group_protocol_send(c, c->request.tree->parent, TUTTI_MESSAGE_UPWARD, roster.items, roster.count);
  }
  tutti_int_vector_free(&c->actor.memory, &roster);
}

static void start_centralized(struct group_protocol *c)
{
  struct centralized *self = centralized_of(c);
  self->awaited = c->request.tree->child_count;
  if (self->awaited > 0) {
    self->rosters = tutti_counted_alloc(&c->actor.memory, rosters_bytes(c));
    if (!tutti_actor_need(&c->actor, self->rosters))
      return;
    for (int i = 0; i < self->awaited; i++)
      self->rosters[i] = (tutti_int_vector){0};
  } else {
    pass_up(c);
  }
}

static void receive(struct group_protocol *c, const tutti_message *message)
{
  struct centralized *self = centralized_of(c);
  if (message->kind == TUTTI_MESSAGE_DOWNWARD) {
    receive_place(c, message);
    return;
  }
  tutti_int_vector *part = &self->rosters[tutti_group_protocol_child_index(c, message->from)];
  if (group_protocol_append(c, part, message->words, message->count) && --self->awaited == 0)
    pass_up(c);
}

const tutti_group_builder tutti_centralized = {.protocol = GROUP_PROTOCOL("centralized", struct centralized),
                                               .begin = start_centralized,
                                               .receive = receive,
                                               .free = drop_rosters};
