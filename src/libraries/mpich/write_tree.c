/* Trees of conditions in JSON. A key is a condition, its value what holds below it; the first of several siblings that
   is true is taken, and there is no way back (src/mpi/coll/src/csel.c). */
#include <stdarg.h>
#include <string.h>

#include "libraries/mpich/mpich.h"

void tutti_mpich_path(char path[MPICH_PATH_LENGTH], const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, MPICH_PATH_LENGTH, format, arguments);
  va_end(arguments);
}

static int depth_of(const char *path)
{
  int depth = 1;
  for (; *path; path++)
    depth += *path == '/';
  return depth;
}

/* How many conditions, from the root on, two paths have in common. */
static int common_depth(const char *left, const char *right)
{
  int depth = 0;
  for (; *left && *left == *right; left++, right++)
    depth += *left == '/';
  return depth + ((!*left || *left == '/') && (!*right || *right == '/'));
}

static void indent(struct mpich_tree *tree, int depth)
{
  fprintf(tree->stream, "\n%*s", depth, "");
}

static void close_down_to(struct mpich_tree *tree, int depth)
{
  fprintf(tree->stream, "}");
  for (int open = depth_of(tree->path) - 1; open > depth; open--) {
    indent(tree, open);
    fprintf(tree->stream, "}");
  }
}

/* The conditions of a path from `depth` on. */
static void open_from(struct mpich_tree *tree, const char *path, int depth)
{
  const char *key = path;
  for (int i = 0; i < depth; i++)
    key = strchr(key, '/') + 1;
  for (;; key++, depth++) {
    size_t length = strcspn(key, "/");
    indent(tree, depth + 1);
    fprintf(tree->stream, "\"%.*s\": {", (int)length, key);
    key += length;
    if (!*key)
      return;
  }
}

void tutti_mpich_tree_add(struct mpich_tree *tree, const char *path, const char *name)
{
  int depth = *tree->path ? common_depth(tree->path, path) : 0;
  if (*tree->path) {
    close_down_to(tree, depth);
    fprintf(tree->stream, ",");
  } else
    fprintf(tree->stream, "{");
  open_from(tree, path, depth);
  if (tree->since_41 && strcmp(name, "Barrier_intra_dissemination") == 0)
    fprintf(tree->stream, "\"algorithm=MPIR_Barrier_intra_k_dissemination\": {\"k=2\": {}}");
  else
    fprintf(tree->stream, "\"algorithm=MPIR_%s\": {}", name);
  snprintf(tree->path, sizeof tree->path, "%s", path);
}

/* What an algorithm needs from a restriction on. */
static void add_restricted(struct mpich_tree *tree, const char *path, const struct mpich_algorithm *algorithm,
                           int index)
{
  while (index < MPICH_RESTRICTIONS && !(algorithm->needs & tutti_mpich_restrictions[index].need))
    index++;
  if (index == MPICH_RESTRICTIONS) {
    tutti_mpich_tree_add(tree, path, algorithm->name);
    return;
  }
  const struct mpich_restriction *restriction = &tutti_mpich_restrictions[index];
  for (int i = 0; i < 2; i++) {
    bool met = (i == 0) != restriction->unmet_first;
    char whole[MPICH_PATH_LENGTH];
    tutti_mpich_path(whole, "%s/%s", path, met ? restriction->met : restriction->unmet);
    if (met)
      add_restricted(tree, whole, algorithm, index + 1);
    else
      tutti_mpich_tree_add(tree, whole, algorithm->instead);
  }
}

void tutti_mpich_tree_add_guarded(struct mpich_tree *tree, const char *path, const char *name)
{
  const struct mpich_algorithm *algorithm = tutti_mpich_algorithm(name);
  if (algorithm && *algorithm->instead)
    add_restricted(tree, path, algorithm, 0);
  else
    tutti_mpich_tree_add(tree, path, name);
}

void tutti_mpich_tree_end(struct mpich_tree *tree)
{
  close_down_to(tree, 0);
  fprintf(tree->stream, "\n}\n");
}
