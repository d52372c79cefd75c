/* The conditions of MPICH's selection (parse_json_tree()). */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/mpich/mpich.h"

static const struct key {
  const char *text;
  bool prefix; /* a number follows */
  enum mpich_test test;
  long value; /* of a prefix: what is subtracted */
  int since;
} keys[] = {
    {"comm_type=intra", false, TEST_COMM_TYPE, 0, 0},
    {"comm_type=inter", false, TEST_COMM_TYPE, 1, 0},
    {"comm_size=pow2", false, TEST_RANKS_POWER, 0, 0},
    {"comm_size=node_comm_size", false, TEST_RANKS_NODE, 0, 0},
    {"comm_size=any", false, TEST_ANY, 0, 0},
    {"comm_size<=", true, TEST_RANKS, 0, 0},
    {"comm_size<", true, TEST_RANKS_LESS, 0, 0},
    {"comm_avg_ppn<=", true, TEST_PPN, 0, 0},
    {"comm_avg_ppn<", true, TEST_PPN, 1, 401},
    {"comm_hierarchy=parent", false, TEST_HIERARCHY, KIND_PARENT, 0},
    {"comm_hierarchy=node_roots", false, TEST_HIERARCHY, KIND_NODE_ROOTS, 0},
    {"comm_hierarchy=node", false, TEST_HIERARCHY, KIND_NODE, 0},
    {"comm_hierarchy=flat", false, TEST_HIERARCHY, KIND_FLAT, 0},
    {"comm_hierarchy=any", false, TEST_HIERARCHY, KIND_ALL, 0},
    {"is_node_consecutive=yes", false, TEST_CONSECUTIVE, 1, 0},
    {"is_node_consecutive=no", false, TEST_CONSECUTIVE, 0, 0},
    {"is_multi_threaded=yes", false, TEST_THREADED, 1, 0},
    {"is_multi_threaded=no", false, TEST_THREADED, 0, 0},
    {"is_commutative=yes", false, TEST_COMMUTATIVE, 1, 0},
    {"is_commutative=no", false, TEST_COMMUTATIVE, 0, 0},
    {"is_op_built_in=yes", false, TEST_BUILT_IN, 1, 0},
    {"is_op_built_in=no", false, TEST_BUILT_IN, 0, 0},
    {"is_sendbuf_inplace=yes", false, TEST_IN_PLACE, 1, 0},
    {"is_sendbuf_inplace=no", false, TEST_IN_PLACE, 0, 0},
    {"is_block_regular=yes", false, TEST_REGULAR, 1, 0},
    {"is_block_regular=no", false, TEST_REGULAR, 0, 0},
    {"avg_msg_size=any", false, TEST_ANY, 0, 0},
    {"avg_msg_size<=", true, TEST_AVERAGE, 0, 0},
    {"avg_msg_size<", true, TEST_AVERAGE, 1, 0},
    {"total_msg_size=any", false, TEST_ANY, 0, 0},
    {"total_msg_size<=", true, TEST_TOTAL, 0, 0},
    {"total_msg_size<", true, TEST_TOTAL, 1, 0},
    {"count=any", false, TEST_ANY, 0, 0},
    {"count<pow2", false, TEST_COUNT_POWER, 0, 0},
    {"count<=", true, TEST_COUNT, 0, 0},
};

static const struct key *find_key(const struct tuning_file *file, const char *text)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if ((keys[i].prefix ? strncmp(text, keys[i].text, strlen(keys[i].text)) : strcmp(text, keys[i].text)) == 0)
      return tutti_library_between(&file->version, keys[i].since, 0) ? &keys[i] : NULL;
  return NULL;
}

/* As atoi() reads it. */
static long read_threshold(struct tuning_file *file, const char *text, size_t at)
{
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end || errno || value > INT_MAX || value < 0)
    tutti_tuning_report(file, LINT_MPICH_ATOI, at, "'%.40s' is read as %d", text, (int)value);
  return (int)value;
}

static bool is_collective(const char *name)
{
  const char *known;
  for (int i = 0; (known = tutti_mpich_collective_at(i)); i++)
    if (strcmp(known, name) == 0)
      return true;
  return false;
}

bool tutti_mpich_read_key(struct tuning_file *file, struct mpich_node *node)
{
  if (strncmp(node->key, "collective=", 11) == 0) {
    node->test = TEST_COLLECTIVE;
    node->word = node->key + 11;
    if (is_collective(node->word))
      return true;
    tutti_tuning_report(file, LINT_MPICH_COLLECTIVE, node->at, "'%.80s' is no collective", node->word);
    return false;
  }
  const struct key *key = find_key(file, node->key);
  if (!key) {
    tutti_tuning_report(file, LINT_MPICH_KEY, node->at, "'%.80s' is not known", node->key);
    return false;
  }
  node->test = key->test;
  node->word = node->key + strcspn(node->key, "=<");
  node->value = key->prefix ? read_threshold(file, node->key + strlen(key->text), node->at) - key->value : key->value;
  return true;
}

bool tutti_mpich_is_pruned(const struct mpich_node *node)
{
  return node->test == TEST_COLLECTIVE || (node->test >= TEST_COMM_TYPE && node->test <= TEST_CONSECUTIVE) ||
         (node->test == TEST_ANY && strncmp(node->key, "comm_", 5) == 0);
}
