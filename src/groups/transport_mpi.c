/* Messages of actors over MPI: several receives from any source are posted at all times, because a simulated transfer
   begins only when its receive is posted, and each is posted again before its message is delivered.

   A message of up to SHORT_WORDS words is one MPI message. A longer one is announced by such a message, and its words
   follow with another tag, to be received by a receive of that source and length:

       sender   --- topic ~kind depth count --->   receive of the pool
                --- words[count] ------------->    receive posted for it

   The receives for words have to be posted in the order in which the announcements of a sender were sent. That is the
   order of the receives of the pool which they matched, but they may be seen to complete in another one: so an
   announcement is held until no older receive of the pool is outstanding. Those have matched a message, too, which is
   about to arrive. */
#include <string.h>

#include "algorithms/mpi/elements.h"
#include "algorithms/mpi/failure.h"
#include "algorithms/mpi/run_state.h"
#include "groups/endpoint.h"

tutti_status tutti_messages_failed(const tutti_endpoint *endpoint, const char *call, int code, tutti_error *error)
{
  return tutti_mpi_fail(error, code, "rank %d: %s failed for a message between actors", endpoint->view.rank, call);
}

static tutti_status no_memory(const tutti_endpoint *endpoint, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages", endpoint->view.rank);
}

/* ---- sending and receiving ---- */

static struct wire_message *create_wire(tutti_endpoint *endpoint, enum wire_role role, int count)
{
  size_t bytes = sizeof(struct wire_message) + tutti_message_bytes(count);
  struct wire_message *wire = tutti_counted_alloc(&endpoint->memory, bytes);
  if (wire)
    *wire = (struct wire_message){.bytes = bytes, .role = role, .from = endpoint->view.rank, .count = count};
  return wire;
}

void tutti_wire_free(tutti_endpoint *endpoint, struct wire_message *wire)
{
  tutti_counted_free(&endpoint->memory, wire, wire->bytes);
}

/* ---- flights ---- */

enum { FIRST_CAPACITY = 2 * WIRE_POOL };

/* Make space for `more` requests after the active ones. */
static bool reserve_flights(tutti_endpoint *endpoint, int more)
{
  size_t active = (size_t)endpoint->active, old = (size_t)endpoint->capacity, capacity = old ? old : FIRST_CAPACITY;
  while (capacity < active + (size_t)more)
    capacity *= 2;
  if (capacity == old)
    return true;
  MPI_Request *requests = tutti_counted_alloc(&endpoint->memory, capacity * sizeof *requests);
  struct wire_message **flights = tutti_counted_alloc(&endpoint->memory, capacity * sizeof(struct wire_message *));
  if (!requests || !flights) {
    tutti_counted_free(&endpoint->memory, requests, capacity * sizeof *requests);
    tutti_counted_free(&endpoint->memory, flights, capacity * sizeof(struct wire_message *));
    return false;
  }
  for (size_t i = 0; i < active; i++) {
    requests[i] = endpoint->requests[i];
    flights[i] = endpoint->flights[i];
  }
  tutti_counted_free(&endpoint->memory, endpoint->requests, old * sizeof *requests);
  tutti_counted_free(&endpoint->memory, endpoint->flights, old * sizeof(struct wire_message *));
  endpoint->requests = requests;
  endpoint->flights = flights;
  endpoint->capacity = (int)capacity;
  return true;
}

void tutti_flights_free(tutti_endpoint *endpoint)
{
  size_t capacity = (size_t)endpoint->capacity;
  tutti_counted_free(&endpoint->memory, endpoint->requests, capacity * sizeof *endpoint->requests);
  tutti_counted_free(&endpoint->memory, endpoint->flights, capacity * sizeof(struct wire_message *));
}

struct wire_message *tutti_wire_land(tutti_endpoint *endpoint, int index)
{
  struct wire_message *wire = endpoint->flights[index];
  size_t behind = (size_t)(--endpoint->active - index);
  memmove(endpoint->requests + index, endpoint->requests + index + 1, behind * sizeof *endpoint->requests);
  memmove(endpoint->flights + index, endpoint->flights + index + 1, behind * sizeof(struct wire_message *));
  return wire;
}

enum { ANY_TAG, REST_TAG };
_Static_assert(REST_TAG == TUTTI_ENDPOINT_TAGS - 1, "the tags of an endpoint");

/* The message is in flight: its request comes after the active ones. */
static tutti_status start_flight(tutti_endpoint *endpoint, struct wire_message *wire, const char *call, int result,
                                 tutti_error *error)
{
  if (result != MPI_SUCCESS) {
    tutti_wire_free(endpoint, wire);
    return tutti_messages_failed(endpoint, call, result, error);
  }
  endpoint->flights[endpoint->active++] = wire;
  return TUTTI_OK;
}

/* ---- receiving ---- */

