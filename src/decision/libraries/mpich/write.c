/* Collective selection files of MPICH (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): the collectives of the
   decision, each algorithm after the conditions that MPICH does not check itself, and MPICH's own choice for all
   others.

   A file is a tree of conditions in JSON. A key is a condition, its value what holds below it; the first of several
   siblings that is true is taken, and there is no way back (src/mpi/coll/src/csel.c). */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/mpich/mpich.h"

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

/* The parameters of a leaf, separated by blanks, as keys of their own. */
static void add_parameters(struct mpich_tree *tree, const char *parameters)
{
  for (const char *word = parameters; *word; word += strspn(word, " ")) {
    int length = (int)strcspn(word, " ");
    fprintf(tree->stream, "%s\"%.*s\": {}", word > parameters ? ", " : "", length, word);
    word += length;
  }
}

/* ---- the notation of 5.1 ---- */

static bool is_renamed(const struct mpich_tree *tree)
{
  return tree->layer == LAYER_MPIR && tutti_library_since(&tree->version, MPICH_RENAMED / 100, MPICH_RENAMED % 100, 0);
}

static void add_leaf(struct mpich_tree *tree, const char *old, const char *name, const char *parameters)
{
  char path[MPICH_PATH_LENGTH];
  if (is_renamed(tree))
    tutti_mpich_rename_path(old, path);
  else
    tutti_mpich_path(path, "%s", old);
  int depth = *tree->path ? common_depth(tree->path, path) : 0;
  if (*tree->path) {
    close_down_to(tree, depth);
    fprintf(tree->stream, ",");
  } else
    fprintf(tree->stream, "{");
  open_from(tree, path, depth);
  fprintf(tree->stream, "\"%s%s_%s\": {", tutti_mpich_leaf_key(tree->layer),
          tree->layer == LAYER_MPIR ? "MPIR" : "MPIDI", name);
  add_parameters(tree, parameters);
  fprintf(tree->stream, "}");
  snprintf(tree->path, sizeof tree->path, "%s", path);
}

void tutti_mpich_tree_add(struct mpich_tree *tree, const char *path, const char *name)
{
  if (tutti_library_since(&tree->version, 4, 1, 0) && strcmp(name, "Barrier_intra_dissemination") == 0)
    add_leaf(tree, path, "Barrier_intra_k_dissemination", "k=2");
  else
    add_leaf(tree, path, name, "");
}

/* Add the restricted form of an algorithm. Where it does not work a device layer may choose nothing. */
static void add_restricted(struct mpich_tree *tree, const char *path, const struct mpich_algorithm *algorithm,
                           const char *parameters, int index)
{
  while (index < MPICH_RESTRICTIONS && !(algorithm->needs & tutti_mpich_restrictions[index].need))
    index++;
  if (index == MPICH_RESTRICTIONS) {
    add_leaf(tree, path, algorithm->name, parameters);
    return;
  }
  const struct mpich_restriction *restriction = &tutti_mpich_restrictions[index];
  for (int i = 0; i < 2; i++) {
    bool met = (i == 0) != restriction->unmet_first;
    char whole[MPICH_PATH_LENGTH];
    tutti_mpich_path(whole, "%s/%s", path, met ? restriction->met : restriction->unmet);
    if (met)
      add_restricted(tree, whole, algorithm, parameters, index + 1);
    else if (*algorithm->instead)
      tutti_mpich_tree_add(tree, whole, algorithm->instead);
  }
}

/* Add an algorithm with the conditions under which it works, and what is run otherwise: one leaf or several. */
static void add_guarded(struct mpich_tree *tree, const char *path, const char *name, const char *parameters)
{
  const struct mpich_algorithm *algorithm = tutti_mpich_algorithm(name);
  if (algorithm && *algorithm->instead)
    add_restricted(tree, path, algorithm, parameters, 0);
  else
    add_leaf(tree, path, name, parameters);
}

/* Close everything that is open. */
static void end_tree(struct mpich_tree *tree)
{
  close_down_to(tree, 0);
  fprintf(tree->stream, "\n}\n");
}

/* ---- what was decided ---- */

