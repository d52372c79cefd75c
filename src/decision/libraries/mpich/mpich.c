/* MPICH as a library; and the collectives and algorithms of its selection. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "decision/libraries/mpich/mpich.h"

/* Words of names.def: needs of algorithms, and conditions that are not defined for all collectives. */
enum {
  POWER = NEEDS_POWER,
  PARENT = NEEDS_PARENT,
  COMMUTATIVE = NEEDS_COMMUTATIVE,
  BUILT_IN = NEEDS_BUILT_IN,
  COUNT = NEEDS_COUNT,
  IN_PLACE = NEEDS_IN_PLACE,
  APART = NEEDS_APART,
  REGULAR = NEEDS_REGULAR,
  CONSECUTIVE = NEEDS_CONSECUTIVE,
  GUARD_PARENT = NEEDS_GUARD,
  AVERAGE = 1024,
  TOTAL = 2048,
};

static const struct collective {
  const char *name;
  tutti_size_unit unit;
  unsigned conditions;
  const char *plain; /* algorithms */
} collectives[] = {
#define COLLECTIVE(name, unit, conditions, algorithms) {#name, TUTTI_UNIT_##unit, conditions, algorithms},
#define ALGORITHM(...)
#include "decision/libraries/mpich/names.def"
#undef COLLECTIVE
#undef ALGORITHM
};

static const struct mpich_algorithm algorithms[] = {
#define COLLECTIVE(...)
#define ALGORITHM(...) {__VA_ARGS__},
#include "decision/libraries/mpich/names.def"
#undef COLLECTIVE
#undef ALGORITHM
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives, ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* In the order of the conditions above an algorithm. */
const struct mpich_restriction tutti_mpich_restrictions[MPICH_RESTRICTIONS] = {
    {NEEDS_PARENT | NEEDS_GUARD, TEST_HIERARCHY, true, "comm_hierarchy=parent", "comm_hierarchy=any", false, NULL},
    {NEEDS_SINGLE, TEST_THREADED, false, "is_multi_threaded=no", "is_multi_threaded=yes", false,
     "is_multi_threaded=no"},
    {NEEDS_COMMUTATIVE, TEST_COMMUTATIVE, true, "is_commutative=yes", "is_commutative=no", false, NULL},
    {NEEDS_BUILT_IN, TEST_BUILT_IN, true, "is_op_built_in=yes", "is_op_built_in=no", false, NULL},
    {NEEDS_COUNT, TEST_COUNT_POWER, false, "count=any", "count<pow2", true, "count=any after count<pow2"},
    {NEEDS_IN_PLACE, TEST_IN_PLACE, true, "is_sendbuf_inplace=yes", "is_sendbuf_inplace=no", false, NULL},
    {NEEDS_APART, TEST_IN_PLACE, false, "is_sendbuf_inplace=no", "is_sendbuf_inplace=yes", true, NULL},
    {NEEDS_REGULAR, TEST_REGULAR, true, "is_block_regular=yes", "is_block_regular=no", false, NULL},
    {NEEDS_CONSECUTIVE, TEST_CONSECUTIVE, true, "is_node_consecutive=yes", "is_node_consecutive=no", false, NULL},
    {NEEDS_POWER, TEST_RANKS_POWER, true, "comm_size=pow2", "comm_size=any", false, NULL},
};

/* ---- collectives ---- */

static const struct collective *find_collective(const char *name)
{
  for (int i = 0; i < COLLECTIVES; i++)
    if (strcmp(collectives[i].name, name) == 0)
      return &collectives[i];
  return NULL;
}

const char *tutti_mpich_collective_at(int index)
{
  return index < COLLECTIVES ? collectives[index].name : NULL;
}

/* No size, one of elements instead of bytes (gather, scatter), or one that ranks do not share (alltoallv): none. */
tutti_size_unit tutti_mpich_unit(tutti_collective collective)
{
  const struct collective *found = find_collective(tutti_collective_name(collective));
  return found ? found->unit : TUTTI_UNIT_NONE;
}

bool tutti_mpich_defines(enum mpich_test test, const char *collective)
{
  static const unsigned conditions[MPICH_TESTS] = {
      [TEST_AVERAGE] = AVERAGE,   [TEST_TOTAL] = TOTAL,       [TEST_COUNT] = COUNT,
      [TEST_COUNT_POWER] = COUNT, [TEST_BUILT_IN] = BUILT_IN, [TEST_COMMUTATIVE] = COMMUTATIVE,
      [TEST_IN_PLACE] = IN_PLACE, [TEST_REGULAR] = REGULAR,
  };
  const struct collective *found = find_collective(collective);
  return !conditions[test] || (found && found->conditions & conditions[test]);
}

/* ---- algorithms ---- */

static bool starts_kind(const char *text)
{
  return strncmp(text, "_intra_", 7) == 0 || strncmp(text, "_inter_", 7) == 0 || strncmp(text, "_allcomm_", 9) == 0;
}

bool tutti_mpich_is_of(const char *algorithm, const char *collective)
{
  size_t length = strlen(collective);
  if (strcmp(algorithm, "Coll_nb") == 0) /* of any */
    return true;
  return strncasecmp(algorithm, collective, length) == 0 && isupper((unsigned char)*algorithm) &&
         starts_kind(algorithm + length);
}

static int compare_name(const void *name, const void *algorithm)
{
  return strcmp(name, ((const struct mpich_algorithm *)algorithm)->name);
}

const struct mpich_algorithm *tutti_mpich_algorithm(const char *name)
{
  return bsearch(name, algorithms, ALGORITHMS, sizeof *algorithms, compare_name);
}

static bool is_plain(const char *algorithm)
{
  for (int i = 0; i < COLLECTIVES; i++) {
    size_t length = strlen(collectives[i].name);
    if (tutti_mpich_is_of(algorithm, collectives[i].name) &&
        strncmp(algorithm + 1, collectives[i].name + 1, length - 1) == 0 &&
        tutti_word_is_listed(collectives[i].plain, ' ', algorithm + length + 1))
      return true;
  }
  return false;
}

bool tutti_mpich_knows(const tutti_library_version *version, const char *algorithm, const char **parameters)
{
  const struct mpich_algorithm *found = tutti_mpich_algorithm(algorithm);
  *parameters = found ? found->parameters : "";
  return found ? tutti_library_between(version, found->since, found->until) : is_plain(algorithm);
}

unsigned tutti_mpich_needs(const char *algorithm)
{
  const struct mpich_algorithm *found = tutti_mpich_algorithm(algorithm);
  return found ? found->needs : 0;
}

/* ---- the library: what it is called, what it reads and writes ---- */

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/mpich/codes.def"
#undef CODE
};

