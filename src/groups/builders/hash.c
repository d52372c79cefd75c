/* Shrink-and-Hash without fillers (Langer, Venkataraman, Kale 2012, section VI): count the members of every subtree on
   the way up, split the range of ranks on the way down, and let every member find its neighbors, whose ranks it knows,
   through intermediaries (directory.h). O(log n) time, O(k) memory.

       up:    members below, one number for each color          down: ranks of the subtree begin here

                 3                                                     0..2
               /   \                                                  /    \
              1     2    (two holes)                              -, 0..0   1, 1..2

   With several colors each message carries a number for each, and as many groups are built at once (the
   MPI_Comm_split-like form of the slides). */
#include "groups/directory.h"
#include "groups/group_protocol.h"

#include <string.h>

struct hash {
  struct group_protocol protocol;
  struct directory directory;
  int awaited;
  int *members; /* [children + 1][colors] in the subtree of each child, and in all; freed on the way down */
};

static struct hash *hash_of(struct group_protocol *c)
{
  return (struct hash *)c;
}

static size_t members_bytes(const struct group_protocol *c)
{
  return ((size_t)c->request.tree->child_count + 1) * (size_t)c->request.colors * sizeof(int);
}

/* Members of the subtree of child i; the own subtree comes after those of all children. */
static int *members_of(struct group_protocol *c, int child)
{
  return hash_of(c)->members + (size_t)child * (size_t)c->request.colors;
}

static void drop_members(struct group_protocol *c)
{
  tutti_counted_free(&c->actor.memory, hash_of(c)->members, members_bytes(c));
  hash_of(c)->members = NULL;
}

/* ---- downward: [colors] members of each group, then [colors] first ranks ---- */

static void take_rank(struct group_protocol *c, const int *totals, int rank)
{
  struct seeker *seeker = &hash_of(c)->directory.seeker;
  for (int g = 0; g < c->request.colors; g++) {
    seeker->everyone += totals[g];
    seeker->offset += g < c->request.color ? totals[g] : 0;
  }
  c->size = totals[c->request.color];
  c->rank = rank;
  tutti_directory_seek(c, &hash_of(c)->directory, c->size, c->rank);
}

static bool any_member(const int *members, int colors)
{
  for (int g = 0; g < colors; g++)
    if (members[g] > 0)
      return true;
  return false;
}

/* words: totals and first ranks; those of the own subtree are used up. */
static void share_out(struct group_protocol *c, int *words)
{
  const tutti_tree *tree = c->request.tree;
  int colors = c->request.colors, *first = words + colors;
  int own = tutti_group_protocol_is_member(c) ? first[c->request.color]++ : -1;
  for (int i = 0; i < tree->child_count; i++) {
    const int *members = members_of(c, i);
    if (any_member(members, colors))
      group_protocol_send(c, tutti_tree_child(tree, i), TUTTI_MESSAGE_DOWNWARD, words, 2 * colors);
    for (int g = 0; g < colors; g++)
      first[g] += members[g];
  }
  drop_members(c);
  if (own >= 0)
    take_rank(c, words, own);
}

static void pass_down(struct group_protocol *c, const int *words)
{
  tutti_int_vector copy = {0};
  if (group_protocol_append(c, &copy, words, 2 * c->request.colors))
    share_out(c, copy.items);
  tutti_int_vector_free(&c->actor.memory, &copy);
}

static void root_has(struct group_protocol *c, const int *totals)
{
  int colors = c->request.colors, groups = 0, everyone = 0;
  tutti_int_vector words = {0};
  for (int g = 0; g < colors; g++) {
    groups += totals[g] > 0;
    everyone += totals[g];
  }
  bool good = tutti_int_vector_append(&c->actor.memory, &words, totals, colors);
  for (int g = 0; g < colors && good; g++)
    good = tutti_int_vector_add(&c->actor.memory, &words, 0);
  tutti_group_protocol_expect(c, groups, everyone);
  if (tutti_actor_need(&c->actor, good) && groups > 0)
    share_out(c, words.items);
  tutti_int_vector_free(&c->actor.memory, &words);
}

/* ---- upward: [colors] members of the subtree ---- */

static void pass_up(struct group_protocol *c)
{
  int children = c->request.tree->child_count, colors = c->request.colors;
  int *own = members_of(c, children);
  memset(own, 0, (size_t)colors * sizeof *own);
  if (tutti_group_protocol_is_member(c))
    own[c->request.color]++;
  for (int i = 0; i < children; i++)
    for (int g = 0; g < colors; g++)
      own[g] += members_of(c, i)[g];
  if (c->request.tree->parent < 0)
    root_has(c, own);
  else
    group_protocol_send(c, c->request.tree->parent, TUTTI_MESSAGE_UPWARD, own, colors);
}

static void start_hash(struct group_protocol *c)
{
  struct hash *self = hash_of(c);
  self->members = tutti_counted_alloc(&c->actor.memory, members_bytes(c));
  self->awaited = c->request.tree->child_count;
  if (tutti_actor_need(&c->actor, self->members) && self->awaited == 0)
    pass_up(c);
}

static void receive(struct group_protocol *c, const tutti_message *message)
{
  struct hash *self = hash_of(c);
  if (message->kind == TUTTI_MESSAGE_HASH || message->kind == TUTTI_MESSAGE_LOOKUP) {
    tutti_directory_receive(c, &self->directory, message);
  } else if (message->kind == TUTTI_MESSAGE_DOWNWARD) {
    pass_down(c, message->words);
  } else {
    int *members = members_of(c, tutti_group_protocol_child_index(c, message->from));
    memcpy(members, message->words, (size_t)c->request.colors * sizeof *members);
    if (--self->awaited == 0)
      pass_up(c);
  }
}

static void release(struct group_protocol *c)
{
  drop_members(c);
  tutti_directory_free(c, &hash_of(c)->directory);
}

static struct directory *directory_of(struct group_protocol *c)
{
  return &hash_of(c)->directory;
}

const tutti_group_builder tutti_hash_none = {.protocol = GROUP_PROTOCOL("shrink-hash/no-filler", struct hash),
                                             .hashes = true,
                                             .directory = directory_of,
                                             .begin = start_hash,
                                             .receive = receive,
                                             .free = release};
