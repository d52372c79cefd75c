/* Decision files: reading, writing, and which kind one is of. */
#include "decision/trees/trees.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define DECISION_FILE_WORD "tutti-decision"
#define DECISION_FILE_HEAD DECISION_FILE_WORD " 1"

/* ---- reading trees ---- */

enum { MAX_BYTES = 64 << 20 };

/* The next line without trailing blanks; false at the end of the file. */
static bool next_line(struct tutti_lines *lines)
{
  if (!tutti_lines_next(lines))
    return false;
  while (lines->length > 0 && strchr("\r\n \t", lines->text[lines->length - 1]))
    lines->text[--lines->length] = '\0';
  return true;
}

/* True if the line begins with a word. Then *rest is the text after it. */
static bool begins(const char *line, const char *word, char **rest)
{
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || (line[length] && !strchr(" \t", line[length])))
    return false;
  *rest = (char *)line + length + strspn(line + length, " \t");
  return true;
}

static tutti_status read_collectives(struct tutti_lines *lines, char *names, tutti_decision_tree *tree)
{
  tutti_error reason;
  char *rest = NULL;
  tutti_collective collective;
  if (!*names)
    return tutti_lines_fault(lines, "a tree of which collectives?");
  for (char *name = strtok_r(names, " \t", &rest); name; name = strtok_r(NULL, " \t", &rest)) {
    if (tutti_collective_parse(name, &collective, &reason) != TUTTI_OK)
      return tutti_lines_fault(lines, "%s", reason.message);
    tree->answers[collective] = true;
  }
  return TUTTI_OK;
}

/* The lines "attribute ..."; the stream is at the first line of the tree after them. */
static tutti_status read_attributes(struct tutti_lines *lines, tutti_decision_tree *tree)
{
  tutti_error reason;
  char *text;
  for (long here = ftell(lines->stream); next_line(lines); here = ftell(lines->stream)) {
    if (*lines->text == '#')
      continue;
    if (!begins(lines->text, "attribute", &text)) {
      lines->number--;
      return fseek(lines->stream, here, SEEK_SET) == 0 ? TUTTI_OK : tutti_lines_fault(lines, "cannot be read twice");
    }
    if (tutti_decision_tree_add_attribute(tree, text, &reason) != TUTTI_OK)
      return tutti_lines_fault(lines, "%s", reason.message);
  }
  return tutti_lines_fault(lines, "the file ends before the tree");
}

static bool means_something(const tutti_decision_tree *tree, const char *class_name)
{
  tutti_method method;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c] && tutti_class_method((tutti_collective)c, class_name, &method))
      return true;
  return false;
}

/* The first line with a leaf of a class. */
static int line_of(const tutti_classifier *classifier, int label)
{
  int line = 0;
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    if (node->branch_count == 0 && node->label == label && (line == 0 || node->line < line))
      line = node->line;
  }
  return line;
}

static tutti_status check_classes(struct tutti_lines *lines, const tutti_decision_tree *tree)
{
  const tutti_classifier *classifier = &tree->classifier;
  for (int k = 0; k < classifier->class_count; k++)
    if (!means_something(tree, classifier->classes[k])) {
      lines->number = line_of(classifier, k);
      return tutti_lines_fault(lines, "'%.80s' is no method of the collectives of its tree%s", classifier->classes[k],
                               strstr(classifier->classes[k], "msccl-") ? " (of a plug-in: --plugin FILE.xml)" : "");
    }
  return TUTTI_OK;
}

/* A tree that answers for nothing yet. */
static tutti_decision_tree *append_tree(tutti_decision_trees *trees)
{
  trees->items = tutti_xroom(trees->items, (size_t)trees->count, sizeof *trees->items);
  trees->items[trees->count] = (tutti_decision_tree){.expressions = NULL};
  return &trees->items[trees->count++];
}

static tutti_status read_tree(struct tutti_lines *lines, char *names, tutti_decision_trees *trees)
{
  tutti_decision_tree *tree = append_tree(trees);
  tree->line = lines->number;
  tutti_status status = read_collectives(lines, names, tree);
  if (status == TUTTI_OK)
    status = read_attributes(lines, tree);
  if (status == TUTTI_OK)
    status = tutti_classifier_parse(lines->stream, lines->path, &lines->number, &tree->classifier, lines->error);
  return status == TUTTI_OK ? check_classes(lines, tree) : status;
}

