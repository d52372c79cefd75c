/*
 * The colours of pictures and of the page, 0xRRGGBB: those of plots/palette.gp as macros, PALETTE_ORANGE and so on, and
 * the list PALETTE_LINES.
 */
#ifndef TUTTI_REPORT_PALETTE_H
#define TUTTI_REPORT_PALETTE_H

#include <stdbool.h>

#include "cli/report/palette.inc" /* made by CMakeLists.txt */

/* How an area is filled: its color alone, or lines of it on white. More methods than there are colors differ in that;
   the values are gnuplot's. */
typedef enum tutti_fill {
  TUTTI_FILL_CROSSED = 1,
  TUTTI_FILL_NETTED = 2,
  TUTTI_FILL_SOLID = 3,
  TUTTI_FILL_FALLING = 4,
  TUTTI_FILL_RISING = 5,
} tutti_fill;

/* Whether white is read better than black on an area that has no white lines (relative luminance, WCAG 2). */
bool tutti_area_is_dark(unsigned color, tutti_fill fill);

#define PALETTE_CSS_LENGTH 192

/* An area as a value of CSS's background. Returns @p text. */
const char *tutti_area_css(unsigned color, tutti_fill fill, char text[PALETTE_CSS_LENGTH]);

/* A class of what is lost. */
typedef struct tutti_loss {
  double least; /* percent; of the first class nothing is less */
  const char *text;
  unsigned color;
} tutti_loss;

enum { TUTTI_LOSSES = 7 };
extern const tutti_loss tutti_losses[TUTTI_LOSSES];

/* Index into these. */
int tutti_loss_class(double percent);

#endif
