/* Which points of a map are worth measuring: the sampler of `tutti bench --budget` beside other ways, on full maps.

   bench-samplers [OPTION...] COLLECTIVE STORE PRIOR ...
     STORE         a full map: the only environment of a store; its times are the truth
     PRIOR         the store of another platform, or "-": Hockney's model
     --seeds N     draws (default: 20)
     --noise X     standard deviation of the logarithm of what is measured (default: 0.04)
     --most X      the largest share of points (default: 0.2)
     --ways LIST   names, separated by commas (default: all)
     --prior       rivals that have no process learn relative to the prior as well
     --csv         all curves: map, way, budget, share, mean, worst and expected loss
   bench-samplers --time

   A measurement is the time of a point times a lognormal factor, the same for all ways. The loss of a cell is how much
   longer the method that a way has decided for takes than the fastest one, without noise; mean and worst are over
   cells, and means over the draws. By time: the sweep stops before the first point that exceeds the share of what all
   take. Deterministic, but for --time: milliseconds to choose among 50,000 points. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "samplers.h"

enum { STEPS = 6, MAX_STOPS = 128 };
static const double steps[STEPS] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2};

/* The aim: this mean loss. */
static const double AIM = 0.02;

struct options {
  int seeds;
  double noise, most;
  const char *ways;
  bool prior, csv, time;
};

/* ---- ways with a process ---- */

static void begin_process(struct sample_run *run)
{
  tutti_sampler_open(&run->sampler, run->map->points, run->map->count, NULL);
}

static void begin_random_process(struct sample_run *run)
{
  order_random(run);
  begin_process(run);
}

static void begin_coarse_process(struct sample_run *run)
{
  order_coarse(run);
  begin_process(run);
}

static double noise_of_process;

static size_t next_of_sampler(struct sample_run *run)
{
  double worth;
  size_t next[2];
  if (run->queued > 0)
    return run->queue[--run->queued];
  const int count = tutti_sampler_next(&run->sampler, noise_of_process, next, &worth);
  if (count == 0)
    return run->map->count;
  if (count == 2)
    run->queue[run->queued++] = next[1];
  return next[0];
}

const struct way ways[] = {
    {"ours", true, false, begin_process, next_of_sampler, NULL},
    {"ours by time", true, true, begin_process, next_of_sampler, NULL},
    {"random + process", true, false, begin_random_process, next_in_order, NULL},
    {"coarse to fine + process", true, false, begin_coarse_process, next_in_order, NULL},
    {"ACCLAiM", false, false, order_random, next_of_acclaim, predict_acclaim},
    {"FACT", false, false, order_random, next_of_fact, predict_fact},
    {"nearest neighbor", false, false, order_random, next_in_order, predict_nearest},
    {"regression a method", false, false, order_random, next_in_order, predict_regression},
    {"quadtree", false, false, begin_quadtree, next_of_quadtree, predict_quadtree},
};
const int way_count = sizeof ways / sizeof *ways;

/* ---- curves ---- */

struct loss {
  double mean, worst, expected; /* expected NaN: the way does not say it */
};

/* Sums over the seeds. */
struct curve {
  size_t stops[MAX_STOPS]; /* numbers of points, ascending */
  int stop_count;
  struct loss at_stop[MAX_STOPS], by_time[STEPS];
};

static int compare_counts(const void *left, const void *right)
{
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  return (a > b) - (a < b);
}

/* The steps, and each number of points that is a tenth above the one before. */
static void set_stops(struct curve *curve, size_t count, double most)
{
  *curve = (struct curve){.stop_count = 1};
  for (int s = 0; s < STEPS; s++)
    if (steps[s] <= most)
      curve->stops[curve->stop_count++] = (size_t)lround(steps[s] * (double)count);
  for (double at = 1; at <= most * (double)count && curve->stop_count < MAX_STOPS; at = fmax(at + 1, floor(1.1 * at)))
    curve->stops[curve->stop_count++] = (size_t)at;
  qsort(curve->stops, (size_t)curve->stop_count, sizeof *curve->stops, compare_counts);
  int kept = 1;
  for (int s = 1; s < curve->stop_count; s++)
    if (curve->stops[s] != curve->stops[kept - 1])
      curve->stops[kept++] = curve->stops[s];
  curve->stop_count = kept;
}

