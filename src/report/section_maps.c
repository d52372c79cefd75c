/* Decision maps: a table of letters, which the script makes answer, and what can be read without it. */
#include <math.h>
#include <stdlib.h>

#include "report/command.h"
#include "report/html.h"
#include "report/marks.h"
#include "report/page.h"
#include "tutti/decision_map.h"

/* ---- colors ---- */

/* Black or white, whichever is read better (relative luminance, WCAG 2). */
static const char *ink_on(unsigned color)
{
  double luminance = 0;
  static const double weights[] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; i++) {
    double channel = (color >> (16 - 8 * i) & 0xff) / 255.0;
    luminance += weights[i] * (channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4));
  }
  return luminance > 0.179 ? "#000" : "#fff";
}

static void print_swatch(const tutti_report_map *map, int method, FILE *out)
{
  char letters[REPORT_LETTERS_LENGTH];
  unsigned color = tutti_report_color(&map->map, method);
  fprintf(out, "<span class=\"swatch\" style=\"background:#%06x;color:%s\">%s</span>", color, ink_on(color),
          tutti_report_letters(map->letters[method], map->letter_count, letters));
}

/* A rule for each method that has letters, so that a cell is no more than a class and its letters. */
void tutti_report_print_map_styles(const tutti_report *report, FILE *out)
{
  for (int i = 0; i < report->map_count; i++) {
    const tutti_report_map *map = &report->maps[i];
    for (int m = 0; m < map->map.method_count; m++)
      if (map->letters[m] >= 0) {
        unsigned color = tutti_report_color(&map->map, m);
        fprintf(out, "#map-%d .m%d{background:#%06x;color:%s}\n", i + 1, m, color, ink_on(color));
      }
  }
}

/* ---- legend ---- */

static void print_legend(const tutti_report_map *map, const int *won, int measured, FILE *out)
{
  char name[TUTTI_METHOD_LENGTH], text[TEXT_LENGTH];
  fputs("<div class=\"legend\">\n<table>\n<caption>Best methods</caption>\n<thead><tr><th scope=\"col\">Method</th>"
        "<th scope=\"col\" class=\"n\">Points</th><th scope=\"col\" class=\"n\">Share</th></tr></thead>\n<tbody>\n",
        out);
  for (int m = 0; m < map->map.method_count; m++)
    if (won[m] > 0) {
      fputs("<tr><th scope=\"row\">", out);
      print_swatch(map, m, out);
      tutti_html_print(out, " %s</th><td class=\"n\">%s</td><td class=\"n\">%.1f %%</td></tr>\n",
                       tutti_method_format(&map->map.methods[m], name), tutti_text_count((size_t)won[m], text),
                       100.0 * won[m] / measured);
    }
  fputs("</tbody>\n</table>\n</div>\n", out);
}

/* ---- the table ---- */

static void print_cell(const tutti_report_map *map, int best, FILE *out)
{
  char letters[REPORT_LETTERS_LENGTH];
  if (best < 0)
    fputs("<td>.</td>", out);
  else
    fprintf(out, "<td class=\"m%d\">%s</td>", best,
            tutti_report_letters(map->letters[best], map->letter_count, letters));
}

static void print_ranks(const tutti_decision_map *map, FILE *out)
{
  fputs("<thead><tr><th scope=\"col\" class=\"corner\">size \\ ranks</th>", out);
  for (int r = 0; r < map->ranks_count; r++)
    fprintf(out, "<th scope=\"col\">%d</th>", map->ranks[r]);
  fputs("</tr></thead>\n<tbody>\n", out);
}

static void print_grid(const tutti_report *report, const tutti_report_map *map, int index, FILE *out)
{
  const tutti_decision_map *cells = &map->map;
  char size[24];
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Decision map, ", out);
  tutti_page_map_title(out, report, map);
  fprintf(out,
          "\">\n<table class=\"map\" data-map=\"%d\">\n<caption>Best method by message size (bytes of one rank, down) "
          "and ranks (across)</caption>\n",
          index);
  print_ranks(cells, out);
  for (int s = 0; s < cells->size_count; s++) {
    fprintf(out, "<tr><th scope=\"row\">%s</th>", tutti_size_format(cells->sizes[s], size));
    for (int r = 0; r < cells->ranks_count; r++)
      print_cell(map, cells->best[r * cells->size_count + s], out);
    fputs("</tr>\n", out);
  }
  fputs("</tbody>\n</table>\n</div>\n", out);
}

