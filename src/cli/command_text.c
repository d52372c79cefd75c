#include "cli/command.h"

static const char *const headings[] = {[SECTION_SYNOPSIS] = "\n\nSYNOPSIS\n",
                                       [SECTION_DESCRIPTION] = "\n\nDESCRIPTION\n",
                                       [SECTION_NOTES] = "\n\nNOTES\n",
                                       [SECTION_EXAMPLES] = "\n\nEXAMPLES\n",
                                       [SECTION_SEE_ALSO] = "\n\nSEE ALSO\n"};

enum { SECTION_COUNT = sizeof headings / sizeof *headings };

int command_summary_length(const char *text)
{
  return (int)strcspn(text, "\n");
}

/* The last section ends with the line feed of the file. */
static size_t length_of(const char *body)
{
  size_t length = strlen(body) - 1;
  for (int i = 0; i < SECTION_COUNT; i++) {
    const char *next = strstr(body, headings[i]);
    if (next && (size_t)(next - body) < length)
      length = (size_t)(next - body);
  }
  return length;
}

static bool starts_line(char c)
{
  return c == ' ' || c == '\n';
}

/* Join the lines of paragraphs. A line that begins with a blank stays apart from those before and after it. */
static void join_lines(char *text)
{
  char first = *text; /* of the line at hand */
  for (char *at = strchr(text, '\n'); at; at = strchr(at + 1, '\n')) {
    bool joins = !starts_line(first) && !starts_line(at[1]);
    first = at[1];
    if (joins)
      *at = ' ';
  }
}

char *command_section(const char *text, enum command_section section)
{
  const char *begin = strstr(text, headings[section]);
  if (!begin)
    return NULL;
  begin += strlen(headings[section]);
  char *body = tutti_xstrndup(begin, length_of(begin));
  if (section != SECTION_SYNOPSIS && section != SECTION_EXAMPLES)
    join_lines(body);
  return body;
}
