/* A printed tree back into nodes: lines "|   ATTRIBUTE TEST : CLASS (N/E)" are read into rows, the rows linked into a
   tree, then laid out level by level. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/text.h"
#include "decision/cases/cases.h"
#include "decision/trees/trees.h"

typedef enum row_kind { ROW_LEAF, ROW_AT_MOST, ROW_ABOVE, ROW_VALUES } row_kind;

/* A branch and what it leads to; ROW_LEAF: the whole tree is a leaf. */
typedef struct classifier_row {
  row_kind kind;
  int line, depth, attribute;
  double threshold;
  size_t values, value_count; /* part of the values of all rows */
  int label;                  /* -1: it leads to the test in the rows below */
  double cases, errors;
  long child, sibling; /* rows, -1: none */
} classifier_row;

typedef struct classifier_rows {
  struct tutti_lines lines;
  void **names;                 /* [2 + attributes] for each list the index + 1 of its names (base/index.h) */
  tutti_classifier *classifier; /* attributes and classes */
  TUTTI_VECTOR(classifier_row);
  struct classifier_values {
    TUTTI_VECTOR(int);
  } values;
} classifier_rows;

/* ---- names ---- */

/* Lists other than the values of attribute 0, 1, ... */
enum { NAMES_OF_CLASSES = -1, NAMES_OF_ATTRIBUTES = -2 };

/* The index of a name in a list, -1 if it is not there. */
static int find_name(const classifier_rows *rows, int list, const char *name)
{
  return (int)tutti_index_find(&rows->names[2 + list], name) - 1;
}

/* Of two that are the same the first is found. */
static void add_name(classifier_rows *rows, int list, const char *name, int index)
{
  size_t *number = tutti_index_number(&rows->names[2 + list], name);
  *number = *number ? *number : (size_t)index + 1;
}

static void add_names(classifier_rows *rows, int list, char *const *names, int count)
{
  for (int i = 0; i < count; i++)
    add_name(rows, list, names[i], i);
}

/* ---- a line ---- */

