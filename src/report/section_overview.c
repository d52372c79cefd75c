/* All maps at a glance, where there are several. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "tutti/decision_map.h"

/* ---- maps at a glance ---- */

struct wins {
  int methods; /* best somewhere */
  int candidates;
  int winner; /* the method best most often; -1: none */
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
    wins.candidates += tutti_candidates_have(&map->map.candidates, &map->map.methods[m]);
    if (won > max) {
      max = won;
      wins.winner = m;
      wins.share = 100.0 * won / measured;
    }
  }
  return wins;
}

/* What a user without tuning has: what the measured library chooses itself, else the library whose rules lose least;
   NULL: none was measured. */
static const tutti_report_layer *best_library(const tutti_report_map *map)
{
  const tutti_report_layer *best = NULL;
  for (int i = 0; i < map->layer_count; i++) {
    const tutti_report_layer *layer = &map->layers[i];
    if (strcmp(layer->kind, "native") == 0 && layer->penalty.points > 0)
      return layer;
    if (strcmp(layer->kind, "library") == 0 && layer->penalty.points > 0 &&
        (!best || layer->penalty.mean < best->penalty.mean))
      best = layer;
  }
  return best;
}

static const char *short_name(const tutti_report_layer *layer)
{
  return strcmp(layer->kind, "library") == 0 ? layer->name + strlen("library:") : layer->name;
}

/* "4\u201332", or the only one. */
static void print_range(const char *first, const char *last, FILE *out)
{
  bool one = strcmp(first, last) == 0;
  tutti_html_print(out, "<td class=\"n\">%s%s%s</td>", first, one ? "" : "\u2013", one ? "" : last);
}

static void print_axes(const tutti_decision_map *map, FILE *out)
{
  char min[24], max[24];
  snprintf(min, sizeof min, "%d", map->ranks[0]);
  snprintf(max, sizeof max, "%d", map->ranks[map->ranks_count - 1]);
  print_range(min, max, out);
  print_range(tutti_size_format(map->sizes[0], min), tutti_size_format(map->sizes[map->size_count - 1], max), out);
}

static void print_map_row(const tutti_report *report, int index, FILE *out)
{
  const tutti_report_map *map = &report->maps[index];
  const struct wins wins = count_wins(map);
  const bool native = tutti_decision_map_only_native(&map->map);
  const tutti_report_layer *library = best_library(map);
  char name[TUTTI_METHOD_LENGTH] = "\u2013", text[TEXT_LENGTH], title[MAP_TITLE_LENGTH];
  tutti_html_print(out, "<tr><th scope=\"row\"><a href=\"#map-%d\">%s</a></th>", index + 1,
                   tutti_page_map_title(report, map, title));
  if (library)
    tutti_html_print(out, "<td>%s <span class=\"soft\">%s %%</span></td>", short_name(library),
                     tutti_text_real(library->penalty.mean, text));
  else
    fputs("<td>\u2013</td>", out);
  if (wins.winner >= 0)
    tutti_method_format(&map->map.methods[wins.winner], name);
  if (native)
    tutti_html_print(out, "<td class=\"soft\">%s alone</td>", name);
  else
    tutti_html_print(out, "<td>%s <span class=\"soft\">%.0f %%</span></td>", name, wins.share);
  print_axes(&map->map, out);
  tutti_html_print(out, "<td class=\"n\">%s</td>", tutti_text_count(map->points, text));
  if (native)
    fputs("<td class=\"n\">\u2013</td></tr>\n", out);
  else
    tutti_html_print(out, "<td class=\"n\">%d of %d</td></tr>\n", wins.methods, wins.candidates);
}

static void print_maps(const tutti_report *report, FILE *out)
{
  static const char title[] = "Decision maps at a glance";
  tutti_html_table_begin(out, title, "wide", title,
                         "Map|Without tuning <span class=\"soft\">mean loss</span>|"
                         "Best most often <span class=\"soft\">share</span>|#Ranks|#Sizes|#Points|"
                         "#Methods best somewhere");
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, i, out);
  tutti_html_table_end(out);
}

tutti_status tutti_report_section_overview(const tutti_report *report, FILE *out, tutti_error *error)
{
  (void)error;
  if (report->contents.entry_count == 0)
    fputs("<p class=\"nothing\">The store is empty. This fills it: <code>tutti bench demo</code></p>\n", out);
  if (report->map_count > 1)
    print_maps(report, out);
  return TUTTI_OK;
}
