/* Messages for people, with names and values of arguments, variables and files of other users. */
#ifndef TUTTI_BASE_SAY_H
#define TUTTI_BASE_SAY_H

#include <stdio.h>

/* The same as fprintf(), through tutti_utf8_clean() (utf8.h). Values cannot form a command of GitHub Actions, unless
   the format itself begins one. What standard output has goes before a message on standard error. Returns the bytes
   written. */
int tutti_say(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
