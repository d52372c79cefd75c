/* Tolerances: how much worse a value may be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_private.h"

static const char *const names[TUTTI_ASPECTS] = {
    [TUTTI_ASPECT_TIME] = "time",     [TUTTI_ASPECT_MESSAGES] = "messages", [TUTTI_ASPECT_BYTES] = "bytes",
    [TUTTI_ASPECT_MEMORY] = "memory", [TUTTI_ASPECT_PENALTY] = "penalty",
};

const char *tutti_aspect_name(tutti_aspect aspect)
{
  return names[aspect];
}

tutti_tolerance tutti_tolerance_default(void)
{
  return (tutti_tolerance){.percent = {[TUTTI_ASPECT_TIME] = 1}};
}

/* One word, "time=2%" or "2%", of @p length characters. */
static tutti_status take_word(const char *word, int length, tutti_tolerance *tolerance, tutti_error *error)
{
  const char *equals = memchr(word, '=', (size_t)length), *number = equals ? equals + 1 : word;
  int aspect = TUTTI_ASPECT_TIME;
  char *end;
  if (equals)
    for (aspect = 0; aspect < TUTTI_ASPECTS; aspect++)
      if (strlen(names[aspect]) == (size_t)(equals - word) && memcmp(names[aspect], word, strlen(names[aspect])) == 0)
        break;
  if (aspect == TUTTI_ASPECTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.*s': tolerances are those of time, messages, bytes, memory, penalty", length, word);
  double percent = strtod(number, &end);
  bool good = end > number && isfinite(percent) && percent >= 0 && strcspn(number, "xX") >= (size_t)(end - number);
  end += *end == '%';
  if (!good || end != word + length)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.*s' is not a number of percent of at least 0", length, word);
  tolerance->percent[aspect] = percent;
  return TUTTI_OK;
}

tutti_status tutti_tolerance_parse(const char *text, tutti_tolerance *tolerance, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (bool more = true; more && status == TUTTI_OK;) {
    size_t length = strcspn(text, ",");
    status = take_word(text, (int)length, tolerance, error);
    more = text[length] == ',';
    text += length + 1;
  }
  return status;
}
