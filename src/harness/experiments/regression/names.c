/* Names in the lines of a baseline: any name that a file, a platform or a time may have, on one line. A byte that would
   end the name or be lost is written as %XX, and so is a percent sign that precedes two hexadecimal digits. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/regression/private.h"

static bool is_digit(char c)
{
  return isdigit((unsigned char)c) || (c >= 'A' && c <= 'F');
}

static bool is_escape(const char *text)
{
  return text[0] == '%' && is_digit(text[1]) && is_digit(text[2]);
}

/* Lines lose the blanks at their ends. */
static bool must_escape(const char *name, const char *at, bool word)
{
  bool blank = *at == ' ' && (word || at == name || !at[1]);
  return blank || iscntrl((unsigned char)*at) || is_escape(at);
}

char *tutti_baseline_escape(const char *name, bool word)
{
  char *text = tutti_xmalloc(3 * strlen(name) + 1), *end = text;
  for (const char *at = name; *at; at++)
    if (must_escape(name, at, word))
      end += sprintf(end, "%%%02X", (unsigned char)*at);
    else
      *end++ = *at;
  *end = '\0';
  return text;
}

void tutti_baseline_unescape(char *text)
{
  char *end = text;
  for (; *text; text++)
    if (is_escape(text) && strncmp(text, "%00", 3) != 0) {
      const char digits[] = {text[1], text[2], '\0'};
      *end++ = (char)strtol(digits, NULL, 16);
      text += 2;
    } else
      *end++ = *text;
  *end = '\0';
}
