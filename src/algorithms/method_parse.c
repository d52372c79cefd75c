/* Reading methods: COLLECTIVE/ALGORITHM[/SEGMENT][/NAME=VALUE...], a part being
 * PART=ALGORITHM[:SEGMENT][:NAME=VALUE...]. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

/* The piece of *rest up to the next separator, which is replaced by a terminating zero; NULL if nothing is left. */
static char *next_piece(char **rest, const char *separator)
{
  return *rest ? strsep(rest, separator) : NULL;
}

/* What is being read: an algorithm and its parameters, of the method or of a part of it. */
struct reading {
  const char *text; /* the whole method, for messages */
  tutti_part *part;
  unsigned given; /* TUTTI_TAKES_... that were set */
  tutti_error *error;
};

static tutti_status parse_positive(const struct reading *reading, const char *name, const char *text, int *value)
{
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (!isdigit((unsigned char)*text) || errno || *end || number < 1 || number > INT_MAX)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s=%s is not a whole number of at least 1",
                      reading->text, name, text);
  *value = (int)number;
  return TUTTI_OK;
}

/* A parameter may be given if the algorithm takes it, and once. */
static tutti_status admit(struct reading *reading, unsigned parameter, const char *piece, const char *name)
{
  const tutti_algorithm *algorithm = reading->part->algorithm;
  if (reading->given & parameter)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': '%s' sets a parameter for the second time",
                      reading->text, piece);
  reading->given |= parameter;
  if (algorithm->parameters & parameter)
    return TUTTI_OK;
  return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s/%s takes no %s", reading->text,
                    tutti_collective_name(algorithm->collective), algorithm->name, name);
}

static tutti_status parse_k(struct reading *reading, const char *piece, const char *value)
{
  const char *name = tutti_algorithm_k_name(reading->part->algorithm);
  int least = reading->part->algorithm->min_k;
  tutti_status status = admit(reading, TUTTI_TAKES_K, piece, name);
  if (status == TUTTI_OK)
    status = parse_positive(reading, name, value, &reading->part->k);
  if (status == TUTTI_OK && reading->part->k < least)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s must be at least %d", reading->text, name,
                      least);
  return status;
}

static tutti_status parse_outstanding(struct reading *reading, const char *piece, const char *value)
{
  tutti_status status = admit(reading, TUTTI_TAKES_OUTSTANDING, piece, "outstanding");
  return status == TUTTI_OK ? parse_positive(reading, "outstanding", value, &reading->part->outstanding) : status;
}

static tutti_status parse_segment(struct reading *reading, const char *piece)
{
  tutti_error reason;
  uint64_t bytes = 0;
  bool none = strcmp(piece, "none") == 0;
  if (!none && tutti_size_parse(piece, &bytes, &reason) != TUTTI_OK)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s", reading->text, reason.message);
  if (none && !(reading->part->algorithm->parameters & TUTTI_TAKES_SEGMENT))
    return TUTTI_OK;
  tutti_status status = admit(reading, TUTTI_TAKES_SEGMENT, piece, "segment size");
  if (status == TUTTI_OK && !none && bytes == 0)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': a segment has at least one byte",
                      reading->text);
  reading->part->segment_bytes = bytes;
  return status;
}

/* Does the piece read NAME=...? Then *value is what follows. */
static bool is_named(const char *piece, const char *name, const char **value)
{
  size_t length = strlen(name);
  *value = piece + length + 1;
  return strncmp(piece, name, length) == 0 && piece[length] == '=';
}

static tutti_status parse_selector(struct reading *reading, const char *piece, const char *value)
{
  const char *name;
  tutti_status status = admit(reading, TUTTI_TAKES_SELECTOR, piece, "selector");
  for (int k = 1; status == TUTTI_OK && (name = tutti_selector_name(k)); k++)
    if (strcmp(name, value) == 0) {
      reading->part->k = k;
      return TUTTI_OK;
    }
  return status == TUTTI_OK ? tutti_fail(reading->error, TUTTI_ERR_ARGUMENT,
                                         "method '%s': unknown selector '%s': known are ompi, mpich, mvapich2, impi",
                                         reading->text, value)
                            : status;
}

