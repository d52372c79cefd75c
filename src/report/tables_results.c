/* Results of other programs as tables, from a description of each kind: which fields make the columns, which the rows,
   and what is shown; all other keys name the table. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/pivot.h"
#include "results/row.h"

enum { MOST_FIELDS = 6, MOST_SHOWN = 6, NAME_LENGTH = 256, NONE = -1 };

/* A number that is shown; in a table of its own, or, of several, as a column of one table. */
struct shown {
  int field;
  const char *name, *unit, *slug;
};

struct result_view {
  const char *row;          /* what rows are */
  int columns[MOST_FIELDS]; /* fields joined to the name of a column, up to NONE */
  int rows[MOST_FIELDS];    /* to that of a row; the first one is its position if it is a number */
  bool together;            /* the numbers shown are the columns */
  struct shown shown[MOST_SHOWN];
  int shown_count;
};

static const struct result_view views[] = {
    [TUTTI_RESULT_SORT] = {.row = "elements per process",
                           .columns = {TUTTI_SORT_FIELD_ALGORITHM, TUTTI_SORT_FIELD_LAYER, TUTTI_SORT_FIELD_ORDER,
                                       TUTTI_SORT_FIELD_ASSIGNMENT, NONE},
                           .rows = {TUTTI_SORT_FIELD_COUNT, NONE},
                           .shown = {{TUTTI_SORT_FIELD_MEDIAN, "Time", "\u00b5s", "sort-time"},
                                     {TUTTI_SORT_FIELD_MESSAGES, "Messages", "", "sort-messages"}},
                           .shown_count = 2},
    [TUTTI_RESULT_RANGE] = {.row = "elements",
                            .columns = {TUTTI_RANGE_FIELD_WAY, TUTTI_RANGE_FIELD_ORDER, NONE},
                            .rows = {TUTTI_RANGE_FIELD_COUNT, NONE},
                            .shown = {{TUTTI_RANGE_FIELD_MEDIAN, "Time", "\u00b5s", "range-time"}},
                            .shown_count = 1},
    [TUTTI_RESULT_MAP] = {.row = "representation",
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

bool tutti_report_shows(const tutti_store_entry *entry)
{
  return entry->kind == TUTTI_ENTRY_RESULTS && (size_t)entry->result < sizeof views / sizeof *views;
}

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
  size_t used = strlen(name);
  if (about->type == TUTTI_ROW_COLUMN_STRING && strcmp(value->word, "-") == 0)
    return;
  used += (size_t)snprintf(name + used, NAME_LENGTH - used, "%s%s%s", used ? separator : "", named ? about->name : "",
                           named ? " " : "");
  if (about->type == TUTTI_ROW_COLUMN_STRING)
    snprintf(name + used, NAME_LENGTH - used, "%s", value->word);
  else
    snprintf(name + used, NAME_LENGTH - used, "%" PRIu64, value->whole);
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
  if (result->kind == TUTTI_RESULT_RANGE && result->values[TUTTI_RANGE_FIELD_COUNT].whole == 0)
    return &range_creation;
  return &views[result->kind];
}

static bool add(struct pivot *pivot, const tutti_result *result, const struct result_view *view, int shown)
{
  char table[NAME_LENGTH], row[NAME_LENGTH], column[NAME_LENGTH];
  name_table(table, result, view);
  join(row, result, view->rows);
  join(column, result, view->columns);
  return tutti_pivot_add(pivot, table, row, number_of(result, view->rows[0]),
                         view->together ? view->shown[shown].name : column,
                         number_of(result, view->shown[shown].field));
}

/* ---- pivots ---- */

struct results {
  tutti_result *items;
  size_t count;
  int environment;
};

/* The numbers from @p first to @p last in one set of tables. */
static tutti_status give(const struct results *results, const struct result_view *view, int first, int last,
                         take_pivot *take, void *context, tutti_error *error)
{
  struct pivot pivot = {.quantity = view->together ? "Group maps" : view->shown[first].name,
                        .unit = view->shown[first].unit,
                        .row = view->row,
                        .slug = view->shown[first].slug,
                        .environment = results->environment,
                        .lower_is_better = !view->together};
  bool added = true;
  for (size_t i = 0; i < results->count && added; i++)
    for (int shown = first; shown <= last && added; shown++)
      added = view_of(&results->items[i]) != view || add(&pivot, &results->items[i], view, shown);
  tutti_status status =
      added ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the results of the report");
  if (status == TUTTI_OK && pivot.cell_count > 0)
    status = take(&pivot, context, error);
  tutti_pivot_free(&pivot);
  return status;
}

static tutti_status give_view(const struct results *results, const struct result_view *view, take_pivot *take,
                              void *context, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (view->together)
    return give(results, view, 0, view->shown_count - 1, take, context, error);
  for (int i = 0; i < view->shown_count && status == TUTTI_OK; i++)
    status = give(results, view, i, i, take, context, error);
  return status;
}

tutti_status tutti_report_tables_of_results(const tutti_report *report, const tutti_store_entry *entry,
                                            take_pivot *take, void *context, tutti_error *error)
{
  struct results results = {.environment = entry->environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  tutti_status status =
      tutti_store_read_results(report->store, &selection, entry->result, &results.items, &results.count, error);
  if (status == TUTTI_OK)
    status = give_view(&results, &views[entry->result], take, context, error);
  if (status == TUTTI_OK && entry->result == TUTTI_RESULT_RANGE)
    status = give_view(&results, &range_creation, take, context, error);
  free(results.items);
  return status;
}
