/* tutti bench: what was measured, and how well. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/output/output.h"

/* Many: more than a quarter. */
static void print_noise(const char *name, const tutti_run_noise *noise)
{
  if (noise->points == 0)
    return;
  if (noise->largest < 100)
    tutti_say(stdout, "%s: medians are known to %.3g %% or better, the least well that of %s ranks=%d", name,
              noise->largest, noise->point, noise->ranks);
  else
    tutti_say(stdout,
              "%s: not all medians are known: that of %s ranks=%d is not, its interval is %.3g %% of it to either side",
              name, noise->point, noise->ranks, noise->largest);
  if (noise->noisy > 0)
    printf("; %zu of %zu not to the %.3g %% asked for", noise->noisy, noise->points, noise->asked);
  putchar('\n');
  if (4 * noise->noisy > noise->points)
    tutti_say(
        stderr,
        "tutti: warning: %s: the times of %zu of %zu point%s are noisy: other programs may run on the machine, or "
        "repetitions-max be too small\n",
        name, noise->noisy, noise->points, tutti_plural(noise->points));
}

void bench_leave_out(struct bench_left_outs *all, const char *reason, const tutti_method *method, int ranks)
{
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->items[i].reason, reason) == 0 && all->items[i].algorithm == method->algorithm)
      return;
  tutti_xpush(all, ((struct bench_left_out){tutti_xstrdup(reason), method->algorithm, ranks}));
}

static void find_left_out(const tutti_sweep *sweep, tutti_method method, int ranks, uint64_t size,
                          struct bench_left_outs *all)
{
  const tutti_call call = {.size = ranks, .root = sweep->root, .count = size, .type_size = 1, .commutative = true};
  tutti_method_tell(&method, &sweep->places, ranks);
  const char *reason = tutti_method_fault(&method, &call);
  if (reason)
    bench_leave_out(all, reason, &method, ranks);
}

static void find_left_out_of(const tutti_sweep *sweep, struct bench_left_outs *all)
{
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++)
      for (int m = 0; m < sweep->method_count; m++)
        find_left_out(sweep, sweep->methods[m], sweep->ranks[r], sweep->sizes[s], all);
  for (size_t i = 0; i < sweep->pick_count; i++)
    find_left_out(sweep, sweep->picks[i].method, sweep->picks[i].ranks, sweep->picks[i].size, all);
}

void bench_print_left_out(struct bench_left_outs *all)
{
  for (size_t i = 0; i < all->count; i++) {
    const struct bench_left_out first = all->items[i];
    const char *between = "  left out: ";
    for (size_t j = i; j < all->count && first.algorithm; j++)
      if (all->items[j].algorithm && strcmp(all->items[j].reason, first.reason) == 0) {
        tutti_say(stdout, "%s%s/%s", between, tutti_collective_name(all->items[j].algorithm->collective),
                  all->items[j].algorithm->name);
        all->items[j].algorithm = NULL;
        between = ", ";
      }
    if (first.algorithm)
      tutti_say(stdout, " on %d rank%s, for example: %s\n", first.ranks, tutti_plural((uint64_t)first.ranks),
                first.reason);
  }
  for (size_t i = 0; i < all->count; i++)
    free(all->items[i].reason);
  tutti_vector_free(all);
}

static void print_left_out(const tutti_experiment *experiment)
{
  struct bench_left_outs all = {.count = 0};
  for (int i = 0; i < experiment->sweep_count; i++)
    find_left_out_of(&experiment->sweeps[i], &all);
  bench_print_left_out(&all);
}

void bench_print_summary(const tutti_experiment *experiment, const char *database, const tutti_run_summary *summary)
{
  char measured[32], present[32], recovered[32], outside[32], library[32], queued[32];
  tutti_say(stdout, "%s: %s point%s measured, %s there already", experiment->name,
            progress_format_count(summary->measured, measured), tutti_plural(summary->measured),
            progress_format_count(summary->present, present));
  if (summary->recovered)
    tutti_say(stdout, ", %s measurement%s recovered from an earlier run",
              progress_format_count(summary->recovered, recovered), tutti_plural(summary->recovered));
  if (summary->outside)
    tutti_say(stdout, ", %s outside the domain of their method", progress_format_count(summary->outside, outside));
  if (summary->library_only)
    tutti_say(stdout, ", %s of a library, which the engine does not run",
              progress_format_count(summary->library_only, library));
  if (summary->large)
    tutti_say(stdout, ", %zu with too many messages", summary->large);
  if (summary->queued)
    tutti_say(stdout, ", %s left to the queue", progress_format_count(summary->queued, queued));
  tutti_say(stdout, ", %.1f s, stored in %s\n", summary->seconds, database);
  if (summary->outside)
    print_left_out(experiment);
  if (summary->large)
    print_sentence(2, "left out: %s; --most-messages 0 simulates them all the same", summary->large_names);
  print_noise(experiment->name, &summary->noise);
  if (summary->ranks)
    tutti_say(stdout, "%s: up to %d ranks took turns on %d core%s (--oversubscribe)\n", experiment->name,
              summary->ranks, summary->cores, tutti_plural((uint64_t)summary->cores));
}
