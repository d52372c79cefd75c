#include "interpose/serve/communicator.h"

#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "interpose/adapt/adapt.h"

/* ---- the ranks of a communicator in MPI_COMM_WORLD ---- */

bool tutti_communicator_ranks(MPI_Comm comm, MPI_Group world, int size, int *ranks)
{
  MPI_Group group;
  int *own = malloc((size_t)size * sizeof *own);
  if (!own || PMPI_Comm_group(comm, &group) != MPI_SUCCESS) {
    free(own);
    return false;
  }
  for (int r = 0; r < size; r++)
    own[r] = r;
  int result = PMPI_Group_translate_ranks(group, size, own, world, ranks);
  PMPI_Group_free(&group);
  free(own);
  for (int r = 0; r < size && result == MPI_SUCCESS; r++)
    if (ranks[r] == MPI_UNDEFINED)
      result = MPI_ERR_RANK;
  return result == MPI_SUCCESS;
}

int *tutti_communicator_members(MPI_Comm comm, MPI_Group world, int size, uint64_t *digest)
{
  int *members = malloc((size_t)size * sizeof *members);
  if (!members || !tutti_communicator_ranks(comm, world, size, members)) {
    free(members);
    return NULL;
  }
  *digest = tutti_digest(members, (size_t)size * sizeof *members);
  return members;
}

int *tutti_communicator_see(struct seen_communicators *seen, MPI_Comm comm, MPI_Group world, int size, uint64_t *digest,
                            uint64_t *before)
{
  int *members = tutti_communicator_members(comm, world, size, digest);
  *before = 0;
  for (size_t i = 0; members && i < seen->count; i++)
    *before += seen->items[i] == *digest;
  if (members && tutti_vector_push(seen, *digest))
    return members;
  free(members);
  return NULL;
}

/* Whether all have the same distance. */
static bool is_progression(const int *ranks, int size)
{
  for (int r = 2; r < size; r++)
    if (ranks[r] - ranks[r - 1] != ranks[1] - ranks[0])
      return false;
  return true;
}

static int select_rank(const void *map, int rank)
{
  return ((const struct communicator *)map)->ranks[rank];
}

static int find_rank(const void *map, int member)
{
  const struct communicator *communicator = map;
  for (int r = 0; r < communicator->view.size; r++)
    if (communicator->ranks[r] == member)
      return r;
  return -1;
}

/* Find out where its ranks are in the shared shadow. False: not all are there, or memory is lacking. */
static bool find_ranks(const struct communicators *known, struct communicator *made, int size)
{
  made->ranks = malloc((size_t)size * sizeof *made->ranks);
  return made->ranks && tutti_communicator_ranks(made->comm, known->world, size, made->ranks);
}

static void set_view(struct communicators *known, struct communicator *made, int size, int rank)
{
  known->by_tag[made->tag] = made;
  made->view = (tutti_view){.comm = known->shadow,
                            .size = size,
                            .rank = rank,
                            .first = made->ranks[0],
                            .stride = made->ranks[1] - made->ranks[0],
                            .first_tag = made->tag,
                            .tag_count = 1};
  if (is_progression(made->ranks, size)) {
    free(made->ranks);
    made->ranks = NULL;
    return;
  }
  made->lookup = (tutti_lookup){made, size, known->size, select_rank, find_rank};
  made->view.first = 0;
  made->view.stride = 1;
  made->view.map_stride = 1;
  made->view.lookup = &made->lookup;
}

/* ---- a shadow of its own, without MPI_COMM_WORLD ---- */

/* The error handler of the program's communicator must neither be called for the shadow nor be replaced. */
static int create_shadow(MPI_Comm comm, MPI_Comm *shadow)
{
  *shadow = MPI_COMM_NULL;
#if MPI_VERSION >= 4
  MPI_Group group;
  int result = PMPI_Comm_group(comm, &group);
  if (result != MPI_SUCCESS)
    return result;
  result = PMPI_Comm_create_from_group(group, "tutti", MPI_INFO_NULL, MPI_ERRORS_RETURN, shadow);
  PMPI_Group_free(&group);
  return result;
#else
  (void)comm;
  return MPI_ERR_COMM;
#endif
}

static const char *open_own_shadow(struct communicator *made)
{
  MPI_Comm shadow;
  if (create_shadow(made->comm, &shadow) != MPI_SUCCESS || tutti_view_of(shadow, &made->view, NULL) != TUTTI_OK)
    return "no communicator left for messages";
  return NULL;
}

/* ---- made and freed ---- */

/* Checks without messages; all ranks get the same answer. */
static const char *look_at(struct communicator *made)
{
  int inter;
  if (PMPI_Comm_test_inter(made->comm, &inter) != MPI_SUCCESS || inter)
    return "intercommunicator";
  if (PMPI_Comm_size(made->comm, &made->view.size) != MPI_SUCCESS || made->view.size == 1 ||
      PMPI_Comm_rank(made->comm, &made->view.rank) != MPI_SUCCESS)
    return "a single rank";
  return NULL;
}

static struct communicator *communicator_create(struct communicators *known, MPI_Comm comm)
{
  struct communicator *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->comm = comm;
  made->tag = -1;
  made->cache.budget = &known->budget;
  made->view.comm = MPI_COMM_NULL;
  made->native = look_at(made);
  made->open = made->native;
  if (PMPI_Comm_set_attr(comm, known->key, made) != MPI_SUCCESS) {
    free(made);
    return NULL;
  }
  if (known->in_turn) {
    made->next = known->first;
    made->link = &known->first;
    if (made->next)
      made->next->link = &made->next;
    known->first = made;
  }
  return made;
}