/* ---- times, for those who read without the script ---- */

static void print_times(const tutti_decision_map *map, FILE *out)
{
  char text[TEXT_LENGTH];
  fputs("<details><summary>Least times as a table</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
        "aria-label=\"Least times\">\n<table class=\"times\">\n<caption>Median time of the best method, "
        "\u00b5s</caption>\n",
        out);
  print_ranks(map, out);
  for (int s = 0; s < map->size_count; s++) {
    fprintf(out, "<tr><th scope=\"row\">%s</th>", tutti_size_format(map->sizes[s], text));
    for (int r = 0; r < map->ranks_count; r++) {
      int best = map->best[r * map->size_count + s];
      fprintf(out, "<td class=\"n\">%s</td>",
              tutti_text_us(best < 0 ? NAN : tutti_decision_map_time(map, r, s, best), text));
    }
    fputs("</tr>\n", out);
  }
  fputs("</tbody>\n</table>\n</div>\n</details>\n", out);
}

/* ---- a map ---- */

static int count_wins(const tutti_decision_map *map, int *won)
{
  int measured = 0;
  for (int m = 0; m < map->method_count; m++)
    won[m] = 0;
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    if (map->best[i] >= 0) {
      won[map->best[i]]++;
      measured++;
    }
  return measured;
}

static void print_facts(const tutti_report_map *map, FILE *out)
{
  char points[TEXT_LENGTH], repetitions[64];
  if (map->least_repetitions == map->most_repetitions)
    snprintf(repetitions, sizeof repetitions, "repetitions: %d", map->most_repetitions);
  else
    snprintf(repetitions, sizeof repetitions, "repetitions: %d to %d", map->least_repetitions, map->most_repetitions);
  tutti_html_print(
      out,
      "<p class=\"facts\">%s points: %d numbers of ranks, %d sizes, %d methods \u00b7 scheme %s, %s \u00b7 "
      "ranks a node: %d</p>\n",
      tutti_text_count(map->points, points), map->map.ranks_count, map->map.size_count, map->map.method_count,
      tutti_scheme_name(map->scheme), repetitions, map->ranks_per_node);
}

static void print_map(const tutti_report *report, int index, int *won, FILE *out)
{
  const tutti_report_map *map = &report->maps[index];
  char command[COMMAND_LENGTH], subcommand[64];
  int measured = count_wins(&map->map, won);
  tutti_html_print(out, "<article class=\"decision\" id=\"map-%d\">\n<h3>", index + 1);
  tutti_page_map_title(out, report, map);
  fputs("</h3>\n", out);
  print_facts(map, out);
  fputs("<div class=\"controls\" hidden></div>\n<div class=\"board\">\n", out);
  print_grid(report, map, index, out);
  fputs("<div class=\"point\" hidden></div>\n</div>\n", out);
  print_legend(map, won, measured, out);
  print_times(&map->map, out);
  snprintf(subcommand, sizeof subcommand, "map %s", tutti_collective_name(map->map.collective));
  tutti_page_source(out, report, map->environment, tutti_command_of_map(report, subcommand, map, command));
  fputs("</article>\n", out);
}

tutti_status tutti_report_section_maps(const tutti_report *report, FILE *out, tutti_error *error)
{
  if (report->map_count == 0)
    tutti_page_nothing(out, "No collective operation was measured", "tutti bench experiments/demo.xml");
  else
    fputs(
        "<p>Each cell is one communicator and message size; its letters and colour are the method that took least "
        "time. "
        "Median times; two that differ by less than 10<sup>\u22129</sup> tie, and the first method of the catalogue is "
        "taken. <span class=\"scripted\" hidden>Point at a cell, tap it, or move with the arrow keys, to see all that "
        "was measured there.</span></p>\n",
        out);
  for (int i = 0; i < report->map_count; i++) {
    int *won = calloc((size_t)report->maps[i].map.method_count, sizeof *won);
    if (!won)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision maps of the report");
    print_map(report, i, won, out);
    free(won);
  }
  return TUTTI_OK;
}
