/* Groups, with their protocols side by side; sorting, operations on ranges, group maps. */
#include <inttypes.h>
#include <math.h>

#include "cli/report/pivot.h"
#include "decision/results/row.h"

enum { NAME_LENGTH = 256 };

/* Frees the pivot. */
static void emit_pivot(struct pivot *pivot, take_pivot *take, void *context)
{
  if (pivot->cell_count > 0)
    take(pivot, context);
  pivot_free(pivot);
}

/* ---- groups: builders side by side ---- */

struct group_table {
  struct pivot pivot;
  bool by_ranks; /* else by fraction */
  double (*value)(const tutti_group_run *run);
};

static double time_of(const tutti_group_run *run)
{
  return run->repetitions > 0 ? run->median * 1e6 : NAN;
}

static double messages_of(const tutti_group_run *run)
{
  return (double)tutti_group_counted_messages(&run->counts);
}

static double share_of(const tutti_group_sample *sample)
{
  return sample->members >= 0 ? (double)sample->members / sample->size : sample->fraction;
}

/* What does not change along the rows and the columns. */
static void name_group_table(const tutti_group_run *run, bool by_ranks, char name[NAME_LENGTH])
{
  const tutti_group_point *point = &run->point;
  char sample[TUTTI_GROUP_SAMPLE_LENGTH], first[TUTTI_GROUP_SAMPLE_LENGTH + 24], colors[32] = "", nodes[48] = "";
  if (by_ranks)
    snprintf(first, sizeof first, "%s", tutti_group_sample_format(&point->sample, sample));
  else
    snprintf(first, sizeof first, "processes: %d", point->sample.size);
  if (point->sample.colors > 1)
    snprintf(colors, sizeof colors, ", groups: %d", point->sample.colors);
  if (point->node_ranks > 1)
    snprintf(nodes, sizeof nodes, ", in nodes of %d", point->node_ranks);
  snprintf(name, NAME_LENGTH, "%s, branching factor %d, seed %" PRIu64 "%s%s", first, point->branching,
           point->sample.seed, colors, nodes);
}

static void add_group_run(struct group_table *table, const tutti_group_run *run)
{
  char name[NAME_LENGTH], row[TUTTI_GROUP_SAMPLE_LENGTH];
  const tutti_group_sample *sample = &run->point.sample;
  double value = table->value(run);
  if (isnan(value))
    return;
  name_group_table(run, table->by_ranks, name);
  if (table->by_ranks || sample->members >= 0)
    snprintf(row, sizeof row, "%d", table->by_ranks ? sample->size : sample->members);
  else
    snprintf(row, sizeof row, "%g", sample->fraction);
  pivot_add(&table->pivot, name, row, table->by_ranks ? sample->size : share_of(sample),
            tutti_group_builder_name(run->point.builder), value);
}

/* Three numbers of processes or more, by which the runs are ordered. */
static bool has_many_ranks(const tutti_group_run *runs, size_t count)
{
  int changes = 0;
  for (size_t i = 1; i < count; i++)
    changes += runs[i].point.sample.size != runs[i - 1].point.sample.size;
  return changes >= 2;
}

static void emit_group_runs(const struct report *report, const tutti_store_entry *entry, take_pivot *take,
                            void *context)
{
  struct group_table tables[] = {
      {{.quantity = "Time", .unit = "\u00b5s", .row = "fraction of members", .slug = "group-time"}, false, time_of},
      {{.quantity = "Messages", .unit = "", .row = "fraction of members", .slug = "group-messages"},
       false,
       messages_of},
      {{.quantity = "Time", .unit = "\u00b5s", .row = "processes", .slug = "group-time-ranks"}, true, time_of},
      {{.quantity = "Messages", .unit = "", .row = "processes", .slug = "group-messages-ranks"}, true, messages_of},
  };
  tutti_group_run *runs;
  size_t count;
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  must(tutti_store_read_group_runs(report->store, &selection, &runs, &count, &failure));
  for (int i = 0; i < (has_many_ranks(runs, count) ? 4 : 2); i++) {
    tables[i].pivot.environment = entry->environment;
    tables[i].pivot.lower_is_better = true;
    for (size_t run = 0; run < count; run++)
      add_group_run(&tables[i], &runs[run]);
    emit_pivot(&tables[i].pivot, take, context);
  }
  free(runs);
}

/* ---- results of other programs, from a description of each kind: which fields make the columns, which the rows, and
   what is shown; all other keys name the table ---- */

enum { MAX_FIELDS = 6, MAX_SHOWN = 6, NONE = -1 };

