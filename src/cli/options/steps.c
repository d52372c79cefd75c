#include "cli/options/steps.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/words.h"

#define FORMAT "json csv "
#define SELECTION                                                                                                      \
  FORMAT "platform scheme platform-hash flavor engine library tutti-version ranks-per-node native rounds-apart "       \
         "points root arrival noise "                                                                                  \
         "robust "
#define PREDICTORS "by parameters gamma delta printed jobs element "

/* What a step may call, and with which options: with any value; with the store of the step; with a file below $work. */
static const struct permission {
  const char *command, *any, *store, *written;
} permissions[] = {
    {"bench", FORMAT "engine orders jobs job-timeout quiet again chunk", "db", ""},
    {"group",
     FORMAT
     "builder fraction branching members ranks ranks-per-node seed in-process jobs job-timeout platform engine quiet "
     "colors relative x y",
     "db", "plot"},
    {"learn",
     SELECTION "attribute fill smooth target margin confidence gain increment limit weight no-raising grouping trials "
               "unpruned window accuracy depth leaves mean folds leave-out seed test test-share print store-as",
     "db", "output data"},
    {"map", SELECTION "decision loss mine times", "db", "plot"},
    {"params", FORMAT "again compare flavor job-timeout largest library max-error ranks quiet", "db", ""},
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
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not allowed in a step of an experiment, unless by tutti bench --trust");
}

static bool begins_with_folder(const char *path, const char *folder)
{
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* Do links lead out of the folder on the way to a file in it, or from the file itself? A folder that is not there leads
   nowhere: writing fails. */
static bool leads_out(const char *path, const char *folder)
{
  char *copy = tutti_xstrdup(path), real_folder[PATH_MAX], real_parent[PATH_MAX];
  struct stat there;
  bool out = (lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) ||
             (realpath(dirname(copy), real_parent) && realpath(folder, real_folder) &&
              !begins_with_folder(real_parent, real_folder));
  free(copy);
  return out;
}

/* Is it a file below the folder of steps? */
static bool is_below(const char *path, const char *store)
{
  char *folder = step_folder(store);
  size_t length = strlen(folder);
  bool below = begins_with_folder(path, folder) && path[length] && path[length + 1] && !strstr(path, "..") &&
               !leads_out(path, folder);
  free(folder);
  return below;
}

tutti_status step_check_option(const char *called, const char *option, const char *value, tutti_error *error)
{
  int depth;
  const char *store = own_step(&depth);
  const struct permission *permission = find(called);
  if (!store || (permission && tutti_word_is_listed(permission->any, ' ', option)))
    return TUTTI_OK;
  if (permission && tutti_word_is_listed(permission->store, ' ', option))
    return value && strcmp(value, store) == 0
               ? TUTTI_OK
               : tutti_fail(error, TUTTI_ERR_ARGUMENT, "a step of an experiment may only name its own store, $db");
  if (permission && tutti_word_is_listed(permission->written, ' ', option))
    return value && is_below(value, store)
               ? TUTTI_OK
               : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                            "a step of an experiment may only write below $work, unless by tutti bench --trust");
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not allowed in a step of an experiment, unless by tutti bench --trust");
}
