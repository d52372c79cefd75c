/* Decision maps: a table of letters, which the script makes interactive, and what can be read without it. */
#include <math.h>

#include "cli/map/map_report.h"
#include "cli/report/map_notes.h"
#include "cli/report/marks.h"
#include "cli/report/report.h"

/* ---- colors ---- */

enum { STYLE_LENGTH = PALETTE_CSS_LENGTH + 32 };

/* How a method is drawn, as declarations of CSS. */
static const char *style_of(const struct report_map *map, int method, char text[STYLE_LENGTH])
{
  const tutti_mark mark = tutti_mark_of(map->shown[method].algorithm);
  char area[PALETTE_CSS_LENGTH];
  snprintf(text, STYLE_LENGTH, "background:%s;color:%s", tutti_area_css(mark.color, mark.fill, area),
           tutti_area_is_dark(mark.color, mark.fill) ? "#fff" : "#000");
  return text;
}

const char *page_letters(const struct report_map *map, int method, char *letters)
{
  const tutti_marks marks = {map->shown, map->marked, map->shown_count, map->best};
  return tutti_marks_letters(&marks, method, letters);
}

static void print_swatch(const struct report_map *map, int method, FILE *out)
{
  char letters[REPORT_LETTERS_LENGTH], style[STYLE_LENGTH];
  fprintf(out, "<span class=\"swatch\" style=\"%s\">%s</span>", style_of(map, method, style),
          page_letters(map, method, letters));
}

/* A rule for each method that has letters, so that a cell is no more than a class and its letters. */
void report_print_map_styles(const struct report *report, FILE *out)
{
  char style[STYLE_LENGTH];
  for (int i = 0; i < report->map_count; i++) {
    const struct report_map *map = &report->maps[i];
    for (int m = 0; m < map->map.method_count; m++)
      if (map->marked[m])
        fprintf(out, "#map-%d .m%d{%s}\n", i + 1, m, style_of(map, m, style));
  }
}

/* ---- legend ---- */

static void print_legend(const struct report_map *map, const int *won, int measured, FILE *out)
{
  char name[TUTTI_METHOD_LENGTH], text[TEXT_LENGTH];
  fputs("<div class=\"legend\">\n<table>\n<caption>Best methods</caption>\n<thead><tr><th scope=\"col\">Method</th>"
        "<th scope=\"col\" class=\"n\">Points</th><th scope=\"col\" class=\"n\">Share</th></tr></thead>\n<tbody>\n",
        out);
  for (int m = 0; m < map->map.method_count; m++)
    if (won[m] > 0) {
      fputs("<tr><th scope=\"row\">", out);
      print_swatch(map, m, out);
      html_print(out, " %s</th><td class=\"n\">%s</td><td class=\"n\">%.1f %%</td></tr>\n",
                 tutti_method_format(&map->map.methods[m], name), progress_format_count((size_t)won[m], text),
                 100.0 * won[m] / measured);
    }
  html_table_end(out);
}

/* ---- the table ---- */

static void print_cell(const struct report_map *map, int best, FILE *out)
{
  char letters[REPORT_LETTERS_LENGTH];
  if (best < 0)
    fputs("<td>.</td>", out);
  else
    fprintf(out, "<td class=\"m%d\">%s</td>", best, page_letters(map, best, letters));
}

static void print_ranks(const tutti_decision_map *map, FILE *out)
{
  fputs("<thead><tr><th scope=\"col\" class=\"corner\">size \\ ranks</th>", out);
  for (int r = 0; r < map->ranks_count; r++)
    fprintf(out, "<th scope=\"col\">%d</th>", map->ranks[r]);
  html_headings_end(out);
}

static void print_grid(const struct report *report, const struct report_map *map, int index, FILE *out)
{
  const tutti_decision_map *cells = &map->map;
  char size[24], title[MAP_TITLE_LENGTH];
  html_print(out,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Decision map, %s\">\n"
             "<table class=\"map\" data-map=\"%d\">\n<caption>Best method by message size (bytes of one rank, "
             "down) and ranks (across)</caption>\n",
             page_map_title(report, map, title), index);
  print_ranks(cells, out);
  for (int s = 0; s < cells->size_count; s++) {
    fprintf(out, "<tr><th scope=\"row\">%s</th>", tutti_size_format(cells->sizes[s], size));
    for (int r = 0; r < cells->ranks_count; r++)
      print_cell(map, tutti_decision_map_best_at(cells, r, s), out);
    fputs("</tr>\n", out);
  }
  html_table_end(out);
}

