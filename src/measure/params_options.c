/* The command line of tutti-params, and the file that stands for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options_words.h"
#include "measure/params.h"
#include "measure/words.h"
#include "tutti/algorithm.h"

enum { LARGEST, TOLERANCE, WORDS };

/* Receives have int counts, and their memory is that of four messages. */
#define LARGEST_BYTES (UINT64_C(1) << 28)

static const struct argp_option option_table[] = {
    {"points", 'p', "FILE", 0, "Do what FILE says (written by tutti params)", 0},
    {"largest", 'l', "SIZE", 0, "Largest message (default 1MB)", 0},
    {"tolerance", 't', "FRACTION", 0,
     "Measure more message sizes where interpolation misses by more (default 0.1, in simulation 0.01)", 0},
    {0},
};

static const struct option_kind kinds[WORDS] = {[LARGEST] = {'l', "1MB", 0, 0},
#ifdef SMPI_HELPERS_H
                                                [TOLERANCE] = {'t', "0.01", 0, 0}
#else
                                                [TOLERANCE] = {'t', "0.1", 0, 0}
#endif
};

static const struct options_program program = {
    .name = "tutti-params",
    .doc = "Measure what the parameters of point-to-point models are derived from; one record a value on standard "
           "output.\vRun it under smpirun or mpiexec, with ranks on two nodes at least.",
    .options = option_table,
    .kinds = kinds,
    .words = WORDS,
};

static tutti_status compose(const struct options_words *words, struct options *options, tutti_error *error)
{
  uint64_t largest;
  tutti_status status = tutti_size_parse(options_word(words, LARGEST), &largest, error);
  if (status != TUTTI_OK)
    return status;
  if (asprintf(&options->text, "tutti-points v=1 largest_B=%llu tolerance=%s", (unsigned long long)largest,
               options_word(words, TOLERANCE)) >= 0)
    return TUTTI_OK;
  options->text = NULL;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while reading the command line");
}

tutti_status params_options_read(int argc, char **argv, struct options *options, tutti_error *error)
{
  struct options_words words;
  *options = (struct options){0};
  tutti_status status = options_words_parse(&program, argc, argv, NULL, &words, error);
  if (status != TUTTI_OK || words.common.handled)
    return status;
  if (words.points && words.beside)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--points goes without --largest and --tolerance, which FILE says");
  return words.points ? options_read_file(words.points, options, error) : compose(&words, options, error);
}

static bool take(const char *word, struct params *params, int *version)
{
  const char *largest = tutti_word_value(word, "largest_B");
  if (largest)
    return tutti_word_number(largest, LARGEST_BYTES, &params->largest);
  return tutti_word_take_int(word, "v", version) || tutti_word_take_real(word, "tolerance", &params->tolerance);
}

tutti_status params_parse(char *text, const char *name, struct params *params, tutti_error *error)
{
  const struct position at = {name, 1};
  int version = 0;
  char *word = strtok_r(text, " \n", &text);
  *params = (struct params){0};
  if (!word || strcmp(word, "tutti-points") != 0)
    return tutti_word_complain(&at, "expected a tutti-points line instead of", word ? word : "", error);
  while ((word = strtok_r(NULL, " \n", &text)))
    if (!take(word, params, &version))
      return tutti_word_complain(&at, "cannot use", word, error);
  if (version != 1 || params->largest < 1 || !(params->tolerance > 0 && params->tolerance < 1))
    return tutti_word_complain(&at, "needs v=1, a largest_B of at least 1 and a tolerance between 0 and 1 in",
                               "tutti-points", error);
  return TUTTI_OK;
}
