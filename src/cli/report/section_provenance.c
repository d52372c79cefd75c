/* Where every number comes from. */
#include <inttypes.h>

#include "cli/report/report.h"
#include "decision/results/row.h"
#include "tutti/decision_map.h"
#include "tutti/plugin.h"

/* What only real machines have, as far as it is known. */
static void print_machine(const struct report *report, int e, FILE *out)
{
  const tutti_environment *environment = &report->contents.environments[e];
  html_print(out, "<tr><td>");
  page_environment(out, report, e);
  html_print(out, "</td><td>%s</td><td class=\"n\">%d</td><td>%s</td>", environment->cpu, environment->cores,
             environment->binding);
  html_print(out,
             "<td><code class=\"hash\">%s</code></td><td><code class=\"hash\">%s</code></td>"
             "<td><code>%s</code></td></tr>\n",
             environment->hosts, environment->build, *environment->settings ? environment->settings : "none");
}

static bool is_described(const struct report *report, int e)
{
  const tutti_environment *environment = &report->contents.environments[e];
  return report_rows(report, REPORT_ANY, REPORT_ANY, e) > 0 &&
         (*environment->settings || *environment->hosts || *environment->cpu);
}

static void print_machines(const struct report *report, FILE *out)
{
  bool begun = false;
  for (int e = 0; e < report->contents.environment_count; e++) {
    if (!is_described(report, e))
      continue;
    if (!begun)
      html_table_begin(out, "Real machines", NULL, "Real machines",
                       HTML_TEXTS("Environment") HTML_TEXTS("CPU") HTML_NUMBERS("Cores")
                           HTML_TEXTS("Binding of one rank") HTML_TEXTS("Digest of host names")
                               HTML_TEXTS("Digest of the library") HTML_TEXTS("Settings"));
    begun = true;
    print_machine(report, e, out);
  }
  if (begun)
    html_table_end(out);
}

static void print_environments(const struct report *report, FILE *out)
{
  char program[TEXT_LENGTH];
  html_table_begin(out, "Environments", NULL, "Environments",
                   HTML_TEXTS("No.") HTML_TEXTS("Platform") HTML_TEXTS("SHA-256 of its file") HTML_TEXTS("Flavor")
                       HTML_TEXTS("Library") HTML_TEXTS("Measured by"));
  for (int e = 0; e < report->contents.environment_count; e++) {
    const tutti_environment *environment = &report->contents.environments[e];
    if (report_rows(report, REPORT_ANY, REPORT_ANY, e) > 0)
      html_print(
          out,
          "<tr id=\"e%d\"><th scope=\"row\">E%d</th><td>%s</td><td><code class=\"hash\">%s</code></td><td>%s</td>"
          "<td>%s</td><td>%s</td></tr>\n",
          (int)report->contents.ids[e], (int)report->contents.ids[e], environment->platform,
          *environment->platform_hash ? environment->platform_hash : "a real machine", environment->flavor,
          environment->library, page_program(environment, program));
  }
  html_table_end(out);
}

/* Whether a map has methods of the algorithm, or methods with such parts. */
static bool is_measured(const struct report *report, const tutti_algorithm *algorithm)
{
  for (const struct report_map *map = report->maps; map < report->maps + report->map_count; map++)
    for (const tutti_method *method = map->map.methods; method < map->map.methods + map->map.method_count; method++) {
      if (method->algorithm == algorithm)
        return true;
      for (int p = 0; p < TUTTI_MAX_PARTS; p++)
        if (method->parameters.parts[p].algorithm == algorithm)
          return true;
    }
  return false;
}

/* Algorithms of plug-ins: their files, and the hash that finds their rows. */
static void print_plugins(const struct report *report, FILE *out)
{
  const tutti_algorithm *algorithm;
  const char *file;
  uint64_t code;
  bool begun = false;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    if (!(file = tutti_algorithm_plugin_file(algorithm, &code)) || !is_measured(report, algorithm))
      continue;
    if (!begun)
      html_table_begin(out, "Plug-ins", NULL, "Plug-ins, and the hash of each that its rows have (code)",
                       HTML_TEXTS("Algorithm") HTML_TEXTS("File") HTML_TEXTS("Code"));
    begun = true;
    char hash[TEXT_LENGTH];
    snprintf(hash, sizeof hash, "%016" PRIx64, code);
    html_print(out,
               "<tr><th scope=\"row\">%s/%s</th><td><code>%s</code></td><td><code class=\"hash\">%s</code></td>"
               "</tr>\n",
               tutti_collective_name(algorithm->collective), algorithm->name, file, hash);
  }
  if (begun)
    html_table_end(out);
}

