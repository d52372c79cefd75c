#include "cli/output/output.h"

#include "decision/results/row.h"
#include "tutti/algorithm.h"
#include "tutti/decision.h"
#include "tutti/measurement.h"

void cell_size(tutti_cell *cell, const void *row)
{
  tutti_cell_count(cell, *(const uint64_t *)TUTTI_FIELD_OF(row, cell->column));
  cell->shown = tutti_size_format(cell->count, cell->buffer);
}

void cell_method(tutti_cell *cell, const void *row)
{
  const tutti_method *method = TUTTI_FIELD_OF(row, cell->column);
  if (!method->algorithm)
    return;
  tutti_cell_text(cell, tutti_method_format(method, cell->buffer));
}

void cell_collective(tutti_cell *cell, const void *row)
{
  tutti_cell_text(cell, tutti_collective_name(*(const tutti_collective *)TUTTI_FIELD_OF(row, cell->column)));
}

void cell_candidates(tutti_cell *cell, const void *row)
{
  tutti_cell_text(cell, tutti_candidates_format(TUTTI_FIELD_OF(row, cell->column), cell->buffer));
}

void cell_row_column(tutti_cell *cell, const void *row)
{
  const struct tutti_row_column *of = cell->column->context;
  struct tutti_row_value value;
  tutti_row_get(of, row, &value);
  if (value.class == TUTTI_ROW_VALUE_STRING)
    tutti_cell_format(cell, "%s", value.text);
  if (value.class == TUTTI_ROW_VALUE_INTEGER) {
    cell->type = of->type == TUTTI_ROW_COLUMN_EXACT ? TUTTI_CELL_BOOLEAN : TUTTI_CELL_COUNT;
    if (cell->type == TUTTI_CELL_BOOLEAN)
      cell->boolean = value.integer != 0;
    else
      cell->count = value.integer;
  }
  if (value.class == TUTTI_ROW_VALUE_REAL) {
    tutti_cell_real(cell, value.real);
  }
}

static const char *comma_in(const char *basis)
{
  return basis ? strstr(basis, ", ") : NULL;
}

void cell_basis(tutti_cell *cell, const void *row)
{
  const char *basis = *(const char *const *)TUTTI_FIELD_OF(row, cell->column), *comma = comma_in(basis);
  tutti_cell_text(cell, basis);
  if (comma)
    tutti_cell_format(cell, "%.*s", (int)(comma - basis), basis);
}

void cell_patterns(tutti_cell *cell, const void *row)
{
  const char *comma = comma_in(*(const char *const *)TUTTI_FIELD_OF(row, cell->column));
  tutti_cell_text(cell, comma ? comma + 2 : NULL);
}

void list_map_ranks(tutti_json *json, const void *row, const tutti_column *column)
{
  const tutti_decision_map *map = TUTTI_FIELD_OF(row, column);
  tutti_json_array(json, column->key);
  for (int i = 0; i < map->ranks_count; i++)
    tutti_json_integer(json, NULL, map->ranks[i]);
  tutti_json_end(json);
}

void list_map_sizes(tutti_json *json, const void *row, const tutti_column *column)
{
  const tutti_decision_map *map = TUTTI_FIELD_OF(row, column);
  tutti_json_array(json, column->key);
  for (int j = 0; j < map->size_count; j++)
    tutti_json_count(json, NULL, map->sizes[j]);
  tutti_json_end(json);
}

struct time_unit time_unit_of(double seconds)
{
  return seconds >= 10      ? (struct time_unit){"s", "Seconds", 1}
         : seconds >= 10e-3 ? (struct time_unit){"ms", "Milliseconds", 1e3}
                            : (struct time_unit){"us", "Microseconds", 1e6};
}
