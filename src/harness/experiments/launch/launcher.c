#include "harness/experiments/launch/launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "harness/experiments/launch/packages.h"
#include "harness/experiments/settings/settings.h"

/* Launchers of a flavor, best first. The general names may belong to another MPI: the tutti-run record shows which. */
struct known {
  const char *flavor;
  const char *commands[5];
  const char *name;
  enum tutti_packages packages;
};

static const struct known *known_flavor(const char *flavor)
{
  static const struct known all[] = {
      {"smpi", {"smpirun"}, "SimGrid", TUTTI_PACKAGES_SIMGRID},
      {TUTTI_FLAVOR_FAST, {NULL}, NULL, 0}, /* the program is all */
      {TUTTI_FLAVOR_FLOW, {NULL}, NULL, 0},
      {"mpich", {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun"}, "MPICH", TUTTI_PACKAGES_MPICH},
      {"openmpi", {"mpiexec.openmpi", "mpirun.openmpi", "mpiexec", "mpirun"}, "Open MPI", TUTTI_PACKAGES_OPENMPI},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].flavor, flavor) == 0)
      return &all[i];
  return NULL;
}

/* The path, owned by the caller; NULL with @p error filled in. */
static char *find_command(const struct known *known, tutti_error *error)
{
  char *command = NULL;
  for (int i = 0; known->commands[i] && !command; i++)
    command = tutti_program_find(known->commands[i]);
  if (!command)
    tutti_fail(error, TUTTI_ERR_LAUNCH, "%s not found in PATH: install %s (Debian: %s)", known->commands[0],
               known->name, tutti_packages(known->packages));
  return command;
}

char *tutti_launcher_find(const char *flavor, tutti_error *error)
{
  return find_command(known_flavor(flavor), error);
}

static int capture(char *const *arguments, const struct tutti_variable *variables, char *text, size_t length)
{
  const struct tutti_command command = {.arguments = arguments, .variables = variables, .directory = -1};
  return tutti_process_capture(&command, text, length);
}

enum { VERSION_LENGTH = 32 };

/* "3.32", which it calls "SimGrid version 3.32". */
static tutti_status ask_version(const char *smpirun, char version[VERSION_LENGTH], tutti_error *error)
{
  char text[256];
  char *arguments[] = {(char *)smpirun, "-version", NULL};
  int code = capture(arguments, NULL, text, sizeof text);
  if (code == TUTTI_CAPTURE_LATE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version did not answer within %d s", smpirun,
                      TUTTI_CAPTURE_SECONDS);
  if (code == TUTTI_CAPTURE_INTERRUPTED)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version was interrupted", smpirun);
  if (code != 0 || sscanf(text, "SimGrid version %31s", version) != 1)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s -version does not print a version of SimGrid but '%.*s'", smpirun,
                      (int)strcspn(text, "\n"), text);
  return TUTTI_OK;
}

static tutti_platform_options options_for(const tutti_platform *platform, const char *version)
{
  tutti_platform_options options = tutti_platform_options_for(platform, version);
  if (options.lost)
    tutti_say(stderr,
              "tutti: warning: %s: SimGrid %s takes nothing of %s for messages of %ld B or less: it begins with %g us "
              "there, but is not the same for all sizes\n",
              platform->path, version, options.lost->option, options.lost->from, 1e6 * options.lost->seconds);
  return options;
}

tutti_status tutti_launcher_platform_options(const char *smpirun, const tutti_platform *platform,
                                             tutti_platform_options *options, tutti_error *error)
{
  char version[VERSION_LENGTH];
  tutti_status status = ask_version(smpirun, version, error);
  if (status == TUTTI_OK)
    *options = options_for(platform, version);
  return status;
}

tutti_status tutti_launcher_library(const char *smpirun, char library[LAUNCHER_LIBRARY_LENGTH], tutti_error *error)
{
  char version[VERSION_LENGTH];
  tutti_status status = ask_version(smpirun, version, error);
  if (status == TUTTI_OK)
    snprintf(library, LAUNCHER_LIBRARY_LENGTH, "SimGrid-%s", version);
  return status;
}

tutti_status tutti_launcher_check_beside(const char *platform, tutti_error *error)
{
  if (tutti_launcher_is_plain(platform))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s names files, which SimGrid looks for beside it: give it a path of letters, digits and "
                    "/._-+,=@%%",
                    platform);
}

