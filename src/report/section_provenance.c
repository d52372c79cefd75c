/* Where every number comes from. */
#include <string.h>

#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "results/row.h"

static bool is_used(const tutti_report *report, int environment)
{
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].environment == environment)
      return true;
  return false;
}

static void print_environments(const tutti_report *report, FILE *out)
{
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Environments\">\n<table>\n"
        "<caption>Environments</caption>\n<thead><tr><th scope=\"col\">No.</th><th scope=\"col\">Platform</th>"
        "<th scope=\"col\">SHA-256 of its file</th><th scope=\"col\">Flavour</th><th scope=\"col\">Library</th>"
        "<th scope=\"col\">Tutti</th></tr></thead>\n<tbody>\n",
        out);
  for (int e = 0; e < report->contents.environment_count; e++) {
    const tutti_environment *environment = &report->contents.environments[e];
    if (is_used(report, e))
      tutti_html_print(
          out,
          "<tr id=\"e%d\"><th scope=\"row\">E%d</th><td>%s</td><td><code class=\"hash\">%s</code></td><td>%s</td>"
          "<td>%s</td><td>%s</td></tr>\n",
          e + 1, e + 1, environment->platform,
          *environment->platform_hash ? environment->platform_hash : "a real machine", environment->flavor,
          environment->library, environment->tutti);
  }
  fputs("</tbody>\n</table>\n</div>\n", out);
}

static void begin_row(const tutti_report *report, int environment, FILE *out)
{
  fputs("<tr><td>", out);
  tutti_page_environment(out, environment);
  (void)report;
  fputs("</td><th scope=\"row\">", out);
}

static void print_map_row(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  char query[COMMAND_LENGTH], text[TEXT_LENGTH];
  begin_row(report, map->environment, out);
  tutti_page_map_title(out, report, map);
  tutti_html_print(
      out,
      "</th><td class=\"n\">%s</td><td>scheme %s, repetitions %d to %d, ranks a node %d, root %d, elements of %zu B"
      "</td><td><code>%s</code></td></tr>\n",
      tutti_text_count(map->points, text), tutti_scheme_name(map->scheme), map->least_repetitions,
      map->most_repetitions, map->ranks_per_node, map->root, (size_t)map->type_size,
      tutti_query_of_map(report, map, query));
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
  begin_row(report, entry->environment, out);
  tutti_html_print(out, "%s</th><td class=\"n\">%s</td><td>by %s</td><td><code>%s</code></td></tr>\n", name_of(entry),
                   tutti_text_count(entry->rows, text), program_of(entry), tutti_query_of_entry(report, entry, query));
}

static void print_entries(const tutti_report *report, FILE *out)
{
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Rows of the store\">\n<table>\n"
        "<caption>Rows of the store</caption>\n<thead><tr><th scope=\"col\">Environment</th><th scope=\"col\">What</th>"
        "<th scope=\"col\" class=\"n\">Rows</th><th scope=\"col\">How</th><th scope=\"col\">Query</th></tr></thead>\n"
        "<tbody>\n",
        out);
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, &report->maps[i], out);
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind != TUTTI_ENTRY_MEASUREMENTS)
      print_entry_row(report, &report->contents.entries[i], out);
  fputs("</tbody>\n</table>\n</div>\n", out);
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