/* ---- times, which can be read without the script ---- */

static void print_time_table(const tutti_decision_map *map, const char *label, const char *caption, FILE *out)
{
  char text[TEXT_LENGTH];
  html_print(out,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table class=\"times\">\n"
             "<caption>%s, \u00b5s</caption>\n",
             label, caption);
  print_ranks(map, out);
  for (int s = 0; s < map->size_count; s++) {
    fprintf(out, "<tr><th scope=\"row\">%s</th>", tutti_size_format(map->sizes[s], text));
    for (int r = 0; r < map->ranks_count; r++) {
      int best = tutti_decision_map_best_at(map, r, s);
      fprintf(out, "<td class=\"n\">%s</td>", text_us(best < 0 ? NAN : tutti_decision_map_time(map, r, s, best), text));
    }
    fputs("</tr>\n", out);
  }
  html_table_end(out);
}

static void print_times(const tutti_decision_map *map, FILE *out)
{
  fputs("<details><summary>Least times as a table</summary>\n", out);
  print_time_table(map, "Least times", "Median time of the best method", out);
  fputs("</details>\n", out);
}

/* ---- lower bounds ---- */

static void print_gap_table(const tutti_decision_map *map, const struct gap_point *gaps, FILE *out)
{
  char text[TEXT_LENGTH];
  fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Gaps\">\n<table class=\"times\">\n"
        "<caption>Time above the lower bound</caption>\n",
        out);
  print_ranks(map, out);
  for (int s = 0; s < map->size_count; s++) {
    fprintf(out, "<tr><th scope=\"row\">%s</th>", tutti_size_format(map->sizes[s], text));
    for (int r = 0; r < map->ranks_count; r++)
      html_print(out, "<td class=\"n\">%s</td>", map_gap_format(&gaps[r * map->size_count + s], text));
    fputs("</tr>\n", out);
  }
  html_table_end(out);
}

/* As --platform names the file, else the name. */
static const char *platform_of(const struct report *report, const char *name)
{
  const struct report_options *options = report->options;
  for (int i = 0; i < (int)options->platforms.count; i++)
    if (strcmp(options->selected[i].platform, name) == 0)
      return options->selected[i].platform_argument;
  return name;
}

/* Nothing where there is no bound: of real machines, under patterns, of a library's methods. */
static void print_gaps(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct measured_map measured = report_measured(report, map);
  struct gap_point *gaps;
  tutti_error reason;
  const bool calm = map->arrival.kind == TUTTI_ARRIVAL_NONE && map->noise.kind == TUTTI_NOISE_NONE;
  if (map_gap_find(&measured, platform_of(report, measured.platform), calm, &gaps, &reason) != TUTTI_OK) {
    if (calm && tutti_flavor_is_simulated(measured.flavor))
      html_print(out, "<p>How far from optimal is not known: %s</p>\n", reason.message);
    return;
  }
  char *summary = map_gap_summary(&map->map, gaps);
  if (summary) {
    html_print(out, "<details><summary>How far from optimal: %s</summary>\n", summary);
    fputs("<p>A letter for the limit of the machine that the bound is: rounds, distance, processor, injection, "
          "ejection, bisection, computation. * is proven optimal to 1 %; m is not, but is optimal in the round model "
          "(" MAP_GAP_MODEL ").</p>\n",
          out);
    print_gap_table(&map->map, gaps, out);
    fputs("</details>\n", out);
  }
  free(summary);
  free(gaps);
}

/* ---- notes on a decision map, as tutti map has them ---- */

struct note_list {
  FILE *out;
  bool begun;
};

static void print_note(const char *note, bool item, void *context)
{
  struct note_list *list = context;
  if (!list->begun)
    fputs("<ul class=\"notes\">\n", list->out);
  list->begun = true;
  html_print(list->out, item ? "<li class=\"item\">%s</li>\n" : "<li>%s</li>\n", note);
}

static void print_notes(const struct report *report, const struct report_map *map, FILE *out)
{
  const tutti_environment *own = report_environment(report, map);
  struct note_list list = {.out = out};
  tutti_map_notes(&(struct tutti_noted_map){&map->map, own->library, own->cores}, print_note, &list);
  if (list.begun)
    fputs("</ul>\n", out);
}

/* ---- a map ---- */

