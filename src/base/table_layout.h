/* Between the printers of tables (table_text.c, table_markup.c): which columns are printed, and how. */
#ifndef TUTTI_BASE_TABLE_LAYOUT_H
#define TUTTI_BASE_TABLE_LAYOUT_H

#include "base/table.h"

struct table_place {
  const tutti_column *column;
  int gap;     /* before it */
  int natural; /* its widest cell */
  int least;   /* minimum width after shortening */
  int width;   /* on this terminal */
  bool right;  /* aligned */
};

struct table_layout {
  const tutti_table *table;
  FILE *stream;
  struct table_place *places; /* [count] columns that are in text */
  int count;
  int width;                  /* of the terminal; 0: unlimited */
  const tutti_column *folded; /* the last column, if it is below the rows; NULL: it is not */
};

static inline const void *tutti_table_row(const tutti_table *table, size_t index)
{
  return (const char *)table->rows + index * table->row_size;
}

/* "min [%]"; @p buffer has TUTTI_CELL_LENGTH bytes. */
const char *tutti_table_heading(const tutti_column *column, char *buffer);

/* Find the columns that are in text; there is room for all of the table. */
void tutti_table_place(struct table_layout *layout);

#endif
