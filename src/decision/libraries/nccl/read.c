/* Reading the table of the tuner plug-in as it does: fgets() into 256 characters, strtok(), strtoull(), atoi(). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/nccl/nccl.h"

enum { LINE = 255, FIELDS = 10, REQUIRED = 8 };

enum field { COLLECTIVE, MIN_BYTES, MAX_BYTES, ALGORITHM, PROTOCOL, CHANNELS, NODES, RANKS, PIPE_OPS, REGISTERED };

/* A line in fields: a copy of it, and where each begins there. */
struct line {
  char text[LINE + 1];
  size_t at; /* in the file */
  int count;
  const char *fields[FIELDS];
  bool more;
};

static void split(struct line *line)
{
  char *rest = line->text;
  line->count = 0;
  line->more = false;
  for (char *field; (field = strtok_r(rest, ",", &rest));) {
    if (line->count == FIELDS) {
      line->more = true;
      return;
    }
    field += strspn(field, " \t");
    for (size_t length = strlen(field); length > 1 && strchr(" \t", field[length - 1]); length--)
      field[length - 1] = '\0';
    line->fields[line->count++] = field;
  }
}

static size_t place(const struct line *line, enum field field)
{
  return line->at + (size_t)(line->fields[field] - line->text);
}

/* The length of a field, without the carriage return of other systems, with which no word is known. */
static size_t shown(const char *field)
{
  return strcspn(field, "\r");
}

static void check_number(struct tuning_file *file, const struct line *line, enum field field, const char *end)
{
  const char *text = line->fields[field];
  if (end == text || *end)
    if (!(end > text && strcmp(end, "\r") == 0))
      tutti_tuning_report(file, LINT_NCCL_NUMBER, place(line, field), "'%.*s'", (int)shown(text), text);
}

static uint64_t read_size(struct tuning_file *file, const struct line *line, enum field field)
{
  char *end;
  const uint64_t value = strtoull(line->fields[field], &end, 10);
  check_number(file, line, field, end);
  return value;
}

/* What atoi() makes of more than an int has is not defined: the nearest one here, with a finding. */
static int read_int(struct tuning_file *file, const struct line *line, enum field field)
{
  char *end;
  if (line->count <= (int)field)
    return NCCL_ANY;
  const long value = strtol(line->fields[field], &end, 10);
  check_number(file, line, field, value < INT_MIN || value > INT_MAX ? line->fields[field] : end);
  return value < INT_MIN ? INT_MIN : value > INT_MAX ? INT_MAX : (int)value;
}

static int read_word(struct tuning_file *file, const struct line *line, enum field field, int code,
                     int (*find)(const char *word, size_t length), int usual)
{
  const char *text = line->fields[field];
  const int index = find(text, strlen(text));
  if (index < 0)
    tutti_tuning_report(file, code, place(line, field), "'%.*s'", (int)shown(text), text);
  return index < 0 ? usual : index;
}

/* -1 is any; below that and 0 match nothing. */
static void set_range(int64_t range[2], int value)
{
  range[0] = value == NCCL_ANY ? INT64_MIN : value;
  range[1] = value == NCCL_ANY ? INT64_MAX : value;
}

static void read_fields(struct tuning_file *file, const struct line *line, struct nccl_rules *rules)
{
  struct nccl_rule rule = {.at = line->at};
  rule.collective = (tutti_collective)read_word(file, line, COLLECTIVE, LINT_NCCL_COLLECTIVE,
                                                tutti_nccl_collective_index, TUTTI_COLL_ALLREDUCE);
  rule.bytes[0] = read_size(file, line, MIN_BYTES);
  rule.bytes[1] = read_size(file, line, MAX_BYTES);
  rule.algorithm = read_word(file, line, ALGORITHM, LINT_NCCL_ALGORITHM, tutti_nccl_algorithm_index,
                             tutti_nccl_algorithm_index("ring", 4));
  rule.protocol = read_word(file, line, PROTOCOL, LINT_NCCL_PROTOCOL, tutti_nccl_protocol_index,
                            tutti_nccl_protocol_index("simple", 6));
  rule.channels = read_int(file, line, CHANNELS);
  set_range(rule.nodes, read_int(file, line, NODES));
  set_range(rule.ranks, read_int(file, line, RANKS));
  rule.pipe_ops = read_int(file, line, PIPE_OPS);
  rule.registered = read_int(file, line, REGISTERED);
  if (line->more)
    tutti_tuning_report(file, LINT_NCCL_MORE, line->at, "more than %d", FIELDS);
  tutti_xpush(rules, rule);
}

static void read_line(struct tuning_file *file, size_t at, size_t length, struct nccl_rules *rules)
{
  struct line line = {.at = at};
  memcpy(line.text, file->text + at, length);
  line.text[length] = '\0';
  if (*line.text == '#' || length == 0)
    return;
  split(&line);
  if (line.count >= REQUIRED)
    read_fields(file, &line, rules);
  else if (line.text[strspn(line.text, " \t\r")])
    tutti_tuning_report(file, LINT_NCCL_FIELDS, at, "%d field%s", line.count, line.count == 1 ? "" : "s");
}

/* A piece of a line has 255 characters at most, its end included. */
tutti_status tutti_nccl_read(struct tuning_file *file, void *rules, tutti_error *error)
{
  bool begins = true;
  (void)error;
  for (size_t at = 0; at < file->length;) {
    const size_t left = file->length - at < LINE ? file->length - at : LINE;
    const char *newline = memchr(file->text + at, '\n', left);
    const size_t length = newline ? (size_t)(newline - file->text) - at : left;
    if (!newline && begins && at + left < file->length && file->text[at + left] != '\n')
      tutti_tuning_report(file, LINT_NCCL_LONG, at, "longer than %d", LINE);
    read_line(file, at, length, rules);
    begins = newline != NULL;
    at += length + (newline != NULL);
  }
  return TUTTI_OK;
}
