/* Files of settings: "name = value", "export NAME=value", "setenv NAME value", and lines that start ranks. */
#ifndef TUTTI_LIBRARIES_SETTINGS_H
#define TUTTI_LIBRARIES_SETTINGS_H

#include "base/shell.h"
#include "base/vector.h"
#include "decision/libraries/libraries.h"

struct setting {
  char *name, *value; /* the name without its prefix; both owned */
  size_t at, value_at;
  size_t from, to; /* it holds for the commands from the one to before the other */
  size_t commands; /* that ran before it, without those that only set something */
  bool prefixed;
  bool of_command; /* it holds for its command only ... */
  bool computed;   /* its value is that of a variable, which is not known */
  bool ends;       /* ... which has no such variable */
  bool again;      /* it is set again before any command ran */
};

/* Begin with {0}, end with tutti_settings_free(). */
struct settings {
  TUTTI_VECTOR(struct setting);
  struct {
    TUTTI_VECTOR(size_t);
  } others;                       /* places of lines that set nothing */
  const struct setting **by_name; /* lasting ones after the others of a name, in the order of the file */
  size_t moment;                  /* the command that is asked about: the last that starts ranks under a setting */
  size_t launch, launches;        /* where it is, and how many start ranks */
  bool returns;                   /* a line with a setting ends with a carriage return, ... */
  size_t return_at;               /* ... first here */
  bool script;                    /* not a file of parameters: other lines are no fault */
};

/* How much of a name one of the words is that it begins with up to their '_'; of "A_*B" it is A_, and the name ends
   with B; else a word is the whole name. 0: it is none of them. */
size_t tutti_settings_prefix(const char *name, size_t length, const char *words);

/* Hand on all that is set, removed or run, in a script or in lines of "name = value", and the places of other lines as
   words without a length. */
void tutti_settings_scan(const char *text, size_t length, bool script, shell_function *take, void *context);
bool tutti_settings_is_script(const char *text, size_t length);

/* Read them. The prefix, of a list as above, is cut off names. */
void tutti_settings_read(const struct tuning_file *file, const char *prefixes, struct settings *settings);
/* Of a struct settings; as tutti_library.free_rules where these are all rules. */
void tutti_settings_free(void *rules);

/* The one of that name that counts at the moment; NULL: there is none. */
const struct setting *tutti_settings_find(const struct settings *settings, const char *name);

/* Whether one of that name, with a value that passes the test, holds for a command for which @p with holds, too. */
bool tutti_settings_any(const struct settings *settings, const char *name, const struct setting *with,
                        bool (*test)(const char *value));

/* Report those that are set again before they are used. */
void tutti_settings_check_twice(struct tuning_file *file, const struct settings *settings, int code);

/* Say which launch of a script is explained. */
void tutti_settings_step_launch(struct explaining *explaining, const struct settings *settings);

#endif
