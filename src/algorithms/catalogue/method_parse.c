/* Reading methods: COLLECTIVE/ALGORITHM[/SEGMENT][/NAME=VALUE...][@IMPLEMENTATION], a part being
 * PART=ALGORITHM[:SEGMENT][:NAME=VALUE...]. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "tutti/algorithm.h"

/* The piece of *rest up to the next separator, which is replaced by a terminating zero; NULL if nothing is left. */
static char *next_piece(char **rest, const char *separator)
{
  return *rest ? strsep(rest, separator) : NULL;
}

/* State of reading: an algorithm and its parameters, of the method or of a part of it. */
struct reading {
  const char *text; /* the whole method, for messages */
  tutti_part *part;
  unsigned given; /* TUTTI_TAKES_... that were set */
  tutti_error *error;
};

/* ---- what is possible, for messages ---- */

/* Leaves place in an error for the longest variable of the interposer and its value, and for what was meant. */
enum { LIST_LENGTH = 300 };

/* Whether it may run as a part of another one, which calls it for groups of any size. */
static bool can_be_part(const tutti_algorithm *algorithm)
{
  return algorithm->build && !(algorithm->domain & ~TUTTI_NEEDS_COMMUTATIVE);
}

struct wanted {
  tutti_collective collective;
  unsigned parameter; /* TUTTI_TAKES_...; 0: any */
  const char *name;   /* of that parameter, if algorithms have several for it */
  bool part;          /* can_be_part() */
  tutti_implementation implementation;
};

/* Whether an algorithm that takes the parameter uses this name for it. */
static bool has_name(const struct wanted *wanted, const tutti_algorithm *algorithm)
{
  if (wanted->parameter == TUTTI_TAKES_K)
    return strcmp(tutti_algorithm_k_name(algorithm), wanted->name) == 0;
  if (wanted->parameter == TUTTI_TAKES_OUTSTANDING)
    return strcmp(tutti_algorithm_outstanding_name(algorithm), wanted->name) == 0;
  return true;
}

static bool is_wanted(const struct wanted *wanted, const tutti_algorithm *algorithm)
{
  return algorithm->collective == wanted->collective &&
         (algorithm->parameters & wanted->parameter) == wanted->parameter && has_name(wanted, algorithm) &&
         (!wanted->part || can_be_part(algorithm)) && tutti_implementation_has(wanted->implementation, algorithm);
}

/* The names of the algorithms that are wanted, "none" if no algorithm is. */
static const char *list_algorithms(const struct wanted *wanted, char list[LIST_LENGTH])
{
  char where[sizeof " (tutti algorithms reduce_scatter_block)"];
  tutti_word_list names = {.text = list, .length = LIST_LENGTH, .where = where};
  const tutti_algorithm *algorithm;
  snprintf(where, sizeof where, " (tutti algorithms %s)", tutti_collective_name(wanted->collective));
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (is_wanted(wanted, algorithm))
      tutti_word_list_add(&names, algorithm->name);
  if (names.used == 0 && wanted->parameter == TUTTI_TAKES_SELECTOR)
    tutti_word_list_add(&names, "native"); /* is not in the catalogue */
  return *tutti_word_list_end(&names) ? list : "none";
}

/* The parameters of an algorithm, as written. */
static const char *list_parameters(const tutti_algorithm *algorithm, char list[LIST_LENGTH])
{
  tutti_word_list names = {.text = list, .length = LIST_LENGTH};
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
    tutti_word_list_add(&names, "SEGMENT");
  if (algorithm->parameters & TUTTI_TAKES_K)
    tutti_word_list_add(&names, tutti_algorithm_k_name(algorithm));
  if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
    tutti_word_list_add(&names, tutti_algorithm_outstanding_name(algorithm));
  if (algorithm->parameters & TUTTI_TAKES_SELECTOR)
    tutti_word_list_add(&names, "selector");
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++)
    tutti_word_list_add(&names, algorithm->parts[i].name);
  return *tutti_word_list_end(&names) ? list : "nothing";
}

