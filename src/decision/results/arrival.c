/* Arrival patterns: their words, what is drawn, and recorded ones, one delay a line. Linked into the measuring
 * programs. */
#include "tutti/arrival.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"
#include "base/utf8.h"
#include "decision/results/pattern.h"

static const char *const names[TUTTI_ARRIVAL_KINDS] = {
    [TUTTI_ARRIVAL_NONE] = "none",     [TUTTI_ARRIVAL_UNIFORM] = "uniform",   [TUTTI_ARRIVAL_STRAGGLER] = "straggler",
    [TUTTI_ARRIVAL_SORTED] = "sorted", [TUTTI_ARRIVAL_REVERSED] = "reversed", [TUTTI_ARRIVAL_TRACE] = "trace",
};

/* ---- words ---- */

static tutti_status take_straggler(struct pattern_word *word, tutti_arrival *arrival, tutti_error *error)
{
  uint64_t rank;
  bool given;
  tutti_status status = tutti_pattern_take_key(word, "rank", INT_MAX - 1, &rank, &given, error);
  if (status != TUTTI_OK || !given)
    return status == TUTTI_OK ? tutti_pattern_take_seed(word, &arrival->seed, error) : status;
  arrival->rank = 1 + (int)rank;
  return TUTTI_OK;
}

/* The parts after the kind of a pattern that is not a trace. */
static tutti_status take_parts(struct pattern_word *word, tutti_arrival *arrival, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (arrival->kind != TUTTI_ARRIVAL_NONE)
    status = tutti_pattern_take_duration(word, "span", &arrival->span, error);
  if (status == TUTTI_OK && arrival->kind == TUTTI_ARRIVAL_UNIFORM)
    status = tutti_pattern_take_seed(word, &arrival->seed, error);
  if (status == TUTTI_OK && arrival->kind == TUTTI_ARRIVAL_STRAGGLER)
    status = take_straggler(word, arrival, error);
  return status == TUTTI_OK ? tutti_pattern_end(word, error) : status;
}

static bool take_kind(struct pattern_word *word, tutti_arrival_kind *kind)
{
  for (int k = 0; k < TUTTI_ARRIVAL_KINDS; k++)
    if (tutti_pattern_take_name(word, names[k])) {
      *kind = (tutti_arrival_kind)k;
      return true;
    }
  return false;
}

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

/* The parts after the kind of a trace: the path of its file, and its name and sum, if present. */
static tutti_status split_trace(struct pattern_word *word, char *path, size_t capacity, tutti_arrival *arrival,
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
  if (!tutti_utf8_is_valid(path))
    return tutti_pattern_complain(word, "the name of its file is not UTF-8", error);
  strcpy(arrival->trace, name);
  return TUTTI_OK;
}

/* Read a pattern whole, or of a trace its kind alone. */
static tutti_status parse_kind(const char *text, tutti_arrival *arrival, struct pattern_word *word, tutti_error *error)
{
  *word = (struct pattern_word){text, "arrival pattern", text};
  *arrival = (tutti_arrival){.kind = TUTTI_ARRIVAL_NONE};
  if (take_kind(word, &arrival->kind))
    return arrival->kind == TUTTI_ARRIVAL_TRACE ? TUTTI_OK : take_parts(word, arrival, error);
  return tutti_pattern_unknown(word, names, TUTTI_ARRIVAL_KINDS, error);
}

tutti_status tutti_arrival_parse(const char *text, tutti_arrival *arrival, tutti_error *error)
{
  struct pattern_word word;
  char path[TUTTI_TRACE_NAME];
  bool summed;
  tutti_status status = parse_kind(text, arrival, &word, error);
  if (status != TUTTI_OK || arrival->kind != TUTTI_ARRIVAL_TRACE)
    return status;
  status = split_trace(&word, path, sizeof path, arrival, &summed, error);
  if (status == TUTTI_OK && (!summed || strchr(path, '/')))
    return tutti_pattern_complain(&word, "the sum of the trace is missing", error);
  return status;
}

char *tutti_arrival_format(const tutti_arrival *arrival, char text[TUTTI_ARRIVAL_LENGTH])
{
  char span[DURATION_LENGTH], *end = text + TUTTI_ARRIVAL_LENGTH;
  char *at = stpcpy(text, names[arrival->kind]);
  if (arrival->kind == TUTTI_ARRIVAL_TRACE)
    snprintf(at, (size_t)(end - at), "/%s/sum=%08" PRIx32, arrival->trace, arrival->sum);
  else if (arrival->kind != TUTTI_ARRIVAL_NONE)
    at += snprintf(at, (size_t)(end - at), "/%s", tutti_pattern_format_duration(arrival->span, span));
  if (arrival->rank > 0)
    snprintf(at, (size_t)(end - at), "/rank=%d", arrival->rank - 1);
  else if (arrival->kind == TUTTI_ARRIVAL_UNIFORM || arrival->kind == TUTTI_ARRIVAL_STRAGGLER)
    snprintf(at, (size_t)(end - at), "/seed=%" PRIu64, arrival->seed);
  return text;
}

