/* The reader of ARFF files (Witten, Frank 2005, section 2.4). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decision/cases/cases.h"

/* ---- words of a line ---- */

/* Kinds of token. */
enum { ARFF_END, ARFF_WORD, ARFF_OPEN = '{', ARFF_CLOSE = '}' };

/* A line, taken apart in place. */
typedef struct arff_line {
  char *rest;
  char *word;  /* of the last token ARFF_WORD */
  bool quoted; /* it was: '?' is not an unknown value then */
  bool comma;  /* one stood before it */
  char held;   /* delimiter that the end of a word overwrote */
} arff_line;

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

/* Skip blanks, and at most one comma among them. */
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

/* Read from after the opening quote on; shrinks the word over its backslashes. */
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

static tutti_status next_token(cases_place *place, arff_line *line, int *kind)
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

struct reader {
  cases_place place;
  cases_table table;
  bool in_data;
};

static tutti_status next_word(struct reader *reader, arff_line *line, const char *what)
{
  int kind;
  tutti_status status = next_token(&reader->place, line, &kind);
  if (status == TUTTI_OK && kind != ARFF_WORD)
    return tutti_cases_fault(&reader->place, "%s is missing", what);
  return status;
}

static tutti_status expect_end(struct reader *reader, arff_line *line)
{
  int kind;
  tutti_status status = next_token(&reader->place, line, &kind);
  if (status == TUTTI_OK && kind != ARFF_END)
    return tutti_cases_fault(&reader->place, "there is something left behind the end");
  return status;
}

/* ---- the head ---- */

static tutti_status read_relation(struct reader *reader, arff_line *line)
{
  tutti_status status = next_word(reader, line, "the name of the relation");
  if (status != TUTTI_OK)
    return status;
  free(reader->table.cases->name);
  reader->table.cases->name = strdup(line->word);
  return reader->table.cases->name ? expect_end(reader, line) : tutti_cases_no_memory(&reader->place);
}

static tutti_status read_values(struct reader *reader, arff_line *line, int index)
{
  const tutti_attribute *attribute = &reader->table.cases->attributes[index];
  int kind;
  tutti_status status;
  while ((status = next_token(&reader->place, line, &kind)) == TUTTI_OK && kind == ARFF_WORD) {
    status = tutti_cases_add_value(&reader->place, reader->table.cases, index, line->word);
    if (status != TUTTI_OK)
      return status;
  }
  if (status == TUTTI_OK && kind != ARFF_CLOSE)
    return tutti_cases_fault(&reader->place, "the values of '%.80s' do not end with '}'", attribute->name);
  if (status == TUTTI_OK && attribute->value_count == 0)
    return tutti_cases_fault(&reader->place, "attribute '%.80s' has no values", attribute->name);
  return status;
}

static bool is_number_type(const char *word)
{
  return strcasecmp(word, "numeric") == 0 || strcasecmp(word, "real") == 0 || strcasecmp(word, "integer") == 0;
}

static tutti_status read_type(struct reader *reader, arff_line *line, int index)
{
  int kind;
  tutti_status status = next_token(&reader->place, line, &kind);
  if (status == TUTTI_OK && kind == ARFF_OPEN)
    status = read_values(reader, line, index);
  else if (status == TUTTI_OK && (kind != ARFF_WORD || !is_number_type(line->word)))
    return tutti_cases_fault(&reader->place, "attribute '%.80s' is neither numeric, real, integer nor a list {A,B,...}",
                             reader->table.cases->attributes[index].name);
  return status == TUTTI_OK ? expect_end(reader, line) : status;
}

static tutti_status read_attribute(struct reader *reader, arff_line *line)
{
  tutti_cases *cases = reader->table.cases;
  tutti_status status = next_word(reader, line, "the name of the attribute");
  if (status == TUTTI_OK)
    status = tutti_cases_add_attribute(&reader->place, cases, line->word);
  return status == TUTTI_OK ? read_type(reader, line, cases->attribute_count - 1) : status;
}

/* The last attribute becomes the class. */
static tutti_status begin_data(struct reader *reader, arff_line *line)
{
  tutti_cases *cases = reader->table.cases;
  tutti_attribute *last = cases->attribute_count > 0 ? &cases->attributes[cases->attribute_count - 1] : NULL;
  if (!last || last->value_count == 0)
    return tutti_cases_fault(&reader->place, "the last attribute is the class: it must be a list {A,B,...}");
  cases->classes = last->values;
  cases->class_count = last->value_count;
  free(last->name);
  cases->attribute_count--;
  reader->in_data = true;
  names_index *names = reader->place.names;
  tutti_names_index_free(names); /* the last name is gone, its values have become classes */
  if (!tutti_names_index_add_attributes(names, cases->attributes, cases->attribute_count) ||
      !tutti_names_index_add_list(names, NAMES_OF_CLASSES, cases->classes, cases->class_count))
    return tutti_cases_no_memory(&reader->place);
  return expect_end(reader, line);
}

static tutti_status read_head(struct reader *reader, arff_line *line, int kind)
{
  if (kind == ARFF_WORD && !line->quoted) {
    if (strcasecmp(line->word, "@relation") == 0)
      return read_relation(reader, line);
    if (strcasecmp(line->word, "@attribute") == 0)
      return read_attribute(reader, line);
    if (strcasecmp(line->word, "@data") == 0)
      return begin_data(reader, line);
  }
  return tutti_cases_fault(&reader->place, "neither @relation, @attribute nor @data");
}

