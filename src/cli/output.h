/* Files that are there completely or not at all. */
#ifndef TUTTI_CLI_OUTPUT_H
#define TUTTI_CLI_OUTPUT_H

#include <stdio.h>

#include "tutti/error.h"

/* Write @p path through a temporary file beside it, which takes its place when all is written. Not a regular file (a
   terminal, a pipe): written as it is. TUTTI_ERR_IO names the file. */
tutti_status output_write(const char *path, tutti_status (*write)(void *context, FILE *stream, tutti_error *error),
                          void *context, tutti_error *error);

#endif
