/* Cached operations: what may be cached, and when it is used again. */
#include "mpi/collectives/cached_operation.h"

#include "mpi/collectives/operation.h"
#include "mpi/elements.h"

/* Bytes of all ranks up to which time goes into preparing rather than into messages. Simulated ranks are many and have
   little memory, and the time is none of theirs. */
#ifdef SMPI_HELPERS_H
#define MAX_BYTES 0
#else
#define MAX_BYTES 16384
#endif

static bool is_same_user_buffer(const struct user_buffer *left, const struct user_buffer *right)
{
  return left->base == right->base && left->count == right->count && left->type == right->type;
}

bool tutti_cached_operation_fits(const struct cached_operation *cached, const struct arguments *arguments)
{
  const struct arguments *a = &cached->arguments;
  return cached->operation && is_same_user_buffer(&a->input, &arguments->input) &&
         is_same_user_buffer(&a->output, &arguments->output) && a->op == arguments->op && a->root == arguments->root;
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

bool tutti_cached_operation_fits_all(const struct cached_operation *cached, const tutti_method *method,
                                     const struct arguments *arguments, const tutti_view *view)
{
  return tutti_cached_operation_fits(cached, arguments) && cached->arguments.collective == arguments->collective &&
         is_same_view(&cached->view, view) && tutti_method_compare(&cached->wanted, method) == 0;
}

static bool is_persistent(const struct user_buffer *user_buffer)
{
  return !user_buffer->counts && !user_buffer->types &&
         (user_buffer->count == 0 || tutti_type_is_predefined(user_buffer->type));
}

bool tutti_operation_is_cacheable(const struct arguments *arguments, uint64_t bytes, int size)
{
  unsigned traits = tutti_collective_traits(arguments->collective);
  if (traits & TUTTI_IS_IRREGULAR || bytes > MAX_BYTES / (uint64_t)size)
    return false;
  if (traits & TUTTI_REDUCES)
    return tutti_operation_is_predefined(arguments->op) && tutti_type_is_predefined(arguments->output.type);
  return is_persistent(&arguments->input) && is_persistent(&arguments->output);
}

tutti_status tutti_cached_operation_prepare(struct cached_operation *cached, const tutti_method *method,
                                            const struct arguments *arguments, uint64_t bytes, const tutti_view *view,
                                            bool serving, tutti_error *error)
{
  tutti_cached_operation_free(cached);
  *cached = (struct cached_operation){
      .arguments = *arguments, .bytes = bytes, .wanted = *method, .method = *method, .view = *view};
  tutti_status status = tutti_operation_create(method, arguments, view, view->first_tag,
                                               serving ? &cached->method : NULL, &cached->operation, error);
  if (status != TUTTI_OK)
    cached->operation = NULL;
  return status;
}

/* After a failure messages may be in flight, and their memory must stay. */
tutti_status tutti_cached_operation_run(struct cached_operation *cached, tutti_error *error)
{
  struct operation *operation = cached->operation;
  operation->run.error = error;
  tutti_operation_start(operation);
  tutti_progress_wait(&operation->run);
  tutti_status status = tutti_operation_finish(operation);
  if (status != TUTTI_OK)
    cached->operation = NULL;
  return status;
}

void tutti_cached_operation_free(struct cached_operation *cached)
{
  if (cached->operation)
    tutti_operation_free(cached->operation);
  cached->operation = NULL;
}
