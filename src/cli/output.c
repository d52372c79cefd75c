#include "cli/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tutti_status fail(const char *path, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

/* Write and close. */
static tutti_status fill(FILE *stream, const char *path,
                         tutti_status (*write)(void *context, FILE *stream, tutti_error *error), void *context,
                         tutti_error *error)
{
  tutti_status status = write(context, stream, error);
  bool failed = ferror(stream);
  if ((fclose(stream) != 0 || failed) && status == TUTTI_OK)
    status = fail(path, error);
  return status;
}

static FILE *open_temporary(char *path)
{
  mode_t mask = umask(0);
  umask(mask);
  int file = mkstemp(path);
  if (file < 0)
    return NULL;
  FILE *stream = fchmod(file, 0666 & ~mask) == 0 ? fdopen(file, "w") : NULL;
  if (!stream)
    close(file);
  return stream;
}

static tutti_status replace(const char *path, char *temporary,
                            tutti_status (*write)(void *context, FILE *stream, tutti_error *error), void *context,
                            tutti_error *error)
{
  FILE *stream = open_temporary(temporary);
  if (!stream)
    return fail(path, error);
  tutti_status status = fill(stream, path, write, context, error);
  if (status == TUTTI_OK && rename(temporary, path) != 0)
    status = fail(path, error);
  if (status != TUTTI_OK)
    unlink(temporary);
  return status;
}

tutti_status output_write(const char *path, tutti_status (*write)(void *context, FILE *stream, tutti_error *error),
                          void *context, tutti_error *error)
{
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    FILE *stream = fopen(path, "w");
    return stream ? fill(stream, path, write, context, error) : fail(path, error);
  }
  char *temporary = malloc(strlen(path) + sizeof ".XXXXXX");
  if (!temporary)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  strcpy(temporary, path);
  strcat(temporary, ".XXXXXX");
  tutti_status status = replace(path, temporary, write, context, error);
  free(temporary);
  return status;
}
