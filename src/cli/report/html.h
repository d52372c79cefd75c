/* Writing HTML in which no text of the store can be taken for markup. */
#ifndef TUTTI_REPORT_HTML_H
#define TUTTI_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "base/table.h"

/* A text, escaped for content and for attributes in double quotes. Control characters, which HTML does not know, are
   written as question marks. */
void tutti_html_text(FILE *stream, const char *text);

/* printf() of markup in which the texts of %s are escaped. Knows %s, %d, %zu, %.Nf, %.Ng and %%, and no widths. */
void tutti_html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Begin a table in a frame that scrolls.
 * @param label     says to a screen reader what the table is
 * @param class     of the style sheet; NULL: none
 * @param headings  markup, separated by '|'; one above numbers begins with '#'. NULL: the caller prints them by
 *                  tutti_html_heading() and ends them by tutti_html_headings_end().
 */
void tutti_html_table_begin(FILE *out, const char *label, const char *class, const char *caption, const char *headings);
void tutti_html_heading(FILE *out, const char *heading, bool above_numbers);
void tutti_html_headings_end(FILE *out);
void tutti_html_table_end(FILE *out);

/* A table by description: its title is the caption, the first column names the rows. @p label says to a screen reader
   what it is. Columns of keys alone are left out. */
void tutti_html_table(FILE *out, const tutti_table *table, const char *label);

/* ---- numbers ---- */

#define TEXT_LENGTH 48

/* A whole number in groups of three digits: "32,400". Returns @p text, as all of these. */
char *tutti_text_count(size_t number, char text[TEXT_LENGTH]);

/* Four significant digits, whole numbers in groups from 1,000 on: "0.01234", "12.34", "1,234"; a dash if the number is
   not finite. */
char *tutti_text_real(double number, char text[TEXT_LENGTH]);

/* Seconds in microseconds, without the unit. */
char *tutti_text_us(double seconds, char text[TEXT_LENGTH]);

#endif
