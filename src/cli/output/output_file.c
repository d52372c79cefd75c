/* Files written under another name beside their place, and moved there when they are whole. */
#include "cli/output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static tutti_status fail(const char *path, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

static tutti_status open_temporary(struct output_file *output, tutti_error *error)
{
  output->temporary = tutti_xprintf("%s.XXXXXX", output->path);
  int descriptor = mkstemp(output->temporary);
  if (descriptor >= 0)
    output->stream = fdopen(descriptor, "w");
  if (output->stream)
    return TUTTI_OK;
  tutti_status status = fail(output->path, error);
  if (descriptor >= 0) {
    close(descriptor);
    unlink(output->temporary);
  }
  free(output->temporary);
  return status;
}

/* A pipe, a terminal or the like takes what it gets: nothing can be moved to its place. */
static tutti_status open_device(struct output_file *output, tutti_error *error)
{
  output->stream = fopen(output->path, "w");
  return output->stream ? TUTTI_OK : fail(output->path, error);
}

static bool is_device(const char *path)
{
  struct stat there;
  return stat(path, &there) == 0 && (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode));
}

tutti_status output_file_begin(const char *path, struct output_file *output, tutti_error *error)
{
  struct stat there;
  *output = (struct output_file){.path = path};
  if (!path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
    output->stream = stdout;
    output->path = NULL;
    return TUTTI_OK;
  }
  if (is_device(path))
    return open_device(output, error);
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is there already and is no regular file", path);
  return open_temporary(output, error);
}

/* mkstemp() makes files that only their owner may read; give the others the rights that the umask allows. */
static int publish(struct output_file *output)
{
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fileno(output->stream), 0666 & ~mask) != 0 || fflush(output->stream) != 0 ||
      fsync(fileno(output->stream)) != 0)
    return -1;
  return rename(output->temporary, output->path);
}

/* The writer of the stream does not know the name of the file: add it to its message. */
static tutti_status name_file(const struct output_file *output, tutti_status status, tutti_error *error)
{
  tutti_error reason = *error;
  if (status != TUTTI_ERR_IO || !ferror(output->stream) || strstr(reason.message, output->path))
    return status;
  return tutti_fail(error, status, "%s: %.400s", output->path, reason.message);
}

tutti_status output_file_end(struct output_file *output, tutti_status status, tutti_error *error)
{
  if (!output->path)
    return status;
  if (status != TUTTI_OK)
    status = name_file(output, status, error);
  if (status == TUTTI_OK && (output->temporary ? publish(output) : fflush(output->stream)) != 0)
    status = fail(output->path, error);
  if (status != TUTTI_OK && output->temporary)
    unlink(output->temporary);
  fclose(output->stream);
  free(output->temporary);
  return status;
}

tutti_status output_file_test(const char *path, tutti_error *error)
{
  struct output_file output;
  tutti_error unused = {0};
  if (is_device(path)) /* to open it would end what its reader gets */
    return TUTTI_OK;
  tutti_status status = output_file_begin(path, &output, error);
  if (status == TUTTI_OK)
    output_file_end(&output, TUTTI_ERR_ARGUMENT, &unused); /* which leaves no file */
  return status;
}
