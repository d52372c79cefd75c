/* Recorded arrival patterns: one delay a line. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/pattern_words.h"

/* ---- words ---- */

/* A canonical word is one of a record, whose fields end at blanks, and lists of patterns end at commas. */
static bool is_plain(const char *path)
{
  for (; *path; path++)
    if (isspace((unsigned char)*path) || iscntrl((unsigned char)*path) || *path == ',')
      return false;
  return true;
}

/* "/sum=" and eight hexadecimal digits at the end. */
static const char *find_sum(const char *text)
{
  static const char key[] = "/sum=";
  size_t length = strlen(text), tail = strlen(key) + 8;
  if (length <= tail)
    return NULL;
  const char *at = text + length - tail;
  return strncmp(at, key, strlen(key)) == 0 && strspn(at + strlen(key), "0123456789abcdef") == 8 ? at : NULL;
}

tutti_status tutti_arrival_split_trace(struct pattern_word *word, char *path, size_t capacity, tutti_arrival *arrival,
                                       bool *summed, tutti_error *error)
{
  const char *sum = find_sum(word->rest);
  size_t length = sum ? (size_t)(sum - word->rest) : strlen(word->rest);
  *summed = sum;
  if (length == 0 || length >= capacity)
    return tutti_pattern_complain(word, "the name of its file is missing or too long", error);
  memcpy(path, word->rest, length);
  path[length] = '\0';
  if (sum)
    arrival->sum = (uint32_t)strtoul(strchr(sum, '=') + 1, NULL, 16);
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!is_plain(path) || !*name || strlen(name) >= sizeof arrival->trace)
    return tutti_pattern_complain(word, "the name of its file has blanks or commas, or more than 31 characters", error);
  strcpy(arrival->trace, name);
  return TUTTI_OK;
}

/* ---- files ---- */

static tutti_status append(tutti_trace *trace, uint64_t delay, const char *path, tutti_error *error)
{
  if ((trace->count & (trace->count - 1)) == 0) {
    uint64_t *grown = reallocarray(trace->delays, trace->count ? 2 * trace->count : 1, sizeof *grown);
    if (!grown)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for %zu delays", path, trace->count);
    trace->delays = grown;
  }
  trace->delays[trace->count++] = delay;
  return TUTTI_OK;
}

static tutti_status take_line(tutti_trace *trace, char *line, const char *path, int number, tutti_error *error)
{
  uint64_t delay;
  line += strspn(line, " \t\r\n");
  size_t length = strlen(line);
  while (length > 0 && isspace((unsigned char)line[length - 1]))
    length--;
  if (length == 0 || *line == '#')
    return TUTTI_OK;
  if (!tutti_pattern_parse_duration(line, length, &delay))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.300s:%d: '%.*s' is not a delay such as 12.5us (ns, us, ms, s)",
                      path, number, (int)(length < 40 ? length : 40), line);
  return append(trace, delay, path, error);
}

static tutti_status read_lines(tutti_trace *trace, FILE *stream, const char *path, tutti_error *error)
{
  char *line = NULL;
  size_t capacity = 0;
  int number = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && getline(&line, &capacity, stream) >= 0)
    status = take_line(trace, line, path, ++number, error);
  free(line);
  if (status == TUTTI_OK && ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be read", path);
  if (status == TUTTI_OK && trace->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: a trace without delays", path);
  return status;
}

static tutti_status read_file(const char *path, tutti_trace *trace, tutti_error *error)
{
  FILE *stream = fopen(path, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  tutti_status status = read_lines(trace, stream, path, error);
  fclose(stream);
  return status;
}

static tutti_status read_trace(const char *path, const char *directory, tutti_trace *trace, tutti_error *error)
{
  char *found = NULL;
  if (!directory || *path == '/')
    return read_file(path, trace, error);
  if (asprintf(&found, "%s/%s", directory, path) < 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the path of %s", path);
  tutti_status status = read_file(found, trace, error);
  free(found);
  return status;
}

enum { MOST_PATH = 1024 };

tutti_status tutti_arrival_read(const char *text, const char *directory, tutti_arrival *arrival, tutti_trace *trace,
                                tutti_error *error)
{
  struct pattern_word word;
  char path[MOST_PATH];
  bool summed;
  *trace = (tutti_trace){.count = 0};
  tutti_status status = tutti_arrival_parse_kind(text, arrival, &word, error);
  if (status != TUTTI_OK || arrival->kind != TUTTI_ARRIVAL_TRACE)
    return status;
  status = tutti_arrival_split_trace(&word, path, sizeof path, arrival, &summed, error);
  if (status == TUTTI_OK)
    status = read_trace(path, directory, trace, error);
  if (status != TUTTI_OK)
    return status;
  memcpy(trace->name, arrival->trace, sizeof trace->name);
  trace->sum = tutti_trace_sum(trace);
  if (summed && arrival->sum != trace->sum)
    return tutti_pattern_complain(&word, "the file has other delays now", error);
  arrival->sum = trace->sum;
  return TUTTI_OK;
}

/* ---- traces ---- */

uint32_t tutti_trace_sum(const tutti_trace *trace)
{
  uint64_t sum = tutti_splitmix64(trace->count);
  for (size_t i = 0; i < trace->count; i++)
    sum = tutti_splitmix64(sum + trace->delays[i]);
  return (uint32_t)(sum >> 32);
}

bool tutti_trace_is_of(const tutti_trace *trace, const tutti_arrival *arrival)
{
  return arrival->kind == TUTTI_ARRIVAL_TRACE && trace->sum == arrival->sum && strcmp(trace->name, arrival->trace) == 0;
}

void tutti_trace_free(tutti_trace *trace)
{
  free(trace->delays);
  *trace = (tutti_trace){.count = 0};
}
