/* Areas as the style sheet fills them, and the classes of what is lost. */
#include "cli/report/palette.h"

#include <math.h>
#include <stdio.h>

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
  const int angle = fill == TUTTI_FILL_RISING ? 135 : 45; /* of the direction in which lines follow each other */
  const int width = fill == TUTTI_FILL_NETTED ? 4 : 8;
  if (fill == TUTTI_FILL_SOLID)
    snprintf(text, PALETTE_CSS_LENGTH, "#%06x", color);
  else if (fill == TUTTI_FILL_FALLING || fill == TUTTI_FILL_RISING)
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
