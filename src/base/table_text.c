/* Tables as text: every column as wide as its widest cell, in as many blocks as the terminal's width requires. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/color.h"
#include "base/say.h"
#include "base/table.h"
#include "base/table_layout.h"
#include "base/utf8.h"

enum { USUAL_GAP = 2, NARROWEST_TEXT = 24, FOLDED_INDENT = 4 };

static const char ellipsis[] = "...";

int tutti_terminal_width(FILE *stream)
{
  struct winsize size;
  int descriptor = fileno(stream);
  if (descriptor < 0 || isatty(descriptor) != 1)
    return 0;
  const char *columns = getenv("COLUMNS");
  long asked = columns ? strtol(columns, NULL, 10) : 0;
  if (asked > 0 && asked < 100000)
    return (int)asked;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- folded texts ---- */

/* Replaces characters that would move the cursor or control the terminal, and a command of GitHub Actions that a value
   makes of the line that it begins. */
static void put_printable(FILE *stream, const char *text, size_t length)
{
  const char *end = text + length;
  if (length > 1 && strncmp(text, "::", 2) == 0)
    text += fputc('?', stream) != EOF;
  while (text < end && *text)
    text += tutti_utf8_put(stream, text);
}

/* Bytes of the words that fit, at least one, without trailing blanks. */
static size_t length_of_line(const char *text, int room)
{
  size_t fit = tutti_utf8_prefix(text, room), length = fit;
  if (!text[fit])
    return fit;
  while (length > 0 && text[length] != ' ')
    length--;
  return length > 0 ? length : strcspn(text, " ");
}

void tutti_print_folded_width(FILE *stream, int begin, int width, const char *text)
{
  for (bool first = true; *text || first; first = false) {
    size_t length = width > 0 ? length_of_line(text, width - begin) : strlen(text);
    fprintf(stream, "%*s", first ? 0 : begin, "");
    tutti_say(stream, "%.*s", (int)length, text);
    fputc('\n', stream);
    text += length + strspn(text + length, " ");
  }
}

void tutti_print_folded(FILE *stream, int begin, const char *text)
{
  tutti_print_folded_width(stream, begin, tutti_terminal_width(stream), text);
}

/* ---- columns on the line ---- */

const char *tutti_table_heading(const tutti_column *column, char *buffer)
{
  if (!column->unit)
    return column->heading;
  snprintf(buffer, TUTTI_CELL_LENGTH, "%s [%s]", column->heading, column->unit);
  return buffer;
}

static void widen(int *width, int wanted)
{
  *width = wanted > *width ? wanted : *width;
}

/* Its widths and, if it is not given, its alignment, which is that of its numbers. */
static void measure(const tutti_table *table, struct table_place *place)
{
  const tutti_column *column = place->column;
  char buffer[TUTTI_CELL_LENGTH];
  bool numbers = false, texts = false;
  int heading = table->bare ? 0 : tutti_utf8_width(tutti_table_heading(column, buffer)), text = 0,
      number = column->width;
  for (size_t i = 0; i < table->row_count; i++) {
    tutti_cell cell;
    tutti_cell_get(&cell, column, tutti_table_row(table, i));
    bool is_text = cell.type == TUTTI_CELL_TEXT || cell.type == TUTTI_CELL_BOOLEAN;
    numbers = numbers || (!is_text && cell.type != TUTTI_CELL_NONE);
    texts = texts || is_text;
    widen(is_text ? &text : &number, tutti_utf8_width(tutti_cell_show(&cell, column, buffer)));
  }
  if (column->most_width > 0 && text > column->most_width)
    text = column->most_width;
  if (!texts && !numbers)
    numbers = column->type != TUTTI_COLUMN_TEXT && column->type != TUTTI_COLUMN_CHARS;
  place->right = column->alignment == TUTTI_ALIGN_RIGHT || (column->alignment == TUTTI_ALIGN_BY_TYPE && numbers);
  widen(&number, heading);
  place->natural = place->least = number;
  widen(&place->natural, text);
  widen(&place->least, place->right || column->whole || text < NARROWEST_TEXT ? text : NARROWEST_TEXT);
}