/* MPI_COMM_WORLD, which was not shared in the beginning if MPI was initialized by another name than MPI_Init(). */
static const char *open_world(struct communicators *known, struct communicator *made)
{
  const int size = made->view.size, rank = made->view.rank;
  if (known->shadow == MPI_COMM_NULL) {
    tutti_communicators_share(known, true);
    if (known->shadow == MPI_COMM_NULL || !find_ranks(known, made, size))
      return "no communicator left for messages";
  }
  made->tag = 0;
  made->watched.stamp = 1;
  set_view(known, made, size, rank);
  return NULL;
}

static const char *open_view(struct communicators *known, struct communicator *made)
{
  const int size = made->view.size, rank = made->view.rank;
  const bool shares = known->shadow != MPI_COMM_NULL, world = made->comm == MPI_COMM_WORLD;
  if (shares && !find_ranks(known, made, size))
    return "processes of another program";
  const char *reason =
      shares && world ? NULL : tutti_tags_agree(known, made->comm, rank, &made->tag, &made->watched.stamp);
  if (reason)
    return reason;
  if (world)
    return open_world(known, made);
  if (made->tag < 0)
    return open_own_shadow(made);
  set_view(known, made, size, rank);
  return NULL;
}

void tutti_communicator_open(struct communicators *known, struct communicator *communicator)
{
  if (communicator->open)
    return;
  communicator->open = true;
  communicator->native = open_view(known, communicator);
}

static struct communicator **place_of(struct communicators *known, MPI_Comm comm)
{
  uint64_t bits = 0;
  memcpy(&bits, &comm, sizeof comm);
  return &known->recent[(bits ^ bits >> 4 ^ bits >> 9) % RECENT];
}

static void communicator_destroy(struct communicators *known, struct communicator *communicator)
{
  if (communicator->link) {
    *communicator->link = communicator->next;
    if (communicator->next)
      communicator->next->link = communicator->link;
  }
  uint64_t *most = &known->freed_calls[communicator->tag >= 0];
  *most = *most > communicator->watched.count ? *most : communicator->watched.count;
  tutti_cache_free(&communicator->cache);
  if (communicator->adapted)
    tutti_adapt_forget(communicator->adapted);
  if (communicator->tag >= 0) {
    known->by_tag[communicator->tag] = NULL;
    tutti_tags_free(known, communicator->tag);
  } else if (communicator->view.comm != MPI_COMM_NULL)
    PMPI_Comm_free(&communicator->view.comm);
  free(communicator->ranks);
  free(communicator->nodes);
  tutti_view_levels_free(&communicator->levels);
  free(communicator->turns);
  tutti_neighbors_free(&communicator->neighbors);
  free(communicator);
}

void tutti_communicator_release(struct communicators *known, struct communicator *communicator)
{
  if (--communicator->users == 0 && communicator->gone)
    communicator_destroy(known, communicator);
}

/* Called when the program frees its communicator: operations under way continue to their end. */
static int communicator_free(MPI_Comm comm, int key, void *attribute, void *extra)
{
  struct communicator *communicator = attribute;
  struct communicators *known = extra;
  struct communicator **place = place_of(known, comm);
  (void)key;
  if (*place == communicator)
    *place = NULL;
  known->budget.dropped++;
  communicator->gone = true;
  if (communicator->users == 0)
    communicator_destroy(known, communicator);
  return MPI_SUCCESS;
}

/* ---- known ---- */

void tutti_communicators_open(struct communicators *known, const struct policy *policy, const char *fault,
                              void (*close_sessions)(void))
{
  int level;
  *known = (struct communicators){.policy = policy,
                                  .fault = fault,
                                  .close_sessions = close_sessions,
                                  .shadow = MPI_COMM_NULL,
                                  .world = MPI_GROUP_NULL,
                                  .leader = -1};
  tutti_tags_fill(known);
  known->in_turn = PMPI_Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, communicator_free, &known->key, known);
}

void tutti_communicators_share(struct communicators *known, bool nodes)
{
  PMPI_Comm_group(MPI_COMM_WORLD, &known->world);
  if (PMPI_Comm_create(MPI_COMM_WORLD, known->world, &known->shadow) != MPI_SUCCESS) {
    PMPI_Group_free(&known->world);
    known->shadow = MPI_COMM_NULL;
    return;
  }
  PMPI_Comm_set_errhandler(known->shadow, MPI_ERRORS_RETURN);
  PMPI_Comm_size(known->shadow, &known->size);
  if (nodes && tutti_node_leader(known->shadow, &known->leader) != MPI_SUCCESS)
    known->leader = -1;
}

static void forget(struct communicators *known, MPI_Comm comm)
{
  void *attribute;
  int found;
  if (PMPI_Comm_get_attr(comm, known->key, &attribute, &found) == MPI_SUCCESS && found)
    PMPI_Comm_delete_attr(comm, known->key);
}

void tutti_communicators_close(struct communicators *known)
{
  known->budget.dropped++;
  if (known->shadow != MPI_COMM_NULL) {
    forget(known, MPI_COMM_WORLD);
    forget(known, MPI_COMM_SELF);
    PMPI_Group_free(&known->world);
    PMPI_Comm_free(&known->shadow);
  }
  PMPI_Comm_free_keyval(&known->key);
}

static struct communicator *find(struct communicators *known, MPI_Comm comm)
{
  void *attribute;
  int found;
  if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, known->key, &attribute, &found) != MPI_SUCCESS)
    return NULL;
  return found ? attribute : communicator_create(known, comm);
}

struct communicator *tutti_communicator_of(struct communicators *known, MPI_Comm comm)
{
  struct communicator **place = place_of(known, comm);
  if (known->in_turn && *place && (*place)->comm == comm)
    return *place;
  struct communicator *found = find(known, comm);
  if (known->in_turn)
    *place = found;
  return found;
}
