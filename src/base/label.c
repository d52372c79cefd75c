#include "base/label.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The text after "[1,0]<stdout>:", "[job@1,0]<stderr>: ", with a time before it or not; NULL: there is none. */
static char *skip_tag(char *line)
{
  char *end = strstr(line, "]<std"), *begin = end;
  while (begin && begin > line && *begin != '[')
    begin--;
  char *text = end ? strstr(end, ">:") : NULL;
  if (!text || *begin != '[' || !(strspn(begin, "[,0123456789") == (size_t)(end - begin) || strchr(begin, '@') < end))
    return NULL;
  return text + 2 + (text[2] == ' ');
}

char *tutti_skip_label(char *line)
{
  char *text = line + strspn(line, " "), *tagged = skip_tag(text);
  if (tagged)
    return tagged;
  text += *text == '[';
  const char *closing = text > line && text[-1] == '[' ? "] " : ": ";
  const size_t digits = strspn(text, "0123456789");
  if (digits == 0 || text[digits] != *closing || (text[digits + 1] && text[digits + 1] != ' '))
    return line;
  return text + digits + 1 + (text[digits + 1] == ' ');
}

/* ---- times ---- */

/* Length of a shape at the beginning of a text; 0: it is another one. */
static size_t match(const char *shape, const char *text)
{
  size_t i = 0;
  for (; shape[i]; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (shape[i] == '0'   ? !isdigit(c)
        : shape[i] == 'A' ? !isalpha(c)
        : shape[i] == '_' ? !isdigit(c) && c != ' '
                          : c != (unsigned char)shape[i])
      return 0;
  }
  return i;
}

static char *skip_zone(char *text)
{
  static const char *const shapes[] = {"Z", "+00:00", "-00:00", "+0000", "-0000"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const size_t length = match(shapes[i], text);
    if (length > 0)
      return text + length;
  }
  return text;
}

/* "host program[12]: " of syslog, else the text itself. */
static char *skip_sender(char *text)
{
  char *host = text + strcspn(text, " "), *end = *host ? strstr(host, "]: ") : NULL;
  if (!end)
    return text;
  const size_t word = strcspn(host + 1, " ["),
               digits = host[1 + word] == '[' ? strspn(host + word + 2, "0123456789") : 0;
  return digits > 0 && host + word + 2 + digits == end ? end + 2 : text;
}

/* 0 is a digit, A a letter, _ a digit or a blank. */
static char *skip_time(char *line)
{
  static const char *const shapes[] = {
      "0000-00-00T00:00:00", "0000-00-00 00:00:00", "0000/00/00 00:00:00", "AAA _0 00:00:00", "00:00:00",
      "0000000000.0"};
  const bool closed = *line == '[';
  size_t length = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes && length == 0; i++)
    length = match(shapes[i], line + closed);
  if (length == 0)
    return line;
  char *text = line + closed + length;
  text += (*text == '.' || *text == ',') && isdigit((unsigned char)text[1]);
  text = skip_zone(text + strspn(text, "0123456789"));
  if (closed && *text++ != ']')
    return line;
  text += *text == ':';
  if (*text && *text != ' ')
    return line;
  text += *text == ' ';
  return isalpha((unsigned char)line[closed]) ? skip_sender(text) : text;
}

/* ---- hosts, quotations ---- */

static char *skip_host(char *line)
{
  const size_t length = strcspn(line, ": \t");
  const char *rest = line + length + 1;
  if (!isalpha((unsigned char)*line) || line[length] != ':' || strcspn(line, "0123456789") >= length ||
      (*rest && *rest != ' '))
    return line;
  rest += strspn(rest, " ");
  return *rest == '\0' || *rest == '#' || isdigit((unsigned char)*rest) ? (char *)rest : line;
}

char *tutti_skip_prefix(char *line)
{
  while ((*line == '>' || *line == '|') && line[1] == ' ')
    line += 2;
  return skip_host(tutti_skip_label(skip_time(line)));
}

/* ---- escape sequences ---- */

/* The text after the sequence that begins here. */
static const char *skip_escape(const char *text)
{
  const char kind = *++text;
  if (kind == '[') {
    text += 1 + strspn(text + 1, "0123456789:;<=>? !\"#$%&'()*+,-./");
    return text + (*text != '\0');
  }
  if (kind == ']') { /* a title, up to BEL or ESC \ */
    text += strcspn(text, "\a\033");
    return text + (*text == '\033' && text[1] ? 2 : *text != '\0');
  }
  return text + (kind != '\0');
}

void tutti_strip_escapes(char *line)
{
  char *end = strchr(line, '\033');
  for (const char *text = end; text && *text;)
    if (*text == '\033')
      text = skip_escape(text);
    else
      *end++ = *text++;
  if (end)
    *end = '\0';
}
