/* Collective selection files of MPICH (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): the collectives that were decided
   on, with what MPICH does not check itself in front of each algorithm, and MPICH's own choice for all others. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/mpich/mpich.h"

/* ---- what MPICH can be told ---- */

enum { BRUCK_RADIX = 2 };

static bool supports_k(const tutti_method *method, int ranks)
{
  int k = method->parameters.k;
  if (method->algorithm->domain & TUTTI_NEEDS_NODES)
    return k == 0;
  if (strcmp(method->algorithm->mpich_name, "scattered") == 0)
    return k == MPICH_THROTTLE || (k >= ranks - 1 && ranks <= MPICH_THROTTLE);
  return k == BRUCK_RADIX;
}

/* Asserted, or simply wrong, elsewhere. */
static bool needs_power_of_two(const char *name)
{
  return strcmp(name, "scatter_recursive_doubling_allgather") == 0 || strcmp(name, "noncommutative") == 0;
}

bool tutti_mpich_supports(const tutti_method *method, int ranks)
{
  const tutti_algorithm *algorithm = method->algorithm;
  if (!algorithm->mpich_name || method->parameters.segment_bytes || !tutti_target_is_plain(method) ||
      !tutti_target_applies(method, ranks))
    return false;
  if (needs_power_of_two(algorithm->mpich_name) && (ranks & (ranks - 1)))
    return false;
  return !(algorithm->parameters & TUTTI_TAKES_K) || supports_k(method, ranks);
}

/* ---- what was decided ---- */

/* Blocks of irregular size have one algorithm for one group and for two. */
static const char *kind_of(tutti_collective collective)
{
  return collective == TUTTI_COLL_GATHERV || collective == TUTTI_COLL_SCATTERV ? "allcomm" : "intra";
}

static void add_method(struct mpich_tree *tree, const tutti_step_table *table, int method, const char *path)
{
  const char *collective = tutti_collective_name(table->collective);
  char name[96];
  if (method < 0) {
    tutti_mpich_default_intra(tree, collective, path);
    return;
  }
  snprintf(name, sizeof name, "%c%s_%s_%s", toupper((unsigned char)*collective), collective + 1,
           kind_of(table->collective), table->methods[method].algorithm->mpich_name);
  tutti_mpich_tree_add_guarded(tree, path, name);
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
    add_method(tree, table, block->rules[i].method, whole);
  }
}

/* Communicators of one rank stay with what is known to work on them. */
static void add_blocks(struct mpich_tree *tree, const tutti_step_table *table, const struct size_blocks *blocks,
                       const char *path)
{
  const char *collective = tutti_collective_name(table->collective);
  char whole[MPICH_PATH_LENGTH];
  tutti_mpich_path(whole, "%s/comm_size<=1", path);
  tutti_mpich_default_intra(tree, collective, whole);
  for (int i = 0; i < blocks->count; i++) {
    if (i + 1 < blocks->count)
      tutti_mpich_path(whole, "%s/comm_size<=%d", path, blocks->items[i + 1].ranks - 1);
    else
      tutti_mpich_path(whole, "%s/comm_size=any", path);
    if (i + 1 == blocks->count || blocks->items[i + 1].ranks > 2)
      add_rules(tree, table, &blocks->items[i], whole);
  }
}

/* Steps beyond what atoi() reads are left out: calls so large get the answer of the last step before them. */
static tutti_status add_part(struct mpich_tree *tree, const tutti_export_part *part, tutti_error *error)
{
  const tutti_step_table *table = &part->table;
  const char *collective = tutti_collective_name(table->collective);
  struct size_blocks blocks;
  char path[64];
  tutti_status status = tutti_size_blocks_create(table, tutti_mpich_unit(table->collective), INT32_MAX, &blocks, error);
  if (status == TUTTI_OK) {
    snprintf(path, sizeof path, "collective=%s/comm_type=intra", collective);
    add_blocks(tree, table, &blocks, path);
    snprintf(path, sizeof path, "collective=%s/comm_type=inter", collective);
    tutti_mpich_default_inter(tree, collective, path);
  }
  tutti_size_blocks_free(&blocks);
  return status;
}

/* ---- the file ---- */

static const tutti_export_part *part_of(const tutti_export_part *parts, int count, const char *collective)
{
  for (int i = 0; i < count; i++)
    if (strcmp(tutti_collective_name(parts[i].table.collective), collective) == 0)
      return &parts[i];
  return NULL;
}

static tutti_status add_collective(struct mpich_tree *tree, const char *collective, const tutti_export_part *part,
                                   tutti_error *error)
{
  char path[64];
  if (part)
    return add_part(tree, part, error);
  snprintf(path, sizeof path, "collective=%s/comm_type=intra", collective);
  tutti_mpich_default_intra(tree, collective, path);
  snprintf(path, sizeof path, "collective=%s/comm_type=inter", collective);
  tutti_mpich_default_inter(tree, collective, path);
  return TUTTI_OK;
}

static tutti_status write_tree(struct mpich_tree *tree, const tutti_export_part *parts, int count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const char *collective;
  for (int i = 0; status == TUTTI_OK && (collective = tutti_mpich_collective_at(i)); i++)
    status = add_collective(tree, collective, part_of(parts, count, collective), error);
  tutti_mpich_tree_end(tree);
  return status;
}

/* MPICH maps the file and reads on to the first zero byte, which is behind it unless it fills its last page. */
enum { PAGE = 4096 };

static tutti_status write_version(bool since_41, const tutti_export_part *parts, int count, FILE *stream,
                                  tutti_error *error)
{
  char *text = NULL;
  size_t length = 0;
  struct mpich_tree tree = {.stream = open_memstream(&text, &length), .since_41 = since_41};
  if (!tree.stream)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a file of MPICH");
  tutti_status status = write_tree(&tree, parts, count, error);
  if (fclose(tree.stream) != 0 && status == TUTTI_OK)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a file of MPICH");
  if (status == TUTTI_OK) {
    fwrite(text, 1, length, stream);
    if (length % PAGE == 0)
      putc('\n', stream);
    status = tutti_target_written(stream, error);
  }
  free(text);
  return status;
}

/* JSON has no comments, and MPICH takes every key for a condition. */
tutti_status tutti_mpich_write_4_0(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                   tutti_error *error)
{
  (void)comment;
  return write_version(false, parts, count, stream, error);
}

tutti_status tutti_mpich_write_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                   tutti_error *error)
{
  (void)comment;
  return write_version(true, parts, count, stream, error);
}
