/* Files of baselines: reading and writing. docs/reference/baselines.md has the format. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "regression/private.h"

#define BASELINE_HEAD "tutti-baseline 1"
#define BASELINE_WORD "tutti-baseline "

struct reader {
  tutti_baseline *baseline;
  tutti_baseline_section *section; /* the current one; NULL: none yet */
  struct tutti_lines lines;
  char *comment; /* lines read since the last item; NULL: none */
};

static void fault(struct reader *reader, const char *reason)
{
  tutti_lines_fault(&reader->lines, "%.400s", reason);
}

/* The next line without blanks at its ends, tabs made blanks; NULL at the end of the file, and after a fault. */
static char *next_line(struct reader *reader)
{
  if (!tutti_lines_next(&reader->lines))
    return NULL;
  char *line = reader->lines.text, *end = line + reader->lines.length;
  while (end > line && strchr("\r \t", end[-1]))
    *--end = '\0';
  for (char *tab = line; (tab = strchr(tab, '\t'));)
    *tab = ' ';
  return line + strspn(line, " ");
}

static void keep_comment(struct reader *reader, const char *line)
{
  char *longer = tutti_xprintf("%s%s\n", reader->comment ? reader->comment : "", line);
  free(reader->comment);
  reader->comment = longer;
}

static char *take_comment(struct reader *reader)
{
  char *comment = reader->comment;
  reader->comment = NULL;
  return comment;
}

/* What follows the word at the beginning of a line; NULL if it begins with another one. */
static char *after(char *line, const char *word)
{
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
    return NULL;
  return line + length + strspn(line + length, " ");
}

/* ---- sections ---- */

static void read_section(struct reader *reader, bool inline_points, const char *name)
{
  tutti_baseline *baseline = reader->baseline;
  if (!*name) {
    fault(reader, inline_points ? "'points' needs the name of a platform" : "'experiment' needs the name of a file");
    return;
  }
  for (size_t i = 0; i < baseline->count; i++)
    if (baseline->sections[i].inline_points == inline_points && strcmp(baseline->sections[i].name, name) == 0)
      fault(reader, "this section is there already");
  reader->section = tutti_baseline_add_section(baseline, inline_points, name);
  reader->section->line = reader->lines.number;
  reader->section->comment = take_comment(reader);
}

static void set_once(struct reader *reader, char **word, const char *value, size_t length)
{
  if (*word)
    fault(reader, "this section has said that already");
  else
    *word = tutti_xstrndup(value, length);
}

static void read_platform(struct reader *reader, const char *text)
{
  size_t name = strcspn(text, " ");
  const char *hash = text + name + strspn(text + name, " ");
  if (name == 0 || strlen(hash) != TUTTI_HASH_LENGTH - 1 || hash[strspn(hash, "0123456789abcdef")]) {
    fault(reader, "a platform is its name and 64 hexadecimal digits, the SHA-256 of its file");
    return;
  }
  set_once(reader, &reader->section->platform, text, name);
  set_once(reader, &reader->section->platform_hash, hash, strlen(hash));
}

static void read_library(struct reader *reader, const char *text)
{
  if (*text)
    set_once(reader, &reader->section->library, text, strlen(text));
  else
    fault(reader, "'library' needs a name");
}

/* ---- points ---- */

static void read_entry(struct reader *reader, char *line)
{
  tutti_baseline_entry entry;
  tutti_error reason;
  if (!reader->section) {
    fault(reader, "a point stands in a section, which begins with 'experiment FILE' or 'points PLATFORM'");
    return;
  }
  if (tutti_baseline_entry_parse(line, &entry, &reason) != TUTTI_OK) {
    fault(reader, reason.message);
    return;
  }
  if (reader->section->inline_points && entry.kind != TUTTI_BASELINE_COLLECTIVE &&
      entry.kind != TUTTI_BASELINE_DECISION)
    fault(reader, "groups, sorts and ranges are those of an experiment file");
  entry.line = reader->lines.number;
  entry.comment = take_comment(reader);
  tutti_baseline_append(reader->section, entry);
}

