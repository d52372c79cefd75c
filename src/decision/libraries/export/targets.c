/* Common parts of writers of targets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/export.h"

bool tutti_target_applies(const tutti_method *method, int ranks)
{
  unsigned needs = method->algorithm->domain;
  return (!(needs & TUTTI_NEEDS_POWER_OF_TWO) || (ranks & (ranks - 1)) == 0) &&
         (!(needs & TUTTI_NEEDS_EVEN) || ranks % 2 == 0) && (!(needs & TUTTI_NEEDS_TWO) || ranks == 2) &&
         (!(needs & TUTTI_NEEDS_RANKS) || ranks == method->algorithm->ranks);
}

tutti_size_unit tutti_target_unit_rank(tutti_collective collective)
{
  (void)collective;
  return TUTTI_UNIT_RANK;
}

bool tutti_target_supports_all(const tutti_method *method, int ranks)
{
  (void)method;
  (void)ranks;
  return true;
}

bool tutti_target_is_plain(const tutti_method *method)
{
  tutti_method plain = tutti_method_default(method->algorithm);
  plain.parameters.segment_bytes = method->parameters.segment_bytes;
  plain.parameters.k = method->parameters.k;
  memcpy(plain.parameters.parts, method->parameters.parts, sizeof plain.parameters.parts);
  return tutti_method_compare(&plain, method) == 0;
}

void tutti_target_print_comment(const char *comment, const char *prefix, FILE *stream)
{
  while (comment && *comment) {
    int length = (int)strcspn(comment, "\n");
    fprintf(stream, "%s%.*s\n", prefix, length, comment);
    comment += length + (comment[length] == '\n');
  }
}

tutti_status tutti_target_written(FILE *stream, tutti_error *error)
{
  if (fflush(stream) == 0 && !ferror(stream))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
}

/* ---- step tables in the units of a target ---- */

void tutti_size_blocks_free(struct size_blocks *blocks)
{
  for (int i = 0; i < blocks->count; i++)
    free(blocks->items[i].rules);
  free(blocks->items);
  memset(blocks, 0, sizeof *blocks);
}

static uint64_t key_of(tutti_size_unit unit, int ranks, uint64_t bytes)
{
  return library_product(bytes, unit == TUTTI_UNIT_TOTAL ? ranks : 1);
}

static void make_rules(const tutti_step_row *row, tutti_size_unit unit, uint64_t largest, struct size_block *block)
{
  for (int i = 0; i < row->count; i++) {
    const tutti_step *step = &row->steps[i];
    uint64_t max = key_of(unit, row->ranks, step->bytes);
    uint64_t min = step->bytes ? key_of(unit, row->ranks, step->bytes - 1) + 1 : 0;
    if (max <= largest)
      block->rules[block->count++] = (struct size_rule){min, max, step->method};
  }
}

static bool can_join(const struct size_block *block, const struct size_block *next)
{
  if (block->count != next->count)
    return false;
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method != next->rules[i].method || block->rules[i].max < next->rules[i].min ||
        next->rules[i].max < block->rules[i].min)
      return false;
  return true;
}

static void join(struct size_block *block, const struct size_block *next)
{
  for (int i = 0; i < block->count; i++) {
    struct size_rule *rule = &block->rules[i];
    rule->min = rule->min > next->rules[i].min ? rule->min : next->rules[i].min;
    rule->max = rule->max < next->rules[i].max ? rule->max : next->rules[i].max;
  }
}

struct size_blocks tutti_size_blocks_create(const tutti_step_table *table, tutti_size_unit unit, uint64_t largest)
{
  struct size_blocks blocks = {.items = tutti_xcalloc((size_t)table->row_count, sizeof *blocks.items)};
  for (int i = 0; i < table->row_count; i++) {
    const tutti_step_row *row = &table->rows[i];
    struct size_block *block = &blocks.items[blocks.count++];
    *block = (struct size_block){.ranks = row->ranks, .rules = tutti_xcalloc((size_t)row->count, sizeof *block->rules)};
    make_rules(row, unit, largest, block);
    if (blocks.count == 1 || !can_join(&block[-1], block))
      continue;
    join(&block[-1], block);
    free(block->rules);
    blocks.count--;
  }
  return blocks;
}