/* ---- parameters ---- */

static tutti_status parse_positive(const struct reading *reading, const char *name, const char *text, int *value)
{
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (isdigit((unsigned char)*text) && !*end && (errno == ERANGE || number > INT_MAX))
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s=%s is too large: at most %d", reading->text,
                      name, text, INT_MAX);
  if (!isdigit((unsigned char)*text) || errno || *end || number < 1 || number > INT_MAX)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s=%s is not a whole number of at least 1",
                      reading->text, name, text);
  *value = (int)number;
  return TUTTI_OK;
}

static tutti_status refuse_parameter(const struct reading *reading, unsigned parameter, const char *name)
{
  const tutti_algorithm *algorithm = reading->part->algorithm;
  const char *collective = tutti_collective_name(algorithm->collective);
  const struct wanted wanted = {.collective = algorithm->collective, .parameter = parameter, .name = name};
  char takes[LIST_LENGTH], others[LIST_LENGTH];
  return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT,
                    "method '%s': %s/%s takes no %s: it takes %s; algorithms of %s with %s: %s", reading->text,
                    collective, algorithm->name, name, list_parameters(algorithm, takes), collective, name,
                    list_algorithms(&wanted, others));
}

/* A parameter may be given if the algorithm takes it, and once. */
static tutti_status admit(struct reading *reading, unsigned parameter, const char *piece, const char *name)
{
  if (reading->given & parameter)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': '%s' sets a parameter for the second time",
                      reading->text, piece);
  reading->given |= parameter;
  bool taken = reading->part->algorithm->parameters & parameter;
  return taken ? TUTTI_OK : refuse_parameter(reading, parameter, name);
}

/* "8x8x4": up to three sides. */
static tutti_status parse_sides(const struct reading *reading, const char *name, const char *text, int *k)
{
  int sides[TUTTI_MAX_SIDES], count = 0;
  const char *at = text;
  for (char *end; count < TUTTI_MAX_SIDES && isdigit((unsigned char)*at); at = end + (*end == 'x')) {
    long side = strtol(at, &end, 10);
    if (side < 1 || side > TUTTI_MAX_SIDE || (*end == 'x' && !isdigit((unsigned char)end[1])))
      break;
    sides[count++] = (int)side;
  }
  if (*at || count == 0)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT,
                      "method '%s': %s=%s is not one to %d sides of 1 to %d, such as 8x8x4", reading->text, name, text,
                      TUTTI_MAX_SIDES, TUTTI_MAX_SIDE);
  *k = tutti_sides_pack(sides, count);
  return TUTTI_OK;
}

static tutti_status parse_k(struct reading *reading, const char *piece, const char *value)
{
  const char *name = tutti_algorithm_k_name(reading->part->algorithm);
  int least = reading->part->algorithm->min_k;
  tutti_status status = admit(reading, TUTTI_TAKES_K, piece, name);
  if (status == TUTTI_OK && reading->part->algorithm->parameters & TUTTI_K_IS_SIDES)
    return parse_sides(reading, name, value, &reading->part->k);
  if (status == TUTTI_OK)
    status = parse_positive(reading, name, value, &reading->part->k);
  if (status == TUTTI_OK && reading->part->k < least)
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': %s must be at least %d", reading->text, name,
                      least);
  return status;
}

static tutti_status parse_outstanding(struct reading *reading, const char *piece, const char *value)
{
  const char *name = tutti_algorithm_outstanding_name(reading->part->algorithm);
  tutti_status status = admit(reading, TUTTI_TAKES_OUTSTANDING, piece, name);
  return status == TUTTI_OK ? parse_positive(reading, name, value, &reading->part->outstanding) : status;
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
    return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT,
                      "method '%s': a segment has at least one byte ('none': the message is not cut)", reading->text);
  reading->part->segment_bytes = bytes;
  return status;
}

/* True if the piece is NAME=..., with *value set to the text after it. */
static bool is_named(const char *piece, const char *name, const char **value)
{
  size_t length = strlen(name);
  *value = piece + length + 1;
  return strncmp(piece, name, length) == 0 && piece[length] == '=';
}

