/* The linter: a file, and the checks of its family. */
#include "libraries/lint/lint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

tutti_status tutti_lint_text(const char *text, size_t length, const char *path, const tutti_library_version *version,
                             tutti_findings *findings, tutti_error *error)
{
  struct lint lint = {.path = path, .text = text, .length = length, .version = *version, .findings = findings};
  switch (version->family) {
  case TUTTI_FAMILY_OPENMPI:
    tutti_lint_openmpi(&lint);
    break;
  case TUTTI_FAMILY_MPICH:
    tutti_lint_mpich(&lint);
    break;
  case TUTTI_FAMILY_TUTTI:
    tutti_lint_tutti(&lint);
    break;
  }
  return lint.out_of_memory ? tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path) : TUTTI_OK;
}

enum { MOST_BYTES = 64 << 20 };

static tutti_status slurp_stream(FILE *stream, const char *path, char **text, size_t *length, tutti_error *error)
{
  FILE *memory = open_memstream(text, length);
  char buffer[1024];
  size_t got, all = 0;
  if (!memory)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0 && (all += got) <= MOST_BYTES)
    fwrite(buffer, 1, got, memory);
  if (fclose(memory) != 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  if (ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  return all > MOST_BYTES ? tutti_fail(error, TUTTI_ERR_IO, "%s: more than 64 MB", path) : TUTTI_OK;
}

tutti_status tutti_lint_slurp(const char *path, char **text, size_t *length, tutti_error *error)
{
  FILE *stream = fopen(path, "r");
  *text = NULL;
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  tutti_status status = slurp_stream(stream, path, text, length, error);
  fclose(stream);
  if (status != TUTTI_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

tutti_status tutti_lint_file(const char *path, const tutti_library_version *version, tutti_findings *findings,
                             tutti_error *error)
{
  char *text;
  size_t length;
  tutti_status status = tutti_lint_slurp(path, &text, &length, error);
  if (status == TUTTI_OK)
    status = tutti_lint_text(text, length, path, version, findings, error);
  free(text);
  return status;
}