/* A number that is shown; in a table of its own, or, of several, as a column of one table. */
struct shown {
  int field;
  const char *name, *unit, *slug;
};

struct result_view {
  const char *title;       /* of the entries */
  const char *row;         /* what rows are */
  int columns[MAX_FIELDS]; /* fields joined to the name of a column, up to NONE */
  int rows[MAX_FIELDS];    /* to that of a row; the first one is its position if it is a number */
  bool together;           /* the numbers shown are the columns */
  struct shown shown[MAX_SHOWN];
  int shown_count;
};

static const struct result_view views[] = {
    [TUTTI_RESULT_SORT] = {.title = "Sorting",
                           .row = "elements per process",
                           .columns = {TUTTI_SORT_FIELD_ALGORITHM, TUTTI_SORT_FIELD_LAYER, TUTTI_SORT_FIELD_ORDER,
                                       TUTTI_SORT_FIELD_ASSIGNMENT, NONE},
                           .rows = {TUTTI_SORT_FIELD_COUNT, NONE},
                           .shown = {{TUTTI_SORT_FIELD_MEDIAN, "Time", "\u00b5s", "sort-time"},
                                     {TUTTI_SORT_FIELD_MESSAGES, "Messages", "", "sort-messages"}},
                           .shown_count = 2},
    [TUTTI_RESULT_RANGE] = {.title = "Operations on ranges",
                            .row = "elements",
                            .columns = {TUTTI_RANGE_FIELD_WAY, TUTTI_RANGE_FIELD_ORDER, NONE},
                            .rows = {TUTTI_RANGE_FIELD_COUNT, NONE},
                            .shown = {{TUTTI_RANGE_FIELD_MEDIAN, "Time", "\u00b5s", "range-time"}},
                            .shown_count = 1},
    [TUTTI_RESULT_MAP] = {.title = "Group maps",
                          .row = "representation",
                          .columns = {NONE},
                          .rows = {TUTTI_MAP_FIELD_KIND, TUTTI_MAP_FIELD_STRATEGY, NONE},
                          .together = true,
                          .shown = {{TUTTI_MAP_FIELD_BYTES, "bytes", "", "map"},
                                    {TUTTI_MAP_FIELD_CREATE, "create, \u00b5s", "", ""},
                                    {TUTTI_MAP_FIELD_SELECT_ALL, "select all, \u00b5s", "", ""},
                                    {TUTTI_MAP_FIELD_SELECT_ONE, "select one, \u00b5s", "", ""},
                                    {TUTTI_MAP_FIELD_RANK_ONE, "rank one, \u00b5s", "", ""}},
                          .shown_count = 5},
};

/* Operations on ranges without elements are tables over the number of processes. */
static const struct result_view range_creation = {
    .row = "processes",
    .columns = {TUTTI_RANGE_FIELD_WAY, TUTTI_RANGE_FIELD_ORDER, NONE},
    .rows = {TUTTI_RANGE_FIELD_RANKS, TUTTI_RANGE_FIELD_SIZE, NONE},
    .shown = {{TUTTI_RANGE_FIELD_MEDIAN, "Time", "\u00b5s", "range-ranks"}},
    .shown_count = 1};

/* ---- names ---- */

static bool contains(const int *fields, int field)
{
  for (int i = 0; fields[i] != NONE; i++)
    if (fields[i] == field)
      return true;
  return false;
}

static void append_value(char name[NAME_LENGTH], const tutti_result *result, int field, const char *separator,
                         bool named)
{
  const struct tutti_row_column *about = tutti_result_column(result->kind, field);
  const tutti_value *value = &result->values[field];
  if (about->type == TUTTI_ROW_COLUMN_STRING && strcmp(value->string, "-") == 0)
    return;
  text_append(name, NAME_LENGTH, "%s%s%s", *name ? separator : "", named ? about->name : "", named ? " " : "");
  if (about->type == TUTTI_ROW_COLUMN_STRING)
    text_append(name, NAME_LENGTH, "%s", value->string);
  else
    text_append(name, NAME_LENGTH, "%" PRIu64, value->integer);
}

static void join(char name[NAME_LENGTH], const tutti_result *result, const int *fields)
{
  *name = '\0';
  for (int i = 0; fields[i] != NONE; i++)
    append_value(name, result, fields[i], " ", false);
}

static void name_table(char name[NAME_LENGTH], const tutti_result *result, const struct result_view *view)
{
  const struct tutti_row_column *column;
  *name = '\0';
  for (int f = 0; (column = tutti_result_column(result->kind, f)) && tutti_column_is_key(column); f++)
    if (!contains(view->columns, f) && !contains(view->rows, f))
      append_value(name, result, f, ", ", true);
}

