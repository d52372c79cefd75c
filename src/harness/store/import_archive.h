/* Archives that others made, read in a stream: nothing is written, no program is started, no link is followed. */
#ifndef TUTTI_STORE_IMPORT_ARCHIVE_H
#define TUTTI_STORE_IMPORT_ARCHIVE_H

#include <stdint.h>
#include <stdio.h>

#include "base/vector.h"
#include "tutti/error.h"

/* A text with the path that messages have for it; both owned. */
struct import_text {
  char *bytes;
  size_t length;
  char *shown;
};

struct import_texts {
  TUTTI_VECTOR(struct import_text);
};

/* What an import may still read from all its files and archives together. */
struct import_allowance {
  uint64_t bytes; /* unpacked, those of entries that are not wanted included */
  uint64_t text;  /* of entries that are kept */
  uint64_t entries;
};

struct import_allowance tutti_import_allowance(void);

/* The regular file at a path, without following a link or waiting for a writer: TUTTI_ERR_ARGUMENT if it is something
   else or larger than the allowance, TUTTI_ERR_IO if it cannot be read. */
tutti_status tutti_import_file_read(const char *path, const char *shown, struct import_allowance *allowance,
                                    struct import_text *text, tutti_error *error);
void tutti_import_text_free(struct import_text *text);

/* Append the regular files of an archive (tar, compressed by gzip or not) whose last name is wanted, in the order of a
   walk through its folders; nested archives count as its other files. `shown` is the folder that it represents.
   TUTTI_ERR_ARGUMENT: not an archive, cut, or larger than the allowance. @{ */
tutti_status tutti_import_archive_read(const struct import_text *archive, const char *shown,
                                       bool (*wanted)(const char *name), struct import_allowance *allowance,
                                       struct import_texts *texts, tutti_error *error);
void tutti_import_texts_free(struct import_texts *texts);
/* @} */

#endif
