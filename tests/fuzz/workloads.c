/* Traces of programs: what is read can be gone through, call by call, and small ones end when they are replayed, or are
   refused. */
#include "harness/engine/riders/replay.h"
#include "kinds.h"

static bool is_small(const struct workload *workload)
{
  enum { MAX_BYTES = 1 << 14, MAX_RANKS = 16, MAX_LENGTH = 1 << 14 };
  bool small = workload->rank_count <= MAX_RANKS && workload->length <= MAX_LENGTH;
  for (size_t s = 0; s < workload->shapes.count && small; s++)
    small = workload->shapes.items[s].bytes <= MAX_BYTES && workload->shapes.items[s].call.count <= MAX_BYTES;
  for (uint32_t r = 0; r < workload->rank_count && small; r++)
    for (size_t o = 0; o < workload->ranks[r].graph.ops.count && small; o++)
      small = workload->ranks[r].graph.ops.items[o].amount <= MAX_BYTES;
  return small;
}

/* The method that ran; of the library's own calls linear ones, where there are any. */
static bool decide(void *context, const struct replay_choice *choice, tutti_method *method)
{
  (void)context;
  *method = *choice->recorded;
  if (tutti_method_is_library(method)) {
    const tutti_algorithm *linear = tutti_algorithm_find(choice->collective, "linear");
    if (!linear)
      return false;
    *method = tutti_method_default(linear);
  }
  return true;
}

static void replay(const fuzz_trial *trial, const struct workload *workload)
{
  struct engine_machine machine;
  struct replay_answer answer;
  tutti_error error = {0};
  char *path;
  const struct replay_question question = {.decide = decide, .compute = 1};
  fuzz_good(trial, "the platform", tutti_platform_find("bgp", &path, &error), &error);
  fuzz_good(trial, "the machine", tutti_machine_read(path, &machine, &error), &error);
  (void)fuzz_taken(trial, tutti_replay(workload, &machine, &question, &answer, &error), &error, NULL);
  tutti_machine_free(&machine);
  free(path);
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
    if (event.kind == WORKLOAD_OPERATIONS)
      continue;
    if (event.shape < workload->shapes.items || event.shape >= workload->shapes.items + workload->shapes.count)
      fuzz_fail(trial, "rank %u calls what there is not", rank);
  }
}

bool fuzz_feed_workload(const fuzz_trial *trial)
{
  struct workload workload;
  tutti_passed passed = {.strict = false};
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input-0.workload", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_workload_read(path, &workload, &passed, &error), &error, path);
  for (uint32_t r = 0; taken && r < workload.rank_count; r++)
    go_through(trial, &workload, r);
  if (taken && is_small(&workload))
    replay(trial, &workload);
  tutti_passed_free(&passed);
  tutti_workload_free(&workload);
  free(path);
  return taken;
}
