/* The command line of bench-split: --NAME VALUE. By hand, because every rank reads it and those of a simulation share
   the globals of getopt. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "split.h"

static const char *const part_names[PARTS] = {"own", "gather", "group"};

static tutti_status complain(const char *name, const char *value, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use %s %s", name, value ? value : "without a value");
}

/* A whole number >= least up to the end or to `comma`, which is passed. */
static bool take_number(const char **text, long least, char comma, int *number)
{
  char *end;
  long value = strtol(*text, &end, 10);
  if (end == *text || value < least || value > INT_MAX || (*end && *end != comma))
    return false;
  *number = (int)value;
  *text = *end ? end + 1 : end;
  return true;
}

static bool take_colors(const char *text, struct split_options *options)
{
  options->colors_count = 0;
  while (*text && options->colors_count < MAX_COLOR_COUNTS)
    if (!take_number(&text, 1, ',', &options->colors[options->colors_count++]))
      return false;
  return options->colors_count > 0 && !*text;
}

static int find_part(const char *word, size_t length)
{
  int part = 0;
  while (part < PARTS && (strlen(part_names[part]) != length || strncmp(part_names[part], word, length) != 0))
    part++;
  return part;
}

static bool take_parts(const char *text, struct split_options *options)
{
  memset(options->parts, 0, sizeof options->parts);
  while (*text) {
    size_t length = strcspn(text, ",");
    int part = find_part(text, length);
    if (part == PARTS)
      return false;
    options->parts[part] = true;
    text += length + (text[length] == ',');
  }
  return true;
}

static bool take_nanoseconds(const char *text, double *seconds)
{
  char *end;
  *seconds = strtod(text, &end) * 1e-9;
  return end != text && !*end && *seconds >= 0 && *seconds < 1;
}

static bool take(const char *name, const char *value, struct split_options *options)
{
  if (strcmp(name, "--colours") == 0)
    return take_colors(value, options);
  if (strcmp(name, "--only") == 0)
    return take_parts(value, options);
  if (strcmp(name, "--seed") == 0)
    return take_number(&value, 0, '\0', &options->seed);
  if (strcmp(name, "--branching") == 0)
    return take_number(&value, 2, '\0', &options->branching);
  if (strcmp(name, "--repetitions") == 0)
    return take_number(&value, 1, '\0', &options->repetitions);
  if (strcmp(name, "--scan-ns") == 0)
    return take_nanoseconds(value, &options->scan);
  if (strcmp(name, "--compare-ns") == 0)
    return take_nanoseconds(value, &options->compare);
  options->allgather = value;
  return strcmp(name, "--allgather") == 0;
}

const char split_usage[] =
    "Usage: bench-split [--NAME VALUE...]\n"
    "  --colours C,...     into how many groups, one after the other (default 1,2,4,8)\n"
    "  --only PART,...     own, gather or group: ways to split (default all)\n"
    "  --seed N            of the colours (default 7)\n"
    "  --branching K       of the trees of groups (default 3)\n"
    "  --repetitions N     (default 50; in simulation once)\n"
    "  --allgather METHOD  of gather (default: as MPICH picks)\n"
    "  --scan-ns T         in simulation: nanoseconds to look at an entry of the table of gather (default 5)\n"
    "  --compare-ns T      to compare two entries (default 20)\n"
    "  --help              print this\n";

tutti_status split_options_read(int argc, char **argv, struct split_options *options, tutti_error *error)
{
  *options = (struct split_options){.colors = {1, 2, 4, 8},
                                    .colors_count = 4,
                                    .seed = 7,
                                    .branching = 3,
                                    .repetitions = 50,
                                    .scan = 5e-9,
                                    .compare = 20e-9,
                                    .parts = {true, true, true}};
  options->help = argc == 2 && strcmp(argv[1], "--help") == 0;
  for (int i = 1; i < argc && !options->help; i += 2)
    if (i + 1 >= argc || !take(argv[i], argv[i + 1], options))
      return complain(argv[i], argv[i + 1], error);
  return TUTTI_OK;
}