/* Version and platform of a simulation. */
static tutti_status open_simulation(struct launcher *launcher, const tutti_platform *platform, tutti_error *error)
{
  char version[VERSION_LENGTH];
  tutti_status status = launcher->fast ? TUTTI_OK : ask_version(launcher->command, version, error);
  if (status != TUTTI_OK)
    return status;
  if (launcher->fast)
    snprintf(launcher->library, sizeof launcher->library, "%s", tutti_engine_library(launcher->flavor));
  else {
    snprintf(launcher->library, sizeof launcher->library, "SimGrid-%s", version);
    launcher->options = options_for(platform, version);
  }
  launcher->eager = platform->eager;
  launcher->platform = realpath(platform->path, NULL);
  if (!launcher->platform)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot resolve: %s", platform->path, strerror(errno));
  return platform->has_files ? tutti_launcher_check_beside(launcher->platform, error) : TUTTI_OK;
}

/* Whether jemalloc can be preloaded. If not, the dynamic linker prints an error and continues. */
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

/* Whether the program is DIRECTORY/FLAVOR/NAME, where programs of a flavor are searched, and the folder is missing. */
static bool lacks_folder(const char *flavor, const char *program)
{
  char *folder = tutti_xstrdup(program), *slash = strrchr(folder, '/');
  if (slash)
    *slash = '\0';
  const char *last = strrchr(folder, '/');
  bool lacks = slash && last && strcmp(last + 1, flavor) == 0 && access(folder, F_OK) != 0;
  free(folder);
  return lacks;
}

char *tutti_launcher_left_out(const char *flavor, const char *program)
{
  char *installed = tutti_self_path("../libexec/tutti");
  bool is_installed = installed && access(installed, F_OK) == 0;
  free(installed);
  if (!lacks_folder(flavor, program))
    return NULL;
  return is_installed ? tutti_xprintf("flavor %s is not installed: install the package tutti-%s, or, of a Tutti built "
                                      "from source, run cmake with %s in TUTTI_FLAVORS_WANTED and install it again",
                                      flavor, flavor, flavor)
                      : tutti_xprintf("flavor %s was left out of this build of Tutti: run cmake again where its "
                                      "compiler is found, with %s in TUTTI_FLAVORS_WANTED",
                                      flavor, flavor);
}

/* All commands that start measuring programs have --build-dir. */
tutti_status tutti_launcher_fail_program(const char *flavor, const char *name, const char *program, tutti_error *error)
{
  const char *reason = strerror(errno);
  char *advice = tutti_launcher_left_out(flavor, program);
  if (!advice)
    advice = tutti_xprintf("build the target %s-%s", name, flavor);
  tutti_fail(error, TUTTI_ERR_LAUNCH,
             "no measuring program for flavor %s: %s: %s: %s, or say --build-dir DIR for DIR/%s/%s", flavor, program,
             reason, advice, flavor, name);
  free(advice);
  return TUTTI_ERR_LAUNCH;
}

/* Under SMPI the program is a shared object, which need not be executable. The fast engine is its own launcher. */
static tutti_status resolve_program(const char *name, const char *program, struct launcher *launcher,
                                    tutti_error *error)
{
  if (access(program, launcher->simulated && !launcher->fast ? R_OK : X_OK) != 0)
    return tutti_launcher_fail_program(launcher->flavor, name, program, error);
  launcher->program = realpath(program, NULL);
  return launcher->program ? TUTTI_OK
                           : tutti_fail(error, TUTTI_ERR_IO, "%s: cannot resolve: %s", program, strerror(errno));
}

bool tutti_launcher_is_srun(const char *command)
{
  const char *slash = strrchr(command, '/');
  return strcmp(slash ? slash + 1 : command, "srun") == 0;
}

/* Commands that are named rather than found, and whose kind is not that of their flavor. */
static enum launcher_kind kind_of(const char *command, const char *flavor)
{
  if (tutti_launcher_is_srun(command))
    return LAUNCHER_SRUN;
  return strcmp(flavor, "openmpi") == 0 ? LAUNCHER_OPENMPI : LAUNCHER_MPICH;
}

