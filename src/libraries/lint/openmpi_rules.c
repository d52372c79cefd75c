/* Rules of coll/tuned in memory, and their look-up. */
#include <stdlib.h>

#include "libraries/lint/openmpi.h"

void tutti_openmpi_rules_free(struct openmpi_rules *rules)
{
  free(rules->blocks);
  free(rules->rules);
  *rules = (struct openmpi_rules){0};
}

struct openmpi_block *tutti_openmpi_add_block(struct lint *lint, struct openmpi_rules *rules)
{
  struct openmpi_block *blocks =
      tutti_lint_grow(rules->blocks, rules->block_count, &rules->block_capacity, sizeof *rules->blocks);
  if (!blocks) {
    lint->out_of_memory = true;
    return NULL;
  }
  rules->blocks = blocks;
  blocks += rules->block_count++;
  *blocks = (struct openmpi_block){.first = rules->rule_count, .most = LONG_MAX};
  return blocks;
}

struct openmpi_rule *tutti_openmpi_add_rule(struct lint *lint, struct openmpi_rules *rules)
{
  struct openmpi_rule *items =
      tutti_lint_grow(rules->rules, rules->rule_count, &rules->rule_capacity, sizeof *rules->rules);
  if (!items) {
    lint->out_of_memory = true;
    return NULL;
  }
  rules->rules = items;
  items += rules->rule_count++;
  *items = (struct openmpi_rule){.most = LONG_MAX};
  rules->blocks[rules->block_count - 1].count++;
  return items;
}

void tutti_openmpi_read_rules(struct lint *lint, struct openmpi_rules *rules)
{
  size_t i = 0;
  while (i < lint->length && (lint->text[i] == ' ' || (lint->text[i] >= '\t' && lint->text[i] <= '\r')))
    i++;
  bool json = i < lint->length && lint->text[i] == '{';
  if (json && lint->version.major >= 6)
    tutti_openmpi_read_json(lint, rules);
  else if (json) {
    tutti_lint_say(lint, LINT_OMPI_JSON_EARLY, i, "the file begins with '{'");
    rules->dropped = true;
  } else
    tutti_openmpi_read_numbers(lint, rules);
}

static const struct openmpi_rule *look_rule(const struct openmpi_rules *rules, const struct openmpi_block *block,
                                            long bytes)
{
  for (size_t i = 0; i < block->count; i++) {
    const struct openmpi_rule *rule = &rules->rules[block->first + i];
    if (!rule->disabled && rule->least <= bytes && bytes <= rule->most)
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
    const struct openmpi_block *block = &rules->blocks[of->first + i];
    bool matches = block->distribution == DISTRIBUTION_ANY || block->distribution == distribution;
    if (matches && block->least <= ranks && ranks <= block->most)
      found.block = block;
  }
  found.rule = found.block ? look_rule(rules, found.block, bytes) : NULL;
  return found;
}

void tutti_lint_openmpi(struct lint *lint)
{
  struct openmpi_rules rules = {.dropped = false};
  tutti_openmpi_read_rules(lint, &rules);
  tutti_openmpi_check(lint, &rules);
  tutti_openmpi_rules_free(&rules);
}
