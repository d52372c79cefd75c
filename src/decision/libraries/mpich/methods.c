/* Methods in settings of MPICH: the names of its algorithms by version, and their parameters, in a selection and as
   control variables (coll_algorithms.txt, cvars.txt; names.def says since when it has them); and the method that a
   setting means. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "decision/libraries/mpich/mpich.h"

enum { BRUCK_RADIX = 2 };

/* Algorithms that take a radix: the variable for it, after MPIR_CVAR_COLLECTIVE_, and the other parameters that a
   selection must contain, as MPICH has no defaults for them. */
static const struct radix_algorithm {
  const char *name, *variable, *others;
} radix_algorithms[] = {
    {"k_brucks", "BRUCKS_KVAL", ""},
    {"k_dissemination", "DISSEM_KVAL", ""},
    {"recexch", "RECEXCH_KVAL", " single_phase_recv=0"},
    {"recexch_doubling", "RECEXCH_KVAL", " single_phase_recv=0"},
    {"recexch_halving", "RECEXCH_KVAL", " single_phase_recv=0"},
    {"k_reduce_scatter_allgather", "RECEXCH_KVAL", " single_phase_recv=0"},
    {"recursive_multiplying", "RECURSIVE_MULTIPLYING_KVAL", ""},
    {"tree", "TREE_KVAL", " is_non_blocking=1"},
    {"pipelined_tree", "TREE_KVAL", " is_non_blocking=1 recv_pre_posted=0"},
};

static const struct {
  tutti_tree_shape shape;
  const char *name;
} tree_types[] = {{TUTTI_TREE_KARY, "kary"}, {TUTTI_TREE_KNOMIAL_1, "knomial_1"}, {TUTTI_TREE_KNOMIAL, "knomial_2"}};

enum {
  RADIX_ALGORITHMS = sizeof radix_algorithms / sizeof *radix_algorithms,
  TREE_TYPES = sizeof tree_types / sizeof *tree_types
};

static const struct radix_algorithm *find_radix(const char *name)
{
  for (int i = 0; i < RADIX_ALGORITHMS; i++)
    if (strcmp(radix_algorithms[i].name, name) == 0)
      return &radix_algorithms[i];
  return NULL;
}

static bool is(const char *name, const char *other)
{
  return strcmp(name, other) == 0;
}

/* Blocks of irregular size have one algorithm for one group and for two. */
static const char *kind_of(tutti_collective collective)
{
  return collective == TUTTI_COLL_GATHERV || collective == TUTTI_COLL_SCATTERV ? "allcomm" : "intra";
}

char *tutti_mpich_full_name(tutti_collective collective, const char *name, char *text)
{
  const char *of = tutti_collective_name(collective);
  snprintf(text, MPICH_NAME_LENGTH, "%c%s_%s_%s", toupper((unsigned char)*of), of + 1, kind_of(collective), name);
  return text;
}

/* ---- from a method ---- */

/* The dissemination of 4.0 is the one of radix 2 from 4.1 on; Bruck's all-to-all of other radixes, and a broadcast on a
   tree with segments, have names of their own. */
static const char *name_of(const tutti_method *method, const tutti_library_version *version)
{
  const tutti_algorithm *algorithm = method->algorithm;
  const char *name = algorithm->mpich_name;
  if (is(name, "dissemination") && tutti_library_since(version, 4, 1, 0))
    return "k_dissemination";
  if (algorithm->collective == TUTTI_COLL_ALLTOALL && is(name, "brucks") && method->parameters.k != BRUCK_RADIX)
    return "k_brucks";
  bool cut = method->parameters.segment_bytes && algorithm->collective == TUTTI_COLL_BCAST;
  return is(name, "tree") && cut ? "pipelined_tree" : name;
}

static const char *tree_type_of(const tutti_algorithm *algorithm)
{
  for (int i = 0; i < TREE_TYPES && is(algorithm->mpich_name, "tree"); i++)
    if (tree_types[i].shape == algorithm->shape)
      return tree_types[i].name;
  return NULL;
}

/* An allreduce on a tree has one buffer for the operands of all children, or one for each (buffer_per_child). */
static bool has_buffers(const tutti_algorithm *algorithm)
{
  return algorithm->collective == TUTTI_COLL_ALLREDUCE && tree_type_of(algorithm);
}

static void print_parameters(struct mpich_told *told, const char *others)
{
  char *text = told->parameters;
  int length = 0, room = MPICH_PARAMETERS_LENGTH;
  if (told->tree)
    length = snprintf(text, (size_t)room, "tree_type=%s ", told->tree);
  length += snprintf(text + length, (size_t)(room - length), "k=%d", told->k);
  if (told->buffer_per_child)
    length += snprintf(text + length, (size_t)(room - length), " buffer_per_child=%s", told->buffer_per_child);
  else
    length += snprintf(text + length, (size_t)(room - length), "%s", others);
  if (told->chunk_bytes || told->buffer_per_child)
    snprintf(text + length, (size_t)(room - length), " chunk_size=%" PRIu64, told->chunk_bytes);
}

