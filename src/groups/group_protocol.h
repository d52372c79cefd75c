/* Common parts of the builders of groups: beginning, reduction over the new tree, end. Private to src/groups. */
#ifndef TUTTI_GROUPS_GROUP_PROTOCOL_H
#define TUTTI_GROUPS_GROUP_PROTOCOL_H

#include "tutti/group_run.h"

/* The state of every construction begins with this; builders append their own. */
struct group_protocol {
  tutti_actor actor;
  tutti_group_request request;
  int depth;    /* of this process in the original tree, whose root has 0 */
  int root;     /* process id of that root */
  int position; /* in the preorder of the original tree; only if request.sizes */
  int total;    /* processes of the original tree */

  int groups_awaited; /* at the root of the original tree: groups that are not complete; -1: number not known yet */
  int groups_standing;
  int entrants; /* there, too: ranks that enter themselves with intermediaries */

  bool busy;     /* messages are still due here that no other step waits for: the end waits for them */
  bool finished; /* the end has been made known */

  bool standing; /* parent and children are final, and nothing is owed to anyone but the reduction */
  bool reduced;
  bool complete;
  int critical_path; /* messages, once complete */
  int size, rank, parent;
  tutti_int_vector children;
  tutti_int_vector reports; /* five words for each child that has reported: its id, then what its subtree has */
  tutti_int_vector sizes;   /* in the order of children, once all have reported */
  int height, degree;
};

struct tutti_group_builder {
  tutti_protocol protocol; /* its name is that of the builder */
  int variant;             /* for the builder itself */
  bool hashes;
  struct directory *(*directory)(struct group_protocol *protocol); /* NULL: no intermediaries */
  bool whole_only;                                  /* needs the parent group to be the k-ary tree of all processes */
  bool (*prepare)(struct group_protocol *protocol); /* or NULL: when created; false: out of memory */
  void (*begin)(struct group_protocol *protocol);
  void (*receive)(struct group_protocol *protocol, const tutti_message *message);
  void (*free)(struct group_protocol *protocol);
};

static inline struct group_protocol *group_protocol_of(tutti_actor *actor)
{
  return (struct group_protocol *)actor;
}

/* Index of the child with process id `id` in the original tree. */
int tutti_group_protocol_child_index(const struct group_protocol *protocol, int id);

static inline bool tutti_group_protocol_is_member(const struct group_protocol *protocol)
{
  return protocol->request.color >= 0;
}

/* For the root of the original tree: how many groups there will be, and how many ranks of them will enter themselves
   with intermediaries (directory.h). */
void tutti_group_protocol_expect(struct group_protocol *protocol, int groups, int entrants);

/* This process is in its place in the new tree: parent, children, size and rank are set. */
void tutti_group_protocol_stands(struct group_protocol *protocol);

/* No message is due here any more; only for processes that were busy. */
void tutti_group_protocol_idle(struct group_protocol *protocol);

static inline void group_protocol_send(struct group_protocol *protocol, int to, tutti_message_kind kind,
                                       const int *words, int count)
{
  tutti_actor_send(&protocol->actor, to, kind, words, count);
}

/* Append to words of this process; false, and it has failed, without memory. */
static inline bool group_protocol_append(struct group_protocol *protocol, tutti_int_vector *words, const int *items,
                                         int count)
{
  tutti_actor *actor = &protocol->actor;
  return tutti_actor_need(actor, tutti_int_vector_append(&actor->memory, words, items, count));
}

static inline bool group_protocol_add(struct group_protocol *protocol, tutti_int_vector *words, int item)
{
  return group_protocol_append(protocol, words, &item, 1);
}

/* Parts of the three functions of every builder's protocol. */
void tutti_group_protocol_start(tutti_actor *actor);
void tutti_group_protocol_receive(tutti_actor *actor, const tutti_message *message);
void tutti_group_protocol_free(tutti_actor *actor);

#define GROUP_PROTOCOL(name_, type_)                                                                                   \
  {                                                                                                                    \
    .name = (name_), .size = sizeof(type_), .start = tutti_group_protocol_start,                                       \
    .receive = tutti_group_protocol_receive, .free = tutti_group_protocol_free                                         \
  }

/* ---- the builders of groups ---- */

extern const tutti_group_builder tutti_centralized;
extern const tutti_group_builder tutti_balance_child, tutti_balance_leaf;
extern const tutti_group_builder tutti_hash_none, tutti_hash_child, tutti_hash_leaf;
extern const tutti_group_builder tutti_chain;

/* Shrink-and-Hash for processes with several ranks a node; not chosen by name, but by request.ranks_per_node. */
extern const tutti_group_builder tutti_hash_nodes;

#endif
