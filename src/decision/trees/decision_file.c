/* Decision files: writing, and which kind one is of. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decision/trees/decision_file.h"

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
