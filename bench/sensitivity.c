/* Derivatives of prices (sensitivity.h) against central differences, for every algorithm on 2 to 64 ranks under the
   three models, with drawn parameters; and what the derivatives cost.

   bench-sensitivity [ROUNDS [SEED]]: how many were compared, how many were not because the path changes, and the
   largest relative difference of those that make up more than a thousandth of the time; processor time with and
   without. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/splitmix64.h"
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

static bool price(const tutti_model *model, const tutti_method *method, const tutti_call *call, bool path,
                  double *seconds, tutti_slope *slopes, double *spent)
{
  const tutti_price_options options = {.path = path};
  const tutti_costs costs = tutti_model_costs(model);
  const double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  tutti_price result;
  if (tutti_price_method(method, call, &costs, &options, &result, NULL) != TUTTI_OK)
    return false;
  *spent += tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun;
  *seconds = result.seconds;
  if (path)
    tutti_model_slopes(model, &result, slopes);
  tutti_price_free(&result);
  return true;
}

static void compare(const tutti_model *model, const tutti_method *method, const tutti_call *call, int parameter,
                    const tutti_slope *here, double seconds, struct tally *tally)
{
  const double step = 1e-3 * here->value;
  double times[2];
  tutti_slope sides[2][TUTTI_MAX_SLOPES];
  tutti_plogp_point points[2];
  double ignored = 0;
  for (int i = 0; i < 2; i++) {
    const double value = here->value + (2 * i - 1) * step, factor = *here->unit == '1' ? value : 1;
    const tutti_model changed = tutti_model_changed(model, parameter, value, points);
    price(&changed, method, call, true, &times[i], sides[i], &ignored);
    if (fabs(sides[i][parameter].slope / factor - here->slope) > 1e-12 * here->slope) {
      tally->bent++;
      return;
    }
  }
  tally->compared++;
  if (here->slope * here->value > 1e-3 * seconds)
    tally->worst = fmax(tally->worst, fabs((times[1] - times[0]) / (2 * step) / here->slope - 1));
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
    double seconds;
    tutti_slope slopes[TUTTI_MAX_SLOPES];
    if (tutti_collective_traits(method->algorithm->collective) & TUTTI_IS_IRREGULAR ||
        !price(&model, method, &call, false, &seconds, slopes, &tally->without_s))
      continue;
    price(&model, method, &call, true, &seconds, slopes, &tally->with_s);
    for (int p = 0; p < (kind == TUTTI_MODEL_HOCKNEY ? 4 : 6) && seconds > 0; p++)
      compare(&model, method, &call, p, &slopes[p], seconds, tally);
  }
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
  return tally.worst > 1e-6;
}
