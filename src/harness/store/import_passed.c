/* Importing: what is passed over. A line that is not understood is one item; a table that is not understood, or is of
   another kind, is one item with all of its rows, whose number is known at its end. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/import_file.h"

static tutti_status fail(const struct import_file *file, bool of_table, const char *why, const char *what,
                         tutti_error *error)
{
  struct import_passing *passing = file->passing;
  passing->why = why;
  passing->of_table = of_table;
  snprintf(passing->what, sizeof passing->what, "%s", what);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: %s%s%.300s", file->name, file->line, why, *what ? ": " : "",
                    what);
}

#define FORMAT_WHAT(what, format)                                                                                      \
  char what[TUTTI_ERROR_LENGTH];                                                                                       \
  va_list arguments;                                                                                                   \
  va_start(arguments, format);                                                                                         \
  vsnprintf(what, sizeof what, format, arguments);                                                                     \
  va_end(arguments)

tutti_status tutti_import_fail(const struct import_file *file, tutti_error *error, const char *why, const char *format,
                               ...)
{
  FORMAT_WHAT(what, format);
  return fail(file, false, why, what, error);
}

tutti_status tutti_import_fail_table(const struct import_file *file, tutti_error *error, const char *why,
                                     const char *format, ...)
{
  FORMAT_WHAT(what, format);
  return fail(file, true, why, what, error);
}

/* What is known to be of another kind is no fault, however strict the reading. */
static void count(const struct import_file *file, size_t line, const char *why, const char *what)
{
  tutti_passed *passed = &file->imported->passed;
  const bool strict = passed->strict;
  passed->strict = false;
  tutti_pass_over(passed, file->name, line, why, NULL, "%s", what);
  passed->strict = strict;
}

void tutti_import_pass(const struct import_file *file, const char *why, const char *format, ...)
{
  FORMAT_WHAT(what, format);
  count(file, file->line, why, what);
}

static void begin_left(const struct import_file *file, const char *why, const char *what)
{
  struct import_passing *passing = file->passing;
  tutti_import_end_left(file);
  passing->left_why = why;
  passing->left_line = file->line;
  passing->rows = 0;
  snprintf(passing->left, sizeof passing->left, "%s", what);
}

void tutti_import_leave(const struct import_file *file, const char *why, const char *format, ...)
{
  FORMAT_WHAT(what, format);
  begin_left(file, why, what);
}

bool tutti_import_leaves_row(const struct import_file *file)
{
  file->passing->rows++;
  return file->passing->left_why != NULL;
}

void tutti_import_end_left(const struct import_file *file)
{
  struct import_passing *passing = file->passing;
  if (!passing->left_why)
    return;
  char *what = tutti_xprintf("%s (%" PRIu64 " row%s)", passing->left, passing->rows, passing->rows == 1 ? "" : "s");
  count(file, passing->left_line, passing->left_why, what);
  free(what);
  passing->left_why = NULL;
}

tutti_status tutti_import_go_on(const struct import_file *file, tutti_status status)
{
  struct import_passing *passing = file->passing;
  const char *why = passing->why;
  passing->why = NULL;
  if (status != TUTTI_ERR_ARGUMENT || !why || file->imported->passed.strict)
    return status;
  if (passing->of_table)
    begin_left(file, why, passing->what);
  else
    count(file, file->line, why, passing->what);
  return TUTTI_OK;
}

/* ---- the end of a file ---- */

/* False: it ends in no number, or is a comment. */
static bool read_row(const char *line, struct import_rows *row)
{
  static const char separators[] = " \t\r,;\"";
  const char *last = NULL;
  size_t length = 0;
  line += strspn(line, separators);
  *row = (struct import_rows){.numbered = isdigit((unsigned char)*line)};
  if (*line == '#')
    return false;
  for (; *line; line += length + strspn(line + length, separators)) {
    last = line;
    length = strcspn(line, separators);
    row->words++;
  }
  if (!last || !isdigit((unsigned char)*last))
    return false;
  row->decimals = length - strspn(last, "0123456789");
  return true;
}

bool tutti_import_is_cut_off(const struct import_rows *rows, const char *line)
{
  struct import_rows row;
  if (rows->words == 0 || !read_row(line, &row) || row.numbered != rows->numbered)
    return false;
  return row.words < rows->words || (row.words == rows->words && row.decimals < rows->decimals);
}

void tutti_import_note_row(struct import_rows *rows, const char *line)
{
  struct import_rows row;
  if (!read_row(line, &row))
    return;
  if (row.words == rows->words && row.numbered == rows->numbered && rows->decimals < row.decimals)
    row.decimals = rows->decimals;
  *rows = row;
}