/* The best point of a cell by what is predicted; of several, or if all are unknown, by what they began with. */
static size_t choose(const struct sample_run *run, size_t cell)
{
  const double *predicted = run->predicted, *base = run->map->base;
  size_t best = run->map->first[cell];
  for (size_t i = best; i < run->map->first[cell + 1]; i++)
    if (predicted[i] < predicted[best] || (predicted[i] == predicted[best] && base[i] < base[best]))
      best = i;
  return best;
}

static struct loss decide(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  struct loss loss = {.expected = run->way->process ? 0 : NAN};
  if (run->way->predict)
    run->way->predict(run);
  for (size_t c = 0; c < map->cells; c++) {
    struct sampler_choice choice = {.loss = NAN};
    if (run->way->process)
      choice = tutti_sampler_choose(&run->sampler, c, EVIDENCE_CONFIDENCE);
    const size_t chosen = run->way->process ? choice.chosen : choose(run, c);
    const double own = map->seconds[chosen] / map->fastest[c] - 1;
    loss.mean += own / (double)map->cells;
    loss.worst = fmax(loss.worst, own);
    loss.expected += choice.loss / (double)map->cells;
  }
  return loss;
}

static void add(struct loss *sum, const struct loss *loss, int seeds)
{
  sum->mean += loss->mean / seeds;
  sum->worst += loss->worst / seeds;
  sum->expected += loss->expected / seeds;
}

/* A standard normal number that belongs to a measurement (Box, Muller 1958). */
static double normal_of(uint64_t seed, size_t point, int time)
{
  uint64_t state = tutti_splitmix64(tutti_splitmix64(seed + 1) + point) + (uint64_t)time;
  const double share = ((double)(tutti_splitmix64_next(&state) >> 11) + 0.5) * 0x1p-53,
               angle = (double)(tutti_splitmix64_next(&state) >> 11) * 0x1p-53;
  return sqrt(-2 * log(share)) * cos(2 * M_PI * angle);
}

static void measure(struct sample_run *run, size_t point, uint64_t seed, double noise)
{
  const double logarithm = run->map->truth[point] + noise * normal_of(seed, point, run->times[point]);
  const int times = ++run->times[point];
  run->values[point] += (logarithm - run->values[point]) / times;
  if (times == 1)
    run->known[run->known_count++] = point;
  if (!run->way->process)
    return;
  tutti_sampler_add(&run->sampler, point, logarithm, noise);
  const size_t twice = run->sampler.measured / SAMPLER_RESCALE;
  if (run->sampler.measured % SAMPLER_RESCALE == 0 && (twice & (twice - 1)) == 0)
    tutti_sampler_rescale(&run->sampler);
}

static void open_run(const struct sample_map *map, const struct way *way, uint64_t seed, struct sample_run *run)
{
  *run = (struct sample_run){.map = map, .way = way, .random = tutti_splitmix64(seed)};
  run->order = tutti_xcalloc(2 * map->count + 1, sizeof *run->order);
  run->known = run->order + map->count;
  run->values = tutti_xcalloc(2 * map->count + 1, sizeof *run->values);
  run->predicted = run->values + map->count;
  run->times = tutti_xcalloc(map->count + 1, sizeof *run->times);
  way->begin(run);
}

static void close_run(struct sample_run *run)
{
  if (run->way->process)
    tutti_sampler_close(&run->sampler);
  free(run->order);
  free(run->values);
  free(run->times);
  free(run->own);
}

