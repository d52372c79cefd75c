#include "base/say.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* A line may begin with a value. */
static void clean_begin(char *text)
{
  char *begin = text + strspn(text, "\n\t ");
  if (strncmp(begin, "::", 2) == 0)
    *begin = '?';
}

int tutti_say(FILE *stream, const char *format, ...)
{
  va_list arguments;
  char *text;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    return fputs(format, stream) < 0 ? 0 : (int)strlen(format); /* at least the sentence */
  tutti_utf8_clean(text);
  if (*format == '%')
    clean_begin(text);
  length = (int)strlen(text);
  if (stream == stderr)
    fflush(stdout); /* both may be one file: a row of a table stays whole */
  fwrite(text, 1, (size_t)length, stream);
  free(text);
  return length;
}
