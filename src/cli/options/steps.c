#include "cli/options/steps.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/words.h"
#include "tutti/experiment.h"
#include "tutti/platform.h"

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
     "colors relative title x y",
     "db", "plot"},
    {"learn",
     SELECTION "attribute fill smooth target margin confidence gain increment limit weight no-raising grouping trials "
               "unpruned window accuracy depth leaves mean folds leave-out seed test-share print store-as",
     "db", "output data"},
    {"map", SELECTION "latex decision gap loss mine times title curves ranks size", "db", "plot"},
    {"params", FORMAT "again compare flavor job-timeout largest library max-error ranks quiet", "db", ""},
    {"penalty", SELECTION PREDICTORS "latex against collective ranks store-as times worst", "db", ""},
    {"predict", SELECTION PREDICTORS "method model ranks segments size times title", "db output-db", "plot"},
    {"rank-maps", FORMAT "platform", "db", ""},
};

bool step_is_program(const char *name)
{
  return strcmp(name, "tutti-rank-maps") == 0;
}

/* The permission of a program called "tutti NAME"; NULL if there is none. */
static const struct permission *find(const char *called)
{
  const char *name = strchr(called, ' ');
  for (size_t i = 0; name && i < sizeof permissions / sizeof *permissions; i++)
    if (strcmp(permissions[i].command, name + 1) == 0)
      return &permissions[i];
  return NULL;
}

/* TUTTI_STEP is "DEPTH LENGTH HERE STORE", with the length of HERE in bytes. */
struct own_step {
  int depth;
  const char *here, *store; /* NULL: this process is no step */
  size_t length;
};

static struct own_step own_step(void)
{
  struct own_step step = {.depth = 0};
  const char *text = getenv(STEP_VARIABLE);
  char *end = NULL;
  if (!text)
    return step;
  step.depth = (int)strtol(text, &end, 10);
  step.length = strtoul(end, &end, 10);
  step.here = *end ? end + 1 : end;
  step.length = strnlen(step.here, step.length);
  step.store = step.here + step.length + (step.here[step.length] == ' ');
  return step;
}

tutti_status step_environment(const char *here, const char *store, char **value, tutti_error *error)
{
  const int depth = own_step().depth;
  *value = NULL;
  if (depth >= STEP_MAX_DEPTH)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "steps of steps more than %d deep: does an experiment run itself?",
                      STEP_MAX_DEPTH);
  *value = tutti_xprintf("%d %zu %s %s", depth + 1, strlen(here), here, store);
  return TUTTI_OK;
}

char *step_folder(const char *store)
{
  return tutti_xprintf("%s.work/steps", store);
}

static void confine_to(char *folder)
{
  tutti_input_confine(folder, "a step of an experiment may only read in the folder of its file, in $work, and where "
                              "platforms and experiments are found by name, unless by tutti bench --trust");
  free(folder);
}

void step_confine(void)
{
  const struct own_step step = own_step();
  if (!step.store)
    return;
  confine_to(tutti_xstrndup(step.here, step.length));
  confine_to(step_folder(step.store));
  char *experiments, *platforms = tutti_platform_directories(), *rest = platforms;
  if (tutti_experiments_find(&experiments, NULL) == TUTTI_OK)
    confine_to(experiments);
  for (char *folder; (folder = strsep(&rest, ":"));)
    confine_to(tutti_xstrdup(folder));
  free(platforms);
  tutti_input_confine_programs();
}

tutti_status step_check_command(const char *called, tutti_error *error)
{
  if (!own_step().store || find(called))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not allowed in a step of an experiment, unless by tutti bench --trust");
}

/* Do links lead out of the folder on the way to a file in it, or from the file itself? A folder that is not there leads
   nowhere: writing fails. */
static bool leads_out(const char *path, const char *folder)
{
  char *copy = tutti_xstrdup(path), real_folder[PATH_MAX], real_parent[PATH_MAX];
  struct stat there;
  bool out = (lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) ||
             (realpath(dirname(copy), real_parent) && realpath(folder, real_folder) &&
              !tutti_folder_has(real_folder, real_parent));
  free(copy);
  return out;
}

/* Whether it is a file below the folder of steps. */
static bool is_below(const char *path, const char *store)
{
  char *folder = step_folder(store);
  size_t length = strlen(folder);
  bool below = tutti_folder_has(folder, path) && path[length] && path[length + 1] && !strstr(path, "..") &&
               !leads_out(path, folder);
  free(folder);
  return below;
}

tutti_status step_check_option(const char *called, const char *option, const char *value, tutti_error *error)
{
  const char *store = own_step().store;
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
