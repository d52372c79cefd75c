/* Files of baselines: reading. docs/reference/baselines.md has the format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/text.h"
#include "base/words.h"
#include "harness/experiments/regression/private.h"
#include "tutti/platform.h"

#define OLDER_HEAD    "tutti-baseline 1" /* without the line 'end' */
#define BASELINE_WORD "tutti-baseline "

struct reader {
  tutti_baseline *baseline;
  tutti_baseline_section *section; /* the current one; NULL: none yet */
  struct tutti_lines lines;
  char *comment; /* lines read since the last item; NULL: none */
  size_t comment_length;
  void *index;  /* 1 for each section that is there */
  bool older;   /* version 1 */
  int end_line; /* 0: none yet */
  uint64_t points;
  char digest[TUTTI_HASH_LENGTH];
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
  tutti_xappend(&reader->comment, &reader->comment_length, line);
  tutti_xappend(&reader->comment, &reader->comment_length, "\n");
}

static char *take_comment(struct reader *reader)
{
  char *comment = reader->comment;
  reader->comment = NULL;
  reader->comment_length = 0;
  return comment;
}

/* The text after the word at the beginning of a line; NULL for another word. */
static char *after(char *line, const char *word)
{
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
    return NULL;
  return line + length + strspn(line + length, " ");
}

/* ---- sections ---- */

/* @p platform: of a program; else "". */
static void begin_section(struct reader *reader, tutti_baseline_section_kind kind, const char *name,
                          const char *platform)
{
  char *key = tutti_xprintf("%d %zu %s%s", (int)kind, strlen(name), name, platform);
  if ((*tutti_index_number(&reader->index, key))++)
    fault(reader, "this section is there already");
  free(key);
  reader->section = tutti_baseline_add_section(reader->baseline, kind, name);
  reader->section->line = reader->lines.number;
  reader->section->comment = take_comment(reader);
}

static void read_section(struct reader *reader, tutti_baseline_section_kind kind, char *name)
{
  tutti_baseline_unescape(name);
  if (!*name) {
    fault(reader, kind == TUTTI_SECTION_POINTS ? "'points' needs the name of a platform"
                                               : "'experiment' needs the name of a file");
    return;
  }
  begin_section(reader, kind, name, "");
}

/* program NAME PLATFORM */
static void read_program(struct reader *reader, char *text)
{
  char *rest, *name = strtok_r(text, " ", &rest), *platform = name ? strtok_r(NULL, " ", &rest) : NULL;
  if (!platform || strtok_r(NULL, " ", &rest)) {
    fault(reader, "a program is 'program NAME PLATFORM'");
    return;
  }
  tutti_baseline_unescape(name);
  tutti_baseline_unescape(platform);
  begin_section(reader, TUTTI_SECTION_PROGRAM, name, platform);
  reader->section->program.platform = tutti_xstrdup(platform);
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
  tutti_baseline_unescape(reader->section->platform);
  set_once(reader, &reader->section->platform_hash, hash, strlen(hash));
}

static void read_library(struct reader *reader, const char *text)
{
  if (*text)
    set_once(reader, &reader->section->library, text, strlen(text));
  else
    fault(reader, "'library' needs a name");
}

static void read_selector(struct reader *reader, const char *text)
{
  if (tutti_program_has_selector(text))
    set_once(reader, &reader->section->program.selector, text, strlen(text));
  else
    fault(reader, "a selector of collectives is " TUTTI_PROGRAM_SELECTORS);
}

static void read_unit(struct reader *reader, const char *text)
{
  if (tutti_word_find(tutti_program_units, TUTTI_PROGRAM_UNITS, text) < 0)
    fault(reader, "a unit of times is s, ms, us or ns");
  else
    set_once(reader, &reader->section->program.unit, text, strlen(text));
}

static void read_engine(struct reader *reader, const char *text)
{
  if (tutti_flavor_is_simulated(text))
    set_once(reader, &reader->section->engine, text, strlen(text));
  else
    fault(reader, "an engine is smpi, " TUTTI_FLAVOR_FAST " or " TUTTI_FLAVOR_FLOW);
}

/* A line about how the times of a program are made; false: it is another one. */
static bool read_about_program(struct reader *reader, char *line)
{
  tutti_baseline_program *program = &reader->section->program;
  const char *rest;
  if (reader->section->kind != TUTTI_SECTION_PROGRAM)
    return false;
  if ((rest = after(line, "arguments")))
    set_once(reader, &program->arguments, rest, strlen(rest));
  else if ((rest = after(line, "times")))
    set_once(reader, &program->times, rest, strlen(rest));
  else if ((rest = after(line, "unit")))
    read_unit(reader, rest);
  else if ((rest = after(line, "selector")))
    read_selector(reader, rest);
  return rest;
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
  if ((entry.kind == TUTTI_BASELINE_TIME) != (reader->section->kind == TUTTI_SECTION_PROGRAM))
    fault(reader, "a section 'program' has lines 'time NAME ranks=N', and no other section has them");
  else if (reader->section->kind == TUTTI_SECTION_POINTS && entry.kind != TUTTI_BASELINE_COLLECTIVE &&
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

static const char cut[] = "the file is cut: its last line, 'end', is missing; --update measures anew";

/* Whether the file ends within this line, which should not be the last one. */
static bool is_half(const struct reader *reader, char *line)
{
  return !reader->older && !reader->end_line && feof(reader->lines.stream) && !after(line, "end");
}

/* Check that the baseline is complete and unchanged. */
static void check_whole(struct reader *reader)
{
  char digest[TUTTI_HASH_LENGTH];
  unsigned long long points = tutti_baseline_digest(reader->baseline, digest), written = reader->points;
  if (reader->end_line)
    reader->lines.number = reader->end_line;
  if (!reader->end_line)
    fault(reader, cut);
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
    read_section(reader, TUTTI_SECTION_EXPERIMENT, rest);
  else if ((rest = after(line, "points")))
    read_section(reader, TUTTI_SECTION_POINTS, rest);
  else if ((rest = after(line, "program")))
    read_program(reader, rest);
  else if (reader->section && (rest = after(line, "platform")))
    read_platform(reader, rest);
  else if (reader->section && (rest = after(line, "library")))
    read_library(reader, rest);
  else if (reader->section && reader->section->kind != TUTTI_SECTION_PROGRAM && (rest = after(line, "engine")))
    read_engine(reader, rest);
  else if (reader->section && read_about_program(reader, line))
    return;
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
  if (tutti_lines_open(&reader.lines, baseline->path, TUTTI_INPUT_TEXT, error) == TUTTI_OK)
    read_head(&reader);
  for (char *line; (line = next_line(&reader));)
    if (whole && is_half(&reader, line))
      fault(&reader, cut);
    else
      read_line(&reader, line);
  tutti_index_free(&reader.index);
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
