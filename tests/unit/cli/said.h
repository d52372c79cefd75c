/* The output of a function on standard output and standard error, and how it ends: it runs in a child. */
#ifndef TUTTI_TESTS_SAID_H
#define TUTTI_TESTS_SAID_H

#include <sys/wait.h>

#include "unit/test.h"

enum { SAID_LENGTH = 8192 };

/* Call say(context); @p said receives its output. Returns its exit status, 0 if it returns. */
static inline int said_by(void (*say)(const void *context), const void *context, char said[SAID_LENGTH])
{
  int ends[2], status;
  size_t used = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    say(context);
    exit(0);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], said + used, SAID_LENGTH - 1 - used)) > 0;)
    used += (size_t)got;
  close(ends[0]);
  said[used] = '\0';
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* Fails unless its output is exactly that, and it returns. */
static inline void assert_says(void (*say)(const void *context), const void *context, const char *expected)
{
  char said[SAID_LENGTH];
  assert_int_equal(said_by(say, context, said), 0);
  assert_string_equal(said, expected);
}

#endif