void tutti_mpich_tell(const tutti_method *method, const tutti_library_version *version, struct mpich_told *told)
{
  *told = (struct mpich_told){.name = name_of(method, version)};
  const struct radix_algorithm *radix = find_radix(told->name);
  if (!radix)
    return;
  told->k = method->algorithm->parameters & TUTTI_TAKES_K ? method->parameters.k : BRUCK_RADIX;
  told->tree = tree_type_of(method->algorithm);
  told->chunk_bytes = method->parameters.segment_bytes;
  if (has_buffers(method->algorithm))
    told->buffer_per_child = method->parameters.outstanding == 1 ? "0" : "1";
  print_parameters(told, radix->others);
}

tutti_library_span tutti_mpich_span(const tutti_algorithm *algorithm)
{
  const tutti_method method = tutti_method_default(algorithm);
  char name[MPICH_NAME_LENGTH];
  const struct mpich_algorithm *found =
      tutti_mpich_algorithm(tutti_mpich_full_name(algorithm->collective, algorithm->mpich_name, name));
  tutti_library_span span = {.since = found ? found->since : 0, .until = found ? found->until : 0};
  const tutti_library_version without = {.major = span.until / 100, .minor = span.until % 100};
  if (span.until)
    span.later = name_of(&method, &without);
  return span;
}

/* All parameters except segments, a radix and parts must have the default values. One buffer is allowed. */
static bool is_plain(const tutti_method *method)
{
  tutti_method plain = *method;
  if (has_buffers(method->algorithm) && method->parameters.outstanding == 1)
    plain.parameters.outstanding = TUTTI_DEFAULT_OUTSTANDING;
  return tutti_target_is_plain(&plain);
}

/* Parameter k of algorithms that take none in MPICH. */
static bool supports_k(const tutti_method *method, int ranks)
{
  int k = method->parameters.k;
  if (method->algorithm->domain & TUTTI_NEEDS_NODES)
    return k == 0;
  if (is(method->algorithm->mpich_name, "scattered"))
    return k == MPICH_THROTTLE || (k >= ranks - 1 && ranks <= MPICH_THROTTLE);
  return k == BRUCK_RADIX;
}

/* Files contain the first for calls in place, but no method selects those alone; the second is not released. */
static bool is_never_told(const char *name)
{
  return is(name, "pairwise_sendrecv_replace") || is(name, "circ_graph");
}

/* Asserted, or simply wrong, elsewhere. */
static bool needs_power_of_two(const char *name)
{
  return is(name, "scatter_recursive_doubling_allgather") || is(name, "noncommutative");
}

static bool supports(const tutti_method *method, int ranks, const tutti_library_version *version)
{
  const tutti_algorithm *algorithm = method->algorithm;
  struct mpich_told told;
  const char *parameters;
  char name[MPICH_NAME_LENGTH];
  if (!algorithm->mpich_name || is_never_told(algorithm->mpich_name) || !is_plain(method) ||
      !tutti_target_applies(method, ranks) || (needs_power_of_two(algorithm->mpich_name) && (ranks & (ranks - 1))))
    return false;
  tutti_mpich_tell(method, version, &told);
  if (method->parameters.segment_bytes && (!told.chunk_bytes || told.chunk_bytes > INT_MAX))
    return false;
  if (!tutti_mpich_knows(version, tutti_mpich_full_name(algorithm->collective, told.name, name), &parameters))
    return false;
  return told.k || !(algorithm->parameters & TUTTI_TAKES_K) || supports_k(method, ranks);
}

#define SUPPORTS(first, second)                                                                                        \
  bool tutti_mpich_supports_##first##_##second(const tutti_method *method, int ranks)                                  \
  {                                                                                                                    \
    static const tutti_library_version version = {.major = first, .minor = second};                                    \
    return supports(method, ranks, &version);                                                                          \
  }
SUPPORTS(4, 0)
SUPPORTS(4, 1)
SUPPORTS(4, 2)
SUPPORTS(4, 3)
SUPPORTS(5, 0)
SUPPORTS(5, 1)
#undef SUPPORTS

static const char *variable_of(tutti_collective collective, const char *name, char *variable, size_t size)
{
  int length = snprintf(variable, size, "MPIR_CVAR_%s_%s", tutti_collective_name(collective), name);
  for (int i = 0; i < length; i++)
    variable[i] = (char)toupper((unsigned char)variable[i]);
  return variable;
}

