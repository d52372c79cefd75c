#include "harness/measure/points.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Keys of argp: an option without a letter has this plus its number. */
enum { KEY_FIRST = 1000 };

/* Those of every program: points, help, usage, version. */
enum { FIXED_OPTIONS = 4 };

static int key_of(const struct option_table *table, int number)
{
  return table->options[number].letter ? table->options[number].letter : KEY_FIRST + number;
}

static int number_of(const struct option_table *table, int key)
{
  int number = 0;
  while (number < table->count && key_of(table, number) != key)
    number++;
  return number;
}

const char *option_word(const struct options *options, int number)
{
  return options->given[number] ? options->given[number] : options->table->options[number].by_default;
}

const char *option_next(const char **list, int *length)
{
  const char *word = *list;
  *length = (int)strcspn(word, ",");
  *list += *length + (word[*length] == ',');
  return *length > 0 ? word : NULL;
}

/* ---- reading ---- */

static error_t set_given(struct options *options, int number, const char *argument)
{
  const struct program_option *option = &options->table->options[number];
  char **given = &options->given[number], *longer = NULL;
  options->beside = option->name;
  if (asprintf(&longer, "%s%s%s", option->adds && *given ? *given : "", option->adds && *given ? "," : "", argument) <
      0)
    return ENOMEM;
  free(*given);
  *given = longer;
  return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct options *options = state->input;
  int number = number_of(options->table, key);
  if (number < options->table->count)
    return set_given(options, number, argument);
  switch (key) {
  case 'p':
    options->points = argument;
    return 0;
  case 'h':
    options->handled = true;
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
    return 0;
  case 'V':
    options->handled = true;
    printf("%s " TUTTI_VERSION "\n", options->table->name);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "unexpected argument '%s'", argument);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The help of an option ends with its default. */
static char *add_default(int key, const char *text, void *input)
{
  const struct options *options = input;
  int number = options ? number_of(options->table, key) : 0;
  const char *by_default =
      options && number < options->table->count ? options->table->options[number].by_default : NULL;
  char *longer;
  if (!by_default || strstr(text, "(default") || asprintf(&longer, "%s (default %s)", text, by_default) < 0)
    return (char *)text;
  return longer;
}

static tutti_status parse(const struct option_table *table, int argc, char **argv, struct options *options,
                          tutti_error *error)
{
  struct argp_option list[MAX_OPTIONS + FIXED_OPTIONS + 1] = {
      {"points", 'p', "FILE", 0, table->points_help, 0},
      {"help", 'h', NULL, 0, "Print this help; under smpirun say -h or --usage, because SimGrid answers --help", 0},
      {"usage", 0, NULL, OPTION_ALIAS, NULL, 0},
      {"version", 'V', NULL, 0, "Print the version", 0}};
  const struct argp argp = {.options = list, .parser = parse_option, .doc = table->doc, .help_filter = add_default};
  for (int i = 0; i < table->count; i++)
    list[FIXED_OPTIONS + i] = (struct argp_option){
        table->options[i].name, key_of(table, i), table->options[i].argument, 0, table->options[i].help, 0};
  if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, options) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the command line is wrong: see -h");
  return TUTTI_OK;
}

/* Check that every given number is within its limits. */
static tutti_status check_options(const struct options *options, tutti_error *error)
{
  for (int i = 0; i < options->table->count; i++) {
    const struct program_option *option = &options->table->options[i];
    const char *text = options->given[i];
    uint64_t number;
    if (text && option->max > 0 && !tutti_parse_integer(text, option->min, option->max, &number))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: '%s' is not a whole number from %llu to %llu", option->name,
                        text, (unsigned long long)option->min, (unsigned long long)option->max);
  }
  return TUTTI_OK;
}

/* ---- the points as a text ---- */

/* An option that is not given has the table's default in the first line, and the reader's default among the costs. */
static void write_keys(FILE *stream, const struct options *options, int place, const char *title)
{
  fputs(title, stream);
  for (int i = 0; i < options->table->count; i++) {
    const struct program_option *option = &options->table->options[i];
    if ((int)option->place == place && (options->given[i] || place == OPTION_HEADER))
      fprintf(stream, " %s=%s", option->key, option_word(options, i));
  }
  fputc('\n', stream);
}

static bool has_costs(const struct options *options)
{
  for (int i = 0; i < options->table->count; i++)
    if (options->table->options[i].place == OPTION_COSTS && options->given[i])
      return true;
  return false;
}

static tutti_status compose(struct options *options, tutti_error *error)
{
  size_t length = 0;
  tutti_status status = check_options(options, error);
  FILE *stream = status == TUTTI_OK ? open_memstream(&options->text, &length) : NULL;
  if (status != TUTTI_OK)
    return status;
  if (stream) {
    write_keys(stream, options, OPTION_HEADER, "tutti-points v=1");
    if (has_costs(options))
      write_keys(stream, options, OPTION_COSTS, "costs");
    if (options->table->write)
      status = options->table->write(stream, options, error);
  }
  if (!stream || fclose(stream) != 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  return status;
}

tutti_status options_read(const struct option_table *table, int argc, char **argv, struct options *options,
                          tutti_error *error)
{
  *options = (struct options){.table = table};
  tutti_status status = parse(table, argc, argv, options, error);
  if (status != TUTTI_OK || options->handled)
    return status;
  if (!options->points)
    return compose(options, error);
  if (table->done && options->beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is %s",
                      options->beside, table->done);
  return tutti_points_load(options->points, &options->text, error);
}

void options_free(struct options *options)
{
  for (int i = 0; i < MAX_OPTIONS; i++)
    free(options->given[i]);
  free(options->text);
}
