#include "interpose/communicator.h"

#include <stdlib.h>

/* ---- the shadow ---- */

/* A program that needs the last context of the library shall get it: failure to make a shadow is no failure of the
   program, so its error handler is kept out. */
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
  PMPI_Comm_set_errhandler(comm, handler);
  if (handler != MPI_ERRHANDLER_NULL)
    PMPI_Errhandler_free(&handler);
  return result == MPI_SUCCESS ? PMPI_Comm_set_errhandler(*shadow, MPI_ERRORS_RETURN) : result;
}

/* ---- made and freed ---- */

static const char *open_shadow(struct communicator *communicator, MPI_Comm comm)
{
  MPI_Comm shadow;
  int inter, size;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
    return "intercommunicator";
  if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS || size == 1)
    return "a single rank";
  if (create_shadow(comm, &shadow) != MPI_SUCCESS || tutti_view_of(shadow, &communicator->view, NULL) != TUTTI_OK)
    return "no communicator left for messages";
  return NULL;
}

static struct communicator *communicator_create(MPI_Comm comm, int key)
{
  struct communicator *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->comm = comm;
  made->view.comm = MPI_COMM_NULL;
  made->native = open_shadow(made, comm);
  if (PMPI_Comm_set_attr(comm, key, made) != MPI_SUCCESS) {
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
    tutti_kept_free(&communicator->choices[c].kept);
  if (communicator->view.comm != MPI_COMM_NULL)
    PMPI_Comm_free(&communicator->view.comm);
  free(communicator->nodes);
  free(communicator);
  return MPI_SUCCESS;
}

/* ---- known ---- */

void tutti_communicators_open(struct communicators *known)
{
  int level;
  known->last = NULL;
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
  PMPI_Comm_free_keyval(&known->key);
}

static struct communicator *find(struct communicators *known, MPI_Comm comm)
{
  void *attribute;
  int found;
  if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, known->key, &attribute, &found) != MPI_SUCCESS)
    return NULL;
  return found ? attribute : communicator_create(comm, known->key);
}

struct communicator *tutti_communicator_of(struct communicators *known, MPI_Comm comm)
{
  if (known->last && known->last->comm == comm)
    return known->last;
  struct communicator *found = find(known, comm);
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