static tutti_status post_receive(tutti_endpoint *endpoint, struct wire_message *wire, int source, int tag,
                                 tutti_error *error)
{
  if (!wire || !reserve_flights(endpoint, 1)) {
    if (wire)
      tutti_wire_free(endpoint, wire);
    return no_memory(endpoint, error);
  }
  bool rest = wire->role == WIRE_REST; /* its header has come already */
  int result =
      MPI_Irecv(wire->data + (rest ? WIRE_HEADER_WORDS : 0), wire->count + (rest ? 0 : WIRE_HEADER_WORDS), MPI_INT,
                source, endpoint->view.first_tag + tag, endpoint->view.comm, &endpoint->requests[endpoint->active]);
  return start_flight(endpoint, wire, "MPI_Irecv", result, error);
}

tutti_status tutti_pool_receive(tutti_endpoint *endpoint, tutti_error *error)
{
  return post_receive(endpoint, create_wire(endpoint, WIRE_IN, SHORT_WORDS), MPI_ANY_SOURCE, ANY_TAG, error);
}

static tutti_status await_rest(tutti_endpoint *endpoint, const struct wire_message *announcement, tutti_error *error)
{
  const int *data = announcement->data;
  struct wire_message *wire = create_wire(endpoint, WIRE_REST, data[ANNOUNCED_COUNT]);
  if (wire) {
    memcpy(wire->data, data, WIRE_HEADER_WORDS * sizeof *data);
    wire->data[WIRE_KIND] = ~data[WIRE_KIND];
    wire->from = announcement->from;
  }
  return post_receive(endpoint, wire, tutti_view_base_rank(&endpoint->view, announcement->from), REST_TAG, error);
}

/* Receive what was announced as far as the order allows. */
static tutti_status release_held(tutti_endpoint *endpoint, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < endpoint->active && status == TUTTI_OK; i++) {
    if (endpoint->flights[i]->role == WIRE_IN)
      break;
    if (endpoint->flights[i]->role != WIRE_HELD)
      continue;
    struct wire_message *announcement = tutti_wire_land(endpoint, i--);
    status = await_rest(endpoint, announcement, error);
    tutti_wire_free(endpoint, announcement);
  }
  return status;
}

/* Read a message received by the pool, with its source and its length. */
static tutti_status read_envelope(const tutti_endpoint *endpoint, struct wire_message *wire, const MPI_Status *status,
                                  tutti_error *error)
{
  int count = 0, result = MPI_Get_count(status, MPI_INT, &count);
  wire->from = tutti_view_rank_of(&endpoint->view, status->MPI_SOURCE);
  wire->count = count - WIRE_HEADER_WORDS;
  if (result == MPI_SUCCESS && wire->from >= 0 && count >= WIRE_HEADER_WORDS &&
      (wire->data[WIRE_KIND] >= 0 || count == ANNOUNCEMENT))
    return TUTTI_OK;
  return tutti_fail(
      error, TUTTI_ERR_FAULT,
      "rank %d: a message from rank %d of the communicator with the tag of actors is not a message of an actor",
      endpoint->view.rank, status->MPI_SOURCE);
}

static tutti_status receive(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  struct wire_message *wire = endpoint->flights[index];
  tutti_status status = tutti_pool_receive(endpoint, error);
  if (status == TUTTI_OK)
    status = read_envelope(endpoint, wire, envelope, error);
  wire->role = WIRE_HELD;
  if (status == TUTTI_OK && wire->data[WIRE_KIND] >= 0)
    wire_queue_put(&endpoint->inbox, tutti_wire_land(endpoint, index));
  return status == TUTTI_OK ? release_held(endpoint, error) : status;
}

/* ---- completion ---- */

static tutti_status complete_flight(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  enum wire_role role = endpoint->flights[index]->role;
  if (role == WIRE_IN)
    return receive(endpoint, index, envelope, error);
  struct wire_message *wire = tutti_wire_land(endpoint, index);
  if (role == WIRE_REST)
    wire_queue_put(&endpoint->inbox, wire);
  else
    tutti_wire_free(endpoint, wire);
  return TUTTI_OK;
}

void tutti_work_charge(tutti_transport *transport, tutti_work work, int count)
{
  tutti_endpoint *endpoint = (tutti_endpoint *)transport;
  endpoint->debt += (work == TUTTI_WORK_CANDIDATE ? endpoint->cost.candidate : endpoint->cost.entry) * count;
}

void tutti_endpoint_pay(tutti_endpoint *endpoint)
{
  double debt = endpoint->debt;
  endpoint->debt = 0;
  tutti_runtime_pause(debt);
}

