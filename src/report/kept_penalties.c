/* Penalties that tutti penalty --keep and tutti learn --keep put into the store. */
#include <math.h>
#include <stdlib.h>

#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "report/text.h"

static void print_percent(const tutti_result *result, int field, FILE *out)
{
  tutti_html_print(out, "<td class=\"n\">%.2f</td>", result->values[field].real);
}

/* Leaves and depth of a tree; what is none has no leaves. */
static void print_tree(const tutti_result *result, FILE *out)
{
  size_t leaves = (size_t)result->values[TUTTI_PENALTY_FIELD_LEAVES].whole;
  if (leaves == 0)
    fputs("<td class=\"n\">–</td><td class=\"n\">–</td>", out);
  else
    tutti_html_print(out, "<td class=\"n\">%zu</td><td class=\"n\">%zu to %zu, mean %.2f</td>", leaves,
                     (size_t)result->values[TUTTI_PENALTY_FIELD_DEPTH_LEAST].whole,
                     (size_t)result->values[TUTTI_PENALTY_FIELD_DEPTH_MOST].whole,
                     result->values[TUTTI_PENALTY_FIELD_DEPTH_MEAN].real);
}

static void print_row(const tutti_result *result, FILE *out)
{
  char text[TEXT_LENGTH];
  const tutti_value *values = result->values;
  double decide = values[TUTTI_PENALTY_FIELD_DECIDE].seconds;
  tutti_html_print(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s, root %zu</td>",
                   values[TUTTI_PENALTY_FIELD_DECISION].word, values[TUTTI_PENALTY_FIELD_COLLECTIVE].word,
                   values[TUTTI_PENALTY_FIELD_BASIS].word, (size_t)values[TUTTI_PENALTY_FIELD_ROOT].whole);
  print_percent(result, TUTTI_PENALTY_FIELD_MEAN, out);
  print_percent(result, TUTTI_PENALTY_FIELD_MEDIAN, out);
  print_percent(result, TUTTI_PENALTY_FIELD_MINIMUM, out);
  print_percent(result, TUTTI_PENALTY_FIELD_MAXIMUM, out);
  tutti_html_print(out, "<td class=\"n\">%s</td>",
                   tutti_text_count((size_t)values[TUTTI_PENALTY_FIELD_POINTS].whole, text));
  print_tree(result, out);
  tutti_html_print(out, "<td class=\"n\">%s</td></tr>\n", tutti_text_real(decide > 0 ? decide * 1e9 : NAN, text));
}

static void print_table(const tutti_report *report, const tutti_holding *holding, const tutti_result *results,
                        size_t count, FILE *out)
{
  const char *platform = report->contents.environments[holding->environment].platform;
  tutti_html_print(out,
                   "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Kept penalties, %s\">\n<table>\n"
                   "<caption>Kept in the store: penalty in percent of the best time, %s</caption>\n<thead><tr>",
                   platform, platform);
  fputs("<th scope=\"col\">Decision function</th><th scope=\"col\">Collective</th><th scope=\"col\">Against</th>"
        "<th scope=\"col\" class=\"n\">Mean</th><th scope=\"col\" class=\"n\">Median</th>"
        "<th scope=\"col\" class=\"n\">Least</th><th scope=\"col\" class=\"n\">Most</th>"
        "<th scope=\"col\" class=\"n\">Points</th><th scope=\"col\" class=\"n\">Leaves</th>"
        "<th scope=\"col\" class=\"n\">Depth</th><th scope=\"col\" class=\"n\">Decides in, "
        "ns</th></tr></thead>\n<tbody>\n",
        out);
  for (size_t i = 0; i < count; i++)
    print_row(&results[i], out);
  fputs("</tbody>\n</table>\n</div>\n", out);
}

tutti_status tutti_report_print_kept_penalties(const tutti_report *report, const tutti_holding *holding, FILE *out,
                                               tutti_error *error)
{
  char query[COMMAND_LENGTH];
  tutti_result *results;
  size_t count;
  const tutti_selection selection = tutti_holding_selection(&report->contents, holding);
  tutti_status status = tutti_store_read_results(report->store, &selection, holding->result, &results, &count, error);
  if (status != TUTTI_OK)
    return status;
  print_table(report, holding, results, count, out);
  tutti_page_source(out, report, holding->environment, tutti_query_of_holding(report, holding, query));
  free(results);
  return TUTTI_OK;
}
