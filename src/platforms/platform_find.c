/* Where platforms are looked for. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/self.h"
#include "platforms/platform_find.h"
#include "tutti/platform.h"

char *tutti_platform_directories(void)
{
  char *all, *beside = tutti_self_path("../platforms"), *installed = tutti_self_path("../share/tutti/platforms");
  const char *own = getenv("TUTTI_PLATFORM_PATH");
  int length = asprintf(&all, "%s%splatforms%s%s%s%s:%s", own ? own : "", own && *own ? ":" : "", beside ? ":" : "",
                        beside ? beside : "", installed ? ":" : "", installed ? installed : "", TUTTI_PLATFORM_DIR);
  free(beside);
  free(installed);
  return length < 0 ? NULL : all;
}

static bool is_path(const char *name)
{
  size_t length = strlen(name);
  return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

static tutti_status find_path(const char *name, char **path, tutti_error *error)
{
  if (access(name, R_OK) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(errno));
  *path = strdup(name);
  return *path ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
}

/* DIRECTORY/NAME.xml if it can be read. *path is NULL if not. */
static tutti_status look_into(const char *directory, const char *name, char **path, tutti_error *error)
{
  if (asprintf(path, "%s/%s.xml", directory, name) < 0) {
    *path = NULL;
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
  }
  if (access(*path, R_OK) != 0) {
    free(*path);
    *path = NULL;
  }
  return TUTTI_OK;
}

static tutti_status find_name(const char *name, const char *directories, char **path, tutti_error *error)
{
  char *copy = strdup(directories), *rest = copy;
  tutti_status status = TUTTI_OK;
  if (!copy)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
  for (char *directory; status == TUTTI_OK && !*path && (directory = strsep(&rest, ":"));)
    if (*directory)
      status = look_into(directory, name, path, error);
  free(copy);
  if (status == TUTTI_OK && !*path)
    return tutti_fail(error, TUTTI_ERR_IO, "platform '%s' not found: no %s.xml in %s", name, name, directories);
  return status;
}

tutti_status tutti_platform_find(const char *name, char **path, tutti_error *error)
{
  *path = NULL;
  if (is_path(name))
    return find_path(name, path, error);
  if (*name == '\0')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the name of a platform is empty");
  char *directories = tutti_platform_directories();
  if (!directories)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
  tutti_status status = find_name(name, directories, path, error);
  free(directories);
  return status;
}