/* Any algorithm may be asked about "k": one that has no such parameter says so. */
static tutti_status parse_parameter(struct reading *reading, const char *piece)
{
  const char *value;
  if (!strchr(piece, '='))
    return parse_segment(reading, piece);
  if (is_named(piece, tutti_algorithm_k_name(reading->part->algorithm), &value) || is_named(piece, "k", &value))
    return parse_k(reading, piece, value);
  if (is_named(piece, "outstanding", &value))
    return parse_outstanding(reading, piece, value);
  if (is_named(piece, "selector", &value))
    return parse_selector(reading, piece, value);
  return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': unknown parameter '%.*s'", reading->text,
                    (int)strcspn(piece, "="), piece);
}

static tutti_status unknown_algorithm(tutti_collective collective, const char *name, tutti_error *error)
{
  char known[400] = "";
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (algorithm->collective != collective)
      continue;
    strncat(known, *known ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, algorithm->name, sizeof known - strlen(known) - 1);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown %s algorithm '%s': known are %s",
                    tutti_collective_name(collective), name, known);
}

static tutti_part default_part(const tutti_algorithm *algorithm)
{
  tutti_parameters defaults = tutti_method_default(algorithm).parameters;
  return (tutti_part){algorithm, defaults.segment_bytes, defaults.k, defaults.outstanding};
}

/* ALGORITHM[:SEGMENT][:NAME=VALUE...] */
static tutti_status parse_part(const char *text, const tutti_part_of *of, char *value, tutti_part *part,
                               tutti_error *error)
{
  const char *name = next_piece(&value, ":");
  const tutti_algorithm *algorithm = tutti_algorithm_find(of->collective, name);
  if (!algorithm)
    return unknown_algorithm(of->collective, name, error);
  if (algorithm->domain & ~TUTTI_NEEDS_COMMUTATIVE || !algorithm->build)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s/%s does not serve every group, so it can be no part",
                      text, tutti_collective_name(of->collective), name);
  *part = default_part(algorithm);
  struct reading reading = {text, part, 0, error};
  tutti_status status = TUTTI_OK;
  for (char *piece; status == TUTTI_OK && (piece = next_piece(&value, ":"));)
    status = parse_parameter(&reading, piece);
  return status;
}

/* Which part of the algorithm a piece PART=... is about; -1 if it is about none. */
static int part_named(const tutti_algorithm *algorithm, const char *piece)
{
  const char *value;
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++)
    if (is_named(piece, algorithm->parts[i].name, &value))
      return i;
  return -1;
}

static tutti_status parse_pieces(const char *text, char *rest, tutti_method *method, tutti_error *error)
{
  const tutti_algorithm *algorithm = method->algorithm;
  tutti_part own = default_part(algorithm);
  struct reading reading = {text, &own, 0, error};
  tutti_status status = TUTTI_OK;
  bool given[TUTTI_MAX_PARTS] = {false};
  for (char *piece; status == TUTTI_OK && (piece = next_piece(&rest, "/"));) {
    int i = part_named(algorithm, piece);
    if (i < 0) {
      status = parse_parameter(&reading, piece);
      continue;
    }
    if (given[i])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': '%s' sets a part for the second time", text, piece);
    given[i] = true;
    status = parse_part(text, &algorithm->parts[i], strchr(piece, '=') + 1, &method->parameters.parts[i], error);
  }
  method->parameters.segment_bytes = own.segment_bytes;
  method->parameters.k = own.k;
  method->parameters.outstanding = own.outstanding;
  return status;
}

tutti_status tutti_method_parse(const char *text, tutti_method *method, tutti_error *error)
{
  char copy[TUTTI_METHOD_LENGTH];
  if (strlen(text) >= sizeof copy)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%.40s...' is too long", text);
  strcpy(copy, text);
  char *rest = copy;
  const char *collective_name = next_piece(&rest, "/"), *name = next_piece(&rest, "/");
  tutti_collective collective;
  if (!name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s' is not written COLLECTIVE/ALGORITHM[/SEGMENT]", text);
  tutti_status status = tutti_collective_parse(collective_name, &collective, error);
  if (status != TUTTI_OK)
    return status;
  const tutti_algorithm *algorithm = tutti_algorithm_find(collective, name);
  if (!algorithm)
    return unknown_algorithm(collective, name, error);
  tutti_method parsed = tutti_method_default(algorithm);
  status = parse_pieces(text, rest, &parsed, error);
  if (status == TUTTI_OK)
    *method = parsed;
  return status;
}
