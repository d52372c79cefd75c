/* The points of a profile, simulated by the fast engine. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "cli/advise/advise.h"

/* Sizes of a collective on so many ranks, ascending, into sizes[items.count]. */
static int list_sizes(const struct program_profile *profile, const struct profile_calls *like, uint64_t *sizes)
{
  size_t count = 0;
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (calls->collective == like->collective && calls->ranks == like->ranks)
      sizes[count++] = calls->size;
  }
  return (int)tutti_numbers_unique(sizes, count);
}

static void simulate_points(const struct advise_options *options, const tutti_experiment_words *words)
{
  tutti_experiment experiment = {0};
  tutti_run_summary summary = {0};
  must(tutti_experiment_of_words(words, &experiment, &failure));
  program_measure(&options->launch, &experiment, (tutti_run_options){.database = options->selection.database},
                  &summary);
  tutti_experiment_free(&experiment);
}

static bool is_first_of_its_kind(const struct program_profile *profile, size_t index)
{
  const struct profile_calls *calls = &profile->items.items[index];
  for (size_t i = 0; i < index; i++)
    if (profile->items.items[i].collective == calls->collective && profile->items.items[i].ranks == calls->ranks &&
        tutti_calls_can_be_judged(&profile->items.items[i]))
      return false;
  return true;
}

void advise_measure(const struct advise_options *options, const struct program_profile *profile)
{
  uint64_t *sizes = tutti_xcalloc(profile->items.count + 1, sizeof *sizes);
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (!tutti_calls_can_be_judged(calls) || !is_first_of_its_kind(profile, i))
      continue;
    const uint64_t ranks = (uint64_t)calls->ranks;
    const tutti_experiment_words words = {.collectives = 1U << calls->collective,
                                          .platform = options->selection.platform_argument,
                                          .engine =
                                              options->selection.engine ? options->selection.engine : TUTTI_FLAVOR_FAST,
                                          .ranks_count = 1,
                                          .ranks = &ranks,
                                          .size_count = list_sizes(profile, calls, sizes),
                                          .sizes = sizes};
    simulate_points(options, &words);
  }
  free(sizes);
}
