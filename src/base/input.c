#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vector.h"

static bool is_handed_over(const char *path)
{
  return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
         strncmp(path, "/proc/self/fd/", 14) == 0;
}

static tutti_status fail(const char *name, int reason, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(reason));
}

static tutti_status fail_too_large(const char *name, uint64_t limit, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: larger than %llu MB", name, (unsigned long long)(limit >> 20));
}

/* *size: a guess at what there is to read. */
static tutti_status check(int file, const char *name, uint64_t limit, size_t *size, tutti_error *error)
{
  struct stat about;
  *size = 0;
  if (fstat(file, &about) != 0)
    return fail(name, errno, error);
  if (S_ISDIR(about.st_mode))
    return fail(name, EISDIR, error);
  if (!S_ISREG(about.st_mode))
    return is_handed_over(name) ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_IO, "%s: not a regular file", name);
  if ((uint64_t)about.st_size > limit)
    return fail_too_large(name, limit, error);
  *size = (size_t)about.st_size;
  return TUTTI_OK;
}

/* -1: failed. O_NONBLOCK: a pipe without a writer is opened at once, to be refused. */
static int open_checked(const char *path, uint64_t limit, tutti_error *error)
{
  size_t size;
  if (tutti_input_permit(path, error) != TUTTI_OK)
    return -1;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (is_handed_over(path) ? 0 : O_NONBLOCK));
  if (file < 0) {
    fail(path, errno, error);
    return -1;
  }
  if (check(file, path, limit, &size, error) == TUTTI_OK)
    return file;
  close(file);
  return -1;
}

FILE *tutti_input_open(const char *path, uint64_t limit, tutti_error *error)
{
  const int file = open_checked(path, limit, error);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  if (file >= 0 && !stream) {
    fail(path, errno, error);
    close(file);
  }
  return stream;
}

/* The file may be longer or shorter than its stated size, as those of /proc are. */
static tutti_status read_all(int file, const char *name, uint64_t limit, size_t size, char **bytes, size_t *length,
                             tutti_error *error)
{
  size_t capacity = 0;
  ssize_t got = 1;
  while (got != 0) {
    if (!tutti_grow(bytes, *length, &capacity, *length == 0 ? size + 2 : 2, 1))
      return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
    got = read(file, *bytes + *length, capacity - *length - 1);
    if (got < 0 && errno != EINTR)
      return fail(name, errno, error);
    *length += got > 0 ? (size_t)got : 0;
    if (*length > limit)
      return fail_too_large(name, limit, error);
  }
  (*bytes)[*length] = '\0';
  return TUTTI_OK;
}

tutti_status tutti_input_read_opened(int file, const char *name, uint64_t limit, char **bytes, size_t *length,
                                     tutti_error *error)
{
  size_t size;
  *bytes = NULL;
  *length = 0;
  tutti_status status = check(file, name, limit, &size, error);
  if (status == TUTTI_OK)
    status = read_all(file, name, limit, size, bytes, length, error);
  if (status != TUTTI_OK) {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}

tutti_status tutti_input_read(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error)
{
  const int file = open_checked(path, limit, error);
  *bytes = NULL;
  if (file < 0)
    return TUTTI_ERR_IO;
  const tutti_status status = tutti_input_read_opened(file, path, limit, bytes, length, error);
  close(file);
  return status;
}

tutti_status tutti_input_read_text(const char *path, uint64_t limit, char **text, size_t *length, tutti_error *error)
{
  tutti_status status = tutti_input_read(path, limit, text, length, error);
  if (status != TUTTI_OK || strlen(*text) == *length)
    return status;
  free(*text);
  *text = NULL;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: " TUTTI_ZERO_BYTE, path);
}
