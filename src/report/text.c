#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *tutti_text_count(size_t number, char text[TEXT_LENGTH])
{
  char digits[32];
  int length = snprintf(digits, sizeof digits, "%zu", number);
  char *end = text;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      *end++ = ',';
    *end++ = digits[i];
  }
  *end = '\0';
  return text;
}

char *tutti_text_real(double number, char text[TEXT_LENGTH])
{
  double size = fabs(number);
  if (!isfinite(number))
    return strcpy(text, "\u2013");
  if (size >= 999.95 && size < 1e15) {
    *text = '-';
    tutti_text_count((size_t)llround(size), number < 0 ? text + 1 : text);
  } else if (size >= 1e15 || (size < 1e-5 && size > 0)) {
    snprintf(text, TEXT_LENGTH, "%.3e", number);
  } else {
    /* Rounded first, or else 0.99999 would have five digits. */
    char rounded[TEXT_LENGTH];
    snprintf(rounded, sizeof rounded, "%.3e", size);
    int decimals = size > 0 ? 3 - atoi(strchr(rounded, 'e') + 1) : 0;
    snprintf(text, TEXT_LENGTH, "%.*f", decimals, number);
  }
  return text;
}

char *tutti_text_us(double seconds, char text[TEXT_LENGTH])
{
  return tutti_text_real(seconds * 1e6, text);
}
