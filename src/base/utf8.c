#include "base/utf8.h"

#include <string.h>

/* The length that a first byte announces; 0 if no character begins with it. */
static int announced_length(unsigned char first)
{
  if (first < 0x80)
    return 1;
  if (first >= 0xc2 && first <= 0xdf)
    return 2;
  if (first >= 0xe0 && first <= 0xef)
    return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

int tutti_utf8_decode(const char *text, uint32_t *code)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *bytes = (const unsigned char *)text;
  int length = announced_length(bytes[0]);
  if (bytes[0] == 0)
    return 0;
  if (length == 0)
    return -1;
  *code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
  for (int i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80)
      return -1;
    *code = *code << 6 | (bytes[i] & 0x3f);
  }
  return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ? -1 : length;
}

bool tutti_utf8_is_valid(const char *text)
{
  uint32_t code;
  int length;
  while ((length = tutti_utf8_decode(text, &code)) > 0)
    text += length;
  return length == 0;
}

bool tutti_utf8_is_xml(const char *text)
{
  uint32_t code;
  int length;
  while ((length = tutti_utf8_decode(text, &code)) > 0 && utf8_is_of_xml(code))
    text += length;
  return length == 0;
}

bool tutti_utf8_is_shown(uint32_t code)
{
  static const struct range {
    uint32_t first, last;
  } hidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
                {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}};
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (code >= hidden[i].first && code <= hidden[i].last)
      return false;
  return (code & 0xfffe) != 0xfffe;
}

bool tutti_utf8_is_line(const char *text)
{
  uint32_t code;
  int length;
  while ((length = tutti_utf8_decode(text, &code)) > 0 && tutti_utf8_is_shown(code))
    text += length;
  return length == 0;
}

/* github.com/actions/runner, src/Runner.Common/ActionCommand.cs: the older form of a command, anywhere in a line. */
bool tutti_utf8_begins_command(const char *text)
{
  return strncmp(text, "##[", 3) == 0;
}

size_t tutti_utf8_put(FILE *stream, const char *text)
{
  uint32_t code;
  const int length = tutti_utf8_decode(text, &code);
  if (length > 0 && tutti_utf8_is_shown(code) && !tutti_utf8_begins_command(text))
    fwrite(text, 1, (size_t)length, stream);
  else if (length != 0)
    fputc('?', stream);
  return length < 0 ? 1 : (size_t)length;
}

/* The beginning of the line after the line end at `text`, if it begins a command, or NULL. */
static const char *command_behind(const char *text)
{
  const char *begin = text + strspn(text, "\n\t ");
  return *text == '\n' && strncmp(begin, "::", 2) == 0 ? begin : NULL;
}

void tutti_utf8_clean(char *text)
{
  char *end = text;
  const char *command = NULL;
  uint32_t code;
  for (int length; (length = tutti_utf8_decode(text, &code)) != 0; text += length < 0 ? 1 : length) {
    const char *next = command_behind(text);
    command = next ? next : command;
    if (length > 0 && text != command && !tutti_utf8_begins_command(text) &&
        (tutti_utf8_is_shown(code) || code == '\n' || code == '\t'))
      end = (char *)memmove(end, text, (size_t)length) + length;
    else
      *end++ = '?';
  }
  *end = '\0';
}

void tutti_utf8_clean_piece(char *text)
{
  tutti_utf8_clean(text);
  for (; (text = strpbrk(text, "\n\t")); text++)
    *text = '?';
}

/* Without a locale wcwidth() knows ASCII only. */
static int width_of(uint32_t code)
{
  static const struct range {
    uint32_t first, last;
  } wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
              {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f))
    return 0;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (code >= wide[i].first && code <= wide[i].last)
      return 2;
  return 1;
}

size_t tutti_utf8_prefix(const char *text, int columns)
{
  const char *next = text;
  uint32_t code;
  int length, used = 0;
  while ((length = tutti_utf8_decode(next, &code)) != 0) {
    used += length < 0 ? 1 : width_of(code);
    if (used > columns)
      break;
    next += length < 0 ? 1 : length;
  }
  return (size_t)(next - text);
}

int tutti_utf8_width(const char *text)
{
  uint32_t code;
  int length, width = 0;
  while ((length = tutti_utf8_decode(text, &code)) != 0) {
    width += length < 0 ? 1 : width_of(code);
    text += length < 0 ? 1 : length;
  }
  return width;
}
