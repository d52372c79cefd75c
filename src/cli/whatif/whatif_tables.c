/* tutti whatif: what was changed; builds of groups, sorts and operations on ranges side by side; the whole document. */
#include "cli/whatif/whatif.h"

#include <math.h>

#include "decision/results/row.h"

double whatif_ratio(double before, double after)
{
  return before > 0 && after > 0 ? before / after : NAN;
}

/* ---- what was changed; long values are shortened: a staircase of bandwidth factors has 20 KB ---- */

static const tutti_column change_columns[] = {
    {"changed", "where", TUTTI_FIELD(tutti_platform_change, where), .whole = true},
    {"before", "before", TUTTI_FIELD(tutti_platform_change, before), .most_width = 24},
    {"after", "after", TUTTI_FIELD(tutti_platform_change, after), .most_width = 24},
};

static tutti_table change_table(const struct whatif *whatif)
{
  return (tutti_table){.key = "changes",
                       TUTTI_COLUMNS(change_columns),
                       TUTTI_ROWS(whatif->edited.changes, whatif->edited.change_count),
                       .indent = 2};
}

/* ---- builds and results, a row each ---- */

struct result_row {
  char point[640]; /* what was measured; the number of ranks left out */
  int ranks;
  double before, after, speedup;
  uint64_t messages[2]; /* of builds */
};

static const tutti_column result_columns[] = {
    {"point", "point", TUTTI_FIELD(struct result_row, point), .whole = true},
    {"ranks", "ranks", TUTTI_FIELD(struct result_row, ranks), .width = 7},
    WHATIF_TIME_COLUMNS(struct result_row, "before_s", "after_s"),
    {"messages", "messages_before", TUTTI_FIELD(struct result_row, messages[0]), .width = 10},
    {"after", "messages_after", TUTTI_FIELD(struct result_row, messages[1]), .width = 10},
};

/* Point, ranks and messages. */
static struct result_row row_of(const tutti_run_comparison *comparison, size_t index)
{
  struct result_row row = {.ranks = 0};
  if (!comparison->builds[0]) {
    row.ranks = tutti_result_ranks(&comparison->results[0][index], 0);
    tutti_result_format_point(&comparison->results[0][index], row.point);
    return row;
  }
  row.ranks = comparison->builds[0][index].point.sample.size;
  tutti_group_point_format(&comparison->builds[0][index].point, row.point);
  for (int side = BEFORE; side <= AFTER; side++)
    row.messages[side] = tutti_group_counted_messages(&comparison->builds[side][index].counts);
  return row;
}

static tutti_table result_table(const struct whatif *whatif)
{
  const tutti_run_comparison *comparison = &whatif->comparison;
  struct result_row *rows = tutti_xcalloc(comparison->count, sizeof *rows);
  for (size_t i = 0; i < comparison->count; i++) {
    rows[i] = row_of(comparison, i);
    rows[i].before = tutti_run_comparison_time(comparison, 0, i);
    rows[i].after = tutti_run_comparison_time(comparison, 1, i);
    rows[i].speedup = whatif_ratio(rows[i].before, rows[i].after);
  }
  tutti_table table = {.key = "results",
                       TUTTI_COLUMNS(result_columns),
                       TUTTI_ROWS(rows, comparison->count),
                       .owned = rows,
                       .indent = 2,
                       .gap = 1};
  if (!comparison->builds[0])
    table.column_count -= 2;
  return table;
}

static void print_results(const tutti_table *results, const tutti_speedup *speedup)
{
  const struct result_row *rows = results->rows;
  printf("\n");
  must(tutti_table_print(results, stdout, &failure));
  if (speedup->points == 0)
    return;
  const struct result_row *least = &rows[speedup->min_at], *most = &rows[speedup->max_at];
  putchar('\n');
  print_sentence(2,
                 "Speed-up %.3f (geometric mean of %zu point%s), least %.3f (%s, %d ranks), most %.3f (%s, %d ranks)",
                 speedup->mean, speedup->points, tutti_plural(speedup->points), speedup->min, least->point,
                 least->ranks, speedup->max, most->point, most->ranks);
}

