/* The models as pricing sees them. */
#include <math.h>

#include "tutti/model.h"

static void hockney_message(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  const tutti_hockney *h = context;
  *cost = (tutti_message_cost){.gap = h->alpha + h->beta * (double)bytes};
}

static void loggp_message(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  const tutti_loggp *l = context;
  double wire = bytes > 1 ? (double)(bytes - 1) * l->G : 0;
  *cost = (tutti_message_cost){.send = l->o, .gap = fmax(l->g, l->o) + wire, .transit = wire, .receive = l->o};
}

static void plogp_message(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  const tutti_plogp *p = context;
  double m = (double)bytes, g = tutti_plogp_g(p, m), receive = tutti_plogp_o_r(p, m);
  *cost = (tutti_message_cost){
      .send = tutti_plogp_o_s(p, m), .gap = g, .transit = fmax(0, g - receive), .receive = receive};
}

tutti_costs tutti_model_costs(const tutti_model *model)
{
  tutti_costs costs = {.gamma = model->gamma, .delta = model->delta};
  switch (model->kind) {
  case TUTTI_MODEL_HOCKNEY:
    costs.rendezvous = true;
    costs.message = hockney_message;
    costs.context = &model->network.hockney;
    break;
  case TUTTI_MODEL_LOGGP:
    costs.latency = model->network.loggp.L + model->network.loggp.o;
    costs.message = loggp_message;
    costs.context = &model->network.loggp;
    break;
  default:
    costs.latency = model->network.plogp.L;
    costs.message = plogp_message;
    costs.context = &model->network.plogp;
    break;
  }
  return costs;
}
