/*
 * How methods are marked in maps, in text, pictures and the report: by letters, a color and how it fills an area. All
 * belong to the name of the algorithm (marks.def), so they are the same wherever it is shown. Several methods of one
 * algorithm, which differ in parameters or in who runs them, have its color, and a number after its letter.
 */
#ifndef TUTTI_REPORT_MARKS_H
#define TUTTI_REPORT_MARKS_H

#include <stdbool.h>

#include "cli/report/palette.inc" /* made by CMakeLists.txt */
#include "tutti/algorithm.h"

/* ---- colors, 0xRRGGBB: those of plots/palette.gp as macros, PALETTE_ORANGE and so on, and PALETTE_LINES ---- */

/* How an area is filled: its color alone, or lines of it on white. More methods than there are colors differ in that;
   the values are gnuplot's. */
typedef enum tutti_fill {
  TUTTI_FILL_CROSSED = 1,
  TUTTI_FILL_NETTED = 2,
  TUTTI_FILL_SOLID = 3,
  TUTTI_FILL_FALLING = 4,
  TUTTI_FILL_RISING = 5,
  TUTTI_FILL_STEEP = 6,
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

/* ---- marks ---- */

typedef struct tutti_mark {
  char letter;
  unsigned color; /* 0xRRGGBB */
  tutti_fill fill;
} tutti_mark;

/* The mark of an algorithm. One that marks.def does not name, as it is a plug-in's, has a mark that none of its
   collective in the table has, and the color that its name says. */
tutti_mark tutti_mark_of(const tutti_algorithm *algorithm);

#define REPORT_LETTERS_LENGTH 16

/* Methods, and which of them are shown together. */
typedef struct tutti_marks {
  const tutti_method *methods;
  const bool *shown; /* [count] */
  int count;
  const bool *first; /* [count] numbered before the others, as if there were no others; NULL: none */
} tutti_marks;

/* The letters of a method that is shown: "B", or "B1" and "B2" if two methods of its algorithm are; beside a "B" that
   is first, "B2". Returns @p letters. */
const char *tutti_marks_letters(const tutti_marks *marks, int method, char letters[REPORT_LETTERS_LENGTH]);

/* The longest of them, 1 at least. */
int tutti_marks_width(const tutti_marks *marks);

#endif