/* ---- lines ---- */

struct line {
  FILE *stream;
  int blanks; /* not printed yet, as a line does not end with them */
  bool plain; /* headings are no verdicts */
};

static void pad(struct line *line, int blanks)
{
  line->blanks += blanks > 0 ? blanks : 0;
}

static void put_bytes(struct line *line, const char *text, size_t length)
{
  if (length > 0) {
    fprintf(line->stream, "%*s", line->blanks, "");
    line->blanks = 0;
  }
  put_printable(line->stream, text, length);
}

/* A verdict in its color. */
static void put_word(struct line *line, const char *text)
{
  const char *color = line->plain ? "" : tutti_color_of(line->stream, text, strlen(text));
  if (*color) {
    fprintf(line->stream, "%*s%s%s" TUTTI_COLOR_END, line->blanks, "", color, text);
    line->blanks = 0;
  } else
    put_bytes(line, text, strlen(text));
}

/* A text that is wider than its column is cut. */
static void append_cell(struct line *line, const struct table_place *place, const char *text, bool may_cut)
{
  int width = tutti_utf8_width(text);
  pad(line, place->right ? place->width - width : 0);
  if (may_cut && width > place->width) {
    put_bytes(line, text, tutti_utf8_prefix(text, place->width - (int)strlen(ellipsis)));
    put_bytes(line, ellipsis, strlen(ellipsis));
    return;
  }
  put_word(line, text);
  pad(line, place->right ? 0 : place->width - width);
}

static bool may_cut(const tutti_cell *cell, const struct table_place *place)
{
  return cell->type == TUTTI_CELL_TEXT && !place->right && !place->column->whole;
}

/* Columns of a block; the headings if `row` is NULL. */
static void put_row(const struct table_layout *layout, struct table_place *const *block, int count, const void *row)
{
  struct line line = {layout->stream, layout->table->indent, !row};
  char buffer[TUTTI_CELL_LENGTH];
  tutti_cell cell;
  for (int i = 0; i < count; i++) {
    pad(&line, i > 0 ? block[i]->gap : 0);
    if (!row) {
      append_cell(&line, block[i], tutti_table_heading(block[i]->column, buffer), false);
      continue;
    }
    tutti_cell_get(&cell, block[i]->column, row);
    append_cell(&line, block[i], tutti_cell_show(&cell, block[i]->column, buffer), may_cut(&cell, block[i]));
  }
  fputc('\n', layout->stream);
}

/* ---- blocks ---- */

static int gap_of(const tutti_table *table, const tutti_column *column)
{
  return column->gap ? column->gap : table->gap ? table->gap : USUAL_GAP;
}

/* The columns from *next on that fit side by side if their texts are shortened, at least one; in later blocks after
   those that identify the row. Returns how many columns the block has. */
static int choose_block(const struct table_layout *layout, int *next, struct table_place **block)
{
  int count = 0, used = layout->table->indent, keys = layout->table->keys > 0 ? layout->table->keys : 1;
  for (; count < keys && count < *next; count++) {
    block[count] = &layout->places[count];
    used += (count > 0 ? block[count]->gap : 0) + block[count]->least;
  }
  for (int first = *next; *next < layout->count; ++*next) {
    struct table_place *place = &layout->places[*next];
    used += (count > 0 ? place->gap : 0) + place->least;
    if (layout->width > 0 && used > layout->width && *next > first)
      break;
    block[count++] = place;
  }
  return count;
}

