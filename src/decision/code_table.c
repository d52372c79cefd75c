/* Writing a classifier as a table of the boxes between its thresholds. */
#include "tutti/code_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decision/code_axis.h"

enum { AXES = 3, OPTIONAL = 2 /* axis that the function has only if the classifier has it */ };

static const char *const axis_names[AXES] = {"ranks", "bytes", "ranks_per_node"};
static const uint64_t axis_most[AXES] = {INT32_MAX, UINT64_MAX, INT32_MAX};

/* What is written. */
struct code {
  const tutti_classifier *classifier;
  const char *function;
  FILE *stream;
  int axis_of[AXES]; /* attribute; -1: the classifier has none of that name */
  struct code_axis axes[AXES];
};

static int find_attribute(const tutti_classifier *classifier, const char *name)
{
  for (int a = 0; a < classifier->attribute_count; a++)
    if (strcmp(classifier->attributes[a].name, name) == 0 && classifier->attributes[a].value_count == 0)
      return a;
  return -1;
}

static tutti_status check(const struct code *code, tutti_error *error)
{
  const tutti_classifier *classifier = code->classifier;
  for (int i = 0; i < classifier->node_count; i++) {
    int attribute = classifier->nodes[i].attribute;
    bool known = attribute < 0;
    for (int axis = 0; axis < AXES; axis++)
      known |= attribute == code->axis_of[axis];
    if (!known)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a table has no axis for the attribute %s",
                        classifier->attributes[attribute].name);
  }
  return TUTTI_OK;
}

static tutti_status make_axes(struct code *code, tutti_error *error)
{
  size_t boxes = 1;
  for (int axis = 0; axis < AXES; axis++) {
    if (!code_axis_collect(code->classifier, code->axis_of[axis], axis_most[axis], &code->axes[axis]))
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the table of %s", code->function);
    boxes *= (size_t)code->axes[axis].count + 1;
    if (boxes > TUTTI_MOST_BOXES)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s has more than %d boxes between its thresholds",
                        code->function, TUTTI_MOST_BOXES);
  }
  return TUTTI_OK;
}

/* ---- tables ---- */

/* A value of each box that is as good as any. */
static int label_of_box(const struct code *code, const int box[AXES])
{
  const tutti_node *nodes = code->classifier->nodes, *node = nodes;
  double values[AXES];
  for (int axis = 0; axis < AXES; axis++)
    values[axis] = code_axis_value(&code->axes[axis], box[axis]);
  while (node->attribute >= 0) {
    int axis = 0;
    while (code->axis_of[axis] != node->attribute)
      axis++;
    node = &nodes[node->first + (values[axis] > node->threshold)];
  }
  return node->label;
}

static size_t print_axis(const struct code *code, int axis)
{
  const struct code_axis *cuts = &code->axes[axis];
  bool wide = axis_most[axis] > INT32_MAX;
  if (cuts->count == 0)
    return 0;
  fprintf(code->stream, "static const %s %s_%s[%d] = {", wide ? "unsigned long long" : "int", code->function,
          axis_names[axis], cuts->count);
  for (int i = 0; i < cuts->count; i++)
    fprintf(code->stream, "%s%" PRIu64 "%s", i > 0 ? ", " : "", cuts->values[i], wide ? "ull" : "");
  fprintf(code->stream, "};\n");
  return (size_t)cuts->count * (wide ? 8 : 4);
}

static size_t print_labels(const struct code *code)
{
  const struct code_axis *axes = code->axes;
  bool small = code->classifier->class_count <= 256;
  int boxes = (axes[0].count + 1) * (axes[1].count + 1) * (axes[2].count + 1), i = 0, box[AXES];
  fprintf(code->stream, "static const unsigned %s %s_labels[%d] = {", small ? "char" : "int", code->function, boxes);
  for (box[0] = 0; box[0] <= axes[0].count; box[0]++)
    for (box[1] = 0; box[1] <= axes[1].count; box[1]++)
      for (box[2] = 0; box[2] <= axes[2].count; box[2]++, i++)
        fprintf(code->stream, "%s%d", i == 0 ? "\n  " : i % 30 ? ", " : ",\n  ", label_of_box(code, box));
  fprintf(code->stream, "};\n");
  return (size_t)boxes * (small ? 1 : sizeof(int));
}

/* ---- the function ---- */

/* Halve the thresholds, of which there are 2^levels - 1. */
static void print_search(const struct code *code, int axis)
{
  const char *name = axis_names[axis];
  for (int half = (code->axes[axis].count + 1) / 2; half > 0; half /= 2)
    if (half == (code->axes[axis].count + 1) / 2)
      fprintf(code->stream, "  unsigned in_%s = (%s > %s_%s[%d]) * %du;\n", name, name, code->function, name, half - 1,
              half);
    else
      fprintf(code->stream, "  in_%s += (%s > %s_%s[in_%s + %d]) * %du;\n", name, name, code->function, name, name,
              half - 1, half);
}

/* So that no compiler warns of parameters that are not used. */
static void print_unused(const struct code *code)
{
  for (int axis = 0; axis < AXES; axis++)
    if (code->axes[axis].count == 0 && (axis != OPTIONAL || code->axis_of[axis] >= 0))
      fprintf(code->stream, "  (void)%s;\n", axis_names[axis]);
}

static void print_function(const struct code *code)
{
  bool third = code->axis_of[OPTIONAL] >= 0, first = true;
  int stride = 1;
  fprintf(code->stream, "int %s(int ranks, unsigned long long bytes%s);\n", code->function,
          third ? ", int ranks_per_node" : "");
  fprintf(code->stream, "int %s(int ranks, unsigned long long bytes%s)\n{\n", code->function,
          third ? ", int ranks_per_node" : "");
  print_unused(code);
  for (int axis = 0; axis < AXES; axis++)
    print_search(code, axis);
  fprintf(code->stream, "  return %s_labels[", code->function);
  for (int axis = AXES - 1; axis >= 0; axis--) {
    if (code->axes[axis].count > 0) {
      fprintf(code->stream, "%sin_%s * %du", first ? "" : " + ", axis_names[axis], stride);
      first = false;
    }
    stride *= code->axes[axis].count + 1;
  }
  fprintf(code->stream, "%s];\n}\n", first ? "0" : "");
}

static tutti_status print(const struct code *code, size_t *table_bytes, tutti_error *error)
{
  size_t bytes = 0;
  for (int axis = 0; axis < AXES; axis++)
    bytes += print_axis(code, axis);
  bytes += print_labels(code);
  print_function(code);
  if (table_bytes)
    *table_bytes = bytes;
  return ferror(code->stream) ? tutti_fail(error, TUTTI_ERR_IO, "cannot write the table of %s", code->function)
                              : TUTTI_OK;
}

tutti_status tutti_code_table_write(const tutti_classifier *classifier, const char *function, FILE *stream,
                                    size_t *table_bytes, tutti_error *error)
{
  struct code code = {.classifier = classifier, .function = function, .stream = stream};
  for (int axis = 0; axis < AXES; axis++)
    code.axis_of[axis] = find_attribute(classifier, axis_names[axis]);
  tutti_status status = check(&code, error);
  if (status == TUTTI_OK)
    status = make_axes(&code, error);
  if (status == TUTTI_OK)
    status = print(&code, table_bytes, error);
  for (int axis = 0; axis < AXES; axis++)
    free(code.axes[axis].values);
  return status;
}
