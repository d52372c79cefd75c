/* Derivatives of prices (sensitivity.h) against central differences, for every algorithm on 2 to 64 ranks under the
   three models, with drawn parameters; and what the derivatives cost.

   bench-sensitivity [ROUNDS [SEED [FOLDER]]]: how many were compared, how many were not because the path changes, and
   the largest relative difference of those that make up more than a thousandth of the time; processor time with and
   without, of prices and of simulations on platforms of the folder (default: platforms), and how many simulations find
   the links that a time depends on most. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/engine/riders/link_slopes.h"
#include "harness/engine/riders/method_slopes.h"
#include "tutti/sensitivity.h"

struct tally {
  long compared, bent;
  double worst, with_s, without_s;
};

static double drawn(uint64_t *seed, double least, double most)
{
  return least * pow(most / least, (double)(tutti_splitmix64_next(seed) >> 11) * 0x1p-53);
}

static tutti_model draw_model(int kind, uint64_t *seed, tutti_plogp_point points[2])
{
  tutti_model model = {
      .kind = (tutti_model_kind)kind, .gamma = drawn(seed, 1e-10, 1e-8), .delta = drawn(seed, 1e-10, 1e-8)};
  const double latency = drawn(seed, 1e-6, 1e-4), byte = drawn(seed, 1e-10, 1e-8), o = drawn(seed, 1e-7, 1e-5);
  if (kind == TUTTI_MODEL_HOCKNEY)
    model.network.hockney = (tutti_hockney){latency, byte};
  else if (kind == TUTTI_MODEL_LOGGP)
    model.network.loggp = (tutti_loggp){latency, o, drawn(seed, 1e-7, 1e-5), byte};
  else {
    points[0] = (tutti_plogp_point){0, 2.1 * o, o, 0.7 * o};
    points[1] = (tutti_plogp_point){1e5, 2.3 * o + 1e5 * byte, o + 2e4 * byte, o + 3e4 * byte};
    model.network.plogp = (tutti_plogp){latency, points, 2};
  }
  return model;
}

struct priced {
  tutti_price price; /* with its path, if slopes are wanted */
  tutti_slope slopes[TUTTI_MAX_SLOPES];
  int count; /* 0: none */
};

static bool price(const tutti_model *model, const tutti_method *method, const tutti_call *call, bool path,
                  struct priced *priced, double *spent)
{
  const tutti_price_options options = {.path = path};
  const tutti_costs costs = tutti_model_costs(model);
  const double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (tutti_price_method(method, call, &costs, &options, &priced->price, NULL) != TUTTI_OK)
    return false;
  *spent += tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun;
  priced->count = path ? tutti_model_slopes(model, &priced->price, priced->slopes) : 0;
  return true;
}

/* The same steps, and so many of each cost; where g takes the place of o the slope is another one. */
static bool is_alike(const struct priced *a, const struct priced *b, int parameter, double factor)
{
  const tutti_price *p = &a->price, *q = &b->price;
  bool alike =
      p->path_length == q->path_length && p->term_count == q->term_count && p->latencies == q->latencies &&
      fabs(b->slopes[parameter].slope / factor - a->slopes[parameter].slope) <= 1e-9 * a->slopes[parameter].slope;
  for (size_t i = 0; alike && i < p->path_length; i++)
    alike = p->path[i].rank == q->path[i].rank && p->path[i].vertex == q->path[i].vertex;
  return alike && memcmp(p->terms, q->terms, p->term_count * sizeof *p->terms) == 0;
}

static void compare(const tutti_model *model, const tutti_method *method, const tutti_call *call, int parameter,
                    const struct priced *here, struct tally *tally)
{
  const tutti_slope *slope = &here->slopes[parameter];
  const double step = 1e-3 * slope->value;
  double times[2], ignored = 0;
  bool alike = true;
  for (int i = 0; i < 2; i++) {
    tutti_plogp_point points[2];
    struct priced side;
    const double value = slope->value + (2 * i - 1) * step, factor = *slope->unit == '1' ? value : 1;
    const tutti_model changed = tutti_model_changed(model, parameter, value, points);
    price(&changed, method, call, true, &side, &ignored);
    times[i] = side.price.seconds;
    alike = alike && is_alike(here, &side, parameter, factor);
    tutti_price_free(&side.price);
  }
  *(alike ? &tally->compared : &tally->bent) += 1;
  if (alike && slope->slope * slope->value > 1e-3 * here->price.seconds)
    tally->worst = fmax(tally->worst, fabs((times[1] - times[0]) / (2 * step) / slope->slope - 1));
}