/* Shorten the widest texts of a block until it fits. */
static void fit_block(const struct table_layout *layout, struct table_place *const *block, int count)
{
  int used = layout->table->indent;
  for (int i = 0; i < count; i++) {
    block[i]->width = block[i]->natural;
    used += (i > 0 ? block[i]->gap : 0) + block[i]->natural;
  }
  for (; layout->width > 0 && used > layout->width; used--) {
    struct table_place *widest = NULL;
    for (int i = 0; i < count; i++)
      if (block[i]->width > block[i]->least && (!widest || block[i]->width > widest->width))
        widest = block[i];
    if (!widest)
      return;
    widest->width--;
  }
}

/* The folded column of a row. */
static void put_below(const struct table_layout *layout, const void *row)
{
  char buffer[TUTTI_CELL_LENGTH];
  tutti_cell cell;
  int begin = layout->table->indent + FOLDED_INDENT;
  tutti_cell_get(&cell, layout->folded, row);
  fprintf(layout->stream, "%*s", begin, "");
  tutti_print_folded_width(layout->stream, begin, layout->width, tutti_cell_show(&cell, layout->folded, buffer));
}

static void put_block(const struct table_layout *layout, struct table_place *const *block, int count, bool last)
{
  const tutti_table *table = layout->table;
  fit_block(layout, block, count);
  if (!table->bare)
    put_row(layout, block, count, NULL);
  for (size_t i = 0; i < table->row_count; i++) {
    put_row(layout, block, count, tutti_table_row(table, i));
    if (layout->folded && last)
      put_below(layout, tutti_table_row(table, i));
    if (table->below && last)
      table->below(layout->stream, tutti_table_row(table, i));
  }
}

static void put_blocks(const struct table_layout *layout, struct table_place **block)
{
  for (int next = 0; next < layout->count;) {
    bool first = next == 0;
    int count = choose_block(layout, &next, block);
    if (!first)
      fputc('\n', layout->stream);
    put_block(layout, block, count, next == layout->count);
  }
}

void tutti_table_place(struct table_layout *layout)
{
  const tutti_table *table = layout->table;
  for (int i = 0; i < table->column_count; i++)
    if (table->columns[i].heading) {
      struct table_place *place = &layout->places[layout->count++];
      *place = (struct table_place){.column = &table->columns[i], .gap = gap_of(table, &table->columns[i])};
      measure(table, place);
    }
}

/* Leave the last column to the lines below, if it folds and all of them are wider than the terminal. */
static void choose_folded(struct table_layout *layout)
{
  int used = layout->table->indent;
  for (int i = 0; i < layout->count; i++)
    used += (i > 0 ? layout->places[i].gap : 0) + layout->places[i].natural;
  const tutti_column *last = layout->count > 1 ? layout->places[layout->count - 1].column : NULL;
  if (last && last->fold && layout->width > 0 && used > layout->width) {
    layout->folded = last;
    layout->count--;
  }
}

tutti_status tutti_table_print_width(const tutti_table *table, FILE *stream, int width, tutti_error *error)
{
  size_t count = (size_t)table->column_count;
  struct table_layout layout = {.table = table, .stream = stream, .width = width};
  struct table_place **block = calloc(2 * count, sizeof *block); /* and the first columns once more */
  layout.places = calloc(count, sizeof *layout.places);
  tutti_status status = TUTTI_OK;
  if (block && layout.places) {
    tutti_table_place(&layout);
    choose_folded(&layout);
    if (table->title)
      fprintf(stream, "%s\n", table->title);
    put_blocks(&layout, block);
    if (table->notes)
      fprintf(stream, "%s\n", table->notes);
    if (ferror(stream))
      status = tutti_fail(error, TUTTI_ERR_IO, "a table cannot be written: %s", strerror(errno));
  } else {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a table of %zu columns", count);
  }
  free(block);
  free(layout.places);
  return status;
}

tutti_status tutti_table_print(const tutti_table *table, FILE *stream, tutti_error *error)
{
  return tutti_table_print_width(table, stream, tutti_terminal_width(stream), error);
}
