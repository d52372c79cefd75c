/* Sizes in bytes as people write them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tutti/algorithm.h"

static const struct {
  const char *suffix;
  unsigned shift;
} units[] = {{"GB", 30}, {"MB", 20}, {"KB", 10}, {"B", 0}};

enum { UNIT_COUNT = sizeof units / sizeof *units };

static bool parse_digits(const char **text, uint64_t *value)
{
  const char *start = *text;
  for (*value = 0; isdigit((unsigned char)**text); ++*text) {
    uint64_t digit = (uint64_t)(**text - '0');
    if (*value > (UINT64_MAX - digit) / 10)
      return false;
    *value = *value * 10 + digit;
  }
  return *text != start;
}

static bool parse_unit(const char *text, unsigned *shift)
{
  *shift = 0;
  if (*text == '\0')
    return true;
  for (int i = 0; i < UNIT_COUNT; i++) {
    *shift = units[i].shift;
    if (strcasecmp(text, units[i].suffix) == 0)
      return true;
  }
  return false;
}

tutti_status tutti_size_parse(const char *text, uint64_t *bytes, tutti_error *error)
{
  const char *rest = text;
  uint64_t value;
  unsigned shift;
  if (!parse_digits(&rest, &value) || !parse_unit(rest, &shift) || value > UINT64_MAX >> shift)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a size: give digits with B, KB, MB or GB", text);
  *bytes = value << shift;
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
