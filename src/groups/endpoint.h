/* The inside of an endpoint: wire messages (transport_mpi.c) and the actors they are for (endpoint.c). */
#ifndef TUTTI_GROUPS_ENDPOINT_H
#define TUTTI_GROUPS_ENDPOINT_H

#include "algorithms/mpi/simulation.h"
#include "groups/wire.h"
#include "tutti/group.h"

/* A message, or part of one, and the memory it is received into or sent from. */
struct wire_message {
  struct wire_message *next; /* in a queue */
  size_t bytes;              /* of this struct and its words */
  enum wire_role role;
  int from;   /* process id */
  int count;  /* words after the header */
  int data[]; /* [WIRE_HEADER_WORDS + count] */
};

struct wire_queue {
  struct wire_message *first, *last;
};

struct tutti_endpoint {
  tutti_transport transport;
  tutti_view view;
  tutti_counted_memory memory;
  MPI_Request *requests; /* [active of capacity] oldest first, so that MPI_Waitany() is fair and keeps the order */
  struct wire_message **flights; /* [active of capacity] their messages */
  int active, capacity;
  struct wire_queue inbox;  /* arrived, or sent to the own process; to be delivered */
  struct wire_queue strays; /* with topics that no actor has taken */
  tutti_actor **actors;     /* [actor_count of actor_capacity] attached */
  int actor_count, actor_capacity;
  struct runtime_cost cost;
  double debt; /* seconds of it that have not been let pass */
  int splits;  /* group.c: of all processes, begun so far */
};

/* ---- wire messages ---- */

static inline void wire_queue_put(struct wire_queue *queue, struct wire_message *wire)
{
  wire->next = NULL;
  *(queue->first ? &queue->last->next : &queue->first) = wire;
  queue->last = wire;
}

static inline struct wire_message *wire_queue_take(struct wire_queue *queue)
{
  struct wire_message *wire = queue->first;
  if (wire)
    queue->first = wire->next;
  return wire;
}

void tutti_wire_free(tutti_endpoint *endpoint, struct wire_message *wire);

void tutti_flights_free(tutti_endpoint *endpoint);
/* Take the message with that index, which is no longer in flight. */
struct wire_message *tutti_wire_land(tutti_endpoint *endpoint, int index);

/* ---- messages ---- */

/* An MPI call about messages has failed with `code`. */
tutti_status tutti_messages_failed(const tutti_endpoint *endpoint, const char *call, int code, tutti_error *error);

/* Post one more receive of the pool. */
tutti_status tutti_pool_receive(tutti_endpoint *endpoint, tutti_error *error);

/* Send by the endpoint's transport. */
tutti_status tutti_wire_send(tutti_transport *transport, const tutti_message *message, tutti_error *error);

void tutti_work_charge(tutti_transport *transport, tutti_work work, int count);

/* Let time pass for the runtime since the last call. */
void tutti_endpoint_pay(tutti_endpoint *endpoint);

/* Wait until a message of the endpoint, or of the schedules of `beside` (may be NULL), has been received or sent, and
   take it in. */
tutti_status tutti_messages_wait(tutti_endpoint *endpoint, tutti_progress *beside, tutti_error *error);

/* Take in completed receives and sends. */
tutti_status tutti_messages_poll(tutti_endpoint *endpoint, tutti_error *error);

/* ---- actors ---- */

/* tutti_endpoint_wait() that also drives the schedules that run with `beside`. */
tutti_status tutti_endpoint_drive(tutti_endpoint *endpoint, tutti_progress *beside, bool (*stop)(const void *argument),
                                  const void *argument, tutti_error *error);

/* ---- the inside of a group ---- */

struct tutti_group {
  tutti_endpoint *endpoint;
  tutti_group *parent; /* NULL: all processes of the endpoint */
  tutti_actor *actor;  /* lives as long as the group: it knows the tree and answers look-ups */
  tutti_tree tree;     /* of the parent, in which the group is built and in which its look-ups travel */
  int splits;          /* of this group so far, refused ones included */
  int groups;          /* split off it and not freed */
  uint64_t segment_bytes;
};

/* Two tags of each group; groups whose numbers are equal share them. */
enum { TAG_OF_COLLECTIVES, TAG_OF_MESSAGES, TAGS_OF_GROUP };

/* TUTTI_ERR_ARGUMENT unless the group is complete and has this process; `what` names the caller in the error. */
tutti_status tutti_group_check(const tutti_group *group, const char *what, tutti_error *error);

#endif