/* Until the last stop; a way that stops before keeps its decision. */
static void follow(struct sample_run *run, uint64_t seed, const struct options *options, double all,
                   struct curve *curve)
{
  int stop = 0, step = 0;
  size_t measured = 0;
  double spent = 0;
  struct loss loss = {.mean = 0};
  bool going = true, current = false;
  while (stop < curve->stop_count || step < STEPS) {
    const size_t next = going && stop < curve->stop_count ? run->way->next(run) : run->map->count;
    going = next < run->map->count;
    const double after = going ? spent + run->map->seconds[next] : INFINITY;
    for (; step < STEPS && after > steps[step] * all; step++) {
      loss = current ? loss : decide(run);
      current = true;
      add(&curve->by_time[step], &loss, options->seeds);
    }
    for (; stop < curve->stop_count && (!going || curve->stops[stop] == measured); stop++) {
      loss = current ? loss : decide(run);
      current = true;
      add(&curve->at_stop[stop], &loss, options->seeds);
    }
    if (!going)
      break;
    measure(run, next, seed, options->noise);
    measured++;
    spent = after;
    current = false;
  }
}

static void set_costs(const struct sample_map *map, bool by_time)
{
  for (size_t i = 0; i < map->count; i++)
    map->points[i].cost = by_time ? exp(tutti_evidence_expected(&map->points[i].point)) : 1;
}

static void run_way(const struct sample_map *map, const struct way *way, const struct options *options,
                    struct curve *curve)
{
  double all = 0;
  for (size_t i = 0; i < map->count; i++)
    all += map->seconds[i];
  set_stops(curve, map->count, options->most);
  set_costs(map, way->by_time);
  for (int seed = 0; seed < options->seeds; seed++) {
    struct sample_run run;
    open_run(map, way, (uint64_t)seed, &run);
    follow(&run, (uint64_t)seed, options, all, curve);
    close_run(&run);
  }
}

/* ---- tables ---- */

static const struct loss *at_share(const struct curve *curve, double share, size_t count)
{
  const size_t wanted = (size_t)lround(share * (double)count);
  int at = 0;
  while (at + 1 < curve->stop_count && curve->stops[at] < wanted)
    at++;
  return &curve->at_stop[at];
}

/* From how many points on the mean loss stays at the aim; 0: from none. */
static size_t points_needed(const struct curve *curve)
{
  int at = curve->stop_count;
  while (at > 0 && curve->at_stop[at - 1].mean <= AIM)
    at--;
  return at < curve->stop_count ? (curve->stops[at] > 0 ? curve->stops[at] : 1) : 0;
}

static void print_loss(const struct loss *loss)
{
  if (isnan(loss->expected))
    printf(" %6.1f /%4.0f       |", 100 * loss->mean, 100 * loss->worst);
  else
    printf(" %6.1f /%4.0f /%5.1f |", 100 * loss->mean, 100 * loss->worst, 100 * loss->expected);
}

static void print_heading(const char *first)
{
  printf("\n| %-26s |", first);
  for (int s = 0; s < STEPS; s++)
    printf(" %16g %% |", 100 * steps[s]);
  printf("\n|---|");
  for (int s = 0; s < STEPS; s++)
    printf("---|");
  printf("\n");
}

static void print_needed(const struct sample_map *map, const struct curve *curves, const bool *asked)
{
  size_t best = 0;
  for (int w = 0; w < way_count; w++) {
    const size_t needed = asked[w] && !strstr(ways[w].name, "ours") ? points_needed(&curves[w]) : 0;
    best = needed > 0 && (best == 0 || needed < best) ? needed : best;
  }
  printf("\nPoints for a mean loss of %g %%, of %zu:\n", 100 * AIM, map->count);
  for (int w = 0; w < way_count; w++) {
    const size_t needed = asked[w] ? points_needed(&curves[w]) : 0;
    if (asked[w] && needed == 0)
      printf("%-28s more than %zu\n", ways[w].name, curves[w].stops[curves[w].stop_count - 1]);
    else if (asked[w]) {
      printf("%-28s %5zu  a full sweep has %.1f times as many", ways[w].name, needed,
             (double)map->count / (double)needed);
      if (best > 0)
        printf(", the best rival %.2f times\n", (double)best / (double)needed);
      else
        printf(", any rival more than %.2f times\n",
               (double)curves[w].stops[curves[w].stop_count - 1] / (double)needed);
    }
  }
}

