/* Faults of rules of coll/tuned. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/openmpi/openmpi.h"

struct check {
  struct tuning_file *file;
  const struct openmpi_rules *rules;
  long collective;
  const struct openmpi_block *block;
  bool reorders, told_total; /* reported once a collective */
};

/* ---- one rule ---- */

static void check_parameters(const struct check *check, const struct openmpi_rule *rule)
{
  static const int codes[] = {
      [FIELD_FANOUT] = LINT_OMPI_FANOUT, [FIELD_SEGMENT] = LINT_OMPI_SEGMENT, [FIELD_REQUESTS] = LINT_OMPI_REQUESTS};
  long id = rule->values[FIELD_ALGORITHM];
  bool radix = tutti_openmpi_has_radix(&check->file->version, check->collective, id);
  for (int f = FIELD_FANOUT; f <= FIELD_REQUESTS; f++)
    if (rule->values[f] && !(f == FIELD_FANOUT && radix) &&
        !tutti_openmpi_uses(check->collective, id, (enum openmpi_field)f)) {
      tutti_tuning_report(check->file, codes[f], rule->at[f], "%s %ld (%s) does not use %ld",
                          tutti_openmpi_collectives[check->collective].name, id,
                          tutti_openmpi_algorithm_name(&check->file->version, check->collective, id), rule->values[f]);
      tutti_tuning_edit(check->file, codes[f], rule->at[f], tutti_tuning_number_length(check->file, rule->at[f]), "0");
    }
  if (rule->values[FIELD_FANOUT] == 0 && tutti_openmpi_uses(check->collective, id, FIELD_FANOUT))
    tutti_tuning_report(check->file, LINT_OMPI_CHAIN, rule->at[FIELD_FANOUT], "the fan-out of the chain is 0");
  if (radix && rule->values[FIELD_FANOUT] < OPENMPI_MIN_RADIX)
    tutti_tuning_report(check->file, LINT_OMPI_RADIX, rule->at[FIELD_FANOUT], "the radix is %ld",
                        rule->values[FIELD_FANOUT]);
}

static bool only_powers(long min, long max)
{
  return max - min <= 1 && (min & (min - 1)) == 0 && (max & (max - 1)) == 0;
}

/* Communicators of one rank do not come to coll/tuned. */
static void check_domain(struct check *check, const struct openmpi_rule *rule)
{
  const struct openmpi_collective *of = &tutti_openmpi_collectives[check->collective];
  long id = rule->values[FIELD_ALGORITHM], min = check->block->min < 2 ? 2 : check->block->min, max = check->block->max;
  const char *name = tutti_openmpi_algorithm_name(&check->file->version, check->collective, id);
  if (id == 0 || min > max)
    return;
  if (id == of->two && max > 2)
    tutti_tuning_report(check->file, LINT_OMPI_TWO, rule->at[FIELD_ALGORITHM],
                        "%s is for two ranks, the block serves up to %s", name, max >= INT_MAX ? "any number" : "more");
  if (id == of->power && !only_powers(min, max))
    tutti_tuning_report(check->file, LINT_OMPI_DOMAIN, rule->at[FIELD_ALGORITHM],
                        "%s is for powers of two; bruck runs on other numbers of ranks", name);
  if (id == of->even && (min != max || min % 2))
    tutti_tuning_report(check->file, LINT_OMPI_DOMAIN, rule->at[FIELD_ALGORITHM],
                        "%s is for even numbers of ranks; ring runs on odd ones", name);
  if (of->reorders >> id & 1 && !check->reorders) {
    tutti_tuning_report(check->file, LINT_OMPI_ORDER_OF_OPERANDS, rule->at[FIELD_ALGORITHM], "%s of %s", name,
                        tutti_openmpi_collectives[check->collective].name);
    check->reorders = true;
  }
}

static void check_size(struct check *check, const struct openmpi_rule *rule)
{
  enum openmpi_size size = tutti_openmpi_collectives[check->collective].size;
  long bytes = rule->values[FIELD_BYTES];
  if (bytes == 0)
    return;
  if (size == SIZE_ZERO)
    tutti_tuning_report(check->file, LINT_OMPI_NO_SIZE, rule->at[FIELD_BYTES], "a rule of %s from %ld bytes on",
                        tutti_openmpi_collectives[check->collective].name, bytes);
  else if (size == SIZE_TYPE_BY_RANKS)
    tutti_tuning_report(check->file, LINT_OMPI_SCAN_SIZE, rule->at[FIELD_BYTES], "a rule of %s from %ld bytes on",
                        tutti_openmpi_collectives[check->collective].name, bytes);
  else if (size == SIZE_OF_ALL && !check->told_total) {
    tutti_tuning_report(check->file, LINT_OMPI_TOTAL, rule->at[FIELD_BYTES], "%ld bytes of %s", bytes,
                        tutti_openmpi_collectives[check->collective].name);
    check->told_total = true;
  }
}

