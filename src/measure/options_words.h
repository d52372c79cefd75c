/* Command lines of measuring programs whose options each take a word: the program says in a table which there are, and
   writes the points that they ask for as a text. */
#ifndef TUTTI_MEASURE_OPTIONS_WORDS_H
#define TUTTI_MEASURE_OPTIONS_WORDS_H

#include <stdint.h>
#include <stdio.h>

#include "measure/options.h"

/* An option of which the word given last is kept as it stands. */
struct option_kind {
  int key;              /* as in its argp_option */
  const char *usual;    /* if it is not given; NULL: none */
  uint64_t least, most; /* of the whole number that it must be; most = 0: any word, which is checked elsewhere */
};

struct options_words;

struct options_program {
  const char *name;                  /* "tutti-sort" */
  const char *doc;                   /* as in struct argp */
  const struct argp_option *options; /* as in struct argp; that of the points file has the key 'p' */
  const struct option_kind *kinds;   /* [words], by the number of the word */
  int words;                         /* OPTIONS_WORDS_MOST at most */
  const char *done;                  /* to the points: "sorted"; then no other option goes with --points; NULL: any */

  /* Of an option that is none of the kinds, with the `own` of the words; NULL if there are none. Returns
     ARGP_ERR_UNKNOWN for others. */
  error_t (*take)(int key, const char *argument, void *own);

  /* Write the points, as in a points file, that the words ask for without --points; fail if they ask for none. */
  tutti_status (*write)(FILE *stream, const struct options_words *words, tutti_error *error);
};

enum { OPTIONS_WORDS_MOST = 16 };

/* The command line as it stands; strings are those of argv. */
struct options_words {
  const struct options_program *program;
  const char *points;
  const char *beside;                    /* name of the last option beside --points, NULL: none */
  const char *given[OPTIONS_WORDS_MOST]; /* by the number of the word; NULL: not given */
  void *own;                             /* of the program's take() and write() */
  struct common_words common;
};

/* Of the word with this number what is given, or the usual. */
const char *options_word(const struct options_words *words, int number);

/* Is every number that is given one within its limits? */
tutti_status options_words_check(const struct options_words *words, tutti_error *error);

/* Read a command line into words, which keep `own` for take() and write(). */
tutti_status options_words_parse(const struct options_program *program, int argc, char **argv, void *own,
                                 struct options_words *words, tutti_error *error);

/* The same, and read the points file that it names, or write the points. Free *options with options_free() in any
   case. */
tutti_status options_words_read(const struct options_program *program, int argc, char **argv, void *own,
                                struct options *options, tutti_error *error);

#endif
