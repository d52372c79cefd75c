#include "cli/output/output.h"

static const struct fill_word *find_word(const struct fill_word *words, const char *text)
{
  for (const struct fill_word *word = words; word->name; word++)
    if (strncmp(text + 1, word->name, strlen(word->name)) == 0 && text[1 + strlen(word->name)] == '@')
      return word;
  return NULL;
}

void fill_words(FILE *stream, const char *text, const struct fill_word *words)
{
  while (*text) {
    const struct fill_word *word = *text == '@' ? find_word(words, text) : NULL;
    if (word) {
      fputs(word->value, stream);
      text += strlen(word->name) + 2;
    } else {
      fputc(*text++, stream);
    }
  }
}
