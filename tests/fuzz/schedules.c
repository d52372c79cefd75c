/* Schedules of other people, which are loaded as methods: what is taken is built, and the proof has an answer. */
#include "algorithms/catalogue/msccl/load.h"
#include "kinds.h"
#include "tutti/analysis.h"

enum { MAX_RANKS = 12, MAX_UNIT = 512 };

static void prove(const fuzz_trial *trial, const tutti_algorithm *algorithm)
{
  tutti_error error = {0};
  tutti_total total;
  const tutti_method method = tutti_method_default(algorithm);
  const tutti_call call = {
      .size = algorithm->ranks, .root = algorithm->root, .count = algorithm->unit, .type_size = 4, .commutative = true};
  fuzz_good(trial, "checking the call", tutti_method_check(&method, &call, &error), &error);
  const tutti_status status = tutti_verify_method(&method, &call, &error);
  if (status != TUTTI_OK && status != TUTTI_ERR_FAULT && status != TUTTI_ERR_ARGUMENT)
    fuzz_fail(trial, "the proof ends with status %d: %s", (int)status, error.message);
  if (status == TUTTI_OK)
    fuzz_good(trial, "counting", tutti_count_method(&method, &call, &total, &error), &error);
}

bool fuzz_feed_msccl(const fuzz_trial *trial)
{
  tutti_error error = {0};
  const tutti_plugin *plugin;
  char *path = fuzz_file(trial, "fuzz.xml", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_msccl_load(path, &plugin, &error), &error, path);
  if (taken && plugin->algorithms->ranks <= MAX_RANKS && plugin->algorithms->unit <= MAX_UNIT)
    prove(trial, plugin->algorithms);
  tutti_msccl_unload(plugin);
  free(path);
  return taken;
}
