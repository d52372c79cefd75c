/* Pieces of JSON. */
#ifndef TUTTI_CLI_REPORT_JSON_H
#define TUTTI_CLI_REPORT_JSON_H

#include <stdio.h>

/* A string in quotes, escaped; bytes outside ASCII pass as they are. */
void json_string(FILE *stream, const char *text);

/* A number with @p digits significant digits; null if it is not finite. */
void json_number(FILE *stream, double number, int digits);

#endif
