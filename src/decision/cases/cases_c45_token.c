#include "decision/cases/cases_c45_token.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(int c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static int next(c45_names_file *file)
{
  return getc(file->stream);
}

static void back(c45_names_file *file, int c)
{
  if (c != EOF)
    ungetc(c, file->stream);
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
      file->place.line++;
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
  if (c == EOF && ferror(file->stream))
    return tutti_cases_cannot_read(&file->place);
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
    file->place.line += c == '\n';
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
  *file = (c45_names_file){.place = {.path = path, .line = 1, .error = error, .names = names}};
  errno = 0;
  file->stream = fopen(path, "r");
  return file->stream ? TUTTI_OK : tutti_cases_cannot_read(&file->place);
}

void tutti_c45_names_close(c45_names_file *file)
{
  if (file->stream)
    fclose(file->stream);
  free(file->name);
}
