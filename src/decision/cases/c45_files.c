/* The readers of STEM.names and STEM.data (Quinlan 1993, and the manual page of c4.5). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decision/cases/cases.h"

/* ---- names: ended by ',', ':', '.' before a blank, or the end of the line ---- */

typedef struct c45_names_file {
  cases_place place;
  char *name; /* the last one, owned */
  size_t length, room;
  bool escaped; /* it has an escaped character: "\?" is a name, "?" an unknown value */
  int ended_by; /* ',', ':', '.', '\n' or EOF */
} c45_names_file;

static bool is_blank(int c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static int next(c45_names_file *file)
{
  return getc(file->place.lines.stream);
}

static void back(c45_names_file *file, int c)
{
  if (c != EOF)
    ungetc(c, file->place.lines.stream);
}

static bool append(c45_names_file *file, int c)
{
  if (file->length + 2 > file->room) {
    size_t room = 2 * file->length + 64;
    char *grown = realloc(file->name, room);
    if (!grown)
      return false;
    file->name = grown;
    file->room = room;
  }
  file->name[file->length++] = (char)c;
  file->name[file->length] = '\0';
  return true;
}

static int skip_comment(c45_names_file *file)
{
  int c;
  do
    c = next(file);
  while (c != '\n' && c != EOF);
  return c;
}

/* The first character of a name: over blanks, empty lines and comments. */
static int skip_blanks(c45_names_file *file)
{
  int c = next(file);
  while (c == '|' || c == '\n' || is_blank(c)) {
    if (c == '|')
      c = skip_comment(file);
    if (c == '\n')
      file->place.lines.number++;
    c = c == EOF ? EOF : next(file);
  }
  return c;
}

/* A full stop ends a name if a blank, a comment or the end follows. */
static bool is_full_stop(c45_names_file *file, int c)
{
  if (c != '.')
    return false;
  int after = next(file);
  back(file, after);
  return after == EOF || after == '\n' || after == '|' || is_blank(after);
}

static bool ends_name(c45_names_file *file, int c)
{
  return c == EOF || c == '\n' || c == ',' || c == ':' || c == '|' || is_full_stop(file, c);
}

/* After a name: a newline directly after ',' or ':' belongs to the blanks before the next name. */
static void finish(c45_names_file *file, int c, size_t kept)
{
  file->length = kept;
  file->name[kept] = '\0';
  file->ended_by = c == '|' ? skip_comment(file) : c;
  if (file->ended_by == '\n')
    back(file, '\n'); /* so that messages still name this line */
}

static tutti_status fault_of_end(c45_names_file *file, int c)
{
  struct tutti_lines *lines = &file->place.lines;
  if (c == EOF && ferror(lines->stream))
    return tutti_fail(lines->error, TUTTI_ERR_IO, "%s: %s", lines->path, strerror(errno));
  return TUTTI_OK;
}

static tutti_status next_name(c45_names_file *file)
{
  size_t kept = 0; /* without trailing blanks */
  file->length = 0;
  file->escaped = false;
  int c = skip_blanks(file);
  if (!append(file, '\0'))
    return tutti_cases_no_memory(&file->place);
  file->length = 0;
  for (; !ends_name(file, c); c = next(file)) {
    bool escape = c == '\\';
    if (escape)
      c = next(file);
    if (c == '\0' || (escape && c == EOF))
      return tutti_cases_fault(&file->place, "%s", c ? "nothing behind '\\'" : TUTTI_ZERO_BYTE);
    if (!escape && is_blank(c)) {
      if (file->length > kept)
        continue; /* several blanks are one */
      c = ' ';
    }
    file->place.lines.number += c == '\n';
    if (!append(file, c))
      return tutti_cases_no_memory(&file->place);
    file->escaped = file->escaped || escape;
    kept = escape || c != ' ' ? file->length : kept;
  }
  finish(file, c, kept);
  return fault_of_end(file, c);
}

static tutti_status open_names(c45_names_file *file, const char *path, names_index *names, tutti_error *error)
{
  *file = (c45_names_file){.place.names = names};
  tutti_lines_open(&file->place.lines, path, TUTTI_INPUT_RECORDS, error);
  file->place.lines.number = 1;
  return file->place.lines.status;
}

static void close_names(c45_names_file *file)
{
  tutti_lines_close(&file->place.lines);
  free(file->name);
}

/* ---- STEM.names ---- */

static tutti_status read_classes(c45_names_file *file, tutti_cases *cases)
{
  tutti_status status;
  do {
    status = next_name(file);
    if (status == TUTTI_OK)
      status = tutti_cases_add_class(&file->place, &cases->classes, &cases->class_count, file->name);
  } while (status == TUTTI_OK && file->ended_by == ',');
  if (status == TUTTI_OK && file->ended_by == ':')
    return tutti_cases_fault(&file->place, "the list of classes ends with ':'");
  return status;
}

/* "discrete N": values in order of occurrence, at most N. Until the data is read the limit is kept as their number. */
static tutti_status read_discrete(c45_names_file *file, tutti_attribute *attribute, int *most)
{
  double number;
  const char *text = file->name + strlen("discrete");
  if (!tutti_cases_parse_number(text + strspn(text, " "), &number) || number < 1 || number > 1e6)
    return tutti_cases_fault(&file->place, "attribute '%.80s': 'discrete' is followed by the number of values",
                             attribute->name);
  *most = (int)number;
  return TUTTI_OK;
}

/* A single word may give the kind of attribute, unless a character of it is escaped. */
static tutti_status read_kind(c45_names_file *file, tutti_cases *cases, int index, int *most)
{
  tutti_attribute *attribute = &cases->attributes[index];
  if (!file->escaped && strcmp(file->name, "continuous") == 0)
    return TUTTI_OK;
  if (!file->escaped && strcmp(file->name, "ignore") == 0) {
    attribute->ignored = true;
    return TUTTI_OK;
  }
  if (!file->escaped && (strncmp(file->name, "discrete ", 9) == 0 || strcmp(file->name, "discrete") == 0))
    return read_discrete(file, attribute, most);
  return tutti_cases_add_value(&file->place, cases, index, file->name);
}

static tutti_status read_values(c45_names_file *file, tutti_cases *cases, int index, int *most)
{
  tutti_status status = next_name(file);
  if (status == TUTTI_OK && file->ended_by != ',')
    status = read_kind(file, cases, index, most);
  else if (status == TUTTI_OK)
    status = tutti_cases_add_value(&file->place, cases, index, file->name);
  while (status == TUTTI_OK && file->ended_by == ',') {
    status = next_name(file);
    if (status == TUTTI_OK)
      status = tutti_cases_add_value(&file->place, cases, index, file->name);
  }
  if (status == TUTTI_OK && file->ended_by == ':')
    return tutti_cases_fault(&file->place, "attribute '%.80s': its values end with ':'", cases->attributes[index].name);
  return status;
}

static tutti_status read_attribute(c45_names_file *file, tutti_cases *cases, int **most)
{
  if (file->ended_by != ':')
    return tutti_cases_fault(&file->place, "attribute '%.80s' is not followed by ':'", file->name);
  tutti_status status = tutti_cases_add_attribute(&file->place, cases, file->name);
  if (status != TUTTI_OK)
    return status;
  int index = cases->attribute_count - 1;
  if ((index & (index - 1)) == 0) { /* a power of two, or 0: the room doubles */
    int *grown = reallocarray(*most, 2 * (size_t)index + 1, sizeof *grown);
    if (!grown)
      return tutti_cases_no_memory(&file->place);
    *most = grown;
  }
  (*most)[index] = 0;
  return read_values(file, cases, index, &(*most)[index]);
}

static tutti_status read_names(c45_names_file *file, tutti_cases *cases, int **most)
{
  tutti_status status = read_classes(file, cases);
  while (status == TUTTI_OK) {
    status = next_name(file);
    if (status != TUTTI_OK || (file->ended_by == EOF && !*file->name))
      break;
    status = read_attribute(file, cases, most);
  }
  return status;
}

/* ---- STEM.data ---- */

/* A value that is not known yet, of an attribute that takes them as they come. */
static tutti_status add_value(c45_names_file *file, tutti_cases *cases, int index, int most)
{
  const tutti_attribute *attribute = &cases->attributes[index];
  if (tutti_names_index_find(file->place.names, index, file->name) >= 0)
    return TUTTI_OK;
  if (attribute->value_count == most)
    return tutti_cases_fault(&file->place, "attribute '%.80s': '%.80s' is one value more than the %d announced",
                             attribute->name, file->name, most);
  return tutti_cases_add_value(&file->place, cases, index, file->name);
}

static tutti_status read_value(c45_names_file *file, tutti_cases *cases, int attribute, int most)
{
  const tutti_attribute *a = &cases->attributes[attribute];
  if (file->ended_by != ',')
    return tutti_cases_fault(&file->place, "attribute '%.80s' is not followed by ','", a->name);
  if (a->ignored || (!file->escaped && strcmp(file->name, "?") == 0))
    return TUTTI_OK;
  tutti_status status = most > 0 ? add_value(file, cases, attribute, most) : TUTTI_OK;
  return status == TUTTI_OK ? tutti_cases_set_value(&file->place, cases, attribute, file->name) : status;
}

/* A case whose first name has been read. */
static tutti_status read_case(c45_names_file *file, cases_table *table, const int *most)
{
  tutti_cases *cases = table->cases;
  tutti_status status = tutti_cases_add_row(&file->place, table);
  for (int a = 0; a < cases->attribute_count && status == TUTTI_OK; a++) {
    status = read_value(file, cases, a, most ? most[a] : 0);
    if (status == TUTTI_OK)
      status = next_name(file);
  }
  if (status == TUTTI_OK && (file->ended_by == ',' || file->ended_by == ':'))
    return tutti_cases_fault(&file->place, "something follows the class '%.80s'", file->name);
  return status == TUTTI_OK ? tutti_cases_set_label(&file->place, cases, file->name) : status;
}

static tutti_status read_cases(c45_names_file *file, tutti_cases *cases, const int *most)
{
  cases_table table = {.cases = cases};
  tutti_status status;
  while ((status = next_name(file)) == TUTTI_OK && (file->ended_by != EOF || *file->name)) {
    status = read_case(file, &table, most);
    if (status != TUTTI_OK)
      break;
  }
  return status;
}

static tutti_status read_data(const char *path, tutti_cases *cases, names_index *names, const int *most,
                              tutti_error *error)
{
  c45_names_file file;
  tutti_status status = open_names(&file, path, names, error);
  if (status == TUTTI_OK)
    status = read_cases(&file, cases, most);
  close_names(&file);
  return status;
}

/* An attribute that took its values from the data is continuous to us if there was none. */
static void ignore_without_values(tutti_cases *cases, const int *most)
{
  for (int a = 0; a < cases->attribute_count; a++)
    if (most && most[a] > 0 && cases->attributes[a].value_count == 0)
      cases->attributes[a].ignored = true;
}

/* ---- the files ---- */

static char *path_of(const char *stem, const char *ending)
{
  size_t length = strlen(stem);
  char *path = malloc(length + strlen(ending) + 1);
  if (!path)
    return NULL;
  memcpy(path, stem, length + 1);
  char *dot = strrchr(path, '.');
  if (dot && (strcmp(dot, ".names") == 0 || strcmp(dot, ".data") == 0))
    *dot = '\0';
  return strcat(path, ending);
}

static tutti_status read_both(const char *names_path, const char *data_path, tutti_cases *cases, tutti_error *error)
{
  names_index names = {.slots = NULL};
  c45_names_file file;
  int *most = NULL;
  tutti_status status = open_names(&file, names_path, &names, error);
  if (status == TUTTI_OK)
    status = read_names(&file, cases, &most);
  close_names(&file);
  if (status == TUTTI_OK)
    status = read_data(data_path, cases, &names, most, error);
  if (status == TUTTI_OK)
    ignore_without_values(cases, most);
  tutti_names_index_free(&names);
  free(most);
  return status;
}

tutti_status tutti_cases_read_c45(const char *stem, tutti_cases *cases, tutti_error *error)
{
  char *names_path = path_of(stem, ".names"), *data_path = path_of(stem, ".data");
  *cases = (tutti_cases){.name = path_of(stem, "")};
  tutti_status status = names_path && data_path && cases->name
                            ? read_both(names_path, data_path, cases, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", stem);
  free(names_path);
  free(data_path);
  if (status != TUTTI_OK)
    tutti_cases_free(cases);
  return status;
}

tutti_status tutti_cases_read_data(const char *path, const tutti_cases *names, tutti_cases *cases, tutti_error *error)
{
  names_index index = {.slots = NULL};
  tutti_status status = tutti_cases_select(names, NULL, 0, cases, error);
  if (status == TUTTI_OK && (!tutti_names_index_add_attributes(&index, cases->attributes, cases->attribute_count) ||
                             !tutti_names_index_add_list(&index, NAMES_OF_CLASSES, cases->classes, cases->class_count)))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  if (status == TUTTI_OK)
    status = read_data(path, cases, &index, NULL, error);
  tutti_names_index_free(&index);
  if (status != TUTTI_OK)
    tutti_cases_free(cases);
  return status;
}

tutti_status tutti_cases_read(const char *path, tutti_cases *cases, tutti_error *error)
{
  size_t length = strlen(path);
  bool arff = length >= 5 && strcmp(path + length - 5, ".arff") == 0;
  return arff ? tutti_cases_read_arff(path, cases, error) : tutti_cases_read_c45(path, cases, error);
}