static tutti_status parse_selector(struct reading *reading, const char *piece, const char *value)
{
  const char *name;
  char known[LIST_LENGTH];
  tutti_word_list names = {.text = known, .length = sizeof known};
  tutti_status status = admit(reading, TUTTI_TAKES_SELECTOR, piece, "selector");
  for (int k = 1; status == TUTTI_OK && (name = tutti_selector_name(k)); k++) {
    if (strcmp(name, value) == 0) {
      reading->part->k = k;
      return TUTTI_OK;
    }
    tutti_word_list_add(&names, name);
  }
  return status == TUTTI_OK
             ? tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': unknown selector '%s': known are %s",
                          reading->text, value, tutti_word_list_end(&names))
             : status;
}

/* "k" is accepted here for any algorithm: one without such a parameter reports it. */
static tutti_status parse_parameter(struct reading *reading, const char *piece)
{
  const char *value;
  if (!strchr(piece, '='))
    return parse_segment(reading, piece);
  if (is_named(piece, tutti_algorithm_k_name(reading->part->algorithm), &value) || is_named(piece, "k", &value))
    return parse_k(reading, piece, value);
  if (is_named(piece, tutti_algorithm_outstanding_name(reading->part->algorithm), &value) ||
      is_named(piece, "outstanding", &value))
    return parse_outstanding(reading, piece, value);
  if (is_named(piece, "selector", &value))
    return parse_selector(reading, piece, value);
  const tutti_algorithm *algorithm = reading->part->algorithm;
  char takes[LIST_LENGTH];
  return tutti_fail(reading->error, TUTTI_ERR_ARGUMENT, "method '%s': unknown parameter '%.*s': %s/%s takes %s",
                    reading->text, (int)strcspn(piece, "="), piece, tutti_collective_name(algorithm->collective),
                    algorithm->name, list_parameters(algorithm, takes));
}

static tutti_status unknown_algorithm(tutti_collective collective, const char *name, tutti_error *error)
{
  const struct wanted all = {.collective = collective};
  const tutti_algorithm *algorithm;
  char known[LIST_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective)
      tutti_guess_try(&guess, algorithm->name);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown %s algorithm '%.40s'%s: known are %s, and those of --plugin FILE.%s",
                    tutti_collective_name(collective), name, tutti_guess_text(&guess, meant),
                    list_algorithms(&all, known), strncmp(name, "msccl-", 6) == 0 ? "xml" : "so");
}

static tutti_part default_part(const tutti_algorithm *algorithm)
{
  tutti_parameters defaults = tutti_method_default(algorithm).parameters;
  return (tutti_part){algorithm, defaults.segment_bytes, defaults.k, defaults.outstanding};
}

static tutti_status refuse_part(const char *text, const tutti_part_of *of, const tutti_algorithm *algorithm,
                                tutti_error *error)
{
  const struct wanted parts = {.collective = of->collective, .part = true};
  char possible[LIST_LENGTH];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s/%s %s, so it can be no part; %s can be %s", text,
                    tutti_collective_name(of->collective), algorithm->name,
                    algorithm->build ? "does not serve every group" : "is the library's own choice", of->name,
                    list_algorithms(&parts, possible));
}

