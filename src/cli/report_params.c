#include "cli/report_params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void report_params_values(const struct params_report *report, struct params_value values[PARAMS_VALUES])
{
  const tutti_parameter_set *set = report->set;
  const bool *has = set->has;
  tutti_platform none = {.published_alpha = NAN,
                         .published_beta = NAN,
                         .published_L = NAN,
                         .published_o = NAN,
                         .published_g = NAN,
                         .published_G = NAN,
                         .published_gamma = NAN};
  const tutti_platform *p = report->published ? report->published : &none;
  const tutti_hockney *h = &set->hockney, *e = &set->extremes;
  const tutti_loggp *l = &set->loggp;
  const tutti_plogp_point *first = set->plogp.count ? set->points : &(tutti_plogp_point){NAN, NAN, NAN, NAN};
  const struct params_value all[PARAMS_VALUES] = {
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
  for (int i = 0; i < PARAMS_VALUES; i++) {
    values[i] = all[i];
    bool known = i < 4 ? has[TUTTI_MODEL_HOCKNEY] : i < 9 ? has[TUTTI_MODEL_LOGGP] : i >= 13 || has[TUTTI_MODEL_PLOGP];
    if (!known)
      values[i].measured = NAN;
  }
}

double report_params_difference(const struct params_value *value)
{
  double percent = 100 * (value->measured - value->published) / value->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* what is printed as 0.00 has no sign */
}

static void print_number(double seconds, int width)
{
  if (isfinite(seconds))
    printf(" %*.6g", width, seconds * 1e6);
  else
    printf(" %*s", width, "-");
}

static void print_value(const struct params_value *value, bool compare)
{
  printf("%-18s %-7s %-7s", value->model, value->label, value->per_byte ? "[us/B]" : "[us]");
  print_number(value->measured, 12);
  if (compare) {
    print_number(value->published, 12);
    double difference = report_params_difference(value);
    if (isfinite(difference))
      printf(" %10.2f %%", difference);
  }
  putchar('\n');
}

static void print_points(const tutti_plogp *plogp)
{
  printf("\nPLogP, %zu message sizes\n%12s %12s %12s %12s\n", plogp->count, "m [B]", "g(m) [us]", "o_s(m) [us]",
         "o_r(m) [us]");
  for (size_t i = 0; i < plogp->count; i++) {
    const tutti_plogp_point *point = &plogp->points[i];
    printf("%12.0f", point->m);
    print_number(point->g, 12);
    print_number(point->o_s, 12);
    print_number(point->o_r, 12);
    putchar('\n');
  }
}

static void print_gammas(const tutti_parameter_set *set)
{
  printf("\n%-18s %12s\n", "reduction", "gamma [us/B]");
  for (size_t i = 0; i < set->parameter_count; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAMMA) {
      printf("%-18s", set->parameters[i].of);
      print_number(set->parameters[i].value, 12);
      putchar('\n');
    }
}

void report_params(const struct params_report *report)
{
  struct params_value values[PARAMS_VALUES];
  report_params_values(report, values);
  printf("%s, %s, %s\n\n%-34s %12s", report->name, report->flavor, report->set->library, "", "measured");
  if (report->published)
    printf(" %12s %12s", "published", "difference");
  putchar('\n');
  for (int i = 0; i < PARAMS_VALUES; i++)
    print_value(&values[i], report->published);
  if (report->set->has[TUTTI_MODEL_PLOGP])
    print_points(&report->set->plogp);
  print_gammas(report->set);
}
