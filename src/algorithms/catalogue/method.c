/* Methods: an algorithm with its parameters, written, in order, and as a schedule. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "algorithms/catalogue/plugins.h"
#include "base/numbers.h"
#include "base/text.h"
#include "tutti/algorithm.h"

bool tutti_method_is_native(const tutti_method *method)
{
  return !method->algorithm->build;
}

bool tutti_method_is_library(const tutti_method *method)
{
  return tutti_method_is_native(method) || method->implementation != TUTTI_IMPLEMENTATION_TUTTI;
}

const char *tutti_implementation_name(tutti_implementation implementation)
{
  static const char *const names[TUTTI_IMPLEMENTATION_COUNT] = {NULL, "openmpi", "mpich", "smpi"};
  return names[implementation];
}

char *tutti_library_plain(const char *text, char plain[TUTTI_LIBRARY_WORD])
{
  static const struct {
    const char *word, *library;
  } words[] = {{"openmpi", "openmpi"}, {"open-mpi", "openmpi"}, {"open mpi", "openmpi"},
               {"ompi", "openmpi"},    {"mpich", "mpich"},      {"smpi", "smpi"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t length = strlen(words[i].word);
    if (strncasecmp(text, words[i].word, length) != 0 || !strchr("-", text[length]))
      continue;
    snprintf(plain, TUTTI_LIBRARY_WORD, "%s%s", words[i].library, text + length);
    return plain;
  }
  snprintf(plain, TUTTI_LIBRARY_WORD, "%s", text);
  return plain;
}

bool tutti_implementation_has(tutti_implementation implementation, const tutti_algorithm *algorithm)
{
  switch (implementation) {
  case TUTTI_IMPLEMENTATION_OPENMPI:
    return algorithm->openmpi_id > 0;
  case TUTTI_IMPLEMENTATION_MPICH:
    return algorithm->mpich_name;
  case TUTTI_IMPLEMENTATION_SMPI:
    return algorithm->smpi_name;
  default:
    return true;
  }
}

static const struct selector {
  const char *name;
  tutti_implementation owner;
} selectors[] = {{"ompi", TUTTI_IMPLEMENTATION_SMPI},
                 {"mpich", TUTTI_IMPLEMENTATION_SMPI},
                 {"mvapich2", TUTTI_IMPLEMENTATION_SMPI},
                 {"impi", TUTTI_IMPLEMENTATION_SMPI},
                 {"tuned", TUTTI_IMPLEMENTATION_OPENMPI},
                 {"basic", TUTTI_IMPLEMENTATION_OPENMPI},
                 {"han", TUTTI_IMPLEMENTATION_OPENMPI},
                 {"sm", TUTTI_IMPLEMENTATION_OPENMPI},
                 {"alpha", TUTTI_IMPLEMENTATION_MPICH},
                 {"beta", TUTTI_IMPLEMENTATION_MPICH},
                 {"gamma", TUTTI_IMPLEMENTATION_MPICH},
                 {"delta", TUTTI_IMPLEMENTATION_MPICH},
                 {"release_gather", TUTTI_IMPLEMENTATION_MPICH},
                 {"mpir", TUTTI_IMPLEMENTATION_MPICH}};

const char *tutti_selector_name(int k)
{
  return k > 0 && k <= (int)(sizeof selectors / sizeof *selectors) ? selectors[k - 1].name : NULL;
}

int tutti_selector_find(const char *name)
{
  int k = 1;
  while (tutti_selector_name(k) && strcmp(tutti_selector_name(k), name) != 0)
    k++;
  return tutti_selector_name(k) ? k : 0;
}

tutti_implementation tutti_selector_owner(int k)
{
  return tutti_selector_name(k) ? selectors[k - 1].owner : TUTTI_IMPLEMENTATION_TUTTI;
}

static tutti_part default_part(const tutti_algorithm *algorithm)
{
  bool outstanding = algorithm->parameters & TUTTI_TAKES_OUTSTANDING;
  return (tutti_part){.algorithm = algorithm,
                      .k = algorithm->parameters & TUTTI_TAKES_K ? algorithm->default_k : 0,
                      .outstanding = outstanding ? TUTTI_DEFAULT_OUTSTANDING : 0};
}

tutti_method tutti_method_default(const tutti_algorithm *algorithm)
{
  tutti_part defaults = default_part(algorithm);
  tutti_method method = {.algorithm = algorithm, .parameters = {.k = defaults.k, .outstanding = defaults.outstanding}};
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++)
    method.parameters.parts[i] =
        default_part(tutti_algorithm_find(algorithm->parts[i].collective, algorithm->parts[i].default_algorithm));
  return method;
}

tutti_method tutti_method_part(const tutti_parameters *parameters, int index)
{
  const tutti_part *part = &parameters->parts[index];
  tutti_method method = tutti_method_default(part->algorithm);
  method.parameters.segment_bytes = part->segment_bytes;
  method.parameters.k = part->k;
  method.parameters.outstanding = part->outstanding;
  return method;
}

static int64_t ranks_of_torus(int k)
{
  int sides[TUTTI_MAX_SIDES], dimensions = tutti_sides_unpack(k, sides);
  int64_t ranks = dimensions > 0;
  for (int d = 0; d < dimensions; d++)
    ranks *= sides[d];
  return ranks;
}

/* ---- written ---- */

