#include "cli/options/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FORMAT "json csv "
#define SELECTION                                                                                                      \
  FORMAT "platform scheme platform-hash flavor library tutti-version ranks-per-node native points root arrival noise " \
         "robust "
#define PREDICTORS "by parameters gamma delta printed jobs element "

/* What a step may call, and with which options: with any value; with the store of the step; with a file below $work. */
static const struct permission {
  const char *command, *any, *store, *written;
} permissions[] = {
    {"bench", FORMAT "jobs quiet again chunk", "db", ""},
    {"group",
     FORMAT "builder fraction branching members ranks ranks-per-node seed in-process jobs platform quiet colors "
            "relative x y",
     "db", "plot"},
    {"learn",
     SELECTION "attribute fill smooth target confidence gain increment limit weight no-raising grouping trials "
               "unpruned window accuracy depth leaves mean folds leave-out seed test test-share print store-as",
     "db", "output data"},
    {"map", SELECTION "decision loss times", "db", "plot"},
    {"params", FORMAT "again compare flavor largest library max-error ranks quiet", "db", ""},
    {"penalty", SELECTION PREDICTORS "against collective ranks store-as times worst", "db", ""},
    {"predict", SELECTION PREDICTORS "method model ranks segments size times", "db output-db", "plot"},
    {"rank-maps", FORMAT "platform", "db", ""},
};

/* The permission of a program called "tutti NAME"; NULL if there is none. */
static const struct permission *find(const char *called)
{
  const char *name = strchr(called, ' ');
  for (size_t i = 0; name && i < sizeof permissions / sizeof *permissions; i++)
    if (strcmp(permissions[i].command, name + 1) == 0)
      return &permissions[i];
  return NULL;
}

/* Is a word in a list with blanks between? */
static bool has_word(const char *list, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = list; *at; at += strspn(at, " ")) {
    size_t other = strcspn(at, " ");
    if (other == length && strncmp(at, word, length) == 0)
      return true;
    at += other;
  }
  return false;
}

/* TUTTI_STEP is "DEPTH STORE". NULL: this process is no step. */
static const char *own_step(int *depth)
{
  const char *text = getenv(STEP_VARIABLE);
  char *end = NULL;
  *depth = text ? (int)strtol(text, &end, 10) : 0;
  return !text ? NULL : *end == ' ' ? end + 1 : end;
}

tutti_status step_environment(const char *store, char **value, tutti_error *error)
{
  int depth;
  own_step(&depth);
  *value = NULL;
  if (depth >= STEP_MAX_DEPTH)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "steps of steps more than %d deep: does an experiment run itself?",
                      STEP_MAX_DEPTH);
  *value = tutti_xprintf("%d %s", depth + 1, store);
  return TUTTI_OK;
}

char *step_folder(const char *store)
{
  return tutti_xprintf("%s.work/steps", store);
}

tutti_status step_check_command(const char *called, tutti_error *error)
{
  int depth;
  if (!own_step(&depth) || find(called))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "not allowed in a step of an experiment, unless by 'tutti bench --trust'");
}

/* Is it a file below the folder of steps? */
static bool is_below(const char *path, const char *store)
{
  char *folder = step_folder(store);
  size_t length = strlen(folder);
  bool below = strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1] && !strstr(path, "..");
  free(folder);
  return below;
}

tutti_status step_check_option(const char *called, const char *option, const char *value, tutti_error *error)
{
  int depth;
  const char *store = own_step(&depth);
  const struct permission *permission = find(called);
  if (!store || (permission && has_word(permission->any, option)))
    return TUTTI_OK;
  if (permission && has_word(permission->store, option))
    return value && strcmp(value, store) == 0
               ? TUTTI_OK
               : tutti_fail(error, TUTTI_ERR_ARGUMENT, "a step of an experiment may only name its own store, $db");
  if (permission && has_word(permission->written, option))
    return value && is_below(value, store)
               ? TUTTI_OK
               : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                            "a step of an experiment may only write below $work, unless by 'tutti bench --trust'");
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "not allowed in a step of an experiment, unless by 'tutti bench --trust'");
}
