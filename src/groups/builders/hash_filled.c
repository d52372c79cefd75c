/* Shrink-and-Hash with fillers (Langer, Venkataraman, Kale 2012, section VI): the upward pass leaves a tree of members
   (shrink.h); ranks are given down this tree, every subtree a range of them; neighbors in the balanced tree are found
   through intermediaries (directory.h). */
#include "groups/directory.h"
#include "groups/group_protocol.h"
#include "groups/shrink.h"

struct filled {
  struct group_protocol protocol;
  struct shrink shrink;
  struct directory directory;
  bool ranked;
};

static struct filled *filled_of(struct group_protocol *c)
{
  return (struct filled *)c;
}

enum { LEAF = 1 };
enum { DOWN_SIZE, DOWN_RANK, DOWN_RELOCATIONS, DOWN_USED };

static void pass_down(struct group_protocol *c)
{
  tutti_counted_memory *memory = &c->actor.memory;
  struct forest *below = &filled_of(c)->shrink.below;
  int rank = c->rank + 1;
  for (int i = 0; i < below->count; i++) {
    const struct subtree *tree = &below->trees[i];
    tutti_int_vector words = {0};
    int head[DOWN_USED] = {c->size, rank, tree->relocations};
    tutti_actor_need(&c->actor, tutti_int_vector_append(memory, &words, head, DOWN_USED) &&
                                    tutti_int_vector_append(memory, &words, tree->used.items, tree->used.count));
    group_protocol_send(c, tree->id, TUTTI_MESSAGE_DOWNWARD, words.items, words.count);
    tutti_int_vector_free(memory, &words);
    rank += tree->size;
  }
  tutti_forest_free(c, below);
}

static void advance(struct group_protocol *c)
{
  struct filled *self = filled_of(c);
  if (c->actor.status != TUTTI_OK)
    return;
  if (self->shrink.is_root && c->rank < 0) {
    c->rank = 0;
    c->size = self->shrink.group_size;
  }
  if (c->rank < 0 || self->ranked || !tutti_shrink_is_ready(c, &self->shrink))
    return;
  self->ranked = true;
  self->directory.seeker.everyone = c->size;
  pass_down(c);
  tutti_directory_seek(c, &self->directory, c->size, c->rank);
}

static void start_hash_filled(struct group_protocol *c)
{
  tutti_shrink_begin(c, &filled_of(c)->shrink, c->request.builder->variant == LEAF);
  advance(c);
}

static void receive(struct group_protocol *c, const tutti_message *message)
{
  struct filled *self = filled_of(c);
  if (message->kind == TUTTI_MESSAGE_HASH || message->kind == TUTTI_MESSAGE_LOOKUP) {
    tutti_directory_receive(c, &self->directory, message);
    return;
  }
  if (message->kind == TUTTI_MESSAGE_DOWNWARD) {
    c->size = message->words[DOWN_SIZE];
    c->rank = message->words[DOWN_RANK];
    tutti_shrink_told(c, &self->shrink, message->words[DOWN_RELOCATIONS], message->words + DOWN_USED,
                      message->count - DOWN_USED);
  } else {
    tutti_shrink_receive(c, &self->shrink, message);
  }
  advance(c);
}

static void release(struct group_protocol *c)
{
  tutti_shrink_free(c, &filled_of(c)->shrink);
  tutti_directory_free(c, &filled_of(c)->directory);
}

static struct directory *directory_of(struct group_protocol *c)
{
  return &filled_of(c)->directory;
}

#define FILLED(name_, variant_)                                                                                        \
  {                                                                                                                    \
    .protocol = GROUP_PROTOCOL(name_, struct filled), .variant = (variant_), .hashes = true,                           \
    .directory = directory_of, .begin = start_hash_filled, .receive = receive, .free = release                         \
  }

const tutti_group_builder tutti_hash_child = FILLED("shrink-hash/child-as-filler", 0);
const tutti_group_builder tutti_hash_leaf = FILLED("shrink-hash/leaf-as-filler", LEAF);
