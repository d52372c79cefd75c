#include "experiments/work.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_NAME "lock"

static tutti_status fail_in(const struct work *work, const char *what, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot %s: %s", work->path, what, strerror(errno));
}

/* Who holds the lock? 0 if its owner has not signed yet. */
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

/* Did the file that we locked leave the directory meanwhile, because its owner ended? */
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

/* Open the directory and lock it. TUTTI_ERR_FAULT: it vanished under our hands because the run that used it ended. */
static tutti_status try_lock(struct work *work, tutti_error *error)
{
  if (mkdir(work->path, 0777) != 0 && errno != EEXIST)
    return fail_in(work, "make the work directory", error);
  work->directory = open(work->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (work->directory < 0)
    return errno == ENOENT ? TUTTI_ERR_FAULT : fail_in(work, "open the work directory", error);
  work->lock = openat(work->directory, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
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
