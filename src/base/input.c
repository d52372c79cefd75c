#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vector.h"

/* The open file of this process that a name means, -1: none. */
static int handed_over(const char *path)
{
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  uint64_t number = 0;
  if (strcmp(path, "/dev/stdin") == 0)
    return STDIN_FILENO;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
        tutti_parse_integer(path + strlen(folders[i]), 0, INT_MAX, &number))
      return (int)number;
  return -1;
}

const char *tutti_input_packing(const char *bytes, size_t length)
{
  static const struct {
    const char *name, *magic;
  } packers[] = {{"packed by gzip: unpack it", "\x1f\x8b"},
                 {"packed by bzip2: unpack it", "BZh9"},
                 {"packed by xz: unpack it", "\xfd"
                                             "7zXZ"},
                 {"packed by zstd: unpack it", "\x28\xb5\x2f\xfd"},
                 {"packed by zip: unpack it", "PK\x03\x04"}};
  for (size_t i = 0; i < sizeof packers / sizeof *packers; i++)
    if (length >= strlen(packers[i].magic) && memcmp(bytes, packers[i].magic, strlen(packers[i].magic)) == 0)
      return packers[i].name;
  return NULL;
}

static tutti_status fail(const char *name, int reason, tutti_error *error)
{
  if (reason == ENOENT && strcmp(name, "-") == 0)
    return tutti_fail(error, TUTTI_ERR_IO, "-: there is no file of that name: standard input is /dev/stdin");
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(reason));
}

static tutti_status fail_too_large(const char *name, uint64_t limit, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: larger than %llu MB", name, (unsigned long long)(limit >> 20));
}

/* *size: a guess at what there is to read. */
static tutti_status check_file(int file, const char *name, uint64_t limit, size_t *size, tutti_error *error)
{
  struct stat about;
  *size = 0;
  if (fstat(file, &about) != 0)
    return fail(name, errno, error);
  if (S_ISDIR(about.st_mode))
    return fail(name, EISDIR, error);
  if (!S_ISREG(about.st_mode))
    return handed_over(name) >= 0 ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_IO, "%s: not a regular file", name);
  if ((uint64_t)about.st_size > limit)
    return fail_too_large(name, limit, error);
  *size = (size_t)about.st_size;
  return TUTTI_OK;
}

tutti_status tutti_input_permit_handing_on(const char *path, tutti_error *error)
{
  if (handed_over(path) >= 0)
    return tutti_fail(error, TUTTI_ERR_IO,
                      "%s: is opened by its name elsewhere: a regular file is needed, no pipe of the shell", path);
  return tutti_input_permit(path, error);
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

/* A pipe is empty once it was read: a file without a name takes its place. */
static tutti_status keep(int pipe, const char *name, uint64_t limit, tutti_error *error)
{
  char *bytes = NULL;
  size_t length = 0;
  const int kept = memfd_create("input", MFD_CLOEXEC);
  tutti_status status = kept < 0 ? fail(name, errno, error) : read_all(pipe, name, limit, 0, &bytes, &length, error);
  for (size_t done = 0; done < length && status == TUTTI_OK;) {
    const ssize_t wrote = write(kept, bytes + done, length - done);
    if (wrote < 0)
      status = fail(name, errno, error);
    else
      done += (size_t)wrote;
  }
  if (status == TUTTI_OK && dup2(kept, handed_over(name)) < 0)
    status = fail(name, errno, error);
  free(bytes);
  if (kept >= 0)
    close(kept);
  return status;
}

/* -1: failed. O_NONBLOCK: a pipe without a writer is opened at once, to be refused. */
static int open_plain(const char *path, tutti_error *error)
{
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (handed_over(path) >= 0 ? 0 : O_NONBLOCK));
  if (file < 0)
    fail(path, errno, error);
  return file;
}

static bool is_to_be_kept(int file, const char *name, uint64_t limit)
{
  struct stat about;
  return limit <= TUTTI_INPUT_TEXT && handed_over(name) >= 0 && fstat(file, &about) == 0 && !S_ISREG(about.st_mode);
}

/* -1: failed. */
static int open_checked(const char *path, uint64_t limit, tutti_error *error)
{
  size_t size;
  int file = tutti_input_permit(path, error) == TUTTI_OK ? open_plain(path, error) : -1;
  if (file < 0)
    return -1;
  tutti_status status = check_file(file, path, limit, &size, error);
  if (status == TUTTI_OK && is_to_be_kept(file, path, limit)) {
    status = keep(file, path, limit, error);
    close(file);
    file = status == TUTTI_OK ? open_plain(path, error) : -1;
  }
  if (status == TUTTI_OK || file < 0)
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

tutti_status tutti_input_read_opened(int file, const char *name, uint64_t limit, char **bytes, size_t *length,
                                     tutti_error *error)
{
  size_t size;
  *bytes = NULL;
  *length = 0;
  tutti_status status = check_file(file, name, limit, &size, error);
  if (status == TUTTI_OK)
    status = read_all(file, name, limit, size, bytes, length, error);
  if (status != TUTTI_OK) {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}

tutti_status tutti_input_read_bytes(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error)
{
  const int file = open_checked(path, limit, error);
  *bytes = NULL;
  if (file < 0)
    return TUTTI_ERR_IO;
  const tutti_status status = tutti_input_read_opened(file, path, limit, bytes, length, error);
  close(file);
  const char *packing = status == TUTTI_OK ? tutti_input_packing(*bytes, *length) : NULL;
  if (!packing)
    return status;
  free(*bytes);
  *bytes = NULL;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, TUTTI_INPUT_PACKED, path, packing);
}

tutti_status tutti_input_read(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error)
{
  const tutti_status status = tutti_input_read_bytes(path, limit, bytes, length, error);
  const size_t mark = status == TUTTI_OK ? tutti_input_mark(*bytes) : 0;
  if (mark > 0)
    memmove(*bytes, *bytes + mark, (*length -= mark) + 1);
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
