/* What a program says to a person: names and values of arguments, variables and files of other people's among it. */
#ifndef TUTTI_BASE_SAY_H
#define TUTTI_BASE_SAY_H

#include <stdio.h>

/* As fprintf(), through tutti_utf8_clean() (utf8.h). What the values make of a line is no command of GitHub Actions,
   either, unless the format itself begins one. Returns the bytes written. */
int tutti_say(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
