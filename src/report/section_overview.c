/* What is in this store, and the headline figures. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "tutti/decision_map.h"

/* ---- counts ---- */

static void print_figure(FILE *out, size_t number, const char *one, const char *many)
{
  char text[TEXT_LENGTH];
  if (number > 0)
    tutti_html_print(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", number == 1 ? one : many,
                     tutti_text_count(number, text));
}

static int count_platforms(const tutti_report *report)
{
  const tutti_store_contents *contents = &report->contents;
  int count = 0;
  for (int e = 0; e < contents->environment_count; e++) {
    bool seen = false;
    for (int i = 0; i < e; i++)
      seen = seen || strcmp(contents->environments[i].platform, contents->environments[e].platform) == 0;
    count += !seen && tutti_report_rows(report, REPORT_ANY, REPORT_ANY, e) > 0;
  }
  return count;
}

static void print_figures(const tutti_report *report, FILE *out)
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
  print_figure(out, tutti_report_rows(report, TUTTI_ENTRY_MEASUREMENTS, REPORT_ANY, REPORT_ANY), "measured point",
               "measured points");
  print_figure(out, (size_t)count_platforms(report), "platform", "platforms");
  print_figure(out, (size_t)report->map_count, "decision map", "decision maps");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    print_figure(out, tutti_report_rows(report, figures[i].kind, figures[i].result, REPORT_ANY), figures[i].one,
                 figures[i].many);
  fputs("</dl>\n", out);
}

/* ---- maps at a glance ---- */

struct wins {
  int methods; /* best somewhere */
  int winner;  /* the method best most often; -1: none */
  double share;
};

static struct wins count_wins(const tutti_report_map *map)
{
  struct wins wins = {.winner = -1};
  int points = (int)tutti_decision_map_points(&map->map), measured = 0, max = 0;
  for (int i = 0; i < points; i++)
    measured += map->map.best[i] >= 0;
  for (int m = 0; m < map->map.method_count; m++) {
    int won = 0;
    for (int i = 0; i < points; i++)
      won += map->map.best[i] == m;
    wins.methods += won > 0;
    if (won > max) {
      max = won;
      wins.winner = m;
      wins.share = 100.0 * won / measured;
    }
  }
  return wins;
}

/* The library that loses least, which is what a user without tuning could hope for; NULL: none was measured. */
static const tutti_report_layer *best_library(const tutti_report_map *map)
{
  const tutti_report_layer *best = NULL;
  for (int i = 0; i < map->layer_count; i++)
    if (strcmp(map->layers[i].kind, "library") == 0 && map->layers[i].penalty.points > 0 &&
        (!best || map->layers[i].penalty.mean < best->penalty.mean))
      best = &map->layers[i];
  return best;
}

static void print_range(const tutti_decision_map *map, FILE *out)
{
  char min[24], max[24];
  tutti_html_print(out, "<td class=\"n\">%d\u2013%d</td><td class=\"n\">%s\u2013%s</td>", map->ranks[0],
                   map->ranks[map->ranks_count - 1], tutti_size_format(map->sizes[0], min),
                   tutti_size_format(map->sizes[map->size_count - 1], max));
}

static void print_map_row(const tutti_report *report, int index, FILE *out)
{
  const tutti_report_map *map = &report->maps[index];
  const struct wins wins = count_wins(map);
  const tutti_report_layer *library = best_library(map);
  char name[TUTTI_METHOD_LENGTH] = "\u2013", text[TEXT_LENGTH], title[MAP_TITLE_LENGTH];
  tutti_html_print(out, "<tr><th scope=\"row\"><a href=\"#map-%d\">%s</a></th>", index + 1,
                   tutti_page_map_title(report, map, title));
  print_range(&map->map, out);
  tutti_html_print(out, "<td class=\"n\">%s</td><td class=\"n\">%d of %d</td>", tutti_text_count(map->points, text),
                   wins.methods, map->map.method_count);
  if (wins.winner >= 0)
    tutti_method_format(&map->map.methods[wins.winner], name);
  tutti_html_print(out, "<td>%s <span class=\"soft\">%.0f %%</span></td>", name, wins.share);
  if (library)
    tutti_html_print(out, "<td>%s <span class=\"soft\">%s %%</span></td></tr>\n", library->name + strlen("library:"),
                     tutti_text_real(library->penalty.mean, text));
  else
    fputs("<td>\u2013</td></tr>\n", out);
}

static void print_maps(const tutti_report *report, FILE *out)
{
  static const char title[] = "Decision maps at a glance";
  tutti_html_table_begin(out, title, "wide", title,
                         "Map|#Ranks|#Sizes|#Points|#Methods best somewhere|"
                         "Best most often <span class=\"soft\">share</span>|"
                         "Closest untuned library <span class=\"soft\">mean loss</span>");
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, i, out);
  tutti_html_table_end(out);
}

tutti_status tutti_report_section_overview(const tutti_report *report, FILE *out, tutti_error *error)
{
  (void)error;
  if (report->contents.entry_count == 0) {
    tutti_page_nothing(out, "The store is empty", "tutti bench experiments/demo.xml");
    return TUTTI_OK;
  }
  print_figures(report, out);
  if (report->map_count > 0)
    print_maps(report, out);
  return TUTTI_OK;
}
