/* What starts the ranks, and how it hands variables on to them. */
#include <limits.h>

#include "cli/run/run.h"

/* ---- which it is ---- */

static const char *name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* "mpiexec", "mpiexec.mpich": the name, or what follows it is a version. */
static bool is_named(const char *name, const char *launcher)
{
  size_t length = strlen(launcher);
  return strncmp(name, launcher, length) == 0 && (!name[length] || name[length] == '.' || name[length] == '-');
}

/* Names that belong to one library: those of its own launchers, and the versions of mpiexec. */
static const char *flavor_of_launcher(const char *name)
{
  if (is_named(name, "orterun") || is_named(name, "prterun") || strstr(name, "openmpi"))
    return "openmpi";
  return strstr(name, "mpich") || strstr(name, "hydra") ? "mpich" : NULL;
}

enum run_launcher run_launcher_of(const char *word, const char **flavor)
{
  const char *name = name_of(word);
  char *path = strchr(word, '/') ? tutti_xstrdup(word) : tutti_program_find(word), whole[PATH_MAX];
  *flavor = NULL;
  if (is_named(name, "srun")) {
    free(path);
    return RUN_LAUNCHER_SRUN;
  }
  const bool starts =
      is_named(name, "mpiexec") || is_named(name, "mpirun") || is_named(name, "orterun") || is_named(name, "prterun");
  if (starts) /* a link to the launcher of a library, or a program that is linked with parts of it */
    *flavor = flavor_of_launcher(name);
  if (starts && !*flavor && path && realpath(path, whole))
    *flavor = flavor_of_launcher(name_of(whole));
  if (starts && !*flavor && path)
    *flavor = run_flavor_of_file(path);
  free(path);
  if (!*flavor)
    return RUN_LAUNCHER_NONE;
  return strcmp(*flavor, "openmpi") == 0 ? RUN_LAUNCHER_OPENMPI : RUN_LAUNCHER_MPICH;
}

/* ---- the command ---- */

void run_variables_add(struct run_variables *variables, const char *name, const char *value)
{
  const struct run_variable variable = {tutti_xstrdup(name), tutti_xstrdup(value)};
  tutti_xpush(variables, variable);
}

static void add_word(struct run_words *words, const char *word)
{
  tutti_xpush(words, tutti_xstrdup(word));
}

static void variables_clear(struct run_variables *variables)
{
  for (size_t i = 0; i < variables->count; i++) {
    free(variables->items[i].name);
    free(variables->items[i].value);
  }
  variables->count = 0;
}

static void add_options(struct run_words *words, enum run_launcher launcher, const struct run_variables *variables)
{
  for (size_t i = 0; i < variables->count; i++) {
    const struct run_variable *variable = &variables->items[i];
    add_word(words, launcher == RUN_LAUNCHER_OPENMPI ? "-x" : "-genv");
    if (launcher == RUN_LAUNCHER_OPENMPI)
      tutti_xpush(words, tutti_xprintf("%s=%s", variable->name, variable->value));
    else {
      add_word(words, variable->name);
      add_word(words, variable->value);
    }
  }
}

/* srun hands its own environment on, unless it is told not to. LD_PRELOAD there would preload srun, too. */
static void add_export(struct run_words *words, const struct option_strings *command, struct run_variables *variables)
{
  for (size_t i = 1; i < command->count; i++)
    if (strncmp(command->items[i], "--export", strlen("--export")) == 0 &&
        strncmp(command->items[i], "--export-file", strlen("--export-file")) != 0)
      die("%s: tutti run says --export itself, so that the ranks have its variables: set yours before tutti run",
          command->items[i]);
  for (size_t i = 0; i < variables->count; i++) {
    struct run_variable *variable = &variables->items[i];
    if (strcmp(variable->name, "LD_PRELOAD") != 0)
      continue;
    if (strchr(variable->value, ','))
      die("%s: srun --export takes no value with a comma", variable->value);
    tutti_xpush(words, tutti_xprintf("--export=ALL,LD_PRELOAD=%s", variable->value));
    free(variable->name);
    free(variable->value);
    *variable = variables->items[--variables->count];
    return;
  }
}

struct run_words run_compose(const struct option_strings *command, enum run_launcher launcher,
                             struct run_variables *variables)
{
  struct run_words words = {.items = NULL};
  const bool told = launcher == RUN_LAUNCHER_OPENMPI || launcher == RUN_LAUNCHER_MPICH;
  add_word(&words, command->items[0]);
  if (launcher == RUN_LAUNCHER_SRUN)
    add_export(&words, command, variables);
  if (told)
    add_options(&words, launcher, variables);
  for (size_t i = 1; i < command->count; i++) {
    add_word(&words, command->items[i]);
    if (launcher == RUN_LAUNCHER_OPENMPI && strcmp(command->items[i], ":") == 0) /* -x is of one program of several */
      add_options(&words, launcher, variables);
  }
  if (told)
    variables_clear(variables);
  return words;
}