static tutti_status read_trees(struct tutti_lines *lines, tutti_decision_trees *trees)
{
  tutti_status status = TUTTI_OK;
  char *names;
  if (!next_line(lines) || strcmp(lines->text, DECISION_FILE_HEAD) != 0)
    return tutti_lines_fault(lines, "a decision file begins with '" DECISION_FILE_HEAD "'");
  while (status == TUTTI_OK && next_line(lines)) {
    if (!*lines->text || *lines->text == '#')
      continue;
    if (!begins(lines->text, "tree", &names))
      return tutti_lines_fault(lines, "neither 'tree COLLECTIVE...' nor a comment");
    status = read_tree(lines, names, trees);
  }
  if (status == TUTTI_OK && trees->count == 0)
    status = tutti_lines_fault(lines, "there is no tree in it");
  return status;
}

static tutti_status parse_trees(const char *text, size_t length, const char *path, tutti_decision_trees *trees,
                                tutti_error *error)
{
  struct tutti_lines lines;
  *trees = (tutti_decision_trees){0};
  tutti_status status = tutti_lines_open_text(&lines, text, length, path, error);
  if (status == TUTTI_OK)
    status = read_trees(&lines, trees);
  tutti_lines_close(&lines);
  if (status != TUTTI_OK)
    tutti_decision_trees_free(trees);
  return status;
}

/* ---- writing ---- */

static void write_comment(const char *comment, FILE *stream)
{
  while (comment && *comment) {
    size_t length = strcspn(comment, "\n");
    fprintf(stream, "# %.*s\n", (int)length, comment);
    comment += length + (comment[length] == '\n');
  }
}

static void write_attribute(const tutti_decision_tree *tree, int a, FILE *stream)
{
  const char *name = tree->classifier.attributes[a].name, *definition = tree->definitions[a];
  if (strcmp(name, definition) == 0)
    fprintf(stream, "attribute %s\n", name);
  else
    fprintf(stream, "attribute %s = %s\n", name, definition);
}

static tutti_status write_tree(const tutti_decision_tree *tree, FILE *stream, tutti_error *error)
{
  fputs("tree", stream);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c])
      fprintf(stream, " %s", tutti_collective_name((tutti_collective)c));
  fputc('\n', stream);
  for (int a = 0; a < tree->classifier.attribute_count; a++)
    write_attribute(tree, a, stream);
  return tutti_classifier_print(&tree->classifier, stream, error);
}

tutti_status tutti_decision_trees_write(const tutti_decision_trees *trees, const char *comment, FILE *stream,
                                        tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  fputs(DECISION_FILE_HEAD "\n", stream);
  write_comment(comment, stream);
  for (int i = 0; i < trees->count && status == TUTTI_OK; i++) {
    if (i > 0)
      fputc('\n', stream);
    status = write_tree(&trees->items[i], stream, error);
  }
  if (status == TUTTI_OK && (fflush(stream) != 0 || ferror(stream)))
    return tutti_fail(error, TUTTI_ERR_IO, "cannot write a decision file: %s", strerror(errno));
  return status;
}

tutti_status tutti_decision_parse(const char *text, size_t length, const char *path, tutti_decision *decision,
                                  tutti_error *error)
{
  tutti_decision_trees trees;
  *decision = (tutti_decision){.name = NULL};
  if (strlen(text) != length)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: " TUTTI_ZERO_BYTE, path);
  if (strncmp(text, DECISION_FILE_WORD, strlen(DECISION_FILE_WORD)) != 0)
    return tutti_decision_parse_rules(text, path, decision, error);
  tutti_status status = parse_trees(text, length, path, &trees, error);
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(path, &trees, decision, error);
  tutti_decision_trees_free(&trees);
  return status;
}

tutti_status tutti_decision_read(const char *path, tutti_decision *decision, tutti_error *error)
{
  char *text;
  size_t length;
  *decision = (tutti_decision){.name = NULL};
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_TEXT, &text, &length, error);
  if (status == TUTTI_OK)
    status = tutti_decision_parse(text, length, path, decision, error);
  free(text);
  return status;
}