/* ---- files ---- */

static void read_line(struct reader *reader, char *line)
{
  char *rest;
  if (!*line)
    return;
  if (*line == '#')
    keep_comment(reader, line);
  else if ((rest = after(line, "experiment")))
    read_section(reader, false, rest);
  else if ((rest = after(line, "points")))
    read_section(reader, true, rest);
  else if (reader->section && (rest = after(line, "platform")))
    read_platform(reader, rest);
  else if (reader->section && (rest = after(line, "library")))
    read_library(reader, rest);
  else
    read_entry(reader, line);
}

static void read_head(struct reader *reader)
{
  const char *line = next_line(reader);
  if (line && strcmp(line, BASELINE_HEAD) == 0)
    return;
  reader->lines.number = 1;
  if (line && strncmp(line, BASELINE_WORD, strlen(BASELINE_WORD)) == 0)
    fault(reader, "this version of Tutti reads baselines of version 1");
  else
    fault(reader, "not a baseline, which begins with '" BASELINE_HEAD "'");
}

/* The same point twice: named by its later line. */
static void check_unique(struct reader *reader)
{
  for (size_t s = 0; s < reader->baseline->count; s++) {
    tutti_baseline_section *section = &reader->baseline->sections[s];
    tutti_baseline_sort(section);
    for (size_t i = 1; i < section->count; i++) {
      const tutti_baseline_entry *first = &section->entries[i - 1], *second = &section->entries[i];
      if (tutti_baseline_entry_compare(first, second) != 0)
        continue;
      reader->lines.number = first->line > second->line ? first->line : second->line;
      fault(reader, "this point is there already");
    }
  }
}

tutti_status tutti_baseline_read(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  struct reader reader = {.baseline = baseline};
  tutti_baseline_create(path, baseline, error);
  FILE *stream = fopen(path, "r");
  if (!stream) {
    tutti_baseline_free(baseline);
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
  }
  tutti_lines_open_stream(&reader.lines, stream, baseline->path, error);
  read_head(&reader);
  for (char *line; (line = next_line(&reader));)
    read_line(&reader, line);
  baseline->ending = take_comment(&reader);
  check_unique(&reader);
  tutti_status status = tutti_lines_close(&reader.lines);
  if (status != TUTTI_OK)
    tutti_baseline_free(baseline);
  return status;
}

/* ---- writing ---- */

static void write_text(FILE *stream, const char *text)
{
  if (text)
    fputs(text, stream);
}

static void write_entry(FILE *stream, const tutti_baseline_entry *entry)
{
  write_text(stream, entry->comment);
  fputs(entry->key, stream);
  for (int m = 0; m < TUTTI_METRICS; m++)
    if (!isnan(entry->values[m]))
      fprintf(stream, tutti_metric_is_measured((tutti_metric)m) ? " %s=%.12g" : " %s=%.0f",
              tutti_metric_name((tutti_metric)m), entry->values[m]);
  fputc('\n', stream);
}

static void write_section(FILE *stream, const tutti_baseline_section *section)
{
  fputc('\n', stream);
  write_text(stream, section->comment);
  fprintf(stream, "%s %s\n", section->inline_points ? "points" : "experiment", section->name);
  if (section->platform)
    fprintf(stream, "platform %s %s\n", section->platform, section->platform_hash);
  if (section->library)
    fprintf(stream, "library %s\n", section->library);
  for (size_t i = 0; i < section->count; i++)
    write_entry(stream, &section->entries[i]);
}

tutti_status tutti_baseline_write(const tutti_baseline *baseline, FILE *stream, tutti_error *error)
{
  fputs(BASELINE_HEAD "\n", stream);
  for (size_t i = 0; i < baseline->count; i++)
    write_section(stream, &baseline->sections[i]);
  if (baseline->ending)
    fprintf(stream, "\n%s", baseline->ending);
  if (fflush(stream) != 0 || ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", baseline->path, strerror(errno));
  return TUTTI_OK;
}
