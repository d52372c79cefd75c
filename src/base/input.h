/* Opening files that other users may have written: regular files up to a size, so that no reader waits for the writer
   of a pipe, reads a device forever or fills the memory. A file that the caller's shell opens (/dev/stdin, and
   /dev/fd/N for "<(command)") may be a pipe or a terminal; its size is bounded while it is read. */
#ifndef TUTTI_BASE_INPUT_H
#define TUTTI_BASE_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/error.h"

/* Bytes of the largest file that is read. */
enum {
  TUTTI_INPUT_TEXT = 64 << 20,   /* written by a person or a generator: rules, platforms, host lists, baselines, ... */
  TUTTI_INPUT_RECORDS = 1 << 30, /* written by runs: measurements, profiles, traces */
};

/* From now on this process reads only files in or below this folder, and others added by further calls, wherever links
   lead to; a missing folder has no files. @p reason, a literal: text of messages about other files. */
void tutti_input_confine(const char *folder, const char *reason);

/* Check that a file may be read, whether it exists or not. TUTTI_ERR_IO names it. For callers that test a file's
   existence before they open it. */
tutti_status tutti_input_permit(const char *path, tutti_error *error);

/* Open a file for reading, owned by the caller. NULL: TUTTI_ERR_IO in @p error names it and the reason. */
FILE *tutti_input_open(const char *path, uint64_t limit, tutti_error *error);

/* The whole of a file, followed by a zero byte, to be freed by the caller; *bytes is NULL after a failure. TUTTI_ERR_IO
   names the file. */
tutti_status tutti_input_read(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error);

/* The same for a file that is open, which messages call @p name and the caller closes. */
tutti_status tutti_input_read_opened(int file, const char *name, uint64_t limit, char **bytes, size_t *length,
                                     tutti_error *error);

/* The same for a text: TUTTI_ERR_ARGUMENT if there is a zero byte in it. */
tutti_status tutti_input_read_text(const char *path, uint64_t limit, char **text, size_t *length, tutti_error *error);

#endif
