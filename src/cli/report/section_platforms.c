/* Platforms: what was published, what was measured, and the ratio of the two. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report/html.h"
#include "cli/report/page.h"
#include "harness/platforms/parameters.h"

/* What is known of one environment; the platform of a real machine has no file. */
struct known {
  const tutti_environment *environment;
  bool has_file, has_set, is_another; /* file: it has changed since */
  tutti_platform platform;
  tutti_parameter_set set;
  tutti_error fault; /* of the set, if its message is not empty */
};

/* Group maps are measured in one process, which says nothing of a network. */
static bool has_network(const tutti_report *report, int environment)
{
  return tutti_report_rows(report, REPORT_ANY, REPORT_ANY, environment) >
         tutti_report_rows(report, TUTTI_ENTRY_RESULTS, TUTTI_RESULT_MAP, environment);
}

static void read_file(struct known *known)
{
  char *path;
  if (!*known->environment->platform_hash || tutti_platform_find(known->environment->platform, &path, NULL) != TUTTI_OK)
    return;
  known->has_file = tutti_platform_read(path, &known->platform, NULL) == TUTTI_OK;
  free(path);
  known->is_another = known->has_file && strcmp(known->platform.hash, known->environment->platform_hash) != 0;
}

/* Values that make no model do not stop the report: it shows the fault. */
static tutti_status read_set(const tutti_report *report, int environment, struct known *known, tutti_error *error)
{
  const tutti_store_entry entry = {.kind = TUTTI_ENTRY_PARAMETERS, .environment = environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, &entry);
  if (tutti_report_rows(report, TUTTI_ENTRY_PARAMETERS, REPORT_ANY, environment) == 0)
    return TUTTI_OK;
  tutti_status status = tutti_parameters_read(report->store, &selection, &known->set, &known->fault);
  known->has_set = status == TUTTI_OK;
  if (status == TUTTI_OK || status == TUTTI_ERR_ARGUMENT)
    return TUTTI_OK;
  *error = known->fault;
  return status;
}

/* ---- printing ---- */

static void print_value(const struct parameter_value *value, FILE *out)
{
  char measured[TEXT_LENGTH], published[TEXT_LENGTH], ratio[TEXT_LENGTH];
  if (!isfinite(value->measured) && !isfinite(value->published))
    return;
  tutti_html_print(out,
                   "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
                   "<td class=\"n\">%s</td></tr>\n",
                   value->model, value->label, value->per_byte ? "\u00b5s/B" : "\u00b5s",
                   tutti_text_us(value->published, published), tutti_text_us(value->measured, measured),
                   tutti_text_real(value->published > 0 ? value->measured / value->published : NAN, ratio));
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
  tutti_html_table_begin(out, label, NULL, "Parameters of point-to-point models",
                         "Model|Parameter|Unit|#Published|#Measured|#Measured / published");
  free(label);
  for (int i = 0; i < PARAMETER_VALUES; i++)
    print_value(&values[i], out);
  tutti_html_table_end(out);
}

static void print_description(const struct known *known, FILE *out)
{
  if (known->has_file && known->platform.description)
    tutti_html_print(out, "<p>%s</p>\n", known->platform.description);
  if (known->has_file)
    tutti_html_print(out, "<p class=\"soft\">Hosts: %d.%s%s</p>\n", known->platform.host_count,
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
    tutti_html_print(out, "<p class=\"warning\">%s</p>\n", known->fault.message);
}

static void print_platform(const tutti_report *report, int environment, const struct known *known, FILE *out)
{
  char command[COMMAND_LENGTH];
  tutti_html_print(out, "<article>\n<h3>%s <span class=\"soft\">%s</span></h3>\n", known->environment->platform,
                   known->environment->library);
  print_description(known, out);
  print_values(known, out);
  tutti_command_of_parameters(report, environment, command);
  tutti_page_source(out, report, environment, command);
  fputs("</article>\n", out);
}

/* Whether there is a number to show, or a fault. */
static bool is_worth_a_table(const tutti_report *report, int environment, const struct known *known)
{
  return tutti_report_rows(report, TUTTI_ENTRY_PARAMETERS, REPORT_ANY, environment) > 0 || known->has_file;
}

tutti_status tutti_report_section_platforms(const tutti_report *report, FILE *out, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int e = 0; e < report->contents.environment_count && status == TUTTI_OK; e++) {
    if (!has_network(report, e))
      continue;
    struct known known = {.environment = &report->contents.environments[e]};
    read_file(&known);
    status = read_set(report, e, &known, error);
    if (status == TUTTI_OK && is_worth_a_table(report, e, &known))
      print_platform(report, e, &known, out);
    if (known.has_file)
      tutti_platform_free(&known.platform);
    tutti_parameter_set_free(&known.set);
  }
  return status;
}
