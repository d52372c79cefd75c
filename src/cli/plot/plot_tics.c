#include "cli/plot/plot_tics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

void plot_tics_append(char tics[PLOT_TICS_LENGTH], const char *label, double position)
{
  size_t used = strlen(tics);
  snprintf(tics + used, PLOT_TICS_LENGTH - used, "%s\"%s\" %.17g", used ? ", " : "(", label, position);
}

void plot_tics_close(char tics[PLOT_TICS_LENGTH])
{
  strncat(tics, *tics ? ")" : "()", PLOT_TICS_LENGTH - strlen(tics) - 1);
}

void plot_tics_bytes(double least, double most, char tics[PLOT_TICS_LENGTH])
{
  enum { MOST_LABELS = 12 };
  char text[24];
  int first = (int)fmax(0, ceil(log2(least))), last = (int)fmin(62, floor(log2(most)));
  int step = 1 + (last - first) / MOST_LABELS;
  *tics = '\0';
  for (int power = (first + step - 1) / step * step; power <= last; power += step)
    plot_tics_append(tics, tutti_size_format(UINT64_C(1) << power, text), ldexp(1, power));
  plot_tics_close(tics);
}

void plot_tics_decades(double least, double most, char tics[PLOT_TICS_LENGTH])
{
  static const int steps[] = {1, 2, 5};
  char text[24];
  int labels = most / least < 1000 ? 3 : 1;
  *tics = '\0';
  for (int power = (int)floor(log10(least)); power <= log10(most); power++)
    for (int i = 0; i < labels; i++) {
      snprintf(text, sizeof text, "%de%d", steps[i], power);
      double position = strtod(text, NULL);
      snprintf(text, sizeof text, "%.10g", position);
      if (position >= least && position <= most)
        plot_tics_append(tics, text, position);
    }
  plot_tics_close(tics);
}