static void check_rule(struct check *check, const struct openmpi_rule *rule)
{
  long id = rule->values[FIELD_ALGORITHM];
  check_size(check, rule);
  if (rule->disabled)
    return;
  if (!tutti_openmpi_algorithm_name(&check->file->version, check->collective, id)) {
    tutti_tuning_report(check->file, LINT_OMPI_ALGORITHM, rule->at[FIELD_ALGORITHM],
                        "%s has no algorithm %ld, only 1 to %d", tutti_openmpi_collectives[check->collective].name, id,
                        tutti_openmpi_algorithm_count(&check->file->version, check->collective));
    return;
  }
  check_parameters(check, rule);
  check_domain(check, rule);
}

/* ---- order: numbers ---- */

static void check_rule_order(const struct check *check, size_t index)
{
  const struct openmpi_rule *rule = &check->rules->rules.items[check->block->first + index];
  long bytes = rule->values[FIELD_BYTES];
  if (index > 0 && bytes <= rule[-1].values[FIELD_BYTES])
    tutti_tuning_report(check->file, LINT_OMPI_BYTES_ORDER, rule->at[FIELD_BYTES], "%ld bytes after %ld", bytes,
                        rule[-1].values[FIELD_BYTES]);
  if (rule->min > rule->max)
    tutti_tuning_report(check->file, LINT_OMPI_DEAD, rule->at[FIELD_BYTES],
                        "no message size comes to the rule for %ld bytes", bytes);
}

static void check_block_order(const struct check *check, size_t index)
{
  const struct openmpi_block *block = check->block;
  if (index > 0 && block->ranks <= block[-1].ranks)
    tutti_tuning_report(check->file, LINT_OMPI_RANKS_ORDER, block->at, "%ld ranks after %ld", block->ranks,
                        block[-1].ranks);
  if (block->min > block->max || block->max < 2)
    tutti_tuning_report(check->file, block->max >= 0 && block->min <= block->max ? LINT_OMPI_EMPTY : LINT_OMPI_DEAD,
                        block->at, "no communicator that comes to coll/tuned comes to the block of %ld ranks",
                        block->ranks);
  else if (index == 0 && block->ranks > 2 && check->file->version.major < 6)
    tutti_tuning_report(check->file, LINT_OMPI_SMALLER, block->at,
                        "communicators of 2 to %ld ranks use the block of %ld", block->ranks - 1, block->ranks);
}

/* ---- order: JSON ---- */

static uint64_t ordered(long number) /* as unsigned numbers are */
{
  return (uint64_t)number ^ UINT64_C(1) << 63;
}

static struct tutti_box box_of_rule(const struct openmpi_rule *rule)
{
  if (rule->disabled)
    return (struct tutti_box){{{UINT64_MAX, 0}}};
  return (struct tutti_box){{{ordered(rule->min), ordered(rule->max)}}};
}

static struct tutti_box box_of_block(const struct openmpi_block *block)
{
  const uint64_t placement = (uint64_t)block->placement + 1;
  struct tutti_box box = {{{ordered(block->min), ordered(block->max)}, {placement, placement}}};
  if (block->placement == TUTTI_PLACED_ANYHOW)
    memcpy(box.sides[1], (uint64_t[]){0, UINT64_MAX}, sizeof box.sides[1]);
  return box;
}

static int by_beginning(const void *left, const void *right)
{
  const struct tutti_box *a = left, *b = right;
  return (a->sides[0][0] > b->sides[0][0]) - (a->sides[0][0] < b->sides[0][0]);
}

/* The least size that no rule serves; -1: there is none. */
static long first_gap(struct tutti_box *boxes, size_t count)
{
  uint64_t covered = ordered(0);
  qsort(boxes, count, sizeof *boxes, by_beginning);
  for (size_t i = 0; i < count && boxes[i].sides[0][0] <= covered; i++) {
    const uint64_t end = boxes[i].sides[0][1];
    if (end == ordered(LONG_MAX))
      return -1;
    covered = end >= covered ? end + 1 : covered;
  }
  return (long)ordered((long)covered);
}

