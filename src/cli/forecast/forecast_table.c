/* What tutti forecast prints: the verdict, warnings, the parts of the time in each scenario, and the best methods. */
#include <math.h>

#include "cli/forecast/forecast.h"

enum { MAX_SCENARIOS = 32 };

/* ---- the verdict ---- */

static const char *part_name(int part)
{
  return part == FORECAST_COMPUTATION ? "computation"
         : part == FORECAST_WAITING   ? "waiting"
         : part == FORECAST_REST      ? "rest"
                                      : replay_part_name(part);
}

/* Of what ranks do: the rest says when they began and ended. */
static int largest_part(const struct forecast_scenario *scenario)
{
  int largest = 0;
  for (int p = 1; p < FORECAST_PARTS; p++)
    largest = p != FORECAST_REST && scenario->parts[p] > scenario->parts[largest] ? p : largest;
  return largest;
}

static double speedup(const struct forecast *forecast, const struct forecast_scenario *scenario)
{
  return forecast->scenarios.items[0].seconds / scenario->seconds;
}

static const double MUCH = 0.1;

static void print_verdict(const struct forecast *forecast)
{
  const struct forecast_scenario *here = &forecast->scenarios.items[0];
  const struct time_unit unit = time_unit_of(here->seconds), recorded = time_unit_of(forecast->recorded);
  const int largest = largest_part(here), per_node = here->machine->machine.ranks_per_node;
  const int nodes = (forecast->ranks + per_node - 1) / per_node;
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s on %s, %d rank%s on %d node%s: %.4g %s", forecast->options->subject, here->machine->name,
          forecast->ranks, tutti_plural((uint64_t)forecast->ranks), nodes, tutti_plural((uint64_t)nodes),
          here->seconds * unit.scale, unit.name);
  if (!isnan(forecast->recorded))
    fprintf(text.stream, " (%.4g %s as recorded)", forecast->recorded * recorded.scale, recorded.name);
  fprintf(text.stream, ". The largest part is %s (%.0f %%).", part_name(largest),
          100 * here->parts[largest] / here->seconds);
  for (size_t i = 1; i < forecast->scenarios.count; i++) {
    const struct forecast_scenario *scenario = &forecast->scenarios.items[i];
    const double times = speedup(forecast, scenario);
    fprintf(text.stream, "%s %s: %.3f times as %s", i > 1 ? "," : "", scenario->name, times < 1 ? 1 / times : times,
            times < 1 ? "slow" : "fast");
  }
  fputs(forecast->scenarios.count > 1 ? "." : "", text.stream);
  if (here->parts[FORECAST_REST] > MUCH * here->seconds)
    fprintf(text.stream, " %.0f %% of the time is the rest, in which a rank has not begun, or has ended.",
            100 * here->parts[FORECAST_REST] / here->seconds);
  print_stream(0, &text);
  putchar('\n');
}

/* ---- parts in lines, scenarios in columns ---- */

/* A line: a part, FORECAST_PARTS: the program; above: as many times as fast. */
struct line {
  const struct forecast *forecast;
  const char *name;
  int part;
};

static double value_of(const struct line *line, int scenario)
{
  const struct forecast_scenario *of = &line->forecast->scenarios.items[scenario];
  return line->part < FORECAST_PARTS ? of->parts[line->part] : of->seconds;
}

static void get_value(tutti_cell *cell, const void *row)
{
  const struct line *line = row;
  const struct forecast_scenario *here = &line->forecast->scenarios.items[0];
  const int scenario = cell->column->index;
  if (line->part > FORECAST_PARTS)
    tutti_cell_format(cell, "%.3f", speedup(line->forecast, &line->forecast->scenarios.items[scenario]));
  else
    tutti_cell_format(cell, "%.3f", value_of(line, scenario) * time_unit_of(here->seconds).scale);
}

static void get_share(tutti_cell *cell, const void *row)
{
  const struct line *line = row;
  const double whole = line->forecast->scenarios.items[0].seconds;
  if (line->part <= FORECAST_PARTS)
    tutti_cell_real(cell, 100 * value_of(line, 0) / whole);
}

static bool is_anywhere(const struct forecast *forecast, int part)
{
  bool found = false;
  for (size_t i = 0; i < forecast->scenarios.count; i++)
    found = found || forecast->scenarios.items[i].parts[part] > 0;
  return found;
}

static int by_time(const void *left, const void *right)
{
  const double a = value_of(left, 0), b = value_of(right, 0);
  return (a < b) - (a > b);
}

