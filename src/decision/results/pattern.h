/* Words of arrival patterns and noise: KIND/PART/KEY=VALUE, durations, and what is drawn. */
#ifndef TUTTI_RESULTS_PATTERN_H
#define TUTTI_RESULTS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/splitmix64.h"
#include "tutti/arrival.h"

/* A word on its way: parts are taken off from the left. */
struct pattern_word {
  const char *whole; /* for messages */
  const char *what;  /* "arrival pattern", for messages */
  const char *rest;  /* after the '/' that ended the last part; "" at the end */
};

/* TUTTI_ERR_ARGUMENT: "WHAT 'WORD': REASON". */
tutti_status tutti_pattern_complain(const struct pattern_word *word, const char *reason, tutti_error *error);

/* TUTTI_ERR_ARGUMENT: the next part is not one of the names. */
tutti_status tutti_pattern_unknown(const struct pattern_word *word, const char *const *names, int count,
                                   tutti_error *error);

/* True if the next part is that text, which is taken then. */
bool tutti_pattern_take_name(struct pattern_word *word, const char *name);

/* The next part must be a duration above 0; `which` names it in errors. */
tutti_status tutti_pattern_take_duration(struct pattern_word *word, const char *which, uint64_t *nanoseconds,
                                         tutti_error *error);

/* The next part must be KEY and a number above 0 with an ending such as "%"; both may be "". */
tutti_status tutti_pattern_take_number(struct pattern_word *word, const char *key, const char *ending, double *number,
                                       tutti_error *error);

/* If the next part is "KEY=...", it must be a whole number up to `most`, and is taken. */
tutti_status tutti_pattern_take_key(struct pattern_word *word, const char *key, uint64_t most, uint64_t *value,
                                    bool *given, tutti_error *error);

/* The last part may be a seed, which is 1 if it is not there. */
tutti_status tutti_pattern_take_seed(struct pattern_word *word, uint64_t *seed, tutti_error *error);

/* Nothing may be left. */
tutti_status tutti_pattern_end(const struct pattern_word *word, tutti_error *error);

/* A decimal number and its unit, to the nanosecond, up to 1000 s; false for other text. Reads `length` characters. */
bool tutti_pattern_parse_duration(const char *text, size_t length, uint64_t *nanoseconds);

/* In the largest unit that divides it. */
enum { DURATION_LENGTH = 24 };
char *tutti_pattern_format_duration(uint64_t nanoseconds, char text[DURATION_LENGTH]);

/* A whole number in decimal digits, all of `length` characters. */
bool tutti_pattern_parse_digits(const char *text, size_t length, uint64_t *number);

/* ---- arrival patterns, for those that read files, too ---- */

/* ---- random numbers ---- */

/* The number that a seed draws for an index. */
static inline uint64_t pattern_draw(uint64_t seed, uint64_t index)
{
  uint64_t state = tutti_splitmix64(seed + 1) + tutti_splitmix64(index);
  return tutti_splitmix64_next(&state);
}

/* The same as a number in [0, 1). */
static inline double pattern_draw_share(uint64_t seed, uint64_t index)
{
  return (double)(pattern_draw(seed, index) >> 11) * 0x1p-53;
}

#endif
