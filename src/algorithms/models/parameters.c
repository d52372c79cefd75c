/* Parameters of the point-to-point models (Pjesivac-Grbovic 2007, section 4.2.1; table 4.1), and the models as pricing
   sees them. */
#include <math.h>

#include "tutti/model.h"

/* Position of m among the points: between points index and index + 1, `weight` of the way from one to the other. */
struct place {
  size_t index;
  double weight;
};

/* Without branches, which would be mispredicted at every other step: decisions ask for dozens of sizes. */
static struct place place_of(const tutti_plogp *plogp, double m)
{
  const tutti_plogp_point *low = plogp->points;
  if (plogp->count == 1 || m <= low->m)
    return (struct place){0, 0};
  for (size_t left = plogp->count - 1; left > 1; left -= left / 2)
    low += low[left / 2].m <= m ? left / 2 : 0;
  return (struct place){(size_t)(low - plogp->points), (m - low->m) / (low[1].m - low->m)};
}

static double between(double first, double second, double weight)
{
  return first + weight * (second - first);
}

#define VALUE(plogp, m, member)                                                                                        \
  struct place place = place_of(plogp, m);                                                                             \
  const tutti_plogp_point *p = &(plogp)->points[place.index];                                                          \
  return place.weight == 0 ? p[0].member : between(p[0].member, p[1].member, place.weight)

double tutti_plogp_g(const tutti_plogp *plogp, double m)
{
  VALUE(plogp, m, g);
}

double tutti_plogp_o_s(const tutti_plogp *plogp, double m)
{
  VALUE(plogp, m, o_s);
}

double tutti_plogp_o_r(const tutti_plogp *plogp, double m)
{
  VALUE(plogp, m, o_r);
}

tutti_loggp tutti_loggp_from_plogp(const tutti_plogp *plogp)
{
  double g = tutti_plogp_g(plogp, 1), o_s = tutti_plogp_o_s(plogp, 1), o_r = tutti_plogp_o_r(plogp, 1), G = 0;
  if (plogp->count > 1) {
    const tutti_plogp_point *p = &plogp->points[plogp->count - 2];
    G = (p[1].g - p[0].g) / (p[1].m - p[0].m);
  }
  return (tutti_loggp){.L = plogp->L + g - o_s - o_r, .o = (o_s + o_r) / 2, .g = g, .G = G};
}

const char *tutti_model_kind_name(tutti_model_kind kind)
{
  switch (kind) {
  case TUTTI_MODEL_HOCKNEY:
    return "hockney";
  case TUTTI_MODEL_LOGGP:
    return "loggp";
  case TUTTI_MODEL_PLOGP:
    return "plogp";
  default:
    return NULL;
  }
}

struct named {
  const char *name;
  double value;
};

static tutti_status check_all(const struct named *values, int count, tutti_error *error)
{
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i].value) || values[i].value < 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "model parameter %s is %g, not a finite value of at least 0",
                        values[i].name, values[i].value);
  return TUTTI_OK;
}

static tutti_status check_point(const tutti_plogp *plogp, size_t index, tutti_error *error)
{
  const tutti_plogp_point *p = &plogp->points[index];
  if (index > 0 && !(p->m > p[-1].m))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "PLogP point %zu: size %g does not come after %g", index, p->m,
                      p[-1].m);
  return check_all((struct named[]){{"m", p->m}, {"g(m)", p->g}, {"o_s(m)", p->o_s}, {"o_r(m)", p->o_r}}, 4, error);
}

static tutti_status check_plogp(const tutti_plogp *plogp, tutti_error *error)
{
  tutti_status status = check_all((struct named[]){{"L", plogp->L}}, 1, error);
  if (status == TUTTI_OK && plogp->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "PLogP needs the gap and overheads of one message size at least");
  for (size_t i = 0; i < plogp->count && status == TUTTI_OK; i++)
    status = check_point(plogp, i, error);
  return status;
}

static tutti_status check_network(const tutti_model *model, tutti_error *error)
{
  const tutti_hockney *h = &model->network.hockney;
  const tutti_loggp *l = &model->network.loggp;
  switch (model->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return check_all((struct named[]){{"alpha", h->alpha}, {"beta", h->beta}}, 2, error);
  case TUTTI_MODEL_LOGGP:
    return check_all((struct named[]){{"L", l->L}, {"o", l->o}, {"g", l->g}, {"G", l->G}}, 4, error);
  case TUTTI_MODEL_PLOGP:
    return check_plogp(&model->network.plogp, error);
  default:
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no model is numbered %d", (int)model->kind);
  }
}

tutti_status tutti_model_check(const tutti_model *model, tutti_error *error)
{
  tutti_status status = check_all((struct named[]){{"gamma", model->gamma}, {"delta", model->delta}}, 2, error);
  return status == TUTTI_OK ? check_network(model, error) : status;
}

/* ---- costs of pricing ---- */

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
