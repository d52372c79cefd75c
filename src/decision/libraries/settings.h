/* Files of settings, a line each: "name = value", "export NAME=value", "setenv NAME value". */
#ifndef TUTTI_LIBRARIES_SETTINGS_H
#define TUTTI_LIBRARIES_SETTINGS_H

#include "base/vector.h"
#include "decision/libraries/libraries.h"

struct setting {
  char *name, *value; /* the name without its prefix; both owned */
  size_t at, value_at;
  bool prefixed;
};

/* Begin with {0}, end with tutti_settings_free(). */
struct settings {
  TUTTI_VECTOR(struct setting);
  struct {
    TUTTI_VECTOR(size_t);
  } others;                       /* places of lines that set nothing */
  const struct setting **by_name; /* in the order of names, those of one name as in the file */
  bool script;                    /* lines begin with "export" or "setenv", so that others are no fault */
};

/* A setting in the words of a line that starts ranks: "-genv NAME VALUE", "--mca NAME VALUE", "-x NAME=VALUE". */
struct setting_word {
  size_t at, name_length, value_at, value_length;
  bool mca; /* a parameter of Open MPI, without a prefix */
};

/* The next one from *at on, which is moved behind it; false: the line has no more. */
/* Whether a line starts ranks, or goes on with options of one that does. */
bool tutti_settings_starts_ranks(const char *text, size_t begin, size_t end);
bool tutti_settings_next_word(const char *text, size_t end, size_t *at, struct setting_word *word);

/* Read them. The prefix, in a list with blanks between, is cut off names that begin with one. */
void tutti_settings_read(const struct tuning_file *file, const char *prefixes, struct settings *settings);
void tutti_settings_free(struct settings *settings);

/* The last one of that name, which counts; NULL: there is none. */
const struct setting *tutti_settings_find(const struct settings *settings, const char *name);

/* Report those that are set again later. */
void tutti_settings_check_twice(struct tuning_file *file, const struct settings *settings, int code);

#endif
