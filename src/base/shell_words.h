/* Words of lines of shells, for shell.c. */
#ifndef TUTTI_BASE_SHELL_WORDS_H
#define TUTTI_BASE_SHELL_WORDS_H

#include "base/shell.h"

struct span {
  size_t begin, end;
};

struct reading {
  const char *text;
  size_t at, end;
  enum shell_text what;
  shell_function *take;
  void *context;
  size_t command;
  int depth;   /* of texts within quotes */
  bool call;   /* setenv("NAME", "VALUE") of a module in Lua */
  bool prompt; /* the line is a command, as "+" or "$" before it say */
  bool scripted;
};

bool tutti_shell_is_quote(char c);

/* The next word of the command, with its quotes; false: the command ends. */
bool tutti_shell_word(struct reading *reading, struct span *word);

/* Without the quotes around it. */
struct span tutti_shell_unquote(const struct reading *reading, struct span word);

/* Whether a word, without its quotes, is one of a list with blanks between. */
bool tutti_shell_is_listed(const struct reading *reading, struct span word, const char *list);

/* Whether it starts ranks: a launcher with or without its folder and its version. */
bool tutti_shell_is_launcher(const struct reading *reading, struct span word);

/* Where the name ends that the word begins with. */
size_t tutti_shell_name_end(const struct reading *reading, struct span word);

/* NAME=VALUE, or NAME = VALUE, which is meant so. The word may be within quotes, and in a log the value. */
bool tutti_shell_setting(struct reading *reading, struct span word, struct span *name, struct span *value);

#endif
