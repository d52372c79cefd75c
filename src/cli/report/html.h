/* Writing HTML in which no text of the store can be taken for markup. Functions that get a buffer return it. */
#ifndef TUTTI_CLI_REPORT_HTML_H
#define TUTTI_CLI_REPORT_HTML_H

#include "cli/output/output.h"

/* A text, escaped for content and for attributes in double quotes. Control characters, which HTML does not know, are
   written as question marks. */
void html_text(FILE *stream, const char *text);

/* printf() of markup in which the texts of %s are escaped. Knows %s, %d, %zu, %.Nf, %.Ng and %%, and no widths. */
void html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The heading of a column of texts, or of numbers; its text, a literal, is markup. */
#define HTML_TEXTS(heading)   "<th scope=\"col\">" heading "</th>"
#define HTML_NUMBERS(heading) "<th scope=\"col\" class=\"n\">" heading "</th>"

/* Begin a table in a frame that scrolls. @p label says to a screen reader what the table is; @p class is one of the
   style sheet, or NULL; @p headings are some of the above, or NULL: then html_heading() prints each, and
   html_headings_end(). */
void html_table_begin(FILE *out, const char *label, const char *class, const char *caption, const char *headings);
void html_heading(FILE *out, const char *text, bool above_numbers);
void html_headings_end(FILE *out);
void html_table_end(FILE *out);

/* A table by description: its title is the caption, the first column names the rows. @p label says to a screen reader
   what it is. Columns of keys alone are left out. */
void html_table(FILE *out, const tutti_table *table, const char *label);

/* ---- numbers ---- */

#define TEXT_LENGTH 48

/* Four significant digits, whole numbers in groups from 1,000 on: "0.01234", "12.34", "1,234"; a dash if the number is
   not finite. */
char *text_real(double number, char text[TEXT_LENGTH]);

/* Seconds in microseconds, without the unit. */
char *text_us(double seconds, char text[TEXT_LENGTH]);

#endif
