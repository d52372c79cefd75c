/* From JSON to MPICH's tree of conditions, with all that its reader asserts (parse_json_tree(),
   MPII_Create_container(), validate_tree()). */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/mpich/mpich.h"

static const struct key {
  const char *text;
  bool prefix; /* a number follows */
  enum mpich_test test;
  long value; /* of a prefix: the value subtracted */
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

/* The same result as atoi(). */
long tutti_mpich_read_threshold(struct tuning_file *file, const char *text, size_t at)
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

/* Read the condition node->key, in that notation, into a node. False, and reported why, if MPI_Init does not survive
 * it. */
static bool read_key(struct tuning_file *file, bool other, struct mpich_node *node)
{
  if (strncmp(node->key, "collective=", 11) == 0) {
    node->test = TEST_COLLECTIVE;
    node->word = node->key + 11;
    if (other)
      tutti_mpich_cut_group(node);
    if (is_collective(node->word))
      return true;
    tutti_tuning_report(file, LINT_MPICH_COLLECTIVE, node->at, "'%.80s' is no collective", node->word);
    return false;
  }
  if (other && tutti_mpich_read_renamed(file, node))
    return true;
  const struct key *key = other ? NULL : find_key(file, node->key);
  if (!key) {
    tutti_tuning_report(file, LINT_MPICH_KEY, node->at, "'%.80s' is not known", node->key);
    return false;
  }
  node->test = key->test;
  node->word = node->key + strcspn(node->key, "=<");
  node->value =
      key->prefix ? tutti_mpich_read_threshold(file, node->key + strlen(key->text), node->at) - key->value : key->value;
  return true;
}

bool tutti_mpich_is_pruned(const struct mpich_node *node)
{
  return node->test == TEST_COLLECTIVE || (node->test >= TEST_COMM_TYPE && node->test <= TEST_CONSECUTIVE) ||
         (node->test == TEST_ANY && strncmp(node->key, "comm_", 5) == 0);
}

/* ---- the tree ---- */

enum { LEVELS = 32, PAGE = 4096 };

struct reader {
  struct tuning_file *file;
  struct mpich_selection *selection;
};

static void strip_blanks(char *text)
{
  char *to = text;
  for (const char *from = text; *from; from++)
    if (!isspace((unsigned char)*from))
      *to++ = *from;
  *to = '\0';
}

/* Report a fault that MPI_Init does not survive. */
static void break_with(struct reader *reader, int code, size_t at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_tuning_vreport(reader->file, code, at, format, arguments);
  va_end(arguments);
  reader->selection->broken = true;
}

/* ---- leaves ---- */

static bool takes_parameter(const char *parameters, const char *key)
{
  size_t length = strcspn(key, "=");
  for (const char *word = parameters; *word; word += strspn(word, " ")) {
    size_t letters = strcspn(word, " ");
    if (letters == length && strncmp(word, key, length) == 0 && key[length] == '=')
      return true;
    word += letters;
  }
  return false;
}

static void read_parameters(struct reader *reader, const struct json *value, const char *algorithm,
                            const char *parameters)
{
  for (size_t i = 0; i < value->count; i++) {
    strip_blanks(value->items[i].key);
    if (!takes_parameter(parameters, value->items[i].key))
      tutti_tuning_report(reader->file, LINT_MPICH_PARAMETER, value->items[i].key_at, "%s does not take '%.40s'",
                          algorithm, value->items[i].key);
  }
}

static void read_leaf(struct reader *reader, const struct json *item, struct mpich_node *node)
{
  const enum mpich_layer layer = reader->selection->layer;
  const char *parameters;
  node->test = TEST_LEAF;
  node->word = strchr(node->key, '=') + 1;
  if (layer != LAYER_MPIR) {
    const char *begin = tutti_mpich_leaf_key(layer);
    if (strncmp(node->key, begin, strlen(begin)) == 0)
      node->device = tutti_mpich_device(layer, &reader->file->version, node->word);
    if (!node->device)
      break_with(reader, LINT_MPICH_ALGORITHM, node->at, "'%.100s' is not known to this layer", node->key);
    read_parameters(reader, item, node->word, "");
  } else if (strncmp(node->key, "algorithm=", 10) == 0 && strncmp(node->word, "MPIR_", 5) == 0 &&
             tutti_mpich_knows(&reader->file->version, node->word + 5, &parameters)) {
    node->word += 5;
    node->parameters = item;
    read_parameters(reader, item, node->word - strlen("MPIR_"), parameters);
  } else
    break_with(reader, LINT_MPICH_ALGORITHM, node->at, "'%.100s' is not known", node->word);
}

/* ---- objects ---- */

static int add_node(struct reader *reader, const struct json *item)
{
  struct mpich_selection *selection = reader->selection;
  tutti_xpush(&selection->nodes,
              ((struct mpich_node){.at = item->key_at, .key = item->key, .success = -1, .failure = -1}));
  return (int)selection->nodes.count - 1;
}

static int compare_keys(const void *left, const void *right)
{
  const struct json *const *l = left, *const *r = right;
  int order = strcmp((*l)->key, (*r)->key);
  return order ? order : (*l > *r) - (*l < *r);
}

/* The items of an object in the order of their keys, those of one key as in the file. The caller frees them. */
static const struct json **sort_items(const struct json *object)
{
  const struct json **sorted = tutti_xcalloc(object->count, sizeof *sorted);
  for (size_t i = 0; i < object->count; i++)
    sorted[i] = &object->items[i];
  qsort(sorted, object->count, sizeof *sorted, compare_keys);
  return sorted;
}

/* The items that json-c keeps: where a key occurs first, its last value, and NULL where it occurs again. The caller
   frees the table. */
static const struct json **keep_last(struct reader *reader, const struct json *object)
{
  const struct json **sorted = sort_items(object), **kept = tutti_xcalloc(object->count, sizeof *kept);
  size_t first = 0;
  for (size_t i = 0; i < object->count; i++) {
    bool again = i > 0 && strcmp(sorted[i]->key, sorted[i - 1]->key) == 0;
    first = again ? first : i;
    kept[sorted[first] - object->items] = sorted[i];
    if (again)
      tutti_tuning_report(reader->file, LINT_MPICH_TWICE, sorted[i]->key_at, "'%.80s' occurs twice", sorted[i]->key);
  }
  free(sorted);
  return kept;
}

static bool names_algorithm(const char *key)
{
  return strncmp(key, "algorithm=", 10) == 0 || strncmp(key, "composition=", 12) == 0;
}

static int read_object(struct reader *reader, const struct json *object);

/* A condition and what is below it. */
static void read_condition(struct reader *reader, const struct json *item, struct mpich_node *node)
{
  if (!read_key(reader->file, reader->selection->renamed, node)) {
    node->test = TEST_ANY;
    reader->selection->broken = true;
  }
  node->success = read_object(reader, item);
  if (node->success < 0 && item->kind == JSON_OBJECT)
    break_with(reader, LINT_MPICH_NO_LEAF, node->at, "nothing stands below '%.80s'", node->key);
}

static int read_item(struct reader *reader, const struct json *object, const struct json *item)
{
  const int index = add_node(reader, item);
  struct mpich_node node = reader->selection->nodes.items[index];
  if (item->kind != JSON_OBJECT)
    break_with(reader, LINT_MPICH_VALUE, item->at, "the value of '%.80s' is no object", item->key);
  if (!names_algorithm(node.key))
    read_condition(reader, item, &node);
  else {
    read_leaf(reader, item, &node);
    if (object->count > 1)
      break_with(reader, LINT_MPICH_BESIDE, node.at, "'%.80s' is not alone in its object", node.key);
  }
  reader->selection->nodes.items[index] = node;
  return index;
}

/* The first node of an object; the others follow as its failures. */
static int read_object(struct reader *reader, const struct json *object)
{
  int first = -1, last = -1;
  if (object->kind != JSON_OBJECT)
    return -1;
  for (size_t i = 0; i < object->count; i++)
    strip_blanks(object->items[i].key);
  const struct json **kept = keep_last(reader, object);
  for (size_t i = 0; i < object->count; i++) {
    if (!kept[i])
      continue;
    const int index = read_item(reader, object, kept[i]);
    if (last >= 0)
      reader->selection->nodes.items[last].failure = index;
    else
      first = index;
    last = index;
  }
  free(kept);
  return first;
}

void tutti_mpich_read(struct tuning_file *file, struct mpich_selection *selection)
{
  static const struct json_style style = {.lenient = true, .commas = true, .levels = LEVELS};
  struct json_fault fault;
  struct json_liberty liberty;
  struct reader reader = {file, selection};
  selection->top = -1;
  selection->layer = tutti_mpich_layer(file);
  if (selection->layer == LAYER_VARIABLES) {
    tutti_mpich_read_variables(file, &selection->settings);
    return;
  }
  if (file->length && file->length % PAGE == 0) {
    tutti_tuning_report(file, LINT_MPICH_PAGE, file->length, "the file has %zu bytes", file->length);
    tutti_tuning_edit(file, LINT_MPICH_PAGE, file->length, 0, "\n");
  }
  if (!tutti_json_parse(file->text, file->length, &style, &selection->root, &fault, &liberty) ||
      selection->root.kind != JSON_OBJECT) {
    break_with(&reader, fault.deep ? LINT_MPICH_DEEP : LINT_MPICH_JSON, fault.at, "%s",
               fault.reason ? fault.reason : "not an object");
    return;
  }
  if (liberty.what)
    tutti_tuning_report(file, LINT_MPICH_LENIENT, liberty.at, "%s", liberty.what);
  selection->renamed =
      tutti_library_between(&file->version, MPICH_RENAMED, 0) && tutti_mpich_is_renamed(file->text, file->length);
  selection->top = read_object(&reader, &selection->root);
}

void tutti_mpich_selection_free(struct mpich_selection *selection)
{
  tutti_json_free(&selection->root);
  tutti_vector_free(&selection->nodes);
  tutti_settings_free(&selection->settings);
  *selection = (struct mpich_selection){.top = -1};
}