/* The text after the first @p wanted that no backslash precedes, or NULL. The text before it is terminated. */
static char *cut(char *text, const char *wanted)
{
  size_t length = strlen(wanted);
  for (char *at = text; *at; at++) {
    if (strncmp(at, wanted, length) == 0) {
      *at = '\0';
      return at + length;
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

/* Without the blanks around it and the backslashes in it. */
static char *name_of(char *text)
{
  static const char letters[] = "nrt", meant[] = "\n\r\t";
  while (isspace((unsigned char)*text))
    text++;
  char *to = text, *end = text;
  for (const char *from = text; *from; from++) {
    bool escaped = *from == '\\' && from[1];
    const char *letter = escaped ? strchr(letters, *++from) : NULL;
    *to++ = letter ? meant[letter - letters] : *from;
    if (escaped || !isspace((unsigned char)*from))
      end = to;
  }
  *end = '\0';
  return text;
}

static int read_depth(char **text)
{
  int depth = 0;
  for (; **text == '|'; depth++)
    do
      ++*text;
    while (isspace((unsigned char)**text));
  return depth;
}

/* A finite decimal number and nothing else. */
static bool parse_number(const char *text, double *value)
{
  return !text[strspn(text, "+-.0123456789eE")] && tutti_parse_real(text, value);
}

static bool read_counts(char *text, classifier_row *row)
{
  double cases, errors = 0.0;
  size_t length = strlen(text);
  if (length == 0 || text[length - 1] != ')')
    return false;
  text[length - 1] = '\0';
  char *slash = strchr(text, '/');
  if (slash)
    *slash = '\0';
  bool good = parse_number(text, &cases) && (!slash || parse_number(slash + 1, &errors));
  if (!good || cases < 0 || errors < 0)
    return false;
  row->cases = cases;
  row->errors = errors;
  return true;
}

/* "CLASS" or "CLASS (N)" or "CLASS (N/E)"; a class that is new is added. */
static tutti_status read_leaf(classifier_rows *rows, char *text, classifier_row *row)
{
  tutti_classifier *classifier = rows->classifier;
  char *counts = cut(text, " (");
  if (counts && !read_counts(counts, row))
    return tutti_lines_fault(&rows->lines, "numbers of cases are written (N) or (N/E)");
  char *name = name_of(text);
  row->label = find_name(rows, NAMES_OF_CLASSES, name);
  if (row->label >= 0)
    return TUTTI_OK;
  if (!*name)
    return tutti_lines_fault(&rows->lines, "class without a name");
  row->label = classifier->class_count;
  add_name(rows, NAMES_OF_CLASSES, name, row->label);
  tutti_names_append(&classifier->classes, &classifier->class_count, name);
  return TUTTI_OK;
}

static tutti_status add_value(classifier_rows *rows, char *text, classifier_row *row)
{
  const tutti_attribute *attribute = &rows->classifier->attributes[row->attribute];
  const char *name = name_of(text);
  int value = find_name(rows, row->attribute, name);
  if (value < 0)
    return tutti_lines_fault(&rows->lines, "attribute '%.80s' has no value '%.80s'", attribute->name, name);
  tutti_xpush(&rows->values, value);
  row->value_count++;
  return TUTTI_OK;
}

static tutti_status read_values(classifier_rows *rows, char *text, bool several, classifier_row *row)
{
  tutti_status status;
  row->values = rows->values.count;
  do {
    char *rest = several ? cut(text, ",") : NULL;
    status = add_value(rows, text, row);
    text = rest;
  } while (status == TUTTI_OK && text);
  return status;
}

/* A number, or one of bytes with its unit: "2KB". */
static bool parse_threshold(const char *text, double *threshold)
{
  uint64_t bytes;
  if (parse_number(text, threshold))
    return true;
  if (!isdigit((unsigned char)*text) || tutti_size_parse(text, &bytes, NULL) != TUTTI_OK)
    return false;
  *threshold = (double)bytes;
  return true;
}

static tutti_status read_operand(classifier_rows *rows, char *text, bool several, classifier_row *row)
{
  const tutti_attribute *attribute = &rows->classifier->attributes[row->attribute];
  if ((row->kind == ROW_VALUES) != (attribute->value_count > 0))
    return tutti_lines_fault(&rows->lines, "attribute '%.80s' is %s", attribute->name,
                             attribute->value_count > 0 ? "discrete: it is tested by = or in"
                                                        : "a number: it is tested by <= and >");
  if (row->kind == ROW_VALUES)
    return read_values(rows, text, several, row);
  text = name_of(text);
  return parse_threshold(text, &row->threshold) ? TUTTI_OK
                                                : tutti_lines_fault(&rows->lines, "'%.80s' is not a number", text);
}

/* The sign between attribute and operand. */
struct operation {
  const char *text;
  row_kind kind;
  bool several;
};

/* Cut at the first operator; returns the text after it. */
static char *cut_operator(char *text, const struct operation **found)
{
  static const struct operation operations[] = {
      {" <= ", ROW_AT_MOST, false}, {" > ", ROW_ABOVE, false}, {" = ", ROW_VALUES, false}, {" in {", ROW_VALUES, true}};
  for (char *at = text; *at; at++) {
    for (int i = 0; i < 4; i++) {
      size_t length = strlen(operations[i].text);
      if (strncmp(at, operations[i].text, length) == 0) {
        *found = &operations[i];
        *at = '\0';
        return at + length;
      }
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

/* Cut at the colon that ends a test: a blank or the end of the line follows it. Returns the text after it. */
static char *cut_colon(char *text)
{
  for (char *at = text; *at; at++) {
    if (strncmp(at, " :", 2) == 0 && (!at[2] || isspace((unsigned char)at[2]))) {
      *at = '\0';
      return at + 2;
    }
    if (*at == '\\' && at[1])
      at++;
  }
  return NULL;
}

static tutti_status read_test(classifier_rows *rows, char *text, char *operand, const struct operation *operation,
                              classifier_row *row)
{
  char *rest = cut_colon(operand);
  char *brace = operation->several && rest ? cut(operand, "}") : NULL;
  if (!rest || (operation->several && (!brace || *name_of(brace))))
    return tutti_lines_fault(&rows->lines, "a test is followed by ' :', a list of values by '} :'");
  const char *name = name_of(text);
  row->kind = operation->kind;
  row->attribute = find_name(rows, NAMES_OF_ATTRIBUTES, name);
  if (row->attribute < 0)
    return tutti_lines_fault(&rows->lines, "there is no attribute '%.80s'", name);
  tutti_status status = read_operand(rows, operand, operation->several, row);
  while (isspace((unsigned char)*rest))
    rest++;
  return status == TUTTI_OK && *rest ? read_leaf(rows, rest - 1, row) : status;
}

static tutti_status parse_row(classifier_rows *rows, char *text, classifier_row *row)
{
  const struct operation *operation = NULL;
  *row = (classifier_row){.line = rows->lines.number, .label = -1, .attribute = -1, .child = -1, .sibling = -1};
  row->depth = read_depth(&text);
  char *operand = cut_operator(text, &operation);
  if (operand)
    return read_test(rows, text, operand, operation, row);
  if (row->depth > 0 || rows->count > 0)
    return tutti_lines_fault(&rows->lines, "there is no test in this line");
  return read_leaf(rows, text, row);
}

/* ---- all lines ---- */

static tutti_status read_row(classifier_rows *rows)
{
  classifier_row row;
  if (rows->count > 0 && rows->items[0].kind == ROW_LEAF)
    return tutti_lines_fault(&rows->lines, "the tree is a leaf: nothing follows it");
  tutti_status status = parse_row(rows, rows->lines.text, &row);
  if (status == TUTTI_OK)
    tutti_xpush(rows, row);
  return status;
}

/* Lines until an empty one that comes after the first; '#' begins a comment. */
static tutti_status read_rows(classifier_rows *rows)
{
  struct tutti_lines *lines = &rows->lines;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && tutti_lines_next(lines)) {
    bool empty = lines->length == strspn(lines->text, " \t");
    if (empty && rows->count > 0)
      break;
    if (!empty && *lines->text != '#')
      status = read_row(rows);
  }
  if (status == TUTTI_OK)
    status = lines->status;
  if (status == TUTTI_OK && rows->count == 0)
    status = tutti_lines_fault(&rows->lines, "there is no tree");
  return status;
}

/* ---- links ---- */

static tutti_status fault_at(const classifier_rows *rows, const classifier_row *row, const char *reason)
{
  struct tutti_lines lines = rows->lines;
  lines.number = row->line;
  return tutti_lines_fault(&lines, "%s", reason);
}

/* Link a row to the one before it; @p open holds the last row of each depth. */
static tutti_status link_row(classifier_rows *rows, size_t index, long *open)
{
  classifier_row *row = &rows->items[index], *before = index > 0 ? row - 1 : NULL;
  int deepest = !before ? 0 : before->label < 0 ? before->depth + 1 : before->depth;
  if (row->depth > deepest)
    return fault_at(rows, row, "this line is too deep for the line before it");
  if (before && before->label < 0 && row->depth != deepest)
    return fault_at(rows, before, "neither a class nor a test follows");
  if (before && row->depth == before->depth + 1)
    before->child = (long)index;
  else if (before)
    rows->items[open[row->depth]].sibling = (long)index;
  open[row->depth] = (long)index;
  return TUTTI_OK;
}

static tutti_status link_rows(classifier_rows *rows)
{
  long *open = tutti_xcalloc(rows->count + 1, sizeof *open);
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < rows->count && status == TUTTI_OK; i++)
    status = link_row(rows, i, open);
  free(open);
  if (status == TUTTI_OK && rows->items[rows->count - 1].label < 0)
    status = fault_at(rows, &rows->items[rows->count - 1], "neither a class nor a test follows");
  return status;
}

/* ---- nodes ---- */

static tutti_status set_threshold(classifier_rows *rows, const classifier_row *first, tutti_node *node)
{
  const classifier_row *second = first->sibling >= 0 ? &rows->items[first->sibling] : NULL;
  if (!second || second->sibling >= 0 || second->attribute != first->attribute || second->kind == first->kind ||
      second->threshold != first->threshold)
    return fault_at(rows, second ? second : first, "a threshold has one branch <= and one branch >");
  node->threshold = first->threshold;
  node->branch_count = 2;
  return TUTTI_OK;
}

static tutti_status set_values(classifier_rows *rows, const classifier_row *row, tutti_node *node)
{
  for (size_t i = 0; i < row->value_count; i++) {
    int *branch = &node->branch_of[rows->values.items[row->values + i]];
    if (*branch >= 0)
      return fault_at(rows, row, "a value has two branches");
    *branch = node->branch_count;
  }
  node->branch_count++;
  return TUTTI_OK;
}

static tutti_status set_branches(classifier_rows *rows, const classifier_row *first, tutti_node *node)
{
  int count = rows->classifier->attributes[first->attribute].value_count;
  tutti_status status = TUTTI_OK;
  node->branch_of = tutti_xcalloc((size_t)count, sizeof *node->branch_of);
  for (int v = 0; v < count; v++)
    node->branch_of[v] = -1;
  for (const classifier_row *row = first; row && status == TUTTI_OK;
       row = row->sibling >= 0 ? &rows->items[row->sibling] : NULL)
    status = row->attribute == first->attribute ? set_values(rows, row, node)
                                                : fault_at(rows, row, "this test is of another attribute");
  for (int v = 0; v < count && status == TUTTI_OK; v++)
    if (node->branch_of[v] < 0)
      status = fault_at(rows, first, "some value has no branch");
  return status;
}

static void place_leaf(const classifier_row *row, tutti_node *node)
{
  node->label = row->label;
  node->cases = row->cases;
  node->errors = row->errors;
}

/* The branches of a node whose first row is @p first, to the end of the nodes; @p rows_of has the rest. */
static tutti_status place_test(classifier_rows *rows, const classifier_row *first, int index, long *rows_of)
{
  tutti_classifier *tree = rows->classifier;
  tutti_node *node = &tree->nodes[index];
  node->attribute = first->attribute;
  node->first = tree->node_count;
  tutti_status status = first->kind == ROW_VALUES ? set_branches(rows, first, node) : set_threshold(rows, first, node);
  if (status != TUTTI_OK)
    return status;
  int branch = 0;
  for (const classifier_row *row = first; row; row = row->sibling >= 0 ? &rows->items[row->sibling] : NULL) {
    int child = node->first + (row->kind == ROW_VALUES ? branch++ : row->kind == ROW_ABOVE);
    tree->nodes[child] = (tutti_node){.attribute = -1, .line = row->line};
    rows_of[child] = row->child;
    if (row->label >= 0)
      place_leaf(row, &tree->nodes[child]);
  }
  tree->node_count += node->branch_count;
  return TUTTI_OK;
}

/* Each row makes one node; the root is above the first. */
static tutti_status place_rows(classifier_rows *rows)
{
  tutti_classifier *tree = rows->classifier;
  long *rows_of = tutti_xcalloc(rows->count + 1, sizeof *rows_of);
  tutti_status status = TUTTI_OK;
  tree->nodes = tutti_xcalloc(rows->count + 1, sizeof *tree->nodes);
  tree->node_count = 1;
  tree->nodes[0] = (tutti_node){.attribute = -1, .line = rows->items[0].line};
  rows_of[0] = rows->items[0].kind == ROW_LEAF ? -1 : 0;
  if (rows_of[0] < 0)
    place_leaf(&rows->items[0], &tree->nodes[0]);
  for (int i = 0; status == TUTTI_OK && i < tree->node_count; i++)
    if (rows_of[i] >= 0)
      status = place_test(rows, &rows->items[rows_of[i]], i, rows_of);
  free(rows_of);
  return status;
}

/* Cases of tests are those of their branches; their class is that of the largest branch. */
static void add_up(tutti_classifier *tree)
{
  for (int i = tree->node_count - 1; i >= 0; i--) {
    tutti_node *node = &tree->nodes[i], *largest = &tree->nodes[node->first];
    for (int b = 0; b < node->branch_count; b++) {
      tutti_node *child = &tree->nodes[node->first + b];
      node->cases += child->cases;
      node->errors += child->errors;
      largest = child->cases > largest->cases ? child : largest;
    }
    if (node->branch_count > 0)
      node->label = largest->label;
  }
}

static void drop_nodes(tutti_classifier *tree)
{
  for (int i = 0; i < tree->node_count; i++)
    free(tree->nodes[i].branch_of);
  free(tree->nodes);
  tree->nodes = NULL;
  tree->node_count = 0;
}

/* The known names, and space for new classes. */
static void know_names(classifier_rows *rows)
{
  tutti_classifier *tree = rows->classifier;
  add_names(rows, NAMES_OF_CLASSES, tree->classes, tree->class_count);
  for (int a = 0; a < tree->attribute_count; a++) {
    add_name(rows, NAMES_OF_ATTRIBUTES, tree->attributes[a].name, a);
    add_names(rows, a, tree->attributes[a].values, tree->attributes[a].value_count);
  }
  tutti_names_make_room(&tree->classes, tree->class_count);
}

tutti_status tutti_classifier_parse(FILE *stream, const char *name, int *line, tutti_classifier *classifier,
                                    tutti_error *error)
{
  const size_t lists = 2 + (size_t)classifier->attribute_count;
  classifier_rows rows = {.classifier = classifier, .names = tutti_xcalloc(lists, sizeof *rows.names)};
  (void)tutti_lines_open_stream(&rows.lines, stream, name, error);
  rows.lines.number = *line;
  know_names(&rows);
  tutti_status status = read_rows(&rows);
  *line = rows.lines.number;
  if (status == TUTTI_OK)
    status = link_rows(&rows);
  if (status == TUTTI_OK)
    status = place_rows(&rows);
  if (status == TUTTI_OK)
    add_up(classifier);
  else
    drop_nodes(classifier);
  for (size_t i = 0; i < lists; i++)
    tutti_index_free(&rows.names[i]);
  free(rows.names);
  tutti_vector_free(&rows);
  tutti_vector_free(&rows.values);
  free(rows.lines.text); /* the stream is the caller's */
  return status;
}
