#include "analysis/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *tutti_export_title(const tutti_method *method, const tutti_call *call, char title[EXPORT_TITLE_LENGTH])
{
  char name[TUTTI_METHOD_LENGTH], root[32] = "";
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  if (traits & TUTTI_HAS_ROOT)
    snprintf(root, sizeof root, ", root %d", call->root);
  snprintf(title, EXPORT_TITLE_LENGTH, "%s, %d rank%s%s, %s%" PRIu64 " element%s of %" PRIu64 " B",
           tutti_method_format(method, name), call->size, call->size == 1 ? "" : "s", root,
           traits & TUTTI_HAS_BLOCKS ? "blocks of " : "", call->count, call->count == 1 ? "" : "s", call->type_size);
  return title;
}

tutti_status tutti_export_check(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  tutti_call first = *call;
  if (call->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group has at least one rank, not %d", call->size);
  first.rank = 0;
  return tutti_method_check(method, &first, error);
}

static tutti_status check_stream(FILE *file, int rank, tutti_error *error)
{
  if (!ferror(file))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "could not be written as far as rank %d: %s", rank, strerror(errno));
}

/* Vertices of a channel follow each other in vertex order. */
static void number_messages(const tutti_schedule *schedule, uint32_t *numbers)
{
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    if (schedule->channel_next[v] != TUTTI_NO_VERTEX)
      numbers[schedule->channel_next[v]] = numbers[v] + 1;
}

tutti_status tutti_export_rank(const tutti_schedule *schedule, export_write write, const void *context, FILE *file,
                               tutti_error *error)
{
  uint32_t *numbers = calloc((size_t)schedule->vertex_count + 1, sizeof *numbers);
  if (!numbers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for the numbers of %u vertices", schedule->rank,
                      (unsigned)schedule->vertex_count);
  number_messages(schedule, numbers);
  tutti_status status = write(context, schedule, numbers, file, error);
  free(numbers);
  return status == TUTTI_OK ? check_stream(file, schedule->rank, error) : status;
}

tutti_status tutti_export_each(const tutti_method *method, const tutti_call *call, export_write write,
                               const void *context, FILE *file, tutti_error *error)
{
  tutti_call own = *call;
  tutti_status status = TUTTI_OK;
  for (own.rank = 0; own.rank < call->size && status == TUTTI_OK; own.rank++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_arena_init(&arena);
    status = tutti_method_schedule(method, &own, &arena, &schedule, error);
    if (status == TUTTI_OK)
      status = tutti_export_rank(&schedule, write, context, file, error);
    tutti_arena_release(&arena);
  }
  return status;
}
