/**
 * @file endpoint.h
 * @ingroup groups
 * The transport of actors (actor.h) over MPI: one endpoint per process.
 *
 * An endpoint keeps several receives from any source posted at all times and delivers what arrives to the actor with
 * the same topic; messages to a topic that no actor has taken yet are kept until one does. Any number of actors may be
 * attached, so many constructions can be under way at the same time. Progress is made inside the functions below.
 *
 * In simulation the cost of the message-driven runtime that the published times were taken with is charged: seconds for
 * each message sent and received, more for one received that starts a construction (TUTTI_MESSAGE_START), for each byte
 * of it and for each entry of a list in it (tutti_actor_work()), as the platform file says (tutti/actor-send-s,
 * tutti/actor-receive-s, tutti/actor-start-s, tutti/actor-byte-s, tutti/actor-entry-s in its outermost zone; nothing
 * where it does not).
 */
#ifndef TUTTI_ENDPOINT_H
#define TUTTI_ENDPOINT_H

#include "tutti/actor.h"
#include "tutti/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tags of its view that an endpoint sends with. What the view has beyond them is for the groups made with it. */
#define TUTTI_ENDPOINT_TAGS 2

typedef struct tutti_endpoint tutti_endpoint;

/**
 * Open the endpoint of this process; process ids are ranks of @p view, and the view's tags belong to the endpoint until
 * it is closed. Local: no message, but every process that is sent to must open its own.
 * @return TUTTI_ERR_ARGUMENT if the process is not in the view or the view has fewer tags than TUTTI_ENDPOINT_TAGS, or
 *         if a property of the simulated platform is not a time; TUTTI_ERR_MEMORY; TUTTI_ERR_MPI.
 */
tutti_status tutti_endpoint_open(const tutti_view *view, tutti_endpoint **endpoint, tutti_error *error);

/** Close it. Nothing may be on its way to this process, and no actor attached; what is on its way from here is waited
    for. NULL is allowed. TUTTI_ERR_FAULT if an actor is attached, and nothing is closed, or, after all is freed, if a
    message was not delivered. Once an actor of a construction is done nothing is on its way to it but look-ups. */
tutti_status tutti_endpoint_close(tutti_endpoint *endpoint, tutti_error *error);

/** Whom actors send through. */
tutti_transport *tutti_endpoint_transport(tutti_endpoint *endpoint);

/** Let @p actor get the messages of its topic. Not owned. TUTTI_ERR_ARGUMENT if the topic is taken. */
tutti_status tutti_endpoint_attach(tutti_endpoint *endpoint, tutti_actor *actor, tutti_error *error);

/** The actor gets no more messages. */
void tutti_endpoint_detach(tutti_endpoint *endpoint, const tutti_actor *actor);

/** Deliver messages, to all actors, until @p stop(@p argument) holds; waits without polling. Returns at once if it
   holds already; then, too, all sends of this process that matter to others are under way. Fails with the first failure
   of an attached actor. */
tutti_status tutti_endpoint_wait(tutti_endpoint *endpoint, bool (*stop)(const void *argument), const void *argument,
                                 tutti_error *error);

/** Deliver what has arrived, and return. */
tutti_status tutti_endpoint_poll(tutti_endpoint *endpoint, tutti_error *error);

/** Largest number of bytes that the endpoint itself (receive pool, messages not yet sent) ever held. */
size_t tutti_endpoint_memory(const tutti_endpoint *endpoint);

#ifdef __cplusplus
}
#endif
#endif
