/* Sorting, operations on ranges, group maps. */
#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "report/tables.h"

static const char *title_of(tutti_result_kind kind)
{
  static const char *const titles[TUTTI_RESULT_KINDS] = {[TUTTI_RESULT_SORT] = "Sorting",
                                                         [TUTTI_RESULT_RANGE] = "Operations on ranges",
                                                         [TUTTI_RESULT_MAP] = "Group maps"};
  return titles[kind];
}

static tutti_status print_holding(const tutti_report *report, const tutti_holding *holding, FILE *out,
                                  tutti_error *error)
{
  char query[COMMAND_LENGTH];
  const tutti_environment *environment = &report->contents.environments[holding->environment];
  tutti_html_print(out, "<article>\n<h3>%s on %s</h3>\n", title_of(holding->result), environment->platform);
  tutti_status status = tutti_report_tables_of_results(report, holding, tutti_pivot_print, out, error);
  tutti_page_source(out, report, holding->environment, tutti_query_of_holding(report, holding, query));
  fputs("</article>\n", out);
  return status;
}

static bool has_kind(const tutti_report *report, tutti_result_kind kind)
{
  for (int i = 0; i < report->contents.holding_count; i++)
    if (report->contents.holdings[i].kind == TUTTI_HOLDS_RESULTS && report->contents.holdings[i].result == kind)
      return true;
  return false;
}

tutti_status tutti_report_section_results(const tutti_report *report, FILE *out, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!has_kind(report, TUTTI_RESULT_SORT))
    tutti_page_nothing(out, "Nothing was sorted", "tutti bench experiments/axtmann_figure_8.xml");
  if (!has_kind(report, TUTTI_RESULT_RANGE))
    tutti_page_nothing(out, "No operation on ranges was measured", "tutti bench experiments/axtmann_figure_5.xml");
  if (!has_kind(report, TUTTI_RESULT_MAP))
    tutti_page_nothing(out, "No group map was measured", "tutti rank-maps --db results.db");
  for (int i = 0; i < report->contents.holding_count && status == TUTTI_OK; i++)
    if (tutti_report_shows(&report->contents.holdings[i]))
      status = print_holding(report, &report->contents.holdings[i], out, error);
  return status;
}
