/* Rules of coll/tuned in JSON (coll_tuned_dynamic_file.c of version 6). */
#include <string.h>

#include "base/json_read.h"
#include "decision/libraries/openmpi/openmpi.h"

struct reader {
  struct tuning_file *file;
  struct openmpi_rules *rules;
  int collective; /* the current one */
};

static bool is_inf(const struct json *value)
{
  return value->kind == JSON_STRING && (strncmp(value->text, "inf", 3) == 0 || strncmp(value->text, "Inf", 3) == 0 ||
                                        strncmp(value->text, "INF", 3) == 0);
}

/* A number that the library keeps in an int. */
static long cut(struct reader *reader, size_t at, long number)
{
  if (number != (int)number)
    tutti_tuning_report(reader->file, LINT_OMPI_LARGE, at, "%ld is %d", number, (int)number);
  return (int)number;
}

/* An integer, or "inf", or what was there before if the key is not. @p at stays if the key is not there. */
static bool read_integer(struct reader *reader, const struct json *object, const char *key, long *number, size_t *at,
                         bool *inf)
{
  const struct json *value = tutti_json_member_of(object, key);
  *inf = false;
  if (!value)
    return true;
  *at = value->at;
  *inf = is_inf(value);
  if (*inf || tutti_json_read_integer(value, number))
    return true;
  return tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_NUMBER, value->at,
                            "\"%s\" is neither an integer nor \"inf\"", key);
}

/* Keys that are not known, or there twice. */
static void check_keys(struct tuning_file *file, const struct json *object, const char *const *known, size_t count)
{
  for (size_t i = 0; i < object->count; i++) {
    const struct json *item = &object->items[i];
    bool found = false;
    for (size_t k = 0; k < count; k++)
      found = found || strcmp(item->key, known[k]) == 0;
    if (!found)
      tutti_tuning_report(file, LINT_OMPJ_KEY, item->key_at, "\"%s\" is not known", item->key);
    if (tutti_json_member_of(object, item->key) != item)
      tutti_tuning_report(file, LINT_OMPJ_TWICE, item->key_at, "\"%s\" occurs twice", item->key);
  }
}

/* ---- rules for messages ---- */

static bool read_algorithm(struct reader *reader, const struct json *object, struct openmpi_rule *rule)
{
  const tutti_library_version *version = &reader->file->version;
  const struct json *value = tutti_json_member_of(object, "alg");
  long id = -1;
  rule->at[FIELD_ALGORITHM] = value ? value->at : object->at;
  if (!value || (value->kind != JSON_STRING && !tutti_json_read_integer(value, &id))) {
    tutti_tuning_report(reader->file, LINT_OMPJ_NO_ALGORITHM, value ? value->at : object->at,
                        value ? "\"alg\" is neither a name nor an id" : "\"alg\" is missing");
    return true;
  }
  if (tutti_openmpi_algorithm_count(version, reader->collective) == 0)
    return tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_CRASH, value->at,
                              "an algorithm for %s, which has none",
                              tutti_openmpi_collectives[reader->collective].name);
  if (value->kind == JSON_STRING)
    id = tutti_openmpi_algorithm_id(version, reader->collective, value->text);
  if (id < 0 || !tutti_openmpi_algorithm_name(version, reader->collective, id)) {
    tutti_tuning_report(reader->file, LINT_OMPJ_UNKNOWN, value->at, "%s has no algorithm %.80s",
                        tutti_openmpi_collectives[reader->collective].name, value->text);
    rule->disabled = true;
    return true;
  }
  rule->values[FIELD_ALGORITHM] = id;
  return true;
}

/* Below 0 it is more than any message has. */
static long unsigned_size(long bytes)
{
  return bytes < 0 ? LONG_MAX : bytes;
}

static bool read_rule(struct reader *reader, const struct json *object)
{
  static const char *const known[] = {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"};
  static const char *const keys[OPENMPI_FIELDS] = {"msg_size_min", NULL, "faninout", "seg_size", "reqs"};
  struct openmpi_rule *rule = tutti_openmpi_add_rule(reader->rules);
  size_t at = object->at;
  bool inf, inf_max;
  check_keys(reader->file, object, known, sizeof known / sizeof *known);
  for (int f = 0; f < OPENMPI_FIELDS; f++) {
    rule->at[f] = object->at;
    if (keys[f] && !read_integer(reader, object, keys[f], &rule->values[f], &rule->at[f], &inf))
      return false;
    if (keys[f] && inf)
      rule->values[f] = f == FIELD_BYTES ? LONG_MAX : -1;
    if (f != FIELD_BYTES)
      rule->values[f] = cut(reader, rule->at[f], rule->values[f]);
  }
  rule->min = unsigned_size(rule->values[FIELD_BYTES]);
  if (!read_integer(reader, object, "msg_size_max", &rule->max, &at, &inf_max))
    return false;
  rule->max = inf_max ? LONG_MAX : unsigned_size(rule->max);
  if (rule->min > rule->max)
    tutti_tuning_report(reader->file, LINT_OMPJ_EMPTY, at, "from %ld to %ld bytes there is nothing", rule->min,
                        rule->max);
  return read_algorithm(reader, object, rule);
}

/* ---- rules for communicators ---- */

static bool read_distribution(struct reader *reader, const struct json *object, struct openmpi_block *block)
{
  const struct json *value = tutti_json_member_of(object, "comm_rank_distribution");
  if (!value)
    return true;
  if (value->kind != JSON_STRING)
    return tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_TEXT, value->at,
                              "\"comm_rank_distribution\" is no text");
  for (int i = 0; i < OPENMPI_PLACEMENTS; i++)
    if (strcmp(value->text, tutti_openmpi_placements[i]) == 0) {
      block->placement = (tutti_placement)i;
      return true;
    }
  tutti_tuning_report(reader->file, LINT_OMPJ_DISTRIBUTION, value->at, "\"%.40s\" is no distribution", value->text);
  return true;
}

