/* Words of arrival patterns and noise, and lists of them. Linked into the measuring programs. */
#include "tutti/pattern.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "decision/results/pattern.h"
#include "tutti/arrival.h"

static const struct {
  const char *suffix;
  uint64_t nanoseconds;
} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};

enum { UNITS = sizeof units / sizeof *units };

tutti_status tutti_pattern_complain(const struct pattern_word *word, const char *reason, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s '%.80s': %s", word->what, word->whole, reason);
}

static size_t part_length(const struct pattern_word *word)
{
  return strcspn(word->rest, "/");
}

tutti_status tutti_pattern_unknown(const struct pattern_word *word, const char *const *names, int count,
                                   tutti_error *error)
{
  char part[TUTTI_GUESS_LENGTH], meant[2 * TUTTI_GUESS_LENGTH], known[128];
  snprintf(part, sizeof part, "%.*s", (int)part_length(word), word->rest);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s '%.80s'%s: known are %s", word->what, word->whole,
                    tutti_word_meant(names, count, part, meant), tutti_words_list(names, count, known, sizeof known));
}

static void advance(struct pattern_word *word)
{
  word->rest += part_length(word);
  word->rest += *word->rest == '/';
}

bool tutti_pattern_take_name(struct pattern_word *word, const char *name)
{
  size_t length = part_length(word);
  if (strlen(name) != length || memcmp(word->rest, name, length) != 0)
    return false;
  advance(word);
  return true;
}

tutti_status tutti_pattern_take_duration(struct pattern_word *word, const char *which, uint64_t *nanoseconds,
                                         tutti_error *error)
{
  size_t length = part_length(word);
  char reason[160];
  if (!tutti_pattern_parse_duration(word->rest, length, nanoseconds) || *nanoseconds == 0) {
    snprintf(reason, sizeof reason,
             "its %s is '%.*s', not a duration such as 100us (ns, us, ms, s; whole nanoseconds from 1 ns to 1000 s)",
             which, (int)(length < 40 ? length : 40), word->rest);
    return tutti_pattern_complain(word, reason, error);
  }
  advance(word);
  return TUTTI_OK;
}

/* "5", "0.25": other ways to write a number would be other words for the same. */
static bool parse_plain(const char *text, size_t length, double *number)
{
  char *end;
  if (length == 0 || strspn(text, "0123456789.") < length)
    return false;
  *number = strtod(text, &end);
  return end == text + length && *number > 0;
}

tutti_status tutti_pattern_take_number(struct pattern_word *word, const char *key, const char *ending, double *number,
                                       tutti_error *error)
{
  const size_t length = part_length(word), before = strlen(key), behind = strlen(ending);
  char reason[128];
  if (length < before + behind || memcmp(word->rest, key, before) != 0 ||
      memcmp(word->rest + length - behind, ending, behind) != 0 ||
      !parse_plain(word->rest + before, length - before - behind, number)) {
    snprintf(reason, sizeof reason, "'%.*s' is not %s and a number above 0%s%s", (int)(length < 40 ? length : 40),
             word->rest, *key ? key : "a spread", *ending ? " with " : "", ending);
    return tutti_pattern_complain(word, reason, error);
  }
  advance(word);
  return TUTTI_OK;
}

bool tutti_pattern_parse_digits(const char *text, size_t length, uint64_t *number)
{
  *number = 0;
  for (size_t i = 0; i < length; i++)
    if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (uint64_t)(text[i] - '0'), number))
      return false;
  return length > 0;
}

tutti_status tutti_pattern_take_key(struct pattern_word *word, const char *key, uint64_t most, uint64_t *value,
                                    bool *given, tutti_error *error)
{
  size_t length = part_length(word), before = strlen(key) + 1;
  char reason[128];
  *given = length >= before && memcmp(word->rest, key, before - 1) == 0 && word->rest[before - 1] == '=';
  if (!*given)
    return TUTTI_OK;
  if (!tutti_pattern_parse_digits(word->rest + before, length - before, value) || *value > most) {
    snprintf(reason, sizeof reason, "'%.*s' is not a whole number up to %" PRIu64, (int)(length < 40 ? length : 40),
             word->rest, most);
    return tutti_pattern_complain(word, reason, error);
  }
  advance(word);
  return TUTTI_OK;
}

tutti_status tutti_pattern_take_seed(struct pattern_word *word, uint64_t *seed, tutti_error *error)
{
  bool given;
  *seed = 1;
  return tutti_pattern_take_key(word, "seed", INT64_MAX, seed, &given, error);
}

tutti_status tutti_pattern_end(const struct pattern_word *word, tutti_error *error)
{
  char reason[80];
  size_t length = strlen(word->whole);
  if (!*word->rest && (length == 0 || word->whole[length - 1] != '/'))
    return TUTTI_OK;
  snprintf(reason, sizeof reason, "'%.40s' does not belong there", *word->rest ? word->rest : "/");
  return tutti_pattern_complain(word, reason, error);
}

/* Digits after the point, down to a nanosecond: further ones must be zeros. */
static bool parse_decimals(const char *text, size_t length, uint64_t unit, uint64_t *nanoseconds)
{
  *nanoseconds = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) || (unit < 10 && text[i] != '0'))
      return false;
    unit /= 10;
    *nanoseconds += unit * (uint64_t)(text[i] - '0');
  }
  return length > 0;
}