/* ALGORITHM[:SEGMENT][:NAME=VALUE...] */
static tutti_status parse_part(const char *text, const tutti_part_of *of, char *value, tutti_part *part,
                               tutti_error *error)
{
  const char *name = next_piece(&value, ":");
  const tutti_algorithm *algorithm = tutti_algorithm_find(of->collective, name);
  if (!algorithm)
    return unknown_algorithm(of->collective, name, error);
  if (!can_be_part(algorithm))
    return refuse_part(text, of, algorithm, error);
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

/* Not inlined: its lists of words would add to the stack of a simulated rank. */
__attribute__((noinline)) static tutti_status parse_pieces(const char *text, char *rest, tutti_method *method,
                                                           tutti_error *error)
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

/* Parse the text after the "@"; NULL: none. */
static tutti_status parse_implementation(const char *text, const char *name, tutti_method *method, tutti_error *error)
{
  char known[LIST_LENGTH], plain[TUTTI_LIBRARY_WORD];
  tutti_word_list names = {.text = known, .length = sizeof known};
  if (!name)
    return TUTTI_OK;
  tutti_library_plain(name, plain);
  for (int i = TUTTI_IMPLEMENTATION_TUTTI + 1; i < TUTTI_IMPLEMENTATION_COUNT; i++) {
    const char *candidate = tutti_implementation_name((tutti_implementation)i);
    tutti_word_list_add(&names, candidate);
    if (strcmp(candidate, plain) == 0)
      method->implementation = (tutti_implementation)i;
  }
  const tutti_algorithm *algorithm = method->algorithm;
  if (method->implementation == TUTTI_IMPLEMENTATION_TUTTI)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': unknown implementation '%s': known are %s", text, name,
                      tutti_word_list_end(&names));
  if (tutti_method_is_native(method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "method '%s': %s/native is what the library of the measuring program "
                      "chooses: it is written without '@%s'",
                      text, tutti_collective_name(algorithm->collective), name);
  const struct wanted had = {.collective = algorithm->collective, .implementation = method->implementation};
  const char *collective = tutti_collective_name(algorithm->collective);
  char list[LIST_LENGTH];
  return tutti_implementation_has(method->implementation, algorithm)
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s': %s has no %s/%s; of %s it has %s", text, name,
                          collective, algorithm->name, collective, list_algorithms(&had, list));
}

bool tutti_method_names_collective(const char *text, tutti_collective *collective)
{
  char name[TUTTI_METHOD_LENGTH];
  size_t length = strcspn(text, "/@");
  if (text[length] != '/' || length >= sizeof name)
    return false;
  memcpy(name, text, length);
  name[length] = '\0';
  return tutti_collective_parse(name, collective, NULL) == TUTTI_OK;
}

/* An algorithm without its collective, or neither: of the former the methods that there are. */
static tutti_status incomplete_method(const char *text, tutti_error *error)
{
  const tutti_algorithm *algorithm;
  char methods[LIST_LENGTH], name[TUTTI_METHOD_LENGTH];
  tutti_word_list names = {.text = methods, .length = sizeof methods};
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (strcmp(algorithm->name, text) == 0) {
      snprintf(name, sizeof name, "%s/%s", tutti_collective_name(algorithm->collective), text);
      tutti_word_list_add(&names, name);
    }
  const bool meant = *tutti_word_list_end(&names);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%s' is not written COLLECTIVE/ALGORITHM[/SEGMENT]%s%s%s", text,
                    meant ? " (did you mean " : "", methods, meant ? "?)" : "");
}

tutti_status tutti_method_parse(const char *text, tutti_method *method, tutti_error *error)
{
  char copy[TUTTI_METHOD_LENGTH];
  if (strlen(text) >= sizeof copy)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method '%.40s...' is too long", text);
  strcpy(copy, text);
  char *implementation = copy, *rest = next_piece(&implementation, "@");
  const char *collective_name = next_piece(&rest, "/"), *name = next_piece(&rest, "/");
  tutti_collective collective;
  if (!name)
    return incomplete_method(text, error);
  tutti_status status = tutti_collective_parse(collective_name, &collective, error);
  if (status != TUTTI_OK)
    return status;
  const tutti_algorithm *algorithm = tutti_algorithm_find(collective, strcmp(name, "untuned") == 0 ? "native" : name);
  if (!algorithm)
    return unknown_algorithm(collective, name, error);
  tutti_method parsed = tutti_method_default(algorithm);
  status = parse_pieces(text, rest, &parsed, error);
  if (status == TUTTI_OK)
    status = parse_implementation(text, implementation, &parsed, error);
  if (status == TUTTI_OK)
    *method = parsed;
  return status;
}
