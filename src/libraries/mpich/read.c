/* From JSON to MPICH's tree of conditions, with all that its reader asserts (parse_json_tree(),
   MPII_Create_container(), validate_tree()). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/mpich/mpich.h"

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
      tutti_tuning_report(reader->file, LINT_MPICH_PARAMETER, value->items[i].key_at, "MPIR_%s does not take '%.40s'",
                          algorithm, value->items[i].key);
  }
}

static void read_leaf(struct reader *reader, const struct json *item, struct mpich_node *node)
{
  const char *parameters;
  node->test = TEST_LEAF;
  node->word = node->key + strlen("algorithm=");
  if (strncmp(node->word, "MPIR_", 5) == 0 && tutti_mpich_knows(&reader->file->version, node->word + 5, &parameters)) {
    node->word += 5;
    read_parameters(reader, item, node->word, parameters);
  } else
    break_with(reader, LINT_MPICH_ALGORITHM, node->at, "'%.100s' is not known", node->word);
}

/* ---- objects ---- */

static int add_node(struct reader *reader, const struct json *item)
{
  struct mpich_selection *selection = reader->selection;
  if (tutti_vector_push(&selection->nodes,
                        (struct mpich_node){.at = item->key_at, .key = item->key, .success = -1, .failure = -1}))
    return (int)selection->nodes.count - 1;
  reader->file->out_of_memory = true;
  return -1;
}

/* The value that json-c keeps for a key: the last one; NULL if the key was there before. */
static const struct json *kept(struct reader *reader, const struct json *object, size_t index)
{
  const char *key = object->items[index].key;
  const struct json *value = &object->items[index];
  for (size_t i = 0; i < index; i++)
    if (strcmp(object->items[i].key, key) == 0)
      return NULL;
  for (size_t i = index + 1; i < object->count; i++)
    if (strcmp(object->items[i].key, key) == 0) {
      value = &object->items[i];
      tutti_tuning_report(reader->file, LINT_MPICH_TWICE, value->key_at, "'%.80s' occurs twice", key);
    }
  return value;
}

static bool names_algorithm(const char *key)
{
  return strncmp(key, "algorithm=", 10) == 0;
}

static int read_object(struct reader *reader, const struct json *object);

/* A condition and what is below it. */
static void read_condition(struct reader *reader, const struct json *item, struct mpich_node *node)
{
  if (!tutti_mpich_read_key(reader->file, node)) {
    node->test = TEST_ANY;
    reader->selection->broken = true;
  }
  node->success = read_object(reader, item);
  if (node->success < 0 && item->kind == JSON_OBJECT)
    break_with(reader, LINT_MPICH_NO_LEAF, node->at, "nothing stands below '%.80s'", node->key);
}

static int read_item(struct reader *reader, const struct json *object, const struct json *item)
{
  int index = add_node(reader, item);
  if (index < 0)
    return -1;
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
  for (size_t i = 0; i < object->count; i++)
    if (object->kind == JSON_OBJECT && object->items[i].key)
      strip_blanks(object->items[i].key);
  for (size_t i = 0; object->kind == JSON_OBJECT && i < object->count; i++) {
    const struct json *item = kept(reader, object, i);
    int index = item ? read_item(reader, object, item) : -1;
    if (index < 0)
      continue;
    if (last >= 0)
      reader->selection->nodes.items[last].failure = index;
    else
      first = index;
    last = index;
  }
  return first;
}

void tutti_mpich_read(struct tuning_file *file, struct mpich_selection *selection)
{
  static const struct json_style style = {.lenient = true, .levels = LEVELS};
  struct json_fault fault;
  struct json_liberty liberty;
  struct reader reader = {file, selection};
  selection->top = -1;
  if (file->length && file->length % PAGE == 0)
    tutti_tuning_report(file, LINT_MPICH_PAGE, file->length, "the file has %zu bytes", file->length);
  if (!tutti_json_parse(file, &style, &selection->root, &fault, &liberty) || selection->root.kind != JSON_OBJECT) {
    break_with(&reader, fault.deep ? LINT_MPICH_DEEP : LINT_MPICH_JSON, fault.at, "%s",
               fault.reason ? fault.reason : "not an object");
    return;
  }
  if (liberty.what)
    tutti_tuning_report(file, LINT_MPICH_LENIENT, liberty.at, "%s", liberty.what);
  selection->top = read_object(&reader, &selection->root);
}

void tutti_mpich_selection_free(struct mpich_selection *selection)
{
  tutti_json_free(&selection->root);
  tutti_vector_free(&selection->nodes);
  *selection = (struct mpich_selection){.top = -1};
}