static int make_lines(const struct forecast *forecast, struct line lines[FORECAST_PARTS + 2])
{
  int count = 0;
  for (int p = 0; p < FORECAST_PARTS; p++)
    if (is_anywhere(forecast, p))
      lines[count++] = (struct line){forecast, part_name(p), p};
  qsort(lines, (size_t)count, sizeof *lines, by_time);
  lines[count++] = (struct line){forecast, "program", FORECAST_PARTS};
  bool slower = false;
  for (size_t i = 0; i < forecast->scenarios.count; i++)
    slower = slower || speedup(forecast, &forecast->scenarios.items[i]) < 1;
  lines[count++] =
      (struct line){forecast, slower ? "times as fast (below 1: slower)" : "times as fast", FORECAST_PARTS + 1};
  return count;
}

static void print_parts(const struct forecast *forecast)
{
  struct line lines[FORECAST_PARTS + 2];
  const int count = make_lines(forecast, lines);
  tutti_column columns[MAX_SCENARIOS + 2] = {
      {"part", NULL, TUTTI_FIELD(struct line, name)},
      {"share", NULL, .get = get_share, .unit = "%", .decimals = 1},
  };
  int used = 2;
  for (size_t i = 0; i < forecast->scenarios.count && used < MAX_SCENARIOS + 2; i++)
    columns[used++] = (tutti_column){forecast->scenarios.items[i].name, NULL, .get = get_value, .index = (int)i,
                                     .alignment = TUTTI_ALIGN_RIGHT};
  const tutti_table table = {.columns = columns, .column_count = used, TUTTI_ROWS(lines, count)};
  printf("%s of a rank in the mean; the share is of \"as it is\":\n",
         time_unit_of(forecast->scenarios.items[0].seconds).long_name);
  must(tutti_table_print(&table, stdout, &failure));
}

/* ---- the best methods ---- */

struct method_row {
  const char *collective;
  int ranks;
  uint64_t size, calls;
  tutti_method ran, best;
  double before, after, speedup;
};

static const tutti_column method_columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct method_row, collective)},
    {"ranks", "ranks", TUTTI_FIELD(struct method_row, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct method_row, size), .get = cell_size},
    {"calls", "calls", TUTTI_FIELD(struct method_row, calls)},
    {"runs", "ran", .at = offsetof(struct method_row, ran), .get = cell_method},
    {"a call", "before_s", CELL_MICROSECONDS(struct method_row, before)},
    {"best", "method", .at = offsetof(struct method_row, best), .get = cell_method},
    {"a call", "after_s", CELL_MICROSECONDS(struct method_row, after)},
    {"times as fast", "speedup", TUTTI_FIELD(struct method_row, speedup), .decimals = 3},
};

static int by_gain(const void *left, const void *right)
{
  const struct method_row *a = left, *b = right;
  const double x = (double)a->calls * (a->before - a->after), y = (double)b->calls * (b->before - b->after);
  return (x < y) - (x > y);
}

static tutti_table make_methods(const struct forecast *forecast, struct method_row *rows)
{
  size_t count = 0;
  for (size_t i = 0; i < forecast->calls.items.count; i++) {
    const struct profile_calls *calls = &forecast->calls.items.items[i];
    if (calls->known)
      rows[count++] = (struct method_row){.collective = tutti_collective_name(calls->collective),
                                          .ranks = calls->ranks,
                                          .size = calls->size,
                                          .calls = calls->calls,
                                          .ran = calls->untuned,
                                          .best = calls->best,
                                          .before = calls->untuned_s,
                                          .after = calls->best_s,
                                          .speedup = calls->untuned_s / calls->best_s};
  }
  qsort(rows, count, sizeof *rows, by_gain);
  return (tutti_table){.key = "calls_priced", TUTTI_COLUMNS(method_columns), TUTTI_ROWS(rows, count), .keys = 3};
}

/* The kinds of calls, gain least last, that run the best method already. */
static void print_best_already(const tutti_table *methods, size_t from)
{
  const struct method_row *rows = methods->rows;
  struct tutti_text_stream text;
  char size[24];
  int count = 0;
  tutti_xopen_text(&text);
  for (size_t i = from; i < methods->row_count; i++)
    if (!(rows[i].speedup > 1))
      fprintf(text.stream, "%s%s of %s on %d ranks",
              count++ ? ", " : "By the best method already: ", rows[i].collective,
              tutti_size_format(rows[i].size, size), rows[i].ranks);
  if (count > 0) {
    putchar('\n');
    print_stream(0, &text);
  } else
    free(tutti_xclose_text(&text));
}

