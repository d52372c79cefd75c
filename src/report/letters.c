#include "report/letters.h"

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
