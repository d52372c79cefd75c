/* What decision functions lose against the best method of each point. */
#include <math.h>

#include "cli/report/report.h"
#include "tutti/library.h"

/* ---- asked now ---- */

static int by_mean(const void *left_item, const void *right_item)
{
  const struct report_layer *left = *(const struct report_layer *const *)left_item;
  const struct report_layer *right = *(const struct report_layer *const *)right_item;
  bool left_known = left->penalty.points > 0, right_known = right->penalty.points > 0;
  if (left_known != right_known)
    return right_known - left_known;
  if (left_known && left->penalty.mean != right->penalty.mean)
    return left->penalty.mean < right->penalty.mean ? -1 : 1;
  return strcmp(left->name, right->name);
}

static void print_percent(FILE *out, double percent)
{
  html_print(out, "<td class=\"n\">%.2f</td>", percent);
}

static void print_points(const tutti_penalty *penalty, FILE *out)
{
  char counted[TEXT_LENGTH], all[TEXT_LENGTH];
  html_print(out, "<td class=\"n\">%s of %s</td>", progress_format_count((size_t)penalty->points, counted),
             progress_format_count((size_t)(penalty->points + penalty->missing), all));
}

static void print_numbers(const tutti_penalty *penalty, double widest, FILE *out)
{
  char size[24];
  html_print(out, "<td class=\"n bar\"><span style=\"width:%.1f%%\"></span>%.2f</td>",
             widest > 0 && penalty->mean > 0 ? 100 * penalty->mean / widest : 0.0, penalty->mean);
  print_percent(out, penalty->median);
  print_percent(out, penalty->min);
  print_percent(out, penalty->max);
  html_print(out, "<td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>", 100 * penalty->within_5,
             100 * penalty->within_10);
  print_points(penalty, out);
  if (penalty->max > 0)
    html_print(out, "<td class=\"whole\">%d ranks, %s</td></tr>\n", penalty->worst_ranks,
               tutti_size_format(penalty->worst_size, size));
  else
    fputs("<td>nowhere</td></tr>\n", out);
}

static void print_layer(const struct report_layer *layer, double widest, FILE *out)
{
  html_print(out, "<tr><th scope=\"row\">%s <span class=\"soft whole\">%s</span></th>", layer->name,
             strcmp(layer->kind, "best single method") == 0 ? layer->kind : "");
  if (layer->penalty.points > 0) {
    print_numbers(&layer->penalty, widest, out);
    return;
  }
  fputs("<td colspan=\"6\">none of its choices was measured</td>", out);
  print_points(&layer->penalty, out);
  fputs("<td></td></tr>\n", out);
}

static void begin_table(const struct report *report, const struct report_map *map, FILE *out)
{
  char title[MAP_TITLE_LENGTH];
  page_map_title(report, map, title);
  char *label = tutti_xprintf("Penalties, %s", title);
  char *caption = tutti_xprintf("Penalty in percent of the best time, %s", title);
  html_table_begin(out, label, NULL, caption,
                   HTML_TEXTS("Decision function") HTML_NUMBERS("Mean") HTML_NUMBERS("Median") HTML_NUMBERS("Least")
                       HTML_NUMBERS("Most") HTML_NUMBERS("Within 5\u00a0%") HTML_NUMBERS("Within 10\u00a0%")
                           HTML_NUMBERS("Points counted") HTML_TEXTS("Worst at"));
  free(label);
  free(caption);
}

static void print_command(const struct report *report, const struct report_map *map, FILE *out)
{
  char command[COMMAND_LENGTH], subcommand[96];
  snprintf(subcommand, sizeof subcommand, "penalty DECISION... --collective %s",
           tutti_collective_name(map->map.collective));
  page_source(out, report, map->environment, command_of_map(report, subcommand, map, command));
}

