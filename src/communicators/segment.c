#include "communicators/segment.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The space is taken at once: a full file system shows here, not as a signal when the bytes are written. */
static void *fill(int file, const unsigned char *bytes, size_t length)
{
  if (posix_fallocate(file, 0, (off_t)length) != 0)
    return NULL;
  void *segment = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (segment == MAP_FAILED)
    return NULL;
  memcpy(segment, bytes, length);
  mprotect(segment, length, PROT_READ);
  return segment;
}

void *tutti_segment_make(const char *name, const unsigned char *bytes, size_t length)
{
  int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
  if (file < 0)
    return NULL;
  void *segment = fill(file, bytes, length);
  close(file);
  if (!segment)
    shm_unlink(name);
  return segment;
}

void *tutti_segment_open(const char *name, size_t length)
{
  int file = shm_open(name, O_RDONLY, 0);
  if (file < 0)
    return NULL;
  void *segment = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return segment == MAP_FAILED ? NULL : segment;
}

void tutti_segment_forget(const char *name)
{
  shm_unlink(name);
}

void tutti_segment_close(void *segment, size_t length)
{
  munmap(segment, length);
}

size_t tutti_segment_bytes(size_t length)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (length + page - 1) / page * page;
}
