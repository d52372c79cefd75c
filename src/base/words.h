/* Words that stand for the values of an enumeration: words[value], NULL where a value has none. */
#ifndef TUTTI_BASE_WORDS_H
#define TUTTI_BASE_WORDS_H

#include <stddef.h>

#include "tutti/error.h"

/* The word of a value; NULL outside 0 .. count - 1. Static storage, as the words. */
const char *tutti_word_of(const char *const *words, int count, int value);

/* The value of a word; -1 if it is not among them. */
int tutti_word_find(const char *const *words, int count, const char *word);

/**
 * The value of a word.
 * @param what  for the message: "measuring scheme"
 * @return TUTTI_ERR_ARGUMENT: "unknown measuring scheme 'x': known are occ, window"; *value is unchanged then
 */
tutti_status tutti_word_parse(const char *const *words, int count, const char *what, const char *word, int *value,
                              tutti_error *error);

/* The words that there are, "occ, window", cut at @p length bytes with the terminating zero. Returns @p text. */
char *tutti_words_list(const char *const *words, int count, char *text, size_t length);

#endif
