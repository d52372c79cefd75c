/* Links that lose throughput: one law for the fast engine and for SimGrid, so that both compute the same bits. */
#include "tutti/contention.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

tutti_status tutti_contention_parse(const char *text, tutti_contention *contention, tutti_error *error)
{
  char number[16];
  uint64_t messages = 0;
  const char *slash = strchr(text, '/');
  const int digits = slash && slash - text < (int)sizeof number ? (int)(slash - text) : 0;
  snprintf(number, sizeof number, "%.*s", digits, text);
  if (!tutti_parse_integer(number, 1, INT_MAX, &messages) || !tutti_parse_real(slash + 1, &contention->floor) ||
      !(contention->floor > 0 && contention->floor <= 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "expected K/FLOOR, such as 12/0.25: K messages without a loss, at least 1, and the part of the "
                      "bandwidth that is always left, above 0 and at most 1");
  contention->messages = (int)messages;
  return TUTTI_OK;
}

double tutti_contention_bandwidth(const tutti_contention *contention, double bandwidth, int messages)
{
  const int most = contention->messages;
  return most > 0 && messages > most ? bandwidth * fmax(contention->floor, (double)most / messages) : bandwidth;
}