tutti_status tutti_messages_wait(tutti_endpoint *endpoint, tutti_progress *beside, tutti_error *error)
{
  int own = endpoint->active, others = beside ? beside->active : 0, index = MPI_UNDEFINED;
  MPI_Status status;
  tutti_endpoint_pay(endpoint);
  if (beside && beside->sought) { /* cannot be waited for */
    tutti_status polled = tutti_messages_poll(endpoint, error);
    return polled == TUTTI_OK ? tutti_progress_poll(beside, error) : polled;
  }
  if (!reserve_flights(endpoint, others))
    return no_memory(endpoint, error);
  for (int i = 0; i < others; i++)
    endpoint->requests[own + i] = beside->requests[i];
  int result = MPI_Waitany(own + others, endpoint->requests, &index, &status);
  if (index >= own && index < own + others) {
    beside->requests[index - own] = MPI_REQUEST_NULL;
    tutti_progress_take_in(beside, index - own, result, &status);
    return TUTTI_OK; /* a failure is that of its schedule */
  }
  if (result != MPI_SUCCESS || index < 0)
    return tutti_messages_failed(endpoint, "MPI_Waitany", result, error);
  return complete_flight(endpoint, index, &status, error);
}

tutti_status tutti_messages_poll(tutti_endpoint *endpoint, tutti_error *error)
{
  for (;;) {
    int index = MPI_UNDEFINED, found = 0;
    MPI_Status status;
    int result = MPI_Testany(endpoint->active, endpoint->requests, &index, &found, &status);
    if (result == MPI_SUCCESS && !found)
      return TUTTI_OK;
    if (result != MPI_SUCCESS || index < 0)
      return tutti_messages_failed(endpoint, "MPI_Testany", result, error);
    tutti_status good = complete_flight(endpoint, index, &status, error);
    if (good != TUTTI_OK)
      return good;
  }
}

/* ---- sending ---- */

static tutti_status post_send(tutti_endpoint *endpoint, struct wire_message *wire, int skipped, int to, int tag,
                              tutti_error *error)
{
  if (!reserve_flights(endpoint, 1)) {
    tutti_wire_free(endpoint, wire);
    return no_memory(endpoint, error);
  }
  int result = MPI_Isend(wire->data + skipped, WIRE_HEADER_WORDS + wire->count - skipped, MPI_INT,
                         tutti_view_base_rank(&endpoint->view, to), endpoint->view.first_tag + tag, endpoint->view.comm,
                         &endpoint->requests[endpoint->active]);
  return start_flight(endpoint, wire, "MPI_Isend", result, error);
}

static tutti_status send_long(tutti_endpoint *endpoint, struct wire_message *wire, int to, tutti_error *error)
{
  struct wire_message *first = create_wire(endpoint, WIRE_OUT, ANNOUNCEMENT - WIRE_HEADER_WORDS);
  if (!first) {
    tutti_wire_free(endpoint, wire);
    return no_memory(endpoint, error);
  }
  memcpy(first->data, wire->data, WIRE_HEADER_WORDS * sizeof *first->data);
  first->data[WIRE_KIND] = ~wire->data[WIRE_KIND];
  first->data[ANNOUNCED_COUNT] = wire->count;
  tutti_status status = post_send(endpoint, first, 0, to, ANY_TAG, error);
  if (status == TUTTI_OK)
    return post_send(endpoint, wire, WIRE_HEADER_WORDS, to, REST_TAG, error);
  tutti_wire_free(endpoint, wire);
  return status;
}

static struct wire_message *letter_of(tutti_endpoint *endpoint, const tutti_message *message)
{
  struct wire_message *wire = create_wire(endpoint, WIRE_OUT, message->count);
  if (!wire)
    return NULL;
  wire->data[WIRE_TOPIC] = message->topic;
  wire->data[WIRE_KIND] = message->kind;
  wire->data[WIRE_DEPTH] = message->depth;
  if (message->count > 0)
    memcpy(wire->data + WIRE_HEADER_WORDS, message->words, (size_t)message->count * sizeof *message->words);
  return wire;
}

tutti_status tutti_wire_send(tutti_transport *transport, const tutti_message *message, tutti_error *error)
{
  tutti_endpoint *endpoint = (tutti_endpoint *)transport;
  if (message->to < 0 || message->to >= endpoint->view.size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message (%s) to process %d, which does not exist",
                      message->from, tutti_message_kind_name(message->kind), message->to);
  struct wire_message *wire = letter_of(endpoint, message);
  if (!wire)
    return no_memory(endpoint, error);
  if (message->to == endpoint->view.rank) {
    wire_queue_put(&endpoint->inbox, wire);
    return TUTTI_OK;
  }
  endpoint->debt += endpoint->cost.send + endpoint->cost.byte * (double)tutti_message_bytes(message->count);
  tutti_endpoint_pay(endpoint);
  if (message->count > SHORT_WORDS)
    return send_long(endpoint, wire, message->to, error);
  return post_send(endpoint, wire, 0, message->to, ANY_TAG, error);
}
