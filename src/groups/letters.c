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

tutti_status tutti_letter_no_memory(const tutti_endpoint *endpoint, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages", endpoint->view.rank);
}

/* ---- letters ---- */

struct letter *tutti_letter_create(tutti_endpoint *endpoint, enum letter_role role, int count)
{
  size_t bytes = sizeof(struct letter) + tutti_message_bytes(count);
  struct letter *letter = tutti_heap_alloc(&endpoint->heap, bytes);
  if (letter)
    *letter = (struct letter){.bytes = bytes, .role = role, .from = endpoint->view.rank, .count = count};
  return letter;
}

void tutti_letter_free(tutti_endpoint *endpoint, struct letter *letter)
{
  tutti_heap_free(&endpoint->heap, letter, letter->bytes);
}

/* ---- flights ---- */

enum { FIRST_CAPACITY = 2 * LETTER_POOL };

bool tutti_flights_reserve(tutti_endpoint *endpoint, int more)
{
  size_t active = (size_t)endpoint->active, old = (size_t)endpoint->capacity, capacity = old ? old : FIRST_CAPACITY;
  while (capacity < active + (size_t)more)
    capacity *= 2;
  if (capacity == old)
    return true;
  MPI_Request *requests = tutti_heap_alloc(&endpoint->heap, capacity * sizeof *requests);
  struct letter **flights = tutti_heap_alloc(&endpoint->heap, capacity * sizeof(struct letter *));
  if (!requests || !flights) {
    tutti_heap_free(&endpoint->heap, requests, capacity * sizeof *requests);
    tutti_heap_free(&endpoint->heap, flights, capacity * sizeof(struct letter *));
    return false;
  }
  for (size_t i = 0; i < active; i++) {
    requests[i] = endpoint->requests[i];
    flights[i] = endpoint->flights[i];
  }
  tutti_heap_free(&endpoint->heap, endpoint->requests, old * sizeof *requests);
  tutti_heap_free(&endpoint->heap, endpoint->flights, old * sizeof(struct letter *));
  endpoint->requests = requests;
  endpoint->flights = flights;
  endpoint->capacity = (int)capacity;
  return true;
}

void tutti_flights_free(tutti_endpoint *endpoint)
{
  size_t capacity = (size_t)endpoint->capacity;
  tutti_heap_free(&endpoint->heap, endpoint->requests, capacity * sizeof *endpoint->requests);
  tutti_heap_free(&endpoint->heap, endpoint->flights, capacity * sizeof(struct letter *));
}

struct letter *tutti_letter_land(tutti_endpoint *endpoint, int index)
{
  struct letter *letter = endpoint->flights[index];
  size_t behind = (size_t)(--endpoint->active - index);
  memmove(endpoint->requests + index, endpoint->requests + index + 1, behind * sizeof *endpoint->requests);
  memmove(endpoint->flights + index, endpoint->flights + index + 1, behind * sizeof(struct letter *));
  return letter;
}
