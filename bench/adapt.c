/* What tuning while a program runs costs and gains: the regret of decision/adaptation.h on recorded maps, without MPI.

   bench-adapt STORE PLATFORM COLLECTIVE PRIOR [NOISE [ARRIVALS]]
     PRIOR     "-": candidates as without a file: the library's choice, which is what Open MPI 4.1 chooses, and the
               built-in rules; or another platform of the store, of which those within 25 % of the fastest are
   candidates NOISE     such as spread/0.2/seed=1 (docs/reference/patterns.md), of every call anew ARRIVALS  patterns
   that were measured, separated by blanks; each call has one of them, or none

   Regret after n calls: what they took beyond n calls of the fastest method of the map, in percent of those: sums over
   the points of the map, each of which counts alike. Deterministic. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "decision/adaptation.h"
#include "interpose/serve/policy.h"
#include "store_map.h"
#include "tutti/library.h"
#include "tutti/noise.h"
#include "tutti/pattern.h"

enum { CALLS = 10000, STEPS = 3, PATTERNS = 8 };
static const int steps[STEPS] = {100, 1000, 10000};

#define NEAR_BEST 1.25

/* Who decides. */
enum { ADAPTIVE, WITHOUT, OPEN_MPI, MPICH, BEST_CANDIDATE, WAYS };
static const char *const names[WAYS] = {"adaptive", "the first candidate always", "Open MPI 4.1's rules",
                                        "MPICH 4.0's rules", "the best candidate always"};

struct bench {
  tutti_collective collective;
  struct policy policy;
  tutti_decision libraries[2];
  tutti_noise noise;
  int map_count; /* the first one without a pattern */
  tutti_decision_map maps[PATTERNS], prior;
  bool has_prior;
  /* Sums of the regret over the points. */
  double regret[WAYS][STEPS];
  int points, decided, near; /* near: of these, within 5 % of the best candidate */
  double decided_after;
};

struct point {
  int ranks_index, size_index;
  int count;                              /* candidates */
  tutti_method methods[TUTTI_ADAPT_ARMS]; /* that serve it: the map has their times */
};

/* ---- candidates ---- */

static double time_of(const tutti_decision_map *map, const struct point *point, const tutti_method *method)
{
  return tutti_decision_map_serving_time(map, point->ranks_index, point->size_index, method);
}

/* Native is what Open MPI's rules choose. Those of which the map has no time are left out. */
static void keep_known(const struct bench *bench, const tutti_question *question, struct point *point)
{
  int kept = 0;
  for (int i = 0; i < point->count; i++) {
    tutti_method method = point->methods[i];
    if (tutti_method_is_native(&method) && !bench->libraries[0].decide(&bench->libraries[0], question, &method))
      continue;
    if (!isnan(time_of(&bench->maps[0], point, &method)))
      point->methods[kept++] = method;
  }
  point->count = kept;
}

static void add_sorted(struct point *point, double *times, const tutti_method *method, double time)
{
  int at = point->count < TUTTI_ADAPT_ARMS ? point->count++ : TUTTI_ADAPT_ARMS;
  for (; at > 0 && times[at - 1] > time; at--)
    if (at < TUTTI_ADAPT_ARMS) {
      times[at] = times[at - 1];
      point->methods[at] = point->methods[at - 1];
    }
  if (at < TUTTI_ADAPT_ARMS) {
    times[at] = time;
    point->methods[at] = *method;
  }
}

/* Those near the fastest on the other platform, the fastest first. */
static void find_near(const struct bench *bench, struct point *point)
{
  double times[TUTTI_ADAPT_ARMS];
  const int best = tutti_decision_map_best_at(&bench->prior, point->ranks_index, point->size_index);
  const double least = tutti_decision_map_time(&bench->prior, point->ranks_index, point->size_index, best);
  point->count = 0;
  for (int m = 0; m < bench->prior.method_count; m++) {
    const double time = tutti_decision_map_time(&bench->prior, point->ranks_index, point->size_index, m);
    if (time <= NEAR_BEST * least)
      add_sorted(point, times, &bench->prior.methods[m], time);
  }
}

