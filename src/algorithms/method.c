/* Methods: an algorithm with its parameters, written, in order, and as a schedule. */
#include <stdio.h>

#include "tutti/algorithm.h"

tutti_method tutti_method_default(const tutti_algorithm *algorithm)
{
  bool outstanding = algorithm->parameters & TUTTI_TAKES_OUTSTANDING;
  return (tutti_method){algorithm,
                        {.segment_bytes = 0,
                         .k = algorithm->parameters & TUTTI_TAKES_K ? algorithm->default_k : 0,
                         .outstanding = outstanding ? TUTTI_DEFAULT_OUTSTANDING : 0}};
}

char *tutti_method_format(const tutti_method *method, char *text)
{
  tutti_method usual = tutti_method_default(method->algorithm);
  char size[24];
  size_t length = TUTTI_METHOD_LENGTH;
  int at =
      snprintf(text, length, "%s/%s", tutti_collective_name(method->algorithm->collective), method->algorithm->name);
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
  if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING && method->parameters.outstanding < 1)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "outstanding=%d must be at least 1",
                       method->parameters.outstanding);
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
