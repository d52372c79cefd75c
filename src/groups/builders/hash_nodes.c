/* Shrink-and-Hash for nodes with several processes each: the topology-aware form that Langer, Venkataraman and Kale
   (2012, section IX) name as future work. The first process of a node, its leader, gathers its members; one message
   leaves a node for all of them. A balanced tree is built among the nodes that have members, through intermediaries
   (directory.h), which are leaders; in each of these nodes the first member is the root of a balanced tree of the
   node's own.

       leaders:   0     4     8    12          k-ary tree of nodes; the other processes are children of their leader
       members:   1 2   5   8 9 11             first members 1, 5, 8: the tree among nodes; 2 below 1, 9 and 11 below 8

   A member has at most k children in other nodes, which come first, and k in its own. */
#include "groups/directory.h"
#include "groups/group_protocol.h"

struct nodes {
  struct group_protocol protocol;
  struct directory directory;
  tutti_tree tree; /* of leaders, with the processes of each node below them; its children are `below` */
  tutti_int_vector below;
  int awaited;
  tutti_int_vector *parts; /* [children] what each has sent; NULL once passed on */
};

enum { UP_NODES, UP_MEMBERS, UP_WORDS };
enum { DOWN_NODES, DOWN_SIZE, DOWN_NODE, DOWN_RANK, DOWN_WORDS };
enum { LEADER, FIRST_MEMBER, OTHER_MEMBER }; /* whom a downward message is for */
enum { OTHER_SIZE = 1, OTHER_RANK, OTHER_PARENT, OTHER_CHILDREN };

static struct nodes *nodes_of(struct group_protocol *c)
{
  return (struct nodes *)c;
}

static int leader_of(const struct group_protocol *c, int id)
{
  return id - id % c->request.ranks_per_node;
}

/* ---- the tree to begin with ---- */

static bool add_leaders(struct group_protocol *c, int node, int nodes)
{
  struct tree_place place = tutti_place_by_level(nodes, c->request.branching, node);
  bool good = true;
  for (int i = 0; i < place.child_count && good; i++)
    good = tutti_int_vector_add(&c->actor.memory, &nodes_of(c)->below,
                                tutti_place_child(&place, i) * c->request.ranks_per_node);
  return good;
}

static bool add_node(struct group_protocol *c, int size)
{
  int left = size - c->actor.id, per_node = c->request.ranks_per_node;
  int end = c->actor.id + (left < per_node ? left : per_node);
  bool good = true;
  for (int id = c->actor.id + 1; id < end && good; id++)
    good = tutti_int_vector_add(&c->actor.memory, &nodes_of(c)->below, id);
  return good;
}

static bool prepare(struct group_protocol *c)
{
  struct nodes *self = nodes_of(c);
  int id = c->actor.id, size = c->request.tree->size, per_node = c->request.ranks_per_node;
  int leader = leader_of(c, id), node = id / per_node, nodes = (size - 1) / per_node + 1;
  int parent = leader;
  if (id == leader) {
    struct tree_place place = tutti_place_by_level(nodes, c->request.branching, node);
    parent = place.parent < 0 ? TUTTI_NO_PROCESS : place.parent * per_node;
    if (!add_leaders(c, node, nodes) || !add_node(c, size))
      return false;
  }
  tutti_tree_init_explicit(&self->tree, size, 0, id, parent, self->below.items, self->below.count);
  c->request.tree = &self->tree;
  self->directory.stride = per_node;
  return true;
}

/* ---- downward, in a node ---- */

/* members[count]: of this node, the first one first. */
static void place_others(struct group_protocol *c, const int *members, int count)
{
  tutti_counted_memory *memory = &c->actor.memory;
  int k = c->request.branching;
  for (int m = 1; m < count; m++) {
    struct tree_place place = tutti_place_by_level(count, k, m);
    int head[OTHER_CHILDREN] = {OTHER_MEMBER, c->size, c->rank + m, members[place.parent]};
    tutti_int_vector words = {0};
    tutti_actor_need(&c->actor,
                     tutti_int_vector_append(memory, &words, head, OTHER_CHILDREN) &&
                         tutti_int_vector_append(memory, &words, members + place.first_child, place.child_count));
    group_protocol_send(c, members[m], TUTTI_MESSAGE_DOWNWARD, words.items, words.count);
    tutti_int_vector_free(memory, &words);
  }
}

