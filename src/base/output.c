/* Files written under another name beside their place, and moved there when they are whole. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static tutti_status fail(const char *path, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

/* A new file with the rights that the umask allows; NULL and errno on failure. */
static FILE *create(const char *path, const char *mode)
{
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, mode);
  if (descriptor >= 0 && !stream)
    close(descriptor);
  return stream;
}

FILE *tutti_output_replace(const char *path)
{
  return unlink(path) == 0 || errno == ENOENT ? create(path, "w+") : NULL;
}

/* Beside its place, under an unpredictable name. */
static tutti_status open_temporary(struct tutti_output *output, tutti_error *error)
{
  enum { ATTEMPTS = 100 };
  for (int attempt = 0; attempt < ATTEMPTS && !output->stream; attempt++) {
    unsigned number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
      return fail(output->path, error);
    free(output->temporary);
    output->temporary = tutti_xprintf("%s.%08x", output->path, number);
    output->stream = create(output->temporary, "w");
    if (!output->stream && errno != EEXIST)
      break;
  }
  if (output->stream)
    return TUTTI_OK;
  tutti_status status = fail(output->path, error);
  free(output->temporary);
  output->temporary = NULL;
  return status;
}

/* A pipe, a terminal or the like takes what it gets: nothing can be moved to its place. */
static tutti_status open_device(struct tutti_output *output, tutti_error *error)
{
  output->stream = fopen(output->path, "w");
  return output->stream ? TUTTI_OK : fail(output->path, error);
}

static bool is_device(const char *path)
{
  struct stat there;
  return stat(path, &there) == 0 && (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode));
}

bool tutti_output_is_database(const char *path)
{
  static const char MAGIC[16] = "SQLite format 3";
  char begin[sizeof MAGIC] = "";
  struct stat there;
  FILE *stream = stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "re") : NULL;
  const bool whole = stream && fread(begin, sizeof begin, 1, stream) == 1;
  if (stream)
    fclose(stream);
  return whole && memcmp(begin, MAGIC, sizeof MAGIC) == 0;
}

tutti_status tutti_output_spares(const char *path, tutti_error *error)
{
  if (!tutti_output_is_database(path))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is a store of measurements: no text is written over it", path);
}

tutti_status tutti_output_begin(const char *path, struct tutti_output *output, tutti_error *error)
{
  struct stat there;
  *output = (struct tutti_output){.path = path};
  if (!path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
    output->stream = stdout;
    output->path = NULL;
    return TUTTI_OK;
  }
  if (is_device(path))
    return open_device(output, error);
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is there already and is no regular file", path);
  const tutti_status status = tutti_output_spares(path, error);
  return status == TUTTI_OK ? open_temporary(output, error) : status;
}

static int publish(struct tutti_output *output)
{
  if (fflush(output->stream) != 0 || fsync(fileno(output->stream)) != 0)
    return -1;
  errno = EIO;
  if (ferror(output->stream))
    return -1;
  return rename(output->temporary, output->path);
}

/* The writer of the stream does not know the name of the file: add it to its message. */
static tutti_status name_file(const struct tutti_output *output, tutti_status status, tutti_error *error)
{
  tutti_error reason = *error;
  if (status != TUTTI_ERR_IO || !ferror(output->stream) || strstr(reason.message, output->path))
    return status;
  return tutti_fail(error, status, "%s: %.400s", output->path, reason.message);
}

tutti_status tutti_output_end(struct tutti_output *output, tutti_status status, tutti_error *error)
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

tutti_status tutti_output_test(const char *path, tutti_error *error)
{
  struct tutti_output output;
  tutti_error unused = {0};
  if (is_device(path)) /* to open it would end what its reader gets */
    return TUTTI_OK;
  tutti_status status = tutti_output_begin(path, &output, error);
  if (status == TUTTI_OK)
    tutti_output_end(&output, TUTTI_ERR_ARGUMENT, &unused); /* which leaves no file */
  return status;
}

bool tutti_file_is_same(const char *left, const char *right)
{
  struct stat a, b;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool tutti_folder_is(const char *path)
{
  struct stat status;
  return path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool tutti_folder_has(const char *folder, const char *path)
{
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
  (void)status;
  (void)type;
  (void)place;
  remove(path);
  return 0;
}

void tutti_folder_remove(const char *path)
{
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
