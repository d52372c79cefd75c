#include "measure/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/experiment.h"

/* The command line as it stands; strings are those of argv. */
struct words {
  const char *points;
  const char *methods; /* separated by commas, as are sizes */
  const char *sizes;
  const char *type_size;
  const char *root;
  const char *scheme;
  const char *ranks_per_node;
  const char *repetitions;
  struct common_words common;
};

enum { KEY_TYPE_SIZE = 1000, KEY_SCHEME, KEY_RANKS_PER_NODE, KEY_REPETITIONS, KEY_ROOT };

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Measure the points of FILE (written by tutti bench)", 0},
    {"method", 'm', "METHODS", 0, "Methods to measure, separated by commas: bcast/binomial/8KB,barrier/bruck", 0},
    {"size", 's', "SIZES", 0, "Sizes of the message, or of one rank's block, separated by commas: 8,1KB (default 8)",
     0},
    {"type-size", KEY_TYPE_SIZE, "BYTES", 0, "Bytes of one element (default 1)", 0},
    {"root", KEY_ROOT, "RANK", 0, "Root (default 0)", 0},
    {"scheme", KEY_SCHEME, "NAME", 0, "occ (default) or window", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Most repetitions on a real machine (default 200)", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Recorded with the measurements (default 1)", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct words *words = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &words->common;
    return 0;
  case 'p':
    words->points = argument;
    return 0;
  case 'm':
    words->methods = argument;
    return 0;
  case 's':
    words->sizes = argument;
    return 0;
  case KEY_TYPE_SIZE:
    words->type_size = argument;
    return 0;
  case KEY_ROOT:
    words->root = argument;
    return 0;
  case KEY_SCHEME:
    words->scheme = argument;
    return 0;
  case KEY_REPETITIONS:
    words->repetitions = argument;
    return 0;
  case KEY_RANKS_PER_NODE:
    words->ranks_per_node = argument;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .doc = "Measure collective operations; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch.",
    .children = options_common,
};

static const char *or_else(const char *word, const char *usual)
{
  return word ? word : usual;
}

/* One line per size and method. */
static tutti_status write_points(FILE *stream, const struct words *words, char *methods, char *sizes,
                                 tutti_error *error)
{
  uint64_t type_size, bytes;
  tutti_status status = tutti_size_parse(or_else(words->type_size, "1"), &type_size, error);
  if (status == TUTTI_OK && type_size == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --type-size: an element has at least one byte");
  for (char *size; status == TUTTI_OK && (size = strsep(&sizes, ",")) != NULL;) {
    status = tutti_size_parse(size, &bytes, error);
    if (status == TUTTI_OK && bytes % type_size != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "option --size: %s is not a multiple of the element of %llu bytes",
                        size, (unsigned long long)type_size);
    for (char *rest = methods; status == TUTTI_OK && *rest; rest += strcspn(rest, ",") + (strchr(rest, ',') != NULL))
      fprintf(stream, "%.*s root=%s count=%llu type_B=%llu\n", (int)strcspn(rest, ","), rest, or_else(words->root, "0"),
              (unsigned long long)(bytes / type_size), (unsigned long long)type_size);
  }
  return status;
}

static tutti_status compose(const struct words *words, struct options *options, tutti_error *error)
{
  size_t length = 0;
  char *methods = strdup(words->methods), *sizes = strdup(or_else(words->sizes, "8"));
  FILE *stream = open_memstream(&options->text, &length);
  tutti_status status = TUTTI_ERR_MEMORY;
  if (methods && sizes && stream) {
    fprintf(stream, "tutti-points v=1 scheme=%s repetitions_max=%s ranks_per_node=%s\n", or_else(words->scheme, "occ"),
            or_else(words->repetitions, "200"), or_else(words->ranks_per_node, "1"));
    status = write_points(stream, words, methods, sizes, error);
  } else {
    tutti_fail(error, status, "out of memory while reading the command line");
  }
  if (stream && fclose(stream) != 0)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  free(methods);
  free(sizes);
  return status;
}

tutti_status options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct words words = {.common = {.program = "tutti-bench"}};
  *options = (struct options){0};
  tutti_status status = options_parse(&argp, argc, argv, &words, error);
  if (status != TUTTI_OK)
    return status;
  if (words.common.handled)
    return TUTTI_OK;
  if (words.points)
    return options_read_file(words.points, options, error);
  if (words.methods)
    return compose(&words, options, error);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to measure: give --points FILE or --method METHODS");
}
