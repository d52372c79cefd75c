/* Pieces of JSON. */
#ifndef TUTTI_CLI_REPORT_JSON_H
#define TUTTI_CLI_REPORT_JSON_H

#include <stddef.h>
#include <stdio.h>

/* A string in quotes, escaped; bytes outside ASCII pass as they are. */
void json_string(FILE *stream, const char *text);

/* A number with @p digits significant digits; null if it is not finite. */
void json_number(FILE *stream, double number, int digits);

/* On standard output, a further member of an object: , "NAME": NUMBER. */
void json_member(const char *name, double number, int digits);

/* On standard output, the member "BASIS": "NAME"; of a "scheme" that goes on behind a comma also "patterns": "...". */
void json_basis(const char *basis, const char *name);

/* On standard output: {"platform": PLATFORM, NAME: [...]}, with what @p print says of each of the items, which are
 * @p size bytes each. */
void json_report(const char *platform, const char *name, const void *items, size_t count, size_t size,
                 void (*print)(const void *item));

#endif
