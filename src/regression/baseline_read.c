/* Reading baselines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_private.h"

struct reader {
  tutti_baseline *baseline;
  tutti_baseline_section *section; /* the current one; NULL: none yet */
  FILE *stream;
  char *line;
  size_t capacity;
  int number;
  char *comment; /* lines read since the last item; NULL: none */
  tutti_error *error;
};

static tutti_status fault(const struct reader *reader, const char *reason)
{
  return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:%d: %.400s", reader->baseline->path, reader->number, reason);
}

static tutti_status out_of_memory(const struct reader *reader)
{
  return tutti_fail(reader->error, TUTTI_ERR_MEMORY, "%s:%d: out of memory", reader->baseline->path, reader->number);
}

/* The next line without blanks at its ends, tabs made blanks; false at the end of the file. */
static bool next_line(struct reader *reader)
{
  ssize_t length = getline(&reader->line, &reader->capacity, reader->stream);
  if (length < 0)
    return false;
  reader->number++;
  while (length > 0 && strchr("\r\n \t", reader->line[length - 1]))
    reader->line[--length] = '\0';
  for (char *tab = reader->line; (tab = strchr(tab, '\t'));)
    *tab = ' ';
  size_t blanks = strspn(reader->line, " ");
  memmove(reader->line, reader->line + blanks, (size_t)length - blanks + 1);
  return true;
}

static tutti_status keep_comment(struct reader *reader)
{
  char *longer;
  if (asprintf(&longer, "%s%s\n", reader->comment ? reader->comment : "", reader->line) < 0)
    return out_of_memory(reader);
  free(reader->comment);
  reader->comment = longer;
  return TUTTI_OK;
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

static tutti_status read_section(struct reader *reader, bool inline_points, const char *name)
{
  if (!*name)
    return fault(reader, inline_points ? "points of which platform?" : "which experiment?");
  for (size_t i = 0; i < reader->baseline->count; i++) {
    const tutti_baseline_section *section = &reader->baseline->sections[i];
    if (section->inline_points == inline_points && strcmp(section->name, name) == 0)
      return fault(reader, "this section is there already");
  }
  reader->section = tutti_baseline_add_section(reader->baseline, inline_points, name, reader->error);
  if (!reader->section)
    return TUTTI_ERR_MEMORY;
  reader->section->line = reader->number;
  reader->section->comment = take_comment(reader);
  return TUTTI_OK;
}

static tutti_status set_once(struct reader *reader, char **word, const char *value, size_t length)
{
  if (*word)
    return fault(reader, "this section has said that already");
  *word = strndup(value, length);
  return *word ? TUTTI_OK : out_of_memory(reader);
}

static tutti_status read_platform(struct reader *reader, const char *text)
{
  size_t name = strcspn(text, " ");
  const char *hash = text + name + strspn(text + name, " ");
  if (name == 0 || strlen(hash) != TUTTI_HASH_LENGTH - 1 || hash[strspn(hash, "0123456789abcdef")])
    return fault(reader, "a platform is its name and 64 hexadecimal digits, the SHA-256 of its file");
  tutti_status status = set_once(reader, &reader->section->platform, text, name);
  return status == TUTTI_OK ? set_once(reader, &reader->section->platform_hash, hash, strlen(hash)) : status;
}

static tutti_status read_library(struct reader *reader, const char *text)
{
  return *text ? set_once(reader, &reader->section->library, text, strlen(text)) : fault(reader, "by which library?");
}

/* ---- points ---- */

static tutti_status read_entry(struct reader *reader)
{
  tutti_baseline_entry entry = {0};
  tutti_error reason;
  double values[TUTTI_METRICS];
  if (!reader->section)
    return fault(reader, "a point stands in a section, which begins with 'experiment FILE' or 'points PLATFORM'");
  tutti_status status = tutti_baseline_cut_values(reader->line, values, &reason);
  if (status == TUTTI_OK)
    status = tutti_baseline_entry_parse(reader->line, &entry, &reason);
  if (status == TUTTI_OK)
    status = tutti_baseline_check_values(&entry, values, &reason);
  if (status == TUTTI_OK && reader->section->inline_points && entry.kind != TUTTI_BASELINE_COLLECTIVE &&
      entry.kind != TUTTI_BASELINE_DECISION)
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "groups, sorts and ranges are those of an experiment file");
  if (status != TUTTI_OK) {
    tutti_baseline_entry_free(&entry);
    return status == TUTTI_ERR_MEMORY ? out_of_memory(reader) : fault(reader, reason.message);
  }
  memcpy(entry.values, values, sizeof values);
  entry.line = reader->number;
  entry.comment = take_comment(reader);
  return tutti_baseline_append(reader->section, &entry, reader->error);
}

/* ---- files ---- */

static tutti_status read_line(struct reader *reader)
{
  char *rest;
  if (!*reader->line)
    return TUTTI_OK;
  if (*reader->line == '#')
    return keep_comment(reader);
  if ((rest = after(reader->line, "experiment")))
    return read_section(reader, false, rest);
  if ((rest = after(reader->line, "points")))
    return read_section(reader, true, rest);
  if (reader->section && (rest = after(reader->line, "platform")))
    return read_platform(reader, rest);
  if (reader->section && (rest = after(reader->line, "library")))
    return read_library(reader, rest);
  return read_entry(reader);
}

static tutti_status read_failed(const struct reader *reader)
{
  return tutti_fail(reader->error, TUTTI_ERR_IO, "%s: %s", reader->baseline->path, strerror(errno));
}

static tutti_status read_head(struct reader *reader)
{
  bool there = next_line(reader);
  if (there && strcmp(reader->line, BASELINE_HEAD) == 0)
    return TUTTI_OK;
  if (ferror(reader->stream))
    return read_failed(reader);
  reader->number = 1;
  if (there && strncmp(reader->line, BASELINE_WORD, strlen(BASELINE_WORD)) == 0)
    return fault(reader, "this version of Tutti reads baselines of version 1");
  return fault(reader, "not a baseline, which begins with '" BASELINE_HEAD "'");
}

/* The same point twice: named by its later line. */
static tutti_status check_unique(struct reader *reader)
{
  for (size_t s = 0; s < reader->baseline->count; s++) {
    tutti_baseline_section *section = &reader->baseline->sections[s];
    tutti_baseline_sort(section);
    for (size_t i = 1; i < section->count; i++) {
      const tutti_baseline_entry *first = &section->entries[i - 1], *second = &section->entries[i];
      if (tutti_baseline_entry_compare(first, second) != 0)
        continue;
      reader->number = first->line > second->line ? first->line : second->line;
      return fault(reader, "this point is there already");
    }
  }
  return TUTTI_OK;
}

static tutti_status read_all(struct reader *reader)
{
  tutti_status status = read_head(reader);
  while (status == TUTTI_OK && next_line(reader))
    status = read_line(reader);
  if (status == TUTTI_OK && ferror(reader->stream))
    return read_failed(reader);
  reader->baseline->ending = take_comment(reader);
  return status == TUTTI_OK ? check_unique(reader) : status;
}

tutti_status tutti_baseline_read(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  struct reader reader = {.baseline = baseline, .error = error};
  tutti_status status = tutti_baseline_create(path, baseline, error);
  if (status != TUTTI_OK)
    return status;
  reader.stream = fopen(path, "r");
  if (!reader.stream)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
  else {
    status = read_all(&reader);
    fclose(reader.stream);
  }
  free(reader.line);
  if (status != TUTTI_OK)
    tutti_baseline_free(baseline);
  return status;
}
