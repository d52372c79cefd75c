/* An endpoint: opened and closed, and the messages that arrive passed on to the actors they are for. */
#include "groups/endpoint.h"

#include <stdlib.h>

/* Cancel a receive of the pool, unless a message has come. SMPI throws an exception in each wait for a cancelled
   receive, which took most of the time of closing; there, arrived messages were taken in before. */
static int cancel_receive(MPI_Request *request, int *cancelled)
{
  int result = MPI_Cancel(request);
#ifdef SMPI_HELPERS_H
  *cancelled = 1;
  return result == MPI_SUCCESS ? MPI_Request_free(request) : result;
#else
  MPI_Status status;
  if (result == MPI_SUCCESS)
    result = MPI_Wait(request, &status);
  return result == MPI_SUCCESS ? MPI_Test_cancelled(&status, cancelled) : result;
#endif
}

/* Wait until all sends have arrived; messages that arrive here are received. */
static tutti_status finish_sends(tutti_endpoint *endpoint, tutti_error *error)
{
  for (int i = 0; i < endpoint->active;) {
    if (endpoint->flights[i]->role != WIRE_OUT) {
      i++;
      continue;
    }
    tutti_status status = tutti_messages_wait(endpoint, NULL, error);
    if (status != TUTTI_OK)
      return status;
    i = 0;
  }
  return tutti_messages_poll(endpoint, error);
}

/* End all flights: receives are cancelled. Messages received all the same are counted. */
static tutti_status end_flights(tutti_endpoint *endpoint, int *received, tutti_error *error)
{
  tutti_status good = TUTTI_OK;
  while (endpoint->active > 0) {
    int cancelled = 0;
    MPI_Request request = endpoint->requests[0];
    struct wire_message *wire = tutti_wire_land(endpoint, 0);
    int result = wire->role == WIRE_IN ? cancel_receive(&request, &cancelled) : MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (result != MPI_SUCCESS && good == TUTTI_OK)
      good = tutti_messages_failed(endpoint, wire->role == WIRE_IN ? "MPI_Cancel" : "MPI_Wait", result, error);
    *received += wire->role != WIRE_OUT && !cancelled;
    tutti_wire_free(endpoint, wire);
  }
  return good;
}

static int drop(tutti_endpoint *endpoint, struct wire_queue *queue)
{
  struct wire_message *wire;
  int count = 0;
  for (; (wire = wire_queue_take(queue)); count++)
    tutti_wire_free(endpoint, wire);
  return count;
}

static void free_endpoint(tutti_endpoint *endpoint)
{
  tutti_flights_free(endpoint);
  tutti_counted_free(&endpoint->memory, endpoint->actors, (size_t)endpoint->actor_capacity * sizeof(tutti_actor *));
  free(endpoint);
}

tutti_status tutti_endpoint_close(tutti_endpoint *endpoint, tutti_error *error)
{
  if (!endpoint)
    return TUTTI_OK;
  int rank = endpoint->view.rank, left = 0;
  if (endpoint->actor_count > 0)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: the endpoint is closed while %d actors are attached", rank,
                      endpoint->actor_count);
  tutti_status sent = finish_sends(endpoint, error);
  tutti_status status = end_flights(endpoint, &left, sent == TUTTI_OK ? error : NULL);
  if (sent != TUTTI_OK)
    status = sent;
  left += drop(endpoint, &endpoint->inbox) + drop(endpoint, &endpoint->strays);
  free_endpoint(endpoint);
  if (status == TUTTI_OK && left > 0)
    status = tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: the endpoint is closed, and %d messages are undelivered",
                        rank, left);
  return status;
}

tutti_status tutti_endpoint_open(const tutti_view *view, tutti_endpoint **endpoint, tutti_error *error)
{
  if (view->rank < 0 || view->tag_count < TUTTI_ENDPOINT_TAGS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "an endpoint needs a view with its own process and %d tags, not %d",
                      TUTTI_ENDPOINT_TAGS, view->tag_count);
  tutti_endpoint *opened = calloc(1, sizeof *opened);
  if (!opened)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an endpoint", view->rank);
  opened->transport.send = tutti_wire_send;
  opened->transport.work = tutti_work_charge;
  opened->view = *view;
  opened->memory = (tutti_counted_memory){.used = sizeof *opened, .peak = sizeof *opened};
  tutti_status status = tutti_runtime_cost_read(&opened->cost, error);
  for (int i = 0; i < WIRE_POOL && status == TUTTI_OK; i++)
    status = tutti_pool_receive(opened, error);
  if (status != TUTTI_OK) {
    int received = 0;
    end_flights(opened, &received, NULL); /* messages received before all are open are lost */
    free_endpoint(opened);
    return status;
  }
  *endpoint = opened;
  return TUTTI_OK;
}

/* ---- whom the messages of an endpoint are for ---- */

tutti_transport *tutti_endpoint_transport(tutti_endpoint *endpoint)
{
  return &endpoint->transport;
}

size_t tutti_endpoint_memory(const tutti_endpoint *endpoint)
{
  return endpoint->memory.peak;
}

/* ---- attached actors ---- */

