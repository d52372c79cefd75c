/* A tuning file on its way through a reader: its text, the version that reads it, and the findings. */
#ifndef TUTTI_LIBRARIES_TUNING_FILE_H
#define TUTTI_LIBRARIES_TUNING_FILE_H

#include <stdarg.h>

#include "libraries/libraries.h"

/* Places are offsets into the text. */
struct tuning_file {
  const char *path, *text; /* a zero byte behind the text */
  size_t length;
  tutti_library_version version;
  tutti_findings *findings; /* NULL: nobody wants to know */
  bool out_of_memory;
  struct { /* the last place that was asked for: findings come nearly in order */
    size_t at;
    int line, column;
  } last;
};

/* Severities in tables of codes (codes.def). */
#define NOTE    TUTTI_NOTE
#define WARNING TUTTI_WARNING
#define ERROR   TUTTI_ERROR

/* Add a finding. @p code is an index into the codes of the library. @{ */
void tutti_tuning_report(struct tuning_file *file, int code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tutti_tuning_vreport(struct tuning_file *file, int code, size_t at, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));
/* @} */

/* The first thing in a text that is neither blank nor a comment with '#'; 0: there is none. */
char tutti_tuning_first(const char *text, size_t length);

/* Line and column of a place, from 1. */
void tutti_tuning_place(const struct tuning_file *file, size_t at, int *line, int *column);

/* The places where a line, numbered from 1, begins, and its first word. @{ */
size_t tutti_tuning_line(const struct tuning_file *file, int number);
size_t tutti_tuning_first_word(const struct tuning_file *file, int number);
/* @} */

#endif
