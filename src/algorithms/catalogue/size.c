/* Sizes in bytes as people write them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tutti/algorithm.h"

/* As written; K, Ki and KiB are read, too. */
static const struct {
  const char *suffix;
  unsigned shift;
} units[] = {{"GB", 30}, {"MB", 20}, {"KB", 10}, {"B", 0}};

enum { UNIT_COUNT = sizeof units / sizeof *units };

/* Append decimal digits to a number; returns how many there are, -1: the number is too large. */
static int append_digits(const char **text, uint64_t *value)
{
  const char *start = *text;
  for (; isdigit((unsigned char)**text); ++*text) {
    uint64_t digit = (uint64_t)(**text - '0');
    if (*value > (UINT64_MAX - digit) / 10)
      return -1;
    *value = *value * 10 + digit;
  }
  return (int)(*text - start);
}

/* 15, 1.5, 15e2: *digits times 10 to the power of *power. */
static bool parse_decimal(const char **text, uint64_t *digits, int *power)
{
  uint64_t exponent = 0;
  int places = 0;
  *digits = 0;
  if (append_digits(text, digits) < 1)
    return false;
  if (**text == '.') {
    ++*text;
    places = append_digits(text, digits);
    if (places < 1)
      return false;
  }
  if ((**text == 'e' || **text == 'E') && isdigit((unsigned char)(*text)[1])) {
    ++*text;
    if (append_digits(text, &exponent) < 0 || exponent > 99)
      return false;
  }
  *power = (int)exponent - places;
  return true;
}

static bool parse_unit(const char *text, unsigned *shift)
{
  *shift = 0;
  if (*text == '\0')
    return true;
  for (int i = 0; i < UNIT_COUNT; i++) {
    char binary[] = {units[i].suffix[0], 'i', 'B', '\0'}, short_binary[] = {units[i].suffix[0], 'i', '\0'};
    char letter[] = {units[i].suffix[0], '\0'};
    *shift = units[i].shift;
    if (strcasecmp(text, units[i].suffix) == 0)
      return true;
    if (*shift > 0 &&
        (strcasecmp(text, letter) == 0 || strcasecmp(text, binary) == 0 || strcasecmp(text, short_binary) == 0))
      return true;
  }
  return false;
}

/* Whole numbers only. */
static bool scale(uint64_t digits, int power, unsigned shift, uint64_t *bytes)
{
  unsigned __int128 value = (unsigned __int128)digits << shift;
  for (; power > 0 && value > 0 && value <= UINT64_MAX; power--)
    value *= 10;
  for (; power < 0 && value % 10 == 0; power++)
    value /= 10;
  *bytes = (uint64_t)value;
  return power >= 0 && value <= UINT64_MAX;
}

tutti_status tutti_size_parse(const char *text, uint64_t *bytes, tutti_error *error)
{
  const char *rest = text;
  uint64_t digits, value;
  int power;
  unsigned shift;
  if (!parse_decimal(&rest, &digits, &power) || !parse_unit(rest, &shift) || !scale(digits, power, shift, &value))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%s' is not a size, whole bytes such as 100, 8KB, 1.5MB, 64KiB, 2G or 1e3", text);
  *bytes = value;
  return TUTTI_OK;
}

char *tutti_size_format(uint64_t bytes, char *text)
{
  int i = 0;
  while (i < UNIT_COUNT - 1 && (bytes == 0 || bytes % (UINT64_C(1) << units[i].shift) != 0))
    i++;
  snprintf(text, 24, "%" PRIu64 "%s", bytes >> units[i].shift, units[i].suffix);
  return text;
}
