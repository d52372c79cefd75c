#include "platforms/platform_edit_value.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/platform_units.h"

enum { PIECE_LENGTH = 64 };

typedef tutti_status parse_function(const char *text, double *value, tutti_error *error);

static parse_function *const parsers[] = {[EDIT_TIME] = tutti_platform_parse_time,
                                          [EDIT_BANDWIDTH] = tutti_platform_parse_bandwidth,
                                          [EDIT_BANDWIDTHS] = tutti_platform_parse_bandwidth,
                                          [EDIT_SPEEDS] = tutti_platform_parse_speed,
                                          [EDIT_PIECES] = tutti_platform_parse_time};

int tutti_edit_is_relative(const char *change)
{
  char *end;
  if (!*change || !strchr("*/+-", *change))
    return false;
  strtod(change + 1, &end);
  return end != change + 1; /* "/tmp/x" is a text */
}

static tutti_status multiplied(const char *change, double number, double *result, tutti_error *error)
{
  char *end;
  double factor = strtod(change + 1, &end);
  if (*end != '\0' || !isfinite(factor) || factor < 0 || (factor == 0 && *change == '/'))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a factor: a number above 0 without a unit", change + 1);
  *result = *change == '*' ? number * factor : number / factor;
  return TUTTI_OK;
}

/* The number that @p unit makes a quantity of the kind out of. */
static tutti_status scale_of(enum edit_kind kind, const char *unit, double *scale, tutti_error *error)
{
  char one[PIECE_LENGTH];
  *scale = 1;
  if (*unit == '\0')
    return TUTTI_OK;
  snprintf(one, sizeof one, "1%s", unit);
  return parsers[kind](one, scale, error);
}

static tutti_status added(enum edit_kind kind, const char *change, const char *unit, double number, double *result,
                          tutti_error *error)
{
  char *end;
  double amount = strtod(change + 1, &end), scale = 1;
  tutti_status status = TUTTI_OK;
  if (kind != EDIT_TEXT) {
    status = parsers[kind](change + 1, &amount, error);
    if (status == TUTTI_OK)
      status = scale_of(kind, unit, &scale, error);
  } else if (*end != '\0' || *unit != '\0')
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' has a unit: multiply it, or set it", *end ? change + 1 : unit);
  if (status != TUTTI_OK)
    return status;
  *result = number + (*change == '+' ? amount : -amount) / scale;
  return TUTTI_OK;
}

/* The shortest text that reads as the same number. */
static void print_number(double number, const char *unit, char text[PIECE_LENGTH])
{
  int digits = 15;
  do
    snprintf(text, PIECE_LENGTH, "%.*g", digits, number);
  while (strtod(text, NULL) != number && ++digits <= 17);
  size_t length = strlen(text);
  snprintf(text + length, PIECE_LENGTH - length, "%s", unit);
}

/* A relative change of one number with its unit. */
static tutti_status change_one(enum edit_kind kind, const char *before, const char *change, char after[PIECE_LENGTH],
                               tutti_error *error)
{
  char *unit;
  double number = strtod(before, &unit), result = 0, ignored;
  if (unit == before || strlen(unit) >= PIECE_LENGTH / 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' changes numbers, not \"%.80s\"", change, before);
  bool sum = *change == '+' || *change == '-';
  tutti_status status =
      sum ? added(kind, change, unit, number, &result, error) : multiplied(change, number, &result, error);
  if (status != TUTTI_OK)
    return status;
  /* The one number without a unit is 0. */
  const char *missing = kind == EDIT_TIME && result != 0 && *unit == '\0' ? "s" : unit;
  print_number(result, missing, after);
  tutti_error reason;
  if (kind != EDIT_TEXT && kind != EDIT_PIECES && parsers[kind](after, &ignored, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s would become %s: %.200s", before, after, reason.message);
  return TUTTI_OK;
}

/* ---- lists ---- */

/* Append a piece and the character that ended it. */
static tutti_status append(char **text, const char *piece, char end, tutti_error *error)
{
  char *longer;
  if (asprintf(&longer, "%s%s%.1s", *text ? *text : "", piece, &end) < 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
  free(*text);
  *text = longer;
  return TUTTI_OK;
}

/* What becomes of field number @p field of a piece: 0 is a size; only the first value has an amount added or is set. */
static tutti_status change_field(const char *before, const char *change, int field, char after[PIECE_LENGTH],
                                 tutti_error *error)
{
  bool factor = *change == '*' || *change == '/';
  if (field == 0 || (field > 1 && !factor)) {
    snprintf(after, PIECE_LENGTH, "%s", before);
    return TUTTI_OK;
  }
  if (tutti_edit_is_relative(change)) {
    tutti_status status = change_one(EDIT_PIECES, before, change, after, error);
    if (status == TUTTI_OK && strtod(after, NULL) < 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s would become %s: not below 0", before, after);
    return status;
  }
  double seconds;
  tutti_status status = tutti_platform_parse_time(change, &seconds, error);
  if (status == TUTTI_OK)
    print_number(seconds, "", after);
  return status;
}

/* Change the numbers of @p before one by one, which are separated by the characters of @p separators. */
static tutti_status change_list(enum edit_kind kind, const char *before, const char *change, const char *separators,
                                char **after, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *after = NULL;
  for (int field = 0; status == TUTTI_OK; before++) {
    char piece[PIECE_LENGTH], changed[PIECE_LENGTH];
    size_t length = strcspn(before, separators);
    if (length >= sizeof piece)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' is too long for a number", before);
    snprintf(piece, sizeof piece, "%.*s", (int)length, before);
    if (status == TUTTI_OK)
      status = kind == EDIT_PIECES ? change_field(piece, change, field, changed, error)
                                   : change_one(kind, piece, change, changed, error);
    before += length;
    field = *before == ';' ? 0 : field + 1;
    if (status == TUTTI_OK)
      status = append(after, changed, *before, error);
    if (*before == '\0')
      break;
  }
  if (status != TUTTI_OK) {
    free(*after);
    *after = NULL;
  }
  return status;
}

static tutti_status check_absolute(enum edit_kind kind, const char *text, tutti_error *error)
{
  double ignored;
  if (kind == EDIT_BANDWIDTHS)
    return tutti_platform_check_bandwidths(text, error);
  if (kind == EDIT_SPEEDS)
    return tutti_platform_check_speeds(text, error);
  return kind == EDIT_TEXT ? TUTTI_OK : parsers[kind](text, &ignored, error);
}

/* SMPI's own form, "0:1e-6:0"; anything else is a time, for each of the pieces. */
static bool is_piecewise(const char *change)
{
  return strchr(change, ':') != NULL;
}

tutti_status tutti_edit_value(enum edit_kind kind, const char *before, const char *change, char **after,
                              tutti_error *error)
{
  *after = NULL;
  if (*change == '\0')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no value behind '='");
  if (kind == EDIT_PIECES && !is_piecewise(change))
    return change_list(kind, before, change, ":;", after, error);
  if (tutti_edit_is_relative(change))
    return change_list(kind, before, change, kind == EDIT_BANDWIDTHS || kind == EDIT_SPEEDS ? "," : "", after, error);
  if (kind != EDIT_TEXT && strchr("*/+-", *change))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': a number is expected behind '%c'", change, *change);
  tutti_status status = kind == EDIT_PIECES ? TUTTI_OK : check_absolute(kind, change, error);
  if (status != TUTTI_OK)
    return status;
  *after = strdup(change);
  return *after ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
}
