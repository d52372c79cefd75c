#include "cli/output/cells.h"

#include "tutti/algorithm.h"
#include "tutti/measurement.h"

void cell_size(tutti_cell *cell, const void *row, const tutti_column *column)
{
  cell->type = TUTTI_CELL_COUNT;
  cell->count = *(const uint64_t *)TUTTI_FIELD_OF(row, column);
  cell->shown = tutti_size_format(cell->count, cell->buffer);
}

void cell_method(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_method *method = TUTTI_FIELD_OF(row, column);
  if (!method->algorithm)
    return;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_method_format(method, cell->buffer);
}

void cell_collective(tutti_cell *cell, const void *row, const tutti_column *column)
{
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_collective_name(*(const tutti_collective *)TUTTI_FIELD_OF(row, column));
}