/* ---- text ---- */

static void print_title(const struct whatif *whatif)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s -> %s:", whatif->names[0], whatif->names[1]);
  for (size_t i = 0; i < whatif->options->edits.count; i++)
    fprintf(text.stream, "%s %s", i ? "," : "", whatif->options->edits.items[i]);
  print_stream(0, &text);
  putchar('\n');
}

static void print_notes(const struct whatif *whatif)
{
  const size_t *alone = whatif->comparison.alone;
  if (whatif->left_out > 0)
    printf("\n  Numbers of ranks above %d, up to %d, are left out: there is no room for them.\n", whatif->room,
           whatif->left_out);
  for (int side = 0; side < 2; side++)
    if (whatif->summaries[side].large > 0) {
      putchar('\n');
      print_sentence(2, "Left out on %s, because they have too many messages: %s; --most-messages 0 simulates them.",
                     whatif->names[side], whatif->summaries[side].large_names);
    }
  if (alone[0] + alone[1] > 0)
    tutti_say(stdout, "\n  Not compared: %zu point%s of the one machine only, %zu of the other only.\n", alone[0],
              tutti_plural(alone[0]), alone[1]);
}

/* Points from which on the verdict stands below the tables, too, which are longer than a terminal. */
enum { LONG_TABLE = 16 };

/* In one line what the change brings. */
static void print_verdict(const struct whatif *whatif)
{
  const tutti_speedup *speedup = &whatif->speedup;
  const struct time_unit unit = time_unit_of(whatif->program[BEFORE]);
  const double ratio = whatif_ratio(whatif->program[BEFORE], whatif->program[AFTER]);
  if (whatif->options->trace)
    print_sentence(0, "%s takes %.6g %s instead of %.6g %s: %.3f times as %s.", whatif->options->trace,
                   unit.scale * whatif->program[AFTER], unit.name, unit.scale * whatif->program[BEFORE], unit.name,
                   ratio < 1 ? 1 / ratio : ratio, ratio < 1 ? "slow" : "fast");
  else if (whatif->options->experiment && speedup->points > 0) {
    const bool slow = speedup->mean < 0.9995; /* which is not 1.000 */
    print_sentence(0, "%.3f times as %s: geometric mean of %zu point%s, between %.3f and %.3f times.",
                   slow ? 1 / speedup->mean : speedup->mean, slow ? "slow" : "fast", speedup->points,
                   tutti_plural(speedup->points), slow ? 1 / speedup->max : speedup->min,
                   slow ? 1 / speedup->min : speedup->max);
  }
}

static void print_text(const struct whatif *whatif, const struct whatif_maps *maps, const tutti_table *results)
{
  const tutti_table changes = change_table(whatif);
  print_verdict(whatif);
  print_title(whatif);
  must(tutti_table_print(&changes, stdout, &failure));
  if (whatif->options->trace) {
    putchar('\n');
    notes_print(&whatif->notes, stdout);
    if (whatif->notes.count > 0)
      putchar('\n');
    must(tutti_table_print(&whatif->replayed, stdout, &failure));
    replay_print_sensitivity(&whatif->sensitivity);
    return;
  }
  if (!whatif->options->experiment)
    return;
  print_notes(whatif);
  if (results->rows)
    print_results(results, &whatif->speedup);
  else
    for (size_t i = 0; i < maps->count; i++)
      whatif_map_print(&maps->items[i]);
  if (whatif->speedup.points > LONG_TABLE) {
    putchar('\n');
    print_verdict(whatif);
  }
}

/* ---- JSON and CSV ---- */

