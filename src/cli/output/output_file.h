/* A file that is written completely or not at all. */
#ifndef TUTTI_CLI_OUTPUT_FILE_H
#define TUTTI_CLI_OUTPUT_FILE_H

#include <stdio.h>

#include "tutti/error.h"

struct output_file {
  const char *path; /* NULL: standard output */
  char *temporary;  /* beside it */
  FILE *stream;
};

/* Begin to write what shall stand at `path`: a regular file, or none yet. Files that are there stay as they are until
   output_file_end(). */
tutti_status output_file_begin(const char *path, struct output_file *output, tutti_error *error);

/* Put it in place if `status`, which is returned, is TUTTI_OK, else remove what was written. */
tutti_status output_file_end(struct output_file *output, tutti_status status, tutti_error *error);

#endif
