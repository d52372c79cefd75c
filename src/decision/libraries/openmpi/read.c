/* Rules of coll/tuned: reading them as numbers, which serve what, and their look-up. */
#include "decision/libraries/openmpi/openmpi.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

void tutti_openmpi_rules_free(struct openmpi_rules *rules)
{
  tutti_vector_free(&rules->blocks);
  tutti_vector_free(&rules->rules);
  tutti_vector_free(&rules->han);
  tutti_settings_free(&rules->settings);
  tutti_vector_free(&rules->tree);
  *rules = (struct openmpi_rules){0};
}

struct openmpi_block *tutti_openmpi_add_block(struct openmpi_rules *rules)
{
  tutti_xpush(&rules->blocks, ((struct openmpi_block){.first = rules->rules.count, .max = LONG_MAX}));
  return &rules->blocks.items[rules->blocks.count - 1];
}

struct openmpi_rule *tutti_openmpi_add_rule(struct openmpi_rules *rules)
{
  tutti_xpush(&rules->rules, ((struct openmpi_rule){.max = LONG_MAX}));
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

/* ---- rules written as numbers ---- */

/* A number that must be there and not be negative; otherwise the file is dropped. */
static bool need_long(struct openmpi_numbers *numbers, struct openmpi_rules *rules, const char *what)
{
  if (!tutti_openmpi_next(numbers))
    return tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_SHORT, numbers->file->length,
                              "the file ends where %s is expected", what);
  if (numbers->value < 0)
    return tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_NEGATIVE, numbers->at, "%s is %ld", what, numbers->value);
  return true;
}

/* The same where the library keeps an int. */
static bool need(struct openmpi_numbers *numbers, struct openmpi_rules *rules, const char *what)
{
  if (!need_long(numbers, rules, what))
    return false;
  if (numbers->value > INT_MAX)
    tutti_tuning_report(numbers->file, LINT_OMPI_LARGE, numbers->at, "%s is %ld", what, numbers->value);
  return true;
}

/* Whether the next character on this line is a digit. */
static bool digit_follows(struct openmpi_numbers *numbers)
{
  int c;
  while ((c = getc(numbers->stream)) == ' ' || c == '\t')
    continue;
  if (c != EOF)
    ungetc(c, numbers->stream);
  return isdigit(c);
}

static const char *const field_names[] = {"a message size", "an algorithm", "a fan-out", "a segment size",
                                          "a limit of requests"};

static bool is_one_line(const struct tuning_file *file, size_t from, size_t to)
{
  return to <= from || !memchr(file->text + from, '\n', to - from);
}

static bool read_rule(struct openmpi_numbers *numbers, struct openmpi_rules *rules)
{
  struct openmpi_rule rule = {.max = LONG_MAX};
  for (int f = FIELD_BYTES; f <= FIELD_REQUESTS; f++) {
    if (f == FIELD_REQUESTS && !(numbers->two && digit_follows(numbers)))
      break;
    if (!(f == FIELD_BYTES ? need_long : need)(numbers, rules, field_names[f]))
      return false;
    rule.values[f] = numbers->value;
    rule.at[f] = numbers->at;
  }
  if (!is_one_line(numbers->file, rule.at[FIELD_BYTES], rule.at[FIELD_SEGMENT]))
    tutti_tuning_report(numbers->file, LINT_OMPI_LINES, rule.at[FIELD_BYTES],
                        "the rule %ld %ld %ld %ld ends on another line", rule.values[0], rule.values[1], rule.values[2],
                        rule.values[3]);
  *tutti_openmpi_add_rule(rules) = rule;
  return true;
}

/* The smaller messages are left to Open MPI, as they would be if rules could begin anywhere. */
static void report_first(struct tuning_file *file, struct openmpi_rules *rules, const struct openmpi_rule *rule,
                         long count, size_t count_at)
{
  char text[24];
  tutti_openmpi_drop(file, rules, LINT_OMPI_FIRST, rule->at[FIELD_BYTES], "the first rule is for %ld bytes",
                     rule->values[FIELD_BYTES]);
  snprintf(text, sizeof text, "%ld", count + 1);
  tutti_tuning_edit(file, LINT_OMPI_FIRST, count_at, tutti_tuning_number_length(file, count_at), text);
  tutti_tuning_edit(file, LINT_OMPI_FIRST, rule->at[FIELD_BYTES], 0, "0 0 0 0\n");
}

static bool read_block(struct openmpi_numbers *numbers, struct openmpi_rules *rules)
{
  if (!need(numbers, rules, "a communicator size"))
    return false;
  struct openmpi_block *block = tutti_openmpi_add_block(rules);
  block->ranks = numbers->value;
  block->at = numbers->at;
  if (!need(numbers, rules, "the number of rules"))
    return false;
  const long count = numbers->value;
  const size_t count_at = numbers->at;
  for (long i = 0; i < count; i++) {
    if (!read_rule(numbers, rules))
      return false;
    const struct openmpi_rule *rule = &rules->rules.items[rules->rules.count - 1];
    if (i == 0 && rule->values[FIELD_BYTES] != 0) /* the rest is worth reading all the same */
      report_first(numbers->file, rules, rule, count, count_at);
  }
  return true;
}