static void check_hidden_rules(const struct check *check, const struct tutti_box *boxes)
{
  const struct openmpi_rule *rules = openmpi_block_rules(check->rules, check->block);
  size_t *hiding = tutti_tuning_hiding(boxes, check->block->count);
  for (size_t i = 0; i < check->block->count; i++)
    if (rules[i].min <= rules[i].max && hiding[i] < i)
      tutti_tuning_report(check->file, LINT_OMPJ_OVERLAP, rules[i].at[FIELD_BYTES],
                          "rule %zu of this list matches first", hiding[i] + 1);
  free(hiding);
}

static void check_json_block(const struct check *check)
{
  const struct openmpi_rule *rules = openmpi_block_rules(check->rules, check->block);
  const size_t count = check->block->count;
  if (count == 0)
    return;
  struct tutti_box *boxes = tutti_xcalloc(count, sizeof *boxes);
  for (size_t i = 0; i < count; i++)
    boxes[i] = box_of_rule(&rules[i]);
  check_hidden_rules(check, boxes);
  const long gap = first_gap(boxes, count);
  if (gap >= 0)
    tutti_tuning_report(check->file, LINT_OMPJ_GAP, check->block->at, "no rule from %ld bytes on", gap);
  free(boxes);
}

static void check_hidden_block(const struct check *check, size_t hiding, size_t index)
{
  if (hiding < index && check->block->min <= check->block->max)
    tutti_tuning_report(check->file, LINT_OMPJ_OVERLAP, check->block->at, "communicator rule %zu of %s matches first",
                        hiding + 1, tutti_openmpi_collectives[check->collective].name);
}

/* For each block of the collective, which one matches first. */
static size_t *find_hiding(const struct check *check)
{
  const struct openmpi_collective_rules *of = &check->rules->collectives[check->collective];
  struct tutti_box *boxes = tutti_xcalloc(of->count + 1, sizeof *boxes);
  for (size_t i = 0; i < of->count; i++)
    boxes[i] = box_of_block(&check->rules->blocks.items[of->first + i]);
  size_t *hiding = tutti_tuning_hiding(boxes, of->count);
  free(boxes);
  return hiding;
}

/* ---- a collective ---- */

static void check_block(struct check *check, size_t index, size_t hiding)
{
  if (check->rules->json) {
    check_hidden_block(check, hiding, index);
    check_json_block(check);
  } else
    check_block_order(check, index);
  if (check->block->count == 0)
    tutti_tuning_report(check->file, LINT_OMPI_EMPTY, check->block->at, "no rules for these communicators");
  for (size_t i = 0; i < check->block->count; i++) {
    if (!check->rules->json)
      check_rule_order(check, i);
    check_rule(check, &check->rules->rules.items[check->block->first + i]);
  }
}

static void check_collective(struct check *check)
{
  const struct openmpi_collective_rules *of = &check->rules->collectives[check->collective];
  if (tutti_openmpi_algorithm_count(&check->file->version, check->collective) == 0) {
    tutti_tuning_report(check->file, LINT_OMPI_NO_CHOICE, of->at, "%s",
                        tutti_openmpi_collectives[check->collective].name);
    return;
  }
  if (of->count == 0)
    tutti_tuning_report(check->file, LINT_OMPI_EMPTY, of->at, "no rules for %s",
                        tutti_openmpi_collectives[check->collective].name);
  size_t *hiding = find_hiding(check);
  for (size_t i = 0; i < of->count; i++) {
    check->block = &check->rules->blocks.items[of->first + i];
    check_block(check, i, hiding[i]);
  }
  free(hiding);
}

static void check_without_rules(struct tuning_file *file, const struct openmpi_rules *rules)
{
  bool given = false;
  for (long c = 0; c < OPENMPI_COLLECTIVES; c++)
    given = given || rules->collectives[c].given;
  if (!given)
    tutti_tuning_report(file, LINT_OMPI_EMPTY, 0, "no collective has any");
  file->findings->without_rules = true;
}

void tutti_openmpi_lint(struct tuning_file *file)
{
  struct openmpi_rules rules = {.dropped = false};
  struct check check = {.file = file, .rules = &rules};
  tutti_openmpi_read(file, &rules);
  for (long c = 0; c < OPENMPI_COLLECTIVES; c++) {
    if (!rules.collectives[c].given)
      continue;
    check.collective = c;
    check.reorders = check.told_total = false;
    check_collective(&check);
  }
  if (!rules.dropped && rules.form == FORM_TUNED && rules.rules.count == 0)
    check_without_rules(file, &rules);
  if (rules.form == FORM_FUJITSU)
    tutti_openmpi_lint_fujitsu(file, &rules);
  if (rules.form == FORM_PARAMETERS)
    tutti_openmpi_lint_parameters(file, &rules);
  tutti_openmpi_hide(file->findings);
  tutti_openmpi_rules_free(&rules);
}