/* A text that grows; what does not fit is cut. */
struct text {
  char *at;
  size_t left;
};

static void __attribute__((format(printf, 2, 3))) append(struct text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->at, text->left, format, arguments);
  va_end(arguments);
  size_t taken = length < 0 ? 0 : (size_t)length < text->left ? (size_t)length : text->left - 1;
  text->at += taken;
  text->left -= taken;
}

/* The parameters that differ from the defaults, each after the separator. */
static void append_parameters(struct text *text, const tutti_part *part, char separator)
{
  tutti_part defaults = default_part(part->algorithm);
  char size[24], sides[TUTTI_SIDES_LENGTH];
  if (part->segment_bytes)
    append(text, "%c%s", separator, tutti_size_format(part->segment_bytes, size));
  if (part->k != defaults.k && part->algorithm->parameters & TUTTI_TAKES_SELECTOR)
    append(text, "%cselector=%s", separator, tutti_selector_name(part->k));
  else if (part->k != defaults.k && part->algorithm->parameters & TUTTI_K_IS_SIDES)
    append(text, "%c%s=%s", separator, tutti_algorithm_k_name(part->algorithm), tutti_sides_format(part->k, sides));
  else if (part->k != defaults.k)
    append(text, "%c%s=%d", separator, tutti_algorithm_k_name(part->algorithm), part->k);
  if (part->outstanding != defaults.outstanding)
    append(text, "%c%s=%d", separator, tutti_algorithm_outstanding_name(part->algorithm), part->outstanding);
}

static tutti_part part_of_method(const tutti_method *method)
{
  const tutti_parameters *p = &method->parameters;
  return (tutti_part){method->algorithm, p->segment_bytes, p->k, p->outstanding};
}

static int compare_parts(const tutti_part *left, const tutti_part *right);

char *tutti_method_format(const tutti_method *method, char *text)
{
  const tutti_algorithm *algorithm = method->algorithm;
  tutti_part own = part_of_method(method);
  struct text out = {text, TUTTI_METHOD_LENGTH};
  append(&out, "%s/%s", tutti_collective_name(algorithm->collective), algorithm->name);
  append_parameters(&out, &own, '/');
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    const tutti_part *part = &method->parameters.parts[i];
    tutti_part defaults =
        default_part(tutti_algorithm_find(algorithm->parts[i].collective, algorithm->parts[i].default_algorithm));
    if (compare_parts(part, &defaults) == 0)
      continue;
    append(&out, "/%s=%s", algorithm->parts[i].name, part->algorithm->name);
    append_parameters(&out, part, ':');
  }
  if (method->implementation != TUTTI_IMPLEMENTATION_TUTTI)
    append(&out, "@%s", tutti_implementation_name(method->implementation));
  return text;
}

/* ---- in order ---- */

static int compare_parts(const tutti_part *left, const tutti_part *right)
{
  int order = tutti_algorithm_compare(left->algorithm, right->algorithm);
  if (order != 0)
    return order;
  if (left->segment_bytes != right->segment_bytes)
    return THREE_WAY(left->segment_bytes, right->segment_bytes);
  if (left->k != right->k)
    return THREE_WAY(left->k, right->k);
  return THREE_WAY(left->outstanding, right->outstanding);
}

