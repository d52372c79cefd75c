/* Where every number comes from. */
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "results/row.h"

static void print_environments(const tutti_report *report, FILE *out)
{
  tutti_html_table_begin(out, "Environments", NULL, "Environments",
                         "No.|Platform|SHA-256 of its file|Flavor|Library|Tutti");
  for (int e = 0; e < report->contents.environment_count; e++) {
    const tutti_environment *environment = &report->contents.environments[e];
    if (tutti_report_rows(report, REPORT_ANY, REPORT_ANY, e) > 0)
      tutti_html_print(
          out,
          "<tr id=\"e%d\"><th scope=\"row\">E%d</th><td>%s</td><td><code class=\"hash\">%s</code></td><td>%s</td>"
          "<td>%s</td><td>%s</td></tr>\n",
          e + 1, e + 1, environment->platform,
          *environment->platform_hash ? environment->platform_hash : "a real machine", environment->flavor,
          environment->library, environment->tutti);
  }
  tutti_html_table_end(out);
}

static void begin_row(int environment, const char *what, FILE *out)
{
  fputs("<tr><td>", out);
  tutti_page_environment(out, environment);
  tutti_html_print(out, "</td><th scope=\"row\">%s</th>", what);
}

static void print_map_row(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  char query[COMMAND_LENGTH], text[TEXT_LENGTH], title[MAP_TITLE_LENGTH];
  begin_row(map->environment, tutti_page_map_title(report, map, title), out);
  tutti_html_print(
      out,
      "<td class=\"n\">%s</td><td>scheme %s, repetitions %d to %d, ranks a node %d, root %d, elements of %zu B"
      "</td><td><code>%s</code></td></tr>\n",
      tutti_text_count(map->points, text), tutti_scheme_name(map->scheme), map->min_repetitions, map->max_repetitions,
      map->ranks_per_node, map->root, (size_t)map->type_size, tutti_query_of_map(report, map, query));
}

static const char *name_of(const tutti_store_entry *entry)
{
  if (entry->kind == TUTTI_ENTRY_GROUP_RUNS)
    return "groups";
  if (entry->kind == TUTTI_ENTRY_PARAMETERS)
    return "parameters";
  return tutti_kind_of_result(entry->result)->table;
}

static const char *program_of(const tutti_store_entry *entry)
{
  if (entry->kind == TUTTI_ENTRY_GROUP_RUNS)
    return "tutti-group";
  if (entry->kind == TUTTI_ENTRY_PARAMETERS)
    return "tutti-params";
  return tutti_kind_of_result(entry->result)->keyword;
}

static void print_entry_row(const tutti_report *report, const tutti_store_entry *entry, FILE *out)
{
  char query[COMMAND_LENGTH], text[TEXT_LENGTH];
  begin_row(entry->environment, name_of(entry), out);
  tutti_html_print(out, "<td class=\"n\">%s</td><td>by %s</td><td><code>%s</code></td></tr>\n",
                   tutti_text_count(entry->rows, text), program_of(entry), tutti_query_of_entry(report, entry, query));
}

static void print_entries(const tutti_report *report, FILE *out)
{
  tutti_html_table_begin(out, "Rows of the store", NULL, "Rows of the store", "Environment|What|#Rows|How|Query");
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, &report->maps[i], out);
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind != TUTTI_ENTRY_MEASUREMENTS)
      print_entry_row(report, &report->contents.entries[i], out);
  tutti_html_table_end(out);
}

tutti_status tutti_report_section_provenance(const tutti_report *report, FILE *out, tutti_error *error)
{
  (void)error;
  if (report->contents.entry_count == 0) {
    tutti_page_nothing(out, "No number on this page comes from anywhere", "tutti bench experiments/demo.xml");
    return TUTTI_OK;
  }
  tutti_html_print(
      out,
      "<p>Simulated times are the same on every computer; those of real machines hold for the machine that is "
      "named. Queries are for <code>sqlite3 %s</code>.</p>\n",
      report->request->database);
  print_environments(report, out);
  print_entries(report, out);
  return TUTTI_OK;
}
