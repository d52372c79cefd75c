/**
 * @file actor.h
 * @ingroup groups
 * An actor: the part of one process in a protocol that depends on data and cannot be written down in advance.
 *
 * An actor reacts to its start and to each message, by changing its state and sending messages. It never waits and
 * never calls MPI. A transport delivers: over MPI (group.h), or among all actors of one process (tutti_inprocess).
 * Messages are arrays of @c int, which is large enough for process ids and for all counts of processes. Messages
 * between the same two actors may overtake each other.
 *
 * Everything is counted here: messages by kind, bytes, memory, and the length of the longest chain of messages in which
 * each one was sent because of the one before.
 *
 * The transport within one process holds all actors in one address space and delivers one message at a time, in an
 * order that a seed and a policy determine. Used by adversarial tests and to count messages and memory at millions of
 * ranks.
 */
#ifndef TUTTI_ACTOR_H
#define TUTTI_ACTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/counted_memory.h"
#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The purpose of a message. The order is that of reports. */
typedef enum tutti_message_kind {
  TUTTI_MESSAGE_START,      /**< down the original tree: the construction begins */
  TUTTI_MESSAGE_UPWARD,     /**< member data, up the original tree */
  TUTTI_MESSAGE_RELOCATION, /**< from a hole to the member that fills it */
  TUTTI_MESSAGE_DOWNWARD,   /**< ranks, rosters or places, from parent to child */
  TUTTI_MESSAGE_BALANCE,    /**< requests for vertices, and vertices that change their parent */
  TUTTI_MESSAGE_HASH,       /**< to an intermediary and back */
  TUTTI_MESSAGE_SCAN,       /**< between neighbors of a chain */
  TUTTI_MESSAGE_REDUCTION,  /**< up the new tree: it is complete */
  TUTTI_MESSAGE_FINISH,     /**< the end, made known over the original tree */
  TUTTI_MESSAGE_LOOKUP,     /**< the query for the process with rank r of a finished group */
  TUTTI_MESSAGE_KINDS
} tutti_message_kind;

/** Name of a kind ("upward"); static storage. */
const char *tutti_message_kind_name(tutti_message_kind kind);

/** A message on its way. */
typedef struct tutti_message {
  int from, to;     /**< process ids */
  int topic;        /**< which protocol: constructions under way at the same time have different topics */
  int kind;         /**< tutti_message_kind */
  int depth;        /**< messages in the longest chain that ends with this one */
  int count;        /**< words */
  const int *words; /**< [count] valid during the call only */
} tutti_message;

/** Words that travel with every message besides its own: topic, kind, depth. They are part of its size. */
#define TUTTI_MESSAGE_HEADER 3

/** Bytes of a message as counted: header and words. */
static inline size_t tutti_message_bytes(int count)
{
  return ((size_t)TUTTI_MESSAGE_HEADER + (size_t)count) * sizeof(int);
}

/** Work of an actor so far. */
typedef struct tutti_tally {
  int64_t sent[TUTTI_MESSAGE_KINDS]; /**< messages by kind, those to the own process included */
  int64_t received;
  size_t bytes;   /**< of all messages sent */
  size_t largest; /**< bytes of the largest message sent */
  int depth;      /**< messages in the longest chain that led to this actor */
} tutti_tally;

/** Add @p other: sums, and maxima of @c largest and @c depth. */
void tutti_tally_add(tutti_tally *tally, const tutti_tally *other);

typedef struct tutti_actor tutti_actor;

/** Work of an actor on lists beyond moving their bytes. */
typedef enum tutti_work {
  TUTTI_WORK_ENTRY,     /**< an entry is packed into a message or taken out of one */
  TUTTI_WORK_CANDIDATE, /**< a candidate for filling a hole, that a child has offered, is gone through */
  TUTTI_WORKS
} tutti_work;

/** Takes messages and delivers them. A message to the own process must be taken, too. */
typedef struct tutti_transport {
  /** Take @p message; its words are copied or sent before the call returns. Delivers nothing before it returns. */
  tutti_status (*send)(struct tutti_transport *transport, const tutti_message *message, tutti_error *error);
  /** May be NULL. Called with an amount of work, for a transport that charges time for it. */
  void (*work)(struct tutti_transport *transport, tutti_work work, int count);
} tutti_transport;

