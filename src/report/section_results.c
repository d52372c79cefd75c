/* Groups, with their protocols side by side; sorting, operations on ranges, group maps. */
#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pivot.h"

static const char *title_of(tutti_result_kind kind)
{
  static const char *const titles[TUTTI_RESULT_KINDS] = {[TUTTI_RESULT_SORT] = "Sorting",
                                                         [TUTTI_RESULT_RANGE] = "Operations on ranges",
                                                         [TUTTI_RESULT_MAP] = "Group maps"};
  return titles[kind];
}

/* The tables of an entry, with a title and the query that gives its rows. */
static tutti_status print_entry(const tutti_report *report, const tutti_store_entry *entry, const char *title,
                                FILE *out, tutti_error *error)
{
  char query[COMMAND_LENGTH];
  tutti_html_print(out, "<article>\n<h3>%s on %s</h3>\n", title,
                   report->contents.environments[entry->environment].platform);
  tutti_status status = entry->kind == TUTTI_ENTRY_GROUP_RUNS
                            ? tutti_report_tables_of_group_runs(report, entry, tutti_pivot_print, out, error)
                            : tutti_report_tables_of_results(report, entry, tutti_pivot_print, out, error);
  tutti_page_source(out, report, entry->environment, tutti_query_of_entry(report, entry, query));
  fputs("</article>\n", out);
  return status;
}

tutti_status tutti_report_section_groups(const tutti_report *report, FILE *out, tutti_error *error)
{
  size_t rows;
  tutti_status status = TUTTI_OK;
  if (tutti_report_count_entries(report, TUTTI_ENTRY_GROUP_RUNS, &rows) == 0) {
    tutti_page_nothing(out, "No group was built into this store", "tutti bench experiments/langer_table_2.xml");
    return TUTTI_OK;
  }
  fputs("<p>From the start broadcast to the end of the reduction on the new tree. Messages are all but those of the "
        "start, "
        "the reduction and the end, as the published counts are. The least number of a row is bold.</p>\n",
        out);
  for (int i = 0; i < report->contents.entry_count && status == TUTTI_OK; i++)
    if (report->contents.entries[i].kind == TUTTI_ENTRY_GROUP_RUNS)
      status = print_entry(report, &report->contents.entries[i], "Groups", out, error);
  return status;
}

static bool has_kind(const tutti_report *report, tutti_result_kind kind)
{
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind == TUTTI_ENTRY_RESULTS && report->contents.entries[i].result == kind)
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
  for (int i = 0; i < report->contents.entry_count && status == TUTTI_OK; i++)
    if (tutti_report_shows(&report->contents.entries[i])) {
      const tutti_store_entry *entry = &report->contents.entries[i];
      status = print_entry(report, entry, title_of(entry->result), out, error);
    }
  return status;
}