/* Order of our methods, those of libraries, native ones. */
static int group_of(const tutti_method *method)
{
  return tutti_method_is_native(method) ? TUTTI_IMPLEMENTATION_COUNT : (int)method->implementation;
}

int tutti_method_compare(const tutti_method *left, const tutti_method *right)
{
  tutti_part a = part_of_method(left), b = part_of_method(right);
  int order = THREE_WAY(group_of(left), group_of(right));
  order = order ? order : compare_parts(&a, &b);
  for (int i = 0; i < TUTTI_MAX_PARTS && order == 0; i++)
    order = compare_parts(&left->parameters.parts[i], &right->parameters.parts[i]);
  return order;
}

int tutti_compare_methods(const void *left, const void *right)
{
  return tutti_method_compare(left, right);
}

static tutti_method without_idle_limit(const tutti_method *method, int ranks)
{
  tutti_method plain = *method;
  if (method->algorithm->parameters & TUTTI_K_IS_LIMIT && plain.parameters.k > ranks - 1)
    plain.parameters.k = ranks - 1;
  return plain;
}

bool tutti_method_same_on(const tutti_method *left, const tutti_method *right, int ranks)
{
  const tutti_method a = without_idle_limit(left, ranks), b = without_idle_limit(right, ranks);
  return tutti_method_compare(&a, &b) == 0;
}

/* ---- checked and built ---- */

const char *tutti_method_fault(const tutti_method *method, const tutti_call *call)
{
  const tutti_parameters *parameters = &method->parameters;
  unsigned needs = method->algorithm->domain;
  if (needs & TUTTI_NEEDS_POWER_OF_TWO && (call->size & (call->size - 1)) != 0)
    return "needs a number of ranks that is a power of two";
  if (needs & TUTTI_NEEDS_EVEN && call->size % 2 != 0)
    return "needs an even number of ranks";
  if (needs & TUTTI_NEEDS_COMMUTATIVE && !call->commutative)
    return "needs a commutative operation";
  if (needs & TUTTI_NEEDS_COUNT && call->count < (uint64_t)call->size)
    return "needs at least one element per rank";
  if (needs & TUTTI_NEEDS_TWO && call->size != 2)
    return "needs two ranks";
  if (needs & TUTTI_NEEDS_NODES && parameters->k < 1 && !call->nodes && !tutti_method_is_library(method))
    return "needs to know which ranks share a node (ranks_per_node=)";
  if (needs & TUTTI_NEEDS_TORUS && ranks_of_torus(parameters->k) != call->size)
    return "needs torus=..., the sides, at most three, of a box of as many ranks (8x8 for 64), which the first hosts "
           "of a torus platform give if they fill one";
  if (needs & TUTTI_NEEDS_LEVELS && parameters->k < 1 && call->level_count < 1)
    return "needs to know the levels of the machine (levels=4x32: nodes of 4 ranks, switches of 32 nodes)";
  if (needs & TUTTI_NEEDS_COUNTS && !call->matrix && (call->input.offsets || call->output.offsets))
    return "needs to know the counts of all ranks";
  if (call->leaves && !method->algorithm->distributes)
    return "combines one operand of each rank";
  if (needs & TUTTI_NEEDS_RANKS && call->size != method->algorithm->ranks)
    return "is for another number of ranks";
  if (needs & TUTTI_NEEDS_ROOT && call->root != method->algorithm->root)
    return "is for another root";
  if (needs & TUTTI_NEEDS_UNIT && call->count % method->algorithm->unit != 0)
    return "needs a number of elements that is a multiple of its chunks";
  for (int i = 0; i < TUTTI_MAX_PARTS && parameters->parts[i].algorithm; i++)
    if (parameters->parts[i].algorithm->domain & TUTTI_NEEDS_COMMUTATIVE && !call->commutative)
      return "a part of it needs a commutative operation";
  return NULL;
}

