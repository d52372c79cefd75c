/* Places of the ranks of a communicator: nodes, and switches, cells or groups. */
#include <stdio.h>
#include <stdlib.h>

#include "algorithms/mpi/levels.h"
#include "base/say.h"
#include "interpose/serve/communicator.h"

/* The place of a rank, as it travels: the leader of its node, -1 if it is not known, and its parts (mpi/levels.h). */
enum { LEADER, PARTS, PLACE = PARTS + NODE_TABLE_LEVELS };

static void find_own(const struct communicators *known, const struct communicator *communicator, int own[PLACE])
{
  own[LEADER] = known->leader;
  if (communicator->tag < 0 && tutti_node_leader(communicator->view.comm, &own[LEADER]) != MPI_SUCCESS)
    own[LEADER] = -1;
  tutti_own_parts(&known->policy->levels, &own[PARTS]);
}

/* Number `at` of the places of all ranks, by rank of the shadow; NULL: of some rank it is not known, or memory is
   lacking. */
static int *collect(const struct communicators *known, const struct communicator *communicator, const int *places,
                    int at)
{
  const tutti_view *view = &communicator->view;
  int *numbers = malloc((size_t)(communicator->tag >= 0 ? known->size : view->size) * sizeof *numbers);
  for (int r = 0; numbers && r < view->size; r++, places += PLACE) {
    if (places[at] < 0) {
      free(numbers);
      return NULL;
    }
    numbers[tutti_view_base_rank(view, r)] = places[at];
  }
  return numbers;
}

/* A hint that cannot be followed ends no program: the first of the ranks that it does not fit reports it, once. */
static void report_missing(struct communicators *known, const struct communicator *communicator, const int *places)
{
  const int rank = communicator->view.rank;
  tutti_error error;
  for (int r = 0; r < rank; r++)
    if (places[(size_t)r * PLACE + PARTS] < 0)
      return;
  if (places[(size_t)rank * PLACE + PARTS] >= 0 || known->reported)
    return;
  known->reported = true;
  tutti_node_is_missing(known->policy->levels_path, rank, &error);
  tutti_say(stderr, "tutti: TUTTI_LEVELS: %s; multi-level methods know the nodes alone\n", error.message);
}

static void set_places(struct communicators *known, struct communicator *communicator, const int *places)
{
  tutti_view_levels *levels = &communicator->levels;
  const int count = known->policy->levels.level_count;
  communicator->nodes = collect(known, communicator, places, LEADER);
  communicator->view.nodes = communicator->nodes;
  while (levels->count < count &&
         (levels->ids[levels->count] = collect(known, communicator, places, PARTS + levels->count)))
    levels->count++;
  if (levels->count < count)
    report_missing(known, communicator, places);
  else if (count > 0)
    communicator->view.levels = levels;
}

void tutti_communicator_find_places(struct communicators *known, struct communicator *communicator)
{
  if (communicator->places_sought)
    return;
  int own[PLACE] = {0}, *places = malloc((size_t)communicator->view.size * sizeof own);
  communicator->places_sought = true;
  find_own(known, communicator, own);
  if (places && PMPI_Allgather(own, PLACE, MPI_INT, places, PLACE, MPI_INT, communicator->comm) == MPI_SUCCESS)
    set_places(known, communicator, places);
  free(places);
}

void tutti_communicator_prepare(struct communicators *known, struct communicator *communicator,
                                const tutti_method *method)
{
  if (tutti_method_needs_places(method))
    tutti_communicator_find_places(known, communicator);
}
