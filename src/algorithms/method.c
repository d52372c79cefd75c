/* Methods: an algorithm with its parameters, as text, in order, and as a schedule. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

tutti_method tutti_method_default(const tutti_algorithm *algorithm)
{
  bool outstanding = algorithm->parameters & TUTTI_TAKES_OUTSTANDING;
  return (tutti_method){algorithm,
                        {.segment_bytes = 0,
                         .k = algorithm->parameters & TUTTI_TAKES_K ? algorithm->default_k : 0,
                         .outstanding = outstanding ? TUTTI_DEFAULT_OUTSTANDING : 0}};
}

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
  if (errno || end == text || *end || number < 1 || number > INT_MAX)
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

static tutti_status parse_parameters(const char *text, char *rest, tutti_method *method, tutti_error *error)
{
  for (char *part; (part = next_part(&rest));) {
    tutti_status status = strchr(part, '=') ? parse_named(text, part, method, error)
                                            : parse_segment(text, part, method, error);
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

char *tutti_method_format(const tutti_method *method, char *text)
{
  tutti_method usual = tutti_method_default(method->algorithm);
  char size[24];
  size_t length = TUTTI_METHOD_LENGTH;
  int at = snprintf(text, length, "%s/%s", tutti_collective_name(method->algorithm->collective),
                    method->algorithm->name);
  if (method->parameters.segment_bytes)
    at += snprintf(text + at, length - (size_t)at, "/%s", tutti_size_format(method->parameters.segment_bytes, size));
  if (method->parameters.k != usual.parameters.k)
    at += snprintf(text + at, length - (size_t)at, "/k=%d", method->parameters.k);
  if (method->parameters.outstanding != usual.parameters.outstanding)
    snprintf(text + at, length - (size_t)at, "/outstanding=%d", method->parameters.outstanding);
  return text;
}

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

int tutti_method_compare(const tutti_method *left, const tutti_method *right)
{
  if (left->algorithm != right->algorithm)
    return THREE_WAY(left->algorithm, right->algorithm); /* both point into the catalogue, in its order */
  if (left->parameters.segment_bytes != right->parameters.segment_bytes)
    return THREE_WAY(left->parameters.segment_bytes, right->parameters.segment_bytes);
  if (left->parameters.k != right->parameters.k)
    return THREE_WAY(left->parameters.k, right->parameters.k);
  return THREE_WAY(left->parameters.outstanding, right->parameters.outstanding);
}

static const char *domain_fault(const tutti_algorithm *algorithm, const tutti_call *call)
{
  unsigned needs = algorithm->domain;
  if (needs & TUTTI_NEEDS_POWER_OF_TWO && (call->size & (call->size - 1)) != 0)
    return "needs a number of ranks that is a power of two";
  if (needs & TUTTI_NEEDS_EVEN && call->size % 2 != 0)
    return "needs an even number of ranks";
  if (needs & TUTTI_NEEDS_COMMUTATIVE && !call->commutative)
    return "needs a commutative operation";
  if (needs & TUTTI_NEEDS_COUNT && call->count < (uint64_t)call->size)
    return "needs at least one element per rank";
  return NULL;
}

/* Out of line and only on failure: formatting takes more stack than all the rest of a collective call. */
static tutti_status __attribute__((noinline, format(printf, 4, 5)))
refuse_call(const tutti_method *method, tutti_status status, tutti_error *error, const char *format, ...)
{
  char name[TUTTI_METHOD_LENGTH], reason[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return tutti_fail(error, status, "%s: %s", tutti_method_format(method, name), reason);
}

tutti_status tutti_method_check(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  const tutti_algorithm *algorithm = method->algorithm;
  if (call->size < 1 || call->rank < 0 || call->rank >= call->size)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "rank %d is not in a group of %d ranks", call->rank,
                       call->size);
  if (call->root < 0 || call->root >= call->size)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "root %d is not in a group of %d ranks", call->root,
                       call->size);
  if (algorithm->parameters & TUTTI_TAKES_K && method->parameters.k < algorithm->least_k)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "k=%d must be at least %d", method->parameters.k,
                       algorithm->least_k);
  const char *fault = domain_fault(algorithm, call);
  if (fault)
    return refuse_call(method, TUTTI_ERR_UNSUPPORTED, error, "%s; called with %d ranks and %llu elements", fault,
                       call->size, (unsigned long long)call->count);
  return TUTTI_OK;
}

tutti_status tutti_method_schedule(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                   tutti_schedule *schedule, tutti_error *error)
{
  tutti_call own = *call;
  tutti_status status = tutti_method_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  own.parameters = method->parameters;
  tutti_builder *builder = tutti_builder_create(own.size, own.rank);
  if (!builder)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while building a schedule", own.rank);
  method->algorithm->build(builder, &own);
  status = tutti_schedule_seal(builder, arena, schedule, error);
  tutti_builder_free(builder);
  return status;
}
