/* Arguments that outlive their call. */
#include "algorithms/mpi/collectives/arguments.h"

#include <string.h>

#include "algorithms/mpi/elements.h"

/* Unused members of a call are zero, or no datatype. */
static bool names_a_type(MPI_Datatype type)
{
  MPI_Datatype unused;
  memset(&unused, 0, sizeof unused);
  return type != unused && type != MPI_DATATYPE_NULL;
}

/* SMPI 3.32 loses count of who uses a duplicated type and frees it too early: there a program must keep its types. */
#ifdef SMPI_HELPERS_H
enum { DUPLICATES_WORK = 0 };
#else
enum { DUPLICATES_WORK = 1 };
#endif

static bool needs_duplicate(MPI_Datatype type)
{
  return DUPLICATES_WORK && names_a_type(type) && !tutti_type_is_predefined(type);
}

static bool keep_type(MPI_Datatype *type)
{
  MPI_Datatype own;
  if (!needs_duplicate(*type))
    return true;
  if (MPI_Type_dup(*type, &own) != MPI_SUCCESS) {
    *type = MPI_DATATYPE_NULL; /* must not be freed */
    return false;
  }
  *type = own;
  return true;
}

static void free_type(MPI_Datatype *type)
{
  if (needs_duplicate(*type))
    MPI_Type_free(type);
}

/* A persistent request that is never started: as long as it exists so does its datatype, though the program may free
 * it.
 */
static bool hold_type(struct persistent_arguments *persistent_arguments, const tutti_view *view)
{
  MPI_Datatype type = persistent_arguments->arguments.output.type;
  return !needs_duplicate(type) || MPI_Recv_init(NULL, 0, type, tutti_view_base_rank(view, view->rank), view->first_tag,
                                                 view->comm, &persistent_arguments->holder) == MPI_SUCCESS;
}

/* The length of the arrays of a buffer. */
static int blocks_of(const struct persistent_arguments *persistent_arguments, const struct user_buffer *user_buffer)
{
  const tutti_neighbors *near = persistent_arguments->arguments.near;
  if (!near)
    return persistent_arguments->size;
  return user_buffer == &persistent_arguments->arguments.input ? near->out : near->in;
}

static bool keep_array(struct persistent_arguments *persistent_arguments, const struct user_buffer *user_buffer,
                       const void *array, size_t item, void *copy)
{
  const size_t bytes = (size_t)blocks_of(persistent_arguments, user_buffer) * item;
  void *memory = array ? tutti_arena_alloc(&persistent_arguments->arena, bytes + 1) : NULL;
  if (array && memory)
    memcpy(memory, array, bytes);
  memcpy(copy, &memory, sizeof memory);
  return !array || memory;
}

static bool keep_types(struct persistent_arguments *persistent_arguments, struct user_buffer *user_buffer)
{
  MPI_Datatype *types = NULL;
  if (!keep_array(persistent_arguments, user_buffer, user_buffer->types, sizeof *types, &types))
    return false;
  bool cached = true;
  for (int r = 0; types && r < blocks_of(persistent_arguments, user_buffer); r++) {
    if (tutti_count_at(user_buffer, r) == 0) /* its type may be anything */
      types[r] = MPI_DATATYPE_NULL;
    cached = keep_type(&types[r]) && cached;
  }
  user_buffer->types = types;
  if (tutti_collective_traits(persistent_arguments->arguments.collective) & TUTTI_REDUCES)
    return cached;
  return keep_type(&user_buffer->type) && cached;
}

static bool keep_user_buffer(struct persistent_arguments *persistent_arguments, struct user_buffer *user_buffer)
{
  bool cached = keep_array(persistent_arguments, user_buffer, user_buffer->counts, tutti_count_size(user_buffer),
                           &user_buffer->counts);
  cached = keep_array(persistent_arguments, user_buffer, user_buffer->displacements,
                      tutti_displacement_size(user_buffer), &user_buffer->displacements) &&
           cached;
  if (!cached) {
    user_buffer->type = MPI_DATATYPE_NULL;
    user_buffer->types = NULL;
    return false;
  }
  return keep_types(persistent_arguments, user_buffer);
}

tutti_status tutti_persistent_arguments_create(struct persistent_arguments *persistent_arguments,
                                               const struct arguments *arguments, const tutti_view *view,
                                               tutti_error *error)
{
  *persistent_arguments =
      (struct persistent_arguments){.arguments = *arguments, .holder = MPI_REQUEST_NULL, .size = view->size};
  tutti_arena_init(&persistent_arguments->arena);
  bool input = keep_user_buffer(persistent_arguments, &persistent_arguments->arguments.input);
  bool output = keep_user_buffer(persistent_arguments, &persistent_arguments->arguments.output);
  bool reduces = tutti_collective_traits(arguments->collective) & TUTTI_REDUCES;
  if (input && output && (!reduces || hold_type(persistent_arguments, view)))
    return TUTTI_OK;
  tutti_persistent_arguments_free(persistent_arguments);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: no copy of the arguments of an operation could be made",
                    view->rank);
}

static void free_types(struct persistent_arguments *persistent_arguments, struct user_buffer *user_buffer)
{
  MPI_Datatype *types;
  memcpy(&types, &user_buffer->types, sizeof types); /* our own copy */
  free_type(&user_buffer->type);
  for (int r = 0; types && r < blocks_of(persistent_arguments, user_buffer); r++)
    free_type(&types[r]);
}

/* Zeroed arguments hold no resources. */
void tutti_persistent_arguments_free(struct persistent_arguments *persistent_arguments)
{
  const tutti_collective collective = persistent_arguments->arguments.collective;
  if (persistent_arguments->size == 0)
    return;
  if (!(tutti_collective_traits(collective) & TUTTI_REDUCES)) {
    free_types(persistent_arguments, &persistent_arguments->arguments.input);
    free_types(persistent_arguments, &persistent_arguments->arguments.output);
  } else if (persistent_arguments->holder != MPI_REQUEST_NULL)
    MPI_Request_free(&persistent_arguments->holder);
  tutti_arena_release(&persistent_arguments->arena);
}
