/* Folders in which a process may read. */
#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/vector.h"

static const char variable[] = TUTTI_INPUT_VARIABLE; /* folders without links, a line each */

/* What a process is confined to; without a reason it is not. The command sets it before anything else runs; ranks of a
   simulation never change it. */
static struct {
  TUTTI_VECTOR(char *); /* without links */
  const char *reason;
} confined __attribute__((section("tutti_process")));

void tutti_input_confine(const char *folder, const char *reason)
{
  char *real = realpath(folder, NULL);
  confined.reason = reason;
  if (real)
    tutti_xpush(&confined, real);
}

/* One with the separator in its name would be two others: it is left out. */
static void append_folder(char **list, size_t *length, const char *folder)
{
  if (strchr(folder, '\n'))
    return;
  tutti_xappend(list, length, folder);
  tutti_xappend(list, length, "\n");
}

void tutti_input_confine_programs(void)
{
  char *list = NULL;
  size_t length = 0;
  for (size_t i = 0; i < confined.count; i++)
    append_folder(&list, &length, confined.items[i]);
  setenv(variable, list ? list : "", 1);
  free(list);
}

void tutti_input_confine_as_told(void)
{
  static const char reason[] = "a program that a step of an experiment starts may only read what the step may read";
  const char *list = getenv(variable);
  if (!list || confined.reason)
    return;
  char *copy = tutti_xstrdup(list), *rest = copy;
  tutti_input_confine(".", reason);
  for (char *folder; (folder = strsep(&rest, "\n"));)
    if (*folder)
      tutti_input_confine(folder, reason);
  free(copy);
}

static bool is_within(const char *path)
{
  for (size_t i = 0; i < confined.count; i++)
    if (tutti_folder_has(confined.items[i], path))
      return true;
  return false;
}

/* The path without links; for a missing file that of its folder; NULL: both are missing. */
static char *real_place(const char *path)
{
  char *real = realpath(path, NULL);
  if (real || errno != ENOENT)
    return real;
  char *copy = tutti_xstrdup(path);
  real = realpath(dirname(copy), NULL);
  free(copy);
  return real;
}

/* A word that is not a file may be a name of something else. */
tutti_status tutti_input_permit(const char *path, tutti_error *error)
{
  if (!confined.reason || (!strchr(path, '/') && access(path, F_OK) != 0 && errno == ENOENT))
    return TUTTI_OK;
  char *place = real_place(path);
  const bool permitted = place && is_within(place);
  free(place);
  return permitted ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_IO, "%.200s: %s", path, confined.reason);
}
