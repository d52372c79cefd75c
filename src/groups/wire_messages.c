/* Letters, and the arrays of those in flight. */
#include <string.h>

#include "groups/endpoint.h"

tutti_status tutti_messages_failed(const tutti_endpoint *endpoint, const char *call, int code, tutti_error *error)
{
  tutti_fail(error, TUTTI_ERR_MPI, "rank %d: %s failed for a message between actors", endpoint->view.rank, call);
  if (error)
    error->mpi_code = code;
  return TUTTI_ERR_MPI;
}

tutti_status tutti_wire_no_memory(const tutti_endpoint *endpoint, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages", endpoint->view.rank);
}

/* ---- letters ---- */

struct wire_message *tutti_wire_create(tutti_endpoint *endpoint, enum wire_role role, int count)
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

bool tutti_flights_reserve(tutti_endpoint *endpoint, int more)
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