/* This process is the first member of its node. */
static void join_as_first(struct group_protocol *c, const int *down, const int *members, int count)
{
  struct nodes *self = nodes_of(c);
  int below = count - 1 < c->request.branching ? count - 1 : c->request.branching;
  c->size = down[DOWN_SIZE];
  c->rank = down[DOWN_RANK];
  self->directory.seeker.everyone = down[DOWN_NODES];
  place_others(c, members, count);
  group_protocol_append(c, &c->children, members + 1, below);
  tutti_directory_seek(c, &self->directory, down[DOWN_NODES], down[DOWN_NODE]);
}

static void join_as_other(struct group_protocol *c, const int *words, int count)
{
  c->size = words[OTHER_SIZE];
  c->rank = words[OTHER_RANK];
  c->parent = words[OTHER_PARENT];
  group_protocol_append(c, &c->children, words + OTHER_CHILDREN, count - OTHER_CHILDREN);
  tutti_group_protocol_stands(c);
}

/* ---- downward, among leaders ---- */

static bool is_of_node(const struct group_protocol *c, int id)
{
  return leader_of(c, id) == c->actor.id;
}

static void drop_parts(struct group_protocol *c)
{
  struct nodes *self = nodes_of(c);
  for (int i = 0; self->parts && i < self->tree.child_count; i++)
    tutti_int_vector_free(&c->actor.memory, &self->parts[i]);
  tutti_counted_free(&c->actor.memory, self->parts, (size_t)self->tree.child_count * sizeof *self->parts);
  self->parts = NULL;
}

/* Members of the own node, the leader first. */
static bool list_members(struct group_protocol *c, tutti_int_vector *members)
{
  struct nodes *self = nodes_of(c);
  bool good = !tutti_group_protocol_is_member(c) || tutti_int_vector_add(&c->actor.memory, members, c->actor.id);
  for (int i = 0; i < self->below.count && good; i++)
    if (is_of_node(c, self->below.items[i]) && self->parts[i].items[UP_MEMBERS] > 0)
      good = tutti_int_vector_add(&c->actor.memory, members, self->below.items[i]);
  return good;
}

