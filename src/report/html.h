/* Writing HTML and JSON in which no text of the store can be taken for markup. */
#ifndef TUTTI_REPORT_HTML_H
#define TUTTI_REPORT_HTML_H

#include <stdio.h>

/* A text, escaped for content and for attributes in double quotes. Control characters, which HTML does not know, are
   written as question marks. */
void tutti_html_text(FILE *stream, const char *text);

/* printf() of markup in which the texts of %s are escaped. Knows %s, %d, %zu, %.Nf, %.Ng and %%, and no widths. */
void tutti_html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A string of JSON inside a <script> element: quotes, backslashes, control characters, and <, which could begin
   "</script" or "<!--", are escaped. */
void tutti_json_text(FILE *stream, const char *text);

/* A number with so many significant digits; null if it is not finite. */
void tutti_json_real(FILE *stream, double number, int digits);

#endif
