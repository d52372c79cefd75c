/* Messages between random members of a group. */
#include <stdlib.h>

#include "base/splitmix64.h"
#include "communicators.h"

/* Everybody draws all pairs. */
static tutti_status draw_pairs(const struct traffic *traffic, int size, int rank, bool receive, struct own *own,
                               tutti_error *error)
{
  uint64_t seed = (uint64_t)traffic->seed;
  for (int i = 0; i < traffic->messages; i++) {
    int from = (int)(tutti_splitmix64_next(&seed) % (uint64_t)size),
        to = (int)(tutti_splitmix64_next(&seed) % (uint64_t)size);
    if ((receive ? to : from) != rank || from == to)
      continue;
    if (own->count % 16 == 0 && !(own->peers = realloc(own->peers, ((size_t)own->count + 16) * sizeof *own->peers)))
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d messages", own->count);
    own->peers[own->count++] = receive ? from : to;
  }
  return TUTTI_OK;
}

tutti_status traffic_draw(const struct traffic *traffic, const tutti_view *view, struct own *own, tutti_error *error)
{
  *own = (struct own){.count = 0};
  tutti_status status = draw_pairs(traffic, view->size, view->rank, true, own, error);
  own->received = own->count;
  return status == TUTTI_OK ? draw_pairs(traffic, view->size, view->rank, false, own, error) : status;
}

static tutti_status post(const struct own *own, const tutti_view *view, int *data, tutti_request **requests,
                         tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < own->count && status == TUTTI_OK; i++) {
    data[i] = view->rank;
    status = i < own->received ? tutti_irecv(&data[i], 1, MPI_INT, own->peers[i], 0, view, &requests[i], error)
                               : tutti_isend(&data[i], 1, MPI_INT, own->peers[i], 0, view, &requests[i], error);
  }
  return status == TUTTI_OK ? tutti_waitall((size_t)own->count, requests, error) : status;
}

tutti_status traffic_exchange(const struct own *own, const tutti_view *view, tutti_error *error)
{
  tutti_request **requests = malloc(((size_t)own->count + 1) * sizeof(tutti_request *));
  int *data = malloc(((size_t)own->count + 1) * sizeof *data), wrong = 0;
  tutti_status status = requests && data
                            ? post(own, view, data, requests, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d messages", own->count);
  for (int i = 0; i < own->received && status == TUTTI_OK; i++)
    wrong += data[i] != own->peers[i];
  free(requests);
  free(data);
  return wrong ? tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: %d messages of others", view->rank, wrong) : status;
}
