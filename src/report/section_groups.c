/* Groups that were built: builders side by side. */
#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "report/tables.h"

static tutti_status print_holding(const tutti_report *report, const tutti_holding *holding, FILE *out,
                                  tutti_error *error)
{
  char query[COMMAND_LENGTH];
  const tutti_environment *environment = &report->contents.environments[holding->environment];
  tutti_html_print(out, "<article>\n<h3>Groups on %s</h3>\n", environment->platform);
  tutti_status status = tutti_report_tables_of_builds(report, holding, tutti_pivot_print, out, error);
  tutti_page_source(out, report, holding->environment, tutti_query_of_holding(report, holding, query));
  fputs("</article>\n", out);
  return status;
}

tutti_status tutti_report_section_groups(const tutti_report *report, FILE *out, tutti_error *error)
{
  size_t rows;
  tutti_status status = TUTTI_OK;
  if (tutti_report_count_holdings(report, TUTTI_HOLDS_BUILDS, &rows) == 0) {
    tutti_page_nothing(out, "No group was built into this store", "tutti bench experiments/langer_table_2.xml");
    return TUTTI_OK;
  }
  fputs("<p>From the start broadcast to the end of the reduction on the new tree. Messages are all but those of the "
        "start, "
        "the reduction and the end, as the published counts are. The least number of a row is bold.</p>\n",
        out);
  for (int i = 0; i < report->contents.holding_count && status == TUTTI_OK; i++)
    if (report->contents.holdings[i].kind == TUTTI_HOLDS_BUILDS)
      status = print_holding(report, &report->contents.holdings[i], out, error);
  return status;
}
