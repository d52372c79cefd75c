/* The notation of MPICH's selection after 5.0, read and written: maint/gen_coll.py (the conditions and their bounds)
   and src/mpi/coll/include/coll_csel.h (what they compare) of its development. */
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/mpich/mpich.h"

/* ---- reading ---- */

static const struct renamed {
  const char *text;
  bool size; /* a bound follows */
  enum mpich_test test;
  long value;
  bool negated;
} renamed[] = {
    {"comm_size", true, TEST_RANKS, 0, false},
    {"avg_msg_size", true, TEST_AVERAGE, 0, false},
    {"total_msg_size", true, TEST_TOTAL, 0, false},
    {"pof2", false, TEST_RANKS_POWER, 0, false},
    {"hierarchical", false, TEST_HIERARCHY, KIND_PARENT, false},
    {"node_consecutive", false, TEST_CONSECUTIVE, 1, false},
    {"commutative", false, TEST_COMMUTATIVE, 1, false},
    {"builtin_op", false, TEST_BUILT_IN, 1, false},
    {"inplace", false, TEST_IN_PLACE, 1, false},
    {"block_regular", false, TEST_REGULAR, 1, false},
    {"count_ge_pof2", false, TEST_COUNT_POWER, 0, true},
};

bool tutti_mpich_is_renamed(const char *text, size_t length)
{
  const char *const end = text + length;
  static const char begin[] = "\"collective=";
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1));) {
    at += sizeof begin - 1;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    if (quote && quote - at > 6 && (memcmp(quote - 6, "-intra", 6) == 0 || memcmp(quote - 6, "-inter", 6) == 0))
      return true;
  }
  return false;
}

/* A bound: (N) and <=N, <N, >N, >=N. */
static bool read_bound(struct tuning_file *file, const char *text, struct mpich_node *node)
{
  static const struct {
    const char *text;
    long less;
    bool above;
  } bounds[] = {{"(", 0, false}, {"<=", 0, false}, {"<", 1, false}, {">=", 1, true}, {">", 0, true}};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    const size_t length = strlen(bounds[i].text);
    char number[24];
    if (strncmp(text, bounds[i].text, length) != 0)
      continue;
    snprintf(number, sizeof number, "%.*s", (int)strcspn(text + length, ")"), text + length);
    node->value = tutti_mpich_read_threshold(file, number, node->at) - bounds[i].less;
    node->negated = node->negated != bounds[i].above;
    return true;
  }
  return false;
}

static bool ends_with(const char *text, const char *end)
{
  return strlen(text) > strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* A test with a value is negated by that. */
bool tutti_mpich_read_renamed(struct tuning_file *file, struct mpich_node *node)
{
  const bool negated = *node->key == '!';
  const char *text = node->key + negated;
  node->word = text;
  node->test = TEST_ANY;
  if (strcmp(text, "any") == 0 || ends_with(text, "(any)"))
    return true;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
    const size_t length = strlen(renamed[i].text);
    if (renamed[i].size ? strncmp(text, renamed[i].text, length) != 0 : strcmp(text, renamed[i].text) != 0)
      continue;
    const bool valued = renamed[i].value == 1 && renamed[i].test != TEST_HIERARCHY;
    node->test = renamed[i].test;
    node->value = valued ? !negated : renamed[i].value;
    node->negated = !valued && negated != renamed[i].negated;
    return !renamed[i].size || read_bound(file, text + length, node);
  }
  return false;
}

/* "bcast-intra": the end is cut off. */
void tutti_mpich_cut_group(struct mpich_node *node)
{
  char *word = (char *)node->word;
  node->value = ends_with(word, "-inter");
  if (node->value || ends_with(word, "-intra"))
    word[strlen(word) - strlen("-intra")] = '\0';
}

/* ---- writing ---- */

/* A condition: NAME(BOUND) for NAME<=BOUND, any for NAME=any. */
static void rename_condition(const char *key, size_t length, FILE *stream)
{
  static const char *const names[][2] = {
      {"comm_size=pow2", "pof2"},
      {"comm_hierarchy=parent", "hierarchical"},
      {"is_node_consecutive=yes", "node_consecutive"},
      {"is_node_consecutive=no", "!node_consecutive"},
      {"is_commutative=yes", "commutative"},
      {"is_commutative=no", "!commutative"},
      {"is_op_built_in=yes", "builtin_op"},
      {"is_op_built_in=no", "!builtin_op"},
      {"is_sendbuf_inplace=yes", "inplace"},
      {"is_sendbuf_inplace=no", "!inplace"},
      {"is_block_regular=yes", "block_regular"},
      {"is_block_regular=no", "!block_regular"},
      {"count<pow2", "!count_ge_pof2"},
  };
  const char *bound = memmem(key, length, "<=", 2);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i][0]) == length && memcmp(names[i][0], key, length) == 0) {
      fputs(names[i][1], stream);
      return;
    }
  if (bound)
    fprintf(stream, "%.*s(%.*s)", (int)(bound - key), key, (int)(key + length - bound - 2), bound + 2);
  else if (length > 4 && memcmp(key + length - 4, "=any", 4) == 0)
    fputs("any", stream);
  else
    fprintf(stream, "%.*s", (int)length, key);
}

/* A whole path; the kind of the communicator is a part of the collective's name. */
void tutti_mpich_rename_path(const char *path, char renamed[MPICH_PATH_LENGTH])
{
  static const char kind[] = "comm_type=";
  FILE *stream = fmemopen(renamed, MPICH_PATH_LENGTH, "w");
  for (const char *key = path; stream && *key; key += *key == '/') {
    const size_t length = strcspn(key, "/");
    const bool is_kind = strncmp(key, kind, sizeof kind - 1) == 0;
    fputs(key == path ? "" : is_kind ? "-" : "/", stream);
    if (is_kind)
      fprintf(stream, "%.*s", (int)(length - sizeof kind + 1), key + sizeof kind - 1);
    else
      rename_condition(key, length, stream);
    key += length;
  }
  if (!stream || fclose(stream) != 0)
    tutti_out_of_memory();
}