static bool read_collective(struct openmpi_numbers *numbers, struct openmpi_rules *rules)
{
  if (!need(numbers, rules, "the id of a collective"))
    return false;
  long id = numbers->value;
  if (id >= OPENMPI_COLLECTIVES) {
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_ID, numbers->at, "no collective has the id %ld", id);
    return false;
  }
  struct openmpi_collective_rules *collective = &rules->collectives[id];
  if (collective->given)
    tutti_tuning_report(numbers->file, LINT_OMPI_TWICE, numbers->at, "%s occurs twice",
                        tutti_openmpi_collectives[id].name);
  *collective = (struct openmpi_collective_rules){.given = true, .at = numbers->at, .first = rules->blocks.count};
  if (!need(numbers, rules, "the number of communicator sizes"))
    return false;
  for (long i = 0, count = numbers->value; i < count; i++) {
    if (!read_block(numbers, rules))
      return false;
    collective->count++;
  }
  return true;
}

static bool knows_version_2(const tutti_library_version *version)
{
  return tutti_library_since(version, 5, 0, 7) || (version->major == 4 && tutti_library_since(version, 4, 1, 8));
}

static void read_header(struct openmpi_numbers *numbers, struct openmpi_rules *rules)
{
  int version = 1;
  if (fscanf(numbers->stream, "rule-file-version-%d", &version) != 1)
    return;
  numbers->two = version > 1;
  if (!knows_version_2(&numbers->file->version))
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_HEADER, 0, "the header stands for version %d of the format",
                       version);
}

static void read_all(struct openmpi_numbers *numbers, struct openmpi_rules *rules)
{
  read_header(numbers, rules);
  if (!need(numbers, rules, "the number of collectives"))
    return;
  long count = numbers->value;
  if (count > OPENMPI_COLLECTIVES) {
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_COLLECTIVES, numbers->at, "%ld collectives", count);
    return;
  }
  for (long i = 0; i < count; i++)
    if (!read_collective(numbers, rules))
      return;
  if (tutti_openmpi_next(numbers))
    tutti_tuning_report(numbers->file, LINT_OMPI_TRAILING, numbers->at, "the counts end before this number");
}

/* Whether what was found may come from a wrong count. */
static bool is_odd(const struct tuning_file *file)
{
  static const int codes[] = {LINT_OMPI_SHORT, LINT_OMPI_NEGATIVE, LINT_OMPI_COLLECTIVES, LINT_OMPI_ID,
                              LINT_OMPI_FIRST, LINT_OMPI_TRAILING, LINT_OMPI_LINES};
  for (size_t i = 0; file->findings && i < file->findings->count; i++)
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
      if (file->findings->items[i].code == &tutti_library_openmpi.codes[codes[c]])
        return true;
  return false;
}

static void read_numbers(struct tuning_file *file, struct openmpi_rules *rules)
{
  struct openmpi_numbers numbers = tutti_openmpi_numbers(file);
  if (file->version.major >= 6)
    tutti_tuning_report(file, LINT_OMPI_SHIFTED, 0, "the file is not JSON");
  read_all(&numbers, rules);
  fclose(numbers.stream);
  if (is_odd(file))
    tutti_openmpi_count(file);
}

/* ---- which blocks and rules, written as numbers, serve what: coll_tuned_dynamic_rules.c ---- */

/* The look-up continues while keys are not above the value: entry i is the last one passed for the values from the
   largest key up to it to just before the next key; the first also covers all below. */
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

static enum openmpi_form form_of(const struct tuning_file *file)
{
  const tutti_tuning_kind *kind = tutti_tuning_recognize_for(&file->version, file->text, file->length);
  if (kind && (strcmp(kind->name, "openmpi-parameters") == 0 || strcmp(kind->name, "openmpi-variables") == 0))
    return FORM_PARAMETERS;
  if (kind && strcmp(kind->name, "fujitsu-tree") == 0)
    return FORM_FUJITSU;
  return kind && strcmp(kind->name, "openmpi-han") == 0 ? FORM_HAN : FORM_TUNED;
}

void tutti_openmpi_read(struct tuning_file *file, struct openmpi_rules *rules)
{
  rules->form = form_of(file);
  if (rules->form == FORM_HAN)
    tutti_openmpi_read_han(file, rules);
  else if (rules->form == FORM_PARAMETERS)
    tutti_openmpi_read_parameters(file, rules);
  else if (rules->form == FORM_FUJITSU)
    tutti_openmpi_read_fujitsu(file, rules);
  if (rules->form != FORM_TUNED)
    return;
  size_t i = 0;
  while (i < file->length && (file->text[i] == ' ' || (file->text[i] >= '\t' && file->text[i] <= '\r')))
    i++;
  bool json = i < file->length && file->text[i] == '{';
  if (json && file->version.major >= 6)
    tutti_openmpi_read_json(file, rules);
  else if (json)
    tutti_openmpi_drop(file, rules, LINT_OMPI_JSON_EARLY, i, "the file begins with '{'");
  else {
    read_numbers(file, rules);
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
                                        tutti_placement placement, long bytes)
{
  struct openmpi_found found = {.collective = NULL};
  const struct openmpi_collective_rules *of = &rules->collectives[collective];
  if (rules->dropped || !of->given)
    return found;
  found.collective = of;
  for (size_t i = 0; i < of->count && !found.block; i++) {
    const struct openmpi_block *block = &rules->blocks.items[of->first + i];
    bool matches = block->placement == TUTTI_PLACED_ANYHOW || block->placement == placement;
    if (matches && block->min <= ranks && ranks <= block->max)
      found.block = block;
  }
  found.rule = found.block ? look_rule(rules, found.block, bytes) : NULL;
  return found;
}
