/* Reading text files line by line, with faults as FILE:LINE, words and numbers.

       struct tutti_lines lines;
       tutti_status status = tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
       while (tutti_lines_next(&lines))
         if (is_bad(lines.text))
           tutti_lines_fault(&lines, "no rule begins so");
       return tutti_lines_close(&lines);

   The first fault ends the reading, and is what tutti_lines_close() returns. */
#ifndef TUTTI_BASE_TEXT_H
#define TUTTI_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "tutti/error.h"

/* Message for a file that is not a text. */
#define TUTTI_ZERO_BYTE "a zero byte: this is not a text file"

struct tutti_lines {
  const char *path; /* for messages */
  char *text;       /* the line without its end; may be changed; gone with the next line */
  size_t length;    /* of text */
  int number;       /* of the line, from 1 */
  bool ended;       /* it has its end; false: the file ends in it */
  tutti_status status;
  tutti_error *error; /* may be NULL */
  FILE *stream;       /* owned; NULL: could not be opened */
  uint64_t left;      /* bytes that may still be read */
  bool zeros;         /* a line may have zero bytes, and ends at the first of them: what a crash leaves in a file */
  size_t capacity;
};

/* Begin to read a file of at most @p limit bytes (base/input.h). TUTTI_ERR_IO names it; tutti_lines_next() then returns
   false, and close is still allowed. */
tutti_status tutti_lines_open(struct tutti_lines *lines, const char *path, uint64_t limit, tutti_error *error);

/* The same for a text in memory, which messages call @p name. */
tutti_status tutti_lines_open_text(struct tutti_lines *lines, const char *text, size_t length, const char *name,
                                   tutti_error *error);

/* The same for an open stream of at most TUTTI_INPUT_RECORDS bytes, which is closed by tutti_lines_close(). NULL: errno
   tells why it could not be opened. */
tutti_status tutti_lines_open_stream(struct tutti_lines *lines, FILE *stream, const char *name, tutti_error *error);

/* The next line, without "\n" or "\r\n"; false at the end and after a fault. A line with a zero byte is one, and one of
   more than 16 MB. */
bool tutti_lines_next(struct tutti_lines *lines);

/* A fault of this line: TUTTI_ERR_ARGUMENT, "PATH:LINE: ...". The first one is kept. */
tutti_status tutti_lines_fault(struct tutti_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* End the reading of a stream that stays open: @p status of the caller if that is a fault, else as tutti_lines_close().
 */
tutti_status tutti_lines_leave(struct tutti_lines *lines, tutti_status status);

/* Close; the first fault, or TUTTI_ERR_IO naming the file if reading failed. */
tutti_status tutti_lines_close(struct tutti_lines *lines);

/* A whole number in decimal digits, without sign or blank, from min to max, and no text after it. */
bool tutti_parse_integer(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* The value of the word "KEY=VALUE" if it has that key, else NULL. */
const char *tutti_word_value(const char *word, const char *key);

/* Length of a word without its suffix; 0: it does not end with that, or is nothing else. */
static inline size_t tutti_stem_length(const char *word, const char *suffix)
{
  size_t length = strlen(word), end = strlen(suffix);
  return length > end && strcmp(word + length - end, suffix) == 0 ? length - end : 0;
}

/* The ending of the noun in "1 record", "2 records". */
static inline const char *tutti_plural(uint64_t count)
{
  return count == 1 ? "" : "s";
}

/* A finite number as strtod() reads it, without blanks around it, and no text after it. */
bool tutti_parse_real(const char *text, double *value);

#endif
