#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/options.h"

static char *read_stream(FILE *stream)
{
  char *text = NULL;
  size_t length = 0;
  if (getdelim(&text, &length, '\0', stream) >= 0)
    return text;
  free(text); /* of a file that is empty, without an end */
  return ferror(stream) ? NULL : strdup("");
}

tutti_status options_read_file(const char *path, struct options *options, tutti_error *error)
{
  FILE *stream = fopen(path, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  options->text = read_stream(stream);
  options->name = strdup(path);
  fclose(stream);
  if (!options->text || !options->name)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be read", path);
  if (!*options->text)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is empty", path);
  return TUTTI_OK;
}

void options_free(struct options *options)
{
  free(options->text);
  free(options->name);
}
