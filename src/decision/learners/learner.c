/* The table of learners, and the settings of a learner as text. */
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "tutti/learn.h"

#define LEARNER(name) extern const tutti_learner tutti_learner_##name;
#include "decision/learners/learners.def"
#undef LEARNER

#define LEARNER(name) &tutti_learner_##name,
static const tutti_learner *const learners[] = {
#include "decision/learners/learners.def"
};
#undef LEARNER

enum { COUNT = sizeof learners / sizeof *learners };

int tutti_learner_count(void)
{
  return COUNT;
}

const tutti_learner *tutti_learner_at(int index)
{
  return index >= 0 && index < COUNT ? learners[index] : NULL;
}

const tutti_learner *tutti_learner_find(const char *name, tutti_error *error)
{
  const char *names[COUNT];
  char known[160];
  for (int i = 0; i < COUNT; i++)
    names[i] = learners[i]->name;
  int found = tutti_word_find(names, COUNT, name);
  if (found >= 0)
    return learners[found];
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' is none of the learners %s", name,
             tutti_words_list(names, COUNT, known, sizeof known));
  return NULL;
}

const tutti_learner_option *tutti_learner_option_find(const tutti_learner *learner, const char *name)
{
  for (const tutti_learner_option *option = learner->options; option && option->name; option++)
    if (strcmp(option->name, name) == 0)
      return option;
  return NULL;
}

static void append(char *text, size_t size, const char *piece)
{
  size_t length = strlen(text);
  snprintf(text + length, size - length, "%s", piece);
}

char *tutti_learner_list(tutti_learns_from first, tutti_learns_from last, char *text, size_t size)
{
  const char *previous = NULL;
  *text = '\0';
  for (int i = 0; i < COUNT; i++) {
    if (learners[i]->from < first || learners[i]->from > last)
      continue;
    if (previous)
      append(text, size, *text ? ", " : "");
    append(text, size, previous ? previous : "");
    previous = learners[i]->name;
  }
  append(text, size, *text && previous ? " and " : "");
  append(text, size, previous ? previous : "");
  return text;
}

/* ---- settings as text ---- */

static double number_of(const tutti_learner_option *option, const void *member)
{
  if (option->width == sizeof(int))
    return *(const int *)member;
  return (double)*(const uint64_t *)member;
}

/* The value of an option as it would be given; empty of a flag. */
static void format_value(const tutti_learner_option *option, const void *settings, char *text, size_t size)
{
  const void *member = (const char *)settings + option->offset;
  *text = '\0';
  if (option->kind == TUTTI_OPTION_NUMBER)
    snprintf(text, size, "%.0f", number_of(option, member));
  else if (option->kind == TUTTI_OPTION_REAL)
    snprintf(text, size, "%g", *(const double *)member / (option->scale > 0 ? option->scale : 1));
  else if (option->kind == TUTTI_OPTION_WORD)
    snprintf(text, size, "%s", option->words[*(const int *)member]);
}

static bool is_mentioned(const tutti_learner *learner, const tutti_learner_option *option,
                         tutti_learner_mention mention, const void *settings)
{
  const char *now = (const char *)settings + option->offset, *before = (const char *)learner->defaults + option->offset;
  return mention == TUTTI_MENTION_ALWAYS ||
         (mention == TUTTI_MENTION_CHANGED && memcmp(now, before, option->width) != 0);
}

char *tutti_learner_format_name(const tutti_learner *learner, const void *settings, char *text, size_t size)
{
  char value[32], piece[80];
  snprintf(text, size, "%s", learner->name);
  for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
    if (!is_mentioned(learner, option, option->in_name, settings))
      continue;
    format_value(option, settings, value, sizeof value);
    const char letter[] = {option->letter, '\0'};
    snprintf(piece, sizeof piece, "/%s%s%s", *letter ? letter : option->name, *value ? "=" : "", value);
    append(text, size, piece);
  }
  return text;
}

char *tutti_learner_format_usage(const tutti_learner *learner, const void *settings, char *text, size_t size)
{
  char value[32], piece[80];
  *text = '\0';
  for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
    if (!is_mentioned(learner, option, option->in_usage, settings))
      continue;
    format_value(option, settings, value, sizeof value);
    const char letter[] = {option->letter, '\0'};
    snprintf(piece, sizeof piece, "%s%s%s%s%s", *text ? " " : "", *letter ? "-" : "--", *letter ? letter : option->name,
             *value ? " " : "", value);
    append(text, size, piece);
  }
  return text;
}
