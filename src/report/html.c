#include "report/html.h"

#include <stdarg.h>
#include <string.h>

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

void tutti_html_text(FILE *stream, const char *text)
{
  for (; *text; text++)
    html_byte(stream, (unsigned char)*text);
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
    tutti_html_text(stream, va_arg(*arguments, const char *));
  else if (letter == 'f' || letter == 'g')
    fprintf(stream, copy, va_arg(*arguments, double));
  else if (letter == 'u')
    fprintf(stream, copy, va_arg(*arguments, size_t));
  else if (letter == 'd')
    fprintf(stream, copy, va_arg(*arguments, int));
  else
    fputc('%', stream);
}

void tutti_html_print(FILE *stream, const char *format, ...)
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
