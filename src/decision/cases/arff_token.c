#include "decision/cases/table.h"

#include <string.h>

static bool is_blank(char c)
{
  return c && (unsigned char)c <= ' ';
}

static char peek(const arff_line *line)
{
  return line->held ? line->held : *line->rest;
}

static void skip(arff_line *line)
{
  line->held = '\0';
  line->rest++;
}

/* Blanks, and at most one comma among them. */
static void skip_separator(arff_line *line)
{
  line->comma = false;
  while (is_blank(peek(line)) || (peek(line) == ',' && !line->comma)) {
    line->comma = line->comma || peek(line) == ',';
    skip(line);
  }
}

static char unescape(char c)
{
  static const char letters[] = "nrt", meant[] = "\n\r\t";
  const char *at = strchr(letters, c);
  return at ? meant[at - letters] : c;
}

/* From behind the opening quote; shrinks the word over its backslashes. */
static tutti_status read_quoted(cases_place *place, arff_line *line, char quote)
{
  char *to = line->word = line->rest;
  while (*line->rest && *line->rest != quote) {
    if (*line->rest == '\\' && line->rest[1]) {
      line->rest++;
      *to++ = unescape(*line->rest++);
    } else {
      *to++ = *line->rest++;
    }
  }
  if (!*line->rest)
    return tutti_cases_fault(place, "a quotation that does not end");
  line->rest++;
  *to = '\0';
  return TUTTI_OK;
}

static void read_word(arff_line *line)
{
  line->word = line->rest;
  while (*line->rest && !is_blank(*line->rest) && !strchr(",{}%", *line->rest))
    line->rest++;
  line->held = *line->rest;
  *line->rest = '\0';
}

tutti_status tutti_arff_next(cases_place *place, arff_line *line, int *kind)
{
  skip_separator(line);
  char c = peek(line);
  line->quoted = c == '\'' || c == '"';
  *kind = ARFF_END;
  if (!c || c == '%')
    return TUTTI_OK;
  if (c == '{' || c == '}') {
    skip(line);
    *kind = (unsigned char)c;
    return TUTTI_OK;
  }
  *kind = ARFF_WORD;
  if (c == ',')
    return tutti_cases_fault(place, "a value is missing between two commas");
  if (line->quoted) {
    skip(line);
    return read_quoted(place, line, c);
  }
  read_word(line);
  return TUTTI_OK;
}
