/* Opening and closing an endpoint. */
#include <stdlib.h>

#include "groups/endpoint.h"

/* Take back a receive of the pool, unless a message has come. SMPI throws an exception in each wait for a cancelled
   receive, which took most of the time of closing; there, what has come was looked for before. */
static int take_back(MPI_Request *request, int *cancelled)
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

/* Until all sends have arrived, whatever arrives here meanwhile. */
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
    int result = wire->role == WIRE_IN ? take_back(&request, &cancelled) : MPI_Wait(&request, MPI_STATUS_IGNORE);
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
  opened->transport.work = tutti_entries_charge;
  opened->view = *view;
  opened->memory = (tutti_counted_memory){.used = sizeof *opened, .peak = sizeof *opened};
  tutti_status status = tutti_runtime_cost_read(&opened->cost, error);
  for (int i = 0; i < WIRE_POOL && status == TUTTI_OK; i++)
    status = tutti_pool_receive(opened, error);
  if (status != TUTTI_OK) {
    int received = 0;
    end_flights(opened, &received, NULL); /* what is received before all is open is lost with it */
    free_endpoint(opened);
    return status;
  }
  *endpoint = opened;
  return TUTTI_OK;
}
