/* Words that a field of a result can be. */
#ifndef TUTTI_HARNESS_RESULT_WORDS_H
#define TUTTI_HARNESS_RESULT_WORDS_H

#include <stdbool.h>

/* Is @p word one of a list separated by blanks? */
bool tutti_result_word_is_among(const char *list, const char *word);

#endif
