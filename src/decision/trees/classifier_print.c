/* Trees as text, C4.5's way. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/cases/cases.h"

/* A branch that is to be printed: the node that it leads to, and its test. */
struct pending {
  int parent, branch, depth;
};

struct printer {
  const tutti_classifier *classifier;
  FILE *stream;
  TUTTI_VECTOR(struct pending); /* a stack */
};

/* Whether the character would end or change a name when it is read back. */
static bool is_special(const char *name, const char *at)
{
  bool first = at == name, after_blank = first || isspace((unsigned char)at[-1]);
  if (isspace((unsigned char)*at))
    return first || !at[1] || *at != ' ';
  return strchr("\\,{}", *at) || (after_blank && strchr("(:<>=|#", *at));
}

static void print_name(FILE *stream, const char *name)
{
  for (const char *at = name; *at; at++) {
    if (is_special(name, at))
      putc('\\', stream);
    putc(*at == '\n' ? 'n' : *at == '\r' ? 'r' : *at == '\t' ? 't' : *at, stream);
  }
}

static void print_leaf(const struct printer *printer, const tutti_node *node)
{
  print_name(printer->stream, printer->classifier->classes[node->label]);
  if (node->errors < 0.05)
    fprintf(printer->stream, " (%.1f)\n", node->cases);
  else
    fprintf(printer->stream, " (%.1f/%.1f)\n", node->cases, node->errors);
}

static int values_of_branch(const tutti_attribute *attribute, const tutti_node *test, int branch)
{
  int count = 0;
  for (int v = 0; v < attribute->value_count; v++)
    count += test->branch_of[v] == branch;
  return count;
}

static void print_values(FILE *stream, const tutti_attribute *attribute, const tutti_node *test, int branch)
{
  int count = values_of_branch(attribute, test, branch), printed = 0;
  fputs(count == 1 ? " = " : " in {", stream);
  for (int v = 0; v < attribute->value_count; v++)
    if (test->branch_of[v] == branch) {
      fputs(printed++ > 0 ? "," : "", stream);
      print_name(stream, attribute->values[v]);
    }
  fputs(count == 1 ? " :" : "} :", stream);
}

static void print_branch(const struct printer *printer, const struct pending *pending)
{
  const tutti_node *test = &printer->classifier->nodes[pending->parent];
  const tutti_attribute *attribute = &printer->classifier->attributes[test->attribute];
  char number[32];
  for (int i = 0; i < pending->depth; i++)
    fputs("|   ", printer->stream);
  print_name(printer->stream, attribute->name);
  if (test->branch_of)
    print_values(printer->stream, attribute, test, pending->branch);
  else
    fprintf(printer->stream, " %s %s :", pending->branch == 0 ? "<=" : ">",
            tutti_cases_format_number(test->threshold, number));
}

/* The branches of a node, the first on top. */
static void push_branches(struct printer *printer, int node, int depth)
{
  for (int b = printer->classifier->nodes[node].branch_count - 1; b >= 0; b--)
    tutti_xpush(printer, ((struct pending){node, b, depth}));
}

static void print_tree(struct printer *printer)
{
  const tutti_node *nodes = printer->classifier->nodes;
  if (nodes[0].branch_count == 0)
    print_leaf(printer, &nodes[0]);
  push_branches(printer, 0, 0);
  while (printer->count > 0 && !ferror(printer->stream)) {
    struct pending pending = printer->items[--printer->count];
    int node = nodes[pending.parent].first + pending.branch;
    print_branch(printer, &pending);
    putc(nodes[node].branch_count == 0 ? ' ' : '\n', printer->stream);
    if (nodes[node].branch_count == 0)
      print_leaf(printer, &nodes[node]);
    else
      push_branches(printer, node, pending.depth + 1);
  }
}

tutti_status tutti_classifier_print(const tutti_classifier *classifier, FILE *stream, tutti_error *error)
{
  struct printer printer = {.classifier = classifier, .stream = stream};
  errno = 0;
  print_tree(&printer);
  tutti_vector_free(&printer);
  if (ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "a tree cannot be written: %s", strerror(errno));
  return TUTTI_OK;
}