/* ---- the data ---- */

/* Value @p index of the last row; the class comes after the attributes. */
static tutti_status set(struct reader *reader, long index, const arff_line *line)
{
  tutti_cases *cases = reader->table.cases;
  bool unknown = !line->quoted && strcmp(line->word, "?") == 0;
  if (index > cases->attribute_count)
    return tutti_cases_fault(&reader->place, "there are only %d attributes with the class", cases->attribute_count + 1);
  if (index < cases->attribute_count)
    return unknown ? TUTTI_OK : tutti_cases_set_value(&reader->place, cases, (int)index, line->word);
  return unknown ? tutti_cases_fault(&reader->place, "the class is unknown")
                 : tutti_cases_set_label(&reader->place, cases, line->word);
}

static tutti_status read_row(struct reader *reader, arff_line *line, int kind)
{
  long count = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && kind == ARFF_WORD) {
    if (count > 0 || !line->comma)
      status = set(reader, count++, line);
    else
      return tutti_cases_fault(&reader->place, "a value is missing before the first comma");
    if (status == TUTTI_OK)
      status = next_token(&reader->place, line, &kind);
  }
  if (status == TUTTI_OK && kind != ARFF_END)
    return tutti_cases_fault(&reader->place, "'%c' in the middle of a row", kind);
  if (status == TUTTI_OK && count != reader->table.cases->attribute_count + 1)
    return tutti_cases_fault(&reader->place, "%ld values instead of %d", count,
                             reader->table.cases->attribute_count + 1);
  return status;
}

/* Maximum values of a table of sparse rows, where three bytes in a file may be thousands of values: 256 MB. */
static const size_t MAX_SPARSE = (size_t)1 << 25;

/* "{INDEX VALUE, ...}": what is not named is 0, or the first value. */
static tutti_status read_sparse(struct reader *reader, arff_line *line)
{
  tutti_cases *cases = reader->table.cases;
  long previous = -1;
  int kind;
  tutti_status status;
  if (cases->count * (size_t)cases->attribute_count > MAX_SPARSE)
    return tutti_cases_fault(&reader->place, "more than %zu values with those that sparse rows leave out", MAX_SPARSE);
  for (int a = 0; a < cases->attribute_count; a++)
    cases->values[a][cases->count - 1] = 0;
  while ((status = next_token(&reader->place, line, &kind)) == TUTTI_OK && kind == ARFF_WORD) {
    char *end;
    long index = strtol(line->word, &end, 10);
    if (*end || end == line->word || index <= previous)
      return tutti_cases_fault(&reader->place, "'%.80s' is no index that ascends", line->word);
    previous = index;
    status = next_word(reader, line, "a value");
    if (status == TUTTI_OK && index < cases->attribute_count && !line->quoted && strcmp(line->word, "?") == 0)
      cases->values[index][cases->count - 1] = NAN;
    else if (status == TUTTI_OK)
      status = set(reader, index, line);
    if (status != TUTTI_OK)
      return status;
  }
  if (status == TUTTI_OK && kind != ARFF_CLOSE)
    return tutti_cases_fault(&reader->place, "a sparse row does not end with '}'");
  return status == TUTTI_OK ? expect_end(reader, line) : status;
}

static tutti_status read_data(struct reader *reader, arff_line *line, int kind)
{
  tutti_status status = tutti_cases_add_row(&reader->place, &reader->table);
  if (status != TUTTI_OK)
    return status;
  return kind == ARFF_OPEN ? read_sparse(reader, line) : read_row(reader, line, kind);
}

/* ---- the file ---- */

static tutti_status read_line(struct reader *reader)
{
  arff_line line = {.rest = reader->place.lines.text};
  int kind;
  tutti_status status = next_token(&reader->place, &line, &kind);
  if (status != TUTTI_OK || kind == ARFF_END)
    return status == TUTTI_OK && line.comma ? tutti_cases_fault(&reader->place, "nothing but a comma") : status;
  return reader->in_data ? read_data(reader, &line, kind) : read_head(reader, &line, kind);
}

static tutti_status read_lines(struct reader *reader)
{
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && tutti_lines_next(&reader->place.lines))
    status = read_line(reader);
  if (status == TUTTI_OK)
    status = reader->place.lines.status;
  if (status == TUTTI_OK && !reader->in_data)
    status = tutti_cases_fault(&reader->place, "the file ends before @data");
  return status;
}

tutti_status tutti_cases_read_arff(const char *path, tutti_cases *cases, tutti_error *error)
{
  names_index names = {.slots = NULL};
  struct reader reader = {.place.names = &names, .table.cases = cases};
  *cases = (tutti_cases){.name = strdup("")};
  tutti_lines_open(&reader.place.lines, path, TUTTI_INPUT_RECORDS, error);
  tutti_status status = cases->name ? read_lines(&reader) : tutti_cases_no_memory(&reader.place);
  tutti_lines_close(&reader.place.lines);
  tutti_names_index_free(&names);
  if (status != TUTTI_OK)
    tutti_cases_free(cases);
  return status;
}