bool tutti_pattern_parse_duration(const char *text, size_t length, uint64_t *nanoseconds)
{
  size_t number = 0;
  while (number < length && (isdigit((unsigned char)text[number]) || text[number] == '.'))
    number++;
  for (int u = 0; u < UNITS; u++) {
    if (length - number != strlen(units[u].suffix) || memcmp(text + number, units[u].suffix, length - number) != 0)
      continue;
    const char *point = memchr(text, '.', number);
    size_t whole = point ? (size_t)(point - text) : number;
    uint64_t rest = 0;
    if (!tutti_pattern_parse_digits(text, whole, nanoseconds) ||
        *nanoseconds > TUTTI_MAX_DELAY / units[u].nanoseconds ||
        (point && !parse_decimals(point + 1, number - whole - 1, units[u].nanoseconds, &rest)))
      return false;
    *nanoseconds = *nanoseconds * units[u].nanoseconds + rest;
    return *nanoseconds <= TUTTI_MAX_DELAY;
  }
  return false;
}

char *tutti_pattern_format_duration(uint64_t nanoseconds, char text[DURATION_LENGTH])
{
  int u = 0;
  while (nanoseconds % units[u].nanoseconds != 0)
    u++;
  snprintf(text, DURATION_LENGTH, "%" PRIu64 "%s", nanoseconds / units[u].nanoseconds, units[u].suffix);
  return text;
}

/* ---- lists ---- */

/* Room for one more in an array of `count` items, which doubles; false: out of memory. */
static bool make_room(void *array, size_t count, size_t item)
{
  void *items;
  if ((count & (count - 1)) != 0)
    return true;
  memcpy(&items, array, sizeof items);
  items = reallocarray(items, count ? 2 * count : 1, item);
  if (items)
    memcpy(array, &items, sizeof items);
  return items;
}

static tutti_status fail_memory(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a list of patterns");
}

static tutti_status add_arrival(const char *word, const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  tutti_arrival arrival;
  tutti_trace trace;
  size_t count = patterns->arrival_count;
  tutti_status status = tutti_arrival_read(word, directory, &arrival, &trace, error);
  bool known = false;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    known = known || tutti_arrival_compare(&arrival, &patterns->arrivals[i]) == 0;
  if (status == TUTTI_OK && !known &&
      (!make_room(&patterns->arrivals, count, sizeof arrival) || !make_room(&patterns->traces, count, sizeof trace)))
    status = fail_memory(error);
  if (status != TUTTI_OK || known) {
    tutti_trace_free(&trace);
    return status;
  }
  patterns->arrivals[count] = arrival;
  patterns->traces[count] = trace;
  patterns->arrival_count++;
  return TUTTI_OK;
}

static tutti_status add_noise(const char *word, const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  tutti_noise noise;
  size_t count = patterns->noise_count;
  (void)directory;
  tutti_status status = tutti_noise_parse(word, &noise, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    if (tutti_noise_compare(&noise, &patterns->noises[i]) == 0)
      return TUTTI_OK;
  if (!make_room(&patterns->noises, count, sizeof noise))
    return fail_memory(error);
  patterns->noises[patterns->noise_count++] = noise;
  return TUTTI_OK;
}

static tutti_status add_words(const char *text, const char *separators, const char *directory,
                              tutti_status (*add)(const char *, const char *, tutti_patterns *, tutti_error *),
                              tutti_patterns *patterns, tutti_error *error)
{
  char *copy = strdup(text ? text : "none"), *rest = NULL;
  tutti_status status = copy ? TUTTI_OK : fail_memory(error);
  for (char *word = copy ? strtok_r(copy, separators, &rest) : NULL; word && status == TUTTI_OK;
       word = strtok_r(NULL, separators, &rest))
    status = add(word, directory, patterns, error);
  free(copy);
  return status;
}

tutti_status tutti_patterns_read(const char *arrivals, const char *noises, const char *separators,
                                 const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  *patterns = (tutti_patterns){.arrival_count = 0};
  tutti_status status = add_words(arrivals, separators, directory, add_arrival, patterns, error);
  if (status == TUTTI_OK)
    status = add_words(noises, separators, directory, add_noise, patterns, error);
  if (status == TUTTI_OK && (patterns->arrival_count == 0 || patterns->noise_count == 0))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "the list of %s is empty",
                        patterns->arrival_count == 0 ? "arrival patterns" : "noises");
  if (status != TUTTI_OK)
    tutti_patterns_free(patterns);
  return status;
}

void tutti_patterns_free(tutti_patterns *patterns)
{
  for (size_t i = 0; i < patterns->arrival_count; i++)
    tutti_trace_free(&patterns->traces[i]);
  free(patterns->arrivals);
  free(patterns->traces);
  free(patterns->noises);
  *patterns = (tutti_patterns){.arrival_count = 0};
}

void tutti_pattern_write(const tutti_arrival *arrival, const tutti_noise *noise, FILE *stream)
{
  char text[TUTTI_ARRIVAL_LENGTH > TUTTI_NOISE_LENGTH ? TUTTI_ARRIVAL_LENGTH : TUTTI_NOISE_LENGTH];
  if (arrival->kind != TUTTI_ARRIVAL_NONE)
    fprintf(stream, " arrival=%s", tutti_arrival_format(arrival, text));
  if (noise->kind != TUTTI_NOISE_NONE)
    fprintf(stream, " noise=%s", tutti_noise_format(noise, text));
}

void tutti_trace_write(const tutti_trace *trace, FILE *stream)
{
  fprintf(stream, "arrival=trace/%s/sum=%08" PRIx32 " delays_ns=", trace->name, trace->sum);
  for (size_t i = 0; i < trace->count; i++)
    fprintf(stream, "%s%" PRIu64, i ? "," : "", trace->delays[i]);
  fputc('\n', stream);
}
