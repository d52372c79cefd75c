/* tutti bench: what was measured, and how well. */
#include <stdio.h>

#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/output/output.h"

/* Many: more than a quarter. */
static void print_noise(const char *name, const tutti_run_noise *noise)
{
  if (noise->points == 0)
    return;
  if (noise->largest < 100)
    printf("%s: medians are known to %.3g %% or better, the least well that of %s ranks=%d", name, noise->largest,
           noise->point, noise->ranks);
  else
    printf("%s: not all medians are known: that of %s ranks=%d is not, its interval is %.3g %% of it to either side",
           name, noise->point, noise->ranks, noise->largest);
  if (noise->noisy > 0)
    printf("; %zu of %zu not to the %.3g %% asked for", noise->noisy, noise->points, noise->asked);
  putchar('\n');
  if (4 * noise->noisy > noise->points)
    fprintf(stderr,
            "tutti: warning: %s: the times of %zu of %zu point%s are noisy: other programs may run on the machine, or "
            "repetitions-max be too small\n",
            name, noise->noisy, noise->points, tutti_plural(noise->points));
}

void bench_print_summary(const tutti_experiment *experiment, const char *database, const tutti_run_summary *summary)
{
  char measured[32], present[32], recovered[32], outside[32], library[32], queued[32];
  printf("%s: %s point%s measured, %s there already", experiment->name,
         progress_format_count(summary->measured, measured), tutti_plural(summary->measured),
         progress_format_count(summary->present, present));
  if (summary->recovered)
    printf(", %s measurement%s recovered from an earlier run", progress_format_count(summary->recovered, recovered),
           tutti_plural(summary->recovered));
  if (summary->outside)
    printf(", %s outside the domain of their method", progress_format_count(summary->outside, outside));
  if (summary->library_only)
    printf(", %s of a library, which the fast engine does not run",
           progress_format_count(summary->library_only, library));
  if (summary->queued)
    printf(", %s left to the queue", progress_format_count(summary->queued, queued));
  printf(", %.1f s, stored in %s\n", summary->seconds, database);
  print_noise(experiment->name, &summary->noise);
  if (summary->ranks)
    printf("%s: up to %d ranks took turns on %d core%s (--oversubscribe)\n", experiment->name, summary->ranks,
           summary->cores, tutti_plural((uint64_t)summary->cores));
}
