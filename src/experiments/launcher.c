#include "experiments/launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* Launchers of a flavor, best first. The general names may belong to another MPI: the tutti-run record shows which. */
struct known {
  const char *flavor;
  const char *commands[5];
  const char *advice;
};

static const struct known *known_flavor(const char *flavor)
{
  static const struct known all[] = {
      {"smpi", {"smpirun"}, "smpirun not found in PATH: install SimGrid (Debian: simgrid)"},
      {"mpich",
       {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun"},
       "mpiexec.mpich not found in PATH: install MPICH (Debian: mpich)"},
      {"openmpi",
       {"mpiexec.openmpi", "mpirun.openmpi", "mpiexec", "mpirun"},
       "mpiexec.openmpi not found in PATH: install Open MPI (Debian: openmpi-bin)"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].flavor, flavor) == 0)
      return &all[i];
  return NULL;
}

static tutti_status find_command(const struct known *known, struct launcher *launcher, tutti_error *error)
{
  for (int i = 0; known->commands[i] && !launcher->command; i++)
    launcher->command = tutti_program_find(known->commands[i]);
  return launcher->command ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_LAUNCH, "%s", known->advice);
}

static int capture(char *const *arguments, const struct tutti_variable *variables, char *text, size_t length)
{
  const struct tutti_command command = {.arguments = arguments, .variables = variables, .directory = -1};
  return tutti_process_capture(&command, text, length);
}

/* "SimGrid version 3.32" is library SimGrid-3.32. */
static tutti_status ask_version(struct launcher *launcher, tutti_error *error)
{
  char text[256], version[32];
  char *arguments[] = {launcher->command, "-version", NULL};
  int code = capture(arguments, NULL, text, sizeof text);
  if (code == TUTTI_CAPTURE_LATE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version did not answer within %d s", launcher->command,
                      TUTTI_CAPTURE_SECONDS);
  if (code == TUTTI_CAPTURE_INTERRUPTED)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version was interrupted", launcher->command);
  if (code != 0 || sscanf(text, "SimGrid version %31s", version) != 1)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version does not print a version of SimGrid but '%.*s'",
                      launcher->command, (int)strcspn(text, "\n"), text);
  snprintf(launcher->library, sizeof launcher->library, "SimGrid-%s", version);
  return TUTTI_OK;
}

/* The dynamic linker complains on standard error about a library that it cannot preload, and goes on. */
static bool can_preload(void)
{
  char text[128];
  const struct tutti_variable preload[] = {{"LD_PRELOAD", LAUNCHER_PRELOAD}, {NULL, NULL}};
  char *command = tutti_program_find("true");
  char *arguments[] = {command, NULL};
  bool can = command && capture(arguments, preload, text, sizeof text) == 0 && !*text;
  free(command);
  return can;
}

/* Under SMPI the program is a shared object, which need not be executable. */
static tutti_status resolve_program(const char *name, const char *program, struct launcher *launcher,
                                    tutti_error *error)
{
  if (access(program, launcher->simulated ? R_OK : X_OK) != 0)
    return tutti_fail(
        error, TUTTI_ERR_LAUNCH,
        "no measuring program for flavor %s: %s: %s (where %s is installed, run cmake again and build the "
        "target %s-%s, or say --program PATH)",
        launcher->flavor, program, strerror(errno), launcher->simulated ? "smpicc" : "its mpicc", name,
        launcher->flavor);
  launcher->program = realpath(program, NULL);
  return launcher->program ? TUTTI_OK
                           : tutti_fail(error, TUTTI_ERR_IO, "%s: cannot resolve: %s", program, strerror(errno));
}

/* Commands that are named rather than found, and whose kind is not that of their flavor. */
static enum launcher_kind kind_of(const char *command, const char *flavor)
{
  const char *slash = strrchr(command, '/');
  if (strcmp(slash ? slash + 1 : command, "srun") == 0)
    return LAUNCHER_SRUN;
  return strcmp(flavor, "openmpi") == 0 ? LAUNCHER_OPENMPI : LAUNCHER_MPICH;
}

tutti_status tutti_launcher_open(const char *flavor, const char *name, const char *program, const char *platform,
                                 struct launcher *launcher, tutti_error *error)
{
  *launcher = (struct launcher){.simulated = strcmp(flavor, "smpi") == 0};
  const struct known *known = known_flavor(flavor);
  if (!known)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "unknown flavor %s: known are smpi, mpich, openmpi", flavor);
  launcher->flavor = tutti_xstrdup(flavor);
  launcher->kind = kind_of(flavor, flavor);
  tutti_status status = find_command(known, launcher, error);
  if (status == TUTTI_OK)
    status = resolve_program(name, program, launcher, error);
  if (status == TUTTI_OK && launcher->simulated)
    status = ask_version(launcher, error);
  if (status != TUTTI_OK || !launcher->simulated)
    return status;
  launcher->platform = realpath(platform, NULL);
  if (!launcher->platform)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot resolve: %s", platform, strerror(errno));
  launcher->preload = can_preload();
  launcher->queued = strcmp(name, "tutti-group") == 0;
  return TUTTI_OK;
}

/* The words in one block, the array before the text. */
static char **split_words(const char *text)
{
  size_t length = strlen(text) + 1, max = length / 2 + 1, count = 0;
  char **words = tutti_xcalloc(1, max * sizeof *words + length), *rest = NULL;
  char *copy = memcpy(words + max, text, length);
  for (char *word = strtok_r(copy, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
    words[count++] = word;
  return words;
}

static tutti_status name_command(struct launcher *launcher, const char *command, tutti_error *error)
{
  char *found = strchr(command, '/') ? realpath(command, NULL) : tutti_program_find(command);
  if (!found || access(found, X_OK) != 0) {
    free(found);
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "no launcher %s that can be executed", command);
  }
  free(launcher->command);
  launcher->command = found;
  return TUTTI_OK;
}

tutti_status tutti_launcher_choose(struct launcher *launcher, const char *command, const char *arguments,
                                   tutti_error *error)
{
  tutti_status status = command ? name_command(launcher, command, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  launcher->kind = kind_of(launcher->command, launcher->flavor);
  if (arguments)
    launcher->extra = split_words(arguments);
  return TUTTI_OK;
}

void tutti_launcher_close(struct launcher *launcher)
{
  free(launcher->extra);
  free(launcher->flavor);
  free(launcher->command);
  free(launcher->program);
  free(launcher->platform);
  *launcher = (struct launcher){0};
}