static void check(const tutti_method *method, uint64_t *seed, struct tally *tally)
{
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++) {
    tutti_plogp_point points[2];
    const tutti_model model = draw_model(kind, seed, points);
    const bool barrier = method->algorithm->collective == TUTTI_COLL_BARRIER;
    const tutti_call call = {.size = 2 + (int)(tutti_splitmix64_next(seed) % 63),
                             .count = barrier ? 0 : (uint64_t)drawn(seed, 1, 1e6),
                             .type_size = 1,
                             .commutative = true};
    struct priced here;
    if (tutti_collective_traits(method->algorithm->collective) & TUTTI_IS_IRREGULAR ||
        !price(&model, method, &call, false, &here, &tally->without_s))
      continue;
    price(&model, method, &call, true, &here, &tally->with_s);
    for (int p = 0; p < here.count && here.price.seconds > 0; p++)
      compare(&model, method, &call, p, &here, tally);
    tutti_price_free(&here.price);
  }
}

/* ---- simulations ---- */

struct simulated {
  struct engine_machine machine;
  tutti_method method;
  tutti_call call;
};

static tutti_status time_changed(const void *context, const struct engine_change *change, double *seconds,
                                 struct engine_slope *slopes, tutti_error *error)
{
  const struct simulated *s = context;
  struct engine_machine machine = s->machine;
  machine.change = change;
  return tutti_method_slopes(&machine, &s->method, &s->call, seconds, slopes, error);
}

static double spent_on(const struct simulated *s, struct engine_slope *slopes)
{
  double seconds;
  const double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < 20; i++)
    if (tutti_method_slopes(&s->machine, &s->method, &s->call, &seconds, slopes, NULL) != TUTTI_OK)
      return NAN;
  return tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun;
}

static void simulate(const char *folder, const char *platform)
{
  static const char *const methods[] = {"bcast/pipeline/1KB", "allreduce/rabenseifner", "alltoall/pairwise"};
  char *path = tutti_xprintf("%s/%s.xml", folder, platform);
  struct simulated s = {.call = {.size = 64, .count = 65536, .type_size = 1, .commutative = true}};
  tutti_error error = {0};
  const bool read = tutti_machine_read(path, &s.machine, &error) == TUTTI_OK;
  if (!read)
    fprintf(stderr, "bench-sensitivity: %s\n", error.message);
  free(path);
  for (size_t m = 0; m < sizeof methods / sizeof *methods && read; m++) {
    struct engine_slope slopes;
    struct link_slopes links;
    if (tutti_method_parse(methods[m], &s.method, &error) != TUTTI_OK)
      continue;
    (void)spent_on(&s, NULL);
    const double without = spent_on(&s, NULL), with = spent_on(&s, &slopes);
    if (tutti_link_slopes_find(&s.machine, time_changed, &s, &links, &error) == TUTTI_OK)
      printf(
          "%s on 64 ranks of %s: a simulation with all derivatives takes %.2f times as long; the %d links of %u that "
          "matter most are found by %d\n",
          methods[m], platform, with / without, links.count, (unsigned)s.machine.network.link_count, links.passes);
  }
  if (read)
    tutti_machine_free(&s.machine);
}

int main(int argc, char **argv)
{
  struct tally tally = {.compared = 0};
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  for (int round = 0; round < (argc > 1 ? atoi(argv[1]) : 1); round++)
    for (size_t i = 0; i < tutti_algorithm_count(); i++) {
      const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
      check(&method, &seed, &tally);
    }
  printf("%ld derivatives compared, %ld where the path changes; largest relative difference %.3g; a price with all "
         "derivatives takes %.2f times as long as one without\n",
         tally.compared, tally.bent, tally.worst, tally.with_s / tally.without_s);
  static const char *const platforms[] = {"grig_mx", "fast_ethernet", "bgp", "hdr_fat_tree", "slingshot_dragonfly"};
  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++)
    simulate(argc > 3 ? argv[3] : "platforms", platforms[i]);
  return tally.worst > 1e-6;
}
