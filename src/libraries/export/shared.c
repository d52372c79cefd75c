/* What writers of targets share. */
#include <errno.h>
#include <string.h>

#include "libraries/export/export.h"

bool tutti_target_applies(const tutti_method *method, int ranks)
{
  unsigned needs = method->algorithm->domain;
  return (!(needs & TUTTI_NEEDS_POWER_OF_TWO) || (ranks & (ranks - 1)) == 0) &&
         (!(needs & TUTTI_NEEDS_EVEN) || ranks % 2 == 0) && (!(needs & TUTTI_NEEDS_TWO) || ranks == 2);
}

tutti_size_unit tutti_target_unit_rank(tutti_collective collective)
{
  (void)collective;
  return TUTTI_UNIT_RANK;
}

bool tutti_target_supports_all(const tutti_method *method, int ranks)
{
  (void)method;
  (void)ranks;
  return true;
}

bool tutti_target_is_plain(const tutti_method *method)
{
  tutti_method plain = tutti_method_default(method->algorithm);
  plain.parameters.segment_bytes = method->parameters.segment_bytes;
  plain.parameters.k = method->parameters.k;
  return tutti_method_compare(&plain, method) == 0;
}

void tutti_target_print_comment(const char *comment, const char *prefix, FILE *stream)
{
  while (comment && *comment) {
    int length = (int)strcspn(comment, "\n");
    fprintf(stream, "%s%.*s\n", prefix, length, comment);
    comment += length + (comment[length] == '\n');
  }
}

tutti_status tutti_target_written(FILE *stream, tutti_error *error)
{
  if (fflush(stream) == 0 && !ferror(stream))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
}
