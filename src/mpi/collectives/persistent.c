#include "mpi/collectives/arguments.h"

#include <string.h>

#include "mpi/elements.h"

/* What a call does not use is zero, or no datatype. */
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
    *type = MPI_DATATYPE_NULL; /* not to be freed */
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

static bool keep_array(struct lasting *lasting, const void *array, size_t item, void *copy)
{
  void *memory = array ? tutti_arena_alloc(&lasting->arena, (size_t)lasting->size * item) : NULL;
  if (array && memory)
    memcpy(memory, array, (size_t)lasting->size * item);
  memcpy(copy, &memory, sizeof memory);
  return !array || memory;
}

static bool keep_types(struct lasting *lasting, struct side *side)
{
  MPI_Datatype *types = NULL;
  if (!keep_array(lasting, side->types, sizeof *types, &types))
    return false;
  bool kept = true;
  for (int r = 0; types && r < lasting->size; r++) {
    if (side->counts[r] == 0) /* its type may be anything */
      types[r] = MPI_DATATYPE_NULL;
    kept = keep_type(&types[r]) && kept;
  }
  side->types = types;
  return keep_type(&side->type) && kept;
}

static bool keep_side(struct lasting *lasting, struct side *side)
{
  bool kept = keep_array(lasting, side->counts, sizeof *side->counts, &side->counts);
  kept = keep_array(lasting, side->displacements, sizeof *side->displacements, &side->displacements) && kept;
  if (!kept) {
    side->type = MPI_DATATYPE_NULL;
    side->types = NULL;
    return false;
  }
  return keep_types(lasting, side);
}

tutti_status tutti_lasting_create(struct lasting *lasting, const struct arguments *arguments, const tutti_view *view,
                                  tutti_error *error)
{
  *lasting = (struct lasting){.arguments = *arguments, .size = view->size};
  tutti_arena_init(&lasting->arena);
  bool input = keep_side(lasting, &lasting->arguments.input);
  bool output = keep_side(lasting, &lasting->arguments.output);
  if (input && output)
    return TUTTI_OK;
  tutti_lasting_free(lasting);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: no copy of the arguments of an operation could be made",
                    view->rank);
}

static void free_types(struct lasting *lasting, struct side *side)
{
  MPI_Datatype *types;
  memcpy(&types, &side->types, sizeof types); /* our own copy */
  free_type(&side->type);
  for (int r = 0; types && r < lasting->size; r++)
    free_type(&types[r]);
}

void tutti_lasting_free(struct lasting *lasting)
{
  free_types(lasting, &lasting->arguments.input);
  free_types(lasting, &lasting->arguments.output);
  tutti_arena_release(&lasting->arena);
}
