/* Traces of programs: what is read can be gone through, call by call, and each call has a schedule or is refused. */
#include <stdlib.h>

#include "engine/workload.h"
#include "kinds.h"

/* The schedule of a call of few messages. */
static void build(const fuzz_trial *trial, const struct workload_shape *shape)
{
  enum { MOST_BYTES = 1 << 16, MOST_RANKS = 64 };
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error error = {0};
  const tutti_method method = tutti_method_serving(&shape->method, &shape->call);
  if (shape->bytes > MOST_BYTES || shape->call.count > MOST_BYTES || shape->call.size > MOST_RANKS ||
      shape->call.root >= shape->call.size || method.algorithm->domain & TUTTI_NEEDS_NODES ||
      tutti_method_is_library(&method))
    return;
  tutti_arena_init(&arena);
  (void)fuzz_taken(trial, tutti_method_schedule(&method, &shape->call, &arena, &schedule, &error), &error, NULL);
  tutti_arena_release(&arena);
}

static void go_through(const fuzz_trial *trial, const struct workload *workload, uint32_t rank)
{
  struct workload_cursor cursor = {0};
  uint64_t time = 0;
  for (;;) {
    const struct workload_event event = tutti_workload_next(workload, rank, &cursor);
    time += event.compute + event.duration;
    if (time > UINT64_C(1) << 62)
      fuzz_fail(trial, "rank %u takes longer than a trace can", rank);
    if (event.kind == WORKLOAD_END)
      return;
    if (event.shape < workload->shapes.items || event.shape >= workload->shapes.items + workload->shapes.count)
      fuzz_fail(trial, "rank %u calls what there is not", rank);
  }
}

bool fuzz_feed_workload(const fuzz_trial *trial)
{
  struct workload workload;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.workload", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_workload_read(path, &workload, &error), &error, path);
  for (uint32_t r = 0; taken && r < workload.rank_count; r++)
    go_through(trial, &workload, r);
  for (size_t s = 0; taken && s < workload.shapes.count; s++)
    if (workload.shapes.items[s].communicator != WORKLOAD_UNKNOWN)
      build(trial, &workload.shapes.items[s]);
  tutti_workload_free(&workload);
  free(path);
  return taken;
}
