/* Colours of methods, the same in pictures and in the report. */
#ifndef TUTTI_REPORT_COLOUR_H
#define TUTTI_REPORT_COLOUR_H

#include "tutti/decision.h"

/* Colour 0xRRGGBB of a method of the map: hue by algorithm, lightness by its parameters. */
unsigned tutti_report_colour(const tutti_decision_map *map, int method);

#endif
