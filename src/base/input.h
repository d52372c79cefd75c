/* Opening files that somebody else may have written: regular files up to a size, so that no reader waits for the writer
   of a pipe, reads a device for ever or fills the memory. What the caller's shell hands over as an open file
   (/dev/stdin, and /dev/fd/N for "<(command)") may be a pipe or a terminal; its size is bounded while it is read. A
   text that comes so is kept, and whoever opens that name again reads it from its beginning. */
#ifndef TUTTI_BASE_INPUT_H
#define TUTTI_BASE_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tutti/error.h"

/* Bytes of the largest file that is read. */
enum {
  TUTTI_INPUT_TEXT = 64 << 20,   /* written by a person or a generator: rules, platforms, host lists, baselines, ... */
  TUTTI_INPUT_RECORDS = 1 << 30, /* written by runs: measurements, profiles, traces */
};

/* From now on this process reads only files in or below this folder, and others added by further calls, wherever links
   lead to; a missing folder has no files. @p reason, a literal: text of messages about other files. */
void tutti_input_confine(const char *folder, const char *reason);

#define TUTTI_INPUT_VARIABLE "TUTTI_READS"

/* The same for the measuring programs that this process starts, by that variable. */
void tutti_input_confine_programs(void);

/* Let this process read only what the variable says, if it is set, and the folder where it was started. Ranks of a
   simulation share what the first of them did. */
void tutti_input_confine_as_told(void);

/* May a file be read, be it there or not? TUTTI_ERR_IO names it. For those who say what is there before they open it.
 */
tutti_status tutti_input_permit(const char *path, tutti_error *error);

/* The same for a name that is handed on: other processes, or a library, open it by that name. TUTTI_ERR_IO refuses one
   of this process' open files, which there is another one, or is read already. */
tutti_status tutti_input_permit_handing_on(const char *path, tutti_error *error);

/* What packed a file that begins so, as "gzip"; NULL: nothing that is known. No text begins like that. */
const char *tutti_input_packing(const char *bytes, size_t length);

/* How a reader of texts refuses one: format of the name of the file, and what packed it. */
#define TUTTI_INPUT_PACKED "%s: %s first"

/* Open a file for reading, owned by the caller. NULL: TUTTI_ERR_IO in @p error names it and says why. */
FILE *tutti_input_open(const char *path, uint64_t limit, tutti_error *error);

/* Bytes of a byte order mark of UTF-8, which some editors write, in front of a text that ends with a zero byte. */
static inline size_t tutti_input_mark(const char *text)
{
  static const char mark[] = "\xef\xbb\xbf";
  return strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
}

/* The whole of a file without a byte order mark, followed by a zero byte, to be freed by the caller; *bytes is NULL
   after a failure. TUTTI_ERR_IO names the file. */
tutti_status tutti_input_read(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error);

/* The same with its mark. */
tutti_status tutti_input_read_bytes(const char *path, uint64_t limit, char **bytes, size_t *length, tutti_error *error);

/* The same, with its mark, for a file that is open, which messages call @p name and the caller closes. */
tutti_status tutti_input_read_opened(int file, const char *name, uint64_t limit, char **bytes, size_t *length,
                                     tutti_error *error);

/* The same for a text: TUTTI_ERR_ARGUMENT if there is a zero byte in it. */
tutti_status tutti_input_read_text(const char *path, uint64_t limit, char **text, size_t *length, tutti_error *error);

#endif
