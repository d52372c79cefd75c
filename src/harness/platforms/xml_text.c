/* The text of an XML file before libxml2 reads it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/xml.h"

/* The end of a section at @p at that is not a tag, else NULL. */
static const char *skip_section(const char *at, const char *end)
{
  static const struct {
    const char *begin, *end;
  } sections[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (int i = 0; i < 3; i++) {
    size_t begin = strlen(sections[i].begin), last = strlen(sections[i].end);
    if ((size_t)(end - at) < begin || memcmp(at, sections[i].begin, begin) != 0)
      continue;
    const char *found = memmem(at + begin, (size_t)(end - at) - begin, sections[i].end, last);
    return found ? found + last : end;
  }
  return NULL;
}

/* The end of a tag; *attributes counts the '=' outside its quotes. */
static const char *skip_tag(const char *at, const char *end, int *attributes)
{
  char quote = '\0';
  *attributes = 0;
  for (; at < end && (quote || *at != '>') && *attributes <= XML_MAX_ATTRIBUTES; at++)
    if (quote)
      quote = *at == quote ? '\0' : quote;
    else if (*at == '"' || *at == '\'')
      quote = *at;
    else
      *attributes += *at == '=';
  return at;
}

static int line_of(const char *bytes, const char *at)
{
  int line = 1;
  for (; bytes < at; bytes++)
    line += *bytes == '\n';
  return line;
}

int tutti_xml_crowded_line(const char *bytes, size_t length)
{
  const char *at = bytes, *end = bytes + length;
  while (at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
    int attributes = 0;
    const char *behind = skip_section(at, end);
    if (!behind)
      behind = skip_tag(at, end, &attributes);
    if (attributes > XML_MAX_ATTRIBUTES)
      return line_of(bytes, at);
    at = behind;
  }
  return 0;
}

/* ---- what SimGrid's parser takes beyond XML ---- */

/* The end of a comment that begins at @p at: SimGrid reads two hyphens at a time, so that "--->" does not end it. */
static char *end_of_comment(char *at, const char *end)
{
  for (at += strlen("<!--"); at < end; at += at + 1 < end && at[0] == '-' && at[1] == '-' ? 2 : 1)
    if (end - at >= 3 && memcmp(at, "-->", 3) == 0)
      return at + 3;
  return NULL;
}

/* Comments lose what ends them for one parser only. */
static void clear_comments(char *bytes, char *end)
{
  for (char *at = bytes; (at = memchr(at, '<', (size_t)(end - at)));) {
    if (strncmp(at, "<!--", 4) == 0) {
      char *after = end_of_comment(at, end);
      for (char *c = at + 4; c < (after ? after - 3 : end); c++)
        *c = *c == '-' || *c == '>' ? ' ' : *c;
      at = after ? after : end;
    } else {
      const char *after = skip_section(at, end);
      at = after ? bytes + (after - bytes) : at + 1;
    }
  }
}

/* Where an XML declaration begins after blanks and comments; 0: at the beginning, or nowhere. */
static size_t place_of_declaration(char *bytes, const char *end)
{
  char *at = bytes;
  for (;;) {
    at += strspn(at, " \t\r\n");
    char *after = strncmp(at, "<!--", 4) == 0 ? end_of_comment(at, end) : NULL;
    if (!after)
      break;
    at = after;
  }
  return strncmp(at, "<?xml ", 6) == 0 ? (size_t)(at - bytes) : 0;
}

char *tutti_xml_tolerate(const char *text, size_t length)
{
  char *bytes = tutti_xmemdup(text, length + 1);
  clear_comments(bytes, bytes + length);
  const size_t before = place_of_declaration(bytes, bytes + length);
  const char *closed = before ? strstr(bytes + before, "?>") : NULL;
  if (closed) {
    const size_t declared = (size_t)(closed + 2 - (bytes + before));
    char *first = tutti_xmemdup(bytes, before);
    memmove(bytes, bytes + before, declared);
    memcpy(bytes + declared, first, before);
    free(first);
  }
  return bytes;
}
