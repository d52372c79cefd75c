#include "report/marks.h"

/* ---- letters ---- */

enum { LETTERS = 52 };

int tutti_report_letters_width(int count)
{
  int width = 1;
  for (long names = LETTERS; names < count; names *= LETTERS)
    width++;
  return width;
}

const char *tutti_report_letters(int index, int count, char letters[REPORT_LETTERS_LENGTH])
{
  static const char alphabet[LETTERS + 1] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  int width = tutti_report_letters_width(count);
  letters[width] = '\0';
  for (int i = width - 1; i >= 0; i--, index /= LETTERS)
    letters[i] = alphabet[index % LETTERS];
  return letters;
}

/* ---- colors: hue by algorithm, lightness by segment size (the larger the lighter) ---- */

enum { HUES = 8 };

/* Apart for color-blind readers too: Okabe and Ito's palette without its black, and two of Tol's for more algorithms.
 */
static const unsigned hues[HUES] = {0xE69F00, 0x0072B2, 0x009E73, 0xD55E00, 0xCC79A7, 0x56B4E9, 0x882255, 0x999933};

/* Number of different algorithms among the methods before @p method. */
static int algorithm_index(const tutti_decision_map *map, int method)
{
  int index = 0;
  for (int i = 1; i <= method; i++)
    index += map->methods[i].algorithm != map->methods[i - 1].algorithm;
  return index;
}

/* Where a method stands among those of its algorithm: 0 first, 1 last. */
static double place_among_siblings(const tutti_decision_map *map, int method)
{
  int before = 0, siblings = 0;
  for (int i = 0; i < map->method_count; i++) {
    bool sibling = map->methods[i].algorithm == map->methods[method].algorithm;
    siblings += sibling;
    before += sibling && i < method;
  }
  return siblings > 1 ? (double)before / (siblings - 1) : 0.45;
}

/* From 0 (black) over 0.5 (the color itself) to 1 (white). */
static unsigned shade(unsigned channel, double lightness)
{
  double mixed = lightness < 0.5 ? channel * (2 * lightness) : channel + (255.0 - channel) * (2 * lightness - 1);
  return (unsigned)(mixed + 0.5);
}

unsigned tutti_report_color(const tutti_decision_map *map, int method)
{
  unsigned hue = hues[algorithm_index(map, method) % HUES];
  double lightness = 0.38 + 0.48 * place_among_siblings(map, method);
  return shade(hue >> 16, lightness) << 16 | shade(hue >> 8 & 0xff, lightness) << 8 | shade(hue & 0xff, lightness);
}
