/* Cases from the text of an ARFF file (Witten, Frank 2005, section 2.4), for tests and bench/c45.c: without sparse
   rows, and what is no such file ends the program. */
#ifndef TUTTI_TESTS_ARFF_H
#define TUTTI_TESTS_ARFF_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/vector.h"
#include "tutti/classifier.h"

static inline void arff_expect(bool good, const char *what)
{
  if (good)
    return;
  fprintf(stderr, "ARFF: %s\n", what);
  exit(2);
}

/* The next word of a line without its quotes; NULL: its end, or a comment. It is cut off, and "?" is a missing one. */
static inline char *arff_word(char **rest)
{
  static const char letters[] = "nrt", meant[] = "\n\r\t";
  char *from = *rest + strspn(*rest, " \t\r,{}"), *word = from, *to = from, quote = *from;
  if (!quote || quote == '%')
    return NULL;
  if (quote != '\'' && quote != '"') {
    from += strcspn(from, " \t\r,{}%");
    *rest = from + (*from && *from != '%');
    *from = '\0';
    return word;
  }
  for (from++; *from && *from != quote; from++) {
    const char *letter = *from == '\\' ? strchr(letters, *++from) : NULL;
    *to++ = letter ? meant[letter - letters] : *from;
  }
  arff_expect(*from, "a quotation does not end");
  *rest = from + 1;
  *to = '\0';
  return word;
}

struct arff_attributes {
  TUTTI_VECTOR(tutti_attribute);
};

static inline int arff_index(const tutti_attribute *attribute, const char *value)
{
  int index = 0;
  while (index < attribute->value_count && strcmp(attribute->values[index], value) != 0)
    index++;
  arff_expect(index < attribute->value_count, value);
  return index;
}

static inline void arff_read_attribute(char *line, struct arff_attributes *attributes)
{
  tutti_attribute attribute = {.name = strdup(arff_word(&line))};
  const bool number = !strchr(line, '{');
  for (char *value; !number && (value = arff_word(&line));) {
    attribute.values = reallocarray(attribute.values, (size_t)attribute.value_count + 1, sizeof(char *));
    attribute.values[attribute.value_count++] = strdup(value);
  }
  line += strspn(line, " \t");
  arff_expect(!number || strncasecmp(line, "numeric", 7) == 0 || strncasecmp(line, "real", 4) == 0 ||
                  strncasecmp(line, "integer", 7) == 0,
              attribute.name);
  arff_expect(tutti_vector_push(attributes, attribute), "no memory");
}

static inline void arff_read_row(char *line, const tutti_attribute *class, size_t row, tutti_cases *cases)
{
  for (int a = 0; a <= cases->attribute_count; a++) {
    const tutti_attribute *attribute = a < cases->attribute_count ? &cases->attributes[a] : class;
    line += strspn(line, " \t");
    const bool unknown = *line == '?', plain = attribute->value_count == 0;
    char *word = arff_word(&line), *end = NULL;
    arff_expect(word, "a value is missing");
    if (a == cases->attribute_count)
      cases->labels[row] = arff_index(class, word);
    else if (!unknown)
      cases->values[a][row] = plain ? strtod(word, &end) : arff_index(attribute, word);
    arff_expect(!end || (end != word && !*end), word);
    line += strspn(line, " \t,");
  }
}

/* The last attribute is the class. @p text is changed. */
static inline tutti_cases arff_read(char *text)
{
  struct arff_attributes attributes = {.count = 0};
  tutti_cases cases = {.name = NULL};
  tutti_attribute class = {.name = NULL};
  char *name = (char *)"";
  size_t rows = 1; /* at most */
  bool data = false;
  for (const char *end = text; (end = strchr(end, '\n')); end++)
    rows++;
  for (char *line; (line = strsep(&text, "\n"));) {
    char *rest = line + strspn(line, " \t\r");
    if (!*rest || *rest == '%')
      continue;
    if (data)
      arff_read_row(rest, &class, cases.count++, &cases);
    else if (strcasecmp((line = arff_word(&rest)), "@relation") == 0)
      name = arff_word(&rest);
    else if (strcasecmp(line, "@attribute") == 0)
      arff_read_attribute(rest, &attributes);
    else {
      arff_expect(strcasecmp(line, "@data") == 0 && attributes.count > 0, line);
      class = attributes.items[--attributes.count];
      data = class.value_count > 0;
      arff_expect(data, class.name);
      tutti_cases_create(name, (int)attributes.count, class.value_count, rows, &cases);
      memcpy(cases.attributes, attributes.items, attributes.count * sizeof *attributes.items);
      memcpy(cases.classes, class.values, (size_t) class.value_count * sizeof *class.values);
      cases.count = 0;
    }
  }
  arff_expect(data, "no @data");
  free(class.name);
  free(class.values);
  tutti_vector_free(&attributes);
  return cases;
}

#endif