/* A composition where it works; else the whole communicator is handed on. */
static void add_composition(struct mpich_tree *tree, const tutti_method *method, const char *path)
{
  const size_t prefix = strlen("MPIDI_");
  const tutti_collective collective = method->algorithm->collective;
  const struct mpich_device *device =
      tutti_mpich_composition(&tree->version, collective, tutti_selector_name(method->parameters.k));
  const struct mpich_algorithm algorithm = {.name = device->name + prefix,
                                            .needs = device->needs,
                                            .instead =
                                                tutti_mpich_handing_on(&tree->version, collective)->name + prefix};
  add_restricted(tree, path, &algorithm, "", 0);
}

/* The algorithm of the shared memory where it works. Else (`mpir`) a condition that is never true: an object cannot be
   empty, and a chain of sizes must go on to its "=any". */
static void add_shared(struct mpich_tree *tree, tutti_collective collective, bool mpir, const char *path)
{
  char whole[MPICH_PATH_LENGTH];
  const struct mpich_device *device = tutti_mpich_shared(&tree->version, collective, "release_gather");
  const struct mpich_algorithm algorithm = {
      .name = device->name + strlen("MPIDI_"), .needs = mpir ? 0 : device->needs, .instead = ""};
  tutti_mpich_path(whole, "%s%s", path, mpir ? "/comm_type=inter" : "");
  add_restricted(tree, whole, &algorithm, "", 0);
}

/* What the library chooses without the file. */
static void add_own(struct mpich_tree *tree, const char *collective, const char *path)
{
  tutti_collective known;
  if (tree->layer != LAYER_POSIX)
    tutti_mpich_default_intra(tree, collective, path);
  else if (tutti_collective_parse(collective, &known, NULL) == TUTTI_OK &&
           tutti_mpich_posix_unit(known) != TUTTI_UNIT_ABSENT)
    add_shared(tree, known, false, path);
}

static void add_method(struct mpich_tree *tree, const tutti_step_table *table, int method, const char *path)
{
  const char *collective = tutti_collective_name(table->collective);
  struct mpich_told told;
  char name[MPICH_NAME_LENGTH];
  if (method < 0)
    add_own(tree, collective, path);
  else if (tree->layer == LAYER_POSIX)
    add_shared(tree, table->collective, table->methods[method].parameters.k == tutti_selector_find("mpir"), path);
  else if (tree->layer == LAYER_CH4)
    add_composition(tree, &table->methods[method], path);
  else {
    tutti_mpich_tell(&table->methods[method], &tree->version, &told);
    add_guarded(tree, path, tutti_mpich_full_name(table->collective, told.name, name), told.parameters);
  }
}

static void add_rules(struct mpich_tree *tree, const tutti_step_table *table, const struct size_block *block,
                      const char *path)
{
  const char *size = tutti_mpich_unit(table->collective) == TUTTI_UNIT_TOTAL ? "total_msg_size" : "avg_msg_size";
  char whole[MPICH_PATH_LENGTH];
  if (block->count == 1) {
    add_method(tree, table, block->rules[0].method, path);
    return;
  }
  for (int i = 0; i < block->count; i++) {
    if (i + 1 < block->count)
      tutti_mpich_path(whole, "%s/%s<=%" PRIu64, path, size, block->rules[i + 1].max - 1);
    else
      tutti_mpich_path(whole, "%s/%s=any", path, size);
    if (i > 0) {
      tree->failed.bytes = (long)block->rules[i].max - 1;
      tree->failed.size = size;
    }
    add_method(tree, table, block->rules[i].method, whole);
  }
  tree->failed.size = NULL;
}

/* Communicators of one rank stay with what is known to work on them. */
static void add_blocks(struct mpich_tree *tree, const tutti_step_table *table, const struct size_blocks *blocks,
                       const char *path)
{
  const char *collective = tutti_collective_name(table->collective);
  char whole[MPICH_PATH_LENGTH];
  tutti_mpich_path(whole, "%s/comm_size<=1", path);
  add_own(tree, collective, whole);
  for (int i = 0; i < blocks->count; i++) {
    if (i + 1 < blocks->count)
      tutti_mpich_path(whole, "%s/comm_size<=%d", path, blocks->items[i + 1].ranks - 1);
    else
      tutti_mpich_path(whole, "%s/comm_size=any", path);
    tree->failed.ranks = i > 0 && blocks->items[i].ranks > 2 ? blocks->items[i].ranks - 1 : 1;
    if (i + 1 == blocks->count || blocks->items[i + 1].ranks > 2)
      add_rules(tree, table, &blocks->items[i], whole);
  }
  tree->failed.ranks = 0;
}

