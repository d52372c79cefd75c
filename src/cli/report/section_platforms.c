/* Platforms: what was published, what was measured, and the ratio of the two. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/report/report.h"
#include "harness/platforms/parameters.h"

/* An environment and its platform, which has no file if it is a real machine. */
struct known {
  const tutti_environment *environment;
  bool is_surveyed; /* the store has parameters */
  bool has_set;     /* which make models */
  bool has_file;
  bool is_another; /* the file has changed since */
  tutti_platform platform;
  tutti_parameter_set set;
  tutti_error fault; /* of the set, if its message is not empty */
};

/* Group maps are measured in one process, which says nothing of a network. */
static bool has_network(const struct report *report, int environment)
{
  return report_rows(report, REPORT_ANY, REPORT_ANY, environment) >
         report_rows(report, TUTTI_ENTRY_RESULTS, TUTTI_RESULT_MAP, environment);
}

static void read_file(struct known *known)
{
  const tutti_environment *environment = known->environment;
  known->has_file =
      *environment->platform_hash && platform_load(environment->platform, &known->platform, NULL) == TUTTI_OK;
  known->is_another = known->has_file && strcmp(known->platform.hash, environment->platform_hash) != 0;
}

/* Values that make no model do not stop the report: it shows the fault. */
static void read_set(const struct report *report, int environment, struct known *known)
{
  const tutti_store_entry entry = {.kind = TUTTI_ENTRY_PARAMETERS, .environment = environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, &entry);
  if (!known->is_surveyed)
    return;
  tutti_status status = tutti_parameters_read(report->store, &selection, &known->set, &failure);
  known->has_set = status == TUTTI_OK;
  if (status == TUTTI_ERR_ARGUMENT)
    known->fault = failure;
  else
    must(status);
}

/* ---- printing ---- */

static void print_value(const struct parameter_value *value, FILE *out)
{
  char measured[TEXT_LENGTH], published[TEXT_LENGTH], ratio[TEXT_LENGTH];
  if (!isfinite(value->measured) && !isfinite(value->published))
    return;
  html_print(out,
             "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%s</td></tr>\n",
             value->model, value->label, value->per_byte ? "\u00b5s/B" : "\u00b5s",
             text_us(value->published, published), text_us(value->measured, measured),
             text_real(value->published > 0 ? value->measured / value->published : NAN, ratio));
}

static bool is_any_known(const struct parameter_value values[PARAMETER_VALUES])
{
  for (int i = 0; i < PARAMETER_VALUES; i++)
    if (isfinite(values[i].measured) || isfinite(values[i].published))
      return true;
  return false;
}

static void print_values(const struct known *known, FILE *out)
{
  static const tutti_parameter_set none = {.gamma = NAN, .delta = NAN};
  struct parameter_value values[PARAMETER_VALUES];
  tutti_parameter_values(known->has_set ? &known->set : &none, known->has_file ? &known->platform : NULL, values);
  if (!is_any_known(values))
    return;
  char *label = tutti_xprintf("Parameters of %s", known->environment->platform);
  html_table_begin(out, label, NULL, "Parameters of point-to-point models",
                   HTML_TEXTS("Model") HTML_TEXTS("Parameter") HTML_TEXTS("Unit") HTML_NUMBERS("Published")
                       HTML_NUMBERS("Measured") HTML_NUMBERS("Measured / published"));
  free(label);
  for (int i = 0; i < PARAMETER_VALUES; i++)
    print_value(&values[i], out);
  html_table_end(out);
}

static void print_description(const struct known *known, FILE *out)
{
  if (known->has_file && known->platform.description)
    html_print(out, "<p>%s</p>\n", known->platform.description);
  if (known->has_file)
    html_print(out, "<p class=\"soft\">Hosts: %d.%s%s</p>\n", known->platform.host_count,
               known->platform.source ? " Published values: " : "",
               known->platform.source ? known->platform.source : "");
  if (known->is_another)
    fputs("<p class=\"warning\">The platform file that is found now is another one than that which was measured.</p>\n",
          out);
  if (!known->has_file && *known->environment->platform_hash)
    fputs("<p class=\"warning\">The platform file is not found here: published values are missing "
          "(<code>TUTTI_PLATFORM_PATH</code>).</p>\n",
          out);
  if (*known->fault.message)
    html_print(out, "<p class=\"warning\">%s</p>\n", known->fault.message);
}

static void print_platform(const struct report *report, int environment, const struct known *known, FILE *out)
{
  char command[COMMAND_LENGTH];
  html_print(out, "<article>\n<h3>%s <span class=\"soft\">%s</span></h3>\n", known->environment->platform,
             known->environment->library);
  print_description(known, out);
  print_values(known, out);
  command_of_parameters(report, environment, command);
  page_source(out, report, environment, command);
  fputs("</article>\n", out);
}

void section_platforms(const struct report *report, FILE *out)
{
  for (int e = 0; e < report->contents.environment_count; e++) {
    if (!has_network(report, e))
      continue;
    struct known known = {.environment = &report->contents.environments[e],
                          .is_surveyed = report_rows(report, TUTTI_ENTRY_PARAMETERS, REPORT_ANY, e) > 0};
    read_file(&known);
    read_set(report, e, &known);
    if (known.is_surveyed || known.has_file)
      print_platform(report, e, &known, out);
    if (known.has_file)
      tutti_platform_free(&known.platform);
    tutti_parameter_set_free(&known.set);
  }
}
