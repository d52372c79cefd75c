/* The writers: STEM.names, STEM.data and ARFF. Names are escaped so that other programs read them as they are. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "decision/cases/cases.h"

/* Writes a name. */
typedef void (*name_writer)(FILE *stream, const char *name);

/* ---- C4.5 ---- */

static bool is_special(const char *name, const char *at)
{
  bool edge = at == name || !at[1] || isspace((unsigned char)at[1]) || isspace((unsigned char)at[-1]);
  if (isspace((unsigned char)*at))
    return edge || *at != ' ';
  if (*at == '.')
    return !at[1] || isspace((unsigned char)at[1]) || at[1] == '|';
  return strchr(",:|\\", *at) || strcmp(name, "?") == 0;
}

static void write_c45_name(FILE *stream, const char *name)
{
  for (const char *at = name; *at; at++) {
    if (is_special(name, at))
      putc('\\', stream);
    putc(*at, stream);
  }
}

static void write_list(FILE *stream, char *const *names, int count, name_writer write)
{
  for (int i = 0; i < count; i++) {
    fputs(i > 0 ? "," : "", stream);
    write(stream, names[i]);
  }
}

/* Whether a word alone would be read as the kind of an attribute. */
static bool is_kind(const char *value)
{
  return strcmp(value, "continuous") == 0 || strcmp(value, "ignore") == 0 || strncmp(value, "discrete", 8) == 0;
}

static void write_values(FILE *stream, const tutti_attribute *attribute)
{
  if (attribute->value_count == 1 && is_kind(attribute->values[0]))
    putc('\\', stream);
  write_list(stream, attribute->values, attribute->value_count, write_c45_name);
}

static void write_names(FILE *stream, const tutti_cases *cases)
{
  write_list(stream, cases->classes, cases->class_count, write_c45_name);
  fputs(".\n\n", stream);
  for (int a = 0; a < cases->attribute_count; a++) {
    const tutti_attribute *attribute = &cases->attributes[a];
    write_c45_name(stream, attribute->name);
    fputs(": ", stream);
    if (attribute->value_count > 0)
      write_values(stream, attribute);
    else
      fputs(attribute->ignored ? "ignore" : "continuous", stream);
    fputs(".\n", stream);
  }
}

/* ---- both ---- */

static void write_value(FILE *stream, const tutti_cases *cases, int attribute, size_t row, name_writer write)
{
  const tutti_attribute *a = &cases->attributes[attribute];
  double value = cases->values[attribute][row];
  char number[32];
  if (isnan(value))
    putc('?', stream);
  else if (a->value_count > 0)
    write(stream, a->values[(int)value]);
  else
    fputs(tutti_cases_format_number(value, number), stream);
}

static void write_rows(FILE *stream, const tutti_cases *cases, name_writer write)
{
  for (size_t i = 0; i < cases->count; i++) {
    for (int a = 0; a < cases->attribute_count; a++) {
      write_value(stream, cases, a, i, write);
      putc(',', stream);
    }
    write(stream, cases->classes[cases->labels[i]]);
    putc('\n', stream);
  }
}

static void write_data(FILE *stream, const tutti_cases *cases)
{
  write_rows(stream, cases, write_c45_name);
}

/* ---- ARFF ---- */

static bool is_plain(const char *name)
{
  for (const char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("_-+./=<>()*:;", *at))
      return false;
  return *name;
}

static void write_arff_name(FILE *stream, const char *name)
{
  if (is_plain(name)) {
    fputs(name, stream);
    return;
  }
  putc('\'', stream);
  for (const char *at = name; *at; at++) {
    static const char meant[] = "\n\r\t", letters[] = "nrt";
    const char *control = strchr(meant, *at);
    if (control || *at == '\'' || *at == '\\')
      putc('\\', stream);
    putc(control ? letters[control - meant] : *at, stream);
  }
  putc('\'', stream);
}

static void write_attribute(FILE *stream, const char *name, char *const *values, int count)
{
  fputs("@attribute ", stream);
  write_arff_name(stream, name);
  fputs(count > 0 ? " {" : " numeric\n", stream);
  write_list(stream, values, count, write_arff_name);
  fputs(count > 0 ? "}\n" : "", stream);
}

/* The number of '_' after "class" that make it differ from the names of all attributes. */
static size_t count_underscores(const tutti_cases *cases)
{
  size_t count = 0;
  for (int a = 0; a < cases->attribute_count; a++) {
    const char *name = cases->attributes[a].name;
    size_t length = strlen(name), stem = strlen("class");
    if (strncmp(name, "class", stem) == 0 && stem + strspn(name + stem, "_") == length && length - stem >= count)
      count = length - stem + 1;
  }
  return count;
}

static void write_class(FILE *stream, const tutti_cases *cases)
{
  fputs("@attribute class", stream);
  for (size_t i = count_underscores(cases); i > 0; i--)
    putc('_', stream);
  fputs(" {", stream);
  write_list(stream, cases->classes, cases->class_count, write_arff_name);
  fputs("}\n", stream);
}

static void write_arff(FILE *stream, const tutti_cases *cases)
{
  fputs("@relation ", stream);
  write_arff_name(stream, *cases->name ? cases->name : "cases");
  fputs("\n\n", stream);
  for (int a = 0; a < cases->attribute_count; a++)
    write_attribute(stream, cases->attributes[a].name, cases->attributes[a].values, cases->attributes[a].value_count);
  write_class(stream, cases);
  fputs("\n@data\n", stream);
  write_rows(stream, cases, write_arff_name);
}

/* ---- the files ---- */

static tutti_status write_file(const char *path, const tutti_cases *cases,
                               void (*write)(FILE *stream, const tutti_cases *cases), tutti_error *error)
{
  struct tutti_output output;
  tutti_status status = tutti_output_begin(path, &output, error);
  if (status != TUTTI_OK)
    return status;
  write(output.stream, cases);
  if (ferror(output.stream))
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  return tutti_output_end(&output, status, error);
}

static tutti_status write_beside(const char *stem, const char *ending, const tutti_cases *cases,
                                 void (*write)(FILE *stream, const tutti_cases *cases), tutti_error *error)
{
  char *path = tutti_xprintf("%s%s", stem, ending);
  tutti_status status = write_file(path, cases, write, error);
  free(path);
  return status;
}

tutti_status tutti_cases_write_c45(const tutti_cases *cases, const char *stem, tutti_error *error)
{
  tutti_status status = write_beside(stem, ".names", cases, write_names, error);
  return status == TUTTI_OK ? write_beside(stem, ".data", cases, write_data, error) : status;
}

tutti_status tutti_cases_write_arff(const tutti_cases *cases, const char *path, tutti_error *error)
{
  return write_file(path, cases, write_arff, error);
}