/* Slower by less than the noise is no loss: which functions, and at how many points. */
static void print_within_noise(const struct report_layer **layers, int count, FILE *out)
{
  const char *between = "<p class=\"facts\">Slower than the best by less than the noise of both counts as 0: ";
  for (int i = 0; i < count; i++) {
    const tutti_penalty *penalty = &layers[i]->penalty;
    if (penalty->within_noise == 0)
      continue;
    fputs(between, out);
    html_print(out, "%s at %d of %d points", layers[i]->name, penalty->within_noise, penalty->points);
    between = ", ";
  }
  if (*between == ',')
    fputs(".</p>\n", out);
}

void report_print_losses(const struct report *report, const struct report_map *map, FILE *out)
{
  if (map->layer_count == 0)
    return;
  const struct report_layer **layers = tutti_xcalloc((size_t)map->layer_count, sizeof(*layers));
  double widest = 0;
  for (int i = 0; i < map->layer_count; i++) {
    layers[i] = &map->layers[i];
    if (layers[i]->penalty.points > 0)
      widest = fmax(widest, layers[i]->penalty.mean);
  }
  qsort(layers, (size_t)map->layer_count, sizeof(*layers), by_mean);
  fputs("<h4>What is lost to the best method</h4>\n", out);
  begin_table(report, map, out);
  for (int i = 0; i < map->layer_count; i++)
    print_layer(layers[i], widest, out);
  html_table_end(out);
  print_within_noise(layers, map->layer_count, out);
  print_command(report, map, out);
  free(layers);
}

/* ", openmpi-4.1 takes 3.1 % more time (where ...)"; @p between begins it. */
static void print_more(const struct report_layer *layer, const char *between, bool certain, FILE *out)
{
  fputs(between, out);
  html_print(out, certain ? "<strong>%s</strong> takes <strong>%.1f %%</strong> %s time" : "%s takes %.1f %% %s time",
             report_layer_name(layer), fabs(layer->penalty.mean), layer->penalty.mean < 0 ? "less" : "more");
  if (layer->penalty.missing > 0)
    html_print(out, " (where its choice was measured: %d of %d points)", layer->penalty.points,
               layer->penalty.points + layer->penalty.missing);
}

/* The decisions of a user without tuning: the own choice of the measured library, else the rules of libraries. */
static bool is_untuned(const struct report_map *map, const struct report_layer *layer)
{
  bool native = false;
  for (int i = 0; i < map->layer_count; i++)
    native = native || (strcmp(map->layers[i].kind, "native") == 0 && map->layers[i].penalty.points > 0);
  return strcmp(layer->kind, native ? "native" : "library") == 0;
}

/* What a user without tuning loses, on average over the points where that is known: today's libraries, then former. No
   comparison has to confirm it, but one whose file won nowhere makes it uncertain. */
void report_print_gain(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct file_comparison *compared = report_compared(report, map);
  const bool certain = !compared || compared->all.won > 0 || comparison_verdict(compared) == COMPARISON_FEW;
  const char *between =
      certain ? "<p class=\"gain\">Without tuning, " : "<p class=\"facts\">By the times of single launches ";
  for (int former = 0; former < 2; former++)
    for (int i = 0; i < map->layer_count; i++) {
      const struct report_layer *layer = &map->layers[i];
      if (layer->penalty.points == 0 || !is_untuned(map, layer) || tutti_library_is_former(layer->name) != former)
        continue;
      print_more(layer, between, certain, out);
      between = ", ";
    }
  if (*between == ',')
    fputs(certain ? " than the best method, on average.</p>\n"
                  : " than the best method, on average. The comparison does not confirm that tuning wins it.</p>\n",
          out);
}

/* ---- kept in the store by tutti penalty and tutti learn ---- */

static void get_basis(tutti_cell *cell, const void *row)
{
  const tutti_value *values = ((const tutti_result *)row)->values;
  tutti_cell_format(cell, "%s, root %zu", values[TUTTI_PENALTY_FIELD_BASIS].string,
                    (size_t)values[TUTTI_PENALTY_FIELD_ROOT].integer);
}

static void get_points(tutti_cell *cell, const void *row)
{
  tutti_cell_count(cell, *(const uint64_t *)TUTTI_FIELD_OF(row, cell->column));
  cell->shown = progress_format_count((size_t)cell->count, cell->buffer);
}