static void list_edits(tutti_json *json, const void *row, const tutti_column *column)
{
  const struct whatif *whatif = row;
  tutti_json_array(json, column->key);
  for (size_t i = 0; i < whatif->options->edits.count; i++)
    tutti_json_string(json, NULL, whatif->options->edits.items[i]);
  tutti_json_end(json);
}

static void get_limit(tutti_cell *cell, const void *row)
{
  const struct whatif *whatif = row;
  if (whatif->left_out > 0) {
    tutti_cell_integer(cell, whatif->room);
  }
}

enum { MAX_FACTS = 9 };

/* Facts of any change, of a replayed trace, of a comparison, and of one without maps; returns how many. */
static int list_facts(const struct whatif *whatif, const tutti_table *results, tutti_column facts[MAX_FACTS])
{
  static const tutti_column change[] = {{NULL, "before", TUTTI_FIELD(struct whatif, names[0])},
                                        {NULL, "after", TUTTI_FIELD(struct whatif, names[1])},
                                        {NULL, "edits", .list = list_edits}};
  static const tutti_column notes = {NULL, "notes", .list = list_notes, .at = offsetof(struct whatif, notes)};
  static const tutti_column compared[] = {{NULL, "experiment", TUTTI_FIELD(struct whatif, experiments[0].name)},
                                          {NULL, "points", TUTTI_FIELD(struct whatif, comparison.count)},
                                          {NULL, "only_before", TUTTI_FIELD(struct whatif, comparison.alone[0])},
                                          {NULL, "only_after", TUTTI_FIELD(struct whatif, comparison.alone[1])},
                                          {NULL, "left_out_above_ranks", .get = get_limit}};
  static const tutti_column speedup = {NULL, "speedup", TUTTI_FIELD(struct whatif, speedup.mean)};
  tutti_column *next = mempcpy(facts, change, sizeof change);
  if (whatif->options->trace)
    *next++ = notes;
  if (whatif->options->experiment)
    next = mempcpy(next, compared, sizeof compared);
  if (whatif->options->experiment && results->rows)
    *next++ = speedup;
  return (int)(next - facts);
}

/* The changes, and beside them what is compared: the results, or the maps where there are no results. */
static void print_document(const struct whatif *whatif, const tutti_table *of_maps, const tutti_table *results)
{
  bool csv = whatif->options->format == TUTTI_FORMAT_CSV,
       compared = whatif->options->experiment || whatif->options->trace;
  tutti_column facts[MAX_FACTS];
  tutti_table tables[3] = {change_table(whatif), results->rows ? *results : *of_maps,
                           sensitivity_table(&whatif->sensitivity)};
  tutti_document document = {.facts = facts,
                             .fact_count = list_facts(whatif, results, facts),
                             .about = whatif,
                             .tables = csv && compared ? tables + 1 : tables,
                             .table_count = (csv || !compared ? 1 : 2) + whatif->options->sensitivity,
                             .line_depth = 4};
  must(tutti_document_print(&document, whatif->options->format, stdout, &failure));
}

void whatif_print(const struct whatif *whatif)
{
  struct whatif_maps maps = {0};
  tutti_table own = {.rows = NULL}, of_maps = {.rows = NULL};
  const tutti_table *results = whatif->options->trace ? &whatif->replayed : &own;
  if (whatif->options->experiment && !whatif->comparison.measurements[0])
    own = result_table(whatif);
  else if (whatif->options->experiment)
    whatif_maps_read(whatif, &maps);
  if (whatif->options->format == TUTTI_FORMAT_TEXT)
    print_text(whatif, &maps, results);
  else {
    if (whatif->options->experiment && !results->rows)
      of_maps = whatif->options->format == TUTTI_FORMAT_CSV ? whatif_point_table(&maps) : whatif_map_table(&maps);
    notes_print(&whatif->notes, stderr);
    print_document(whatif, &of_maps, results);
  }
  whatif_maps_free(&maps);
  tutti_table_free(&of_maps);
  tutti_table_free(&own);
}
