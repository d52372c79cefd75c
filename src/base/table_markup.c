/* Tables as markup: Markdown and LaTeX. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/table_layout.h"
#include "base/utf8.h"

/* ---- Markdown ---- */

void tutti_print_markdown(FILE *stream, const char *text)
{
  while (*text)
    if (*text == '<' || *text == '&' || *text == '\n')
      fputs(*text == '<' ? "&lt;" : *text == '&' ? "&amp;" : " ", stream), text++;
    else {
      if (strchr("|\\`*[", *text))
        fputc('\\', stream);
      text += tutti_utf8_put(stream, text);
    }
}

/* ---- LaTeX ---- */

static void print_latex(FILE *stream, const char *text)
{
  static const struct {
    char sign;
    const char *command;
  } signs[] = {
      {'\\', "\\textbackslash{}"}, {'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}, {'<', "\\textless{}"},
      {'>', "\\textgreater{}"},    {'|', "\\textbar{}"},        {'"', "\\char34{}"},          {'\n', " "}};
  enum { SIGNS = sizeof signs / sizeof *signs };
  while (*text) {
    size_t i = 0;
    while (i < SIGNS && signs[i].sign != *text)
      i++;
    if (strchr("{}$&#_%", *text))
      fputc('\\', stream);
    if (i < SIGNS)
      fputs(signs[i].command, stream), text++;
    else
      text += tutti_utf8_put(stream, text);
  }
}

/* ---- rows of both ---- */

struct markup {
  const char *begin, *between, *end; /* of a row */
  void (*print)(FILE *stream, const char *text);
};

/* The headings if `row` is NULL. */
static void put_markup_row(const struct table_layout *layout, const struct markup *markup, const void *row)
{
  char buffer[TUTTI_CELL_LENGTH];
  tutti_cell cell;
  for (int i = 0; i < layout->count; i++) {
    const tutti_column *column = layout->places[i].column;
    if (row)
      tutti_cell_get(&cell, column, row);
    fputs(i == 0 ? markup->begin : markup->between, layout->stream);
    markup->print(layout->stream, row ? tutti_cell_show(&cell, column, buffer) : tutti_table_heading(column, buffer));
  }
  fputs(markup->end, layout->stream);
}

/* `head` prints what is around the headings. */
static tutti_status print_markup(const tutti_table *table, const struct markup *markup,
                                 void (*head)(const struct table_layout *layout, const struct markup *markup),
                                 FILE *stream, tutti_error *error)
{
  struct table_layout layout = {.table = table, .stream = stream};
  layout.places = calloc((size_t)table->column_count, sizeof *layout.places);
  if (!layout.places)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a table of %d columns", table->column_count);
  tutti_table_place(&layout);
  head(&layout, markup);
  for (size_t i = 0; i < table->row_count; i++)
    put_markup_row(&layout, markup, tutti_table_row(table, i));
  free(layout.places);
  return ferror(stream) ? tutti_fail(error, TUTTI_ERR_IO, "a table cannot be written: %s", strerror(errno)) : TUTTI_OK;
}

static void put_markdown_head(const struct table_layout *layout, const struct markup *markup)
{
  put_markup_row(layout, markup, NULL);
  fputc('|', layout->stream);
  for (int i = 0; i < layout->count; i++)
    fputs(layout->places[i].right ? " ---: |" : " --- |", layout->stream);
  fputc('\n', layout->stream);
}

tutti_status tutti_table_print_markdown(const tutti_table *table, FILE *stream, tutti_error *error)
{
  static const struct markup markdown = {"| ", " | ", " |\n", tutti_print_markdown};
  return print_markup(table, &markdown, put_markdown_head, stream, error);
}

static void put_latex_head(const struct table_layout *layout, const struct markup *markup)
{
  fputs("\\begin{tabular}{", layout->stream);
  for (int i = 0; i < layout->count; i++)
    fputc(layout->places[i].right ? 'r' : 'l', layout->stream);
  fputs("}\n\\hline\n", layout->stream);
  put_markup_row(layout, markup, NULL);
  fputs("\\hline\n", layout->stream);
}

tutti_status tutti_table_print_latex(const tutti_table *table, FILE *stream, tutti_error *error)
{
  static const struct markup latex = {"", " & ", " \\\\\n", print_latex};
  const tutti_status status = print_markup(table, &latex, put_latex_head, stream, error);
  fputs("\\hline\n\\end{tabular}\n", stream);
  return status;
}
