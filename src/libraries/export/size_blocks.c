/* Step tables in the units of a target. */
#include "libraries/export/export.h"

#include <stdlib.h>
#include <string.h>

void tutti_size_blocks_free(struct size_blocks *blocks)
{
  for (int i = 0; i < blocks->count; i++)
    free(blocks->items[i].rules);
  free(blocks->items);
  memset(blocks, 0, sizeof *blocks);
}

static uint64_t key_of(tutti_size_unit unit, int ranks, uint64_t bytes)
{
  uint64_t factor = unit == TUTTI_UNIT_TOTAL ? (uint64_t)ranks : 1;
  return bytes > UINT64_MAX / factor ? UINT64_MAX : bytes * factor;
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

tutti_status tutti_size_blocks_create(const tutti_step_table *table, tutti_size_unit unit, uint64_t largest,
                                      struct size_blocks *blocks, tutti_error *error)
{
  *blocks = (struct size_blocks){.items = calloc((size_t)table->row_count, sizeof *blocks->items)};
  for (int i = 0; blocks->items && i < table->row_count; i++) {
    const tutti_step_row *row = &table->rows[i];
    struct size_block *block = &blocks->items[blocks->count++];
    *block = (struct size_block){.ranks = row->ranks, .rules = calloc((size_t)row->count, sizeof *block->rules)};
    if (!block->rules)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the rules of %d ranks", row->ranks);
    make_rules(row, unit, largest, block);
    if (blocks->count == 1 || !can_join(&block[-1], block))
      continue;
    join(&block[-1], block);
    free(block->rules);
    blocks->count--;
  }
  return blocks->items ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a table of rules");
}
