#include "decision/cases/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Behind a name: a newline right behind ',' or ':' belongs to the blanks before the next name. */
static void finish(c45_names_file *file, int c, size_t kept)
{
  file->length = kept;
  file->name[kept] = '\0';
  file->ended_by = c == '|' ? skip_comment(file) : c;
  if (file->ended_by == '\n')
    back(file, '\n'); /* so that messages name this line still */
}

static tutti_status fault_of_end(c45_names_file *file, int c)
{
  struct tutti_lines *lines = &file->place.lines;
  if (c == EOF && ferror(lines->stream))
    return tutti_fail(lines->error, TUTTI_ERR_IO, "%s: %s", lines->path, strerror(errno));
  return TUTTI_OK;
}

tutti_status tutti_c45_next_name(c45_names_file *file)
{
  size_t kept = 0; /* without the blanks behind */
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
      return tutti_cases_fault(&file->place, "%s", c ? "nothing behind '\\'" : "a zero byte: this is not a text file");
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

tutti_status tutti_c45_names_open(c45_names_file *file, const char *path, names_index *names, tutti_error *error)
{
  *file = (c45_names_file){.place.names = names};
  tutti_lines_open(&file->place.lines, path, error);
  file->place.lines.number = 1;
  return file->place.lines.status;
}

void tutti_c45_names_close(c45_names_file *file)
{
  tutti_lines_close(&file->place.lines);
  free(file->name);
}
