#include "measure/options_words.h"

#include "measure/words.h"

static const char *name_of(const struct argp_option *options, int key)
{
  while (options->name && options->key != key)
    options++;
  return options->name;
}

static error_t take(int key, const char *argument, struct options_words *words)
{
  const struct options_program *program = words->program;
  const char *name = name_of(program->options, key);
  if (name)
    words->beside = name;
  for (int w = 0; w < program->words; w++)
    if (program->kinds[w].key == key) {
      words->given[w] = argument;
      return 0;
    }
  return program->take ? program->take(key, argument, words->own) : ARGP_ERR_UNKNOWN;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct options_words *words = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &words->common;
    return 0;
  case 'p':
    words->points = argument;
    return 0;
  default:
    return take(key, argument, words);
  }
}

const char *options_word(const struct options_words *words, int number)
{
  return words->given[number] ? words->given[number] : words->program->kinds[number].usual;
}

tutti_status options_words_check(const struct options_words *words, tutti_error *error)
{
  for (int w = 0; w < words->program->words; w++) {
    const struct option_kind *kind = &words->program->kinds[w];
    const char *text = words->given[w];
    uint64_t number;
    if (text && kind->most > 0 && (!tutti_word_number(text, kind->most, &number) || number < kind->least))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: '%s' is not a whole number from %llu to %llu",
                        name_of(words->program->options, kind->key), text, (unsigned long long)kind->least,
                        (unsigned long long)kind->most);
  }
  return TUTTI_OK;
}

static tutti_status compose(const struct options_words *words, struct options *options, tutti_error *error)
{
  size_t length = 0;
  FILE *stream = open_memstream(&options->text, &length);
  tutti_status status = stream ? words->program->write(stream, words, error) : TUTTI_OK;
  if (!stream || fclose(stream) != 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
  return status;
}

tutti_status options_words_parse(const struct options_program *program, int argc, char **argv, void *own,
                                 struct options_words *words, tutti_error *error)
{
  const struct argp argp = {
      .options = program->options, .parser = parse_option, .doc = program->doc, .children = options_common};
  *words = (struct options_words){.program = program, .own = own, .common = {.program = program->name}};
  return options_parse(&argp, argc, argv, words, error);
}

tutti_status options_words_read(const struct options_program *program, int argc, char **argv, void *own,
                                struct options *options, tutti_error *error)
{
  struct options_words words;
  *options = (struct options){0};
  tutti_status status = options_words_parse(program, argc, argv, own, &words, error);
  if (status != TUTTI_OK || words.common.handled)
    return status;
  if (!words.points)
    return compose(&words, options, error);
  if (program->done && words.beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s does not go with --points, whose file says all that is %s",
                      words.beside, program->done);
  return options_read_file(words.points, options, error);
}
