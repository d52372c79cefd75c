#include "cli/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/self.h"

/* DIRECTORY/FLAVOUR/NAME, owned by the caller; takes the directory, whose lack gives NULL. */
static char *program_in(char *directory, const char *flavor, const char *name)
{
  char *path = NULL;
  if (directory && asprintf(&path, "%s/%s/%s", directory, flavor, name) < 0)
    path = NULL;
  free(directory);
  return path;
}

char *program_find(const char *given, const char *build_dir, const char *flavor, const char *name)
{
  if (given)
    return strdup(given);
  if (build_dir)
    return program_in(strdup(build_dir), flavor, name);
  char *built = program_in(self_directory(), flavor, name);
  if (built && access(built, R_OK) == 0)
    return built;
  char *installed = program_in(self_path("../libexec/tutti"), flavor, name);
  bool is_installed = installed && access(installed, R_OK) == 0;
  free(is_installed ? built : installed);
  return is_installed ? installed : built;
}