/* Steps beyond what atoi() reads are left out: calls so large get the answer of the last step before them. */
static void add_part(struct mpich_tree *tree, const tutti_export_part *part)
{
  const tutti_step_table *table = &part->table;
  const char *collective = tutti_collective_name(table->collective);
  struct size_blocks blocks = tutti_size_blocks_create(table, tutti_mpich_unit(table->collective), INT32_MAX);
  char path[64];
  snprintf(path, sizeof path, "collective=%s/comm_type=intra", collective);
  add_blocks(tree, table, &blocks, path);
  snprintf(path, sizeof path, "collective=%s/comm_type=inter", collective);
  if (tree->layer == LAYER_MPIR)
    tutti_mpich_default_inter(tree, collective, path);
  tutti_size_blocks_free(&blocks);
}

/* ---- the file ---- */

static const tutti_export_part *part_of(const tutti_export_part *parts, int count, const char *collective)
{
  for (int i = 0; i < count; i++)
    if (strcmp(tutti_collective_name(parts[i].table.collective), collective) == 0)
      return &parts[i];
  return NULL;
}

static void add_collective(struct mpich_tree *tree, const char *collective, const tutti_export_part *part)
{
  char path[64];
  if (part && tutti_step_table_answers(&part->table)) {
    add_part(tree, part);
    return;
  }
  snprintf(path, sizeof path, "collective=%s/comm_type=intra", collective);
  add_own(tree, collective, path);
  snprintf(path, sizeof path, "collective=%s/comm_type=inter", collective);
  if (tree->layer == LAYER_MPIR)
    tutti_mpich_default_inter(tree, collective, path);
}

char *tutti_mpich_own_members(const tutti_library_version *version, const char *const *collectives)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  struct mpich_tree tree = {.stream = text.stream, .version = *version};
  for (; *collectives; collectives++)
    add_collective(&tree, *collectives, NULL);
  end_tree(&tree);
  tutti_xclose_text(&text);
  char *begin = strchr(text.text, '{'), *end = strrchr(text.text, '}');
  char *members = begin && end > begin ? tutti_xstrndup(begin + 1, (size_t)(end - begin - 1)) : tutti_xstrdup("");
  free(text.text);
  return members;
}

/* MPICH maps the file and reads on to the first zero byte, which follows the text unless it fills its last page. */
enum { PAGE = 4096 };

static tutti_status write_version(int major, int minor, enum mpich_layer layer, const tutti_export_part *parts,
                                  int count, FILE *stream, tutti_error *error)
{
  struct tutti_text_stream text;
  const char *collective;
  tutti_xopen_text(&text);
  struct mpich_tree tree = {.stream = text.stream, .version = {.major = major, .minor = minor}, .layer = layer};
  for (int i = 0; (collective = tutti_mpich_collective_at(i)); i++)
    add_collective(&tree, collective, part_of(parts, count, collective));
  end_tree(&tree);
  tutti_xclose_text(&text);
  fwrite(text.text, 1, text.length, stream);
  if (text.length % PAGE == 0)
    putc('\n', stream);
  free(text.text);
  return tutti_target_written(stream, error);
}

/* JSON has no comments, and MPICH reads every key as a condition. */
#define WRITER(name, major, minor, layer)                                                                              \
  tutti_status tutti_mpich_write_##name(const tutti_export_part *parts, int count, const char *comment, FILE *stream,  \
                                        tutti_error *error)                                                            \
  {                                                                                                                    \
    (void)comment;                                                                                                     \
    return write_version(major, minor, layer, parts, count, stream, error);                                            \
  }
WRITER(4_0, 4, 0, LAYER_MPIR)
WRITER(4_1, 4, 1, LAYER_MPIR)
WRITER(4_2, 4, 2, LAYER_MPIR)
WRITER(4_3, 4, 3, LAYER_MPIR)
WRITER(5_0, 5, 0, LAYER_MPIR)
WRITER(5_1, 5, 1, LAYER_MPIR)
WRITER(ch4_4_0, 4, 0, LAYER_CH4)
WRITER(ch4_4_1, 4, 1, LAYER_CH4)
WRITER(posix_4_2, 4, 2, LAYER_POSIX)
#undef WRITER
