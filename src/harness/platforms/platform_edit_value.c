/* Values in a platform file: what an attribute or property means, and what an edit makes of it. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"

/* The attributes of all elements, then the options and properties of <prop>. */
static const struct meaning {
  const char *name;
  enum edit_kind kind;
  unsigned touches;
} attributes[] =
    {
        {"lat", EDIT_TIME, TOUCHES_LATENCY},
        {"bb_lat", EDIT_TIME, TOUCHES_LATENCY},
        {"latency", EDIT_TIME, TOUCHES_LATENCY},
        {"loopback_lat", EDIT_TIME, 0},
        {"bw", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bb_bw", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bw_in", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bw_out", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"limiter_link", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bandwidth", EDIT_BANDWIDTHS, TOUCHES_BANDWIDTH},
        {"loopback_bw", EDIT_BANDWIDTH, 0},
        {"read_bw", EDIT_BANDWIDTH, 0},
        {"write_bw", EDIT_BANDWIDTH, 0},
        {"speed", EDIT_SPEEDS, TOUCHES_SPEED},
        {"sharing_policy", EDIT_TEXT, TOUCHES_BANDWIDTH},
        {"topology", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
        {"topo_parameters", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
},
  options[] = {
      {"smpi/os", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/ois", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/or", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/lat-factor", EDIT_PIECES, TOUCHES_LATENCY},
      {"smpi/bw-factor", EDIT_PIECES, TOUCHES_BANDWIDTH},
      {"smpi/host-speed", EDIT_SPEEDS, TOUCHES_SPEED},
      {"smpi/async-small-thresh", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_OVERHEAD},
      {"smpi/send-is-detached-thresh", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_OVERHEAD},
      {"network/latency-factor", EDIT_TEXT, TOUCHES_LATENCY},
      {"network/bandwidth-factor", EDIT_TEXT, TOUCHES_BANDWIDTH},
      {"network/weight-S", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
      {"network/TCP-gamma", EDIT_TEXT, TOUCHES_BANDWIDTH},
      {"network/crosstraffic", EDIT_TEXT, TOUCHES_BANDWIDTH},
};

static const struct meaning *meaning_of(const xmlNode *node, const char *attribute)
{
  bool prop = tutti_xml_is(node, "prop") && strcmp(attribute, "value") == 0;
  const struct meaning *all = prop ? options : attributes;
  size_t count = prop ? sizeof options / sizeof *options : sizeof attributes / sizeof *attributes;
  const char *name = prop ? tutti_xml_attribute(node, "id") : attribute;
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

unsigned tutti_edit_touches(const xmlNode *node, const char *attribute)
{
  const struct meaning *meaning = meaning_of(node, attribute);
  return meaning ? meaning->touches : 0;
}

enum edit_kind tutti_edit_kind_of(const xmlNode *node, const char *attribute)
{
  const struct meaning *meaning = meaning_of(node, attribute);
  return meaning ? meaning->kind : EDIT_TEXT;
}

/* ---- published values ---- */

static const struct published {
  const char *id;
  unsigned untrue_by;
} published[] = {
    {"tutti/published-alpha", TOUCHES_LATENCY | TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-beta", TOUCHES_BANDWIDTH},
    {"tutti/published-L", TOUCHES_LATENCY | TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-o", TOUCHES_OVERHEAD},
    {"tutti/published-g", TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-G", TOUCHES_BANDWIDTH},
    {"tutti/published-gamma", TOUCHES_SPEED},
    {"tutti/fit", TOUCHES_LATENCY | TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD | TOUCHES_SPEED},
};

enum { PUBLISHED_COUNT = sizeof published / sizeof *published };

bool tutti_edit_is_published_of_network(const char *id)
{
  for (int i = 0; i < PUBLISHED_COUNT; i++)
    if (strcmp(published[i].id, id) == 0)
      return !(published[i].untrue_by & TOUCHES_SPEED);
  return false;
}

void tutti_edit_keep_own(struct editing *editing, const xmlNode *node)
{
  for (int i = 0; i < PUBLISHED_COUNT && tutti_xml_is(node, "prop"); i++)
    if (strcmp(tutti_xml_attribute(node, "id"), published[i].id) == 0)
      editing->own |= 1U << i;
}

tutti_status tutti_edit_drop_published(struct editing *editing, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < PUBLISHED_COUNT && status == TUTTI_OK; i++)
    if ((published[i].untrue_by & editing->touched) && !(editing->own & 1U << i))
      status = tutti_edit_set_prop(editing, tutti_edit_outermost(editing), published[i].id, NULL, error);
  return status;
}

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

/* The shortest text that reads as the same number or as one next to it (3 * 0.1 is 0.3); with an exponent where it is
   long and @p like, a number of the file, has one. */
static void print_number(double number, const char *like, const char *unit, char text[PIECE_LENGTH])
{
  int digits = like[strspn(like, "+-.0123456789")] == 'e' ? 1 : 15;
  do
    snprintf(text, PIECE_LENGTH, "%.*g", digits, number);
  while (fabs(strtod(text, NULL) - number) > DBL_EPSILON * fabs(number) && ++digits <= 17);
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
  print_number(result, before, missing, after);
  tutti_error reason;
  if (kind != EDIT_TEXT && kind != EDIT_PIECES && parsers[kind](after, &ignored, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s would become %s: %.200s", before, after, reason.message);
  return TUTTI_OK;
}

/* ---- lists ---- */

/* Append a piece and the character that ended it. */
static void append(char **text, const char *piece, char end)
{
  char *longer = tutti_xprintf("%s%s%.1s", *text ? *text : "", piece, &end);
  free(*text);
  *text = longer;
}

/* The new value of field @p field of a piece: 0 is a size; additions and settings change the first value only. */
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
    print_number(seconds, "", "", after);
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
      append(after, changed, *before);
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
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no value after '='");
  if (kind == EDIT_PIECES && !is_piecewise(change))
    return change_list(kind, before, change, ":;", after, error);
  if (tutti_edit_is_relative(change))
    return change_list(kind, before, change, kind == EDIT_BANDWIDTHS || kind == EDIT_SPEEDS ? "," : "", after, error);
  if (kind != EDIT_TEXT && strchr("*/+-", *change))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': a number is expected after '%c'", change, *change);
  tutti_status status = kind == EDIT_PIECES ? TUTTI_OK : check_absolute(kind, change, error);
  if (status != TUTTI_OK)
    return status;
  *after = tutti_xstrdup(change);
  return TUTTI_OK;
}
