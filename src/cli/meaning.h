/* What was meant by a word of other tools, where no name of ours is near by its letters. */
#ifndef TUTTI_CLI_MEANING_H
#define TUTTI_CLI_MEANING_H

#include <stdbool.h>

/* Words that people try, a name that there may be, and what that does. */
struct meaning {
  const char *words; /* with blanks between them */
  const char *name;  /* a subcommand, with its verb or options where it needs them; a verb; an option without dashes */
  const char *does;  /* a sentence without its subject; NULL of verbs and options */
};

/* Each ends with a row without words. Of rows that have the same word the first one counts whose name there is. */
extern const struct meaning command_meanings[], verb_meanings[], option_meanings[];

/* The row of a word, whose name @p is_known accepts; NULL: none. */
const struct meaning *meaning_find(const struct meaning *rows, const char *word,
                                   bool (*is_known)(const char *name, const void *of), const void *of);

#endif
