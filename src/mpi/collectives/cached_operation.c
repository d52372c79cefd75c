#include "mpi/collectives/cached_operation.h"

#include "mpi/collectives/operation.h"
#include "mpi/elements.h"

/* Bytes of all ranks up to which time goes into preparing rather than into messages. Simulated ranks are many and have
   little memory, and the time is none of theirs. */
#ifdef SMPI_HELPERS_H
#define MOST_BYTES 0
#else
#define MOST_BYTES 16384
#endif

static bool is_same_side(const struct side *left, const struct side *right)
{
  return left->base == right->base && left->count == right->count && left->type == right->type;
}

bool tutti_kept_fits(const struct kept *kept, const struct arguments *arguments)
{
  const struct arguments *a = &kept->arguments;
  return kept->operation && is_same_side(&a->input, &arguments->input) &&
         is_same_side(&a->output, &arguments->output) && a->op == arguments->op && a->root == arguments->root;
}

bool tutti_same_ranks(const tutti_view *left, const tutti_view *right)
{
  return left->comm == right->comm && left->first == right->first && left->stride == right->stride &&
         left->size == right->size && left->lookup == right->lookup && left->map_first == right->map_first &&
         left->map_stride == right->map_stride;
}

static bool is_same_view(const tutti_view *left, const tutti_view *right)
{
  return tutti_same_ranks(left, right) && left->rank == right->rank && left->first_tag == right->first_tag &&
         left->nodes == right->nodes && left->noise_hook == right->noise_hook;
}

bool tutti_kept_fits_all(const struct kept *kept, const tutti_method *method, const struct arguments *arguments,
                         const tutti_view *view)
{
  return tutti_kept_fits(kept, arguments) && kept->arguments.collective == arguments->collective &&
         is_same_view(&kept->view, view) && tutti_method_compare(&kept->wanted, method) == 0;
}

static bool is_lasting(const struct side *side)
{
  return !side->counts && !side->types && (side->count == 0 || tutti_type_is_predefined(side->type));
}

bool tutti_may_be_kept(const struct arguments *arguments, uint64_t bytes, int size)
{
  unsigned traits = tutti_collective_traits(arguments->collective);
  if (traits & TUTTI_IS_IRREGULAR || bytes > MOST_BYTES / (uint64_t)size)
    return false;
  if (traits & TUTTI_REDUCES)
    return tutti_operation_is_predefined(arguments->op) && tutti_type_is_predefined(arguments->output.type);
  return is_lasting(&arguments->input) && is_lasting(&arguments->output);
}

tutti_status tutti_kept_prepare(struct kept *kept, const tutti_method *method, const struct arguments *arguments,
                                uint64_t bytes, const tutti_view *view, bool serving, tutti_error *error)
{
  tutti_kept_free(kept);
  *kept = (struct kept){.arguments = *arguments, .bytes = bytes, .wanted = *method, .method = *method, .view = *view};
  tutti_status status = tutti_operation_create(method, arguments, view, view->first_tag, serving ? &kept->method : NULL,
                                               &kept->operation, error);
  if (status != TUTTI_OK)
    kept->operation = NULL;
  return status;
}

/* After a failure messages may be in flight, and their memory must stay. */
tutti_status tutti_kept_run(struct kept *kept, tutti_error *error)
{
  struct operation *operation = kept->operation;
  operation->run.error = error;
  tutti_operation_start(operation);
  tutti_progress_wait(&operation->run);
  tutti_status status = tutti_operation_finish(operation);
  if (status != TUTTI_OK)
    kept->operation = NULL;
  return status;
}

void tutti_kept_free(struct kept *kept)
{
  if (kept->operation)
    tutti_operation_free(kept->operation);
  kept->operation = NULL;
}
