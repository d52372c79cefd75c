#include "cli/report/html.h"

#include <math.h>
#include <stdarg.h>

#include "base/utf8.h"

static void html_byte(FILE *stream, unsigned char byte)
{
  switch (byte) {
  case '&':
    fputs("&amp;", stream);
    break;
  case '<':
    fputs("&lt;", stream);
    break;
  case '>':
    fputs("&gt;", stream);
    break;
  case '"':
    fputs("&quot;", stream);
    break;
  case '\'':
    fputs("&#39;", stream);
    break;
  default:
    fputc((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f ? '?' : byte, stream);
  }
}

void html_text(FILE *stream, const char *text)
{
  uint32_t code;
  for (int length; (length = tutti_utf8_decode(text, &code)) != 0; text += length < 0 ? 1 : length)
    if (length > 1)
      tutti_utf8_put(stream, text);
    else if (tutti_utf8_begins_command(text)) /* a command of GitHub Actions on standard output */
      fputs("&#35;", stream);
    else if (length == 1)
      html_byte(stream, (unsigned char)*text);
    else
      fputs("\ufffd", stream);
}

/* Length of a conversion without its '%'. */
static size_t conversion_length(const char *format)
{
  return strspn(format, ".0123456789z") + 1;
}

/* One conversion, its '%' and its letter included, in @p conversion. */
static void print_conversion(FILE *stream, const char *conversion, size_t length, va_list *arguments)
{
  char copy[16] = "%";
  if (length + 2 > sizeof copy)
    return;
  memcpy(copy + 1, conversion, length);
  char letter = conversion[length - 1];
  if (letter == 's')
    html_text(stream, va_arg(*arguments, const char *));
  else if (letter == 'f' || letter == 'g')
    fprintf(stream, copy, va_arg(*arguments, double));
  else if (letter == 'u')
    fprintf(stream, copy, va_arg(*arguments, size_t));
  else if (letter == 'd')
    fprintf(stream, copy, va_arg(*arguments, int));
  else
    fputc('%', stream);
}

void html_print(FILE *stream, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  while (*format) {
    size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, stream);
    format += plain;
    if (*format != '%')
      continue;
    size_t length = conversion_length(format + 1);
    print_conversion(stream, format + 1, length, &arguments);
    format += 1 + length;
  }
  va_end(arguments);
}

/* ---- tables ---- */

void html_heading(FILE *out, const char *text, bool above_numbers)
{
  html_print(out, above_numbers ? HTML_NUMBERS("%s") : HTML_TEXTS("%s"), text);
}

void html_headings_end(FILE *out)
{
  fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_begin(FILE *out, const char *label, const char *class, const char *caption, const char *headings)
{
  html_print(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table", label);
  if (class)
    html_print(out, " class=\"%s\"", class);
  html_print(out, ">\n<caption>%s</caption>\n<thead><tr>", caption);
  if (!headings)
    return;
  fputs(headings, out);
  html_headings_end(out);
}

void html_table_end(FILE *out)
{
  fputs("</tbody>\n</table>\n</div>\n", out);
}

static bool is_number(const tutti_column *column)
{
  bool text = column->type == TUTTI_COLUMN_TEXT || column->type == TUTTI_COLUMN_CHARS;
  return column->alignment == TUTTI_ALIGN_RIGHT || (column->alignment == TUTTI_ALIGN_BY_TYPE && !text);
}

static void print_cell(FILE *out, const tutti_column *column, const void *row, bool first)
{
  char buffer[TUTTI_CELL_LENGTH];
  tutti_cell cell;
  tutti_cell_get(&cell, column, row);
  const char *text = tutti_cell_show(&cell, column, buffer);
  html_print(out,
             first               ? "<th scope=\"row\">%s</th>"
             : is_number(column) ? "<td class=\"n\">%s</td>"
                                 : "<td>%s</td>",
             text);
}

void html_table(FILE *out, const tutti_table *table, const char *label)
{
  const tutti_column *columns = table->columns, *end = columns + table->column_count;
  html_table_begin(out, label, NULL, table->title, NULL);
  for (const tutti_column *column = columns; column < end; column++)
    if (column->heading)
      html_heading(out, column->heading, is_number(column));
  html_headings_end(out);
  for (size_t i = 0; i < table->row_count; i++) {
    fputs("<tr>", out);
    for (const tutti_column *column = columns; column < end; column++)
      if (column->heading)
        print_cell(out, column, (const char *)table->rows + i * table->row_size, column == columns);
    fputs("</tr>\n", out);
  }
  html_table_end(out);
}

/* ---- texts ---- */

char *text_real(double number, char text[TEXT_LENGTH])
{
  double size = fabs(number);
  if (!isfinite(number))
    return strcpy(text, "\u2013");
  if (size >= 999.95 && size < 1e15) {
    *text = '-';
    progress_format_count((size_t)llround(size), number < 0 ? text + 1 : text);
  } else if (size >= 1e15 || (size < 1e-5 && size > 0)) {
    snprintf(text, TEXT_LENGTH, "%.3e", number);
  } else {
    /* Rounded first, or else 0.99999 would have five digits. */
    char rounded[TEXT_LENGTH];
    snprintf(rounded, sizeof rounded, "%.3e", size);
    int decimals = size > 0 ? 3 - atoi(strchr(rounded, 'e') + 1) : 0;
    snprintf(text, TEXT_LENGTH, "%.*f", decimals, number);
  }
  return text;
}

char *text_us(double seconds, char text[TEXT_LENGTH])
{
  return text_real(seconds * 1e6, text);
}
