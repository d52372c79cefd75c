/* The measuring programs of a flavor: which are there, which could run on this machine, and what needs each of them. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "harness/experiments/launch/launcher.h"

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

void doctor_check_programs(const struct doctor_options *options, const char *flavor, struct findings *findings)
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
