/* Derivatives, intervals and tolerances of a method's time by every parameter of a model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tutti/predict.h"

struct call {
  const tutti_predictor *predictor;
  const tutti_method *methods;
  const int *competitors; /* indices of methods */
  int ranks;
  uint64_t bytes;
  int parameter;
  bool factor;               /* of a table: it is 1 again once it has been multiplied, and none has a derivative at 0 */
  tutti_plogp_point *points; /* of the changed model */
};

static tutti_status time_at(const void *context, int function, double x, tutti_line *line, tutti_error *error)
{
  const struct call *call = context;
  tutti_predictor changed = *call->predictor;
  tutti_slope slopes[TUTTI_MAX_SLOPES];
  int count;
  const double value = call->factor ? fmax(x, 1e-12) : x;
  changed.model = tutti_model_changed(&call->predictor->model, call->parameter, value, call->points);
  tutti_status status = tutti_predict_slopes(&changed, &call->methods[call->competitors[function]], call->ranks,
                                             call->bytes, &line->seconds, slopes, &count, error);
  if (status == TUTTI_OK)
    line->slope = call->factor ? slopes[call->parameter].slope / value : slopes[call->parameter].slope;
  return status;
}

/* What was not found is left out; other failures are handed on. */
static tutti_status forgive(tutti_status status)
{
  return status == TUTTI_ERR_UNSUPPORTED ? TUTTI_OK : status;
}

static int method_at(const int *competitors, int function)
{
  return function < 0 ? -1 : competitors[function];
}

static tutti_status fill_row(const tutti_times_of_x *times, const int *competitors, tutti_sensitivity *row,
                             tutti_error *error)
{
  const double x = row->slope.value;
  row->interval = (tutti_interval){NAN, NAN, -1, -1};
  for (int i = 0; i < TUTTI_TOLERANCES; i++)
    row->more[i] = NAN;
  row->jump = NAN;
  if (!(x > 0))
    return TUTTI_OK;
  tutti_status status = forgive(tutti_sensitivity_interval(times, 0, x, &row->interval, error));
  row->interval.below = method_at(competitors, row->interval.below);
  row->interval.above = method_at(competitors, row->interval.above);
  if (status == TUTTI_OK)
    status = forgive(tutti_sensitivity_tolerances(times, 0, x, row->more, &row->jump, error));
  return status;
}

/* The chosen method, then the others that serve the call. */
static int find_competitors(const tutti_predictor *predictor, const tutti_method *methods, int method_count, int chosen,
                            int ranks, uint64_t bytes, int *competitors)
{
  int count = 0;
  double ignored;
  tutti_predictor by_schedule = *predictor;
  by_schedule.by = TUTTI_BY_SCHEDULE;
  competitors[count++] = chosen;
  for (int m = 0; m < method_count; m++)
    if (m != chosen && tutti_predict_time(&by_schedule, &methods[m], ranks, bytes, &ignored, NULL) == TUTTI_OK)
      competitors[count++] = m;
  return count;
}

tutti_status tutti_predict_sensitivities(const tutti_predictor *predictor, const tutti_method *methods,
                                         int method_count, int chosen, int ranks, uint64_t bytes, double *seconds,
                                         tutti_sensitivity rows[TUTTI_MAX_SLOPES], int *count, tutti_error *error)
{
  tutti_slope slopes[TUTTI_MAX_SLOPES];
  tutti_status status = tutti_predict_slopes(predictor, &methods[chosen], ranks, bytes, seconds, slopes, count, error);
  if (status != TUTTI_OK)
    return status;
  int *competitors = tutti_xmalloc((size_t)method_count * sizeof *competitors);
  const bool table = predictor->model.kind == TUTTI_MODEL_PLOGP;
  struct call call = {.predictor = predictor,
                      .methods = methods,
                      .competitors = competitors,
                      .ranks = ranks,
                      .bytes = bytes,
                      .points = tutti_xcalloc(table ? predictor->model.network.plogp.count : 1, sizeof *call.points)};
  const int functions = find_competitors(predictor, methods, method_count, chosen, ranks, bytes, competitors);
  const tutti_times_of_x times = {time_at, &call, functions, 0};
  for (; call.parameter < *count && status == TUTTI_OK; call.parameter++) {
    rows[call.parameter].slope = slopes[call.parameter];
    call.factor = strcmp(slopes[call.parameter].unit, "1") == 0;
    status = fill_row(&times, competitors, &rows[call.parameter], error);
  }
  free(call.points);
  free(competitors);
  return status;
}