static int find_topic(const tutti_endpoint *endpoint, int topic)
{
  int a = 0;
  while (a < endpoint->actor_count && endpoint->actors[a]->topic != topic)
    a++;
  return a;
}

static bool reserve_actor(tutti_endpoint *endpoint)
{
  int capacity = endpoint->actor_capacity ? 2 * endpoint->actor_capacity : 1;
  if (endpoint->actor_count < endpoint->actor_capacity)
    return true;
  tutti_actor **actors = tutti_counted_enlarge(&endpoint->memory, endpoint->actors,
                                               (size_t)endpoint->actor_capacity * sizeof(tutti_actor *),
                                               (size_t)capacity * sizeof(tutti_actor *));
  if (!actors)
    return false;
  endpoint->actors = actors;
  endpoint->actor_capacity = capacity;
  return true;
}

/* Messages that came before an actor took their topic. */
static void recall_strays(tutti_endpoint *endpoint, int topic)
{
  struct wire_queue others = {0};
  struct wire_message *wire;
  while ((wire = wire_queue_take(&endpoint->strays)))
    wire_queue_put(wire->data[WIRE_TOPIC] == topic ? &endpoint->inbox : &others, wire);
  endpoint->strays = others;
}

tutti_status tutti_endpoint_attach(tutti_endpoint *endpoint, tutti_actor *actor, tutti_error *error)
{
  if (find_topic(endpoint, actor->topic) < endpoint->actor_count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: topic %d is taken by another actor", endpoint->view.rank,
                      actor->topic);
  if (!reserve_actor(endpoint))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an actor", endpoint->view.rank);
  endpoint->actors[endpoint->actor_count++] = actor;
  recall_strays(endpoint, actor->topic);
  return TUTTI_OK;
}

void tutti_endpoint_detach(tutti_endpoint *endpoint, const tutti_actor *actor)
{
  int a = find_topic(endpoint, actor->topic);
  if (a < endpoint->actor_count && endpoint->actors[a] == actor)
    endpoint->actors[a] = endpoint->actors[--endpoint->actor_count];
}

/* ---- delivery ---- */

static tutti_status deliver_to_actor(tutti_actor *actor, const tutti_message *message, tutti_error *error)
{
  tutti_error *own = actor->error;
  actor->error = error; /* the error given at creation may be gone */
  tutti_actor_receive(actor, message);
  actor->error = own;
  return actor->status;
}

static tutti_status deliver(tutti_endpoint *endpoint, struct wire_message *wire, tutti_error *error)
{
  const int *data = wire->data;
  int a = find_topic(endpoint, data[WIRE_TOPIC]);
  if (a == endpoint->actor_count) {
    wire_queue_put(&endpoint->strays, wire);
    return TUTTI_OK;
  }
  tutti_message message = {.from = wire->from,
                           .to = endpoint->view.rank,
                           .topic = data[WIRE_TOPIC],
                           .kind = data[WIRE_KIND],
                           .depth = data[WIRE_DEPTH],
                           .count = wire->count,
                           .words = data + WIRE_HEADER_WORDS};
  if (message.from != message.to)
    endpoint->debt += endpoint->cost.receive + endpoint->cost.byte * (double)tutti_message_bytes(message.count) +
                      (message.kind == TUTTI_MESSAGE_START ? endpoint->cost.start : 0);
  tutti_status status = deliver_to_actor(endpoint->actors[a], &message, error);
  tutti_wire_free(endpoint, wire);
  return status;
}

/* An actor may have failed when it was started. */
static tutti_status first_failure(const tutti_endpoint *endpoint, tutti_error *error)
{
  for (int a = 0; a < endpoint->actor_count; a++)
    if (endpoint->actors[a]->status != TUTTI_OK)
      return tutti_fail(error, endpoint->actors[a]->status, "rank %d: the actor of topic %d (%s) has failed",
                        endpoint->view.rank, endpoint->actors[a]->topic, endpoint->actors[a]->protocol->name);
  return TUTTI_OK;
}

tutti_status tutti_endpoint_drive(tutti_endpoint *endpoint, tutti_progress *beside, bool (*stop)(const void *argument),
                                  const void *argument, tutti_error *error)
{
  tutti_status status = first_failure(endpoint, error);
  while (status == TUTTI_OK && !stop(argument)) {
    struct wire_message *wire = wire_queue_take(&endpoint->inbox);
    status = wire ? deliver(endpoint, wire, error) : tutti_messages_wait(endpoint, beside, error);
  }
  tutti_endpoint_pay(endpoint);
  return status;
}

tutti_status tutti_endpoint_wait(tutti_endpoint *endpoint, bool (*stop)(const void *argument), const void *argument,
                                 tutti_error *error)
{
  return tutti_endpoint_drive(endpoint, endpoint->view.progress, stop, argument, error);
}

tutti_status tutti_endpoint_poll(tutti_endpoint *endpoint, tutti_error *error)
{
  struct wire_message *wire;
  tutti_status status = first_failure(endpoint, error);
  if (status == TUTTI_OK)
    status = tutti_messages_poll(endpoint, error);
  while (status == TUTTI_OK && (wire = wire_queue_take(&endpoint->inbox)))
    status = deliver(endpoint, wire, error);
  tutti_endpoint_pay(endpoint);
  return status;
}