/** The behavior of a kind of actors. */
typedef struct tutti_protocol {
  const char *name;
  size_t size;                      /**< bytes of an actor, which begin with a tutti_actor */
  void (*start)(tutti_actor *self); /**< called once, before any message is delivered */
  void (*receive)(tutti_actor *self, const tutti_message *message); /**< called for every message */
  void (*free)(tutti_actor *self); /**< frees what it holds; the heap then holds nothing */
} tutti_protocol;

/** One actor. Members are for reading except by the protocol itself. */
struct tutti_actor {
  const tutti_protocol *protocol;
  tutti_transport *transport; /**< not owned */
  int id;                     /**< of its process */
  int topic;
  bool done;                   /**< the protocol has ended here: nothing will be sent or awaited any more */
  tutti_status status;         /**< of the first failure; an actor that failed ignores everything */
  tutti_error *error;          /**< filled in at the first failure; not owned; may be NULL */
  tutti_counted_memory memory; /**< the actor itself included */
  tutti_tally tally;
};

/** A zeroed actor of @p protocol, counted on its own heap; NULL if memory is short. Start it with tutti_actor_start().
 */
tutti_actor *tutti_actor_create(const tutti_protocol *protocol, tutti_transport *transport, int id, int topic,
                                tutti_error *error);

/** Free an actor and what it holds. NULL is allowed. */
void tutti_actor_free(tutti_actor *actor);

/**
 * @name For transports
 * @{
 */
void tutti_actor_start(tutti_actor *actor);
void tutti_actor_receive(tutti_actor *actor, const tutti_message *message);
/** @} */

/**
 * @name For protocols
 * @{
 */
/** Send @p words[count]. A failure of the transport is a failure of the actor. */
void tutti_actor_send(tutti_actor *actor, int to, tutti_message_kind kind, const int *words, int count);
/** Report that @p count entries of a list (candidates, subtrees) were packed or unpacked, or @p count candidates
   examined: they cost more than their bytes where the transport charges for them (tutti_transport.work). */
void tutti_actor_work(tutti_actor *actor, tutti_work work, int count);
/** Remember the first failure. */
void tutti_actor_fail(tutti_actor *actor, tutti_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** tutti_actor_fail() with "out of memory" unless @p good. Returns @p good. */
bool tutti_actor_need(tutti_actor *actor, bool good);
/** @} */

/** In which order messages are delivered. */
typedef enum tutti_delivery {
  TUTTI_DELIVERY_FIFO,   /**< in the order sent: every message takes one unit of time */
  TUTTI_DELIVERY_LIFO,   /**< the newest first */
  TUTTI_DELIVERY_RANDOM, /**< any, by the seed */
  TUTTI_DELIVERY_STARVE  /**< random, but one process (chosen by the seed) gets its messages after all others */
} tutti_delivery;

typedef struct tutti_inprocess tutti_inprocess;

/** Room for @p size processes without actors; NULL if memory is short. */
tutti_inprocess *tutti_inprocess_create(int size, tutti_delivery delivery, uint64_t seed);

/** Free them, their actors and undelivered messages. NULL is allowed. */
void tutti_inprocess_free(tutti_inprocess *processes);

/** Whom these actors send through. */
tutti_transport *tutti_inprocess_transport(tutti_inprocess *processes);

/** The actor with id @p actor->id moves in; it is owned by @p processes from now on. */
void tutti_inprocess_settle(tutti_inprocess *processes, tutti_actor *actor);

/** The actor of process @p id, or NULL. */
tutti_actor *tutti_inprocess_actor(const tutti_inprocess *processes, int id);

/** Start all actors, then deliver until no message is left. TUTTI_ERR_FAULT if an actor is not done then; or the first
    failure of an actor. */
tutti_status tutti_inprocess_run(tutti_inprocess *processes, tutti_error *error);

/** Deliver what is under way, for actors that send after they are done (lookups). */
tutti_status tutti_inprocess_deliver(tutti_inprocess *processes, tutti_error *error);

/** Sums and maxima over all actors; @p memory gets the largest peak of any heap. */
tutti_tally tutti_inprocess_tally(const tutti_inprocess *processes, size_t *memory);

#ifdef __cplusplus
}
#endif
#endif
