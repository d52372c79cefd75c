#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/output/report_json.h"
#include "cli/params/report_params.h"

static void print_text(const char *before, const char *name, const char *text)
{
  printf("%s\"%s\": ", before, name);
  json_string(stdout, text);
}

static void print_number(const char *before, const char *prefix, const char *name, double number)
{
  printf("%s\"%s%s\": ", before, prefix, name);
  json_number(stdout, number, 12);
}

static void print_points(const tutti_plogp *plogp)
{
  printf(",\n  \"plogp\": [");
  for (size_t i = 0; i < plogp->count; i++) {
    const tutti_plogp_point *point = &plogp->points[i];
    print_number(i ? ",\n    {" : "\n    {", "", "m_B", point->m);
    print_number(", ", "", "g_s", point->g);
    print_number(", ", "", "o_s_s", point->o_s);
    print_number(", ", "", "o_r_s", point->o_r);
    putchar('}');
  }
  printf("\n  ]");
}

static void print_parameters(const tutti_parameter_set *set)
{
  printf(",\n  \"values\": [");
  for (size_t i = 0; i < set->parameter_count; i++) {
    const tutti_parameter *p = &set->parameters[i];
    print_text(i ? ",\n    {" : "\n    {", "quantity", tutti_quantity_name(p->quantity));
    print_text(", ", "of", p->of);
    printf(", \"bytes\": %" PRIu64, p->bytes);
    print_number(", ", "", "value", p->value);
    print_text(", ", "unit", tutti_quantity_unit(p->quantity));
    putchar('}');
  }
  printf("\n  ]");
}

void report_params_json(const struct params_report *report)
{
  struct parameter_value values[PARAMETER_VALUES];
  tutti_parameter_values(report->set, report->published, values);
  print_text("{\n  ", "platform", report->name);
  print_text(",\n  ", "flavor", report->flavor);
  print_text(",\n  ", "library", report->set->library);
  for (int i = 0; i < PARAMETER_VALUES; i++) {
    print_number(",\n  ", "", values[i].member, values[i].measured);
    if (report->published)
      print_number(",\n  ", "published_", values[i].member, values[i].published);
  }
  print_points(&report->set->plogp);
  print_parameters(report->set);
  printf("\n}\n");
}
