#include "cli/params/report_params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_number(double seconds, int width)
{
  if (isfinite(seconds))
    printf(" %*.6g", width, seconds * 1e6);
  else
    printf(" %*s", width, "-");
}

static void print_value(const struct parameter_value *value, bool compare)
{
  printf("%-18s %-7s %-7s", value->model, value->label, value->per_byte ? "[us/B]" : "[us]");
  print_number(value->measured, 12);
  if (compare) {
    print_number(value->published, 12);
    double difference = tutti_parameter_value_difference(value);
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
  struct parameter_value values[PARAMETER_VALUES];
  tutti_parameter_values(report->set, report->published, values);
  printf("%s, %s, %s\n\n%-34s %12s", report->name, report->flavor, report->set->library, "", "measured");
  if (report->published)
    printf(" %12s %12s", "published", "difference");
  putchar('\n');
  for (int i = 0; i < PARAMETER_VALUES; i++)
    print_value(&values[i], report->published);
  if (report->set->has[TUTTI_MODEL_PLOGP])
    print_points(&report->set->plogp);
  print_gammas(report->set);
}
