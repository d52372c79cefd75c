#include "base/words.h"

#include <stdio.h>
#include <string.h>

enum { LIST_LENGTH = 400 };

const char *tutti_word_of(const char *const *words, int count, int value)
{
  return value >= 0 && value < count ? words[value] : NULL;
}

int tutti_word_find(const char *const *words, int count, const char *word)
{
  for (int i = 0; i < count; i++)
    if (words[i] && strcmp(words[i], word) == 0)
      return i;
  return -1;
}

char *tutti_words_list(const char *const *words, int count, char *text, size_t length)
{
  size_t end = 0;
  *text = '\0';
  for (int i = 0; i < count && end < length; i++)
    if (words[i])
      end += (size_t)snprintf(text + end, length - end, "%s%s", end > 0 ? ", " : "", words[i]);
  return text;
}

tutti_status tutti_word_parse(const char *const *words, int count, const char *what, const char *word, int *value,
                              tutti_error *error)
{
  int found = tutti_word_find(words, count, word);
  if (found < 0) {
    char known[LIST_LENGTH];
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown %s '%.80s': known are %s", what, word,
                      tutti_words_list(words, count, known, sizeof known));
  }
  *value = found;
  return TUTTI_OK;
}
