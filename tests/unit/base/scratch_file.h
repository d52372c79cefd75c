/* A file of given content in a directory of its own, for tests of readers. */
#ifndef TUTTI_TESTS_SCRATCH_FILE_H
#define TUTTI_TESTS_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void write_file(const char *path, const char *content)
{
  FILE *stream = fopen(path, "w");
  if (!stream || fputs(content, stream) < 0 || fclose(stream) != 0)
    abort();
}

struct scratch_file {
  char directory[64];
  char path[128];
};

/* Make DIRECTORY/NAME; aborts the test program if it cannot. */
static inline struct scratch_file scratch_write(const char *name, const char *content)
{
  struct scratch_file file = {.directory = "/tmp/tutti-test-XXXXXX"};
  if (!mkdtemp(file.directory))
    abort();
  snprintf(file.path, sizeof file.path, "%s/%s", file.directory, name);
  write_file(file.path, content);
  return file;
}

static inline void scratch_remove(const struct scratch_file *file)
{
  unlink(file->path);
  rmdir(file->directory);
}

/* A variable with such a file, which is removed at the end of its block. */
#define SCRATCH_FILE(variable, name, content)                                                                          \
  __attribute__((cleanup(scratch_remove))) struct scratch_file variable = scratch_write(name, content)

#endif
