/* MPI libraries and SimGrid: launchers, measuring programs, and whether these start. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/doctor/doctor.h"
#include "harness/experiments/launch/launcher.h"
#include "harness/experiments/launch/packages.h"
#include "harness/experiments/plan/simulation.h"
#include "tutti/record.h"

/* ---- the measuring programs of a flavor ---- */

static const struct program {
  const char *name, *flavors, *use;
} programs[] = {
    {"tutti-bench", "smpi fast openmpi mpich", "all that measures collectives"},
    {"tutti-group", "smpi fast openmpi mpich", "tutti group and experiments with groups"},
    {"tutti-sort", "smpi openmpi mpich", "experiments that sort"},
    {"tutti-range", "smpi fast openmpi mpich", "experiments with ranges of ranks"},
    {"tutti-params", "smpi openmpi mpich", "tutti params"},
    {"tutti-pingpong", "smpi", "tutti platform check"},
    {"tutti-replay", "smpi", "tutti replay --engine smpi"},
};

/* The first bytes of a file, which say for which machine it is; zeros after its end. */
static bool read_head(const char *path, unsigned char head[EI_NIDENT + 4])
{
  memset(head, 0, EI_NIDENT + 4);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool begun = file >= 0 && read(file, head, EI_NIDENT + 4) > 0;
  if (file >= 0)
    close(file);
  return begun;
}

/* Why a program that is there cannot run; NULL: it can, as far as is seen without starting it. Under SMPI it is a
   shared object, which need not be executable. */
static const char *fault_of(const char *path, bool is_object)
{
  unsigned char head[EI_NIDENT + 4], own[EI_NIDENT + 4];
  struct stat status;
  if (stat(path, &status) != 0)
    return strerror(errno);
  if (!S_ISREG(status.st_mode))
    return "it is no file";
  if (access(path, is_object ? R_OK : X_OK) != 0)
    return is_object ? "it cannot be read" : "it is not executable";
  if (!read_head(path, head))
    return "it is no program";
  if (head[0] == '#' && head[1] == '!')
    return NULL;
  if (memcmp(head, ELFMAG, SELFMAG) != 0)
    return "it is no program";
  bool same = read_head("/proc/self/exe", own) && head[EI_CLASS] == own[EI_CLASS] &&
              memcmp(head + EI_NIDENT + 2, own + EI_NIDENT + 2, 2) == 0;
  return same ? NULL : "it is for another kind of processor";
}

/* Does the program lie where Tutti was installed? */
static bool is_installed(const char *path)
{
  return strstr(path, "/libexec/tutti/") != NULL;
}

static void append(FILE *stream, const char *format, const char *name, const char *more)
{
  fprintf(stream, "%s", ftell(stream) > 0 ? "; " : "");
  fprintf(stream, format, name, more);
}

static void check_program(const struct doctor_options *options, const char *flavor, const struct program *program,
                          FILE *missing, struct findings *findings)
{
  char *path = program_find(&options->launch, flavor, program->name), *name = tutti_xstrdup(program->name);
  const char *fault = access(path, F_OK) == 0 ? fault_of(path, strcmp(flavor, "smpi") == 0) : NULL;
  if (!is_installed(path)) { /* what the target is called that makes it */
    free(name);
    name = tutti_xprintf("%s-%s", program->name, flavor);
  }
  if (access(path, F_OK) != 0)
    append(missing, "%s, for %s", name, program->use);
  else if (fault)
    findings_add(findings, "programs", "failed", "%s: %s; %s needs it", path, fault, program->use);
  free(name);
  free(path);
}

static void check_programs(const struct doctor_options *options, const char *flavor, struct findings *findings)
{
  struct tutti_text_stream missing;
  char *first = program_find(&options->launch, flavor, programs[0].name), *left_out = NULL;
  left_out = tutti_launcher_left_out(flavor, first);
  tutti_xopen_text(&missing);
  for (size_t i = 0; !left_out && i < sizeof programs / sizeof *programs; i++)
    if (strstr(programs[i].flavors, flavor))
      check_program(options, flavor, &programs[i], missing.stream, findings);
  char *names = tutti_xclose_text(&missing);
  if (*names)
    findings_add(findings, "programs", "missing", "%s of flavor %s: %s",
                 is_installed(first) ? "not installed" : "targets that are not built", flavor, names);
  free(names);
  free(left_out);
  free(first);
}

enum { PROBE_SECONDS = 20, PROBE_TEXT = 8192 };

/* ---- a real library: a launch of one rank that measures nothing, as tutti bench begins with ---- */

