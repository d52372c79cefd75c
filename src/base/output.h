/* Files that are written completely or not at all, and folders that are removed. A full disk or the end of the process
   leaves the old file of that name, and a symbolic link there is never followed: the new file takes its place. */
#ifndef TUTTI_BASE_OUTPUT_H
#define TUTTI_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "tutti/error.h"

struct tutti_output {
  const char *path; /* NULL: standard output */
  char *temporary;  /* beside it; NULL: it is written itself */
  FILE *stream;
};

/* Begin to write the file `path`: a regular file, or none yet; NULL, "-" and /dev/stdout are standard output; a pipe or
   a device is written at once. Files that are there stay as they are until tutti_output_end(); stores do always
   (tutti_output_spares()). */
tutti_status tutti_output_begin(const char *path, struct tutti_output *output, tutti_error *error);

/* Move the file to its path if `status`, which is returned, is TUTTI_OK, else remove it. */
tutti_status tutti_output_end(struct tutti_output *output, tutti_status status, tutti_error *error);

/* Whether a regular file is a database of SQLite. */
bool tutti_output_is_database(const char *path);

/* TUTTI_ERR_ARGUMENT: a database of SQLite is there, as stores of measurements are, which text would replace. */
tutti_status tutti_output_spares(const char *path, tutti_error *error);

/* Check that the file can be written. For commands that work long before they write it; an existing file stays. */
tutti_status tutti_output_test(const char *path, tutti_error *error);

/* A new file to write and read, which replaces an existing one. NULL and errno on failure. */
FILE *tutti_output_replace(const char *path);

/* Whether two paths lead to one file, and a path to a folder; NULL does not. @{ */
bool tutti_file_is_same(const char *left, const char *right);
bool tutti_folder_is(const char *path);
/* @} */

/* Whether a path is the folder, or below it. Compares texts: both are without links and "..". */
bool tutti_folder_has(const char *folder, const char *path);

/* Remove a folder with all that is in it. Links are removed, not followed; what cannot be removed stays. */
void tutti_folder_remove(const char *path);

#endif