/* MPIR_CVAR_COLLECTIVE_COMPOSITION, from 4.1 on: 1 is the first one. */
static bool force_composition(const tutti_method *method, const tutti_library_version *version,
                              tutti_directives *directives)
{
  static const char collectives[] = "allgather allreduce alltoall barrier bcast reduce";
  char variable[sizeof directives->items->name];
  const char *word = tutti_selector_name(method->parameters.k);
  const tutti_collective collective = method->algorithm->collective;
  if (!tutti_library_since(version, 4, 1, 0) || !tutti_mpich_composition(version, collective, word) ||
      !tutti_word_is_listed(collectives, ' ', tutti_collective_name(collective)))
    return false;
  tutti_directives_add_number(directives, variable_of(collective, "COMPOSITION", variable, sizeof variable),
                              (uint64_t)(method->parameters.k - tutti_selector_find("alpha") + 1));
  return true;
}

/* MPIR_CVAR_COLLECTIVE_INTRA_ALGORITHM, which goes before the file, and the variables of its parameters. */
bool tutti_mpich_force(const tutti_method *method, int ranks, const tutti_library_version *version,
                       tutti_directives *directives)
{
  char variable[sizeof directives->items->name];
  tutti_collective collective = method->algorithm->collective;
  tutti_method plain = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  struct mpich_told told;
  if (tutti_method_is_native(method))
    return force_composition(method, version, directives);
  if (!supports(&plain, ranks, version) || !tutti_method_has_default_parts(&plain))
    return false;
  tutti_mpich_tell(&plain, version, &told);
  tutti_directives_add(directives, variable_of(collective, "INTRA_ALGORITHM", variable, sizeof variable), told.name);
  if (told.tree)
    tutti_directives_add(directives, variable_of(collective, "TREE_TYPE", variable, sizeof variable), told.tree);
  if (told.k)
    tutti_directives_add_number(directives,
                                variable_of(collective, find_radix(told.name)->variable, variable, sizeof variable),
                                (uint64_t)told.k);
  if (told.chunk_bytes)
    tutti_directives_add_number(
        directives, variable_of(collective, "TREE_PIPELINE_CHUNK_SIZE", variable, sizeof variable), told.chunk_bytes);
  if (told.buffer_per_child)
    tutti_directives_add(directives, variable_of(collective, "TREE_BUFFER_PER_CHILD", variable, sizeof variable),
                         told.buffer_per_child);
  return true;
}

/* ---- to a method ---- */

/* The value of a parameter of a leaf; NULL if it has none. */
static const char *value_of(const struct json *parameters, const char *name)
{
  size_t length = strlen(name);
  for (size_t i = 0; parameters && i < parameters->count; i++)
    if (strncmp(parameters->items[i].key, name, length) == 0 && parameters->items[i].key[length] == '=')
      return parameters->items[i].key + length + 1;
  return NULL;
}

static bool find_tree(tutti_collective collective, const char *type, tutti_method *method)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; type && (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && algorithm->mpich_name && tree_type_of(algorithm) &&
        is(tree_type_of(algorithm), type)) {
      *method = tutti_method_default(algorithm);
      return true;
    }
  return false;
}

static bool find_algorithm(tutti_collective collective, const char *name, const struct json *parameters, int k,
                           tutti_method *method)
{
  if (is(name, "tree") || is(name, "pipelined_tree"))
    return find_tree(collective, value_of(parameters, "tree_type"), method);
  if (is(name, "k_dissemination") && k == BRUCK_RADIX)
    name = "dissemination";
  if (is(name, "k_brucks") && collective == TUTTI_COLL_ALLTOALL)
    name = "brucks";
  return tutti_mpich_method(collective, name, method);
}

bool tutti_mpich_method_told(tutti_collective collective, const char *name, const struct json *parameters,
                             tutti_method *method)
{
  const char *radix = value_of(parameters, "k"), *chunk = value_of(parameters, "chunk_size");
  const char *buffers = value_of(parameters, "buffer_per_child");
  int k = radix ? atoi(radix) : 0;
  if (find_radix(name) && k < 1)
    return false; /* MPICH fills nothing in */
  if (!find_algorithm(collective, name, parameters, k, method))
    return false;
  if (find_radix(name) && method->algorithm->parameters & TUTTI_TAKES_K)
    method->parameters.k = k;
  if (chunk && method->algorithm->parameters & TUTTI_TAKES_SEGMENT && atoi(chunk) > 0)
    method->parameters.segment_bytes = (uint64_t)atoi(chunk);
  if (has_buffers(method->algorithm) && !(buffers && atoi(buffers) > 0))
    method->parameters.outstanding = 1;
  return method->parameters.k >= method->algorithm->min_k;
}
