/* Times in what a program prints: lines that a regular expression finds. */
#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/words.h"
#include "harness/experiments/plan/simulation.h"
#include "harness/experiments/regression/private.h"

const char *const tutti_program_units[TUTTI_PROGRAM_UNITS + 1] = {"s", "ms", "us", "ns", NULL};

static double seconds_of(const char *unit)
{
  static const double seconds[] = {1, 1e-3, 1e-6, 1e-9};
  int index = unit ? tutti_word_find(tutti_program_units, TUTTI_PROGRAM_UNITS, unit) : 0;
  return seconds[index < 0 ? 0 : index];
}

/* ---- the times of one run ---- */

struct named {
  char *name;   /* owned */
  double digit; /* the coarsest last one, in seconds */
  struct {
    TUTTI_VECTOR(double);
  } seconds;
};

struct reading {
  regex_t pattern;
  bool usual; /* TUTTI_PROGRAM_TIMES */
  double unit;
  struct {
    TUTTI_VECTOR(struct named);
  } times;
};

/* A word of a baseline: '-' replaces anything except letters, digits and "._/:+-". */
static char *name_of(const char *line, regmatch_t match)
{
  char *name = tutti_xstrndup(line + match.rm_so, (size_t)(match.rm_eo - match.rm_so));
  for (char *letter = name; *letter; letter++)
    if (!isalnum((unsigned char)*letter) && !strchr("._/:+-", *letter))
      *letter = '-';
  if (*name)
    return name;
  free(name);
  return tutti_xstrdup("time");
}

/* The value of 1 in the last digit of a number. */
static double last_digit(const char *text)
{
  const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
  double digit = power ? pow(10, strtol(power + 1, NULL, 10)) : 1;
  return point ? digit * pow(10, -(double)strspn(point + 1, "0123456789")) : digit;
}

/* Takes over the name. */
static void add_time(struct reading *reading, char *name, double seconds, double digit)
{
  size_t i = 0;
  while (i < reading->times.count && strcmp(reading->times.items[i].name, name) != 0)
    i++;
  if (i == reading->times.count)
    tutti_xpush(&reading->times, (struct named){.name = name});
  else
    free(name);
  reading->times.items[i].digit = fmax(reading->times.items[i].digit, digit);
  tutti_xpush(&reading->times.items[i].seconds, seconds);
}

/* A line that means to be a time but does not fit is a fault of the program, also beside lines that fit. */
static tutti_status check_other(const struct reading *reading, const char *line, tutti_error *error)
{
  static const char word[] = "tutti-time";
  const char *begin = line + strspn(line, " \t");
  if (!reading->usual || strncmp(begin, word, strlen(word)) != 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "prints '%.200s', which is not 'tutti-time NAME SECONDS' with one blank between the words", line);
}

static tutti_status read_line(struct reading *reading, const char *line, tutti_error *error)
{
  regmatch_t found[3];
  double number;
  if (regexec(&reading->pattern, line, 3, found, 0) != 0)
    return check_other(reading, line, error);
  bool named = reading->pattern.re_nsub > 1 && found[1].rm_so >= 0;
  regmatch_t where = found[named ? 2 : 1];
  char *text = where.rm_so >= 0 ? tutti_xstrndup(line + where.rm_so, (size_t)(where.rm_eo - where.rm_so)) : NULL;
  bool real = text && tutti_parse_real(text, &number), good = real && number >= 0;
  double digit = good ? last_digit(text) : 0;
  free(text);
  if (!good)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "prints a time that is %s: '%.200s'", real ? "negative" : "no number",
                      line);
  if (number == 0)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "prints a time of 0, with which nothing can be compared: '%.200s': print more digits, or a smaller "
        "unit (--unit)",
        line);
  add_time(reading, named ? name_of(line, found[1]) : tutti_xstrdup("time"), number * reading->unit,
           digit * reading->unit);
  return TUTTI_OK;
}

static void append_medians(struct reading *reading, int ranks, tutti_baseline_section *section)
{
  for (size_t i = 0; i < reading->times.count; i++) {
    struct named *named = &reading->times.items[i];
    tutti_baseline_entry entry = tutti_baseline_entry_of_time(named->name, ranks);
    tutti_doubles_sort(named->seconds.items, named->seconds.count);
    entry.values[TUTTI_METRIC_TIME] = tutti_doubles_median(named->seconds.items, named->seconds.count);
    entry.digit = named->digit;
    tutti_baseline_append(section, entry);
  }
}

static void free_times(struct reading *reading)
{
  for (size_t i = 0; i < reading->times.count; i++) {
    free(reading->times.items[i].name);
    tutti_vector_free(&reading->times.items[i].seconds);
  }
  tutti_vector_free(&reading->times);
}

static tutti_status compile(const char *pattern, regex_t *compiled, tutti_error *error)
{
  char reason[200];
  int code = regcomp(compiled, pattern, REG_EXTENDED);
  if (code != 0) {
    regerror(code, compiled, reason, sizeof reason);
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.200s' is no regular expression of times: %s", pattern, reason);
  }
  if (compiled->re_nsub == 1 || compiled->re_nsub == 2)
    return TUTTI_OK;
  regfree(compiled);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "'%.200s' needs a group (...) of the number, or one of the name and then one of the number",
                    pattern);
}

tutti_status tutti_baseline_read_times(const tutti_baseline_program *program, char *output, int ranks,
                                       tutti_baseline_section *section, tutti_error *error)
{
  const char *pattern = program->times ? program->times : TUTTI_PROGRAM_TIMES;
  struct reading reading = {.usual = !program->times, .unit = seconds_of(program->unit)};
  char words[SIMULATION_WORDS_LENGTH];
  tutti_simulation_last_words(output, words);
  tutti_status status = compile(pattern, &reading.pattern, error);
  if (status != TUTTI_OK)
    return status;
  for (char *line; status == TUTTI_OK && (line = strsep(&output, "\r\n"));)
    status = read_line(&reading, line, error);
  if (status == TUTTI_OK && reading.times.count == 0)
    status =
        tutti_fail(error, TUTTI_ERR_ARGUMENT,
                   "prints no line with a time, which '%.200s' would find (--times REGEX says what they look like)%s%s",
                   pattern, *words ? "; its last lines: " : "", words);
  append_medians(&reading, ranks, section);
  free_times(&reading);
  regfree(&reading.pattern);
  return status;
}