/* A points file with these lines, "" for none; owned by the caller, for remove_points(). NULL: there is no room. */
static char *make_points(const char *lines)
{
  char *path = tutti_xstrdup("/tmp/tutti-doctor-XXXXXX"), points[128];
  int file = mkstemp(path), length = snprintf(points, sizeof points, "tutti-points v=1\n%s", lines);
  bool written = file >= 0 && write(file, points, (size_t)length) == length;
  if (file >= 0)
    close(file);
  if (written)
    return path;
  if (file >= 0)
    unlink(path);
  free(path);
  return NULL;
}

static void remove_points(char *path)
{
  if (path)
    unlink(path);
  free(path);
}

static int launch(const struct launcher *launcher, char *points, char *text, size_t length)
{
  const struct launch one = {.ranks = 1};
  char preload[LAUNCH_PRELOAD_LENGTH];
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  char *arguments[] = {launcher->command, "-n", "1", launcher->program, "--points", points, NULL};
  const struct tutti_command command = {
      .arguments = arguments, .variables = variables, .directory = -1, .seconds = PROBE_SECONDS};
  tutti_launcher_environment(launcher, &one, preload, variables);
  return tutti_process_capture(&command, text, length);
}

/* The tutti-run record among the lines. */
static bool find_run(char *text, tutti_record *run)
{
  for (char *line; (line = strsep(&text, "\n"));)
    if (tutti_record_parse(line, run, NULL) == TUTTI_OK && run->kind == TUTTI_RECORD_RUN)
      return true;
  return false;
}

/* The first line of what a program said. */
static const char *first_line(char *text)
{
  text += strspn(text, "- \t\n");
  text[strcspn(text, "\n")] = '\0';
  return text;
}

/* Ranks that are not bound may come to share a core, and some launches are slow for that alone. */
static void add_launch(const struct launcher *launcher, const char *check, const tutti_record *run,
                       struct findings *findings)
{
  const bool mpich = strcmp(launcher->flavor, "mpich") == 0, unbound = strcmp(run->binding, "unbound") == 0;
  const char *binds = mpich ? "-bind-to core" : "--bind-to core";
  char *advice = tutti_xprintf("; %s binds no ranks by itself: tutti bench --launcher-args '%s' does",
                               mpich ? "MPICH" : "the library", binds);
  struct finding *finding = findings_add(findings, check, "ok", "%s, %s, binding of one rank: %s%s", run->library,
                                         launcher->command, run->binding, unbound ? advice : "");
  finding->binds = unbound ? binds : NULL;
  free(advice);
}

static void check_launch(const struct launcher *launcher, const char *check, struct findings *findings)
{
  char *text = tutti_xcalloc(1, PROBE_TEXT), *points = make_points("");
  tutti_record run;
  int code = points ? launch(launcher, points, text, PROBE_TEXT) : TUTTI_CAPTURE_FAILED;
  char *copy = tutti_xstrdup(text);
  bool right = find_run(copy, &run) && strcmp(run.flavor, launcher->flavor) == 0;
  if (code == 0 && right) {
    add_launch(launcher, check, &run, findings);
    findings->measurable = findings->by_library = true;
  } else if (code == TUTTI_CAPTURE_LATE)
    findings_add(findings, check, "failed", "%s did not start a rank within %d s", launcher->command, PROBE_SECONDS);
  else
    findings_add(findings, check, "failed", "%s does not start %s: %s", launcher->command, launcher->program,
                 code == 0 ? "it is the launcher of another MPI" : first_line(text));
  remove_points(points);
  free(copy);
  free(text);
}

static void add_settings(const struct launcher *launcher, struct findings *findings)
{
  struct tutti_settings_part parts[TUTTI_SETTINGS_PARTS];
  size_t count = tutti_settings_parts(launcher->flavor, launcher->command, parts);
  for (size_t i = 0; i < count; i++) {
    findings_add(findings, "settings", "note", "that change times of %s, from %s: %s", launcher->flavor, parts[i].from,
                 parts[i].text);
    free(parts[i].from);
    free(parts[i].text);
  }
  char *ignored = tutti_settings_ignored_file(launcher->flavor, launcher->command, NULL);
  if (ignored)
    findings_add(findings, "settings", "warning", "%s", ignored);
  free(ignored);
}

/* ---- simulation ---- */

/* One broadcast of two ranks on a platform that every installation has. */
static tutti_status simulate(const char *program, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = platform_load("grig_mx", &platform, error);
  if (status != TUTTI_OK)
    return status;
  char *points = make_points("bcast/binomial root=0 count=8 type_B=1\n"), *text = tutti_xcalloc(1, PROBE_TEXT);
  char *words[] = {"--points", points, NULL};
  const struct simulation simulation = {.platform = &platform,
                                        .name = "tutti-bench",
                                        .program = program,
                                        .words = words,
                                        .ranks = 2,
                                        .seconds = PROBE_SECONDS,
                                        .shares_variables = true};
  status = points ? tutti_simulation_run(&simulation, text, PROBE_TEXT, error)
                  : tutti_fail(error, TUTTI_ERR_IO, "no file can be made in /tmp");
  if (status == TUTTI_OK && !strstr(text, "\ntutti-measurement "))
    status = tutti_fail(error, TUTTI_ERR_LAUNCH, "%s measured nothing under smpirun", program);
  remove_points(points);
  free(text);
  tutti_platform_free(&platform);
  return status;
}

