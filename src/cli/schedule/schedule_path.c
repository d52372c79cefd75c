/* tutti schedule --critical-path: the vertices on which the completion time hangs. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/schedule/schedule_files.h"

static const char *const verbs[] = {"sends to", "receives from", "reduces", "copies"};

static void print_step(const tutti_price_step *step)
{
  char peer[16] = "";
  if (step->peer >= 0)
    snprintf(peer, sizeof peer, " %d", step->peer);
  printf("  %14.3f %14.3f  %7d  %s%s, %" PRIu64 " B\n", 1e6 * step->start, 1e6 * step->end, step->rank,
         verbs[step->kind], peer, step->bytes);
}

tutti_status schedule_path_print(const tutti_method *method, const tutti_call *call, const tutti_model *model,
                                 tutti_error *error)
{
  tutti_price price;
  const tutti_price_options options = {.path = true};
  tutti_costs costs = tutti_model_costs(model);
  tutti_status status = tutti_price_method(method, call, &costs, &options, &price, error);
  if (status != TUTTI_OK)
    return status;
  printf("critical path    %.3f us under %s, %zu steps\n\n      begin [us]       end [us]     rank\n",
         1e6 * price.seconds, tutti_model_kind_name(model->kind), price.path_length);
  for (size_t i = 0; i < price.path_length; i++)
    print_step(&price.path[i]);
  tutti_price_free(&price);
  return TUTTI_OK;
}
