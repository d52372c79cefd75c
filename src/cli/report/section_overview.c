/* All maps at a glance, where there are several. */
#include "cli/report/report.h"
#include "tutti/decision_map.h"
#include "tutti/library.h"

/* ---- maps at a glance ---- */

struct wins {
  int methods; /* best somewhere */
  int candidates;
  int winner; /* the method best most often; -1: none */
  double share;
};

static struct wins count_wins(const struct report_map *map)
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

const char *report_layer_name(const struct report_layer *layer)
{
  return strcmp(layer->kind, "library") == 0 ? layer->name + strlen("library:") : layer->name;
}

/* "openmpi-4.1 38.0 %", and at how many of the points that is known, unless at all. */
static void print_loss(const struct report_layer *layer, FILE *out)
{
  const tutti_penalty *penalty = &layer->penalty;
  html_print(out, "<div>%s <span class=\"soft\">%.1f %%", report_layer_name(layer), penalty->mean);
  if (penalty->missing > 0)
    html_print(out, " (%d of %d)", penalty->points, penalty->points + penalty->missing);
  fputs("</span></div>", out);
}

/* What a user without tuning loses: by the measured library's own choice; else by the rules of today's libraries. */
static void print_untuned(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct file_comparison *compared = report_compared(report, map);
  bool any = false;
  fputs("<td>", out);
  for (int i = 0; i < map->layer_count; i++) {
    const struct report_layer *layer = &map->layers[i];
    bool native = strcmp(layer->kind, "native") == 0; /* which comes before libraries */
    bool library = strcmp(layer->kind, "library") == 0 && !tutti_library_is_former(layer->name);
    if (layer->penalty.points == 0 || (!native && !library))
      continue;
    print_loss(layer, out);
    any = true;
    if (native)
      break;
  }
  if (any && compared && compared->all.won == 0 && comparison_verdict(compared) != COMPARISON_FEW)
    fputs("<div class=\"soft\">not confirmed by a comparison</div>", out);
  fputs(any ? "</td>" : "\u2013</td>", out);
}

static void print_recommended(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct report_layer *rules = NULL;
  for (int i = 0; i < map->layer_count; i++)
    if (strcmp(map->layers[i].kind, "recommended") == 0 && map->layers[i].penalty.points > 0)
      rules = &map->layers[i];
  if (rules)
    html_print(out, "<td class=\"n\">%.1f %%%s%s</td>", rules->penalty.mean,
               report_recommends_native(map) ? ", native" : "",
               comparison_verdict(report_compared(report, map)) == COMPARISON_CONTRADICTS ? ", contradicted" : "");
  else
    fputs("<td class=\"n\">\u2013</td>", out);
}

/* "4\u201332", or the only one. */
static void print_range(const char *first, const char *last, FILE *out)
{
  bool one = strcmp(first, last) == 0;
  html_print(out, "<td class=\"n\">%s%s%s</td>", first, one ? "" : "\u2013", one ? "" : last);
}

static void print_axes(const tutti_decision_map *map, FILE *out)
{
  char min[24], max[24];
  snprintf(min, sizeof min, "%d", map->ranks[0]);
  snprintf(max, sizeof max, "%d", map->ranks[map->ranks_count - 1]);
  print_range(min, max, out);
  print_range(tutti_size_format(map->sizes[0], min), tutti_size_format(map->sizes[map->size_count - 1], max), out);
}

static void print_map_row(const struct report *report, int index, FILE *out)
{
  const struct report_map *map = &report->maps[index];
  const struct wins wins = count_wins(map);
  const bool native = tutti_decision_map_only_native(&map->map);
  char name[TUTTI_METHOD_LENGTH] = "\u2013", text[TEXT_LENGTH], title[MAP_TITLE_LENGTH];
  html_print(out, "<tr><th scope=\"row\"><a href=\"#map-%d\">%s</a></th>", index + 1,
             page_map_title(report, map, title));
  print_untuned(report, map, out);
  print_recommended(report, map, out);
  if (wins.winner >= 0)
    tutti_method_format(&map->map.methods[wins.winner], name);
  if (native)
    html_print(out, "<td class=\"soft\">native alone</td>");
  else
    html_print(out, "<td>%s <span class=\"soft\">%.0f %%</span></td>", name, wins.share);
  print_axes(&map->map, out);
  html_print(out, "<td class=\"n\">%s</td>", progress_format_count(map->points, text));
  if (native)
    fputs("<td class=\"n\">\u2013</td></tr>\n", out);
  else
    html_print(out, "<td class=\"n\">%d of %d</td></tr>\n", wins.methods, wins.candidates);
}

static void print_maps(const struct report *report, FILE *out)
{
  static const char title[] = "Decision maps at a glance";
  html_table_begin(out, title, "wide", title,
                   HTML_TEXTS("Map") HTML_TEXTS("Without tuning <span class=\"soft\">mean loss (points)</span>")
                       HTML_NUMBERS("Recommended rules <span class=\"soft\">mean loss</span>")
                           HTML_TEXTS("Best most often <span class=\"soft\">share</span>") HTML_NUMBERS("Ranks")
                               HTML_NUMBERS("Sizes") HTML_NUMBERS("Points") HTML_NUMBERS("Ever best"));
  for (int i = 0; i < report->map_count; i++)
    print_map_row(report, i, out);
  html_table_end(out);
}

void section_overview(const struct report *report, FILE *out)
{
  if (report->contents.entry_count == 0)
    fputs("<p class=\"nothing\">The store is empty. This fills it: <code>tutti bench demo</code></p>\n", out);
  report_print_comparisons(report, out);
  if (report->map_count > 1)
    print_maps(report, out);
}
