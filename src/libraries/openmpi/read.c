/* Rules of coll/tuned in memory: which serve what, and their look-up. */
#include "libraries/openmpi/openmpi.h"

void tutti_openmpi_rules_free(struct openmpi_rules *rules)
{
  tutti_vector_free(&rules->blocks);
  tutti_vector_free(&rules->rules);
  *rules = (struct openmpi_rules){0};
}

struct openmpi_block *tutti_openmpi_add_block(struct tuning_file *file, struct openmpi_rules *rules)
{
  if (!tutti_vector_push(&rules->blocks, (struct openmpi_block){.first = rules->rules.count, .max = LONG_MAX})) {
    file->out_of_memory = true;
    return NULL;
  }
  return &rules->blocks.items[rules->blocks.count - 1];
}

struct openmpi_rule *tutti_openmpi_add_rule(struct tuning_file *file, struct openmpi_rules *rules)
{
  if (!tutti_vector_push(&rules->rules, (struct openmpi_rule){.max = LONG_MAX})) {
    file->out_of_memory = true;
    return NULL;
  }
  rules->blocks.items[rules->blocks.count - 1].count++;
  return &rules->rules.items[rules->rules.count - 1];
}

bool tutti_openmpi_drop(struct tuning_file *file, struct openmpi_rules *rules, int code, size_t at, const char *format,
                        ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_tuning_vreport(file, code, at, format, arguments);
  va_end(arguments);
  rules->dropped = true;
  return false;
}

/* ---- which blocks and rules, written as numbers, serve what: coll_tuned_dynamic_rules.c ---- */

/* The look-up goes on while keys are not above the value: entry i is the last that is passed for the values from the
   largest key up to it to just before the next key; the first also stands for all below. */
static void set_range(long largest, long next_key, bool first, long *min, long *max)
{
  *min = first ? 0 : largest;
  *max = next_key == LONG_MAX ? LONG_MAX : next_key - 1;
  if (first && *max < largest - 1)
    *max = largest - 1;
}

static void set_rule_ranges(struct openmpi_rule *rules, size_t count)
{
  long largest = 0;
  for (size_t i = 0; i < count; i++) {
    long key = rules[i].values[FIELD_BYTES];
    largest = key > largest ? key : largest;
    set_range(largest, i + 1 < count ? rules[i + 1].values[FIELD_BYTES] : LONG_MAX, i == 0, &rules[i].min,
              &rules[i].max);
  }
}

/* From version 6 on a block is made to end before its own size, and the last to have no end. */
static void set_block_range(struct openmpi_block *block, const struct openmpi_block *before, bool last, bool shifted,
                            long largest, long next_key)
{
  if (!shifted) {
    set_range(largest, next_key, !before, &block->min, &block->max);
    return;
  }
  block->min = before ? before->max + 1 : 0;
  block->max = last ? INT_MAX : block->ranks - 1;
}

static void set_ranges(const struct tuning_file *file, struct openmpi_rules *rules)
{
  for (int c = 0; c < OPENMPI_COLLECTIVES; c++) {
    struct openmpi_block *blocks = rules->blocks.items ? rules->blocks.items + rules->collectives[c].first : NULL;
    long largest = 0;
    for (size_t i = 0, count = rules->collectives[c].count; i < count; i++) {
      bool last = i + 1 == count;
      largest = blocks[i].ranks > largest ? blocks[i].ranks : largest;
      set_block_range(&blocks[i], i ? &blocks[i - 1] : NULL, last, file->version.major >= 6, largest,
                      last ? LONG_MAX : blocks[i + 1].ranks);
      if (rules->rules.items)
        set_rule_ranges(rules->rules.items + blocks[i].first, blocks[i].count);
    }
  }
}

/* ---- reading and looking up ---- */

void tutti_openmpi_read(struct tuning_file *file, struct openmpi_rules *rules)
{
  size_t i = 0;
  while (i < file->length && (file->text[i] == ' ' || (file->text[i] >= '\t' && file->text[i] <= '\r')))
    i++;
  bool json = i < file->length && file->text[i] == '{';
  if (json && file->version.major >= 6)
    tutti_openmpi_read_json(file, rules);
  else if (json)
    tutti_openmpi_drop(file, rules, LINT_OMPI_JSON_EARLY, i, "the file begins with '{'");
  else {
    tutti_openmpi_read_numbers(file, rules);
    set_ranges(file, rules);
  }
}

static const struct openmpi_rule *look_rule(const struct openmpi_rules *rules, const struct openmpi_block *block,
                                            long bytes)
{
  for (size_t i = 0; i < block->count; i++) {
    const struct openmpi_rule *rule = &rules->rules.items[block->first + i];
    if (!rule->disabled && rule->min <= bytes && bytes <= rule->max)
      return rule;
  }
  return NULL;
}

struct openmpi_found tutti_openmpi_look(const struct openmpi_rules *rules, int collective, long ranks,
                                        enum openmpi_distribution distribution, long bytes)
{
  struct openmpi_found found = {.collective = NULL};
  const struct openmpi_collective_rules *of = &rules->collectives[collective];
  if (rules->dropped || !of->given)
    return found;
  found.collective = of;
  for (size_t i = 0; i < of->count && !found.block; i++) {
    const struct openmpi_block *block = &rules->blocks.items[of->first + i];
    bool matches = block->distribution == DISTRIBUTION_ANY || block->distribution == distribution;
    if (matches && block->min <= ranks && ranks <= block->max)
      found.block = block;
  }
  found.rule = found.block ? look_rule(rules, found.block, bytes) : NULL;
  return found;
}
