#include "platforms/xml_tags.h"

#include <string.h>

/* What stands from @p at on, if it is no tag: behind its end; else NULL. */
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

/* Behind a tag; *attributes counts the '=' outside its quotes. */
static const char *skip_tag(const char *at, const char *end, int *attributes)
{
  char quote = '\0';
  *attributes = 0;
  for (; at < end && (quote || *at != '>') && *attributes <= XML_MOST_ATTRIBUTES; at++)
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
    if (attributes > XML_MOST_ATTRIBUTES)
      return line_of(bytes, at);
    at = behind;
  }
  return 0;
}
