#include "cli/output/sensitivity.h"

#include <math.h>

#include "harness/engine/riders/link_slopes.h"

/* "12.5us", "0.9ns/B", "1.3x". */
static const char *format_amount(double value, const char *unit, int digits, char *text, size_t length)
{
  if (isinf(value))
    snprintf(text, length, "any");
  else if (strcmp(unit, "s") == 0)
    snprintf(text, length, "%.*gus", digits, 1e6 * value);
  else if (strcmp(unit, "s/B") == 0)
    snprintf(text, length, "%.*gns/B", digits, 1e9 * value);
  else
    snprintf(text, length, "%.*gx", digits, value);
  return text;
}

static void get_amount(tutti_cell *cell, const void *item)
{
  const struct sensitivity_row *row = item;
  const double value = *(const double *)TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_real(cell, value);
  if (!isnan(value))
    cell->shown = format_amount(value, row->unit, 4, cell->buffer, sizeof cell->buffer);
}

/* The value at which the time is that much longer; in documents, by how much the value rises. */
static void get_raised(tutti_cell *cell, const void *item)
{
  const struct sensitivity_row *row = item;
  const double more = *(const double *)TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_real(cell, more);
  if (!isnan(more))
    cell->shown = format_amount(row->value + more, row->unit, 5, cell->buffer, sizeof cell->buffer);
}

/* Seconds a second are a number of times; seconds a second a byte, of bytes; of a factor they are a time. */
static void get_slope(tutti_cell *cell, const void *item)
{
  const struct sensitivity_row *row = item;
  const bool factor = strcmp(row->unit, "1") == 0;
  tutti_cell_real(cell, row->slope);
  snprintf(cell->buffer, sizeof cell->buffer, "%.6g%s", factor ? 1e6 * row->slope : row->slope,
           factor                          ? "us"
           : strcmp(row->unit, "s/B") == 0 ? "B"
                                           : "");
  cell->shown = cell->buffer;
}

#define AMOUNT(member)                                                                                                 \
  TUTTI_FIELD(struct sensitivity_row, member), .get = get_amount, .alignment = TUTTI_ALIGN_RIGHT, .width = 9

#define RAISED(member)                                                                                                 \
  TUTTI_FIELD(struct sensitivity_row, member), .get = get_raised, .alignment = TUTTI_ALIGN_RIGHT, .width = 9

#define COMMON_COLUMNS                                                                                                 \
  {"parameter", "parameter", TUTTI_FIELD(struct sensitivity_row, parameter)},                                          \
      {NULL, "unit", TUTTI_FIELD(struct sensitivity_row, unit)}, {"value", "value", AMOUNT(value)},                    \
      {"slope", "slope", .get = get_slope, .alignment = TUTTI_ALIGN_RIGHT},                                            \
      {"share", "share_percent", TUTTI_FIELD(struct sensitivity_row, share_percent), .unit = "%", .decimals = 1},      \
      {"1 % at", "more_1", RAISED(more[0])}, {"2 % at", "more_2", RAISED(more[1])},                                    \
  {                                                                                                                    \
    "5 % at", "more_5", RAISED(more[2])                                                                                \
  }

static const tutti_column columns_of_models[] = {
    {"model", "model", TUTTI_FIELD(struct sensitivity_row, model)},
    COMMON_COLUMNS,
    {"best from", "holds_from", AMOUNT(from)},
    {"to", "holds_to", AMOUNT(to)},
    {NULL, "below_method", .at = offsetof(struct sensitivity_row, below), .get = cell_method},
    {NULL, "above_method", .at = offsetof(struct sensitivity_row, above), .get = cell_method},
};

static const tutti_column columns_of_replays[] = {
    {"machine", "scenario", TUTTI_FIELD(struct sensitivity_row, scenario)},
    COMMON_COLUMNS,
};

tutti_table sensitivity_table(const struct sensitivity_rows *rows)
{
  tutti_table table = {
      .key = "sensitivities", TUTTI_COLUMNS(columns_of_models), TUTTI_ROWS(rows->items, rows->count), .keys = 2};
  if (rows->count > 0 && rows->items[0].scenario) {
    table.columns = columns_of_replays;
    table.column_count = sizeof columns_of_replays / sizeof *columns_of_replays;
  }
  return table;
}

static void print_end(const struct sensitivity_row *row, const tutti_method *best, const char *where, double value)
{
  char amount[32], name[TUTTI_METHOD_LENGTH];
  if (best->algorithm)
    print_sentence(2, "%s: %s is the best %s %s = %s", row->model, tutti_method_format(best, name), where,
                   row->parameter, format_amount(value, row->unit, 4, amount, sizeof amount));
}

void sensitivity_print_ends(const struct sensitivity_rows *rows)
{
  char amount[32];
  for (size_t i = 0; i < rows->count; i++) {
    const struct sensitivity_row *row = &rows->items[i];
    print_end(row, &row->below, "below", row->from);
    print_end(row, &row->above, "above", row->to);
    if (isfinite(row->jump))
      print_sentence(2, "%s: the time jumps where %s rises to %s: ranks serve messages in another order from there",
                     row->model, row->parameter,
                     format_amount(row->value + row->jump, row->unit, 5, amount, sizeof amount));
  }
  for (size_t i = 0; i < rows->notes.count; i++)
    print_sentence(2, "%s", rows->notes.items[i]);
}

void sensitivity_add_links(const struct sensitivity_row *like, const struct engine_machine *machine, double seconds,
                           const struct link_slopes *links, struct sensitivity_rows *rows)
{
  char name[LINK_SLOPES_NAME];
  for (int i = 0; i < 2 * links->count; i++) {
    const struct link_slope *link = &links->items[i / 2];
    struct sensitivity_row row = *like;
    row.slope = i % 2 ? link->byte : link->latency;
    row.share_percent = 100 * row.slope / seconds;
    snprintf(row.parameter, sizeof row.parameter, "%s: %s", tutti_slopes_name(i % 2 ? ENGINE_BYTE : ENGINE_LATENCY),
             tutti_link_slopes_name(machine, link->link, name));
    if (fabs(row.slope) > 1e-9 * seconds)
      tutti_xpush(rows, row);
  }
  char *text =
      tutti_xprintf("network/weight-S is %.6g: where flows of different routes share a link, another latency or "
                    "bandwidth changes their shares too, which slopes leave out",
                    machine->network.weight_s);
  bool said = !(machine->network.weight_s > 0) || machine->one_flow_a_link;
  for (size_t i = 0; i < rows->notes.count; i++)
    said = said || strcmp(rows->notes.items[i], text) == 0;
  if (said)
    free(text);
  else
    tutti_xpush(&rows->notes, text);
}

void sensitivity_free(struct sensitivity_rows *rows)
{
  tutti_vector_free(rows);
  notes_free(&rows->notes);
}
