#include "platforms/parameter_values.h"

#include <math.h>

#include "platforms/platform_private.h"

void tutti_parameter_values(const tutti_parameter_set *set, const tutti_platform *published,
                            struct parameter_value values[PARAMETER_VALUES])
{
  const bool *has = set->has;
  const tutti_platform none = tutti_platform_unpublished();
  const tutti_platform *p = published ? published : &none;
  const tutti_hockney *h = &set->hockney, *e = &set->extremes;
  const tutti_loggp *l = &set->loggp;
  const tutti_plogp_point *first = set->plogp.count ? set->points : &(tutti_plogp_point){NAN, NAN, NAN, NAN};
  const struct parameter_value all[PARAMETER_VALUES] = {
      {"Hockney, fit", "alpha", "hockney_alpha_s", false, h->alpha, p->published_alpha},
      {"Hockney, fit", "beta", "hockney_beta_s_per_B", true, h->beta, p->published_beta},
      {"Hockney, extremes", "alpha", "extreme_alpha_s", false, e->alpha, p->published_alpha},
      {"Hockney, extremes", "beta", "extreme_beta_s_per_B", true, e->beta, p->published_beta},
      {"LogGP", "L", "loggp_L_s", false, l->L, p->published_L},
      {"LogGP", "o", "loggp_o_s", false, l->o, p->published_o},
      {"LogGP", "L + 2o", "loggp_L_2o_s", false, l->L + 2 * l->o, p->published_L + 2 * p->published_o},
      {"LogGP", "g", "loggp_g_s", false, l->g, p->published_g},
      {"LogGP", "G", "loggp_G_s_per_B", true, l->G, p->published_G},
      {"PLogP", "L", "plogp_L_s", false, set->plogp.L, NAN},
      {"PLogP", "g(0)", "plogp_g0_s", false, first->g, NAN},
      {"PLogP", "o_s(0)", "plogp_o_s0_s", false, first->o_s, NAN},
      {"PLogP", "o_r(0)", "plogp_o_r0_s", false, first->o_r, NAN},
      {"computation", "gamma", "gamma_s_per_B", true, set->gamma, p->published_gamma},
      {"computation", "delta", "delta_s_per_B", true, set->delta, NAN},
  };
  for (int i = 0; i < PARAMETER_VALUES; i++) {
    values[i] = all[i];
    bool known = i < 4 ? has[TUTTI_MODEL_HOCKNEY] : i < 9 ? has[TUTTI_MODEL_LOGGP] : i >= 13 || has[TUTTI_MODEL_PLOGP];
    if (!known)
      values[i].measured = NAN;
  }
}

double tutti_parameter_value_difference(const struct parameter_value *value)
{
  double percent = 100 * (value->measured - value->published) / value->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* what is printed as 0.00 has no sign */
}