static void print_tables(const char *title, const struct sample_map *map, const struct curve *curves, const bool *asked)
{
  printf("\n%s: %zu points, %zu cells, %zu methods. Mean loss / worst / expected, in %%\n", title, map->count,
         map->cells, map->methods);
  for (int by_time = 0; by_time < 2; by_time++) {
    print_heading(by_time ? "share of the time of all points" : "share of points");
    for (int w = 0; w < way_count; w++) {
      if (!asked[w])
        continue;
      printf("| %-26s |", ways[w].name);
      for (int s = 0; s < STEPS; s++)
        print_loss(by_time ? &curves[w].by_time[s] : at_share(&curves[w], steps[s], map->count));
      printf("\n");
    }
  }
}

static void print_csv(const struct sample_map *map, const struct curve *curves, const bool *asked)
{
  for (int w = 0; w < way_count; w++) {
    for (int s = 0; asked[w] && s < curves[w].stop_count; s++) {
      const struct loss *loss = &curves[w].at_stop[s];
      printf("%s,\"%s\",points,%.6g,%.6g,%.6g,%.6g\n", map->name, ways[w].name,
             (double)curves[w].stops[s] / (double)map->count, loss->mean, loss->worst, loss->expected);
    }
    for (int s = 0; asked[w] && s < STEPS; s++) {
      const struct loss *loss = &curves[w].by_time[s];
      printf("%s,\"%s\",time,%.6g,%.6g,%.6g,%.6g\n", map->name, ways[w].name, steps[s], loss->mean, loss->worst,
             loss->expected);
    }
  }
}

/* ---- several maps ---- */

/* Means over maps at the steps. */
static void add_to_mean(const struct sample_map *map, const struct curve *curve, int maps, struct curve *mean)
{
  mean->stop_count = STEPS;
  for (int s = 0; s < STEPS; s++) {
    mean->stops[s] = (size_t)lround(steps[s] * 1e6);
    add(&mean->at_stop[s], at_share(curve, steps[s], map->count), maps);
    add(&mean->by_time[s], &curve->by_time[s], maps);
  }
}

static tutti_status run_map(char **arguments, int maps, const struct options *options, const bool *asked,
                            struct curve *means, tutti_error *error)
{
  struct sample_map map;
  struct curve *curves = tutti_xcalloc((size_t)way_count, sizeof *curves);
  const tutti_status status = sample_map_read(arguments[0], arguments[1], arguments[2], options->prior, &map, error);
  for (int w = 0; w < way_count && status == TUTTI_OK; w++)
    if (asked[w]) {
      run_way(&map, &ways[w], options, &curves[w]);
      add_to_mean(&map, &curves[w], maps, &means[w]);
    }
  if (status == TUTTI_OK && options->csv)
    print_csv(&map, curves, asked);
  else if (status == TUTTI_OK) {
    print_tables(map.name, &map, curves, asked);
    print_needed(&map, curves, asked);
  }
  fflush(stdout);
  sample_map_free(&map);
  free(curves);
  return status;
}

/* ---- time of a choice ---- */

enum { METHODS = 30, CELLS = 1667, CANDIDATES = METHODS * CELLS, MEASURED = 500, ROUNDS = 5 };

static void make_candidates(struct sampler_point *points)
{
  for (size_t i = 0; i < CANDIDATES; i++) {
    const size_t cell = i / METHODS, method = i % METHODS;
    points[i] = (struct sampler_point){.point = {.size = (double)(cell % 64) / 2,
                                                 .ranks = (double)(cell / 64) / 2,
                                                 .longer = 0.1 * (double)((method * 7 + cell) % METHODS)},
                                       .cell = cell,
                                       .method = method,
                                       .cost = 1};
    for (int l = 0; l < EVIDENCE_LABELS; l++)
      points[i].point.labels[l] = l == EVIDENCE_JOB                                 ? (int)(cell / 64)
                                  : l == EVIDENCE_ALGORITHM || l == EVIDENCE_METHOD ? (int)method
                                  : l == EVIDENCE_FAMILY                            ? (int)method / 3
                                                                                    : 0;
  }
}

