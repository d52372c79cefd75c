#include "interpose/communicator.h"

#include <stdlib.h>

/* ---- the shadow ---- */

/* A program that needs the last context of the library shall get it: failure to make a shadow is no failure of the
   program, so its error handler must not be called. */
static int create_shadow(MPI_Comm comm, MPI_Comm *shadow)
{
  MPI_Errhandler handler;
  MPI_Group group;
  *shadow = MPI_COMM_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
    return MPI_ERR_COMM;
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int result = PMPI_Comm_group(comm, &group);
  if (result == MPI_SUCCESS) {
    result = PMPI_Comm_create(comm, group, shadow);
    PMPI_Group_free(&group);
  }
  if (handler != MPI_ERRHANDLER_NULL)
    PMPI_Comm_set_errhandler(comm, handler);
  if (handler != MPI_ERRHANDLER_NULL)
    PMPI_Errhandler_free(&handler);
  else /* SMPI returns this if none was set */
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  return result == MPI_SUCCESS ? PMPI_Comm_set_errhandler(*shadow, MPI_ERRORS_RETURN) : result;
}

/* ---- made and freed ---- */

/* MPICH has 2,048 communicators in all. The program gets the most of them. */
enum { MAX_SHADOWS = 512 };

/* All ranks must say the same: why the collectives of a communicator are not served, if they are not. Ranks of another
   MPI_COMM_WORLD may have been started with other settings. */
static const char *refusal(const struct communicators *known, MPI_Comm comm, uint64_t digest)
{
  uint64_t least[3] = {known->shadows < MAX_SHADOWS, digest, ~digest};
  if (PMPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS)
    return "no agreement";
  if (least[1] != ~least[2])
    return "other settings on other ranks";
  return least[0] ? NULL : "too many communicators";
}

static const char *open_shadow(struct communicator *communicator, struct communicators *known, MPI_Comm comm,
                               uint64_t digest)
{
  MPI_Comm shadow;
  int inter, size;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
    return "intercommunicator";
  if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS || size == 1)
    return "a single rank";
  const char *reason = refusal(known, comm, digest);
  if (reason)
    return reason;
  if (create_shadow(comm, &shadow) != MPI_SUCCESS || tutti_view_of(shadow, &communicator->view, NULL) != TUTTI_OK)
    return "no communicator left for messages";
  known->shadows++;
  return NULL;
}

static struct communicator *communicator_create(struct communicators *known, MPI_Comm comm, uint64_t digest)
{
  struct communicator *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->comm = comm;
  made->view.comm = MPI_COMM_NULL;
  made->native = open_shadow(made, known, comm, digest);
  if (PMPI_Comm_set_attr(comm, known->key, made) != MPI_SUCCESS) {
    free(made);
    return NULL;
  }
  return made;
}

/* Called when the program frees its communicator. */
static int communicator_free(MPI_Comm comm, int key, void *attribute, void *extra)
{
  struct communicator *communicator = attribute;
  struct communicators *known = extra;
  (void)comm, (void)key;
  if (known->last == communicator)
    known->last = NULL;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    tutti_cached_operation_free(&communicator->choices[c].cached);
  if (communicator->view.comm != MPI_COMM_NULL) {
    PMPI_Comm_free(&communicator->view.comm);
    known->shadows--;
  }
  free(communicator->nodes);
  free(communicator);
  return MPI_SUCCESS;
}

/* ---- known ---- */

void tutti_communicators_open(struct communicators *known)
{
  int level;
  known->last = NULL;
  known->shadows = 0;
  known->in_turn = PMPI_Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_MULTIPLE;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, communicator_free, &known->key, known);
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
  forget(known, MPI_COMM_WORLD);
  forget(known, MPI_COMM_SELF);
  known->last = NULL;
  PMPI_Comm_free_keyval(&known->key);
}

static struct communicator *find(struct communicators *known, MPI_Comm comm, uint64_t digest)
{
  void *attribute;
  int found;
  if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, known->key, &attribute, &found) != MPI_SUCCESS)
    return NULL;
  return found ? attribute : communicator_create(known, comm, digest);
}

struct communicator *tutti_communicator_of(struct communicators *known, MPI_Comm comm, uint64_t digest)
{
  if (known->last && known->last->comm == comm)
    return known->last;
  struct communicator *found = find(known, comm, digest);
  if (known->in_turn)
    known->last = found;
  return found;
}

void tutti_communicator_find_nodes(struct communicator *communicator)
{
  tutti_view *view = &communicator->view;
  if (communicator->nodes_sought)
    return;
  communicator->nodes_sought = true;
  communicator->nodes = malloc((size_t)view->size * sizeof *communicator->nodes);
  if (communicator->nodes)
    tutti_view_find_nodes(view, communicator->nodes, NULL);
}