/* Those that gain most, in text. */
static void print_methods(const tutti_table *methods)
{
  enum { SHOWN = 8 };
  const struct method_row *rows = methods->rows;
  tutti_table shown = *methods;
  shown.row_count = 0;
  while (shown.row_count < methods->row_count && shown.row_count < SHOWN && rows[shown.row_count].speedup > 1)
    shown.row_count++;
  if (shown.row_count > 0) {
    printf("\nBest methods, each call alone; calls are those of all ranks:\n");
    must(tutti_table_print(&shown, stdout, &failure));
  }
  print_best_already(methods, shown.row_count);
}

/* ---- JSON and CSV ---- */

struct value_row {
  const char *scenario, *part;
  double seconds, speedup;
};

static const tutti_column value_columns[] = {
    {NULL, "scenario", TUTTI_FIELD(struct value_row, scenario)},
    {NULL, "part", TUTTI_FIELD(struct value_row, part)},
    {NULL, "time_s", TUTTI_FIELD(struct value_row, seconds)},
    {NULL, "speedup", TUTTI_FIELD(struct value_row, speedup)},
};

static tutti_table make_values(const struct forecast *forecast)
{
  struct line lines[FORECAST_PARTS + 2];
  const int count = make_lines(forecast, lines) - 1;
  tutti_table table = {.key = "scenarios", TUTTI_COLUMNS(value_columns), .row_size = sizeof(struct value_row)};
  for (size_t s = 0; s < forecast->scenarios.count; s++)
    for (int i = 0; i < count; i++) {
      const double here = value_of(&lines[i], 0), seconds = value_of(&lines[i], (int)s);
      const struct value_row row = {forecast->scenarios.items[s].name, lines[i].name, seconds,
                                    seconds > 0 ? here / seconds : NAN};
      must(tutti_table_add(&table, &row, &failure));
    }
  return table;
}

struct forecast_facts {
  const char *file, *platform;
  int ranks, ranks_per_node;
  double recorded, seconds;
  struct notes notes;
};

static const tutti_column facts_columns[] = {
    {NULL, "file", TUTTI_FIELD(struct forecast_facts, file)},
    {NULL, "platform", TUTTI_FIELD(struct forecast_facts, platform)},
    {NULL, "ranks", TUTTI_FIELD(struct forecast_facts, ranks)},
    {NULL, "ranks_per_node", TUTTI_FIELD(struct forecast_facts, ranks_per_node)},
    {NULL, "program_recorded_s", TUTTI_FIELD(struct forecast_facts, recorded)},
    {NULL, "program_s", TUTTI_FIELD(struct forecast_facts, seconds)},
    {NULL, "notes", .list = list_notes, .at = offsetof(struct forecast_facts, notes)},
};

static void print_document(const struct forecast *forecast, const tutti_table *methods)
{
  const struct forecast_scenario *here = &forecast->scenarios.items[0];
  const struct forecast_facts facts = {.file = forecast->options->subject,
                                       .platform = here->machine->name,
                                       .ranks = forecast->ranks,
                                       .ranks_per_node = here->machine->machine.ranks_per_node,
                                       .recorded = forecast->recorded,
                                       .seconds = here->seconds,
                                       .notes = forecast->notes};
  tutti_table tables[] = {make_values(forecast), *methods, sensitivity_table(&forecast->sensitivity)};
  const bool csv = forecast->options->format == TUTTI_FORMAT_CSV;
  if (csv)
    tables[1] = tables[2];
  const tutti_document document = {TUTTI_FACTS(facts_columns, &facts), .tables = tables,
                                   .table_count = 2 - csv + forecast->options->sensitivity};
  must(tutti_document_print(&document, forecast->options->format, stdout, &failure));
  tutti_table_free(&tables[0]);
}

void forecast_print(const struct forecast *forecast)
{
  const bool text = forecast->options->format == TUTTI_FORMAT_TEXT;
  struct method_row *rows = tutti_xcalloc(forecast->calls.items.count + 1, sizeof *rows);
  const tutti_table methods = make_methods(forecast, rows);
  if (text)
    print_verdict(forecast);
  tutti_passed_print(&forecast->passed, text ? stdout : stderr, 0);
  notes_print(&forecast->notes, text ? stdout : stderr);
  if (text) {
    putchar('\n');
    print_parts(forecast);
    print_methods(&methods);
    replay_print_sensitivity(&forecast->sensitivity);
  } else
    print_document(forecast, &methods);
  free(rows);
}
