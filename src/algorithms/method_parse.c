/* Reading methods: COLLECTIVE/ALGORITHM[/SEGMENT][/NAME=VALUE...]. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

/* The part of *rest up to the next '/', which is replaced by a terminating zero; NULL if nothing is left. */
static char *next_part(char **rest)
{
  return *rest ? strsep(rest, "/") : NULL;
}

static tutti_status parse_positive(const char *method, const char *name, const char *text, int *value,
                                   tutti_error *error)
{
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (!isdigit((unsigned char)*text) || errno || *end || number < 1 || number > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s=%s is not a whole number of at least 1", method, name,
                      text);
  *value = (int)number;
  return TUTTI_OK;
}

static tutti_status refuse(const char *text, const tutti_method *method, const char *name, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s/%s takes no %s", text,
                    tutti_collective_name(method->algorithm->collective), method->algorithm->name, name);
}

static tutti_status parse_k(const char *text, const char *value, tutti_method *method, tutti_error *error)
{
  int least = method->algorithm->least_k;
  tutti_status status = parse_positive(text, "k", value, &method->parameters.k, error);
  if (status == TUTTI_OK && method->parameters.k < least)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': k must be at least %d", text, least);
  return status;
}

static tutti_status parse_named(const char *text, char *part, tutti_method *method, tutti_error *error)
{
  unsigned takes = method->algorithm->parameters;
  char *value = strchr(part, '=');
  *value++ = '\0';
  if (strcmp(part, "k") == 0) {
    if (!(takes & TUTTI_TAKES_K))
      return refuse(text, method, "k", error);
    return parse_k(text, value, method, error);
  }
  if (strcmp(part, "outstanding") == 0) {
    if (!(takes & TUTTI_TAKES_OUTSTANDING))
      return refuse(text, method, "outstanding", error);
    return parse_positive(text, part, value, &method->parameters.outstanding, error);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': unknown parameter '%s'", text, part);
}

static tutti_status parse_segment(const char *text, const char *part, tutti_method *method, tutti_error *error)
{
  tutti_error reason;
  if (strcmp(part, "none") == 0) {
    method->parameters.segment_bytes = 0;
    return TUTTI_OK;
  }
  if (tutti_size_parse(part, &method->parameters.segment_bytes, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s", text, reason.message);
  if (!(method->algorithm->parameters & TUTTI_TAKES_SEGMENT))
    return refuse(text, method, "segment size", error);
  if (method->parameters.segment_bytes == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': a segment has at least one byte", text);
  return TUTTI_OK;
}

/* Which parameter a part of a method sets, as a bit of tutti_algorithm.parameters; unknown names are told later. */
static unsigned parameter_of(const char *part)
{
  if (!strchr(part, '='))
    return TUTTI_TAKES_SEGMENT;
  return strncmp(part, "k=", 2) == 0 ? TUTTI_TAKES_K : TUTTI_TAKES_OUTSTANDING;
}

static tutti_status parse_parameters(const char *text, char *rest, tutti_method *method, tutti_error *error)
{
  unsigned given = 0;
  for (char *part; (part = next_part(&rest));) {
    if (given & parameter_of(part))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': '%s' sets a parameter for the second time", text,
                        part);
    given |= parameter_of(part);
    tutti_status status =
        strchr(part, '=') ? parse_named(text, part, method, error) : parse_segment(text, part, method, error);
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}

static tutti_status unknown_algorithm(tutti_collective collective, const char *name, tutti_error *error)
{
  char known[384] = "";
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

tutti_status tutti_method_parse(const char *text, tutti_method *method, tutti_error *error)
{
  char copy[TUTTI_METHOD_LENGTH];
  if (strlen(text) >= sizeof copy)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%.40s...' is too long", text);
  strcpy(copy, text);
  char *rest = copy;
  const char *collective_name = next_part(&rest), *name = next_part(&rest);
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
  status = parse_parameters(text, rest, &parsed, error);
  if (status == TUTTI_OK)
    *method = parsed;
  return status;
}
