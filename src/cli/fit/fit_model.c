/* What Hockney's model says of measured points: its latency and time a byte are those of two messages on the platform,
   the schedules are priced. */
#include <math.h>

#include "cli/fit/fit.h"
#include "tutti/model.h"
#include "tutti/predict.h"

enum { SMALL = 4, LARGE = 1 << 20 };

/* A message between the first two hosts: a broadcast to one other rank. */
static double simulate_message(struct fit_machines *machines, uint64_t bytes)
{
  struct fit_point point = {
      .measured = {.ranks = 2, .ranks_per_node = 1, .count = bytes / SMALL, .type_size = SMALL, .rank_bytes = bytes},
      .run = ""};
  must(tutti_method_parse("bcast/linear", &point.measured.method, &failure));
  must(fit_machines_simulate(machines, &point, &failure));
  return point.seconds;
}

void fit_model_read(struct fit_machines *machines, tutti_predictor *predictor)
{
  const double small = simulate_message(machines, SMALL), large = simulate_message(machines, LARGE);
  const double beta = (large - small) / (LARGE - SMALL), gamma = 1 / machines->items[0].machine.speed;
  *predictor = (tutti_predictor){.by = TUTTI_BY_SCHEDULE, .element = SMALL, .weight = 1};
  predictor->model = (tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .gamma = gamma, .delta = gamma};
  predictor->model.network.hockney.alpha = small - SMALL * beta;
  predictor->model.network.hockney.beta = beta;
}

void fit_model_price(const tutti_predictor *predictor, struct fit_point *point)
{
  const tutti_measurement *measured = &point->measured;
  tutti_method method = measured->method;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  point->modelled = NAN;
  tutti_predict_time(predictor, &method, measured->ranks, measured->rank_bytes, &point->modelled, NULL);
}
