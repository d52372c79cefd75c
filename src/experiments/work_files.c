/* The files of a chunk in the work directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/work.h"

char *tutti_work_name(unsigned number, const char *suffix, char *name)
{
  snprintf(name, WORK_NAME_LENGTH, "%06u.%s", number, suffix);
  return name;
}

int tutti_work_file(const struct work *work, unsigned number, const char *suffix, int flags, tutti_error *error)
{
  char name[WORK_NAME_LENGTH];
  int file = openat(work->directory, tutti_work_name(number, suffix, name), flags | O_CLOEXEC, 0666);
  if (file < 0)
    tutti_fail(error, TUTTI_ERR_IO, "%s/%s: cannot open: %s", work->path, name, strerror(errno));
  return file;
}

FILE *tutti_work_create(const struct work *work, unsigned number, const char *suffix, tutti_error *error)
{
  int file = tutti_work_file(work, number, suffix, O_WRONLY | O_CREAT | O_TRUNC, error);
  if (file < 0)
    return NULL;
  FILE *stream = fdopen(file, "w");
  if (!stream) {
    close(file);
    tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for the files of a job", work->path);
  }
  return stream;
}

tutti_status tutti_work_finish(const struct work *work, FILE *stream, tutti_error *error)
{
  bool lost = ferror(stream) != 0;
  if (fclose(stream) != 0 || lost)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot write the files of a job: %s", work->path, strerror(errno));
  return TUTTI_OK;
}

void tutti_work_remove(const struct work *work, unsigned number)
{
  static const char *const suffixes[] = {"records", "err",    "points",   "hosts", "status.new",
                                         "status",  "queued", "card.new", "card"};
  char name[WORK_NAME_LENGTH];
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    unlinkat(work->directory, tutti_work_name(number, suffixes[i], name), 0);
}

bool tutti_work_has(const struct work *work, unsigned number, const char *suffix)
{
  char name[WORK_NAME_LENGTH];
  return faccessat(work->directory, tutti_work_name(number, suffix, name), F_OK, 0) == 0;
}

/* Is it "N.SUFFIX"? */
static bool has_suffix(const char *name, const char *suffix, unsigned *number)
{
  char *end;
  errno = 0;
  unsigned long value = strtoul(name, &end, 10);
  *number = (unsigned)value;
  return end != name && errno == 0 && value < 1000000000 && *end == '.' && strcmp(end + 1, suffix) == 0;
}

static int compare_numbers(const void *left, const void *right)
{
  unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
  return (a > b) - (a < b);
}

/* Append, growing by one: a directory holds as many leftovers as there were jobs at once. */
static bool append_number(unsigned **numbers, size_t *count, unsigned number)
{
  unsigned *grown = reallocarray(*numbers, *count + 1, sizeof *grown);
  if (!grown)
    return false;
  grown[(*count)++] = number;
  *numbers = grown;
  return true;
}

tutti_status tutti_work_list(const struct work *work, const char *suffix, unsigned **numbers, size_t *count,
                             tutti_error *error)
{
  *numbers = NULL;
  *count = 0;
  DIR *stream = opendir(work->path);
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot read the work directory: %s", work->path, strerror(errno));
  bool complete = true;
  unsigned number;
  for (struct dirent *entry; complete && (entry = readdir(stream));)
    if (has_suffix(entry->d_name, suffix, &number))
      complete = append_number(numbers, count, number);
  closedir(stream);
  if (!complete) {
    free(*numbers);
    *numbers = NULL;
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for its list of files", work->path);
  }
  if (*count)
    qsort(*numbers, *count, sizeof **numbers, compare_numbers);
  return TUTTI_OK;
}