/* A file that names an algorithm of a later version is for that one. */
static void refine(const char *text, size_t length, tutti_library_version *version)
{
  const int device = tutti_mpich_device_since(text, length);
  if (tutti_mpich_is_renamed(text, length)) {
    *version = (tutti_library_version){version->library, MPICH_RENAMED / 100, MPICH_RENAMED % 100, -1};
    return;
  }
  if (device)
    *version = (tutti_library_version){version->library, device / 100, device % 100, 0};
  for (int i = 0; i < ALGORITHMS; i++) {
    const char *name = algorithms[i].name;
    if (algorithms[i].since > 100 * version->major + version->minor && memmem(text, length, name, strlen(name))) {
      version->major = algorithms[i].since / 100;
      version->minor = algorithms[i].since % 100;
      version->patch = 0;
    }
  }
}

static tutti_status read_rules(struct tuning_file *file, void *rules, tutti_error *error)
{
  (void)error;
  tutti_mpich_read(file, rules);
  return TUTTI_OK;
}

static void free_rules(void *rules)
{
  tutti_mpich_selection_free(rules);
}

/* MPICH also reads its variables under two other prefixes. */
static const struct library_variable variables[] = {
    {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", .tuned = ""},
    {"MPIR_PARAM_COLL_SELECTION_TUNING_JSON_FILE", .tuned = NULL},
    {"MPICH_COLL_SELECTION_TUNING_JSON_FILE", .tuned = NULL},
    {0},
};

#define TARGET(version, number, major, minor)                                                                          \
  {                                                                                                                    \
    .name = "mpich-" version, .summary = "collective selection of MPICH " version, .since = number,                    \
    .own_choice = true, .unit = tutti_mpich_unit, .supports = tutti_mpich_supports_##major##_##minor,                  \
    .write = tutti_mpich_write_##major##_##minor,                                                                      \
  }

#define CH4(version, whose, number, suffix)                                                                            \
  {                                                                                                                    \
    .name = "mpich-ch4-" version, .summary = "selection of compositions of MPICH " whose, .since = number,             \
    .kind = "mpich-ch4", .own_choice = true, .unit = tutti_mpich_ch4_unit_##suffix,                                    \
    .supports = tutti_mpich_ch4_supports_##suffix, .write = tutti_mpich_write_ch4_##suffix,                            \
  }

#define POSIX                                                                                                          \
  {                                                                                                                    \
    .name = "mpich-posix-4.2", .summary = "selection of the shared memory of MPICH 4.2 to 5.0",                        \
    .since = MPICH_SHARED_SINCE, .kind = "mpich-posix", .own_choice = true, .unit = tutti_mpich_posix_unit,            \
    .supports = tutti_mpich_posix_supports, .write = tutti_mpich_write_posix_4_2,                                      \
  }

/* The branch that follows 5.0: another notation, read from another variable. */
#define RENAMED                                                                                                        \
  {                                                                                                                    \
    .name = "mpich-5.1", .summary = "collective selection of MPICH after 5.0, in its new notation", .since = 501,      \
    .own_choice = true, .use = "export MPIR_CVAR_COLL_SELECTION_JSON_FILE=%s", .unit = tutti_mpich_unit,               \
    .supports = tutti_mpich_supports_5_1, .write = tutti_mpich_write_5_1,                                              \
  }

static const tutti_target targets[] = {
    TARGET("4.0", 0, 4, 0),
    TARGET("4.1", 401, 4, 1),
    TARGET("4.2", 402, 4, 2),
    TARGET("4.3", 403, 4, 3),
    TARGET("5", 500, 5, 0),
    RENAMED,
    CH4("4.0", "4.0", 0, 4_0),
    CH4("4.1", "4.1 and 4.2", 401, 4_1),
    POSIX,
    {0},
};
#undef TARGET
#undef CH4

static const struct default_rules defaults[] = {
    {.name = "library:mpich-4.0", .pick = tutti_mpich_decide_4_0},
    {.name = "library:mpich2-1.0", .pick = tutti_mpich_decide_1_0, .former = true},
    {0},
};

const tutti_library tutti_library_mpich = {
    .name = "mpich",
    .targets = targets,
    .defaults = defaults,
    .span = tutti_mpich_span,
    .force = tutti_mpich_force,
    .variables = variables,
    .versions = "mpich-4.0 to mpich-5",
    .min_version = 400,
    .max_version = 599,
    .default_version = {4, 0, 2},
    .own_choice_until = INT_MAX, /* its files have the conditions of that */
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .refine = refine,
    .lint = tutti_mpich_lint,
    .rules_bytes = sizeof(struct mpich_selection),
    .read = read_rules,
    .free_rules = free_rules,
    .explain = tutti_mpich_explain,
    .pick_parts = tutti_mpich_pick_parts,
};
