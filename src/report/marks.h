/* How methods are marked in maps, in text, pictures and the report: by letters and by colors. */
#ifndef TUTTI_REPORT_MARKS_H
#define TUTTI_REPORT_MARKS_H

#include "tutti/decision.h"

#define REPORT_LETTERS_LENGTH 8

/* How many letters each of @p count things has: one up to 52, two up to 52 * 52, and so on. */
int tutti_report_letters_width(int count);

/* The letters of the thing @p index (0 .. count - 1): A, B, ..., z, or AA, AB, ... Returns @p letters. */
const char *tutti_report_letters(int index, int count, char letters[REPORT_LETTERS_LENGTH]);

/* Color 0xRRGGBB of a method of the map: hue by algorithm, lightness by its parameters. */
unsigned tutti_report_color(const tutti_decision_map *map, int method);

#endif