static void time_choices(void)
{
  struct sampler_point *points = tutti_xcalloc(CANDIDATES, sizeof *points);
  struct sampler sampler;
  double worth;
  size_t next[2];
  make_candidates(points);
  tutti_sampler_open(&sampler, points, CANDIDATES, NULL);
  printf("%d candidates, processor time: ms to choose, ms to add a measurement\n", CANDIDATES);
  for (int measured = 0; measured < MEASURED;) {
    double least = INFINITY, adding = INFINITY;
    const bool stop = (measured + 1) % 100 == 0;
    for (int r = 0; r < (stop ? ROUNDS : 1); r++) {
      const double start = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
      (void)tutti_sampler_next(&sampler, 0.04, next, &worth);
      least = fmin(least, tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    const double start = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
    tutti_sampler_add(&sampler, next[0], points[next[0]].point.longer + 0.04 * normal_of(1, next[0], measured++), 0.04);
    adding = tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (stop)
      printf("%d measured: %.1f %.1f\n", measured, 1e3 * least, 1e3 * adding);
  }
  tutti_sampler_close(&sampler);
  free(points);
}

/* ---- options ---- */

static bool is_asked(const char *list, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
      return true;
  return !list;
}

static bool read_options(int argc, char **argv, struct options *options)
{
  static const struct option table[] = {
      {"seeds", required_argument, NULL, 's'}, {"noise", required_argument, NULL, 'n'},
      {"most", required_argument, NULL, 'm'},  {"ways", required_argument, NULL, 'w'},
      {"prior", no_argument, NULL, 'p'},       {"csv", no_argument, NULL, 'c'},
      {"time", no_argument, NULL, 't'},        {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(argc, argv, "", table, NULL)) != -1)
    switch (option) {
    case 's':
      options->seeds = atoi(optarg);
      break;
    case 'n':
      options->noise = atof(optarg);
      break;
    case 'm':
      options->most = atof(optarg);
      break;
    case 'w':
      options->ways = optarg;
      break;
    case 'p':
      options->prior = true;
      break;
    case 'c':
      options->csv = true;
      break;
    case 't':
      options->time = true;
      break;
    default:
      return false;
    }
  const int left = argc - optind;
  return options->seeds > 0 && options->noise >= 0 && options->most > 0 && options->most <= 1 &&
         (options->time ? left == 0 : left > 0 && left % 3 == 0);
}

int main(int argc, char **argv)
{
  struct options options = {.seeds = 20, .noise = 0.04, .most = 0.2};
  tutti_error error;
  bool asked[sizeof ways / sizeof *ways];
  if (!read_options(argc, argv, &options)) {
    fprintf(stderr, "usage: bench-samplers [OPTION...] COLLECTIVE STORE PRIOR|- ...; its head says more\n");
    return 2;
  }
  if (options.time) {
    time_choices();
    return 0;
  }
  const int maps = (argc - optind) / 3;
  struct curve *means = tutti_xcalloc((size_t)way_count, sizeof *means);
  noise_of_process = options.noise;
  for (int w = 0; w < way_count; w++)
    asked[w] = is_asked(options.ways, ways[w].name);
  if (options.csv)
    printf("map,way,budget,share,mean,worst,expected\n");
  for (int m = 0; m < maps; m++)
    if (run_map(argv + optind + 3 * m, maps, &options, asked, means, &error) != TUTTI_OK) {
      fprintf(stderr, "bench-samplers: %s\n", error.message);
      free(means);
      return 2;
    }
  if (maps > 1 && !options.csv)
    print_tables("Mean over maps", &(struct sample_map){.count = 1000000}, means, asked);
  free(means);
  return 0;
}