int tutti_arrival_compare(const tutti_arrival *left, const tutti_arrival *right)
{
  if (left->kind != right->kind)
    return THREE_WAY(left->kind, right->kind);
  if (left->span != right->span)
    return THREE_WAY(left->span, right->span);
  if (left->rank != right->rank)
    return THREE_WAY(left->rank, right->rank);
  if (left->seed != right->seed)
    return THREE_WAY(left->seed, right->seed);
  int order = strcmp(left->trace, right->trace);
  return order ? order : THREE_WAY(left->sum, right->sum);
}

/* ---- delays ---- */

tutti_status tutti_arrival_check(const tutti_arrival *arrival, int ranks, tutti_error *error)
{
  char text[TUTTI_ARRIVAL_LENGTH];
  if (arrival->rank <= ranks)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "arrival pattern '%s': there is no such rank among %d",
                    tutti_arrival_format(arrival, text), ranks);
}

static int straggler(const tutti_arrival *arrival, int ranks)
{
  if (arrival->rank > 0)
    return arrival->rank - 1;
  return (int)(pattern_draw_share(arrival->seed, 0) * ranks);
}

/* part / (ranks - 1) of the span, rounded down; one rank alone is not late. */
static uint64_t share(const tutti_arrival *arrival, int part, int ranks)
{
  uint64_t last = ranks > 1 ? (uint64_t)ranks - 1 : 1;
  return arrival->span / last * (uint64_t)part + arrival->span % last * (uint64_t)part / last;
}

uint64_t tutti_arrival_delay(const tutti_arrival *arrival, const tutti_trace *trace, int rank, int ranks)
{
  switch (arrival->kind) {
  case TUTTI_ARRIVAL_UNIFORM:
    return (uint64_t)(pattern_draw_share(arrival->seed, (uint64_t)rank) * (double)arrival->span);
  case TUTTI_ARRIVAL_STRAGGLER:
    return rank == straggler(arrival, ranks) ? arrival->span : 0;
  case TUTTI_ARRIVAL_SORTED:
    return share(arrival, rank, ranks);
  case TUTTI_ARRIVAL_REVERSED:
    return share(arrival, ranks - 1 - rank, ranks);
  case TUTTI_ARRIVAL_TRACE:
    return trace->delays[(size_t)rank % trace->count];
  default:
    return 0;
  }
}

uint64_t tutti_arrival_latest(const tutti_arrival *arrival, const tutti_trace *trace, int ranks)
{
  uint64_t latest = 0;
  for (int rank = 0; arrival->kind != TUTTI_ARRIVAL_NONE && rank < ranks; rank++) {
    uint64_t delay = tutti_arrival_delay(arrival, trace, rank, ranks);
    latest = delay > latest ? delay : latest;
  }
  return latest;
}

/* ---- files of recorded patterns ---- */

#define BLANKS " \t\v\f\r\n"

static void append(tutti_trace *trace, uint64_t delay, struct tutti_lines *lines)
{
  if ((trace->count & (trace->count - 1)) == 0) {
    uint64_t *grown = reallocarray(trace->delays, trace->count ? 2 * trace->count : 1, sizeof *grown);
    if (!grown) {
      lines->status =
          tutti_fail(lines->error, TUTTI_ERR_MEMORY, "%s: out of memory for %zu delays", lines->path, trace->count);
      return;
    }
    trace->delays = grown;
  }
  trace->delays[trace->count++] = delay;
}

static void read_line(tutti_trace *trace, struct tutti_lines *lines)
{
  uint64_t delay;
  const char *line = lines->text + strspn(lines->text, BLANKS);
  size_t length = strlen(line);
  while (length > 0 && strchr(BLANKS, line[length - 1]))
    length--;
  if (length == 0 || *line == '#')
    return;
  if (tutti_pattern_parse_duration(line, length, &delay))
    append(trace, delay, lines);
  else
    tutti_lines_fault(lines, "'%.*s' is not a delay such as 12.5us (ns, us, ms, s)", (int)(length < 40 ? length : 40),
                      line);
}

static tutti_status read_file(const char *path, tutti_trace *trace, tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  while (tutti_lines_next(&lines))
    read_line(trace, &lines);
  const tutti_status status = tutti_lines_close(&lines);
  return status == TUTTI_OK && trace->count == 0
             ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: a trace without delays", path)
             : status;
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

enum { MAX_PATH = 1024 };

tutti_status tutti_arrival_read(const char *text, const char *directory, tutti_arrival *arrival, tutti_trace *trace,
                                tutti_error *error)
{
  struct pattern_word word;
  char path[MAX_PATH];
  bool summed;
  *trace = (tutti_trace){.count = 0};
  tutti_status status = parse_kind(text, arrival, &word, error);
  if (status != TUTTI_OK || arrival->kind != TUTTI_ARRIVAL_TRACE)
    return status;
  status = split_trace(&word, path, sizeof path, arrival, &summed, error);
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
