#include "base/say.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/color.h"
#include "base/utf8.h"

/* A line may begin with a value. */
static void clean_begin(char *text)
{
  char *begin = text + strspn(text, "\n\t ");
  if (strncmp(begin, "::", 2) == 0)
    *begin = '?';
}

/* The word of "FILE:LINE: error: ..." or "tutti: warning: ..." in its color. */
static void put(FILE *stream, const char *text, size_t length)
{
  static const char *const words[] = {": error: ", ": warning: "};
  const char *found = NULL;
  for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
    found = strstr(text, words[i]);
  const char *word = found ? found + 2 : text, *color = "";
  const size_t size = found ? strcspn(word, ":") : 0;
  if (found)
    color = tutti_color_of(stream, word, size);
  if (!*color) {
    fwrite(text, 1, length, stream);
    return;
  }
  fprintf(stream, "%.*s%s%.*s" TUTTI_COLOR_END "%s", (int)(word - text), text, color, (int)size, word, word + size);
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
  put(stream, text, (size_t)length);
  free(text);
  return length;
}
