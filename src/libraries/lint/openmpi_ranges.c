/* Which block and which rule, written as numbers, serve what: the look-up of coll_tuned_dynamic_rules.c. */
#include "libraries/lint/openmpi.h"

/* The look-up goes on while keys are not above the value: entry i is the last that is passed for the values from the
   largest key up to it to just before the next key; the first also stands for all below. */
static void set_range(long largest, long next_key, bool first, long *least, long *most)
{
  *least = first ? 0 : largest;
  *most = next_key == LONG_MAX ? LONG_MAX : next_key - 1;
  if (first && *most < largest - 1)
    *most = largest - 1;
}

static void set_rule_ranges(struct openmpi_rule *rules, size_t count)
{
  long largest = 0;
  for (size_t i = 0; i < count; i++) {
    long key = rules[i].values[FIELD_BYTES];
    largest = key > largest ? key : largest;
    set_range(largest, i + 1 < count ? rules[i + 1].values[FIELD_BYTES] : LONG_MAX, i == 0, &rules[i].least,
              &rules[i].most);
  }
}

/* From version 6 on a block is made to end before its own size, and the last to have no end. */
static void set_block_range(struct openmpi_block *block, const struct openmpi_block *before, bool last, bool shifted,
                            long largest, long next_key)
{
  if (!shifted) {
    set_range(largest, next_key, !before, &block->least, &block->most);
    return;
  }
  block->least = before ? before->most + 1 : 0;
  block->most = last ? INT_MAX : block->ranks - 1;
}

void tutti_openmpi_set_ranges(const struct lint *lint, struct openmpi_rules *rules)
{
  for (int c = 0; c < OPENMPI_COLLECTIVES; c++) {
    struct openmpi_block *blocks = rules->blocks ? rules->blocks + rules->collectives[c].first : NULL;
    long largest = 0;
    for (size_t i = 0, count = rules->collectives[c].count; i < count; i++) {
      bool last = i + 1 == count;
      largest = blocks[i].ranks > largest ? blocks[i].ranks : largest;
      set_block_range(&blocks[i], i ? &blocks[i - 1] : NULL, last, lint->version.major >= 6, largest,
                      last ? LONG_MAX : blocks[i + 1].ranks);
      if (rules->rules)
        set_rule_ranges(rules->rules + blocks[i].first, blocks[i].count);
    }
  }
}