/* Leaves and depth of a tree; other decision functions have no leaves. */
static void get_leaves(tutti_cell *cell, const void *row)
{
  cell->count = *(const uint64_t *)TUTTI_FIELD_OF(row, cell->column);
  cell->type = cell->count > 0 ? TUTTI_CELL_COUNT : TUTTI_CELL_NONE;
}

static void get_depth(tutti_cell *cell, const void *row)
{
  const tutti_value *values = ((const tutti_result *)row)->values;
  if (values[TUTTI_PENALTY_FIELD_LEAVES].integer > 0)
    tutti_cell_format(cell, "%zu to %zu, mean %.2f", (size_t)values[TUTTI_PENALTY_FIELD_DEPTH_LEAST].integer,
                      (size_t)values[TUTTI_PENALTY_FIELD_DEPTH_MOST].integer,
                      values[TUTTI_PENALTY_FIELD_DEPTH_MEAN].real);
}

static void get_time(tutti_cell *cell, const void *row)
{
  tutti_cell_real(cell, *(const double *)TUTTI_FIELD_OF(row, cell->column));
  cell->shown = text_real(cell->real > 0 ? cell->real * 1e9 : NAN, cell->buffer);
}

#define STORED(field, member) TUTTI_FIELD(tutti_result, values[TUTTI_PENALTY_FIELD_##field].member)

static const tutti_column kept_columns[] = {
    {"Decision function", NULL, STORED(DECISION, string)},
    {"Collective", NULL, STORED(COLLECTIVE, string)},
    {"Against", NULL, .get = get_basis},
    {"Mean", NULL, STORED(MEAN, real), .decimals = 2},
    {"Median", NULL, STORED(MEDIAN, real), .decimals = 2},
    {"Least", NULL, STORED(MINIMUM, real), .decimals = 2},
    {"Most", NULL, STORED(MAXIMUM, real), .decimals = 2},
    {"Points", NULL, STORED(POINTS, integer), .get = get_points},
    {"Leaves", NULL, STORED(LEAVES, integer), .get = get_leaves, .none = "\u2013"},
    {"Depth", NULL, .get = get_depth, .none = "\u2013", .alignment = TUTTI_ALIGN_RIGHT},
    {"Decides in, ns", NULL, STORED(DECIDE, seconds), .get = get_time},
};

static void print_kept_table(const struct report *report, const tutti_store_entry *entry, const tutti_result *results,
                             size_t count, FILE *out)
{
  const char *platform = report->contents.environments[entry->environment].platform;
  char *label = tutti_xprintf("Kept penalties, %s", platform);
  char *title = tutti_xprintf("Kept in the store: penalty in percent of the best time, %s", platform);
  const tutti_table table = {.title = title, TUTTI_COLUMNS(kept_columns), TUTTI_ROWS(results, count)};
  html_table(out, &table, label);
  free(label);
  free(title);
}

static void print_kept(const struct report *report, const tutti_store_entry *entry, FILE *out)
{
  char query[COMMAND_LENGTH];
  tutti_result *results;
  size_t count;
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  must(tutti_store_read_results(report->store, &selection, entry->result, &results, &count, &failure));
  print_kept_table(report, entry, results, count, out);
  page_source(out, report, entry->environment, query_of_entry(report, entry, query));
  free(results);
}

void section_penalties(const struct report *report, FILE *out)
{
  if (report_rows(report, TUTTI_ENTRY_RESULTS, TUTTI_RESULT_PENALTY, REPORT_ANY) > 0)
    fputs("<p>Of decision functions that <code>tutti learn</code> or <code>tutti penalty</code> put into the store: "
          "how much slower they were than the best method that was measured then.</p>\n",
          out);
  for (int i = 0; i < report->contents.entry_count; i++) {
    const tutti_store_entry *entry = &report->contents.entries[i];
    if (entry->kind == TUTTI_ENTRY_RESULTS && entry->result == TUTTI_RESULT_PENALTY)
      print_kept(report, entry, out);
  }
}
