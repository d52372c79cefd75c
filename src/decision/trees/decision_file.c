/* Decision files: reading, writing, and which kind one is of. */
#include "decision/trees/decision_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading trees ---- */

enum { MAX_BYTES = 64 << 20 };

struct reader {
  const char *path;
  FILE *stream; /* on the text in memory, so that one can go back */
  char *line;
  size_t capacity;
  int number; /* of the line */
  tutti_error *error;
};

static tutti_status fault(const struct reader *reader, const char *reason)
{
  return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:%d: %s", reader->path, reader->number, reason);
}

/* The next line without its end; false at the end of the file. */
static bool next_line(struct reader *reader)
{
  ssize_t length = getline(&reader->line, &reader->capacity, reader->stream);
  if (length < 0)
    return false;
  reader->number++;
  while (length > 0 && strchr("\r\n \t", reader->line[length - 1]))
    reader->line[--length] = '\0';
  return true;
}

/* Does the line begin with a word? Then *rest is what comes after it. */
static bool begins(const char *line, const char *word, char **rest)
{
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || (line[length] && !strchr(" \t", line[length])))
    return false;
  *rest = (char *)line + length + strspn(line + length, " \t");
  return true;
}

static tutti_status read_collectives(struct reader *reader, char *names, tutti_decision_tree *tree)
{
  tutti_error reason;
  char *rest = NULL;
  tutti_collective collective;
  if (!*names)
    return fault(reader, "a tree of which collectives?");
  for (char *name = strtok_r(names, " \t", &rest); name; name = strtok_r(NULL, " \t", &rest)) {
    if (tutti_collective_parse(name, &collective, &reason) != TUTTI_OK)
      return fault(reader, reason.message);
    tree->answers[collective] = true;
  }
  return TUTTI_OK;
}

/* The lines "attribute ..."; the stream stands at the first line of the tree after them. */
static tutti_status read_attributes(struct reader *reader, tutti_decision_tree *tree)
{
  tutti_error reason;
  char *text;
  for (long here = ftell(reader->stream); next_line(reader); here = ftell(reader->stream)) {
    if (*reader->line == '#')
      continue;
    if (!begins(reader->line, "attribute", &text)) {
      reader->number--;
      return fseek(reader->stream, here, SEEK_SET) == 0 ? TUTTI_OK : fault(reader, "cannot be read twice");
    }
    if (tutti_decision_tree_add_attribute(tree, text, &reason) != TUTTI_OK)
      return fault(reader, reason.message);
  }
  return fault(reader, "the file ends before the tree");
}

static bool means_something(const tutti_decision_tree *tree, const char *class_name)
{
  tutti_method method;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c] && tutti_class_method((tutti_collective)c, class_name, &method))
      return true;
  return false;
}

/* The line of the tree that begins at @p start, after line @p before, on which a class stands. */
static int line_of(struct reader *reader, long start, int before, const char *class_name)
{
  int after = reader->number;
  char *found = NULL;
  reader->number = before;
  fseek(reader->stream, start, SEEK_SET);
  while (!found && reader->number < after && next_line(reader))
    found = strstr(reader->line, class_name);
  return reader->number;
}

static tutti_status check_classes(struct reader *reader, const tutti_decision_tree *tree, long start, int before)
{
  for (int k = 0; k < tree->classifier.class_count; k++)
    if (!means_something(tree, tree->classifier.classes[k]))
      return tutti_fail(reader->error, TUTTI_ERR_ARGUMENT, "%s:%d: '%.80s' is no method of the collectives of its tree",
                        reader->path, line_of(reader, start, before, tree->classifier.classes[k]),
                        tree->classifier.classes[k]);
  return TUTTI_OK;
}

static tutti_status read_tree(struct reader *reader, char *names, tutti_decision_trees *trees)
{
  tutti_decision_tree *tree = tutti_decision_trees_append(trees);
  if (!tree)
    return tutti_fail(reader->error, TUTTI_ERR_MEMORY, "%s: out of memory", reader->path);
  tree->line = reader->number;
  tutti_status status = read_collectives(reader, names, tree);
  if (status == TUTTI_OK)
    status = read_attributes(reader, tree);
  long start = ftell(reader->stream);
  int before = reader->number;
  if (status == TUTTI_OK)
    status = tutti_classifier_parse(reader->stream, reader->path, &reader->number, &tree->classifier, reader->error);
  return status == TUTTI_OK ? check_classes(reader, tree, start, before) : status;
}

static tutti_status read_trees(struct reader *reader, tutti_decision_trees *trees)
{
  tutti_status status = TUTTI_OK;
  char *names;
  if (!next_line(reader) || strcmp(reader->line, DECISION_FILE_HEAD) != 0)
    return fault(reader, "a decision file begins with '" DECISION_FILE_HEAD "'");
  while (status == TUTTI_OK && next_line(reader)) {
    if (!*reader->line || *reader->line == '#')
      continue;
    if (!begins(reader->line, "tree", &names))
      return fault(reader, "neither 'tree COLLECTIVE...' nor a comment");
    status = read_tree(reader, names, trees);
  }
  if (status == TUTTI_OK && trees->count == 0)
    status = fault(reader, "there is no tree in it");
  return status;
}

/* The whole file as a text, to be freed. */
static tutti_status load(const char *path, char **text, size_t *length, tutti_error *error)
{
  FILE *stream = fopen(path, "r");
  size_t capacity = 0;
  *text = NULL;
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  ssize_t read = getdelim(text, &capacity, '\0', stream); /* a text has no zero byte */
  int cause = ferror(stream) ? errno : 0;
  bool whole = read > 0 && read <= MAX_BYTES && feof(stream) && strlen(*text) == (size_t)read;
  fclose(stream);
  *length = (size_t)read;
  if (whole)
    return TUTTI_OK;
  free(*text);
  if (cause)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(cause));
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: empty, or larger than 64 MB, or with a zero byte in it", path);
}

static tutti_status read_text(struct reader *reader, char *text, size_t length, tutti_decision_trees *trees)
{
  reader->stream = fmemopen(text, length, "r");
  if (!reader->stream)
    return tutti_fail(reader->error, TUTTI_ERR_MEMORY, "%s: out of memory", reader->path);
  tutti_status status = read_trees(reader, trees);
  fclose(reader->stream);
  free(reader->line);
  return status;
}

tutti_status tutti_decision_trees_read(const char *path, tutti_decision_trees *trees, tutti_error *error)
{
  struct reader reader = {.path = path, .error = error};
  size_t length = 0;
  char *text;
  *trees = (tutti_decision_trees){0};
  tutti_status status = load(path, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  status = read_text(&reader, text, length, trees);
  free(text);
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

/* Does the file begin as a file of trees does? One that cannot be opened does not. */
static bool has_trees(const char *path)
{
  char head[sizeof DECISION_FILE_WORD];
  FILE *stream = fopen(path, "r");
  size_t length = stream ? fread(head, 1, sizeof head - 1, stream) : 0;
  if (stream)
    fclose(stream);
  return length == sizeof head - 1 && memcmp(head, DECISION_FILE_WORD, length) == 0;
}

tutti_status tutti_decision_read(const char *path, tutti_decision *decision, tutti_error *error)
{
  tutti_decision_trees trees = {0};
  if (!has_trees(path))
    return tutti_decision_read_rules(path, decision, error);
  *decision = (tutti_decision){.name = NULL};
  tutti_status status = tutti_decision_trees_read(path, &trees, error);
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(path, &trees, decision, error);
  tutti_decision_trees_free(&trees);
  return status;
}