/* Out of line and only on failure: formatting takes more stack than all the rest of a collective call. */
static tutti_status __attribute__((noinline, format(printf, 4, 5)))
refuse_call(const tutti_method *method, tutti_status status, tutti_error *error, const char *format, ...)
{
  char name[TUTTI_METHOD_LENGTH], reason[200];
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
  if (algorithm->parameters & TUTTI_TAKES_K && method->parameters.k < algorithm->min_k)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "%s=%d must be at least %d",
                       tutti_algorithm_k_name(algorithm), method->parameters.k, algorithm->min_k);
  if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING && method->parameters.outstanding < 1)
    return refuse_call(method, TUTTI_ERR_ARGUMENT, error, "%s=%d must be at least 1",
                       tutti_algorithm_outstanding_name(algorithm), method->parameters.outstanding);
  const char *fault = tutti_method_fault(method, call);
  if (fault && algorithm->domain & TUTTI_NEEDS_RANKS)
    return refuse_call(method, TUTTI_ERR_UNSUPPORTED, error,
                       "serves %d ranks, root %d and multiples of %llu element%s; called with %d, %d and %llu",
                       algorithm->ranks, algorithm->root, (unsigned long long)algorithm->unit,
                       tutti_plural(algorithm->unit), call->size, call->root, (unsigned long long)call->count);
  if (fault)
    return refuse_call(method, TUTTI_ERR_UNSUPPORTED, error, "%s; called with %d rank%s and %llu element%s", fault,
                       call->size, tutti_plural((uint64_t)call->size), (unsigned long long)call->count,
                       tutti_plural(call->count));
  return TUTTI_OK;
}

bool tutti_method_rounds_apart(const tutti_method *method)
{
  bool apart = method->algorithm->rounds_apart;
  for (int i = 0; i < TUTTI_MAX_PARTS && method->parameters.parts[i].algorithm; i++)
    apart = apart || method->parameters.parts[i].algorithm->rounds_apart;
  return apart;
}

tutti_method tutti_method_substitute(const tutti_method *method)
{
  tutti_method substitute =
      tutti_method_default(tutti_algorithm_find(method->algorithm->collective, method->algorithm->substitute));
  return tutti_method_as(&substitute, method->implementation);
}

tutti_method tutti_method_rounding(const tutti_method *method, bool rounds)
{
  return rounds && tutti_method_rounds_apart(method) ? tutti_method_substitute(method) : *method;
}

tutti_method tutti_method_serving(const tutti_method *method, const tutti_call *call)
{
  return tutti_method_fault(method, call) ? tutti_method_substitute(method) : *method;
}

tutti_method tutti_method_as(const tutti_method *method, tutti_implementation implementation)
{
  tutti_method same = *method;
  if (!tutti_method_is_native(method) && tutti_implementation_has(implementation, method->algorithm))
    same.implementation = implementation;
  return same;
}

tutti_status __attribute__((noinline))
tutti_method_blame(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH], root[32] = "", reason[TUTTI_ERROR_LENGTH];
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  if (!error)
    return TUTTI_ERR_FAULT;
  if (traits & TUTTI_HAS_ROOT)
    snprintf(root, sizeof root, ", root %d", call->root);
  snprintf(reason, sizeof reason, "%s", error->message);
  return tutti_fail(error, error->status, "%.160s, %d rank%s%s, %llu element%s: %.300s",
                    tutti_method_format(method, name), call->size, tutti_plural((uint64_t)call->size), root,
                    (unsigned long long)call->count, tutti_plural(call->count), reason);
}

/* "segmentation fault" */
static tutti_status __attribute__((noinline)) crashed(const tutti_call *call, int signal, tutti_error *error)
{
  char name[64];
  snprintf(name, sizeof name, "%s", strsignal(signal));
  name[0] = (char)tolower((unsigned char)name[0]);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "build() crashed (%s) for rank %d of %d ranks", name, call->rank,
                    call->size);
}

tutti_status tutti_method_schedule(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                   tutti_schedule *schedule, tutti_error *error)
{
  tutti_call own = *call;
  *schedule = (tutti_schedule){.size = 0};
  tutti_status status = tutti_method_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_method_is_library(method))
    return refuse_call(method, TUTTI_ERR_UNSUPPORTED, error,
                       "what an MPI library does has no schedule: it can only be measured");
  own.parameters = method->parameters;
  own.shape = method->algorithm->shape;
  own.data = method->algorithm->data;
  tutti_builder *builder = tutti_builder_create(own.size, own.rank);
  if (!builder)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while building a schedule", own.rank);
  int signal = tutti_plugins_build(method->algorithm->build, builder, &own);
  status = signal ? crashed(&own, signal, error) : tutti_schedule_seal(builder, arena, schedule, error);
  tutti_builder_free(builder);
  if (status != TUTTI_OK)
    tutti_method_blame(method, call, error);
  return status;
}
