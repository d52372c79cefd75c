#include "base/color.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Red, yellow and green are told apart by their words, too: who sees no colors misses nothing. */
static const struct {
  const char *word, *begin;
} colors[] = {
    {"won", "\033[32m"},          {"ok", "\033[32m"},        {"holds", "\033[32m"},   {"reproduced", "\033[32m"},
    {"lost", "\033[1;31m"},       {"failed", "\033[1;31m"},  {"error", "\033[1;31m"}, {"worse", "\033[1;31m"},
    {"regression", "\033[1;31m"}, {"differs", "\033[1;31m"}, {"unclear", "\033[33m"}, {"warning", "\033[33m"},
    {"missing", "\033[33m"},
};

static bool has_colors(FILE *stream)
{
  const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
  return isatty(fileno(stream)) == 1 && terminal && *terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

const char *tutti_color_of(FILE *stream, const char *word, size_t length)
{
  for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
    if (strlen(colors[i].word) == length && memcmp(colors[i].word, word, length) == 0)
      return has_colors(stream) ? colors[i].begin : "";
  return "";
}
