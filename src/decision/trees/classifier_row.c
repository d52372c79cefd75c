/* One line of a printed tree: "|   ATTRIBUTE TEST : CLASS (N/E)". */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/trees/classifier.h"
#include "tutti/algorithm.h"

/* Behind the first @p wanted that no backslash precedes; NULL: there is none. The text ends before it. */
static char *cut(char *text, const char *wanted)
{
  size_t length = strlen(wanted);
  for (char *at = text; *at; at++) {
    if (strncmp(at, wanted, length) == 0) {
      *at = '\0';
      return at + length;
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

/* Without the blanks around it and the backslashes in it. */
static char *name_of(char *text)
{
  static const char letters[] = "nrt", meant[] = "\n\r\t";
  while (isspace((unsigned char)*text))
    text++;
  char *to = text, *end = text;
  for (const char *from = text; *from; from++) {
    bool escaped = *from == '\\' && from[1];
    const char *letter = escaped ? strchr(letters, *++from) : NULL;
    *to++ = letter ? meant[letter - letters] : *from;
    if (escaped || !isspace((unsigned char)*from))
      end = to;
  }
  *end = '\0';
  return text;
}

static int read_depth(char **text)
{
  int depth = 0;
  for (; **text == '|'; depth++)
    do
      ++*text;
    while (isspace((unsigned char)**text));
  return depth;
}

/* ---- (N/E) ---- */

static bool read_counts(char *text, classifier_row *row)
{
  double cases, errors = 0.0;
  size_t length = strlen(text);
  if (length == 0 || text[length - 1] != ')')
    return false;
  text[length - 1] = '\0';
  char *slash = strchr(text, '/');
  if (slash)
    *slash = '\0';
  bool good = tutti_cases_parse_number(text, &cases) && (!slash || tutti_cases_parse_number(slash + 1, &errors));
  if (!good || cases < 0 || errors < 0)
    return false;
  row->cases = cases;
  row->errors = errors;
  return true;
}

/* "CLASS" or "CLASS (N)" or "CLASS (N/E)"; a class that is new is added. */
static tutti_status read_leaf(classifier_rows *rows, char *text, classifier_row *row)
{
  tutti_classifier *classifier = rows->classifier;
  char *counts = cut(text, " (");
  if (counts && !read_counts(counts, row))
    return tutti_cases_fault(&rows->place, "numbers of cases are written (N) or (N/E)");
  char *name = name_of(text);
  row->label = tutti_names_index_find(rows->place.names, NAMES_OF_CLASSES, name);
  if (row->label >= 0)
    return TUTTI_OK;
  row->label = classifier->class_count;
  return tutti_cases_add_class(&rows->place, &classifier->classes, &classifier->class_count, name);
}

/* ---- tests ---- */

static tutti_status add_value(classifier_rows *rows, char *text, classifier_row *row)
{
  const tutti_attribute *attribute = &rows->classifier->attributes[row->attribute];
  const char *name = name_of(text);
  int value = tutti_names_index_find(rows->place.names, row->attribute, name);
  if (value < 0)
    return tutti_cases_fault(&rows->place, "attribute '%.80s' has no value '%.80s'", attribute->name, name);
  if (!tutti_vector_push(&rows->values, value))
    return tutti_cases_no_memory(&rows->place);
  row->value_count++;
  return TUTTI_OK;
}

static tutti_status read_values(classifier_rows *rows, char *text, bool several, classifier_row *row)
{
  tutti_status status;
  row->values = rows->values.count;
  do {
    char *rest = several ? cut(text, ",") : NULL;
    status = add_value(rows, text, row);
    text = rest;
  } while (status == TUTTI_OK && text);
  return status;
}

/* A number, or one of bytes with its unit: "2KB". */
static bool parse_threshold(const char *text, double *threshold)
{
  uint64_t bytes;
  if (tutti_cases_parse_number(text, threshold))
    return true;
  if (!isdigit((unsigned char)*text) || tutti_size_parse(text, &bytes, NULL) != TUTTI_OK)
    return false;
  *threshold = (double)bytes;
  return true;
}

static tutti_status read_operand(classifier_rows *rows, char *text, bool several, classifier_row *row)
{
  const tutti_attribute *attribute = &rows->classifier->attributes[row->attribute];
  if ((row->kind == ROW_VALUES) != (attribute->value_count > 0))
    return tutti_cases_fault(&rows->place, "attribute '%.80s' is %s", attribute->name,
                             attribute->value_count > 0 ? "discrete: it is tested by = or in"
                                                        : "a number: it is tested by <= and >");
  if (row->kind == ROW_VALUES)
    return read_values(rows, text, several, row);
  text = name_of(text);
  return parse_threshold(text, &row->threshold) ? TUTTI_OK
                                                : tutti_cases_fault(&rows->place, "'%.80s' is not a number", text);
}

/* What stands between attribute and operand. */
struct operation {
  const char *text;
  row_kind kind;
  bool several;
};

/* The operator that comes first; behind it. */
static char *cut_operator(char *text, const struct operation **found)
{
  static const struct operation operations[] = {
      {" <= ", ROW_AT_MOST, false}, {" > ", ROW_ABOVE, false}, {" = ", ROW_VALUES, false}, {" in {", ROW_VALUES, true}};
  for (char *at = text; *at; at++) {
    for (int i = 0; i < 4; i++) {
      size_t length = strlen(operations[i].text);
      if (strncmp(at, operations[i].text, length) == 0) {
        *found = &operations[i];
        *at = '\0';
        return at + length;
      }
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

/* Behind the colon that ends a test: a blank or the end of the line follows it. */
static char *cut_colon(char *text)
{
  for (char *at = text; *at; at++) {
    if (strncmp(at, " :", 2) == 0 && (!at[2] || isspace((unsigned char)at[2]))) {
      *at = '\0';
      return at + 2;
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

static tutti_status read_test(classifier_rows *rows, char *text, char *operand, const struct operation *operation,
                              classifier_row *row)
{
  char *rest = cut_colon(operand);
  char *brace = operation->several && rest ? cut(operand, "}") : NULL;
  if (!rest || (operation->several && (!brace || *name_of(brace))))
    return tutti_cases_fault(&rows->place, "a test is followed by ' :', a list of values by '} :'");
  const char *name = name_of(text);
  row->kind = operation->kind;
  row->attribute = tutti_names_index_find(rows->place.names, NAMES_OF_ATTRIBUTES, name);
  if (row->attribute < 0)
    return tutti_cases_fault(&rows->place, "there is no attribute '%.80s'", name);
  tutti_status status = read_operand(rows, operand, operation->several, row);
  while (isspace((unsigned char)*rest))
    rest++;
  return status == TUTTI_OK && *rest ? read_leaf(rows, rest - 1, row) : status;
}

tutti_status tutti_classifier_parse_row(classifier_rows *rows, char *text, classifier_row *row)
{
  const struct operation *operation = NULL;
  *row = (classifier_row){.line = rows->place.lines.number, .label = -1, .attribute = -1, .child = -1, .sibling = -1};
  row->depth = read_depth(&text);
  char *operand = cut_operator(text, &operation);
  if (operand)
    return read_test(rows, text, operand, operation, row);
  if (row->depth > 0 || rows->count > 0)
    return tutti_cases_fault(&rows->place, "there is no test in this line");
  return read_leaf(rows, text, row);
}