/* ---- numbers ---- */

static double number_of(const tutti_result *result, int field)
{
  const struct tutti_row_column *column = tutti_result_column(result->kind, field);
  return tutti_row_number(column, result) * (column->type == TUTTI_ROW_COLUMN_SECONDS ? 1e6 : 1);
}

static const struct result_view *view_of(const tutti_result *result)
{
  if (result->kind == TUTTI_RESULT_RANGE && result->values[TUTTI_RANGE_FIELD_COUNT].integer == 0)
    return &range_creation;
  return &views[result->kind];
}

static void add_result(struct pivot *pivot, const tutti_result *result, const struct result_view *view, int shown)
{
  char table[NAME_LENGTH], row[NAME_LENGTH], column[NAME_LENGTH];
  name_table(table, result, view);
  join(row, result, view->rows);
  join(column, result, view->columns);
  pivot_add(pivot, table, row, number_of(result, view->rows[0]), view->together ? view->shown[shown].name : column,
            number_of(result, view->shown[shown].field));
}

struct results {
  tutti_result *items;
  size_t count;
  int environment;
};

/* The numbers from @p first to @p last in one set of tables. */
static void emit_shown(const struct results *results, const struct result_view *view, int first, int last,
                       take_pivot *take, void *context)
{
  struct pivot pivot = {.quantity = view->together ? view->title : view->shown[first].name,
                        .unit = view->shown[first].unit,
                        .row = view->row,
                        .slug = view->shown[first].slug,
                        .environment = results->environment,
                        .lower_is_better = !view->together};
  for (size_t i = 0; i < results->count; i++)
    for (int shown = first; shown <= last && view_of(&results->items[i]) == view; shown++)
      add_result(&pivot, &results->items[i], view, shown);
  emit_pivot(&pivot, take, context);
}

static void emit_view(const struct results *results, const struct result_view *view, take_pivot *take, void *context)
{
  const int step = view->together ? view->shown_count : 1;
  for (int i = 0; i < view->shown_count; i += step)
    emit_shown(results, view, i, i + step - 1, take, context);
}

static void emit_results(const struct report *report, const tutti_store_entry *entry, take_pivot *take, void *context)
{
  struct results results = {.environment = entry->environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  must(tutti_store_read_results(report->store, &selection, entry->result, &results.items, &results.count, &failure));
  emit_view(&results, &views[entry->result], take, context);
  if (entry->result == TUTTI_RESULT_RANGE)
    emit_view(&results, &range_creation, take, context);
  free(results.items);
}

/* ---- all of them ---- */

/* Penalties are in another section. */
static bool is_shown(const tutti_store_entry *entry)
{
  return entry->kind == TUTTI_ENTRY_RESULTS && (size_t)entry->result < sizeof views / sizeof *views;
}

void report_pivots(const struct report *report, const tutti_store_entry *entry, take_pivot *take, void *context)
{
  if (entry->kind == TUTTI_ENTRY_GROUP_RUNS)
    emit_group_runs(report, entry, take, context);
  else if (is_shown(entry))
    emit_results(report, entry, take, context);
}

/* ---- the sections ---- */

/* The tables of an entry, with a title and the query that gives its rows. */
static void print_entry(const struct report *report, const tutti_store_entry *entry, const char *title, FILE *out)
{
  char query[COMMAND_LENGTH];
  html_print(out, "<article>\n<h3>%s on %s</h3>\n", title, report->contents.environments[entry->environment].platform);
  report_pivots(report, entry, pivot_print, out);
  page_source(out, report, entry->environment, query_of_entry(report, entry, query));
  fputs("</article>\n", out);
}

void section_groups(const struct report *report, FILE *out)
{
  if (report_rows(report, TUTTI_ENTRY_GROUP_RUNS, REPORT_ANY, REPORT_ANY) == 0)
    return;
  fputs("<p>From the start broadcast to the end of the reduction on the new tree. Messages are all but those of the "
        "start, the reduction and the end, as the published counts are. The least number of a row is bold.</p>\n",
        out);
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind == TUTTI_ENTRY_GROUP_RUNS)
      print_entry(report, &report->contents.entries[i], "Groups", out);
}

void section_results(const struct report *report, FILE *out)
{
  for (int i = 0; i < report->contents.entry_count; i++)
    if (is_shown(&report->contents.entries[i]))
      print_entry(report, &report->contents.entries[i], views[report->contents.entries[i].result].title, out);
}
