/* Marks of methods, areas as the style sheet fills them, and the classes of what is lost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/marks.h"

bool tutti_area_is_dark(unsigned color, tutti_fill fill)
{
  static const double weights[] = {0.2126, 0.7152, 0.0722};
  double luminance = 0;
  for (int i = 0; i < 3; i++) {
    double channel = (color >> (16 - 8 * i) & 0xff) / 255.0;
    luminance += weights[i] * (channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4));
  }
  return fill == TUTTI_FILL_SOLID && luminance <= 0.179;
}

const char *tutti_area_css(unsigned color, tutti_fill fill, char text[PALETTE_CSS_LENGTH])
{
  const int angle = fill == TUTTI_FILL_RISING  ? 135
                    : fill == TUTTI_FILL_STEEP ? 70
                                               : 45; /* of the direction in which lines follow each other */
  const int width = fill == TUTTI_FILL_NETTED ? 4 : 8;
  if (fill == TUTTI_FILL_SOLID)
    snprintf(text, PALETTE_CSS_LENGTH, "#%06x", color);
  else if (fill == TUTTI_FILL_FALLING || fill == TUTTI_FILL_RISING || fill == TUTTI_FILL_STEEP)
    snprintf(text, PALETTE_CSS_LENGTH, "repeating-linear-gradient(%ddeg,#%06x 0 2px,#fff 2px %dpx)", angle, color,
             width);
  else
    snprintf(text, PALETTE_CSS_LENGTH,
             "repeating-linear-gradient(45deg,#%06x 0 1px,transparent 1px %dpx),"
             "repeating-linear-gradient(135deg,#%06x 0 1px,#fff 1px %dpx)",
             color, width, color, width);
  return text;
}

const tutti_loss tutti_losses[TUTTI_LOSSES] = {
    {-100, "below 5 %", PALETTE_LOSS_1},     {5, "5 to 10 %", PALETTE_LOSS_2},    {10, "10 to 25 %", PALETTE_LOSS_3},
    {25, "25 to 50 %", PALETTE_LOSS_4},      {50, "50 to 100 %", PALETTE_LOSS_5}, {100, "100 to 200 %", PALETTE_LOSS_6},
    {200, "200 % and more", PALETTE_LOSS_7},
};

int tutti_loss_class(double percent)
{
  int found = 0;
  while (found + 1 < TUTTI_LOSSES && percent >= tutti_losses[found + 1].least)
    found++;
  return found;
}

/* ---- marks ---- */

static const struct named_mark {
  const char *algorithm;
  tutti_mark mark;
} table[] = {
#define MARK(algorithm, letter, color, fill) {algorithm, {letter, PALETTE_##color, TUTTI_FILL_##fill}},
#include "cli/report/marks.def"
#undef MARK
};

enum { MARKS = sizeof table / sizeof *table };

static const struct named_mark *find_name(const char *algorithm)
{
  for (int i = 0; i < MARKS; i++)
    if (strcmp(table[i].algorithm, algorithm) == 0)
      return &table[i];
  return NULL;
}

/* Whether an algorithm of the collective has that letter in the table. */
static bool has_letter(tutti_collective collective, char letter)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const struct named_mark *named = algorithm->collective == collective ? find_name(algorithm->name) : NULL;
    if (named && named->mark.letter == letter)
      return true;
  }
  return letter == find_name("native")->mark.letter;
}

/* The letter with that number among those that the table has for no algorithm of the collective. */
static char free_letter(tutti_collective collective, int number)
{
  static const char letters[] = "abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ"; /* no l, o, O: as 1 and 0 */
  for (int i = 0;; i = (i + 1) % ((int)sizeof letters - 1))
    if (!has_letter(collective, letters[i]) && number-- == 0)
      return letters[i];
}

/* Number of algorithms of the same collective before this one that have no name in the table. */
static int number_of_unnamed(const tutti_algorithm *algorithm)
{
  const tutti_algorithm *other;
  int number = 0;
  for (size_t i = 0; (other = tutti_algorithm_at(i)) && other != algorithm; i++)
    number += other->collective == algorithm->collective && !find_name(other->name);
  return number;
}

enum { FREE_COLORS = sizeof(unsigned[]){TUTTI_FREE_COLORS} / sizeof(unsigned) };

/* The one that the name says, or the next one that is not taken; all of them may be. */
static size_t take_color(const tutti_algorithm *algorithm, bool taken[FREE_COLORS])
{
  size_t wanted = 0, tries = 0;
  for (const char *c = algorithm->name; *c; c++)
    wanted = (31 * wanted + (unsigned char)*c) % 65521;
  while (taken[(wanted + tries) % FREE_COLORS] && tries < FREE_COLORS)
    tries++;
  size_t color = (wanted + tries) % FREE_COLORS;
  taken[color] = true;
  return color;
}

/* Stable as long as no two of a collective want one color: then the one that is loaded first has it. */
static size_t free_color(const tutti_algorithm *algorithm)
{
  const tutti_algorithm *other;
  bool taken[FREE_COLORS] = {false};
  for (size_t i = 0; (other = tutti_algorithm_at(i)) && other != algorithm; i++)
    if (other->collective == algorithm->collective && !find_name(other->name))
      take_color(other, taken);
  return take_color(algorithm, taken);
}

tutti_mark tutti_mark_of(const tutti_algorithm *algorithm)
{
  static const unsigned colors[] = {TUTTI_FREE_COLORS};
  const struct named_mark *named = find_name(algorithm->name);
  if (named)
    return named->mark;
  return (tutti_mark){free_letter(algorithm->collective, number_of_unnamed(algorithm)), colors[free_color(algorithm)],
                      TUTTI_FREE_FILL};
}

static bool is_first(const tutti_marks *marks, int method)
{
  return marks->first && marks->first[method];
}

/* How many of the shown methods before @p end have the algorithm and are first, or are not. */
static int siblings(const tutti_marks *marks, const tutti_algorithm *algorithm, bool first, int end)
{
  int count = 0;
  for (int i = 0; i < end; i++)
    count += marks->shown[i] && marks->methods[i].algorithm == algorithm && is_first(marks, i) == first;
  return count;
}

const char *tutti_marks_letters(const tutti_marks *marks, int method, char letters[REPORT_LETTERS_LENGTH])
{
  const tutti_algorithm *algorithm = marks->methods[method].algorithm;
  char letter = tutti_mark_of(algorithm).letter;
  bool first = is_first(marks, method);
  int before = first ? 0 : siblings(marks, algorithm, true, marks->count);
  if (before + siblings(marks, algorithm, first, marks->count) > 1)
    snprintf(letters, REPORT_LETTERS_LENGTH, "%c%d", letter, before + siblings(marks, algorithm, first, method) + 1);
  else
    snprintf(letters, REPORT_LETTERS_LENGTH, "%c", letter);
  return letters;
}

int tutti_marks_width(const tutti_marks *marks)
{
  char letters[REPORT_LETTERS_LENGTH];
  size_t widest = 1;
  for (int i = 0; i < marks->count; i++)
    if (marks->shown[i] && strlen(tutti_marks_letters(marks, i, letters)) > widest)
      widest = strlen(letters);
  return (int)widest;
}