static void begin_row(const struct report *report, int environment, const char *what, FILE *out)
{
  html_print(out, "<tr><th scope=\"row\">%s</th><td>", what);
  page_environment(out, report, environment);
  fputs("</td>", out);
}

static void print_map_row(const struct report *report, const struct report_map *map, FILE *out)
{
  char query[COMMAND_LENGTH], text[TEXT_LENGTH], title[MAP_TITLE_LENGTH], repetitions[TEXT_LENGTH];
  begin_row(report, map->environment, page_map_title(report, map, title), out);
  html_print(
      out,
      "<td class=\"n\">%s</td><td class=\"how\">scheme %s, repetitions %s, ranks a node %d, root %d, elements of %zu B"
      "</td><td><code>%s</code></td></tr>\n",
      progress_format_count(map->points, text), tutti_scheme_name(map->scheme), page_repetitions(map, repetitions),
      map->ranks_per_node, map->root, (size_t)map->type_size, query_of_map(report, map, query));
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

static void print_entry_row(const struct report *report, const tutti_store_entry *entry, FILE *out)
{
  char query[COMMAND_LENGTH], text[TEXT_LENGTH];
  begin_row(report, entry->environment, name_of(entry), out);
  html_print(out, "<td class=\"n\">%s</td><td>by %s</td><td><code>%s</code></td></tr>\n",
             progress_format_count(entry->rows, text), program_of(entry), query_of_entry(report, entry, query));
}

static void print_entries(const struct report *report, FILE *out)
{
  html_table_begin(out, "Rows of the store", NULL, "Rows of the store",
                   HTML_TEXTS("What") HTML_TEXTS("Environment") HTML_NUMBERS("Rows") HTML_TEXTS("How")
                       HTML_TEXTS("Query"));
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, &report->maps[i], out);
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind != TUTTI_ENTRY_MEASUREMENTS)
      print_entry_row(report, &report->contents.entries[i], out);
  html_table_end(out);
}

/* ---- how much there is ---- */

static void print_figure(FILE *out, size_t number, const char *one, const char *many)
{
  char text[TEXT_LENGTH];
  if (number > 0)
    html_print(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", number == 1 ? one : many,
               progress_format_count(number, text));
}

static int count_platforms(const struct report *report)
{
  const tutti_store_contents *contents = &report->contents;
  int count = 0;
  for (int e = 0; e < contents->environment_count; e++) {
    bool seen = false;
    for (int i = 0; i < e; i++)
      seen = seen || strcmp(contents->environments[i].platform, contents->environments[e].platform) == 0;
    count += !seen && report_rows(report, REPORT_ANY, REPORT_ANY, e) > 0;
  }
  return count;
}

/* Those that have something to choose from. */
static size_t count_maps(const struct report *report)
{
  size_t count = 0;
  for (int i = 0; i < report->map_count; i++)
    count += !tutti_decision_map_only_native(&report->maps[i].map);
  return count;
}

static void print_figures(const struct report *report, FILE *out)
{
  static const struct {
    tutti_store_entry_kind kind;
    int result;
    const char *one, *many;
  } figures[] = {
      {TUTTI_ENTRY_GROUP_RUNS, REPORT_ANY, "group built", "groups built"},
      {TUTTI_ENTRY_RESULTS, TUTTI_RESULT_SORT, "sort", "sorts"},
      {TUTTI_ENTRY_RESULTS, TUTTI_RESULT_RANGE, "operation on ranges", "operations on ranges"},
      {TUTTI_ENTRY_RESULTS, TUTTI_RESULT_MAP, "group map", "group maps"},
      {TUTTI_ENTRY_PARAMETERS, REPORT_ANY, "measured parameter value", "measured parameter values"},
  };
  fputs("<dl class=\"figures\">\n", out);
  print_figure(out, report_rows(report, TUTTI_ENTRY_MEASUREMENTS, REPORT_ANY, REPORT_ANY), "measured point",
               "measured points");
  print_figure(out, (size_t)count_platforms(report), "platform", "platforms");
  print_figure(out, count_maps(report), "decision map", "decision maps");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    print_figure(out, report_rows(report, figures[i].kind, figures[i].result, REPORT_ANY), figures[i].one,
                 figures[i].many);
  fputs("</dl>\n", out);
}

void section_provenance(const struct report *report, FILE *out)
{
  if (report->contents.entry_count == 0)
    return;
  print_figures(report, out);
  html_print(out,
             "<p>Simulated times are the same on every computer; those of real machines hold for the machine that is "
             "named. Queries are for <code>sqlite3 %s</code>.</p>\n",
             report->options->database);
  print_environments(report, out);
  print_machines(report, out);
  print_plugins(report, out);
  print_entries(report, out);
}
