/* Writing HTML in which no text of the store can be taken for markup. */
#ifndef TUTTI_REPORT_HTML_H
#define TUTTI_REPORT_HTML_H

#include <stdio.h>

/* A text, escaped for content and for attributes in double quotes. Control characters, which HTML does not know, are
   written as question marks. */
void tutti_html_text(FILE *stream, const char *text);

/* printf() of markup in which the texts of %s are escaped. Knows %s, %d, %zu, %.Nf, %.Ng and %%, and no widths. */
void tutti_html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
