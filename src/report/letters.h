/* The letters by which methods are known in the cells of a map, in text and in the report. */
#ifndef TUTTI_REPORT_LETTERS_H
#define TUTTI_REPORT_LETTERS_H

#define REPORT_LETTERS_LENGTH 8

/* How many letters each of @p count things has: one up to 52, two up to 52 * 52, and so on. */
int tutti_report_letters_width(int count);

/* The letters of the thing @p index (0 .. count - 1): A, B, ..., z, or AA, AB, ... Returns @p letters. */
const char *tutti_report_letters(int index, int count, char letters[REPORT_LETTERS_LENGTH]);

#endif
