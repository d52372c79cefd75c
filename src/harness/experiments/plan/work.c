/* The work directory: its lock, and the files of chunks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "base/utf8.h"
#include "harness/experiments/plan/work.h"

char *tutti_work_name(unsigned number, const char *suffix, char *name)
{
  snprintf(name, WORK_NAME_LENGTH, "%06u.%s", number, suffix);
  return name;
}

int tutti_work_file(const struct work *work, unsigned number, const char *suffix, int flags, tutti_error *error)
{
  char name[WORK_NAME_LENGTH];
  tutti_work_name(number, suffix, name);
  /* A new file replaces an existing one, which may be a link: nothing is written through it. */
  if (flags & O_TRUNC)
    unlinkat(work->directory, name, 0);
  flags = flags & O_TRUNC ? (flags & ~O_TRUNC) | O_EXCL : flags;
  int file = openat(work->directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
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

tutti_status tutti_work_rename(const struct work *work, unsigned number, const char *from, const char *to,
                               tutti_error *error)
{
  char old[WORK_NAME_LENGTH], new[WORK_NAME_LENGTH];
  tutti_work_name(number, from, old);
  tutti_work_name(number, to, new);
  if (renameat(work->directory, old, work->directory, new) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s/%s: cannot rename: %s", work->path, old, strerror(errno));
  return TUTTI_OK;
}

tutti_status tutti_work_lines(const struct work *work, unsigned number, const char *suffix, struct tutti_lines *lines,
                              tutti_error *error)
{
  int file = tutti_work_file(work, number, suffix, O_RDONLY, error);
  return file < 0 ? TUTTI_ERR_IO : tutti_lines_open_stream(lines, fdopen(file, "r"), work->path, error);
}

/* Whether the name is "N.SUFFIX"; *number receives N. */
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
  return THREE_WAY(a, b);
}

tutti_status tutti_work_list(const struct work *work, const char *suffix, unsigned **numbers, size_t *count,
                             tutti_error *error)
{
  struct {
    TUTTI_VECTOR(unsigned);
  } list = {0};
  unsigned number;
  DIR *stream = opendir(work->path);
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot read the work directory: %s", work->path, strerror(errno));
  for (struct dirent *entry; (entry = readdir(stream));)
    if (has_suffix(entry->d_name, suffix, &number))
      tutti_xpush(&list, number);
  closedir(stream);
  tutti_vector_sort(&list, compare_numbers);
  *numbers = list.items;
  *count = list.count;
  return TUTTI_OK;
}

/* ---- manifests: under what a chunk is measured, one NAME=VALUE a line ---- */

#define MANIFEST_TITLE "tutti-card v=1"

/* The lines of a manifest after the title, in this order. */
static const struct {
  const char *name;
  enum { FIELD_TEXT, FIELD_SCHEME, FIELD_NUMBER } type;
  size_t offset, size;
} fields[] = {
#define FIELD(member, type)                                                                                            \
  {                                                                                                                    \
#member, type, offsetof(struct job_manifest, member), sizeof(((struct job_manifest *)0)->member)                   \
  }
    FIELD(platform, FIELD_TEXT), FIELD(platform_hash, FIELD_TEXT),
    FIELD(flavor, FIELD_TEXT),   FIELD(library, FIELD_TEXT),
    FIELD(tutti, FIELD_TEXT),    FIELD(scheme, FIELD_SCHEME),
    FIELD(ranks, FIELD_NUMBER),  FIELD(ranks_per_node, FIELD_NUMBER),
    FIELD(settings, FIELD_TEXT), FIELD(hosts, FIELD_TEXT),
    FIELD(build, FIELD_TEXT),    FIELD(cpu, FIELD_TEXT),
    FIELD(cores, FIELD_NUMBER),  FIELD(binding, FIELD_TEXT),
    FIELD(probed, FIELD_NUMBER),
#undef FIELD
};

/* Those up to the ranks per node; earlier versions wrote no others. */
enum { FIELDS = sizeof fields / sizeof *fields, NEEDED_FIELDS = (1 << 8) - 1, MAX_NUMBER = 1 << 30 };

tutti_status tutti_manifest_write(const struct work *work, unsigned number, const struct job_manifest *manifest,
                                  tutti_error *error)
{
  FILE *stream = tutti_work_create(work, number, "card.new", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, "%s\n", MANIFEST_TITLE);
  for (int f = 0; f < FIELDS; f++) {
    const void *member = (const char *)manifest + fields[f].offset;
    if (fields[f].type == FIELD_NUMBER)
      fprintf(stream, "%s=%d\n", fields[f].name, *(const int *)member);
    else
      fprintf(stream, "%s=%s\n", fields[f].name,
              fields[f].type == FIELD_SCHEME ? tutti_scheme_name(manifest->scheme) : (const char *)member);
  }
  tutti_status status = tutti_work_finish(work, stream, error);
  return status == TUTTI_OK ? tutti_work_rename(work, number, "card.new", "card", error) : status;
}

static bool read_value(struct job_manifest *manifest, int f, const char *value)
{
  void *member = (char *)manifest + fields[f].offset;
  uint64_t whole;
  if (fields[f].type == FIELD_SCHEME)
    return tutti_scheme_parse_ours(value, &manifest->scheme, NULL) == TUTTI_OK;
  if (fields[f].type != FIELD_NUMBER)
    return tutti_utf8_is_line(value) && (size_t)snprintf(member, fields[f].size, "%s", value) < fields[f].size;
  bool good = tutti_parse_integer(value, 0, MAX_NUMBER, &whole);
  *(int *)member = good ? (int)whole : 0;
  return good;
}

/* One line NAME=VALUE; sets its bit in *seen. */
static bool read_field(struct job_manifest *manifest, char *line, unsigned *seen)
{
  const char *name = strsep(&line, "=");
  for (int f = 0; line && f < FIELDS; f++)
    if (strcmp(name, fields[f].name) == 0) {
      *seen |= 1u << f;
      return read_value(manifest, f, line);
    }
  return false;
}

tutti_status tutti_manifest_read(const struct work *work, unsigned number, struct job_manifest *manifest,
                                 tutti_error *error)
{
  struct tutti_lines lines;
  unsigned seen = 0;
  bool good = true;
  *manifest = (struct job_manifest){0};
  tutti_status status = tutti_work_lines(work, number, "card", &lines, error);
  if (status != TUTTI_OK)
    return status;
  while (good && tutti_lines_next(&lines))
    good = lines.number == 1 ? strcmp(lines.text, MANIFEST_TITLE) == 0 : read_field(manifest, lines.text, &seen);
  char name[WORK_NAME_LENGTH];
  if (tutti_lines_close(&lines) == TUTTI_OK && good && (seen & NEEDED_FIELDS) == NEEDED_FIELDS && manifest->ranks > 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s/%s is not a job manifest of Tutti", work->path,
                    tutti_work_name(number, "card", name));
}

void tutti_manifest_learn(struct job_manifest *manifest, const tutti_record *run)
{
  snprintf(manifest->library, sizeof manifest->library, "%s", run->library);
  snprintf(manifest->build, sizeof manifest->build, "%s", run->library_build);
  snprintf(manifest->cpu, sizeof manifest->cpu, "%s", run->cpu);
  snprintf(manifest->binding, sizeof manifest->binding, "%s", run->binding);
  manifest->cores = run->cores;
}

tutti_environment tutti_manifest_environment(const struct job_manifest *manifest)
{
  return (tutti_environment){.platform = manifest->platform,
                             .platform_hash = manifest->platform_hash,
                             .flavor = manifest->flavor,
                             .library = manifest->library,
                             .tutti = manifest->tutti,
                             .settings = manifest->settings,
                             .hosts = manifest->hosts,
                             .build = manifest->build,
                             .cpu = manifest->cpu,
                             .cores = manifest->cores,
                             .binding = manifest->binding};
}

bool tutti_manifest_allows(const struct job_manifest *manifest, const tutti_environment *environment)
{
  return strcmp(environment->platform, manifest->platform) == 0 &&
         strcmp(environment->platform_hash, manifest->platform_hash) == 0 &&
         strcmp(environment->flavor, manifest->flavor) == 0 && strcmp(environment->library, manifest->library) == 0 &&
         strcmp(environment->tutti, manifest->tutti) == 0 && strcmp(environment->settings, manifest->settings) == 0 &&
         strcmp(environment->hosts, manifest->hosts) == 0;
}

#define LOCK_NAME "lock"

static tutti_status fail_in(const struct work *work, const char *what, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot %s: %s", work->path, what, strerror(errno));
}

/* The process that holds the lock; 0 if it has not written its number yet. */
static long lock_owner(int lock)
{
  char text[32] = "";
  ssize_t length = pread(lock, text, sizeof text - 1, 0);
  return length > 0 ? strtol(text, NULL, 10) : 0;
}

static tutti_status fail_locked(const struct work *work, tutti_error *error)
{
  long owner = lock_owner(work->lock);
  if (owner > 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s is in use by another run, process %ld: wait for it or end it",
                      work->path, owner);
  return tutti_fail(error, TUTTI_ERR_IO, "%s is in use by another run that has just started", work->path);
}

/* Whether the locked file has left the directory, because its owner ended. */
static bool lock_is_stale(const struct work *work)
{
  struct stat locked, named;
  return fstat(work->lock, &locked) != 0 || fstatat(work->directory, LOCK_NAME, &named, 0) != 0 ||
         locked.st_ino != named.st_ino || locked.st_dev != named.st_dev;
}

static tutti_status sign_lock(const struct work *work, tutti_error *error)
{
  char text[32];
  int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
  if (ftruncate(work->lock, 0) != 0 || pwrite(work->lock, text, (size_t)length, 0) != length)
    return fail_in(work, "write the lock file", error);
  return TUTTI_OK;
}

/* Check that other users cannot replace its files by links. */
static tutti_status check_owner(const char *path, int directory, tutti_error *error)
{
  struct stat status;
  if (fstat(directory, &status) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot look at the work directory: %s", path, strerror(errno));
  if (status.st_uid != geteuid())
    return tutti_fail(error, TUTTI_ERR_IO, "%s belongs to another user (uid %ld): remove it or use another store", path,
                      (long)status.st_uid);
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return tutti_fail(error, TUTTI_ERR_IO, "%s can be written by other users (mode %03o): chmod go-w it", path,
                      (unsigned)status.st_mode & 0777);
  return TUTTI_OK;
}

/* Make if missing, and open; messages name @p path. TUTTI_ERR_FAULT: it was removed since. */
static tutti_status open_folder(int parent, const char *name, const char *path, int *directory, tutti_error *error)
{
  if (mkdirat(parent, name, 0755) != 0 && errno != EEXIST)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot make the work directory: %s", path, strerror(errno));
  *directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (*directory >= 0)
    return check_owner(path, *directory, error);
  if (errno == ENOENT)
    return TUTTI_ERR_FAULT;
  return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot open the work directory: %s", path,
                    errno == ELOOP || errno == ENOTDIR
                        ? "it is a link, or no directory (--work-dir names another place)"
                        : strerror(errno));
}

/* Open the directory and lock it. TUTTI_ERR_FAULT: the run that used it ended and removed it. */
static tutti_status try_lock(struct work *work, tutti_error *error)
{
  tutti_status status = open_folder(AT_FDCWD, work->path, work->path, &work->directory, error);
  if (status != TUTTI_OK)
    return status;
  work->lock = openat(work->directory, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (work->lock < 0)
    return errno == ENOENT ? TUTTI_ERR_FAULT : fail_in(work, "create the lock file", error);
  if (flock(work->lock, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? fail_locked(work, error) : fail_in(work, "lock", error);
  return lock_is_stale(work) ? TUTTI_ERR_FAULT : sign_lock(work, error);
}

static void close_descriptors(struct work *work)
{
  if (work->lock >= 0)
    close(work->lock);
  if (work->directory >= 0)
    close(work->directory);
  work->lock = work->directory = -1;
}

static tutti_status get_lock(struct work *work, tutti_error *error)
{
  for (int attempt = 0; attempt < 100; attempt++) {
    tutti_status status = try_lock(work, error);
    if (status == TUTTI_OK)
      return TUTTI_OK;
    close_descriptors(work);
    if (status != TUTTI_ERR_FAULT)
      return status;
  }
  return tutti_fail(error, TUTTI_ERR_IO, "%s: the work directory vanishes as soon as it is made", work->path);
}

static tutti_status number_after_last(struct work *work, const char *suffix, tutti_error *error)
{
  unsigned *numbers;
  size_t count;
  tutti_status status = tutti_work_list(work, suffix, &numbers, &count, error);
  if (status != TUTTI_OK)
    return status;
  if (count && numbers[count - 1] >= work->next)
    work->next = numbers[count - 1] + 1;
  free(numbers);
  return TUTTI_OK;
}

tutti_status tutti_work_open(const char *database, const char *parent, struct work *work, tutti_error *error)
{
  const char *slash = strrchr(database, '/'), *base = slash ? slash + 1 : database;
  *work = (struct work){.directory = -1, .lock = -1, .next = 1};
  work->path = parent ? tutti_xprintf("%s/%s.work", parent, base) : tutti_xprintf("%s.work", database);
  tutti_status status = get_lock(work, error);
  if (status == TUTTI_OK)
    status = number_after_last(work, "card", error);
  return status == TUTTI_OK ? number_after_last(work, "batch", error) : status;
}

void tutti_work_close(struct work *work)
{
  if (work->lock >= 0) {
    unlinkat(work->directory, LOCK_NAME, 0);
    rmdir(work->path);
  }
  close_descriptors(work);
  free(work->path);
  work->path = NULL;
}

tutti_status tutti_work_make_folder(const char *database, const char *name, tutti_error *error)
{
  char *path = tutti_xprintf("%s.work", database), *inner = tutti_xprintf("%s/%s", path, name);
  int directory = -1, folder = -1;
  tutti_status status = open_folder(AT_FDCWD, path, path, &directory, error);
  if (status == TUTTI_OK)
    status = open_folder(directory, name, inner, &folder, error);
  if (status == TUTTI_ERR_FAULT)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s was removed as soon as it was made", inner);
  if (directory >= 0)
    close(directory);
  if (folder >= 0)
    close(folder);
  free(inner);
  free(path);
  return status;
}
