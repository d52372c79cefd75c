#include "base/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *tutti_self_directory(void)
{
  char *executable = realpath("/proc/self/exe", NULL);
  char *slash = executable ? strrchr(executable, '/') : NULL;
  if (slash)
    *slash = '\0';
  return executable;
}

char *tutti_self_path(const char *relative)
{
  char *directory = tutti_self_directory(), *path = NULL;
  if (directory && asprintf(&path, "%s/%s", directory, relative) < 0)
    path = NULL;
  free(directory);
  return path;
}