static int count_wins(const tutti_decision_map *map, int *won)
{
  int measured = 0;
  for (size_t i = 0; i < tutti_decision_map_points(map); i++)
    if (map->best[i] >= 0) {
      won[map->best[i]]++;
      measured++;
    }
  return measured;
}

static void print_facts(const struct report_map *map, FILE *out)
{
  const tutti_decision_map *cells = &map->map;
  char points[TEXT_LENGTH], repetitions[TEXT_LENGTH];
  html_print(out,
             "<p class=\"facts\">%s point%s measured: %d number%s of ranks, %d size%s, %d method%s \u00b7 scheme "
             "%s, repetitions: %s \u00b7 ranks a node: %d",
             progress_format_count(map->points, points), tutti_plural(map->points), cells->ranks_count,
             tutti_plural((uint64_t)cells->ranks_count), cells->size_count, tutti_plural((uint64_t)cells->size_count),
             cells->method_count, tutti_plural((uint64_t)cells->method_count), tutti_scheme_name(map->scheme),
             page_repetitions(map, repetitions), map->ranks_per_node);
  fputs(
      tutti_decision_map_only_native(cells)
          ? ""
          : " \u00b7 medians; of two that differ by less than 10<sup>\u22129</sup> the first of the catalogue is taken",
      out);
  fputs("</p>\n", out);
}

static void print_negative(const struct report_map *map, FILE *out)
{
  size_t count = map->map.negative;
  if (count > 0)
    html_print(out,
               "<p class=\"warning\">%zu measurement%s below zero %s left out: <code>tutti bench</code> measures "
               "%s anew.</p>\n",
               count, tutti_plural(count), count == 1 ? "is" : "are", count == 1 ? "it" : "them");
}

/* Where nothing else was measured there is no map, nothing to lose and nothing to recommend. */
static void print_native(const struct report *report, const struct report_map *map, FILE *out)
{
  char *command = command_of_bench(report, map);
  html_print(out,
             "<p class=\"warning\">Only what the library chooses itself was measured: there is nothing to choose "
             "from. This measures algorithms: <code>%s</code></p>\n",
             command);
  print_time_table(&map->map, "Times", "Time by message size and ranks", out);
  print_notes(report, map, out);
  free(command);
}

static void print_choice(const struct report *report, int index, FILE *out)
{
  const struct report_map *map = &report->maps[index];
  int *won = tutti_xcalloc((size_t)map->map.method_count, sizeof *won), measured = count_wins(&map->map, won);
  report_print_compared(report, map, out);
  report_print_gain(report, map, out);
  fputs("<div class=\"controls\" hidden></div>\n<div class=\"board\">\n<div>\n", out);
  print_grid(report, map, index, out);
  print_legend(map, won, measured, out);
  fputs("</div>\n<div class=\"point\" hidden></div>\n</div>\n", out);
  print_notes(report, map, out);
  report_print_losses(report, map, out);
  report_print_rules(report, map, out);
  free(won);
}

static void print_map(const struct report *report, int index, FILE *out)
{
  const struct report_map *map = &report->maps[index];
  const bool native = tutti_decision_map_only_native(&map->map);
  char command[COMMAND_LENGTH], subcommand[64], title[MAP_TITLE_LENGTH];
  html_print(out, "<article class=\"decision\" id=\"map-%d\">\n<h3>%s</h3>\n", index + 1,
             page_map_title(report, map, title));
  if (native)
    print_native(report, map, out);
  else
    print_choice(report, index, out);
  print_facts(map, out);
  print_negative(map, out);
  if (!native)
    print_times(&map->map, out);
  if (!native)
    print_gaps(report, map, out);
  snprintf(subcommand, sizeof subcommand, "map %s", tutti_collective_name(map->map.collective));
  page_source(out, report, map->environment, command_of_map(report, subcommand, map, command));
  fputs("</article>\n", out);
}

void section_maps(const struct report *report, FILE *out)
{
  bool choice = false;
  for (int i = 0; i < report->map_count; i++)
    choice = choice || !tutti_decision_map_only_native(&report->maps[i].map);
  if (choice)
    fputs("<p>Each cell is one communicator and message size; its letters and colour are the method that took least "
          "time. <span class=\"scripted\" hidden>Point at a cell, tap it, or move with the arrow keys, to see all that "
          "was measured there.</span></p>\n",
          out);
  for (int i = 0; i < report->map_count; i++)
    print_map(report, i, out);
}
