/* What was published, and how near a measured number must come to it. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"

/* A finite number with blanks around it; NULL if there is none, else where it ends. */
static const char *read_number(const char *text, double *number)
{
  char *end;
  *number = strtod(text, &end);
  if (end == text || !isfinite(*number))
    return NULL;
  while (isspace((unsigned char)*end))
    end++;
  return end;
}

static bool is_number(const char *text, double *number)
{
  const char *end = read_number(text, number);
  return end && *end == '\0';
}

static tutti_status refuse_published(const tutti_claim *claim, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "published=\"%s\" is no number, no comparison (< <= > >= with a number), no range (2..3) and "
                    "neither true nor false",
                    claim->published);
}

/* "< 3", ">= 400". */
static bool parse_comparison(tutti_claim *claim)
{
  static const struct {
    const char *sign;
    tutti_comparison comparison;
  } signs[] = {
      {"<=", TUTTI_CLAIM_AT_MOST}, {">=", TUTTI_CLAIM_AT_LEAST}, {"<", TUTTI_CLAIM_LESS}, {">", TUTTI_CLAIM_MORE}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t length = strlen(signs[i].sign);
    if (strncmp(claim->published, signs[i].sign, length) == 0) {
      claim->comparison = signs[i].comparison;
      return is_number(claim->published + length, &claim->value);
    }
  }
  return false;
}

/* "2..3"; strtod() would read "2." of it. */
static bool parse_range(tutti_claim *claim)
{
  const char *dots = strstr(claim->published, "..");
  char *low = dots ? strndup(claim->published, (size_t)(dots - claim->published)) : NULL;
  bool good = low && is_number(low, &claim->value) && is_number(dots + 2, &claim->tolerance) &&
              claim->value <= claim->tolerance;
  claim->comparison = TUTTI_CLAIM_BETWEEN;
  free(low);
  return good;
}

static bool parse_truth(tutti_claim *claim)
{
  claim->comparison = TUTTI_CLAIM_TRUTH;
  claim->value = strcmp(claim->published, "true") == 0;
  return claim->value > 0 || strcmp(claim->published, "false") == 0;
}

/* "20%", "2x", "2 us", "2". */
static tutti_status parse_within(tutti_claim *claim, tutti_error *error)
{
  const char *unit = read_number(claim->within, &claim->tolerance);
  if (!unit || claim->tolerance < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\" is no share (20%%), factor (2x) or distance (2 us)",
                      claim->within);
  bool absolute = *unit == '\0' || (claim->unit && strcmp(unit, claim->unit) == 0 && strcmp(unit, "%") != 0);
  if (strcmp(unit, "%") == 0) {
    claim->comparison = TUTTI_CLAIM_RELATIVE;
    claim->tolerance /= 100;
  } else if (strcmp(unit, "x") == 0 && claim->tolerance >= 1 && claim->value > 0)
    claim->comparison = TUTTI_CLAIM_FACTOR;
  else if (absolute)
    claim->comparison = TUTTI_CLAIM_ABSOLUTE;
  else if (strcmp(unit, "x") == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\": a factor of at least 1, of a number above 0",
                      claim->within);
  else
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\": the unit of the claim is '%s'", claim->within,
                      claim->unit ? claim->unit : "");
  return TUTTI_OK;
}

tutti_status tutti_experiment_parse_claim(tutti_claim *claim, tutti_error *error)
{
  claim->comparison = TUTTI_CLAIM_EQUAL;
  if (is_number(claim->published, &claim->value))
    return claim->within ? parse_within(claim, error) : TUTTI_OK;
  if (!parse_comparison(claim) && !parse_range(claim) && !parse_truth(claim))
    return refuse_published(claim, error);
  if (claim->within)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\" goes with one published number, not with \"%s\"",
                      claim->within, claim->published);
  return TUTTI_OK;
}
