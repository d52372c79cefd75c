#include "cli/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/self.h"

int program_jobs(const struct program_options *options)
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return options->jobs > 0 ? options->jobs : online > 0 ? (int)online : 1;
}

/* DIRECTORY/FLAVOR/NAME, owned by the caller; takes the directory, without which it is NAME. */
static char *program_in(char *directory, const char *flavor, const char *name)
{
  char *path = directory ? tutti_xprintf("%s/%s/%s", directory, flavor, name) : tutti_xstrdup(name);
  free(directory);
  return path;
}

char *program_find(const struct program_options *options, const char *flavor, const char *name)
{
  if (options->program)
    return tutti_xstrdup(options->program);
  if (options->build_dir)
    return program_in(tutti_xstrdup(options->build_dir), flavor, name);
  char *built = program_in(tutti_self_directory(), flavor, name);
  if (access(built, R_OK) == 0)
    return built;
  char *installed = program_in(tutti_self_path("../libexec/tutti"), flavor, name);
  bool is_installed = access(installed, R_OK) == 0;
  free(is_installed ? built : installed);
  return is_installed ? installed : built;
}
