/* Platforms for the fast engine: what it takes, it simulates. */
#include "harness/engine/riders/measure.h"
#include "kinds.h"

/* Tables of more hosts take too long for thousands of files. */
enum { MAX_RANKS = 12, MAX_HOSTS = 1 << 16 };

static void simulate(const fuzz_trial *trial, const struct engine_machine *machine)
{
  const double room = (double)machine->network.host_count * machine->ranks_per_node;
  tutti_measurement point = {
      .scheme = TUTTI_SCHEME_OCC, .ranks = room < MAX_RANKS ? (int)room : MAX_RANKS, .count = 3000, .type_size = 1};
  struct engine_start start = {0};
  double seconds = NAN;
  tutti_error error = {0};
  fuzz_good(trial, "the method", tutti_method_parse("alltoall/linear", &point.method, &error), &error);
  const tutti_status status = tutti_engine_measure(machine, &point, NULL, &start, &seconds, &error);
  if (fuzz_taken(trial, status, &error, NULL) && !isfinite(seconds))
    fuzz_fail(trial, "%d ranks take %g s", point.ranks, seconds);
  tutti_start_free(&start);
}

bool fuzz_feed_machine(const fuzz_trial *trial)
{
  struct engine_machine machine;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.xml", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_machine_read(path, &machine, &error), &error, path);
  if (taken) {
    if (machine.network.host_count <= MAX_HOSTS)
      simulate(trial, &machine);
    tutti_machine_free(&machine);
  }
  free(path);
  return taken;
}
