/* What decision functions lose against the best method of each point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/command.h"
#include "report/html.h"
#include "report/page.h"
#include "report/text.h"

/* ---- asked now ---- */

static int by_mean(const void *left_item, const void *right_item)
{
  const tutti_report_layer *left = *(const tutti_report_layer *const *)left_item;
  const tutti_report_layer *right = *(const tutti_report_layer *const *)right_item;
  bool left_known = left->penalty.points > 0, right_known = right->penalty.points > 0;
  if (left_known != right_known)
    return right_known - left_known;
  if (left_known && left->penalty.mean != right->penalty.mean)
    return left->penalty.mean < right->penalty.mean ? -1 : 1;
  return strcmp(left->name, right->name);
}

static void print_percent(FILE *out, double percent)
{
  tutti_html_print(out, "<td class=\"n\">%.2f</td>", percent);
}

static void print_points(const tutti_penalty *penalty, FILE *out)
{
  char counted[TEXT_LENGTH], all[TEXT_LENGTH];
  tutti_html_print(out, "<td class=\"n\">%s of %s</td>", tutti_text_count((size_t)penalty->points, counted),
                   tutti_text_count((size_t)(penalty->points + penalty->missing), all));
}

static void print_numbers(const tutti_penalty *penalty, double widest, FILE *out)
{
  char size[24];
  tutti_html_print(out, "<td class=\"n bar\"><span style=\"width:%.1f%%\"></span>%.2f</td>",
                   widest > 0 ? 100 * penalty->mean / widest : 0.0, penalty->mean);
  print_percent(out, penalty->median);
  print_percent(out, penalty->minimum);
  print_percent(out, penalty->maximum);
  tutti_html_print(out, "<td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>", 100 * penalty->within_5,
                   100 * penalty->within_10);
  print_points(penalty, out);
  if (penalty->maximum > 0)
    tutti_html_print(out, "<td class=\"whole\">%d ranks, %s</td></tr>\n", penalty->worst_ranks,
                     tutti_size_format(penalty->worst_size, size));
  else
    fputs("<td>nowhere</td></tr>\n", out);
}

static void print_layer(const tutti_report_layer *layer, double widest, FILE *out)
{
  tutti_html_print(out, "<tr><th scope=\"row\">%s <span class=\"soft whole\">%s</span></th>", layer->name,
                   strcmp(layer->kind, "best single method") == 0 ? layer->kind : "");
  if (layer->penalty.points > 0) {
    print_numbers(&layer->penalty, widest, out);
    return;
  }
  fputs("<td colspan=\"6\">none of its choices was measured</td>", out);
  print_points(&layer->penalty, out);
  fputs("<td></td></tr>\n", out);
}

static void print_heading(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Penalties, ", out);
  tutti_page_map_title(out, report, map);
  fputs("\">\n<table>\n<caption>Penalty in percent of the best time, ", out);
  tutti_page_map_title(out, report, map);
  fputs("</caption>\n<thead><tr><th scope=\"col\">Decision function</th>"
        "<th scope=\"col\" class=\"n\">Mean</th><th scope=\"col\" class=\"n\">Median</th>"
        "<th scope=\"col\" class=\"n\">Least</th><th scope=\"col\" class=\"n\">Most</th>"
        "<th scope=\"col\" class=\"n\">Within 5 %</th><th scope=\"col\" class=\"n\">Within 10 %</th>"
        "<th scope=\"col\" class=\"n\">Points counted</th>"
        "<th scope=\"col\">Worst at</th></tr></thead>\n<tbody>\n",
        out);
}

static void print_command(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  char command[COMMAND_LENGTH], subcommand[96];
  snprintf(subcommand, sizeof subcommand, "penalty DECISION... --collective %s",
           tutti_collective_name(map->map.collective));
  tutti_page_source(out, report, map->environment, tutti_command_of_map(report, subcommand, map, command));
}

static tutti_status print_map(const tutti_report *report, const tutti_report_map *map, FILE *out, tutti_error *error)
{
  const tutti_report_layer **layers = malloc((size_t)map->layer_count * sizeof(*layers));
  double widest = 0;
  if (!layers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the penalties of the report");
  for (int i = 0; i < map->layer_count; i++) {
    layers[i] = &map->layers[i];
    if (layers[i]->penalty.points > 0)
      widest = fmax(widest, layers[i]->penalty.mean);
  }
  qsort(layers, (size_t)map->layer_count, sizeof(*layers), by_mean);
  print_heading(report, map, out);
  for (int i = 0; i < map->layer_count; i++)
    print_layer(layers[i], widest, out);
  fputs("</tbody>\n</table>\n</div>\n", out);
  print_command(report, map, out);
  free(layers);
  return TUTTI_OK;
}

static tutti_status print_all_kept(const tutti_report *report, FILE *out, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  int kept = 0;
  for (int i = 0; i < report->contents.holding_count && status == TUTTI_OK; i++) {
    const tutti_holding *holding = &report->contents.holdings[i];
    if (holding->kind == TUTTI_HOLDS_RESULTS && holding->result == TUTTI_RESULT_PENALTY) {
      status = tutti_report_print_kept_penalties(report, holding, out, error);
      kept++;
    }
  }
  if (kept == 0)
    tutti_page_nothing(out, "No penalty of a learnt or written decision was kept in the store",
                       "tutti learn ... --keep");
  return status;
}

tutti_status tutti_report_section_penalties(const tutti_report *report, FILE *out, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (report->map_count == 0)
    tutti_page_nothing(out, "There is nothing to compare decision functions with", "tutti bench experiments/demo.xml");
  else
    fputs(
        "<p>How much slower a decision function is than the best measured method, over all points of a map: "
        "100 (<i>t</i>(picked) \u2212 <i>t</i>(best)) / <i>t</i>(best). Points where its choice was not measured are "
        "not "
        "counted. The libraries are asked as they are when nobody tunes them; models by their published formulas with "
        "the measured parameters.</p>\n",
        out);
  for (int i = 0; i < report->map_count && status == TUTTI_OK; i++)
    if (report->maps[i].layer_count > 0)
      status = print_map(report, &report->maps[i], out, error);
  return status == TUTTI_OK ? print_all_kept(report, out, error) : status;
}
