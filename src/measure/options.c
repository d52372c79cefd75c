#include "measure/options_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/pattern.h"

enum { METHODS, SIZES, TYPE_SIZE, ROOT, SCHEME, REPETITIONS, RANKS_PER_NODE, ARRIVAL, NOISE, WORDS };

enum { KEY_TYPE_SIZE = 1000, KEY_SCHEME, KEY_RANKS_PER_NODE, KEY_REPETITIONS, KEY_ROOT, KEY_ARRIVAL, KEY_NOISE };

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Measure the points of FILE (written by tutti bench)", 0},
    {"method", 'm', "METHODS", 0, "Methods to measure, separated by commas: bcast/binomial/8KB,barrier/bruck", 0},
    {"size", 's', "SIZES", 0, "Sizes of the message, or of one rank's block, separated by commas: 8,1KB (default 8)",
     0},
    {"type-size", KEY_TYPE_SIZE, "BYTES", 0, "Bytes of one element (default 1)", 0},
    {"root", KEY_ROOT, "RANK", 0, "Root (default 0)", 0},
    {"scheme", KEY_SCHEME, "NAME", 0, "occ (default) or window", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {"arrival", KEY_ARRIVAL, "PATTERNS", 0,
     "How late the ranks arrive, separated by commas: none (default), uniform/100us/seed=1, straggler/1ms/seed=1, "
     "straggler/1ms/rank=3, sorted/100us, reversed/100us, trace/FILE (one delay a line)",
     0},
    {"noise", KEY_NOISE, "NOISES", 0,
     "What interrupts them, separated by commas: none (default), detour/PERIOD/DURATION/seed=1, "
     "exponential/MEAN/seed=1",
     0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the measurements (default 1)", 0},
    {0},
};

/* Those of a points file are checked where it is read. */
static const struct option_kind kinds[WORDS] = {
    [METHODS] = {'m', NULL, 0, 0}, /* separated by commas, as are sizes */
    [SIZES] = {'s', "8", 0, 0},
    [TYPE_SIZE] = {KEY_TYPE_SIZE, "1", 0, 0},
    [ROOT] = {KEY_ROOT, "0", 0, 0},
    [SCHEME] = {KEY_SCHEME, "occ", 0, 0},
    [REPETITIONS] = {KEY_REPETITIONS, "200", 0, 0},
    [RANKS_PER_NODE] = {KEY_RANKS_PER_NODE, "1", 0, 0},
    [ARRIVAL] = {KEY_ARRIVAL, NULL, 0, 0},
    [NOISE] = {KEY_NOISE, NULL, 0, 0},
};

/* One line per arrival pattern and noise. */
static void write_patterns(FILE *stream, const struct options_words *words, const char *method, uint64_t bytes,
                           uint64_t type_size, const tutti_patterns *patterns)
{
  for (size_t a = 0; a < patterns->arrival_count; a++)
    for (size_t n = 0; n < patterns->noise_count; n++) {
      fprintf(stream, "%.*s root=%s count=%llu type_B=%llu", (int)strcspn(method, ","), method,
              options_word(words, ROOT), (unsigned long long)(bytes / type_size), (unsigned long long)type_size);
      tutti_pattern_write(&patterns->arrivals[a], &patterns->noises[n], stream);
      fputc('\n', stream);
    }
}

/* The same per size and method. */
static tutti_status write_points(FILE *stream, const struct options_words *words, char *sizes,
                                 const tutti_patterns *patterns, tutti_error *error)
{
  uint64_t type_size, bytes;
  tutti_status status = tutti_size_parse(options_word(words, TYPE_SIZE), &type_size, error);
  if (status == TUTTI_OK && type_size == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --type-size: an element has at least one byte");
  for (char *size; status == TUTTI_OK && (size = strsep(&sizes, ",")) != NULL;) {
    status = tutti_size_parse(size, &bytes, error);
    if (status == TUTTI_OK && bytes % type_size != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --size: %s is not a multiple of the element of %llu bytes",
                        size, (unsigned long long)type_size);
    for (const char *rest = words->given[METHODS]; status == TUTTI_OK && *rest;
         rest += strcspn(rest, ",") + (strchr(rest, ',') != NULL))
      write_patterns(stream, words, rest, bytes, type_size, patterns);
  }
  return status;
}

static tutti_status write_text(FILE *stream, const struct options_words *words, tutti_error *error)
{
  if (!words->given[METHODS])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to measure: give --points FILE or --method METHODS");
  tutti_patterns patterns;
  tutti_status status =
      tutti_patterns_read(options_word(words, ARRIVAL), options_word(words, NOISE), ",", NULL, &patterns, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(stream, "tutti-points v=1 scheme=%s repetitions_max=%s ranks_per_node=%s\n", options_word(words, SCHEME),
          options_word(words, REPETITIONS), options_word(words, RANKS_PER_NODE));
  for (size_t a = 0; a < patterns.arrival_count; a++)
    if (patterns.traces[a].count > 0)
      tutti_trace_write(&patterns.traces[a], stream);
  char *sizes = strdup(options_word(words, SIZES));
  status = sizes ? write_points(stream, words, sizes, &patterns, error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  free(sizes);
  tutti_patterns_free(&patterns);
  return status;
}

static const struct options_program program = {
    .name = "tutti-bench",
    .doc =
        "Measure collective operations; one record a line on standard output.\v"
        "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Times are in seconds, and under "
        "an arrival pattern they count from the last arrival.",
    .options = option_table,
    .kinds = kinds,
    .words = WORDS,
    .write = write_text,
};

tutti_status options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  return options_words_read(&program, argc, argv, NULL, options, error);
}
