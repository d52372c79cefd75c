/* The command that measures what a program calls, where a store does not have it. */
#include <unistd.h>

#include "base/numbers.h"
#include "cli/advise/advise.h"

void advise_name_collectives(unsigned collectives, const char *separator, char names[ADVISE_NAMES])
{
  *names = '\0';
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (collectives & 1U << c)
      text_append(names, ADVISE_NAMES, "%s%s", *names ? separator : "", tutti_collective_name((tutti_collective)c));
}

bool advise_can_simulate(const struct selection_options *selection)
{
  char *path = NULL;
  const bool file =
      tutti_platform_find(selection->platform_argument, &path, NULL) == TUTTI_OK && access(path, F_OK) == 0;
  free(path);
  return file;
}

void advise_bench_begin(const struct program_profile *profile, unsigned collectives,
                        struct selection_options *selection, struct advise_bench *bench)
{
  const size_t count = profile->items.count + 1;
  const bool simulated = advise_can_simulate(selection) || tutti_flavor_is_simulated(profile->flavor);
  bool native = false;
  *bench = (struct advise_bench){.map = {.ranks = tutti_xcalloc(count, sizeof *bench->map.ranks),
                                         .sizes = tutti_xcalloc(count, sizeof *bench->map.sizes)}};
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (!(collectives & 1U << calls->collective) || !tutti_calls_can_be_judged(calls))
      continue;
    native = native || strcmp(calls->method, "native") == 0;
    bench->map.ranks[bench->map.ranks_count++] = calls->ranks;
    if (calls->collective != TUTTI_COLL_BARRIER)
      bench->map.sizes[bench->map.size_count++] = calls->size;
  }
  bench->map.ranks_count = (int)tutti_ints_unique(bench->map.ranks, (size_t)bench->map.ranks_count);
  bench->map.size_count = (int)tutti_numbers_unique(bench->map.sizes, (size_t)bench->map.size_count);
  bench->map.collective = bench->map.size_count ? TUTTI_COLL_BCAST : TUTTI_COLL_BARRIER;
  advise_name_collectives(collectives, ",", bench->names);
  bench->wanted = (struct bench_command){.collectives = bench->names,
                                         .tutti = !native,
                                         .flavor = simulated ? "" : profile->flavor,
                                         .map = bench->map.ranks_count ? &bench->map : NULL,
                                         .settings = "",
                                         .cores = profile->cores,
                                         .ranks_per_node = profile->ranks_per_node};
  selection->wanted = &bench->wanted;
}

void advise_bench_free(struct advise_bench *bench)
{
  free(bench->map.ranks);
  free(bench->map.sizes);
}

void advise_check_store(const struct advise_options *options, const struct program_profile *profile)
{
  struct selection_options selection = options->selection;
  struct advise_bench bench;
  if (selection.platform_argument || access(selection.database, F_OK) == 0)
    return;
  selection.platform_argument = tutti_flavor_is_simulated(profile->flavor) ? "grig_mx" : "my-cluster";
  snprintf(selection.platform, sizeof selection.platform, "%s", selection.platform_argument);
  advise_bench_begin(profile, tutti_profile_judged(profile), &selection, &bench);
  must(selection_fail_missing(&selection, TUTTI_COLL_COUNT, &failure));
  advise_bench_free(&bench);
}
