/* Words of GOAL. Blanks and comments are where LogGOPSim's scanner takes them, and at more places. */
#include <string.h>

#include "base/text.h"
#include "harness/engine/trace/workload_goal.h"

static void skip_comment(struct goal_text *text)
{
  for (text->at += 2; *text->at && strncmp(text->at, "*/", 2) != 0; text->at++)
    text->here += *text->at == '\n';
  text->at += *text->at ? 2 : 0;
}

/* Blanks, and comments with the line ends in them. */
static void skip_blanks(struct goal_text *text)
{
  for (;;) {
    text->at += strspn(text->at, " \t\r\f\v");
    if (strncmp(text->at, "//", 2) == 0)
      text->at += strcspn(text->at, "\n");
    else if (strncmp(text->at, "/*", 2) == 0)
      skip_comment(text);
    else
      return;
  }
}

static size_t length_of_word(const char *text)
{
  size_t length = 1;
  if (strchr("{}:", *text))
    return length;
  while (text[length] && !strchr(" \t\r\f\v\n{}:", text[length]) && strncmp(text + length, "//", 2) != 0 &&
         strncmp(text + length, "/*", 2) != 0)
    length++;
  return length;
}

bool tutti_goal_is(const struct goal_text *text, int at, const char *word)
{
  return at < text->count && text->words[at].length == strlen(word) &&
         memcmp(text->words[at].text, word, text->words[at].length) == 0;
}

/* Whether the words so far are a statement that needs no end of the line. */
static bool is_whole(const struct goal_text *text)
{
  return tutti_goal_is(text, text->count - 1, "{") || tutti_goal_is(text, 0, "}") ||
         (text->count == 2 && tutti_goal_is(text, 0, "num_ranks"));
}

static void take_word(struct goal_text *text)
{
  const size_t length = length_of_word(text->at);
  if (text->count == 0)
    text->line = text->here;
  if (text->count < GOAL_WORDS)
    text->words[text->count++] = (struct goal_word){text->at, length};
  text->at += length;
}

bool tutti_goal_next(struct goal_text *text)
{
  for (text->count = 0;;) {
    skip_blanks(text);
    if (!*text->at || (*text->at == '}' && text->count > 0))
      return text->count > 0;
    if (*text->at == '\n') {
      text->at++;
      text->here++;
      if (text->count > 0)
        return true;
      continue;
    }
    take_word(text);
    if (is_whole(text))
      return true;
  }
}

bool tutti_goal_number(const struct goal_word *word, uint64_t most, uint64_t *number)
{
  char text[24];
  if (word->length >= sizeof text)
    return false;
  snprintf(text, sizeof text, "%.*s", (int)word->length, word->text);
  return tutti_parse_integer(text, 0, most, number);
}
