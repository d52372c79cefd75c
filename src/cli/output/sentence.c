/* Sentences between tables. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/output/output.h"

void print_stream(int indent, struct tutti_text_stream *stream)
{
  char *text = tutti_xclose_text(stream);
  print_sentence(indent, "%s", text);
  free(text);
}

void print_sentence(int indent, const char *format, ...)
{
  va_list arguments;
  char *text;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    tutti_out_of_memory();
  va_end(arguments);
  printf("%*s", indent, "");
  tutti_print_folded(stdout, indent, text);
  free(text);
}