static bool read_ranks(struct reader *reader, const struct json *object, struct openmpi_block *block)
{
  size_t at = object->at;
  bool inf;
  block->max = INT_MAX;
  if (!read_integer(reader, object, "comm_size_min", &block->min, &at, &inf))
    return false;
  block->min = inf ? -1 : cut(reader, at, block->min); /* -1: the same bits in an int */
  if (!read_integer(reader, object, "comm_size_max", &block->max, &at, &inf))
    return false;
  if (inf) {
    tutti_tuning_report(reader->file, LINT_OMPJ_INF, at, "\"comm_size_max\" is \"inf\"");
    block->max = -1;
  } else
    block->max = cut(reader, at, block->max);
  if (!inf && block->min > block->max)
    tutti_tuning_report(reader->file, LINT_OMPJ_EMPTY, at, "from %ld to %ld ranks there is nothing", block->min,
                        block->max);
  block->ranks = block->min;
  return true;
}

static bool read_block(struct reader *reader, const struct json *object)
{
  static const char *const known[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"};
  struct openmpi_block *block = tutti_openmpi_add_block(reader->rules);
  block->at = object->at;
  check_keys(reader->file, object, known, sizeof known / sizeof *known);
  if (!read_ranks(reader, object, block) || !read_distribution(reader, object, block))
    return false;
  const struct json *list = tutti_json_member_of(object, "rules");
  if (!list || (list->kind != JSON_ARRAY && list->kind != JSON_OBJECT))
    return tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_RULES, list ? list->at : object->at,
                              "there is no list of rules");
  if (list->kind == JSON_OBJECT && list->count)
    return tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_CRASH, list->at, "\"rules\" is an object");
  for (size_t i = 0; i < list->count; i++)
    if (!read_rule(reader, &list->items[i]))
      return false;
  return true;
}

static bool read_collective(struct reader *reader, const struct json *list)
{
  struct openmpi_rules *rules = reader->rules;
  int id = tutti_openmpi_collective_id(list->key);
  if (id < 0)
    return tutti_openmpi_drop(reader->file, rules, LINT_OMPJ_COLLECTIVE, list->key_at, "\"%.80s\" is no collective",
                              list->key);
  if (list->kind != JSON_ARRAY)
    return tutti_openmpi_drop(reader->file, rules, LINT_OMPJ_LIST, list->at, "%s has no list", list->key);
  reader->collective = id;
  if (rules->collectives[id].given)
    tutti_tuning_report(reader->file, LINT_OMPJ_TWICE, list->key_at, "%s occurs twice", list->key);
  rules->collectives[id] =
      (struct openmpi_collective_rules){.given = true, .at = list->key_at, .first = rules->blocks.count};
  for (size_t i = 0; i < list->count; i++) {
    if (!read_block(reader, &list->items[i]))
      return false;
    rules->collectives[id].count++;
  }
  return true;
}

/* The collectives of a text that is JSON. */
static void read_root(struct reader *reader, const struct json *root)
{
  const struct json *collectives = tutti_json_member_of(root, "collectives");
  if (!collectives || collectives->kind != JSON_OBJECT) {
    tutti_openmpi_drop(reader->file, reader->rules, LINT_OMPJ_TOP, collectives ? collectives->at : root->at,
                       "\"collectives\" is %s", collectives ? "no object" : "missing");
    return;
  }
  for (size_t i = 0; i < collectives->count && read_collective(reader, &collectives->items[i]); i++)
    continue;
}

void tutti_openmpi_read_json(struct tuning_file *file, struct openmpi_rules *rules)
{
  static const struct json_style style = {.commas = true, .levels = 100};
  struct reader reader = {.file = file, .rules = rules};
  struct json root;
  struct json_fault fault;
  struct json_liberty liberty;
  rules->json = true;
  if (tutti_json_parse(file->text, file->length, &style, &root, &fault, &liberty))
    read_root(&reader, &root);
  else
    tutti_openmpi_drop(file, rules, LINT_OMPJ_JSON, fault.at, "%s", fault.reason);
  tutti_json_free(&root);
}
