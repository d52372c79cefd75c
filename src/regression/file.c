/* Files of baselines: reading and writing. docs/reference/baselines.md has the format. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "regression/private.h"
#include "tutti/platform.h"

#define BASELINE_HEAD "tutti-baseline 2"
#define OLDER_HEAD    "tutti-baseline 1" /* without the line 'end' */
#define BASELINE_WORD "tutti-baseline "

struct reader {
  tutti_baseline *baseline;
  tutti_baseline_section *section; /* the current one; NULL: none yet */
  struct tutti_lines lines;
  char *comment; /* lines read since the last item; NULL: none */
  bool older;    /* version 1 */
  int end_line;  /* 0: none yet */
  uint64_t points;
  char digest[TUTTI_HASH_LENGTH];
};

static size_t write_content(const tutti_baseline *baseline, FILE *stream);

/* SHA-256 of what is in a baseline, but comments and lines that have no values yet. */
static size_t digest_of(const tutti_baseline *baseline, char digest[TUTTI_HASH_LENGTH])
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  size_t points = write_content(baseline, text.stream);
  char *content = tutti_xclose_text(&text);
  tutti_hash(content, strlen(content), digest);
  free(content);
  return points;
}

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

/* end points=N sha256=DIGEST */
static void read_end(struct reader *reader, char *text)
{
  const char *word = strtok_r(text, " ", &text), *points = word ? tutti_word_value(word, "points") : NULL;
  const char *digest = word && (word = strtok_r(NULL, " ", &text)) ? tutti_word_value(word, "sha256") : NULL;
  if (reader->end_line)
    fault(reader, "'end' is there already");
  if (!points || !tutti_parse_integer(points, 0, UINT64_MAX, &reader->points) || !digest ||
      strlen(digest) != TUTTI_HASH_LENGTH - 1 || strtok_r(NULL, " ", &text))
    fault(reader, "'end' needs points=, their number, and sha256=, 64 hexadecimal digits");
  else
    strcpy(reader->digest, digest);
  reader->end_line = reader->lines.number;
}

/* Is the baseline the one that was written? */
static void check_whole(struct reader *reader)
{
  char digest[TUTTI_HASH_LENGTH];
  unsigned long long points = digest_of(reader->baseline, digest), written = reader->points;
  if (reader->end_line)
    reader->lines.number = reader->end_line;
  if (!reader->end_line)
    fault(reader, "the file is cut: its last line, 'end', is missing; --update measures anew");
  else if (points != written)
    tutti_lines_fault(&reader->lines,
                      "the file has %llu points with values, but was written with %llu: lines are %s; "
                      "--update measures anew",
                      points, written, points < written ? "missing" : "added");
  else if (strcmp(digest, reader->digest) != 0)
    fault(reader, "the file is not as it was written: its lines do not have that digest, a value or a section was "
                  "edited; --update measures anew");
}

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
  else if (!reader->older && (rest = after(line, "end")))
    read_end(reader, rest);
  else
    read_entry(reader, line);
}

static void read_head(struct reader *reader)
{
  const char *line = next_line(reader);
  reader->older = line && strcmp(line, OLDER_HEAD) == 0;
  if (reader->older || (line && strcmp(line, BASELINE_HEAD) == 0))
    return;
  reader->lines.number = 1;
  if (line && strncmp(line, BASELINE_WORD, strlen(BASELINE_WORD)) == 0)
    fault(reader, "this version of Tutti reads baselines of versions 1 and 2");
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

static tutti_status read_file(const char *path, bool whole, tutti_baseline *baseline, tutti_error *error)
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
  if (whole && !reader.older && !reader.lines.status)
    check_whole(&reader);
  baseline->unsealed = reader.older;
  tutti_status status = tutti_lines_close(&reader.lines);
  if (status != TUTTI_OK)
    tutti_baseline_free(baseline);
  return status;
}

tutti_status tutti_baseline_read(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  return read_file(path, true, baseline, error);
}

tutti_status tutti_baseline_read_to_update(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  return read_file(path, false, baseline, error);
}

/* ---- writing ---- */

static void write_text(FILE *stream, const char *text)
{
  if (text)
    fputs(text, stream);
}

static void write_entry(FILE *stream, const tutti_baseline_entry *entry)
{
  fputs(entry->key, stream);
  for (int m = 0; m < TUTTI_METRICS; m++)
    if (!isnan(entry->values[m]))
      fprintf(stream, tutti_metric_is_measured((tutti_metric)m) ? " %s=%.12g" : " %s=%.0f",
              tutti_metric_name((tutti_metric)m), entry->values[m]);
  fputc('\n', stream);
}

static void write_section_head(FILE *stream, const tutti_baseline_section *section)
{
  fprintf(stream, "%s %s\n", section->inline_points ? "points" : "experiment", section->name);
  if (section->platform)
    fprintf(stream, "platform %s %s\n", section->platform, section->platform_hash);
  if (section->library)
    fprintf(stream, "library %s\n", section->library);
}

/* What the digest is of; returns the number of points in it. */
static size_t write_content(const tutti_baseline *baseline, FILE *stream)
{
  size_t points = 0;
  for (size_t s = 0; s < baseline->count; s++) {
    const tutti_baseline_section *section = &baseline->sections[s];
    write_section_head(stream, section);
    for (size_t i = 0; i < section->count; i++)
      if (tutti_baseline_has_values(&section->entries[i])) {
        write_entry(stream, &section->entries[i]);
        points++;
      }
  }
  return points;
}

static void write_section(FILE *stream, const tutti_baseline_section *section)
{
  fputc('\n', stream);
  write_text(stream, section->comment);
  write_section_head(stream, section);
  for (size_t i = 0; i < section->count; i++) {
    write_text(stream, section->entries[i].comment);
    write_entry(stream, &section->entries[i]);
  }
}

tutti_status tutti_baseline_write(const tutti_baseline *baseline, FILE *stream, tutti_error *error)
{
  char digest[TUTTI_HASH_LENGTH];
  size_t points = digest_of(baseline, digest);
  fputs(BASELINE_HEAD "\n", stream);
  for (size_t i = 0; i < baseline->count; i++)
    write_section(stream, &baseline->sections[i]);
  if (baseline->ending)
    fprintf(stream, "\n%s", baseline->ending);
  fprintf(stream, "\nend points=%zu sha256=%s\n", points, digest);
  if (fflush(stream) != 0 || ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", baseline->path, strerror(errno));
  return TUTTI_OK;
}