static void find_candidates(const struct bench *bench, const tutti_question *question, struct point *point)
{
  if (bench->has_prior)
    find_near(bench, point);
  else
    point->count = tutti_policy_candidates(&bench->policy, question, true, point->methods, TUTTI_ADAPT_ARMS);
  keep_known(bench, question, point);
}

/* ---- calls ---- */

/* Seconds of call number `call`: each has its own pattern and noise, the same whoever decides. */
static double call_time(const struct bench *bench, const struct point *point, const tutti_method *method, int call)
{
  uint64_t state = (uint64_t)call * 2 + 1;
  const int pattern = (int)(tutti_splitmix64_next(&state) % (uint64_t)bench->map_count);
  tutti_noise noise = bench->noise;
  noise.seed += (uint64_t)call;
  return time_of(&bench->maps[pattern], point, method) * tutti_noise_factor(&noise, method,
                                                                            bench->maps[0].ranks[point->ranks_index], 0,
                                                                            bench->maps[0].sizes[point->size_index]);
}

/* What a call takes in the mean. */
static double mean_time(const struct bench *bench, const struct point *point, const tutti_method *method)
{
  double sum = 0;
  for (int m = 0; m < bench->map_count; m++)
    sum += time_of(&bench->maps[m], point, method);
  return sum / bench->map_count;
}

static double least_time(const struct bench *bench, const struct point *point, const tutti_method *methods, int count)
{
  double least = INFINITY;
  for (int m = 0; m < count; m++)
    least = fmin(least, mean_time(bench, point, &methods[m]));
  return least;
}

/* Regret counts what the methods take in the mean: the luck of single calls is nobody's. */
static void run_adaptive(struct bench *bench, const struct point *point, double best)
{
  struct tutti_adaptation adaptation;
  double means[TUTTI_ADAPT_ARMS], sum = 0;
  int decided = CALLS;
  for (int i = 0; i < point->count; i++)
    means[i] = mean_time(bench, point, &point->methods[i]);
  tutti_adaptation_begin(&adaptation, point->count, TUTTI_ADAPT_BUDGET);
  for (int call = 0, step = 0; call < CALLS; call++) {
    bool trial;
    int count;
    const int arm = tutti_adaptation_pick(&adaptation, &trial);
    if (trial &&
        tutti_adaptation_end_trial(&adaptation, 0, call_time(bench, point, &point->methods[arm], call), &count))
      tutti_adaptation_agree(&adaptation);
    if (adaptation.decided && decided == CALLS)
      decided = call;
    sum += means[arm];
    if (call + 1 == steps[step]) {
      bench->regret[ADAPTIVE][step] += sum / (steps[step] * best) - 1;
      step++;
    }
  }
  bench->decided += adaptation.decided;
  bench->near +=
      adaptation.decided && means[adaptation.favorite] <= 1.05 * least_time(bench, point, point->methods, point->count);
  bench->decided_after += decided;
}

static void run_always(struct bench *bench, int way, double seconds, double best)
{
  for (int step = 0; step < STEPS; step++)
    bench->regret[way][step] += seconds / best - 1;
}

/* A point counts where all that decide have a time. */
static void run_point(struct bench *bench, struct point *point)
{
  const tutti_decision_map *map = &bench->maps[0];
  const tutti_question question = tutti_decision_map_question(map, point->ranks_index, point->size_index);
  double library[2];
  find_candidates(bench, &question, point);
  for (int l = 0; l < 2; l++) {
    tutti_method method;
    library[l] =
        bench->libraries[l].decide(&bench->libraries[l], &question, &method) ? mean_time(bench, point, &method) : NAN;
  }
  if (point->count == 0 || isnan(library[0]) || isnan(library[1]))
    return;
  const double best = least_time(bench, point, map->methods, map->method_count);
  bench->points++;
  run_adaptive(bench, point, best);
  run_always(bench, WITHOUT, mean_time(bench, point, &point->methods[0]), best);
  run_always(bench, OPEN_MPI, library[0], best);
  run_always(bench, MPICH, library[1], best);
  run_always(bench, BEST_CANDIDATE, least_time(bench, point, point->methods, point->count), best);
}

