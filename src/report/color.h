/* Colors of methods, the same in pictures and in the report. */
#ifndef TUTTI_REPORT_COLOR_H
#define TUTTI_REPORT_COLOR_H

#include "tutti/decision.h"

/* Color 0xRRGGBB of a method of the map: hue by algorithm, lightness by its parameters. */
unsigned tutti_report_color(const tutti_decision_map *map, int method);

#endif