tutti_status tutti_launcher_open(const char *flavor, const char *name, const char *program,
                                 const tutti_platform *platform, struct launcher *launcher, tutti_error *error)
{
  *launcher = (struct launcher){.simulated = tutti_flavor_is_simulated(flavor), .fast = tutti_flavor_is_engine(flavor)};
  const struct known *known = known_flavor(flavor);
  if (!known)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "unknown flavor %s: known are smpi, fast, flow, mpich, openmpi",
                      flavor);
  launcher->flavor = tutti_xstrdup(flavor);
  launcher->kind = kind_of(flavor, flavor);
  launcher->command = launcher->fast ? NULL : find_command(known, error);
  tutti_status status =
      launcher->command || launcher->fast ? resolve_program(name, program, launcher, error) : TUTTI_ERR_LAUNCH;
  if (status == TUTTI_OK)
    status = tutti_settings_check_files(flavor, error);
  if (status == TUTTI_OK && launcher->simulated)
    status = open_simulation(launcher, platform, error);
  if (status != TUTTI_OK || !launcher->simulated)
    return status;
  launcher->preload = !launcher->fast && can_preload();
  launcher->queued = strcmp(name, "tutti-group") == 0 && !tutti_platform_contends(platform);
  return TUTTI_OK;
}

tutti_status tutti_launcher_open_installed(const struct tutti_installation *installation, const char *name,
                                           const char *program, struct launcher *launcher, tutti_error *error)
{
  *launcher = (struct launcher){.flavor = tutti_xstrdup(installation->flavor),
                                .kind = kind_of(installation->words[0], installation->flavor),
                                .command = tutti_xstrdup(installation->words[0]),
                                .installation = installation};
  if (!installation->program)
    return resolve_program(name, program, launcher, error);
  launcher->program = tutti_xstrdup(installation->program); /* it may be in a root */
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

/* ---- cores ---- */

/* Processors of one group of nodes, "3" or "4(x2)"; 0 if the text begins otherwise. */
static long parse_nodes(const char **text)
{
  int cores = 0, nodes = 1, length = 0;
  if (sscanf(*text, "%6d%n", &cores, &length) != 1)
    return 0;
  *text += length;
  length = 0;
  if (**text == '(' && (sscanf(*text, "(x%6d)%n", &nodes, &length) != 1 || length == 0))
    return 0;
  *text += length;
  return cores > 0 && nodes > 0 ? (long)cores * nodes : 0;
}

int tutti_launcher_count_allocated(const char *text)
{
  for (long all = 0;;) {
    long group = parse_nodes(&text);
    all += group;
    if (group == 0 || all > INT_MAX)
      return 0;
    if (*text == '\0')
      return (int)all;
    if (*text++ != ',')
      return 0;
  }
}

int tutti_launcher_cores(const struct launcher *launcher)
{
  const char *allocated = getenv("SLURM_JOB_CPUS_PER_NODE");
  uint64_t processors[TUTTI_PROCESSORS_WORDS];
  if (launcher->simulated || launcher->placed)
    return 0;
  if (allocated && *allocated)
    return tutti_launcher_count_allocated(allocated);
  return launcher->kind == LAUNCHER_SRUN ? 0 /* it would ask for an allocation */ : tutti_machine_affinity(processors);
}

tutti_status tutti_launcher_check_ranks(const struct launcher *launcher, int ranks, const char *what,
                                        tutti_error *error)
{
  int cores = launcher->oversubscribe ? 0 : tutti_launcher_cores(launcher);
  if (cores == 0 || ranks <= cores)
    return TUTTI_OK;
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s: %d ranks are more than the %d core%s that they can have, so that times would be those of ranks "
      "that wait for a core: --oversubscribe measures them all the same",
      what, ranks, cores, tutti_plural((uint64_t)cores));
}

void tutti_launcher_warn(const struct launcher *launcher)
{
  char *ignored = tutti_settings_ignored_file(launcher->flavor, launcher->command, launcher->extra);
  if (ignored)
    tutti_say(stderr, "tutti: warning: %s\n", ignored);
  free(ignored);
  double load = tutti_machine_load();
  int cores = tutti_machine_cores();
  bool here = tutti_launcher_cores(launcher) > 0 && !getenv("SLURM_JOB_CPUS_PER_NODE");
  if (here && cores > 0 && load > cores)
    tutti_say(stderr,
              "tutti: warning: the load of this machine is %.1f, above its %d core%s: ranks will wait for cores, and "
              "times will be too long\n",
              load, cores, tutti_plural((uint64_t)cores));
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