static void send_down(struct group_protocol *c, int to, int whom, const int *down, const tutti_int_vector *members)
{
  tutti_int_vector words = {0};
  if (tutti_actor_need(&c->actor,
                       tutti_int_vector_add(&c->actor.memory, &words, whom) &&
                           tutti_int_vector_append(&c->actor.memory, &words, down, DOWN_WORDS) &&
                           tutti_int_vector_append(&c->actor.memory, &words, members->items, members->count)))
    group_protocol_send(c, to, TUTTI_MESSAGE_DOWNWARD, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
}

/* The first ranks of the subtree, of nodes and of members, go to the own node; then to the leaders below. */
static void share_out(struct group_protocol *c, const int *given)
{
  struct nodes *self = nodes_of(c);
  tutti_int_vector members = {0}, none = {0};
  if (!tutti_actor_need(&c->actor, list_members(c, &members))) {
    tutti_int_vector_free(&c->actor.memory, &members);
    return;
  }
  int down[DOWN_WORDS] = {given[DOWN_NODES], given[DOWN_SIZE], given[DOWN_NODE] + (members.count > 0),
                          given[DOWN_RANK] + members.count};
  for (int i = 0; i < self->below.count; i++) {
    const int *part = self->parts[i].items;
    if (is_of_node(c, self->below.items[i]) || part[UP_MEMBERS] == 0)
      continue;
    send_down(c, self->below.items[i], LEADER, down, &none);
    down[DOWN_NODE] += part[UP_NODES];
    down[DOWN_RANK] += part[UP_MEMBERS];
  }
  drop_parts(c);
  if (members.count > 0 && members.items[0] == c->actor.id)
    join_as_first(c, given, members.items, members.count);
  else if (members.count > 0)
    send_down(c, members.items[0], FIRST_MEMBER, given, &members);
  tutti_int_vector_free(&c->actor.memory, &members);
}

/* ---- upward ---- */

static void pass_up(struct group_protocol *c)
{
  struct nodes *self = nodes_of(c);
  bool own_node = tutti_group_protocol_is_member(c);
  int up[UP_WORDS] = {0, own_node};
  for (int i = 0; i < self->tree.child_count; i++) {
    const int *part = self->parts[i].items;
    bool inside = is_of_node(c, self->below.items[i]);
    own_node = own_node || (inside && part[UP_MEMBERS] > 0);
    up[UP_NODES] += inside ? 0 : part[UP_NODES];
    up[UP_MEMBERS] += part[UP_MEMBERS];
  }
  up[UP_NODES] += own_node;
  if (self->tree.parent >= 0) {
    group_protocol_send(c, self->tree.parent, TUTTI_MESSAGE_UPWARD, up, UP_WORDS);
    return;
  }
  int down[DOWN_WORDS] = {up[UP_NODES], up[UP_MEMBERS], 0, 0};
  tutti_group_protocol_expect(c, up[UP_MEMBERS] > 0, up[UP_NODES]);
  if (up[UP_MEMBERS] > 0)
    share_out(c, down);
}

static void start_hash_nodes(struct group_protocol *c)
{
  struct nodes *self = nodes_of(c);
  self->awaited = self->tree.child_count;
  if (self->awaited == 0) {
    pass_up(c);
    return;
  }
  self->parts = tutti_counted_alloc(&c->actor.memory, (size_t)self->awaited * sizeof *self->parts);
  for (int i = 0; tutti_actor_need(&c->actor, self->parts) && i < self->awaited; i++)
    self->parts[i] = (tutti_int_vector){0};
}

/* ---- messages ---- */

static void receive_down(struct group_protocol *c, const int *words, int count)
{
  const int *down = words + 1, *members = down + DOWN_WORDS;
  if (words[0] == OTHER_MEMBER)
    join_as_other(c, words, count);
  else if (words[0] == FIRST_MEMBER)
    join_as_first(c, down, members, count - 1 - DOWN_WORDS);
  else
    share_out(c, down);
}

static void receive(struct group_protocol *c, const tutti_message *message)
{
  struct nodes *self = nodes_of(c);
  if (message->kind == TUTTI_MESSAGE_HASH || message->kind == TUTTI_MESSAGE_LOOKUP) {
    tutti_directory_receive(c, &self->directory, message);
  } else if (message->kind == TUTTI_MESSAGE_DOWNWARD) {
    receive_down(c, message->words, message->count);
  } else {
    tutti_int_vector *part = &self->parts[tutti_group_protocol_child_index(c, message->from)];
    if (group_protocol_append(c, part, message->words, UP_WORDS) && --self->awaited == 0)
      pass_up(c);
  }
}

static void release(struct group_protocol *c)
{
  drop_parts(c);
  tutti_int_vector_free(&c->actor.memory, &nodes_of(c)->below);
  tutti_directory_free(c, &nodes_of(c)->directory);
}

static struct directory *directory_of(struct group_protocol *c)
{
  return &nodes_of(c)->directory;
}

/* Ranks cannot be looked up: intermediaries know nodes. */
const tutti_group_builder tutti_hash_nodes = {.protocol = GROUP_PROTOCOL("shrink-hash/nodes", struct nodes),
                                              .directory = directory_of,
                                              .prepare = prepare,
                                              .begin = start_hash_nodes,
                                              .receive = receive,
                                              .free = release};
