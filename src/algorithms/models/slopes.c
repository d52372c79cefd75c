/* Derivatives of a price by the parameters of its model, and the model with one of them changed. */
#include <math.h>

#include "tutti/sensitivity.h"

static int append_times(const tutti_model *model, const tutti_price *price, tutti_slope *slopes)
{
  slopes[0] = (tutti_slope){"gamma", "s/B", model->gamma, price->reduced_B};
  slopes[1] = (tutti_slope){"delta", "s/B", model->delta, price->copied_B};
  return 2;
}

static int hockney_slopes(const tutti_hockney *h, const tutti_price *price, tutti_slope *slopes)
{
  slopes[0] = (tutti_slope){"alpha", "s", h->alpha, 0};
  slopes[1] = (tutti_slope){"beta", "s/B", h->beta, 0};
  for (const tutti_price_term *t = price->terms; t < price->terms + price->term_count; t++) {
    slopes[0].slope += (double)t->gaps;
    slopes[1].slope += (double)t->gaps * (double)t->bytes;
  }
  return 2;
}

enum { LOGGP_L, LOGGP_o, LOGGP_g, LOGGP_G, LOGGP_SLOPES };

static int loggp_slopes(const tutti_loggp *l, const tutti_price *price, tutti_slope *slopes)
{
  slopes[LOGGP_L] = (tutti_slope){"L", "s", l->L, (double)price->latencies};
  slopes[LOGGP_o] = (tutti_slope){"o", "s", l->o, (double)price->latencies}; /* the send of each */
  slopes[LOGGP_g] = (tutti_slope){"g", "s", l->g, 0};
  slopes[LOGGP_G] = (tutti_slope){"G", "s/B", l->G, 0};
  for (const tutti_price_term *t = price->terms; t < price->terms + price->term_count; t++) {
    slopes[LOGGP_o].slope += (double)(t->sends + t->receives);
    slopes[l->o > l->g ? LOGGP_o : LOGGP_g].slope += (double)t->gaps;
    slopes[LOGGP_G].slope += (double)(t->gaps + t->transits) * (t->bytes > 1 ? (double)(t->bytes - 1) : 0);
  }
  return LOGGP_SLOPES;
}

enum { PLOGP_L, PLOGP_o_s, PLOGP_o_r, PLOGP_g, PLOGP_SLOPES };

static int plogp_slopes(const tutti_plogp *p, const tutti_price *price, tutti_slope *slopes)
{
  slopes[PLOGP_L] = (tutti_slope){"L", "s", p->L, (double)price->latencies};
  slopes[PLOGP_o_s] = (tutti_slope){"o_s", "1", 1, 0};
  slopes[PLOGP_o_r] = (tutti_slope){"o_r", "1", 1, 0};
  slopes[PLOGP_g] = (tutti_slope){"g", "1", 1, 0};
  for (const tutti_price_term *t = price->terms; t < price->terms + price->term_count; t++) {
    const double m = (double)t->bytes, g = tutti_plogp_g(p, m), o_r = tutti_plogp_o_r(p, m);
    const double transits = g > o_r ? (double)t->transits : 0; /* else they take no time */
    slopes[PLOGP_o_s].slope += (double)t->sends * tutti_plogp_o_s(p, m);
    slopes[PLOGP_o_r].slope += ((double)t->receives - transits) * o_r;
    slopes[PLOGP_g].slope += ((double)t->gaps + transits) * g;
  }
  return PLOGP_SLOPES;
}

int tutti_model_slopes(const tutti_model *model, const tutti_price *price, tutti_slope slopes[TUTTI_MAX_SLOPES])
{
  int count;
  if (model->kind == TUTTI_MODEL_HOCKNEY)
    count = hockney_slopes(&model->network.hockney, price, slopes);
  else if (model->kind == TUTTI_MODEL_LOGGP)
    count = loggp_slopes(&model->network.loggp, price, slopes);
  else
    count = plogp_slopes(&model->network.plogp, price, slopes);
  return count + append_times(model, price, slopes + count);
}

static void change_plogp(tutti_plogp *plogp, int parameter, double value, tutti_plogp_point *points)
{
  for (size_t i = 0; i < plogp->count; i++) {
    points[i] = plogp->points[i];
    *(parameter == PLOGP_o_s ? &points[i].o_s : parameter == PLOGP_o_r ? &points[i].o_r : &points[i].g) *= value;
  }
  plogp->points = points;
}

tutti_model tutti_model_changed(const tutti_model *model, int parameter, double value, tutti_plogp_point *points)
{
  tutti_model changed = *model;
  tutti_hockney *h = &changed.network.hockney;
  tutti_loggp *l = &changed.network.loggp;
  double *const of_hockney[] = {&h->alpha, &h->beta}, *const of_loggp[] = {&l->L, &l->o, &l->g, &l->G};
  const int own = model->kind == TUTTI_MODEL_HOCKNEY ? 2
                  : model->kind == TUTTI_MODEL_LOGGP ? LOGGP_SLOPES
                                                     : PLOGP_SLOPES;
  if (parameter >= own)
    *(parameter == own ? &changed.gamma : &changed.delta) = value;
  else if (model->kind == TUTTI_MODEL_HOCKNEY)
    *of_hockney[parameter] = value;
  else if (model->kind == TUTTI_MODEL_LOGGP)
    *of_loggp[parameter] = value;
  else if (parameter == PLOGP_L)
    changed.network.plogp.L = value;
  else
    change_plogp(&changed.network.plogp, parameter, value, points);
  return changed;
}