static void check_simulation(const struct launcher *launcher, struct findings *findings)
{
  tutti_error error;
  if (simulate(launcher->program, &error) != TUTTI_OK) {
    findings_add(findings, "simgrid", "failed", "%s", error.message);
    return;
  }
  findings_add(findings, "simgrid", "ok", "%s, %s", launcher->library, launcher->command);
  findings->measurable = findings->by_library = true;
}

/* The engine is its own launcher, and part of Tutti. */
static void check_engine(const struct doctor_options *options, struct findings *findings)
{
  char *program = program_find(&options->launch, TUTTI_FLAVOR_FAST, "tutti-bench"), *points = make_points("");
  char text[PROBE_TEXT] = "";
  tutti_platform platform = {0};
  tutti_error error;
  if (access(program, F_OK) != 0)
    findings_add(findings, "fast", "failed", "%s is not there: --engine fast needs it", program);
  else if (platform_load("grig_mx", &platform, &error) != TUTTI_OK)
    findings_add(findings, "fast", "failed", "%s", error.message);
  else {
    char *arguments[] = {program, "--ranks", "1", "--platform", platform.path, "--points", points, NULL};
    const struct tutti_command command = {.arguments = arguments, .directory = -1, .seconds = PROBE_SECONDS};
    bool works = points && tutti_process_capture(&command, text, sizeof text) == 0;
    findings->measurable |= works;
    findings_add(findings, "fast", works ? "ok" : "failed",
                 works ? "Tutti's own engine, %s: simulates without SimGrid (--engine fast)" : "%s does not start: %s",
                 program, first_line(text));
  }
  remove_points(points);
  free(program);
  tutti_platform_free(&platform);
}

/* ---- all ---- */

/* Without its compiler cmake cannot build for a library. */
static bool has_compiler(const char *flavor)
{
  char *name = strcmp(flavor, "smpi") == 0 ? tutti_xstrdup("smpicc") : tutti_xprintf("mpicc.%s", flavor);
  char *found = tutti_program_find(name);
  const bool has = found;
  free(found);
  free(name);
  return has;
}

static void note_left_out(struct findings *findings, const char *check)
{
  char *before = findings->left_out;
  findings->left_out = tutti_xprintf("%s%s%s", before ? before : "", before ? ", " : "", check);
  free(before);
}

static void add_failure(const struct launcher *launcher, const char *flavor, const char *check, const char *program,
                        const char *packages, const char *why, struct findings *findings)
{
  char *left_out = launcher->command ? tutti_launcher_left_out(flavor, program) : NULL;
  struct finding *finding =
      left_out ? findings_add(findings, check, "missing", "%s is here, but %s", launcher->command, left_out)
               : findings_add(findings, check, launcher->command ? "failed" : "missing", "%s", why);
  if (!launcher->command || (left_out && !has_compiler(flavor)))
    finding->install = tutti_xstrdup(packages);
  if (left_out)
    note_left_out(findings, check);
  free(left_out);
}

static void check_library(const struct doctor_options *options, const char *flavor, const char *check,
                          enum tutti_packages packages, struct findings *findings)
{
  const tutti_platform any = {.path = "/"};
  struct launcher launcher;
  tutti_error error;
  char *program = program_find(&options->launch, flavor, "tutti-bench");
  tutti_status status = tutti_launcher_open(flavor, "tutti-bench", program, &any, &launcher, &error);
  if (status != TUTTI_OK)
    add_failure(&launcher, flavor, check, program, tutti_packages(packages), error.message, findings);
  else if (launcher.simulated)
    check_simulation(&launcher, findings);
  else
    check_launch(&launcher, check, findings);
  if (launcher.command)
    check_programs(options, flavor, findings);
  if (launcher.command)
    add_settings(&launcher, findings);
  tutti_launcher_close(&launcher);
  free(program);
}

void doctor_check_simulators(const struct doctor_options *options, struct findings *findings)
{
  check_library(options, "smpi", "simgrid", TUTTI_PACKAGES_SIMGRID, findings);
  check_engine(options, findings);
  check_programs(options, TUTTI_FLAVOR_FAST, findings);
}

void doctor_check_libraries(const struct doctor_options *options, struct findings *findings)
{
  check_library(options, "openmpi", "openmpi", TUTTI_PACKAGES_OPENMPI, findings);
  check_library(options, "mpich", "mpich", TUTTI_PACKAGES_MPICH, findings);
}
