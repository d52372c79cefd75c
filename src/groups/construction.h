/* What the builders of groups share: beginning, reduction over the new tree, end. Private to src/groups. */
#ifndef TUTTI_GROUPS_CONSTRUCTION_H
#define TUTTI_GROUPS_CONSTRUCTION_H

#include "tutti/construction.h"

/* The state of every construction begins with this; builders add their own behind it. */
struct construction {
  tutti_actor actor;
  tutti_group_request request;
  int depth;    /* of this process in the original tree, whose root has 0 */
  int root;     /* process id of that root */
  int position; /* in the preorder of the original tree; only if enrolment.sizes */
  int total;    /* processes of the original tree */

  int groups_awaited; /* at the root of the original tree: groups that do not stand yet; -1: number not known yet */
  int groups_standing;
  int entrants; /* there, too: ranks that enter themselves with intermediaries */

  bool busy;     /* messages are still due here that nobody waits for: the end waits for them */
  bool finished; /* the end has been made known */

  bool standing; /* parent and children are final, and nothing is owed to anyone but the reduction */
  bool reduced;
  bool complete;
  int critical_path; /* messages, once complete */
  int size, rank, parent;
  tutti_words children;
  tutti_words reports; /* five words for each child that has reported: its id, then what its subtree has */
  tutti_words sizes;   /* in the order of children, once all have reported */
  int height, degree;
};

struct tutti_group_builder {
  tutti_protocol protocol; /* its name is that of the builder */
  int variant;             /* for the builder itself */
  bool hashes;
  struct directory *(*directory)(struct construction *construction); /* NULL: no intermediaries */
  bool whole_only;                                    /* needs the parent group to be the k-ary tree of all processes */
  bool (*prepare)(struct construction *construction); /* or NULL: when created; false: out of memory */
  void (*begin)(struct construction *construction);
  void (*receive)(struct construction *construction, const tutti_mail *mail);
  void (*free)(struct construction *construction);
};

static inline struct construction *construction_of(tutti_actor *actor)
{
  return (struct construction *)actor;
}

/* Index of the child with process id `id` in the original tree. */
int tutti_construction_child_index(const struct construction *construction, int id);

static inline bool tutti_construction_is_member(const struct construction *construction)
{
  return construction->request.colour >= 0;
}

/* For the root of the original tree: how many groups there will be, and how many ranks of them will enter themselves
   with intermediaries (directory.h). */
void tutti_construction_expect(struct construction *construction, int groups, int entrants);

/* This process stands in the new tree: parent, children, size and rank are set. */
void tutti_construction_stands(struct construction *construction);

/* Nothing is due here any more; only for those who were busy. */
void tutti_construction_idle(struct construction *construction);

static inline void construction_send(struct construction *construction, int to, tutti_mail_kind kind, const int *words,
                                     int count)
{
  tutti_actor_send(&construction->actor, to, kind, words, count);
}

/* Parts of the three functions of every builder's protocol. */
void tutti_construction_start(tutti_actor *actor);
void tutti_construction_receive(tutti_actor *actor, const tutti_mail *mail);
void tutti_construction_free(tutti_actor *actor);

#define CONSTRUCTION_PROTOCOL(name_, type_)                                                                            \
  {                                                                                                                    \
    .name = (name_), .size = sizeof(type_), .start = tutti_construction_start, .receive = tutti_construction_receive,  \
    .free = tutti_construction_free                                                                                    \
  }

#endif