/* ---- the table ---- */

static void print(const struct bench *bench)
{
  printf(
      "%d points; decided in 10,000 calls: %d, after %.0f calls in the mean, within 5 %% of the best candidate: %d\n",
      bench->points, bench->decided, bench->decided_after / bench->points, bench->near);
  printf("%-28s %10s %10s %10s\n", "regret, %, after", "100", "1,000", "10,000 calls");
  for (int w = 0; w < WAYS; w++) {
    printf("%-28s", names[w]);
    for (int step = 0; step < STEPS; step++)
      printf(" %10.2f", 100 * bench->regret[w][step] / bench->points);
    printf("\n");
  }
}

/* ---- reading ---- */

static tutti_status read_patterns(char **arguments, struct bench *bench, tutti_error *error)
{
  tutti_patterns list;
  tutti_status status = tutti_patterns_read(arguments[5], NULL, " ", NULL, &list, error);
  for (size_t i = 0; i < list.arrival_count && status == TUTTI_OK && bench->map_count < PATTERNS; i++) {
    const tutti_selection selection = {.scheme = -1, .arrival = list.arrivals[i]};
    tutti_decision_map *map = &bench->maps[bench->map_count];
    status = store_map_read(arguments[0], arguments[1], arguments[2], selection, map, error);
    if (status == TUTTI_OK)
      bench->map_count++;
    if (status == TUTTI_OK && tutti_decision_map_points(map) != tutti_decision_map_points(&bench->maps[0]))
      status =
          tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: other points were measured than without a pattern", arguments[5]);
  }
  tutti_patterns_free(&list);
  return status;
}

static tutti_status read_bench(int count, char **arguments, struct bench *bench, tutti_error *error)
{
  const tutti_selection selection = {.scheme = -1};
  tutti_status status = store_map_read(arguments[0], arguments[1], arguments[2], selection, &bench->maps[0], error);
  bench->map_count = status == TUTTI_OK;
  bench->has_prior = strcmp(arguments[3], "-") != 0;
  if (status == TUTTI_OK && bench->has_prior)
    status = store_map_read(arguments[0], arguments[3], arguments[2], selection, &bench->prior, error);
  if (status == TUTTI_OK && bench->has_prior &&
      tutti_decision_map_points(&bench->prior) != tutti_decision_map_points(&bench->maps[0]))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: other points were measured there", arguments[3]);
  if (status == TUTTI_OK && count > 4)
    status = tutti_noise_parse(arguments[4], &bench->noise, error);
  if (status == TUTTI_OK && count > 5)
    status = read_patterns(arguments, bench, error);
  bench->collective = bench->maps[0].collective;
  if (status == TUTTI_OK)
    status = tutti_policy_read(&bench->policy, error);
  if (status == TUTTI_OK)
    status = tutti_decision_library("library:openmpi-4.1", bench->collective, &bench->libraries[0], error);
  if (status == TUTTI_OK)
    status = tutti_decision_library("library:mpich-4.0", bench->collective, &bench->libraries[1], error);
  return status;
}

int main(int argc, char **argv)
{
  static struct bench bench;
  tutti_error error;
  if (argc < 5 || argc > 7) {
    fprintf(stderr, "usage: bench-adapt STORE PLATFORM COLLECTIVE PRIOR|- [NOISE [ARRIVALS]]\n");
    return 2;
  }
  tutti_status status = read_bench(argc - 1, argv + 1, &bench, &error);
  if (status != TUTTI_OK) {
    fprintf(stderr, "bench-adapt: %s\n", error.message);
    return 2;
  }
  for (int r = 0; r < bench.maps[0].ranks_count; r++)
    for (int s = 0; s < bench.maps[0].size_count; s++) {
      struct point point = {.ranks_index = r, .size_index = s};
      run_point(&bench, &point);
    }
  if (bench.points == 0) {
    fprintf(stderr, "bench-adapt: no point has the times of all that decide\n");
    return 2;
  }
  print(&bench);
  return 0;
}
